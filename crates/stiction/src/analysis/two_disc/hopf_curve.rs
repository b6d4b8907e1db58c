//! Curves in a plane of two parameters along which the equilibrium is on the verge of oscillating.
//!
//! Unknowns are the centre of rotation, the second parameter and the first; equations are the balance of forces and growth = 0.

use super::PlaneFamily;
use super::eigenvalues::{Linearisation, linearised};
use crate::analysis::AnalysisError;
use crate::analysis::continuation::{BranchEnd, Continuation, Curve, Toward};
use crate::system::two_disc::{ContactPlace, DiscBalance};

/// A point of a Hopf curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HopfPoint {
    /// The first parameter.
    pub x: f64,
    /// The second parameter.
    pub y: f64,
    /// The centre of rotation in the body frame \[m\].
    pub pole: [f64; 2],
    /// Angular frequency of the oscillation that begins there [rad/s].
    pub frequency: f64,
}

struct HopfCondition<'a> {
    family: PlaneFamily<'a>,
    linearisation: Linearisation,
    x: (f64, f64),
    y: (f64, f64),
}

impl HopfCondition<'_> {
    /// Growth [1/s] and frequency [rad/s] with the centre of rotation at `pole`, and the balance there.
    fn at(&self, u: &[f64]) -> Result<Option<([f64; 2], f64, f64)>, AnalysisError> {
        let &[px, py, y, x] = u else { return Ok(None) };
        let discs = (self.family)(x, y)?;
        let balance = DiscBalance::new(&discs, None)?;
        let pole = balance.own([px, py]);
        let left = balance.left(discs.normal_load, pole);
        let equilibrium = balance.equilibrium(discs.normal_load, ContactPlace::Slipping(pole));
        let spectrum = linearised(&discs, &equilibrium, None)
            .and_then(|(system, linear)| self.linearisation.spectrum(&system, &linear));
        Ok(spectrum.map(|spectrum| (left, spectrum.growth(), spectrum.frequency())))
    }
}

impl Curve for HopfCondition<'_> {
    fn scales(&self) -> Vec<f64> {
        vec![0.1, 0.1, self.y.1 - self.y.0, self.x.1 - self.x.0]
    }

    fn residual(&self, u: &[f64]) -> Result<Option<Vec<f64>>, AnalysisError> {
        if !self.inside(u) {
            return Ok(None);
        }
        Ok(self.at(u)?.map(|(left, growth, _)| vec![left[0], left[1], growth]))
    }

    fn inside(&self, u: &[f64]) -> bool {
        let &[_, _, y, x] = u else { return false };
        // differences look a little beyond the edges
        let within = |value: f64, (low, high): (f64, f64)| {
            let margin = 1e-4 * (high - low);
            value >= low - margin && value <= high + margin && value != 0.0
        };
        within(x, self.x) && within(y, self.y)
    }
}

/// The curve of Hopf points through one of them, in both directions, within the ranges of the two parameters.
///
/// # Errors
/// If a parameter makes no sense.
pub fn hopf_curve(
    family: PlaneFamily<'_>,
    start: &HopfPoint,
    (x, y): ((f64, f64), (f64, f64)),
    linearisation: Linearisation,
) -> Result<Vec<HopfPoint>, AnalysisError> {
    let verge = HopfCondition { family, linearisation, x, y };
    // the growth varies on the scale of cells once the centre of rotation is inside the face: short steps
    let continuation =
        Continuation { first_step: 2e-3, shortest_step: 1e-6, longest_step: 1e-2, max_points: 1500, tolerance: 1e-9 };
    let near = [start.pole[0], start.pole[1], start.y, start.x];
    let back = continuation.follow(&verge, &near, Toward::Smaller)?;
    let mut points = back.points;
    points.reverse();
    if back.end != BranchEnd::Closed {
        let forth = continuation.follow(&verge, &near, Toward::Larger)?;
        points.extend(forth.points.into_iter().skip(usize::from(!points.is_empty())));
    }
    let mut curve = Vec::with_capacity(points.len());
    for u in &points {
        let Some((_, _, frequency)) = verge.at(u)? else { continue };
        if let &[px, py, y, x] = u.as_slice() {
            curve.push(HopfPoint { x, y, pole: [px, py], frequency });
        }
    }
    Ok(curve)
}
