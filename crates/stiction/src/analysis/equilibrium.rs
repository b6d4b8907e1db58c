//! Steady sliding and rest of anything that moves.

use super::AnalysisError;
use crate::num::dense::solve;
use crate::num::eigenvalues::eigenvalues_of;
use crate::record::{Frozen, Motion, Phase};
use crate::system::Fault;
use nalgebra::{Complex, DMatrix};

/// An equilibrium.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium {
    /// The state.
    pub state: Vec<f64>,
    /// The values of all columns.
    pub columns: Vec<f64>,
    /// How each contact moves.
    pub phases: Vec<Phase>,
    /// Friction on each contact \[N\], where it is known.
    pub friction: Vec<Option<f64>>,
    /// What kind it is.
    pub kind: EquilibriumKind,
}

/// What kind of equilibrium it is.
#[derive(Debug, Clone, PartialEq)]
pub enum EquilibriumKind {
    /// Steady sliding: the eigenvalues [1/s] by falling real part, and of a pair the one with positive imaginary part first.
    Steady {
        /// The eigenvalues [1/s].
        eigenvalues: Vec<Complex<f64>>,
    },
    /// Rest: friction holds the mechanism. Each coordinate alone can be anywhere between these bounds (one pair for each
    /// coordinate and velocity, in the units of its column).
    Rest {
        /// Lower and upper bound of each coordinate and velocity.
        bounds: Vec<[f64; 2]>,
    },
}

/// Most iterations of Newton's method.
const ITERATIONS: usize = 60;

/// A Newton step of this part of the typical sizes ends the search: what is left is rounding.
const CONVERGED: f64 = 1e-14;

/// The equilibrium near a guess, or without one near the declared start or the relaxed state.
///
/// # Errors
/// There is none that Newton's method finds from there.
pub fn equilibrium(motion: &dyn Motion, guess: Option<&[f64]>) -> Result<Equilibrium, AnalysisError> {
    let (sizes, time) = motion.typical();
    let relaxed: Vec<f64> = motion.start().iter().map(|_| 0.0).collect();
    let starts = match guess {
        Some(guess) => vec![guess.to_vec()],
        None => vec![motion.start(), relaxed],
    };
    let search = Search { motion, sizes, time };
    let mut last = None;
    for start in starts {
        match search.from(start) {
            Ok(found) => return Ok(found),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| AnalysisError::question("guess", "is missing")))
}

struct Search<'a> {
    motion: &'a dyn Motion,
    sizes: Vec<f64>,
    time: f64,
}

impl Search<'_> {
    fn from(&self, mut state: Vec<f64>) -> Result<Equilibrium, AnalysisError> {
        let mut smallest = f64::INFINITY;
        let mut stalled = 0;
        for _ in 0..ITERATIONS {
            let frozen = self.motion.frozen(0.0, &state)?;
            let slopes = frozen.slopes(0.0, &state)?;
            let sticks = frozen.phases().contains(&Phase::Stick);
            let entries = self.entries();
            let residual = self.size(&slopes, &entries);
            if sticks && residual == 0.0 {
                return self.rest(state, frozen.as_ref());
            }
            let jacobian = frozen.jacobian(0.0, &state)?;
            let unknowns = self.unknowns(&jacobian, &entries);
            let step = self.newton_step(&jacobian, &slopes, &unknowns).filter(|_| !sticks || !unknowns.is_empty());
            let Some(step) = step else {
                let message = if sticks {
                    "leads to a state in which a contact sticks and is carried along: there is no equilibrium there; give `guess` with \
                     a state that slides"
                } else {
                    "leads to a state in which the equations are singular: there is no isolated equilibrium; give another `guess`"
                };
                return Err(AnalysisError::question("guess", message));
            };
            let length = step.iter().fold(0.0, |most: f64, step| most.max(step.abs()));
            for (&k, step) in unknowns.iter().zip(&step) {
                state[k] += step * self.sizes[k];
            }
            stalled = if length < smallest { 0 } else { stalled + 1 };
            smallest = smallest.min(length);
            let settled = length <= CONVERGED || (stalled > 2 && smallest < 1e-10);
            if settled {
                return self.steady(state, &unknowns);
            }
        }
        let message =
            "leads nowhere: Newton's method does not settle from there; give `guess` with a state near the equilibrium";
        Err(AnalysisError::question("guess", message))
    }

    /// Places of the coordinates and velocities in the state.
    fn entries(&self) -> Vec<usize> {
        self.motion.columns().iter().filter_map(|column| column.entry().map(|(index, _)| index)).collect()
    }

    /// Coordinates that the equations depend on: an angle that nothing depends on is no unknown.
    fn unknowns(&self, jacobian: &[f64], entries: &[usize]) -> Vec<usize> {
        let size = self.sizes.len();
        let matters = |k: usize| entries.iter().any(|&row| jacobian[row * size + k] != 0.0);
        entries.iter().copied().filter(|&k| matters(k)).collect()
    }

    fn size(&self, slopes: &[f64], entries: &[usize]) -> f64 {
        entries.iter().fold(0.0, |most: f64, &k| most.max((slopes[k] * self.time / self.sizes[k]).abs()))
    }

    /// The derivatives of the unknowns' slopes in typical sizes and times: pivots and shifts do not depend on units.
    fn reduced(&self, jacobian: &[f64], unknowns: &[usize]) -> DMatrix<f64> {
        let (size, n) = (self.sizes.len(), unknowns.len());
        DMatrix::from_fn(n, n, |i, j| {
            let (row, column) = (unknowns[i], unknowns[j]);
            jacobian[row * size + column] * (self.sizes[column] / self.sizes[row] * self.time)
        })
    }

    /// The Newton step of the unknowns in typical sizes; none if the matrix is singular.
    fn newton_step(&self, jacobian: &[f64], slopes: &[f64], unknowns: &[usize]) -> Option<Vec<f64>> {
        if unknowns.is_empty() {
            return None;
        }
        let right = unknowns.iter().map(|&k| -slopes[k] * self.time / self.sizes[k]);
        solve(self.reduced(jacobian, unknowns), right)
    }

    fn steady(&self, state: Vec<f64>, unknowns: &[usize]) -> Result<Equilibrium, AnalysisError> {
        let frozen = self.motion.frozen(0.0, &state)?;
        let jacobian = frozen.jacobian(0.0, &state)?;
        let reduced = self.reduced(&jacobian, unknowns);
        if !reduced.iter().all(|entry| entry.is_finite()) {
            let message = "leads to an equilibrium at which the equations have no derivative: it has no eigenvalues";
            return Err(AnalysisError::question("guess", message));
        }
        let mut eigenvalues = eigenvalues_of(reduced).ok_or_else(|| {
            AnalysisError::question("guess", "leads to an equilibrium whose eigenvalues do not converge")
        })?;
        eigenvalues.iter_mut().for_each(|value| *value /= self.time);
        eigenvalues.sort_by(|a, b| b.re.total_cmp(&a.re).then(b.im.total_cmp(&a.im)));
        self.made(state, frozen.as_ref(), EquilibriumKind::Steady { eigenvalues })
    }

    fn rest(&self, state: Vec<f64>, frozen: &dyn Frozen) -> Result<Equilibrium, AnalysisError> {
        let phases = frozen.phases();
        let bounds = self.motion.columns().iter().filter_map(|column| column.entry()).map(|(index, sign)| {
            let [low, high] = [-1.0, 1.0].map(|direction| sign * self.end_of_rest(&state, index, direction, &phases));
            [low.min(high), low.max(high)]
        });
        let bounds = bounds.collect();
        self.made(state, frozen, EquilibriumKind::Rest { bounds })
    }

    /// The last place at which the mechanism still rests as one entry of its state moves in a direction; the entry itself where
    /// that is no coordinate.
    fn end_of_rest(&self, state: &[f64], index: usize, direction: f64, phases: &[Phase]) -> f64 {
        let rests = |offset: f64| -> Result<bool, Fault> {
            let mut moved = state.to_vec();
            moved[index] += direction * offset;
            let frozen = self.motion.frozen(0.0, &moved)?;
            let slopes = frozen.slopes(0.0, &moved)?;
            Ok(frozen.phases() == phases && self.size(&slopes, &self.entries()) == 0.0)
        };
        let rests = |offset: f64| rests(offset).unwrap_or(false);
        let unit = self.sizes[index].abs().max(f64::MIN_POSITIVE);
        let mut inside = 0.0;
        let mut outside = 1e-9 * unit;
        while rests(outside) {
            inside = outside;
            outside *= 2.0;
            if outside > 1e12 * unit {
                return direction * f64::INFINITY;
            }
        }
        for _ in 0..200 {
            let middle = 0.5 * (inside + outside);
            if middle <= inside || middle >= outside {
                break;
            }
            if rests(middle) { inside = middle } else { outside = middle }
        }
        state[index] + direction * inside
    }

    fn made(&self, state: Vec<f64>, frozen: &dyn Frozen, kind: EquilibriumKind) -> Result<Equilibrium, AnalysisError> {
        let (columns, friction) = (frozen.columns(0.0, &state), frozen.friction(0.0, &state));
        Ok(Equilibrium { columns, phases: frozen.phases(), friction, kind, state })
    }
}
