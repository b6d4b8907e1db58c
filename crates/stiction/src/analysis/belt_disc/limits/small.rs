//! Short correlation lengths: the disc averages the field, and the cycle answers linearly to the mean over the disc.
//!
//! ```text
//! H_bar(X) = mean (1 + ε(X))        std ε = CV_e l/R        corr ε = (2/π)[acos z − z √(1 − z²)],   z = |ΔX|/(2R), 0 for z > 1
//! dx(t) = x_s ε₀ cos ωt + x_k ω ∫₀ᵗ sin ω(t − q) ε(X(q)) dq        dv = d(dx)/dt        X(q) = x(q) − x_s − v_b q
//! d(PV_x)   = dx(t₁) − dx(t₂)
//! d(x_land) = dx(t_slip) − v_b dv(t_slip)/(ω² δ)
//! d(PV_F)/k = x_s ε_L − d(x_land)   between minima of x        x_s ε₀ − d(x_land)   over a slip
//! ```
//! Each is ε at one or two places plus an integral along the slip: its variance is a double integral of the correlation, which
//! has a kink on the diagonal and is therefore taken over one triangle. Torque and transverse motion enter at second order only.

use super::not_found;
use crate::analysis::AnalysisError;
use crate::analysis::belt_disc::closed_form::UniformBelt;
use crate::field::{CorrelationOf, RandomField};
use crate::num::quadrature::{QuadratureError, integral};
use crate::num::real::{acos, cos, sin};
use crate::num::roots::root;
use std::cell::Cell;
use std::f64::consts::PI;

/// Correlations are followed to this many lengths where their area has no closed form.
const FARTHEST_LENGTHS: f64 = 60.0;

/// The limit of short correlation lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SmallLength {
    /// Standard deviation of the mean over the disc, relative to the mean coefficient, divided by l/R [-]: CV_e.
    pub patch_variation: f64,
    /// Standard deviation of the ratio of peak-to-valley displacements over that of the mean over the disc [-].
    pub displacement_amplification: f64,
    /// The same of the peak-to-valley force between minima of the displacement [-].
    pub force_amplification: f64,
    /// The same of the peak-to-valley force over a slip [-].
    pub slip_force_amplification: f64,
}

impl SmallLength {
    /// The limit for a disc of `radius` \[m\]; `belt` has the mean coefficient.
    ///
    /// # Errors
    /// As [`UniformBelt::cycle`], if κ = 1, if the correlation has no finite area, or if an integral does not converge.
    pub fn of(belt: &UniformBelt, radius: f64, field: &RandomField) -> Result<Self, AnalysisError> {
        let cycle = belt.cycle()?;
        if !(radius.is_finite() && radius > 0.0) {
            return Err(AnalysisError::unsuitable("radius", format!("is {radius}, but must be a finite number > 0")));
        }
        let drop = belt.drop();
        if drop <= 0.0 {
            let message = "is 1: without a difference of static and kinetic friction there is no cycle to disturb";
            return Err(AnalysisError::unsuitable("kinetic_ratio", message));
        }
        let (omega, speed) = (belt.angular_frequency(), belt.speed());
        let (x_s, x_k) = (belt.static_displacement(), belt.kinetic_displacement());
        let (first, second, end) = (cycle.first_turning_time, cycle.second_turning_time, cycle.slip_time);
        let slip = Slip { omega, speed, drop, end, diameter: 2.0 * radius };
        let wave = |time: f64, q: f64| if q < time { x_k * omega * sin(omega * (time - q)) } else { 0.0 };
        let travel = Answer {
            start: x_s * (cos(omega * first) - cos(omega * second)),
            end: 0.0,
            along: &|q| wave(first, q) - wave(second, q),
            kinks: &[first, second],
        };
        // dx − v_b dv/(ω² δ) at the end of the slip
        let lag = speed / (omega * drop);
        let landing_start = x_s * (cos(omega * end) + lag * sin(omega * end));
        let landing = |q: f64| x_k * omega * (sin(omega * (end - q)) - lag * cos(omega * (end - q)));
        let force = Answer { start: -landing_start, end: x_s, along: &|q| -landing(q), kinks: &[] };
        let slip_force = Answer { start: x_s - landing_start, end: 0.0, ..force };
        let spread = |answer: &Answer<'_>| slip.variance(answer).map(|variance| variance.max(0.0).sqrt());
        Ok(Self {
            patch_variation: patch_variation(field)?,
            displacement_amplification: spread(&travel)? / cycle.peak_to_valley_displacement,
            force_amplification: spread(&force)? / (2.0 * drop),
            slip_force_amplification: spread(&slip_force)? / (2.0 * drop),
        })
    }

    /// Standard deviation of the ratio of peak-to-valley displacements over l/R [-].
    pub fn displacement_slope(&self) -> f64 {
        self.patch_variation * self.displacement_amplification
    }

    /// Standard deviation of the ratio of peak-to-valley forces (between minima of the displacement) over l/R [-].
    pub fn force_slope(&self) -> f64 {
        self.patch_variation * self.force_amplification
    }

    /// Standard deviation of the ratio of peak-to-valley forces (over a slip) over l/R [-].
    pub fn slip_force_slope(&self) -> f64 {
        self.patch_variation * self.slip_force_amplification
    }
}

/// Share of a disc that a disc of the same size covers, with their centres `distance` diameters apart [-].
pub(crate) fn disc_overlap(distance: f64) -> f64 {
    let z = distance.abs();
    if z >= 1.0 { 0.0 } else { 2.0 / PI * (acos(z) - z * ((1.0 - z) * (1.0 + z)).sqrt()) }
}

/// CV_e: the area under the covariance of the coefficient, in units of π l², over its squared mean, under the root. For two
/// lengths l² is their product.
fn patch_variation(field: &RandomField) -> Result<f64, AnalysisError> {
    let [along, across] = field.prescribed.length;
    let variation = field.marginal.variation();
    let unit = PI * along * across;
    let endless = || {
        let message = "has no finite area under its correlation: the limit of short lengths does not exist";
        AnalysisError::unsuitable("field.correlation", message)
    };
    let area = if field.correlation_of == CorrelationOf::Coefficient {
        field.prescribed.area().ok_or_else(endless)?
    } else {
        field.prescribed.area().ok_or_else(endless)?;
        // the coefficient's correlation in units of lengths
        let radial = |r: f64| r * field.marginal.correlation_of_coefficient(field.prescribed.family.at(r));
        let mut sum = 0.0;
        for ends in [0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, FARTHEST_LENGTHS].windows(2) {
            let &[from, to] = ends else { continue };
            sum += integral(from, to, radial).map_err(not_found)?.value;
        }
        2.0 * PI * sum * along * across
    };
    Ok(variation * (area / unit).max(0.0).sqrt())
}

/// A linear answer to ε: at the start of the slip, at its end, and along it.
#[derive(Clone, Copy)]
struct Answer<'a> {
    start: f64,
    end: f64,
    along: &'a dyn Fn(f64) -> f64,
    /// Times where `along` is not smooth \[s\].
    kinks: &'a [f64],
}

/// The slip of the uniform cycle, seen from the belt.
struct Slip {
    omega: f64,
    speed: f64,
    drop: f64,
    end: f64,
    diameter: f64,
}

impl Slip {
    /// How far the belt has passed under the disc since breakaway \[m\]: −X(q), which grows.
    fn passed(&self, q: f64) -> f64 {
        let angle = self.omega * q;
        let half = sin(0.5 * angle);
        self.speed * q - self.speed / self.omega * sin(angle) + 2.0 * self.drop * half * half
    }

    /// Correlation of ε under the disc at two times [-].
    fn correlation(&self, p: f64, q: f64) -> f64 {
        disc_overlap((self.passed(p) - self.passed(q)) / self.diameter)
    }

    /// Pieces of [from, to] on which a correlation with the place `passed` and an answer are smooth.
    fn pieces(&self, from: f64, to: f64, passed: f64, kinks: &[f64]) -> Vec<f64> {
        let mut cuts = vec![from, to];
        let inside = |time: f64| time > from && time < to;
        cuts.extend(kinks.iter().copied().filter(|kink| inside(*kink)));
        for reach in [-self.diameter, self.diameter] {
            let crossing = root(from, to, |q| self.passed(q) - passed - reach);
            cuts.extend(crossing.ok().filter(|time| inside(*time)));
        }
        cuts.sort_by(f64::total_cmp);
        cuts
    }

    /// ∫ along(q) corr(ε(q), ε(at)) dq from 0 to `until`.
    fn with(&self, answer: &Answer<'_>, at: f64, until: f64) -> Result<f64, QuadratureError> {
        let mut sum = 0.0;
        for ends in self.pieces(0.0, until, self.passed(at), answer.kinks).windows(2) {
            let &[from, to] = ends else { continue };
            sum += integral(from, to, |q| (answer.along)(q) * self.correlation(q, at))?.value;
        }
        Ok(sum)
    }

    /// Variance of an answer for an ε of unit variance.
    fn variance(&self, answer: &Answer<'_>) -> Result<f64, AnalysisError> {
        let Answer { start, end, .. } = *answer;
        let points = start * start + end * end + 2.0 * start * end * self.correlation(0.0, self.end);
        let mixed = 2.0 * start * self.with(answer, 0.0, self.end).map_err(not_found)?
            + 2.0 * end * self.with(answer, self.end, self.end).map_err(not_found)?;
        let failed = Cell::new(None);
        let mut triangle = 0.0;
        for ends in self.pieces(0.0, self.end, 0.0, answer.kinks).windows(2) {
            let &[from, to] = ends else { continue };
            let outer = integral(from, to, |p| {
                let inner = self.with(answer, p, p).unwrap_or_else(|error| {
                    failed.set(Some(error));
                    0.0
                });
                (answer.along)(p) * inner
            });
            triangle += outer.map_err(not_found)?.value;
        }
        match failed.into_inner() {
            Some(error) => Err(not_found(error)),
            None => Ok(points + mixed + 2.0 * triangle),
        }
    }
}
