//! The explicit method of Dormand and Prince of order 8, with step control by two embedded estimates and a dense output of
//! order 7 (Hairer, Nørsett, Wanner I, section II.10).

use super::dop853_tableau::{DENSE, ERROR_3, ERROR_5, NODES, ROWS, Row, STAGES, STAGES_DENSE};
use super::{Method, Tolerance};
use crate::num::real;
use crate::system::{Coords, Fault, System};

/// The method and its workspace.
#[derive(Debug, Clone)]
pub struct Dop853<S: System> {
    tolerance: Tolerance,
    longest_step: f64,
    /// What the absolute tolerance is a fraction of, coordinate by coordinate.
    typical: S::State,
    /// A typical time \[s\], the unit of the first step.
    time: f64,
    start: S::State,
    end: S::State,
    stages: [S::State; STAGES_DENSE],
    /// Derivatives at start and end of the attempted step: stages 0 and 12, kept apart because a trial overwrites stages.
    slope_start: S::State,
    slope_end: S::State,
    dense: [S::State; 7],
    dense_start: S::State,
    scratch: S::State,
    error_5: S::State,
    /// 32nd root of the error of the last accepted step.
    last_error_root: f64,
    rejected: bool,
    evaluations: u64,
}

impl<S: System> Dop853<S> {
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
            slope_start: zero(),
            slope_end: zero(),
            dense: std::array::from_fn(|_| zero()),
            dense_start: zero(),
            scratch: zero(),
            error_5: zero(),
            last_error_root: root_32(1e-4),
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

    /// Stage `I` of a step of length `h`, stage 0 being the slope at the start. Leaves the argument in `scratch`.
    ///
    /// The index is a constant, so that the compiler unrolls the sums: half of the time of a step with few states.
    #[inline(always)]
    fn stage<const I: usize>(&mut self, system: &S, mode: S::Mode, t: f64, h: f64) -> Result<(), Fault> {
        combine(&self.start, h, const { ROWS[I] }, &self.stages, &mut self.scratch);
        self.evaluations += 1;
        system.rhs(mode, t + NODES[I] * h, &self.scratch, &mut self.stages[I])
    }

    /// The twelve stages of a step of length `h`.
    #[inline(always)]
    fn stages(&mut self, system: &S, mode: S::Mode, t: f64, h: f64) -> Result<(), Fault> {
        self.stages[0].clone_from(&self.slope_start);
        self.stage::<1>(system, mode, t, h)?;
        self.stage::<2>(system, mode, t, h)?;
        self.stage::<3>(system, mode, t, h)?;
        self.stage::<4>(system, mode, t, h)?;
        self.stage::<5>(system, mode, t, h)?;
        self.stage::<6>(system, mode, t, h)?;
        self.stage::<7>(system, mode, t, h)?;
        self.stage::<8>(system, mode, t, h)?;
        self.stage::<9>(system, mode, t, h)?;
        self.stage::<10>(system, mode, t, h)?;
        self.stage::<11>(system, mode, t, h)
    }

    /// Error of the attempted step divided by the tolerance: the two estimates combined as in the original code.
    fn error_norm(&mut self, controlled: usize, h: f64) -> f64 {
        let (error_5, error_3) = (&mut self.error_5, &mut self.scratch);
        weighted(1.0, ERROR_5, &self.stages, error_5);
        weighted(1.0, ERROR_3, &self.stages, error_3);
        let mut sum_5 = 0.0;
        let mut sum_3 = 0.0;
        let (start, end) = (self.start.as_slice(), self.end.as_slice());
        let typical = self.typical.as_slice();
        let controlled = controlled.min(start.len());
        for (i, (e5, e3)) in error_5.as_slice().iter().zip(error_3.as_slice()).enumerate().take(controlled) {
            let size = start[i].abs().max(end[i].abs());
            let scale = self.tolerance.absolute * typical[i] + self.tolerance.relative * size;
            sum_5 += (e5 / scale) * (e5 / scale);
            sum_3 += (e3 / scale) * (e3 / scale);
        }
        let denominator = sum_5 + 0.01 * sum_3;
        if denominator == 0.0 { 0.0 } else { h.abs() * sum_5 / (denominator * controlled as f64).sqrt() }
    }
}

fn root_32(x: f64) -> f64 {
    x.sqrt().sqrt().sqrt().sqrt().sqrt()
}

/// `out = h Σ row · stages`
#[inline(always)]
fn weighted<Y: Coords>(h: f64, row: Row, stages: &[Y; STAGES_DENSE], out: &mut Y) {
    let out = out.as_mut_slice();
    out.fill(0.0);
    for &(stage, weight) in row {
        for (out, slope) in out.iter_mut().zip(stages[stage].as_slice()) {
            *out += weight * slope;
        }
    }
    for out in out {
        *out *= h;
    }
}

/// `out = start + h Σ row · stages`
#[inline(always)]
fn combine<Y: Coords>(start: &Y, h: f64, row: Row, stages: &[Y; STAGES_DENSE], out: &mut Y) {
    weighted(h, row, stages, out);
    for (out, start) in out.as_mut_slice().iter_mut().zip(start.as_slice()) {
        *out += start;
    }
}

impl<S: System> Method<S> for Dop853<S> {
    fn restart(&mut self, system: &S, mode: S::Mode, t: f64, y: &S::State, longest: f64) -> Result<f64, Fault> {
        self.start.clone_from(y);
        system.rhs(mode, t, y, &mut self.slope_start)?;
        self.last_error_root = root_32(1e-4);
        self.rejected = false;
        self.evaluations += 2;
        // first step: where the solution and the change of its slope stay within the tolerance (book, section II.4)
        let controlled = system.controlled().min(y.as_slice().len());
        let scaled_norm = |v: &S::State| {
            let sum: f64 = v
                .as_slice()
                .iter()
                .zip(y.as_slice())
                .zip(self.typical.as_slice())
                .take(controlled)
                .map(|((v, y), typical)| {
                    let scaled = v / (self.tolerance.absolute * typical + self.tolerance.relative * y.abs());
                    scaled * scaled
                })
                .sum();
            (sum / controlled as f64).sqrt()
        };
        let (size, slope) = (scaled_norm(y), self.time * scaled_norm(&self.slope_start));
        let longest = longest.min(self.longest_step);
        let guess = if size < 1e-10 || slope < 1e-10 { 1e-6 } else { 0.01 * size / slope };
        let guess = (self.time * guess).min(longest);
        for (i, out) in self.scratch.as_mut_slice().iter_mut().enumerate() {
            *out = y.as_slice()[i] + guess * self.slope_start.as_slice()[i];
        }
        system.rhs(mode, t + guess, &self.scratch, &mut self.stages[1])?;
        for (out, slope) in self.stages[1].as_mut_slice().iter_mut().zip(self.slope_start.as_slice()) {
            *out -= slope;
        }
        let curvature = self.time * self.time * scaled_norm(&self.stages[1]) / guess;
        let steepest = slope.max(curvature);
        let step = if steepest <= 1e-15 {
            (guess * 1e3).max(1e-6 * self.time)
        } else {
            self.time * real::pow(0.01 / steepest, 1.0 / 8.0)
        };
        let step = (100.0 * guess).min(step);
        Ok(if step.is_finite() && step > 0.0 { step.min(longest) } else { guess.min(longest) })
    }

    fn attempt(&mut self, system: &S, mode: S::Mode, t: f64, h: f64) -> Result<f64, Fault> {
        self.stages(system, mode, t, h)?;
        combine(&self.start, h, const { ROWS[STAGES] }, &self.stages, &mut self.end);
        self.evaluations += 1;
        system.rhs(mode, t + h, &self.end, &mut self.slope_end)?;
        self.stages[STAGES].clone_from(&self.slope_end);
        Ok(self.error_norm(system.controlled(), h))
    }

    fn next_step(&mut self, h: f64, error: f64) -> f64 {
        // PI control, growth = 0.9 error^(-7/64) last^(1/32): the exponents are made of square roots, which are exact on
        // every machine and cost less than a power
        let growth = if error == 0.0 {
            6.0
        } else if error.is_finite() {
            let eighth = error.sqrt().sqrt().sqrt();
            let sixty_fourth = eighth.sqrt().sqrt().sqrt();
            (0.9 * self.last_error_root * sixty_fourth / eighth).clamp(1.0 / 3.0, 6.0)
        } else {
            0.1
        };
        if error <= 1.0 {
            let growth = if self.rejected { growth.min(1.0) } else { growth };
            self.rejected = false;
            self.last_error_root = root_32(error.max(1e-4));
            h * growth
        } else {
            self.rejected = true;
            h * growth.min(0.9)
        }
    }

    fn prepare_dense(&mut self, system: &S, mode: S::Mode, t: f64, h: f64) -> Result<(), Fault> {
        self.stage::<13>(system, mode, t, h)?;
        self.stage::<14>(system, mode, t, h)?;
        self.stage::<15>(system, mode, t, h)?;
        self.dense_start.clone_from(&self.start);
        for i in 0..self.start.as_slice().len() {
            let rise = self.end.as_slice()[i] - self.start.as_slice()[i];
            let (first, last) = (self.slope_start.as_slice()[i], self.slope_end.as_slice()[i]);
            self.dense[0].as_mut_slice()[i] = rise;
            self.dense[1].as_mut_slice()[i] = h * first - rise;
            self.dense[2].as_mut_slice()[i] = 2.0 * rise - h * (last + first);
        }
        let [.., d3, d4, d5, d6] = &mut self.dense;
        weighted(h, const { DENSE[0] }, &self.stages, d3);
        weighted(h, const { DENSE[1] }, &self.stages, d4);
        weighted(h, const { DENSE[2] }, &self.stages, d5);
        weighted(h, const { DENSE[3] }, &self.stages, d6);
        Ok(())
    }

    #[inline]
    fn at(&self, theta: f64, y: &mut S::State) {
        let rest = 1.0 - theta;
        for (i, out) in y.as_mut_slice().iter_mut().enumerate() {
            let d = |term: usize| self.dense[term].as_slice()[i];
            let inner = d(3) + theta * (d(4) + rest * (d(5) + theta * d(6)));
            *out = self.dense_start.as_slice()[i] + theta * (d(0) + rest * (d(1) + theta * (d(2) + rest * inner)));
        }
    }

    fn rate_at(&self, theta: f64, rate: &mut S::State) {
        let rest = 1.0 - theta;
        for (i, out) in rate.as_mut_slice().iter_mut().enumerate() {
            let d = |term: usize| self.dense[term].as_slice()[i];
            // y = start + θ(d₀ + (1−θ) p), p = d₁ + θ q, q = d₂ + (1−θ) s, s = d₃ + θ u, u = d₄ + (1−θ)(d₅ + θ d₆)
            let w = d(5) + theta * d(6);
            let (u, du) = (d(4) + rest * w, rest * d(6) - w);
            let (s, ds) = (d(3) + theta * u, u + theta * du);
            let (q, dq) = (d(2) + rest * s, rest * ds - s);
            let (p, dp) = (d(1) + theta * q, q + theta * dq);
            *out = d(0) + rest * p + theta * (rest * dp - p);
        }
    }

    fn trial(&mut self, system: &S, mode: S::Mode, t: f64, h: f64, y: &mut S::State) -> Result<(), Fault> {
        self.stages(system, mode, t, h)?;
        combine(&self.start, h, const { ROWS[STAGES] }, &self.stages, y);
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

    fn longest_step(&self) -> f64 {
        self.longest_step
    }
}
