//! Where a design loses determinism: the conditions of a Teixeira singularity of case 1 over (r*, ω*) (szalai2014, Fig. 4).
//!
//! ```text
//! (b) K⁻⁻ > 0   (c) K⁺⁺ < 0   (d) K⁻⁺ < 0   (e) K⁺⁻ > 0   (f) K⁻⁺K⁺⁻/(K⁺⁺K⁻⁻) > 1   (g) k₂ > 0 and κ > 0   (a) all of them
//! ```
//!
//! (d), (e), (f) say J₁ < 0, J₂ < 0, J₁J₂ > 1 where J₁ and J₂ are real. Each condition is the sign of one function, so that
//! its border is found as a root, not read from pixels. r* = 0, r* = r₀ and p₂ = 0 are poles of κ or k₂.

use crate::num::roots::root;
use crate::system::filippov::Folds;
use crate::system::wheel::singular::{Designed, real_roots};
use crate::system::wheel::{Design, Dynamics, Wheel};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A condition of Fig. 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// (b) The minus fold is invisible, K⁻⁻ > 0.
    MinusInvisible,
    /// (c) The plus fold is invisible, K⁺⁺ < 0.
    PlusInvisible,
    /// (d) K⁻⁺ < 0, that is J₁ < 0.
    J1Negative,
    /// (e) K⁺⁻ > 0, that is J₂ < 0.
    J2Negative,
    /// (f) J₁J₂ > 1.
    ProductAboveOne,
    /// (g) The stiffness is positive.
    StiffnessPositive,
    /// (g) The moment arm is positive.
    ArmPositive,
}

/// All conditions, in the order of the panels.
pub const CONDITIONS: [Condition; 7] = [
    Condition::MinusInvisible,
    Condition::PlusInvisible,
    Condition::J1Negative,
    Condition::J2Negative,
    Condition::ProductAboveOne,
    Condition::StiffnessPositive,
    Condition::ArmPositive,
];

/// Which sign s of the rolling velocity a design uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Convention {
    /// s = +1 everywhere, as the paper does.
    #[default]
    Positive,
    /// The sign that the rolling velocity has at the two-fold, if the wheel's moment is signed.
    Signed,
}

/// A wheel whose designs are mapped.
#[derive(Debug, Clone, Copy)]
pub struct TwoFoldMap {
    wheel: Wheel,
    convention: Convention,
}

/// A point of the map.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MapPoint {
    /// Moment arm, stiffness and velocity of the design.
    pub designed: Designed,
    /// The second derivatives K.
    pub folds: Folds,
    /// The conditions, in the order of [`CONDITIONS`].
    pub flags: [bool; 7],
}

impl MapPoint {
    /// Whether all conditions hold: panel (a).
    pub fn all(&self) -> bool {
        self.flags.iter().all(|flag| *flag)
    }
}

/// A place on a line of the map where a condition changes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Border {
    /// The coordinate along the line: ω* [rad/s] at a given r*, or r* \[m\] at a given ω*.
    pub(crate) at: f64,
    /// The condition that changes.
    pub(crate) condition: Condition,
    /// Whether it changes by a jump instead of a root: at a pole of κ or k₂, or where the sign s of a signed design changes.
    pub(crate) jump: bool,
}

/// A border in the plane: points (r*, ω*), in order along it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BorderCurve {
    /// The condition that changes.
    pub condition: Condition,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

/// A rectangle of the plane (r*, ω*) with even grid lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// Range of r* \[m\].
    pub positions: (f64, f64),
    /// Range of ω* [rad/s].
    pub speeds: (f64, f64),
    /// Points along r*, >= 2.
    pub columns: usize,
    /// Points along ω*, >= 2.
    pub rows: usize,
}

impl Plane {
    /// r* of a column \[m\].
    pub fn position(&self, column: usize) -> f64 {
        even(self.positions, column, self.columns)
    }

    /// ω* of a row [rad/s].
    pub fn speed(&self, row: usize) -> f64 {
        even(self.speeds, row, self.rows)
    }
}

fn even((low, high): (f64, f64), index: usize, count: usize) -> f64 {
    low + (high - low) * index as f64 / (count.max(2) - 1) as f64
}

impl TwoFoldMap {
    /// The map of a wheel; its own design, moment arm and stiffness do not matter.
    pub fn new(wheel: &Wheel, convention: Convention) -> Self {
        Self { wheel: *wheel, convention }
    }

    /// The design at a point and its class. Values are not finite at poles.
    pub fn at(&self, position: f64, speed: f64) -> MapPoint {
        let design = Design { position, speed };
        let designed = match self.convention {
            Convention::Positive => self.wheel.designed_with(design, 1.0),
            Convention::Signed => self.wheel.designed(design),
        };
        let dynamics = Dynamics::of_parameters(&self.wheel, designed.moment_arm, designed.spring_stiffness);
        let folds = dynamics.folds_at((position, designed.velocity, speed), designed.sign);
        let flags = CONDITIONS.map(|condition| indicator(condition, &designed, &folds) > 0.0);
        MapPoint { designed, folds, flags }
    }

    fn value(&self, condition: Condition, position: f64, speed: f64) -> f64 {
        let MapPoint { designed, folds, .. } = self.at(position, speed);
        indicator(condition, &designed, &folds)
    }

    /// Where conditions change along ω* at a given r*, ascending. A line of `cells` cells is searched.
    pub fn borders_at_position(&self, position: f64, speeds: (f64, f64), cells: usize) -> Vec<Border> {
        let grid: Vec<f64> = (0..=cells).map(|k| even(speeds, k, cells + 1)).collect();
        let breaks: &[f64] = match self.convention {
            Convention::Positive => &[],
            Convention::Signed => &[self.wheel.turntable_speed],
        };
        self.borders(&grid, breaks, |speed| (position, speed))
    }

    /// Where conditions change along r* at a given ω*, ascending; poles included.
    pub fn borders_at_speed(&self, speed: f64, positions: (f64, f64), cells: usize) -> Vec<Border> {
        let grid: Vec<f64> = (0..=cells).map(|k| even(positions, k, cells + 1)).collect();
        self.borders(&grid, &self.poles(), |position| (position, speed))
    }

    /// The positions r* where κ or k₂ has a pole: 0, r₀, and the roots of p₂.
    pub fn poles(&self) -> Vec<f64> {
        let Wheel { gyration_radius: beta, slit_offset: d, .. } = self.wheel;
        let bare = Dynamics::of_parameters(&self.wheel, 1.0, 0.0);
        let mut poles = real_roots([beta * beta * bare.si, d * bare.co, bare.si]);
        poles.extend([0.0, self.wheel.rest_position]);
        poles.sort_by(f64::total_cmp);
        poles
    }

    fn borders(&self, grid: &[f64], breaks: &[f64], place: impl Fn(f64) -> (f64, f64)) -> Vec<Border> {
        let (Some(&first), Some(&last)) = (grid.first(), grid.last()) else { return Vec::new() };
        let inside: Vec<f64> = breaks.iter().copied().filter(|x| *x > first && *x < last).collect();
        let mut found = Vec::new();
        for condition in CONDITIONS {
            let value = |x: f64| {
                let (position, speed) = place(x);
                self.value(condition, position, speed)
            };
            let mut cuts: Vec<f64> = grid.iter().copied().chain(inside.iter().copied()).collect();
            cuts.sort_by(f64::total_cmp);
            cuts.dedup();
            for pair in cuts.windows(2) {
                let &[low, high] = pair else { continue };
                // next to a break the function is taken from this side of it
                let nudge = 1e-9 * (high - low);
                let low = if inside.contains(&low) { low + nudge } else { low };
                let high = if inside.contains(&high) { high - nudge } else { high };
                if (value(low) > 0.0) != (value(high) > 0.0)
                    && let Ok(at) = root(low, high, value)
                {
                    found.push(Border { at, condition, jump: false });
                }
            }
            for &at in &inside {
                let step = 1e-9 * (last - first);
                if (value(at - step) > 0.0) != (value(at + step) > 0.0) {
                    found.push(Border { at, condition, jump: true });
                }
            }
        }
        found.sort_by(|a, b| a.at.total_cmp(&b.at));
        found
    }

    /// The map on a grid, row by row from the lowest ω*.
    pub fn grid(&self, plane: &Plane) -> Vec<MapPoint> {
        let rows: Vec<Vec<MapPoint>> = (0..plane.rows)
            .into_par_iter()
            .map(|row| (0..plane.columns).map(|column| self.at(plane.position(column), plane.speed(row))).collect())
            .collect();
        rows.into_iter().flatten().collect()
    }

    /// The borders of all conditions as curves. Each point is a root on a line of the grid; poles are straight lines of their
    /// own ([`TwoFoldMap::poles`]) and are not part of the curves.
    pub fn border_curves(&self, plane: &Plane) -> Vec<BorderCurve> {
        let points = self.grid(plane);
        let curves: Vec<Vec<BorderCurve>> = CONDITIONS
            .par_iter()
            .enumerate()
            .map(|(index, &condition)| {
                let flag = |column: usize, row: usize| points[row * plane.columns + column].flags[index];
                let segments = self.segments(plane, condition, flag);
                super::surface::chained(&segments).into_iter().map(|points| BorderCurve { condition, points }).collect()
            })
            .collect();
        curves.into_iter().flatten().collect()
    }

    /// Pieces of a border inside the cells of the grid.
    fn segments(
        &self,
        plane: &Plane,
        condition: Condition,
        flag: impl Fn(usize, usize) -> bool,
    ) -> Vec<[(f64, f64); 2]> {
        let poles = self.poles();
        let mut segments = Vec::new();
        for row in 0..plane.rows.saturating_sub(1) {
            for column in 0..plane.columns.saturating_sub(1) {
                let (left, right) = (plane.position(column), plane.position(column + 1));
                let (bottom, top) = (plane.speed(row), plane.speed(row + 1));
                let corners =
                    [flag(column, row), flag(column + 1, row), flag(column + 1, row + 1), flag(column, row + 1)];
                if corners.iter().all(|corner| *corner == corners[0]) {
                    continue;
                }
                // a cell that holds a pole changes its flags without a root
                if poles.iter().any(|pole| *pole >= left && *pole <= right) {
                    continue;
                }
                let along_speed = |x: f64| root(bottom, top, |y| self.value(condition, x, y)).ok().map(|y| (x, y));
                let along_position = |y: f64| root(left, right, |x| self.value(condition, x, y)).ok().map(|x| (x, y));
                let mut crossings = Vec::new();
                if corners[0] != corners[1] {
                    crossings.extend(along_position(bottom));
                }
                if corners[1] != corners[2] {
                    crossings.extend(along_speed(right));
                }
                if corners[2] != corners[3] {
                    crossings.extend(along_position(top));
                }
                if corners[3] != corners[0] {
                    crossings.extend(along_speed(left));
                }
                for pair in crossings.chunks_exact(2) {
                    if let &[from, to] = pair {
                        segments.push([from, to]);
                    }
                }
            }
        }
        segments
    }
}

/// The function whose sign is the condition: positive where it holds.
fn indicator(condition: Condition, designed: &Designed, folds: &Folds) -> f64 {
    match condition {
        Condition::MinusInvisible => folds.minus_minus,
        Condition::PlusInvisible => -folds.plus_plus,
        Condition::J1Negative => -folds.minus_plus,
        Condition::J2Negative => folds.plus_minus,
        // J₁J₂ − 1 = D/(K⁺⁺K⁻⁻), without its poles
        Condition::ProductAboveOne => folds.determinant() * folds.plus_plus * folds.minus_minus,
        Condition::StiffnessPositive => designed.spring_stiffness,
        Condition::ArmPositive => designed.moment_arm,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_design_of_the_paper_lies_inside_and_borders_change_one_flag() {
        let map = TwoFoldMap::new(&Wheel::default(), Convention::Positive);
        assert!(map.at(0.1859, -1.037).all());
        let borders = map.borders_at_position(0.1859, (-2.2, 0.2), 200);
        assert!(!borders.is_empty());
        for border in &borders {
            let index = CONDITIONS.iter().position(|condition| *condition == border.condition).unwrap();
            let (below, above) = (map.at(0.1859, border.at - 1e-9), map.at(0.1859, border.at + 1e-9));
            assert!(below.flags[index] != above.flags[index], "{border:?}");
        }
    }
}
