//! Branches of oscillations without sticking, followed through folds.

use super::bifurcation::Family;
use super::return_map::growth;
use super::{Attractors, Orbits, Oscillation};
use crate::analysis::continuation::{Branch, BranchEnd, Continuation, Curve, Toward};
use crate::analysis::{AnalysisError, Budget, Cancelled, Progress};
use crate::integrate::Solver;
use crate::num::real;

/// A point on a branch of oscillations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CyclePoint {
    /// Value of the parameter.
    pub value: f64,
    /// The oscillation.
    pub oscillation: Oscillation,
}

/// A branch of oscillations, in order along the branch.
#[derive(Debug, Clone, PartialEq)]
pub struct CycleBranch {
    /// Its points.
    pub points: Vec<CyclePoint>,
    /// Values of the parameter at its folds, in order along the branch.
    pub folds: Vec<f64>,
    /// How it ends at its first and at its last point.
    pub ends: [CycleEnd; 2],
}

/// How a branch of oscillations ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CycleEnd {
    /// At the end of the range of the parameter.
    Range,
    /// The oscillation shrinks to continuous sliding (Hopf).
    Vanishes,
    /// The oscillation reaches the velocity of the surface (type 2).
    Grazes,
    /// It closes on itself.
    Closed,
    /// It was not followed further: no step converged, or it has as many points as were allowed.
    GivenUp,
}

impl CycleEnd {
    /// The words used in tables.
    pub fn name(self) -> &'static str {
        match self {
            CycleEnd::Range => "end of range",
            CycleEnd::Vanishes => "Hopf",
            CycleEnd::Grazes => "grazes",
            CycleEnd::Closed => "closed",
            CycleEnd::GivenUp => "given up",
        }
    }
}

/// Growth per turn as a function of amplitude and parameter: zero on a branch of oscillations.
struct Growth<'a> {
    family: Family<'a>,
    solver: Solver,
    budget: &'a Budget<'a>,
    range: (f64, f64),
    /// Typical amplitude \[m\].
    amplitude: f64,
    /// Typical change of the parameter.
    width: f64,
}

/// Slope of the return map beyond which a turn is followed backward: forward it would lose more than two digits.
const STEEP: f64 = 100.0;

impl Growth<'_> {
    /// Growth and its slope over the amplitude; `coarse` is enough for derivatives.
    fn at(&self, u: &[f64], coarse: bool) -> Result<Option<(f64, f64)>, AnalysisError> {
        let block = (self.family)(u[1])?;
        let orbits = Orbits::new(&block, self.solver)?.within(self.budget);
        let orbits = if coarse { orbits.coarse() } else { orbits };
        let centre = orbits.sliding_displacement();
        let forward = growth(&orbits, centre, u[0])?;
        if forward.1.is_finite() && forward.1 * u[0] < STEEP {
            return Ok(Some(forward));
        }
        // P repels too strongly to be solved; the growth in the turn before has the same roots and is flat
        let Some((turn, _)) = orbits.turn_before(centre + u[0])? else { return Ok(None) };
        let before = turn.maximum - centre;
        Ok((before > 0.0).then(|| (real::ln(u[0] / before), 1.0 / u[0] - turn.slope / before)))
    }
}

impl Curve for Growth<'_> {
    fn scales(&self) -> Vec<f64> {
        vec![self.amplitude, self.width]
    }

    fn residual(&self, u: &[f64]) -> Result<Option<Vec<f64>>, AnalysisError> {
        if !self.inside(u) {
            return Ok(None);
        }
        Ok(self.at(u, false)?.map(|(growth, _)| vec![growth]))
    }

    fn jacobian(&self, u: &[f64]) -> Result<Option<Vec<Vec<f64>>>, AnalysisError> {
        if !self.inside(u) {
            return Ok(None);
        }
        // the slope over the amplitude is known exactly; only the parameter needs a difference
        let step = 1e-5 * self.width;
        let (Some((_, slope)), Some((above, _)), Some((below, _))) =
            (self.at(u, true)?, self.at(&[u[0], u[1] + step], true)?, self.at(&[u[0], u[1] - step], true)?)
        else {
            return Ok(None);
        };
        Ok(Some(vec![vec![slope, (above - below) / (2.0 * step)]]))
    }

    fn inside(&self, u: &[f64]) -> bool {
        u[0] > SMALLEST * self.amplitude && u[1] >= self.range.0 && u[1] <= self.range.1
    }
}

/// Smallest amplitude that is followed, as a fraction of the largest one of the branch.
const SMALLEST: f64 = 2e-3;

/// Points of a branch that cost as much as one set of attractors.
const POINTS_PER_ITEM: usize = 50;

/// Follows every branch of oscillations that passes one of the `known` attractors (value of the parameter, attractors).
///
/// # Errors
/// If a block cannot be made or its equations cannot be solved, or on request.
pub fn cycle_branches(
    family: Family<'_>,
    known: &[(f64, &Attractors)],
    settings: Continuation,
    solver: Solver,
    progress: &dyn Progress,
) -> Result<Vec<CycleBranch>, AnalysisError> {
    let values = || known.iter().map(|(value, _)| *value);
    let range = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let amplitude_of = |a: &Attractors, o: &Oscillation| o.max_displacement - a.sliding.displacement;
    let amplitude =
        known.iter().flat_map(|(_, a)| a.oscillations.iter().map(|o| amplitude_of(a, o))).fold(0.0, f64::max);
    let items = known.len().saturating_add(settings.max_points / POINTS_PER_ITEM);
    let budget = &Budget::of(items, progress);
    let curve = Growth { family, solver, budget, range, amplitude, width: range.1 - range.0 };
    let rough_settings = Continuation { first_step: 0.02, longest_step: 0.1, tolerance: 1e-6, ..settings };
    let mut branches: Vec<CycleBranch> = Vec::new();
    progress.begin("branches of oscillations", known.len() as u64);
    for (value, attractors) in known {
        for oscillation in &attractors.oscillations {
            if progress.cancelled() {
                return Err(Cancelled.into());
            }
            let seed = [amplitude_of(attractors, oscillation), *value];
            if !curve.inside(&seed) || branches.iter().any(|branch| passes(branch, *value, oscillation, amplitude)) {
                continue;
            }
            // once roughly to learn how large the branch is, then in steps of its own size
            let (rough, _) = curve.both_ways(&rough_settings, &seed)?;
            let own = curve.scaled_to(&rough);
            let (branch, first_end) = own.both_ways(&settings, &seed)?;
            branches.push(own.branch(&branch, first_end)?);
        }
        progress.advance(1);
    }
    Ok(branches)
}

impl Growth<'_> {
    /// Follows the branch through `seed` in both directions; also tells how its first end was reached.
    fn both_ways(&self, settings: &Continuation, seed: &[f64]) -> Result<(Branch, BranchEnd), AnalysisError> {
        let mut back = settings.follow(self, seed, Toward::Smaller)?;
        if back.end == BranchEnd::Closed {
            return Ok((back, BranchEnd::Closed));
        }
        let forth = settings.follow(self, seed, Toward::Larger)?;
        back.points.reverse();
        back.folds.reverse();
        let first_end = back.end;
        back.points.extend(forth.points.into_iter().skip(1));
        back.folds.extend(forth.folds);
        back.end = forth.end;
        Ok((back, first_end))
    }

    /// The same with the scales of one branch.
    fn scaled_to(&self, branch: &Branch) -> Self {
        let of = |i: usize| branch.points.iter().map(move |u| u[i]);
        let amplitude = of(0).fold(0.0, f64::max);
        let width = of(1).fold(f64::NEG_INFINITY, f64::max) - of(1).fold(f64::INFINITY, f64::min);
        let known = branch.points.len() > 1 && amplitude > 0.0 && width > 0.0;
        Self {
            amplitude: if known { amplitude } else { self.amplitude },
            width: if known { width } else { self.width },
            ..*self
        }
    }

    fn branch(&self, branch: &Branch, first_end: BranchEnd) -> Result<CycleBranch, AnalysisError> {
        let mut points = Vec::with_capacity(branch.points.len());
        for u in &branch.points {
            let block = (self.family)(u[1])?;
            let orbits = Orbits::new(&block, self.solver)?.within(self.budget);
            let oscillation = orbits.oscillation(orbits.sliding_displacement() + u[0])?;
            points.extend(oscillation.map(|oscillation| CyclePoint { value: u[1], oscillation }));
        }
        let folds = branch.folds.iter().map(|u| u[1]).collect();
        let ends = [self.end(first_end, points.first())?, self.end(branch.end, points.last())?];
        Ok(CycleBranch { points, folds, ends })
    }

    /// How a branch ends that was followed to this point.
    fn end(&self, end: BranchEnd, point: Option<&CyclePoint>) -> Result<CycleEnd, AnalysisError> {
        // the last steps are a ten-millionth of the branch: what it ends at is as near as that, up to its bends
        const NEAR: f64 = 1e-4;
        let Some(CyclePoint { value, oscillation }) = point else { return Ok(CycleEnd::GivenUp) };
        let (low, high) = self.range;
        let drive = (self.family)(*value)?.drive_speed;
        let amplitude = 0.5 * (oscillation.max_displacement - oscillation.min_displacement);
        Ok(if end == BranchEnd::Closed {
            CycleEnd::Closed
        } else if (value - low).min(high - value) <= NEAR * (high - low) {
            CycleEnd::Range
        } else if amplitude <= 2.0 * SMALLEST * self.amplitude {
            CycleEnd::Vanishes
        } else if drive - oscillation.fastest <= NEAR * drive {
            CycleEnd::Grazes
        } else {
            CycleEnd::GivenUp
        })
    }
}

/// Whether a branch passes an oscillation at this value, to the accuracy of linear interpolation between its points.
fn passes(branch: &CycleBranch, value: f64, oscillation: &Oscillation, amplitude: f64) -> bool {
    branch.points.windows(2).any(|pair| {
        let (a, b) = (&pair[0], &pair[1]);
        if (a.value - value) * (b.value - value) > 0.0 {
            return false;
        }
        let share = if a.value == b.value { 0.5 } else { (value - a.value) / (b.value - a.value) };
        let between =
            a.oscillation.max_displacement + share * (b.oscillation.max_displacement - a.oscillation.max_displacement);
        let slack = 0.02 * amplitude + 0.5 * (b.oscillation.max_displacement - a.oscillation.max_displacement).abs();
        (between - oscillation.max_displacement).abs() < slack
            && (a.oscillation.stable == oscillation.stable || b.oscillation.stable == oscillation.stable)
    })
}
