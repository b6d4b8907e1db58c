//! The method of Euler and Maruyama: equations of motion with white noise, in fixed steps.

use super::Method;
use crate::num::random::Stream;
use crate::system::{Coords, Fault, System};

/// The method, its noise and its workspace. The dense output is a straight line.
///
/// Coordinate i receives `noise`ᵢ √h times a normal number in a step of length h; those without noise draw none. A step that is
/// attempted again draws anew: for systems whose guards never ask for a shorter step.
#[derive(Debug)]
pub(crate) struct EulerMaruyama<S: System> {
    step: f64,
    noise: S::State,
    stream: Stream,
    start: S::State,
    end: S::State,
    slope_start: S::State,
    slope_end: S::State,
    /// Length of the attempted step \[s\].
    attempted: f64,
    evaluations: u64,
}

impl<S: System> EulerMaruyama<S> {
    /// A method for `system` with the fixed step `step` \[s\], > 0, and noise of this size in each coordinate, per root of
    /// time, drawn from `stream`.
    pub(crate) fn new(system: &S, step: f64, noise: S::State, stream: Stream) -> Self {
        let [start, end, slope_start, slope_end] = std::array::from_fn(|_| system.start().1);
        Self { step, noise, stream, start, end, slope_start, slope_end, attempted: step, evaluations: 0 }
    }
}

impl<S: System> Method<S> for EulerMaruyama<S> {
    fn restart(&mut self, system: &S, mode: S::Mode, t: f64, y: &S::State, longest: f64) -> Result<f64, Fault> {
        self.start.clone_from(y);
        self.evaluations += 1;
        system.rhs(mode, t, y, &mut self.slope_start)?;
        Ok(self.step.min(longest))
    }

    fn attempt(&mut self, system: &S, mode: S::Mode, t: f64, h: f64) -> Result<f64, Fault> {
        let root = h.sqrt();
        for (i, end) in self.end.as_mut_slice().iter_mut().enumerate() {
            let noise = self.noise.as_slice()[i];
            let kick = if noise == 0.0 { 0.0 } else { noise * root * self.stream.normal() };
            *end = self.start.as_slice()[i] + (h * self.slope_start.as_slice()[i] + kick);
        }
        self.attempted = h;
        self.evaluations += 1;
        system.rhs(mode, t + h, &self.end, &mut self.slope_end)?;
        Ok(0.0)
    }

    fn next_step(&mut self, _h: f64, _error: f64) -> f64 {
        self.step
    }

    fn prepare_dense(&mut self, _system: &S, _mode: S::Mode, _t: f64, _h: f64) -> Result<(), Fault> {
        Ok(())
    }

    fn at(&self, theta: f64, y: &mut S::State) {
        for (i, out) in y.as_mut_slice().iter_mut().enumerate() {
            *out = (1.0 - theta) * self.start.as_slice()[i] + theta * self.end.as_slice()[i];
        }
    }

    fn rate_at(&self, _theta: f64, rate: &mut S::State) {
        for (i, out) in rate.as_mut_slice().iter_mut().enumerate() {
            *out = self.end.as_slice()[i] - self.start.as_slice()[i];
        }
    }

    fn trial(&mut self, _system: &S, _mode: S::Mode, _t: f64, h: f64, y: &mut S::State) -> Result<(), Fault> {
        self.at(h / self.attempted, y);
        Ok(())
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

    fn locates_events(&self) -> bool {
        true
    }

    fn longest_step(&self) -> f64 {
        self.step
    }
}
