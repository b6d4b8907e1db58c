//! The return map of turning points, P(X) = next maximum: oscillations without sticking are its fixed points.
//!
//! Instead of P(X) − X the map is looked at through its *growth* per turn
//!
//! ```text
//! f(r) = ln[ (P(x_cs + r) − x_cs) / r ],     r = X − x_cs > 0
//! ```
//!
//! which is of order one at all amplitudes, also next to a Hopf bifurcation, where P(X) − X vanishes with r.

use super::{Graze, Orbits};
use crate::analysis::AnalysisError;
use crate::num::{real, roots};

/// The return map at one set of parameters: its growth on a grid of amplitudes.
#[derive(Debug, Clone)]
pub struct ReturnMap {
    /// Displacement of continuous sliding \[m\].
    pub(crate) centre: f64,
    /// Largest amplitude that returns without touching the surface \[m\].
    pub(crate) largest: f64,
    /// Amplitudes \[m\], growth f [-] and its slope [1/m].
    samples: Vec<(f64, f64, f64)>,
    /// Error of a displacement in a sample \[m\].
    error: f64,
}

/// A local extremum of the growth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extremum {
    /// Amplitude \[m\].
    pub(crate) amplitude: f64,
    /// Growth [-].
    pub(crate) growth: f64,
}

/// Growth that stands for a motion that does not return: it settles within one turn.
const SETTLES: f64 = -60.0;

/// Amplitudes as fractions of the largest one: dense at both ends, because cycles are born at the small end (Hopf) and die at
/// the large end (grazing).
fn fractions() -> impl Iterator<Item = f64> {
    const INNER: u32 = 40;
    let small = (0..6).map(|k| 1e-4 * real::pow(10.0, f64::from(k) / 2.5));
    let inner = (1..INNER).map(|k| f64::from(k) / f64::from(INNER));
    let large = (0..6).map(|k| 1.0 - 0.01 * real::pow(10.0, -f64::from(k) / 1.5));
    let mut all: Vec<f64> = small.chain(inner).chain(large).collect();
    all.sort_by(f64::total_cmp);
    all.into_iter()
}

impl ReturnMap {
    /// Samples the map; `graze` bounds the amplitudes.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub(crate) fn of(orbits: &Orbits<'_>, graze: &Graze) -> Result<Self, AnalysisError> {
        let centre = orbits.sliding_displacement();
        let bounded = graze.maximum_before.is_finite();
        // without a bound: twice what the largest forces could stretch the spring to
        let largest = if bounded { graze.maximum_before - centre } else { 4.0 * orbits.length_scale() };
        let mut samples = Vec::with_capacity(100);
        let mut error = 0.0;
        if largest > 1e-9 * orbits.length_scale() {
            // signs and brackets need fewer digits than the cycles themselves
            let orbits = &orbits.coarse();
            // a turn takes some ten steps
            error = 10.0 * orbits.solver.relative_tolerance * orbits.length_scale();
            for fraction in fractions() {
                let amplitude = largest * fraction;
                let (growth, slope) = growth(orbits, centre, amplitude)?;
                samples.push((amplitude, growth, slope));
            }
            if bounded {
                // the end of the scan is the graze orbit itself, known without another turn
                let growth = real::ln((graze.maximum_after - centre) / largest);
                samples.push((largest, growth, f64::NAN));
            }
        }
        Ok(Self { centre, largest, samples, error })
    }

    /// Whether every motion is periodic: nothing grows or shrinks, as under constant kinetic friction.
    pub(crate) fn is_neutral(&self) -> bool {
        // at small amplitudes the error of the samples, divided by the amplitude, is larger
        let neutral = |&(amplitude, growth, _): &(f64, f64, f64)| {
            amplitude < 0.1 * self.largest || growth.abs() < (self.error / amplitude).max(1e-7)
        };
        !self.samples.is_empty() && self.samples.iter().all(neutral)
    }

    /// Extrema of the growth strictly inside the range of amplitudes.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub(crate) fn extrema(&self, orbits: &Orbits<'_>) -> Result<Vec<Extremum>, AnalysisError> {
        let mut extrema = Vec::new();
        if self.is_neutral() {
            return Ok(extrema);
        }
        for pair in self.samples.windows(2) {
            let ((low, _, slope_low), (high, _, slope_high)) = (pair[0], pair[1]);
            if slope_low * slope_high < 0.0 {
                extrema.extend(self.extremum_between(orbits, low, high)?);
            }
        }
        Ok(extrema)
    }

    /// Whether a jump of the growth is a cycle that repels too strongly to be met forward (a canard): backward in time it
    /// attracts, and the turn before comes from the same place. Otherwise motions stop to come back there.
    fn repels(&self, orbits: &Orbits<'_>, amplitude: f64) -> Result<bool, AnalysisError> {
        let before = orbits.turn_before(self.centre + amplitude)?;
        Ok(before.is_some_and(|(turn, _)| {
            turn.slope.abs() < 0.1 && (turn.maximum - self.centre - amplitude).abs() < 1e-6 * amplitude
        }))
    }

    /// Whether the growth goes through zero at an amplitude. Where it only leaves zero, a continuum of undamped oscillations
    /// ends (friction whose slope underflows), and the sign before is rounding.
    fn is_isolated(&self, orbits: &Orbits<'_>, amplitude: f64) -> Result<bool, AnalysisError> {
        let (_, slope) = growth(orbits, self.centre, amplitude)?;
        Ok(slope.is_nan() || (slope * amplitude).abs() > 1e-9)
    }

    fn extremum_between(&self, orbits: &Orbits<'_>, low: f64, high: f64) -> Result<Option<Extremum>, AnalysisError> {
        let slope = |r: f64| growth(orbits, self.centre, r).map(|(_, slope)| slope);
        let Some(amplitude) = root_inside(low, high, slope)? else { return Ok(None) };
        Ok(Some(Extremum { amplitude, growth: growth(orbits, self.centre, amplitude)?.0 }))
    }

    /// Amplitudes of all cycles that never touch the surface, ascending \[m\]: zeros of the growth, also pairs of them
    /// between two samples.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub(crate) fn cycles(&self, orbits: &Orbits<'_>) -> Result<Vec<f64>, AnalysisError> {
        let mut cycles: Vec<f64> = Vec::new();
        if self.is_neutral() {
            return Ok(cycles);
        }
        let mut between = |low: (f64, f64), high: (f64, f64)| -> Result<(), AnalysisError> {
            if low.1 * high.1 < 0.0 {
                let growth_at = |r: f64| {
                    // the end of the range grazes: its growth is known, a turn from it may touch
                    if r >= self.largest {
                        Ok(high.1)
                    } else {
                        growth(orbits, self.centre, r).map(|(growth, _)| growth)
                    }
                };
                if let Some(root) = root_inside(low.0, high.0, growth_at)?
                    && (growth_at(root)?.abs() < 1e-6 && self.is_isolated(orbits, root)?
                        || self.repels(orbits, root)?)
                {
                    cycles.push(root);
                }
            }
            Ok(())
        };
        for pair in self.samples.windows(2) {
            let ((low, growth_low, slope_low), (high, growth_high, slope_high)) = (pair[0], pair[1]);
            let toward_zero =
                growth_low * growth_high > 0.0 && slope_low * growth_low < 0.0 && slope_high * growth_high > 0.0;
            match if toward_zero { self.extremum_between(orbits, low, high)? } else { None } {
                Some(middle) => {
                    between((low, growth_low), (middle.amplitude, middle.growth))?;
                    between((middle.amplitude, middle.growth), (high, growth_high))?;
                }
                None => between((low, growth_low), (high, growth_high))?,
            }
        }
        // a cycle at a sample may be found from both sides
        cycles.sort_by(f64::total_cmp);
        cycles.dedup_by(|a, b| (*a - *b).abs() < 1e-9 * self.largest);
        Ok(cycles)
    }
}

/// The root of a function whose samples at both ends had different signs. The samples are coarser than the function: if it
/// does not change its sign between them, the root is just outside, or there is none.
fn root_inside(
    low: f64,
    high: f64,
    mut function: impl FnMut(f64) -> Result<f64, AnalysisError>,
) -> Result<Option<f64>, AnalysisError> {
    for slack in [0.0, 1e-3] {
        let (low, high) = (low - slack * (high - low), high + slack * (high - low));
        match roots::try_root(low, high, &mut function) {
            Ok(root) => return Ok(Some(root)),
            Err(roots::TryRootError::Root(_)) => {}
            Err(error) => return Err(flatten(error)),
        }
    }
    Ok(None)
}

/// Growth per turn at an amplitude [-], and its slope [1/m].
pub(crate) fn growth(orbits: &Orbits<'_>, centre: f64, amplitude: f64) -> Result<(f64, f64), AnalysisError> {
    Ok(match orbits.turn(centre + amplitude)? {
        Some(turn) if turn.maximum > centre => {
            let next = turn.maximum - centre;
            (real::ln(next / amplitude), turn.slope / next - 1.0 / amplitude)
        }
        _ => (SETTLES, f64::NAN),
    })
}

/// A root search that fails either by itself or by its function.
pub(crate) fn flatten(error: roots::TryRootError<AnalysisError>) -> AnalysisError {
    match error {
        roots::TryRootError::Function(error) => error,
        roots::TryRootError::Root(error) => error.into(),
    }
}
