//! Force and torque of a coefficient that is a formula or a measured map.
//!
//! A map is a polynomial in each of its cells: the plate is cut along the lines of the map, and the integral is exact but for the turning
//! of the motion. Panels in which two rules differ are cut into four, towards the centre of rotation and along the kinks of a formula.
//! The sum of what the rules differ in each panel, none against another, bounds the error.

use super::parameters::unsuitable;
use super::plate::Plate;
use crate::analysis::{AnalysisError, Cancelled};
use crate::field::{FieldDescription, FieldError, Surface};
use crate::num::gauss::{Rule, Rules};
use crate::patch::panels::Panel;
use rayon::prelude::*;

/// Force and torque of a coefficient that is a given function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Given {
    /// (F_x \[N\], F_y \[N\], T [N m]).
    pub mean: [f64; 3],
    /// Mean of the coefficient over the plate [-].
    pub coefficient: f64,
    /// Bound of the error [-], in units of P ∫H|w| dS.
    pub error: f64,
}

/// Lines along each side of the box around a plate where the coefficient is a formula.
const LINES: usize = 8;

/// Nodes along each side of a panel: the fewer for comparison.
const FEW: usize = 3;
const MANY: usize = 5;

/// Most times that a panel is cut.
const DEPTH: usize = 10;

/// Smallest share of the error [-] that one panel may have.
const SHARE: f64 = 1e-4;

/// How much larger than the difference of two rules the error of the better one may be.
const SAFETY: f64 = 2.0;

/// Relative error of sums [-].
const ROUND_OFF: f64 = 1e-15;

/// Integrals over a panel: of H w, of |H w|, of H, and what two rules differ in the first.
#[derive(Debug, Clone, Copy, Default)]
struct Integrals {
    loads: [f64; 3],
    sizes: [f64; 3],
    total: f64,
    differences: [f64; 3],
}

impl Integrals {
    fn add(&mut self, other: &Self) {
        for i in 0..3 {
            self.loads[i] += other.loads[i];
            self.sizes[i] += other.sizes[i];
            self.differences[i] += other.differences[i];
        }
        self.total += other.total;
    }
}

/// A coefficient under a plate.
struct Coefficient<'a> {
    plate: &'a Plate,
    field: &'a FieldDescription,
    map: Option<&'a Surface>,
    rules: [&'a Rule; 2],
}

impl Coefficient<'_> {
    fn once(&self, panel: &Panel, rule: &Rule) -> Result<Integrals, FieldError> {
        let mut found = Integrals::default();
        for (point, area) in panel.nodes(rule) {
            let value = area * self.field.known_at(self.map, self.plate.functionals.outline.in_field(point))?;
            found.total += value;
            for (i, weight) in self.plate.functionals.twist.weights(point).into_iter().enumerate() {
                found.loads[i] += value * weight;
                found.sizes[i] += (value * weight).abs();
            }
        }
        Ok(found)
    }

    fn twice(&self, panel: &Panel) -> Result<Integrals, FieldError> {
        let [few, many] = self.rules;
        let (mut found, coarse) = (self.once(panel, many)?, self.once(panel, few)?);
        found.differences = std::array::from_fn(|i| (found.loads[i] - coarse.loads[i]).abs());
        Ok(found)
    }

    /// Over a panel, cut until its error is a share of the `allowed` one, in proportion to its part of the `total`.
    fn over(&self, panel: &Panel, [allowed, total]: [&Integrals; 2], depth: usize) -> Result<Integrals, FieldError> {
        let found = self.twice(panel)?;
        let share = (found.total / total.total).max(SHARE);
        if depth == 0 || (0..3).all(|i| found.differences[i] <= share * allowed.sizes[i]) {
            return Ok(found);
        }
        let mut sum = Integrals::default();
        for quarter in panel.quarters() {
            sum.add(&self.over(&quarter, [allowed, total], depth - 1)?);
        }
        Ok(sum)
    }
}

impl Plate {
    /// Force and torque of a coefficient that is a formula or a measured map, unless `stop` says so.
    ///
    /// # Errors
    /// The map does not cover the plate, the function has no finite values > 0, or it was stopped.
    pub fn given(
        &self,
        field: &FieldDescription,
        map: Option<&Surface>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Given, AnalysisError> {
        self.check_covered(field, map)?;
        let outline = &self.functionals.outline;
        let rules = [FEW, MANY].map(|count| Rules::shared().with(count));
        let coefficient = Coefficient { plate: self, field, map, rules };
        let wrong = |error: FieldError| unsuitable(&error);
        // how large everything is, from few panels
        let [low, high] = outline.geometry.bounds;
        let middle = std::array::from_fn(|axis| vec![0.5 * (low[axis] + high[axis])]);
        let mut total = Integrals::default();
        for panel in outline.panels(&middle).flatten() {
            total.add(&coefficient.once(&panel, rules[1]).map_err(wrong)?);
        }
        let allowed = Integrals { sizes: total.sizes.map(|size| 0.01 * self.accuracy * size), ..total };
        let mut sum = Integrals::default();
        for strip in outline.panels(&self.lines(map)) {
            if stop() {
                return Err(Cancelled.into());
            }
            let over = |panel: &Panel| coefficient.over(panel, [&allowed, &total], DEPTH);
            let parts: Vec<_> = strip.par_iter().map(over).collect();
            for part in parts {
                sum.add(&part.map_err(wrong)?);
            }
        }
        let relative = |i: usize| if sum.sizes[i] > 0.0 { SAFETY * sum.differences[i] / sum.sizes[i] } else { 0.0 };
        Ok(Given {
            mean: sum.loads.map(|load| self.pressure * load + 0.0),
            coefficient: sum.total / outline.geometry.area,
            error: (0..3).map(relative).fold(ROUND_OFF, f64::max),
        })
    }

    /// Refuses a measured map that ends under the plate.
    fn check_covered(&self, field: &FieldDescription, map: Option<&Surface>) -> Result<(), AnalysisError> {
        let (FieldDescription::File(_), Some(map)) = (field, map) else { return Ok(()) };
        let outline = &self.functionals.outline;
        let [low, high] = outline.geometry.bounds.map(|corner| outline.in_field(corner));
        let remedy = "bring a larger map, or make or place the shape so that it lies on the map";
        map.check_covers(low, high)
            .map_err(|message| AnalysisError::unsuitable("field.file", format!("{message}; {remedy}")))
    }

    /// Lines across x and across y \[m\] between which the coefficient is smooth: those of a map, or some for a formula.
    fn lines(&self, map: Option<&Surface>) -> [Vec<f64>; 2] {
        let outline = &self.functionals.outline;
        let [low, high] = outline.geometry.bounds;
        std::array::from_fn(|axis| {
            let size = high[axis] - low[axis];
            let (origin, step) = match map {
                Some(map) => (map.grid().origin()[axis] - outline.shift[axis], map.grid().step()[axis]),
                None => (low[axis], size / LINES as f64),
            };
            let first = ((low[axis] - origin) / step).floor();
            let count = (size / step).ceil() as usize + 1;
            (1..=count).map(|k| origin + (first + k as f64) * step).collect()
        })
    }
}
