//! The explicit method of Dormand and Prince of order 5, with step control by an embedded estimate of order 4 and a dense
//! output of order 4 that costs no evaluation (Hairer, Nørsett, Wanner I, section II.5 and II.6).
//!
//! The right one for equations whose right-hand side is smooth in pieces only, as splines are: a higher order would end at
//! every knot.

use super::{Method, Tolerance};
use crate::num::real;
use crate::system::{Coords, Fault, System};

const STAGES: usize = 7;
/// Largest and smallest factor by which a step may grow.
const MAX_GROWTH: f64 = 10.0;
const MIN_GROWTH: f64 = 0.2;
/// Fraction of the step that the error estimate would allow.
const SAFETY: f64 = 0.9;

/// Where in the step the stages are.
const NODES: [f64; STAGES] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];

/// Weights of the stages before in the argument of each stage; the last row is the step itself.
const ROWS: [[f64; 6]; STAGES] = [
    [0.0; 6],
    [0.2, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19_372.0 / 6561.0, -25_360.0 / 2187.0, 64_448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46_732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18_656.0, 0.0],
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// The step minus the embedded one.
const ERROR: [f64; STAGES] =
    [71.0 / 57_600.0, 0.0, -71.0 / 16_695.0, 71.0 / 1920.0, -17_253.0 / 339_200.0, 22.0 / 525.0, -1.0 / 40.0];

/// The term of fourth degree of the dense output.
const DENSE: [f64; STAGES] = [
    -12_715_105_075.0 / 11_282_082_432.0,
    0.0,
    87_487_479_700.0 / 32_700_410_799.0,
    -10_690_763_975.0 / 1_880_347_072.0,
    701_980_252_875.0 / 199_316_789_632.0,
    -1_453_857_185.0 / 822_651_844.0,
    69_997_945.0 / 29_380_423.0,
];

/// The method and its workspace.
#[derive(Debug, Clone)]
pub struct Dopri5<S: System> {
    tolerance: Tolerance,
    longest_step: f64,
    /// What the absolute tolerance is a fraction of, coordinate by coordinate.
    typical: S::State,
    /// A typical time \[s\], the unit of the first step.
    time: f64,
    start: S::State,
    end: S::State,
    /// Slopes; the first and the last belong to start and end.
    stages: [S::State; STAGES],
    dense: [S::State; 5],
    scratch: S::State,
    rejected: bool,
    evaluations: u64,
}

impl<S: System> Dopri5<S> {
    /// A method for `system` with the given tolerances and no limit of the step.
    pub fn new(system: &S, tolerance: Tolerance) -> Self {
        let zero = || system.start().1;
        let mut typical = zero();
        let time = system.typical(&mut typical);
        Self {
            tolerance,
            longest_step: f64::INFINITY,
            typical,
            time,
            start: zero(),
            end: zero(),
            stages: std::array::from_fn(|_| zero()),
            dense: std::array::from_fn(|_| zero()),
            scratch: zero(),
            rejected: false,
            evaluations: 0,
        }
    }

    /// The same with a longest step \[s\].
    #[must_use]
    pub fn with_longest_step(mut self, longest_step: f64) -> Self {
        self.longest_step = longest_step;
        self
    }

    /// Root mean square of the controlled coordinates relative to the tolerance at a state of this size.
    fn norm(&self, controlled: usize, error: &S::State, size: impl Fn(usize) -> f64) -> f64 {
        let error = error.as_slice();
        let controlled = controlled.min(error.len());
        let mut sum = 0.0;
        for (i, error) in error.iter().enumerate().take(controlled) {
            let absolute = self.tolerance.absolute * self.typical.as_slice()[i];
            let scaled = error / (absolute + self.tolerance.relative * size(i));
            sum += scaled * scaled;
        }
        (sum / controlled.max(1) as f64).sqrt()
    }
}

/// `out = h Σ row · stages`
fn weighted<Y: Coords>(h: f64, row: &[f64], stages: &[Y; STAGES], out: &mut Y) {
    let out = out.as_mut_slice();
    out.fill(0.0);
    for (weight, stage) in row.iter().zip(stages).filter(|(weight, _)| **weight != 0.0) {
        for (out, slope) in out.iter_mut().zip(stage.as_slice()) {
            *out += h * weight * slope;
        }
    }
}

/// `out = start + h Σ row · stages`
fn combine<Y: Coords>(start: &Y, h: f64, row: &[f64], stages: &[Y; STAGES], out: &mut Y) {
    weighted(h, row, stages, out);
    for (out, start) in out.as_mut_slice().iter_mut().zip(start.as_slice()) {
        *out += start;
    }
}

impl<S: System> Method<S> for Dopri5<S> {
    fn restart(&mut self, system: &S, mode: S::Mode, t: f64, y: &S::State, longest: f64) -> Result<f64, Fault> {
        self.start.clone_from(y);
        system.rhs(mode, t, y, &mut self.stages[0])?;
        self.rejected = false;
        self.evaluations += 2;
        // first step: where the solution and the change of its slope stay within the tolerance (book, section II.4)
        let controlled = system.controlled();
        let at = |i: usize| y.as_slice()[i].abs();
        let (size, slope) = (self.norm(controlled, y, at), self.time * self.norm(controlled, &self.stages[0], at));
        let longest = longest.min(self.longest_step);
        let guess = if size < 1e-10 || slope < 1e-10 { 1e-6 } else { 0.01 * size / slope };
        let guess = (self.time * guess).min(longest);
        combine(y, guess, &[1.0], &self.stages, &mut self.scratch);
        system.rhs(mode, t + guess, &self.scratch, &mut self.stages[1])?;
        weighted(1.0, &[-1.0, 1.0], &self.stages, &mut self.scratch);
        let curvature = self.time * self.time * self.norm(controlled, &self.scratch, at) / guess;
        let steepest = slope.max(curvature);
        let step = if steepest <= 1e-15 {
            (guess * 1e3).max(1e-6 * self.time)
        } else {
            self.time * real::pow(0.01 / steepest, 0.2)
        };
        let step = (100.0 * guess).min(step);
        Ok(if step.is_finite() && step > 0.0 { step.min(longest) } else { guess })
    }

    fn attempt(&mut self, system: &S, mode: S::Mode, t: f64, h: f64) -> Result<f64, Fault> {
        for stage in 1..STAGES {
            combine(&self.start, h, &ROWS[stage], &self.stages, &mut self.end);
            self.evaluations += 1;
            system.rhs(mode, t + NODES[stage] * h, &self.end, &mut self.stages[stage])?;
        }
        weighted(h, &ERROR, &self.stages, &mut self.scratch);
        let (start, end) = (self.start.as_slice(), self.end.as_slice());
        Ok(self.norm(system.controlled(), &self.scratch, |i| start[i].abs().max(end[i].abs())))
    }

    fn next_step(&mut self, h: f64, error: f64) -> f64 {
        // no memory of earlier errors: where these jump with the knots of a field, it costs more than it smooths
        let growth = if error == 0.0 {
            MAX_GROWTH
        } else if error.is_finite() {
            (SAFETY * real::pow(error, -0.2)).clamp(MIN_GROWTH, MAX_GROWTH)
        } else {
            MIN_GROWTH
        };
        if error <= 1.0 {
            let growth = if self.rejected { growth.min(1.0) } else { growth };
            self.rejected = false;
            h * growth
        } else {
            self.rejected = true;
            h * growth.min(SAFETY)
        }
    }

    fn prepare_dense(&mut self, _system: &S, _mode: S::Mode, _t: f64, h: f64) -> Result<(), Fault> {
        let [constant, rise, bend, twist, rest] = &mut self.dense;
        constant.clone_from(&self.start);
        for i in 0..self.start.as_slice().len() {
            let total = self.end.as_slice()[i] - self.start.as_slice()[i];
            let [first, last] = [0, STAGES - 1].map(|stage| h * self.stages[stage].as_slice()[i]);
            rise.as_mut_slice()[i] = total;
            bend.as_mut_slice()[i] = first - total;
            twist.as_mut_slice()[i] = 2.0 * total - first - last;
        }
        weighted(h, &DENSE, &self.stages, rest);
        Ok(())
    }

    fn at(&self, theta: f64, y: &mut S::State) {
        let left = 1.0 - theta;
        for (i, out) in y.as_mut_slice().iter_mut().enumerate() {
            let d = |term: usize| self.dense[term].as_slice()[i];
            *out = d(0) + theta * (d(1) + left * (d(2) + theta * (d(3) + left * d(4))));
        }
    }

    fn rate_at(&self, theta: f64, rate: &mut S::State) {
        let left = 1.0 - theta;
        for (i, out) in rate.as_mut_slice().iter_mut().enumerate() {
            let d = |term: usize| self.dense[term].as_slice()[i];
            *out = d(1)
                + (1.0 - 2.0 * theta) * d(2)
                + theta * (2.0 - 3.0 * theta) * d(3)
                + 2.0 * theta * left * (1.0 - 2.0 * theta) * d(4);
        }
    }

    fn trial(&mut self, system: &S, mode: S::Mode, t: f64, h: f64, y: &mut S::State) -> Result<(), Fault> {
        // the last stage is left alone: it is the slope at the end of the attempted step
        for stage in 1..STAGES - 1 {
            combine(&self.start, h, &ROWS[stage], &self.stages, y);
            self.evaluations += 1;
            system.rhs(mode, t + NODES[stage] * h, y, &mut self.stages[stage])?;
        }
        combine(&self.start, h, &ROWS[STAGES - 1], &self.stages, y);
        Ok(())
    }

    fn start(&self) -> &S::State {
        &self.start
    }

    fn slope(&self) -> &S::State {
        &self.stages[0]
    }

    fn end(&self) -> &S::State {
        &self.end
    }

    fn advance(&mut self) {
        std::mem::swap(&mut self.start, &mut self.end);
        self.stages.swap(0, STAGES - 1);
    }

    fn locates_events(&self) -> bool {
        true
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }

    fn longest_step(&self) -> f64 {
        self.longest_step
    }
}
