//! The classical Runge-Kutta method of order 4 with a fixed step: a second opinion for checks.

use super::Method;
use crate::system::{Coords, Fault, System};

/// The method and its workspace. The dense output is the cubic Hermite polynomial of the step.
#[derive(Debug, Clone)]
pub struct Rk4<S: System> {
    step: f64,
    start: S::State,
    end: S::State,
    slope_start: S::State,
    slope_end: S::State,
    stages: [S::State; 4],
    scratch: S::State,
    dense_step: f64,
    evaluations: u64,
}

impl<S: System> Rk4<S> {
    /// A method for `system` with the fixed step `step` \[s\], > 0.
    pub fn new(system: &S, step: f64) -> Self {
        let zero = || system.start().1;
        Self {
            step,
            start: zero(),
            end: zero(),
            slope_start: zero(),
            slope_end: zero(),
            stages: std::array::from_fn(|_| zero()),
            scratch: zero(),
            dense_step: 0.0,
            evaluations: 0,
        }
    }

    /// End of a step of length `h` from the start. Parts of the workspace are passed one by one because `y` may be another.
    fn end_of_step(
        system: &S,
        (mode, t, h): (S::Mode, f64, f64),
        start: &S::State,
        stages: &mut [S::State; 4],
        scratch: &mut S::State,
        y: &mut S::State,
    ) -> Result<(), Fault> {
        for i in 1..4 {
            let fraction = if i == 3 { 1.0 } else { 0.5 };
            for (k, out) in scratch.as_mut_slice().iter_mut().enumerate() {
                *out = start.as_slice()[k] + h * fraction * stages[i - 1].as_slice()[k];
            }
            system.rhs(mode, t + fraction * h, scratch, &mut stages[i])?;
        }
        for (k, out) in y.as_mut_slice().iter_mut().enumerate() {
            let s = |i: usize| stages[i].as_slice()[k];
            *out = start.as_slice()[k] + h / 6.0 * (s(0) + 2.0 * (s(1) + s(2)) + s(3));
        }
        Ok(())
    }
}

impl<S: System> Method<S> for Rk4<S> {
    fn restart(&mut self, system: &S, mode: S::Mode, t: f64, y: &S::State, longest: f64) -> Result<f64, Fault> {
        self.start.clone_from(y);
        system.rhs(mode, t, y, &mut self.slope_start)?;
        self.evaluations += 1;
        Ok(self.step.min(longest))
    }

    fn attempt(&mut self, system: &S, mode: S::Mode, t: f64, h: f64) -> Result<f64, Fault> {
        self.stages[0].clone_from(&self.slope_start);
        Self::end_of_step(system, (mode, t, h), &self.start, &mut self.stages, &mut self.scratch, &mut self.end)?;
        system.rhs(mode, t + h, &self.end, &mut self.slope_end)?;
        self.evaluations += 4;
        Ok(0.0)
    }

    fn next_step(&mut self, _h: f64, _error: f64) -> f64 {
        self.step
    }

    fn prepare_dense(&mut self, _system: &S, _mode: S::Mode, _t: f64, h: f64) -> Result<(), Fault> {
        self.dense_step = h;
        Ok(())
    }

    fn at(&self, theta: f64, y: &mut S::State) {
        let rest = 1.0 - theta;
        for (i, out) in y.as_mut_slice().iter_mut().enumerate() {
            let (a, b) = (self.start.as_slice()[i], self.end.as_slice()[i]);
            let (da, db) = (self.slope_start.as_slice()[i], self.slope_end.as_slice()[i]);
            let (ha, hb) = (self.dense_step * da - (b - a), (b - a) - self.dense_step * db);
            *out = a + theta * ((b - a) + rest * (rest * ha + theta * hb));
        }
    }

    fn rate_at(&self, theta: f64, rate: &mut S::State) {
        let rest = 1.0 - theta;
        for (i, out) in rate.as_mut_slice().iter_mut().enumerate() {
            let rise = self.end.as_slice()[i] - self.start.as_slice()[i];
            let ha = self.dense_step * self.slope_start.as_slice()[i] - rise;
            let hb = rise - self.dense_step * self.slope_end.as_slice()[i];
            *out = rise + rest * (1.0 - 3.0 * theta) * ha + theta * (2.0 - 3.0 * theta) * hb;
        }
    }

    fn trial(&mut self, system: &S, mode: S::Mode, t: f64, h: f64, y: &mut S::State) -> Result<(), Fault> {
        self.stages[0].clone_from(&self.slope_start);
        self.evaluations += 3;
        Self::end_of_step(system, (mode, t, h), &self.start, &mut self.stages, &mut self.scratch, y)
    }

    fn start(&self) -> &S::State {
        &self.start
    }

    fn slope(&self) -> &S::State {
        &self.slope_start
    }

    fn end(&self) -> &S::State {
        &self.end
    }

    fn advance(&mut self) {
        std::mem::swap(&mut self.start, &mut self.end);
        std::mem::swap(&mut self.slope_start, &mut self.slope_end);
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }

    fn longest_step(&self) -> f64 {
        self.step
    }
}
