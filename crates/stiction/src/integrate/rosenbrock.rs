//! Linearly implicit methods of Rosenbrock type for stiff systems: one factorisation per step, no iteration.
//!
//! Kinks of the right-hand side cost a rejected step, never a failed solve. The methods are L-stable and stiffly accurate:
//! rates far beyond 1/h are damped as if they were infinite. See [`Tableau`] for the formulas.

use super::control::Control;
use super::rosenbrock_tableau::{MAX_STAGES, Tableau};
use super::{Method, Tolerance};
use crate::num::lanes::widely;
use crate::num::real;
use crate::system::{Coords, Fault, Stiff};

/// Factors by which a step may shrink and grow.
const GROWTH: (f64, f64) = (0.1, 5.0);

/// The method and its workspace. The dense output is that of the tableau.
#[derive(Debug, Clone)]
pub struct Rosenbrock<S: Stiff> {
    tableau: &'static Tableau,
    control: Control<S::State>,
    start: S::State,
    end: S::State,
    slope: S::State,
    time_slope: S::State,
    linear: S::Linear,
    /// Whether `slope` and `linear` belong to `start`.
    is_linearised: bool,
    /// Whether the last step could be solved.
    is_regular: bool,
    stages: [S::State; MAX_STAGES],
    trial_stages: [S::State; MAX_STAGES],
    argument: S::State,
    gathered: S::State,
    evaluations: u64,
}

impl<S: Stiff> Rosenbrock<S> {
    /// A method for `system` with the given tolerances and no limit of the step.
    pub fn new(system: &S, tableau: &'static Tableau, tolerance: Tolerance) -> Self {
        let zero = || system.start().1;
        Self {
            tableau,
            control: Control::new(system, tolerance),
            start: zero(),
            end: zero(),
            slope: zero(),
            time_slope: zero(),
            linear: system.new_linear(),
            is_linearised: false,
            is_regular: true,
            stages: std::array::from_fn(|_| zero()),
            trial_stages: std::array::from_fn(|_| zero()),
            argument: zero(),
            gathered: zero(),
            evaluations: 0,
        }
    }

    /// The same with a longest step \[s\].
    #[must_use]
    pub(crate) fn with_longest_step(mut self, longest_step: f64) -> Self {
        self.control.longest_step = longest_step;
        self
    }

    /// The derivative at the start of the step, made once however often the step is tried.
    fn linearise(&mut self, system: &S, mode: S::Mode, t: f64) -> Result<(), Fault> {
        if !self.is_linearised {
            system.linearise(mode, t, &self.start, &mut self.linear, &mut self.slope, &mut self.time_slope)?;
            self.is_linearised = true;
            self.evaluations += 1;
        }
        Ok(())
    }

    /// Stages of a step of length `h`; leaves the argument of the last one in `argument`. Returns whether all could be
    /// solved.
    fn stages(&mut self, system: &S, mode: S::Mode, t: f64, h: f64) -> Result<bool, Fault> {
        self.linearise(system, mode, t)?;
        let tableau = self.tableau;
        if !system.factorise(1.0 / (tableau.gamma * h), &mut self.linear) {
            return Ok(false);
        }
        let inverse_step = 1.0 / h;
        for stage in 0..tableau.stages {
            let (done, rest) = self.stages.split_at_mut(stage);
            let Some(current) = rest.first_mut() else { return Ok(false) };
            if stage == 0 {
                current.clone_from(&self.slope);
            } else {
                let feedback = tableau.feedback[stage].map(|c| c * inverse_step);
                let weights = (&tableau.arguments[stage], &feedback);
                gather(weights, &self.start, done, &mut self.argument, &mut self.gathered);
                self.evaluations += 1;
                system.rhs(mode, t + tableau.nodes[stage] * h, &self.argument, current)?;
                widely(
                    #[inline(always)]
                    || {
                        for (current, gathered) in current.as_mut_slice().iter_mut().zip(self.gathered.as_slice()) {
                            *current += gathered;
                        }
                    },
                );
            }
            if !system.is_autonomous() && tableau.time[stage] != 0.0 {
                let factor = h * tableau.time[stage];
                for (current, time_slope) in current.as_mut_slice().iter_mut().zip(self.time_slope.as_slice()) {
                    *current += factor * time_slope;
                }
            }
            system.solve(&self.linear, current);
        }
        Ok(true)
    }

    fn last_stage(&self) -> &S::State {
        &self.stages[self.tableau.stages - 1]
    }

    /// Size of a change from `start` to `end` divided by the tolerance there.
    fn size(&self, system: &S, start: &S::State, end: &S::State, change: &S::State) -> f64 {
        let Tolerance { relative, absolute } = self.control.tolerance;
        system.error_size((relative, absolute), &self.control.typical, start, end, change)
    }
}

/// `argument` = start + Σ a U and `gathered` = Σ c U in one pass over the stages that are done.
fn gather<Y: Coords>(
    (arguments, feedback): (&[f64; MAX_STAGES], &[f64; MAX_STAGES]),
    start: &Y,
    done: &[Y],
    argument: &mut Y,
    gathered: &mut Y,
) {
    let (start, argument, gathered) = (start.as_slice(), argument.as_mut_slice(), gathered.as_mut_slice());
    macro_rules! by_count {
        ($($count:literal)*) => {
            match done.len() {
                $($count => widely(
                    #[inline(always)]
                    || gather_fixed::<Y, $count>(arguments, feedback, start, done, argument, gathered),
                ),)*
                _ => {}
            }
        };
    }
    by_count!(1 2 3 4 5 6 7);
}

#[inline(always)]
fn gather_fixed<Y: Coords, const K: usize>(
    arguments: &[f64; MAX_STAGES],
    feedback: &[f64; MAX_STAGES],
    start: &[f64],
    done: &[Y],
    argument: &mut [f64],
    gathered: &mut [f64],
) {
    let size = start.len().min(argument.len()).min(gathered.len());
    let columns: [&[f64]; K] = std::array::from_fn(|j| done.get(j).map_or(&[][..], |stage| stage.as_slice()));
    let size = columns.iter().fold(size, |size, column| size.min(column.len()));
    let columns = columns.map(|column| &column[..size]);
    let (start, argument, gathered) = (&start[..size], &mut argument[..size], &mut gathered[..size]);
    for i in 0..size {
        let (mut x, mut y) = (start[i], 0.0);
        for j in 0..K {
            x += arguments[j] * columns[j][i];
            y += feedback[j] * columns[j][i];
        }
        argument[i] = x;
        gathered[i] = y;
    }
}

/// `out` = a + b
fn add<Y: Coords>(a: &Y, b: &Y, out: &mut Y) {
    let (a, b, out) = (a.as_slice(), b.as_slice(), out.as_mut_slice());
    widely(
        #[inline(always)]
        || {
            for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
                *out = a + b;
            }
        },
    );
}

impl<S: Stiff> Method<S> for Rosenbrock<S> {
    fn restart(&mut self, system: &S, mode: S::Mode, t: f64, y: &S::State, longest: f64) -> Result<f64, Fault> {
        self.start.clone_from(y);
        self.is_linearised = false;
        self.control.restart();
        self.linearise(system, mode, t)?;
        // where the motion so far, and its slope, would just be seen by the tolerance
        let size = self.size(system, y, y, &self.slope);
        let longest = longest.min(self.control.longest_step);
        let relative = self.control.tolerance.relative;
        let root = real::pow(relative, 1.0 / f64::from(self.tableau.order));
        let guess = if size > 0.0 { root / (size * relative) } else { longest };
        let guess = guess.max(1e-10 * longest).min(longest);
        Ok(if guess.is_finite() && guess > 0.0 { guess } else { 1e-10 * longest })
    }

    fn attempt(&mut self, system: &S, mode: S::Mode, t: f64, h: f64) -> Result<f64, Fault> {
        self.is_regular = self.stages(system, mode, t, h)?;
        if !self.is_regular {
            return Ok(f64::INFINITY);
        }
        add(&self.argument, &self.stages[self.tableau.stages - 1], &mut self.end);
        Ok(self.size(system, &self.start, &self.end, self.last_stage()))
    }

    fn next_step(&mut self, h: f64, error: f64) -> f64 {
        // PI control in the units of the estimate's order
        let order = f64::from(self.tableau.order);
        self.control.next_step(h, error, GROWTH, |error, last| match last {
            Some(last) => real::pow(error, -0.7 / order) * real::pow(last, 0.4 / order),
            None => real::pow(error, -1.0 / order),
        })
    }

    fn prepare_dense(&mut self, _system: &S, _mode: S::Mode, _t: f64, _h: f64) -> Result<(), Fault> {
        Ok(())
    }

    fn at(&self, theta: f64, y: &mut S::State) {
        let [first, second, third] = &self.tableau.dense;
        let weights: [f64; MAX_STAGES] =
            std::array::from_fn(|j| theta * (1.0 - theta) * (first[j] + theta * (second[j] + theta * third[j])));
        let (start, end, y) = (self.start.as_slice(), self.end.as_slice(), y.as_mut_slice());
        let used = &self.stages[..self.tableau.stages];
        widely(
            #[inline(always)]
            || {
                for (y, (start, end)) in y.iter_mut().zip(start.iter().zip(end)) {
                    *y = (1.0 - theta) * start + theta * end;
                }
                for (stage, weight) in used.iter().zip(weights).filter(|(_, weight)| *weight != 0.0) {
                    for (y, u) in y.iter_mut().zip(stage.as_slice()) {
                        *y += weight * u;
                    }
                }
            },
        );
    }

    fn rate_at(&self, theta: f64, rate: &mut S::State) {
        let [first, second, third] = &self.tableau.dense;
        for (i, out) in rate.as_mut_slice().iter_mut().enumerate() {
            *out = self.end.as_slice()[i] - self.start.as_slice()[i];
            for (j, stage) in self.stages[..self.tableau.stages].iter().enumerate() {
                let bump = first[j] + theta * (second[j] + theta * third[j]);
                let slope = second[j] + 2.0 * theta * third[j];
                *out += ((1.0 - 2.0 * theta) * bump + theta * (1.0 - theta) * slope) * stage.as_slice()[i];
            }
        }
    }

    fn trial(&mut self, system: &S, mode: S::Mode, t: f64, h: f64, y: &mut S::State) -> Result<(), Fault> {
        // the stages of the attempted step are its dense output: they are kept aside
        std::mem::swap(&mut self.stages, &mut self.trial_stages);
        let solved = if h > 0.0 { self.stages(system, mode, t, h) } else { Ok(false) };
        match solved {
            Ok(true) => add(&self.argument, &self.stages[self.tableau.stages - 1], y),
            _ => y.clone_from(&self.start),
        }
        std::mem::swap(&mut self.stages, &mut self.trial_stages);
        solved.map(drop)
    }

    fn start(&self) -> &S::State {
        &self.start
    }

    fn slope(&self) -> &S::State {
        &self.slope
    }

    fn end(&self) -> &S::State {
        &self.end
    }

    fn advance(&mut self) {
        std::mem::swap(&mut self.start, &mut self.end);
        self.is_linearised = false;
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }

    fn longest_step(&self) -> f64 {
        self.control.longest_step
    }
}
