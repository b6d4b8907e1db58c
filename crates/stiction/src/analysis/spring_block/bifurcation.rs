//! Where attractors are born and die against a parameter: each bifurcation value from its own function.
//!
//! | kind | root of |
//! |---|---|
//! | Hopf | F_K′(v₀) |
//! | type 1 | the excess of the slip from the static limit over v₀ when it comes back: it grazes, and stick-slip motion ends |
//! | type 2 | (maximum after the graze) − (maximum before it): an oscillation grazes |
//! | fold | the extremum over amplitudes of the growth per turn: two oscillations meet |
//! | overshoot | κ x_c + F_S(0) at the first contact after a release (F_S(0) or the limit of the contact policy) |
//! | through | κ x − F_S(0) at the contact from above that follows an overshoot |
//!
//! A scan over the parameter only brackets the roots.
//!
//! At a type 1 value the graze orbit comes exactly from the static limit: stick-slip motion meets the special boundary. Where
//! static and kinetic force are equal at rest (μ(0) = μ_s, every Stribeck law) the release *is* the graze orbit, and there is no
//! room for a boundary: the values of type 1 and type 2 coincide, as they do in the limit F_S → F_K(0).

use super::attractors::{Attractors, with_map};
use super::return_map::{flatten, growth};
use super::{Extremum, Graze, GrazeCase, Orbits, Release, ReturnMap};
use crate::analysis::{AnalysisError, Budget, Cancelled, Progress};
use crate::integrate::Solver;
use crate::num::roots;
use crate::system::SpringBlock;
use crate::system::spring_block::Mode;
use rayon::prelude::*;

/// Makes the block that belongs to a value of the parameter.
pub type Family<'a> = &'a (dyn Fn(f64) -> Result<SpringBlock, AnalysisError> + Sync);

/// The kinds of bifurcation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BifurcationKind {
    /// Continuous sliding changes its stability.
    Hopf,
    /// Stick-slip motion annihilates with the special stick-slip boundary, or with an oscillation that grazes where
    /// static and kinetic force are equal at rest.
    Type1,
    /// The special boundary is replaced by, or annihilates with, an oscillation that grazes.
    Type2,
    /// A stable and an unstable oscillation meet.
    Fold,
    /// The first contact after a release is just at the lower limit of sticking.
    Overshoot,
    /// Stick-slip motion turns into a motion that passes through without sticking, or back.
    Through,
}

impl BifurcationKind {
    /// All kinds, in the order in which they are reported.
    pub const ALL: [BifurcationKind; 6] = [
        BifurcationKind::Hopf,
        BifurcationKind::Type1,
        BifurcationKind::Type2,
        BifurcationKind::Fold,
        BifurcationKind::Overshoot,
        BifurcationKind::Through,
    ];

    /// The name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            BifurcationKind::Hopf => "Hopf",
            BifurcationKind::Type1 => "type 1",
            BifurcationKind::Type2 => "type 2",
            BifurcationKind::Fold => "fold",
            BifurcationKind::Overshoot => "overshoot",
            BifurcationKind::Through => "through",
        }
    }
}

/// A located bifurcation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bifurcation {
    /// Its kind.
    pub kind: BifurcationKind,
    /// Value of the parameter.
    pub value: f64,
    /// Largest displacement of the motion concerned \[m\].
    pub max_displacement: f64,
}

/// Attractors at one value of the parameter, and the functions whose roots are bifurcations.
#[derive(Debug, Clone)]
pub struct Point {
    /// Value of the parameter.
    pub value: f64,
    /// The attractors and the unstable states between them.
    pub attractors: Attractors,
    /// The functions whose roots are bifurcations.
    pub signs: Signs,
}

/// The functions whose roots are bifurcations, at one value of the parameter: to a few digits, because only their signs
/// count. [`locate`] finds the roots to the last digit.
#[derive(Debug, Clone, PartialEq)]
pub struct Signs {
    /// Value of the parameter.
    pub(crate) value: f64,
    /// Extrema of the growth per turn.
    pub(crate) extrema: Vec<Extremum>,
    indicators: [Option<f64>; 5],
}

impl AsRef<Signs> for Signs {
    fn as_ref(&self) -> &Signs {
        self
    }
}

impl AsRef<Signs> for Point {
    fn as_ref(&self) -> &Signs {
        &self.signs
    }
}

/// The kinds that are roots of a function of the parameter alone, in the order of [`Signs::indicators`].
const SCALAR: [BifurcationKind; 5] = [
    BifurcationKind::Hopf,
    BifurcationKind::Type1,
    BifurcationKind::Type2,
    BifurcationKind::Overshoot,
    BifurcationKind::Through,
];

/// Attractors on a grid of values.
///
/// # Errors
/// If a block cannot be made or its equations cannot be solved, or on request.
pub fn scan(
    family: Family<'_>,
    values: &[f64],
    solver: Solver,
    progress: &dyn Progress,
) -> Result<Vec<Point>, AnalysisError> {
    let budget = Budget::of(values.len(), progress);
    in_parallel("attractors", values, progress, |&value| point(family, value, solver, &budget))
}

/// The same work on many items, in parallel, with results in the order of the items.
fn in_parallel<I: Sync, R: Send>(
    what: &str,
    items: &[I],
    progress: &dyn Progress,
    work: impl Fn(&I) -> Result<R, AnalysisError> + Sync,
) -> Result<Vec<R>, AnalysisError> {
    progress.begin(what, items.len() as u64);
    items
        .par_iter()
        .map(|item| {
            if progress.cancelled() {
                return Err(Cancelled.into());
            }
            let result = work(item)?;
            progress.advance(1);
            Ok(result)
        })
        .collect()
}

fn point(family: Family<'_>, value: f64, solver: Solver, budget: &Budget<'_>) -> Result<Point, AnalysisError> {
    let block = family(value)?;
    let orbits = Orbits::without_aging(&block, solver)?.within(budget);
    let graze = orbits.graze()?;
    let map = ReturnMap::of(&orbits, &graze)?;
    let attractors = with_map(&orbits, graze, &map)?;
    let signs =
        Signs::of(&orbits, value, &map, &Known { graze, release: attractors.release, neutral: map.is_neutral() })?;
    Ok(Point { value, attractors, signs })
}

/// What decides bifurcations on a grid of values, without the attractors themselves: much faster than [`scan`].
///
/// # Errors
/// If a block cannot be made or its equations cannot be solved, or on request.
pub fn signs(
    family: Family<'_>,
    values: &[f64],
    solver: Solver,
    progress: &dyn Progress,
) -> Result<Vec<Signs>, AnalysisError> {
    // seven digits tell a sign; a root so close to a grid value that they do not is found just outside its bracket
    let rough = Solver {
        relative_tolerance: solver.relative_tolerance.max(1e-7),
        absolute_tolerance: solver.absolute_tolerance.max(1e-8),
        ..solver
    };
    let budget = Budget::of(values.len(), progress);
    in_parallel("brackets", values, progress, |&value| {
        let block = family(value)?;
        let orbits = Orbits::without_aging(&block, rough)?.within(&budget);
        let (graze, release) = (orbits.graze()?, orbits.release()?);
        let map = ReturnMap::of(&orbits, &graze)?;
        Signs::of(&orbits, value, &map, &Known { graze, release, neutral: map.is_neutral() })
    })
}

/// What is known of the orbits at one value.
struct Known {
    graze: Graze,
    release: Release,
    /// Whether nothing grows or shrinks: the graze orbit then closes, and comparing it with itself tells only rounding.
    neutral: bool,
}

impl Signs {
    fn of(orbits: &Orbits<'_>, value: f64, map: &ReturnMap, known: &Known) -> Result<Self, AnalysisError> {
        let extrema = map.extrema(&orbits.coarse())?;
        let mut indicators = [None; 5];
        for (indicator, kind) in indicators.iter_mut().zip(SCALAR) {
            *indicator = self::indicator(orbits, kind, Some(known))?;
        }
        Ok(Self { value, extrema, indicators })
    }
}

/// The function whose root is a bifurcation of this kind; none where it is not defined. All but the slope of friction are
/// fractions. What is `known` of the orbits is not computed again.
fn indicator(orbits: &Orbits<'_>, kind: BifurcationKind, known: Option<&Known>) -> Result<Option<f64>, AnalysisError> {
    let block = orbits.block;
    let graze = || known.map_or_else(|| orbits.graze(), |known| Ok(known.graze));
    let limit = block.contact_limit();
    Ok(match kind {
        BifurcationKind::Hopf => Some(block.kinetic_force_derivatives(block.drive_speed)[1]),
        BifurcationKind::Type1 => Some(match known {
            Some(Known { release, .. }) => orbits.excess_of(release.first_contact, release.graze_margin),
            None => orbits.excess()?,
        }),
        BifurcationKind::Type2 if known.is_some_and(|known| known.neutral) => None,
        BifurcationKind::Type2 => {
            let graze = graze()?;
            let difference = graze.maximum_after - graze.maximum_before;
            let sum = graze.maximum_after.abs() + graze.maximum_before.abs();
            let far = if graze.case == GrazeCase::Inward { 1.0 } else { -1.0 };
            Some(if sum.is_finite() { difference / sum } else { far })
        }
        BifurcationKind::Overshoot => {
            let contact = match known {
                Some(known) => known.release.first_contact,
                None => orbits.first_contact()?,
            };
            // where there is no contact: its limit, the graze point
            Some(block.stiffness * contact.unwrap_or(orbits.graze_displacement()) / limit + 1.0)
        }
        BifurcationKind::Through => {
            let release = known.map_or_else(|| orbits.release(), |known| Ok(known.release))?;
            release.contact_from_above.map(|x| block.stiffness * x / limit - 1.0)
        }
        BifurcationKind::Fold => None,
    })
}

/// Whether an indicator has a sign that is more than rounding. A slope of friction is zero where it vanishes or underflows, as
/// that of Coulomb's law or far above the speed of a steep Stribeck law: sliding is neutral there, and nothing bifurcates.
fn is_decided(kind: BifurcationKind, value: f64) -> bool {
    // a hundred times the accuracy of a slip
    const FLOOR: f64 = 1e-10;
    if kind == BifurcationKind::Hopf { value != 0.0 } else { value.abs() > FLOOR }
}

/// Pairs of places between which a function changes its sign, given its values at all places. A single place at which the sign
/// is not decided is skipped, because a root may lie on it; over several of them there is no sign to speak of.
fn sign_changes(kind: BifurcationKind, indicators: &[Option<f64>]) -> Vec<(usize, usize)> {
    let decided: Vec<(usize, f64)> = indicators
        .iter()
        .enumerate()
        .filter_map(|(place, indicator)| Some((place, indicator.filter(|value| is_decided(kind, *value))?)))
        .collect();
    decided
        .windows(2)
        .filter(|pair| pair[1].0 - pair[0].0 <= 2 && pair[0].1 * pair[1].1 < 0.0)
        .map(|pair| (pair[0].0, pair[1].0))
        .collect()
}

/// Locates every bifurcation that the scan brackets, by kind and ascending value.
///
/// # Errors
/// If a block cannot be made or its equations cannot be solved, or on request.
pub fn locate<P: AsRef<Signs>>(
    family: Family<'_>,
    points: &[P],
    solver: Solver,
    progress: &dyn Progress,
) -> Result<Vec<Bifurcation>, AnalysisError> {
    let mut brackets = Vec::new();
    for (index, kind) in SCALAR.into_iter().enumerate() {
        let indicators: Vec<Option<f64>> = points.iter().map(|point| point.as_ref().indicators[index]).collect();
        for (low, high) in sign_changes(kind, &indicators) {
            let (low, high) = (points[low].as_ref().value, points[high].as_ref().value);
            brackets.push(Bracket { kind, low, high, extremum: None });
        }
    }
    for pair in points.windows(2) {
        let pair = [pair[0].as_ref(), pair[1].as_ref()];
        for (a, b) in matched_extrema(pair[0], pair[1]) {
            // extremes that are both rounding belong to motions that neither grow nor shrink
            if a.growth * b.growth < 0.0 && a.growth.abs().max(b.growth.abs()) > 1e-8 {
                let extremum = Some((a.amplitude, b.amplitude));
                brackets.push(Bracket {
                    kind: BifurcationKind::Fold,
                    low: pair[0].value,
                    high: pair[1].value,
                    extremum,
                });
            }
        }
    }
    let budget = Budget::of(brackets.len(), progress);
    let found =
        in_parallel("bifurcation values", &brackets, progress, |bracket| bracket.locate(family, solver, &budget))?;
    let mut located: Vec<Bifurcation> = found.into_iter().flatten().collect();
    let order = |kind: BifurcationKind| BifurcationKind::ALL.iter().position(|&k| k == kind);
    located.sort_by(|a, b| order(a.kind).cmp(&order(b.kind)).then(a.value.total_cmp(&b.value)));
    located.dedup_by(|a, b| a.kind == b.kind && (a.value - b.value).abs() <= 1e-10 * b.value.abs());
    Ok(located)
}

/// Bifurcations of one kind only, by ascending value; folds need [`scan`].
///
/// # Errors
/// If a block cannot be made or its equations cannot be solved, or on request.
pub fn locate_kind(
    family: Family<'_>,
    values: &[f64],
    kind: BifurcationKind,
    solver: Solver,
    progress: &dyn Progress,
) -> Result<Vec<Bifurcation>, AnalysisError> {
    let budget = Budget::of(values.len(), progress);
    let indicators = in_parallel(kind.name(), values, progress, |&value| {
        let block = family(value)?;
        indicator(&Orbits::without_aging(&block, solver)?.within(&budget), kind, None)
    })?;
    let mut located = Vec::new();
    for (low, high) in sign_changes(kind, &indicators) {
        let bracket = Bracket { kind, low: values[low], high: values[high], extremum: None };
        located.extend(bracket.locate(family, solver, &budget)?);
    }
    Ok(located)
}

/// Pairs of extrema of neighbouring points that are the same extremum: nearest in relative amplitude.
fn matched_extrema(a: &Signs, b: &Signs) -> Vec<(Extremum, Extremum)> {
    let near = |x: &Extremum, y: &Extremum| (x.amplitude - y.amplitude).abs() / (x.amplitude + y.amplitude);
    a.extrema
        .iter()
        .filter_map(|first| {
            let second = b.extrema.iter().min_by(|x, y| near(first, x).total_cmp(&near(first, y)))?;
            let back = a.extrema.iter().min_by(|x, y| near(second, x).total_cmp(&near(second, y)))?;
            (back == first && near(first, second) < 0.2).then_some((*first, *second))
        })
        .collect()
}

/// The solver with which roots are located: where an indicator varies slowly with the parameter, or is the small difference of
/// large displacements, its errors are many times larger in the root.
fn refined(solver: Solver) -> Solver {
    // below 1e-14 rounding would be taken for error
    let finer = |tolerance: f64| tolerance.min((1e-2 * tolerance).max(1e-14));
    Solver {
        relative_tolerance: finer(solver.relative_tolerance),
        absolute_tolerance: finer(solver.absolute_tolerance),
        ..solver
    }
}

/// A root of this kind lies between two values of the parameter.
struct Bracket {
    kind: BifurcationKind,
    low: f64,
    high: f64,
    /// Amplitudes of the extremum at both ends, for a fold.
    extremum: Option<(f64, f64)>,
}

impl Bracket {
    fn locate(
        &self,
        family: Family<'_>,
        solver: Solver,
        budget: &Budget<'_>,
    ) -> Result<Option<Bifurcation>, AnalysisError> {
        let solver = refined(solver);
        let value = match self.extremum {
            Some(amplitudes) => self.fold((family, solver, budget), amplitudes)?,
            None => {
                let function = |value: f64| {
                    let block = family(value)?;
                    // an indicator that is not defined between two values where it is counts as far away
                    Ok(indicator(&Orbits::new(&block, solver)?.within(budget), self.kind, None)?.unwrap_or(f64::MAX))
                };
                self.scalar(function)?
            }
        };
        let Some(value) = value else { return Ok(None) };
        let block = family(value)?;
        let orbits = Orbits::new(&block, solver)?.within(budget);
        let max_displacement = self.max_displacement(&orbits)?;
        Ok(Some(Bifurcation { kind: self.kind, value, max_displacement }))
    }

    /// The root of a function of the parameter alone. The bracket may come from fewer digits: a root just outside it counts.
    /// A jump from one sign to the other is not a root, except of the excess, whose sign alone says whether a slip touches: it
    /// jumps where a light block turns away from the surface within the last digit of the parameter.
    fn scalar(
        &self,
        mut function: impl FnMut(f64) -> Result<f64, AnalysisError>,
    ) -> Result<Option<f64>, AnalysisError> {
        let width = self.high - self.low;
        for slack in [0.0, 1e-3] {
            let (low, high) = (self.low - slack * width, self.high + slack * width);
            let ends = (function(low)?, function(high)?);
            if !is_decided(self.kind, ends.0) && !is_decided(self.kind, ends.1) {
                return Ok(None);
            }
            match roots::try_root_between((low, ends.0), (high, ends.1), &mut function) {
                Ok(root) => {
                    // an end without a sign has the root itself, or only rounding next to it
                    let far =
                        |(end, value): (f64, f64)| !is_decided(self.kind, value) && (root - end).abs() > 1e-3 * width;
                    if far((low, ends.0)) || far((high, ends.1)) {
                        return Ok(None);
                    }
                    let continuous = function(root)?.abs() <= 1e-3 * (ends.0.abs() + ends.1.abs());
                    return Ok((continuous || self.kind == BifurcationKind::Type1).then_some(root));
                }
                Err(roots::TryRootError::Root(_)) => {}
                Err(error) => return Err(flatten(error)),
            }
        }
        Ok(None)
    }

    /// The value at which the extremum of the growth is zero.
    fn fold(
        &self,
        (family, solver, budget): (Family<'_>, Solver, &Budget<'_>),
        (low, high): (f64, f64),
    ) -> Result<Option<f64>, AnalysisError> {
        let extreme_growth = |value: f64| {
            let share = (value - self.low) / (self.high - self.low);
            let guess = low + share * (high - low);
            let block = family(value)?;
            let orbits = Orbits::new(&block, solver)?.within(budget);
            Ok(extremum_near(&orbits, guess)?.map_or(f64::NAN, |extremum| extremum.growth))
        };
        match roots::try_root(self.low, self.high, extreme_growth) {
            Ok(value) => Ok(Some(value)),
            // the extremum is lost on the way: not a fold of oscillations
            Err(roots::TryRootError::Root(_)) => Ok(None),
            Err(error) => Err(flatten(error)),
        }
    }

    /// Largest displacement of the motion that bifurcates.
    fn max_displacement(&self, orbits: &Orbits<'_>) -> Result<f64, AnalysisError> {
        Ok(match self.kind {
            BifurcationKind::Hopf => orbits.sliding_displacement(),
            BifurcationKind::Type2 => orbits.graze()?.maximum_after,
            BifurcationKind::Fold => {
                let (low, high) = self.extremum.unwrap_or_default();
                let amplitude =
                    extremum_near(orbits, 0.5 * (low + high))?.map_or(f64::NAN, |extremum| extremum.amplitude);
                orbits.sliding_displacement() + amplitude
            }
            BifurcationKind::Type1 | BifurcationKind::Overshoot | BifurcationKind::Through => {
                orbits.path(Mode::SlipBelow, orbits.release_displacement(), orbits.drive(), 2)?.max_displacement
            }
        })
    }
}

/// The extremum of the growth nearest to an amplitude, looked for in a widening bracket.
pub(crate) fn extremum_near(orbits: &Orbits<'_>, guess: f64) -> Result<Option<Extremum>, AnalysisError> {
    let centre = orbits.sliding_displacement();
    let slope = |amplitude: f64| growth(orbits, centre, amplitude).map(|(_, slope)| slope);
    for width in [0.01, 0.03, 0.1, 0.2, 0.35] {
        let (low, high) = (guess * (1.0 - width), guess * (1.0 + width));
        let (slope_low, slope_high) = (slope(low)?, slope(high)?);
        if slope_low * slope_high < 0.0 {
            let root = roots::try_root_between((low, slope_low), (high, slope_high), slope).map_err(flatten)?;
            return Ok(Some(Extremum { amplitude: root, growth: growth(orbits, centre, root)?.0 }));
        }
    }
    Ok(None)
}
