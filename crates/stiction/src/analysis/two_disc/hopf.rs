//! Where the equilibrium changes its stability along a line: every sign change of the growth that a scan sees, as a root.

use super::eigenvalues::Linearisation;
use super::stability::{Class, Stability, SweepStability};
use super::{DiscFamily, in_parallel};
use crate::analysis::{AnalysisError, Progress};
use crate::system::two_disc::Equilibrium;

/// What happens at a crossing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrossingKind {
    /// A pair of eigenvalues crosses the imaginary axis: oscillations begin or end.
    Hopf,
    /// A real eigenvalue crosses zero.
    Divergence,
    /// The sign changes across a gap, where the centre of rotation sits on a cell and the growth is not defined.
    Gap,
}

impl CrossingKind {
    /// The name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            CrossingKind::Hopf => "hopf",
            CrossingKind::Divergence => "divergence",
            CrossingKind::Gap => "gap",
        }
    }
}

/// A change of stability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// Value of the parameter.
    pub value: f64,
    /// What happens.
    pub kind: CrossingKind,
    /// Whether stability is lost as the parameter grows.
    pub is_loss: bool,
    /// Angular frequency there [rad/s].
    pub frequency: f64,
    /// The equilibrium there.
    pub equilibrium: Option<Equilibrium>,
}

/// Stability along a line, and its changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Scan {
    /// Values of the parameter.
    pub values: Vec<f64>,
    /// Stability at each.
    pub points: Vec<Stability>,
    /// The changes, ascending.
    pub crossings: Vec<Crossing>,
}

/// Bisections of a bracket: from a step of the scan to rounding.
const HALVINGS: usize = 50;

/// Values per piece that one thread walks along.
const PIECE: usize = 64;

/// Every change of stability between the ascending `values` of a parameter.
///
/// # Errors
/// If a parameter makes no sense, or on request.
pub fn crossings(
    family: DiscFamily<'_>,
    values: &[f64],
    linearisation: Linearisation,
    progress: &dyn Progress,
) -> Result<Scan, AnalysisError> {
    let pieces: Vec<&[f64]> = values.chunks(PIECE).collect();
    let walked = in_parallel("stability along a line", &pieces, progress, |_, piece| {
        let mut walker = SweepStability::default();
        piece.iter().map(|&value| walker.next(&family(value)?, linearisation)).collect::<Result<Vec<_>, _>>()
    })?;
    let points: Vec<Stability> = walked.into_iter().flatten().collect();
    let mut found = Vec::new();
    let mut last: Option<(f64, f64)> = None;
    for (&value, point) in values.iter().zip(&points) {
        let Some(growth) = point.growth else { continue };
        if let Some((before, growth_before)) = last
            && (growth_before < 0.0) != (growth < 0.0)
        {
            found.push(locate(family, linearisation, (before, growth_before), value)?);
        }
        last = Some((value, growth));
    }
    // a growth that turns back towards zero between values may touch it there
    for window in 1..points.len().saturating_sub(1) {
        let at = |i: usize| Some((values[i], points[i].growth?));
        let (Some(a), Some(b), Some(c)) = (at(window - 1), at(window), at(window + 1)) else { continue };
        let one_sign = (a.1 < 0.0) == (b.1 < 0.0) && (b.1 < 0.0) == (c.1 < 0.0);
        if one_sign && b.1.abs() <= a.1.abs() && b.1.abs() <= c.1.abs() {
            found.extend(hidden(family, linearisation, (a, b, c))?);
        }
    }
    found.sort_by(|a, b| a.value.total_cmp(&b.value));
    Ok(Scan { values: values.to_vec(), points, crossings: found })
}

/// The change of stability between two values.
fn locate(
    family: DiscFamily<'_>,
    linearisation: Linearisation,
    (mut low, growth_low): (f64, f64),
    mut high: f64,
) -> Result<Crossing, AnalysisError> {
    let mut walker = SweepStability::default();
    let mut at_gap = false;
    let mut best: Option<Stability> = None;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        let point = walker.next(&family(middle)?, linearisation)?;
        match point.growth {
            Some(growth) if (growth < 0.0) == (growth_low < 0.0) => low = middle,
            Some(_) => high = middle,
            None => {
                // somewhere in the gap: its lower end is where the growth stops being defined
                at_gap = true;
                high = middle;
            }
        }
        if point.growth.is_some() {
            best = Some(point);
        }
        if high - low <= 1e-10 * high.abs().max(low.abs()) {
            break;
        }
    }
    let frequency = best.and_then(|point| point.frequency).unwrap_or(0.0);
    let small = best.and_then(|point| point.growth).is_some_and(|growth| growth.abs() > 1e-4);
    Ok(Crossing {
        value: 0.5 * (low + high),
        // a growth that stays away from zero on both sides jumps across a captured piece too narrow to be hit
        kind: if at_gap || small {
            CrossingKind::Gap
        } else if frequency > 1e-6 {
            CrossingKind::Hopf
        } else {
            CrossingKind::Divergence
        },
        is_loss: growth_low < 0.0,
        frequency,
        equilibrium: best.and_then(|point| point.equilibrium),
    })
}

/// Two crossings between three values whose growth has one sign and comes closest to zero at the middle one.
fn hidden(
    family: DiscFamily<'_>,
    linearisation: Linearisation,
    (a, b, c): ((f64, f64), (f64, f64), (f64, f64)),
) -> Result<Vec<Crossing>, AnalysisError> {
    let sign = b.1.signum();
    let (mut low, mut middle, mut high) = (a.0, b, c.0);
    let mut walker = SweepStability::default();
    for _ in 0..24 {
        let left = middle.0 - low > high - middle.0;
        let probe = if left { 0.5 * (low + middle.0) } else { 0.5 * (middle.0 + high) };
        let point = walker.next(&family(probe)?, linearisation)?;
        if point.class == Class::Captured {
            return Ok(Vec::new());
        }
        let Some(growth) = point.growth else { return Ok(Vec::new()) };
        if growth * sign < 0.0 {
            let first = locate(family, linearisation, a, probe)?;
            let second = locate(family, linearisation, (probe, growth), c.0)?;
            return Ok(vec![first, second]);
        }
        if growth.abs() < middle.1.abs() {
            if left {
                high = middle.0;
            } else {
                low = middle.0;
            }
            middle = (probe, growth);
        } else if left {
            low = probe;
        } else {
            high = probe;
        }
    }
    Ok(Vec::new())
}
