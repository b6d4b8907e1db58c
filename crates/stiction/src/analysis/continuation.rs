//! Continuation: following a curve of solutions through folds by pseudo-arclength.
//!
//! n equations in n + 1 unknowns define a curve. A step predicts along the tangent and corrects on the hyperplane at right
//! angles to it,
//!
//! ```text
//! F(u) = 0,     t · (u − u₀) = Δs
//! ```
//!
//! which stays regular where the parameter turns back (a fold). Lengths are measured in the units that [`Curve::scales`]
//! gives to each unknown. The last unknown is the parameter.

use super::AnalysisError;
use crate::num::dense::solve;
use nalgebra::DMatrix;

/// n equations in n + 1 unknowns; the last unknown is the parameter.
pub trait Curve {
    /// A typical size of each unknown.
    fn scales(&self) -> Vec<f64>;
    /// The residuals at `u`; none where the equations are not defined: the branch ends there.
    ///
    /// # Errors
    /// If something else than leaving the domain goes wrong.
    fn residual(&self, u: &[f64]) -> Result<Option<Vec<f64>>, AnalysisError>;
    /// Rows of the Jacobian at `u`, each with n + 1 entries; by default central differences.
    ///
    /// # Errors
    /// If something else than leaving the domain goes wrong.
    fn jacobian(&self, u: &[f64]) -> Result<Option<Vec<Vec<f64>>>, AnalysisError> {
        let scales = self.scales();
        let mut columns = Vec::with_capacity(u.len());
        for i in 0..u.len() {
            // near the cube root of the precision: truncation and rounding balance
            let step = 1e-5 * scales[i];
            let mut shifted = u.to_vec();
            shifted[i] = u[i] + step;
            let Some(above) = self.residual(&shifted)? else { return Ok(None) };
            shifted[i] = u[i] - step;
            let Some(below) = self.residual(&shifted)? else { return Ok(None) };
            columns.push(above.iter().zip(&below).map(|(a, b)| (a - b) / (2.0 * step)).collect::<Vec<_>>());
        }
        let equations = u.len() - 1;
        Ok(Some((0..equations).map(|row| columns.iter().map(|column| column[row]).collect()).collect()))
    }
    /// Whether the branch may go on at `u`.
    fn inside(&self, u: &[f64]) -> bool;
}

/// How a branch is followed. Lengths are in units of [`Curve::scales`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Continuation {
    /// First step.
    pub first_step: f64,
    /// Shortest step before the branch is given up.
    pub shortest_step: f64,
    /// Longest step.
    pub longest_step: f64,
    /// Most points of a branch.
    pub max_points: usize,
    /// Size of the last correction, relative to the scales.
    pub tolerance: f64,
}

impl Default for Continuation {
    fn default() -> Self {
        Self { first_step: 0.01, shortest_step: 1e-7, longest_step: 0.05, max_points: 2000, tolerance: 1e-11 }
    }
}

/// How a branch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BranchEnd {
    /// The next point would be outside the domain.
    LeftDomain,
    /// No convergence even with the shortest step.
    Stuck,
    /// It came back to its start.
    Closed,
    /// It has as many points as were allowed.
    Full,
}

/// A branch: points in order, and the folds on it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Branch {
    /// The points, the start first.
    pub(crate) points: Vec<Vec<f64>>,
    /// Points at which the parameter turns back.
    pub(crate) folds: Vec<Vec<f64>>,
    /// How it ended.
    pub(crate) end: BranchEnd,
}

/// The sense in which a branch is followed at its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Toward {
    /// Growing parameter.
    Larger,
    /// Falling parameter.
    Smaller,
}

impl Continuation {
    /// Follows the curve from a point near it.
    ///
    /// # Errors
    /// If the curve's functions fail.
    pub(crate) fn follow(&self, curve: &impl Curve, near: &[f64], toward: Toward) -> Result<Branch, AnalysisError> {
        let scales = curve.scales();
        let parameter = near.len() - 1;
        let mut direction = vec![0.0; near.len()];
        direction[parameter] = if toward == Toward::Larger { 1.0 } else { -1.0 };
        let mut branch = Branch { points: Vec::new(), folds: Vec::new(), end: BranchEnd::Stuck };
        let Some(start) = self.correct(curve, &scales, near, &direction)? else { return Ok(branch) };
        let Some(mut tangent) = unit_tangent(curve, &scales, &start, &direction)? else { return Ok(branch) };
        branch.points.push(start.clone());
        let mut point = start.clone();
        let mut step = self.first_step;
        let mut away = false;
        while branch.points.len() < self.max_points {
            let predicted = moved(&point, &scales, &tangent, step);
            let corrected = self.correct(curve, &scales, &predicted, &tangent)?;
            let corrected = corrected.filter(|u| curve.inside(u) && distance(u, &point, &scales) < 2.0 * step);
            let next = match corrected {
                Some(next) => unit_tangent(curve, &scales, &next, &tangent)?.map(|tangent| (next, tangent)),
                None => None,
            };
            let Some((next, next_tangent)) = next else {
                step *= 0.5;
                if step < self.shortest_step {
                    branch.end = BranchEnd::LeftDomain;
                    return Ok(branch);
                }
                continue;
            };
            if next_tangent[parameter] * tangent[parameter] < 0.0 {
                branch.folds.extend(self.fold(curve, &scales, &point, &tangent, step)?);
            }
            let turned: f64 = tangent.iter().zip(&next_tangent).map(|(a, b)| a * b).sum();
            (point, tangent) = (next, next_tangent);
            branch.points.push(point.clone());
            let from_start = distance(&point, &start, &scales);
            away |= from_start > 3.0 * step;
            if away && from_start < 0.5 * step {
                branch.end = BranchEnd::Closed;
                return Ok(branch);
            }
            // longer steps where the curve is straight
            step = if turned > 0.995 { (1.4 * step).min(self.longest_step) } else { step };
            if turned < 0.95 {
                step *= 0.6;
            }
        }
        branch.end = BranchEnd::Full;
        Ok(branch)
    }

    /// Newton's method on the hyperplane through `near` at right angles to `direction`.
    fn correct(
        &self,
        curve: &impl Curve,
        scales: &[f64],
        near: &[f64],
        direction: &[f64],
    ) -> Result<Option<Vec<f64>>, AnalysisError> {
        let mut u = near.to_vec();
        let mut last = f64::INFINITY;
        let mut frozen = None;
        for round in 0..15 {
            let Some(residual) = curve.residual(&u)? else { return Ok(None) };
            // the Jacobian is dear: one serves several rounds
            if round % 5 == 0 {
                frozen = bordered(curve, scales, &u, direction)?;
            }
            let Some(matrix) = frozen.clone() else { return Ok(None) };
            let along: f64 =
                u.iter().zip(near).zip(scales.iter().zip(direction)).map(|((u, v), (s, d))| (u - v) / s * d).sum();
            let Some(change) = solve(matrix, residual.iter().map(|r| -r).chain([-along])) else { return Ok(None) };
            for ((u, change), scale) in u.iter_mut().zip(&change).zip(scales) {
                *u += change * scale;
            }
            let size = change.iter().fold(0.0f64, |largest, c| largest.max(c.abs()));
            // rounding in the residual may keep the correction from shrinking further
            if size < self.tolerance || size < 1e3 * self.tolerance && size >= last {
                return Ok(Some(u));
            }
            if size > 1.0 {
                return Ok(None);
            }
            last = size;
        }
        Ok(None)
    }

    /// The point between `point` and the one a `step` further at which the parameter turns back.
    fn fold(
        &self,
        curve: &impl Curve,
        scales: &[f64],
        point: &[f64],
        direction: &[f64],
        step: f64,
    ) -> Result<Option<Vec<f64>>, AnalysisError> {
        let parameter = point.len() - 1;
        let (mut low, mut high) = (0.0, step);
        let mut fold = None;
        // the parameter is flat at the fold: its value converges twice as fast as the place
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            let Some(u) = self.correct(curve, scales, &moved(point, scales, direction, middle), direction)? else {
                return Ok(fold);
            };
            let Some(tangent) = unit_tangent(curve, scales, &u, direction)? else { return Ok(fold) };
            if tangent[parameter] * direction[parameter] > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
            fold = Some(u);
            if high - low < 1e-9 {
                break;
            }
        }
        Ok(fold)
    }
}

fn moved(point: &[f64], scales: &[f64], direction: &[f64], step: f64) -> Vec<f64> {
    point.iter().zip(scales.iter().zip(direction)).map(|(u, (scale, d))| u + step * scale * d).collect()
}

fn distance(a: &[f64], b: &[f64], scales: &[f64]) -> f64 {
    a.iter().zip(b).zip(scales).map(|((a, b), s)| ((a - b) / s) * ((a - b) / s)).sum::<f64>().sqrt()
}

/// The scaled Jacobian with the direction as its last row.
fn bordered(
    curve: &impl Curve,
    scales: &[f64],
    u: &[f64],
    direction: &[f64],
) -> Result<Option<DMatrix<f64>>, AnalysisError> {
    let Some(rows) = curve.jacobian(u)? else { return Ok(None) };
    let entry = |i: usize, j: usize| rows.get(i).map_or(direction[j], |row| row[j] * scales[j]);
    Ok(Some(DMatrix::from_fn(u.len(), u.len(), entry)))
}

/// Unit tangent of the curve at `u`, on the side of `direction`.
fn unit_tangent(
    curve: &impl Curve,
    scales: &[f64],
    u: &[f64],
    direction: &[f64],
) -> Result<Option<Vec<f64>>, AnalysisError> {
    let Some(matrix) = bordered(curve, scales, u, direction)? else { return Ok(None) };
    let along_last = (1..=u.len()).map(|place| if place == u.len() { 1.0 } else { 0.0 });
    let Some(mut tangent) = solve(matrix, along_last) else { return Ok(None) };
    let length = tangent.iter().map(|t| t * t).sum::<f64>().sqrt();
    tangent.iter_mut().for_each(|t| *t /= length);
    Ok(Some(tangent))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// u² + p² = 1: two folds, closed.
    struct Circle;

    impl Curve for Circle {
        fn scales(&self) -> Vec<f64> {
            vec![1.0, 1.0]
        }
        fn residual(&self, u: &[f64]) -> Result<Option<Vec<f64>>, AnalysisError> {
            Ok(Some(vec![u[0] * u[0] + u[1] * u[1] - 1.0]))
        }
        fn inside(&self, _u: &[f64]) -> bool {
            true
        }
    }

    #[test]
    fn a_circle_is_followed_through_both_folds_and_closed() -> Result<(), AnalysisError> {
        let branch = Continuation::default().follow(&Circle, &[1.0, 0.1], Toward::Larger)?;
        assert_eq!(branch.end, BranchEnd::Closed);
        let folds: Vec<f64> = branch.folds.iter().map(|u| u[1]).collect();
        assert!(folds.len() == 2 && (folds[0] - 1.0).abs() < 1e-10 && (folds[1] + 1.0).abs() < 1e-10, "{folds:?}");
        for u in &branch.points {
            assert!((u[0] * u[0] + u[1] * u[1] - 1.0).abs() < 1e-10);
        }
        Ok(())
    }
}
