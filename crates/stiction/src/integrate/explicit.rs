//! Explicit Runge-Kutta methods: one implementation for every set of coefficients (Hairer, Nørsett, Wanner I, chapter II).
//!
//! The dense output of a step is y(θ) = y₀ + θ (d₀ + (1−θ)(d₁ + θ (d₂ + (1−θ)(d₃ + θ (…))))). The first three terms are the cubic
//! through both ends with their slopes; what comes after them belongs to the method.

use super::control::Control;
use super::{Method, Tolerance};
use crate::system::{Coords, Fault, System};
use std::marker::PhantomData;

/// A sparse row of coefficients: (stage, weight).
pub(super) type StageRow = &'static [(usize, f64)];

/// The coefficients of a method.
pub trait Scheme {
    /// Number of stages of a step. The slope at its end is the one with this index, and the first of the next step.
    const STAGES: usize;
    /// Where in the step the stages are, those of the dense output included.
    const NODES: &'static [f64];
    /// Weights of the slopes before in the argument of each stage; row `STAGES` is the step itself.
    const ROWS: &'static [StageRow];
    /// The step minus a less exact one, and the step minus a coarser one where there are two estimates.
    const ERROR: [StageRow; 2];
    /// Weights of the terms of the dense output after the third.
    const DENSE: &'static [StageRow];
    /// See [`Method::locates_events`].
    const LOCATES_EVENTS: bool = false;
    /// Whether every step has the longest length, without control of its error.
    const FIXED: bool = false;
    /// Factors by which a step may shrink and grow.
    const GROWTH: (f64, f64);
    /// x to the power of one divided by the order of the error estimate.
    fn root(x: f64) -> f64;
    /// Factor by which the next step grows, from the error of the last one and that of the one before.
    fn growth(error: f64, last: Option<f64>) -> f64;
}

/// A method and its workspace: `SLOPES` stages, and `TERMS` terms of the dense output.
#[derive(Debug, Clone)]
pub struct Explicit<S: System, C, const SLOPES: usize, const TERMS: usize> {
    control: Control<S::State>,
    start: S::State,
    end: S::State,
    /// Slopes at the stages; the first belongs to the start and number `STAGES` to the end.
    slopes: [S::State; SLOPES],
    dense: [S::State; TERMS],
    scratch: S::State,
    evaluations: u64,
    coefficients: PhantomData<C>,
}

impl<S: System, C: Scheme, const SLOPES: usize, const TERMS: usize> Explicit<S, C, SLOPES, TERMS> {
    /// A method for `system` with the given tolerances and no limit of the step.
    pub(super) fn with_tolerance(system: &S, tolerance: Tolerance) -> Self {
        let zero = || system.start().1;
        Self {
            control: Control::new(system, tolerance),
            start: zero(),
            end: zero(),
            slopes: std::array::from_fn(|_| zero()),
            dense: std::array::from_fn(|_| zero()),
            scratch: zero(),
            evaluations: 0,
            coefficients: PhantomData,
        }
    }

    /// The same with a longest step \[s\].
    #[must_use]
    pub fn with_longest_step(mut self, longest_step: f64) -> Self {
        self.control.longest_step = longest_step;
        self
    }

    /// Stages of a step of length `h` after the first, or those that only its dense output needs.
    ///
    /// Every index is a constant, so that the compiler unrolls the sums: half of the time of a step with few states.
    #[inline(never)]
    fn stages<const OF_DENSE: bool>(&mut self, system: &S, mode: S::Mode, t: f64, h: f64) -> Result<(), Fault> {
        macro_rules! each {
            ($($stage:literal)*) => {
                $(if const { $stage != C::STAGES && $stage < C::ROWS.len() && ($stage > C::STAGES) == OF_DENSE } {
                    combine(&self.start, h, const { row::<C>($stage) }, &self.slopes, &mut self.scratch);
                    self.evaluations += 1;
                    system.rhs(mode, t + const { node::<C>($stage) } * h, &self.scratch, &mut self.slopes[$stage])?;
                })*
            };
        }
        each!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        Ok(())
    }

    /// Error of the attempted step divided by the tolerance; two estimates are combined as in the code of the book.
    #[inline(always)]
    fn error(&self, controlled: usize, h: f64) -> f64 {
        let (start, end) = (self.start.as_slice(), self.end.as_slice());
        let controlled = controlled.min(start.len());
        let (mut sum, mut sum_coarse) = (0.0, 0.0);
        for i in 0..controlled {
            let estimate =
                |row: StageRow| row.iter().fold(0.0, |sum, &(k, weight)| sum + weight * self.slopes[k].as_slice()[i]);
            let inverse = 1.0 / self.control.scale(i, start[i].abs().max(end[i].abs()));
            let fine = estimate(const { C::ERROR[0] }) * inverse;
            let coarse = estimate(const { C::ERROR[1] }) * inverse;
            sum += fine * fine;
            sum_coarse += coarse * coarse;
        }
        let both = sum + 0.01 * sum_coarse;
        if both == 0.0 { 0.0 } else { h.abs() * sum / (both * controlled as f64).sqrt() }
    }

    /// Length of a first step: where the motion and the change of its slope stay within the tolerance (section II.4).
    fn first_step(&mut self, system: &S, mode: S::Mode, t: f64, longest: f64) -> Result<f64, Fault> {
        let (control, controlled) = (&self.control, system.controlled());
        let size = control.norm(controlled, &self.start, &self.start);
        let slope = control.time * control.norm(controlled, &self.slopes[0], &self.start);
        let guess = if size < 1e-10 || slope < 1e-10 { 1e-6 } else { 0.01 * size / slope };
        let guess = (control.time * guess).min(longest);
        combine(&self.start, guess, &[(0, 1.0)], &self.slopes, &mut self.scratch);
        self.evaluations += 1;
        system.rhs(mode, t + guess, &self.scratch, &mut self.slopes[1])?;
        weighted(&[(1, 1.0), (0, -1.0)], &self.slopes, &mut self.scratch);
        let curvature = control.time * control.time * control.norm(controlled, &self.scratch, &self.start) / guess;
        let steepest = slope.max(curvature) / FIRST_ERROR;
        let step = if !steepest.is_finite() {
            guess
        } else if steepest <= 1e-13 {
            (guess * 1e3).max(1e-6 * control.time)
        } else {
            control.time * C::root(1.0 / steepest)
        };
        let step = (100.0 * guess).min(step);
        Ok(if step.is_finite() && step > 0.0 { step.min(longest) } else { guess })
    }
}

/// Error allowed to a first step by the slope at the start and its change. Much longer ones save evaluations where every phase is
/// short, but their error estimate can be small by chance where the equations vary quickly.
const FIRST_ERROR: f64 = 1.0;

const fn row<C: Scheme>(stage: usize) -> StageRow {
    if stage < C::ROWS.len() { C::ROWS[stage] } else { &[] }
}

const fn node<C: Scheme>(stage: usize) -> f64 {
    if stage < C::NODES.len() { C::NODES[stage] } else { 0.0 }
}

const fn dense_row<C: Scheme>(term: usize) -> StageRow {
    if term - 3 < C::DENSE.len() { C::DENSE[term - 3] } else { &[] }
}

/// `out = Σ row · slopes`
#[inline(always)]
fn weighted<Y: Coords>(row: StageRow, slopes: &[Y], out: &mut Y) {
    let out = out.as_mut_slice();
    out.fill(0.0);
    for &(stage, weight) in row {
        for (out, slope) in out.iter_mut().zip(slopes[stage].as_slice()) {
            *out += weight * slope;
        }
    }
}

/// `out = start + h Σ row · slopes`, the last slope at the very end: the others are known long before it.
#[inline(always)]
fn combine<Y: Coords>(start: &Y, h: f64, row: StageRow, slopes: &[Y], out: &mut Y) {
    let Some((&(stage, weight), others)) = row.split_last() else { return };
    weighted(others, slopes, out);
    let weight = h * weight;
    for ((out, start), slope) in out.as_mut_slice().iter_mut().zip(start.as_slice()).zip(slopes[stage].as_slice()) {
        *out = (start + h * *out) + weight * slope;
    }
}

impl<S: System, C: Scheme, const SLOPES: usize, const TERMS: usize> Method<S> for Explicit<S, C, SLOPES, TERMS> {
    fn restart(&mut self, system: &S, mode: S::Mode, t: f64, y: &S::State, longest: f64) -> Result<f64, Fault> {
        self.start.clone_from(y);
        self.control.restart();
        self.evaluations += 1;
        system.rhs(mode, t, y, &mut self.slopes[0])?;
        let longest = longest.min(self.control.longest_step);
        if C::FIXED { Ok(longest) } else { self.first_step(system, mode, t, longest) }
    }

    fn attempt(&mut self, system: &S, mode: S::Mode, t: f64, h: f64) -> Result<f64, Fault> {
        self.stages::<false>(system, mode, t, h)?;
        combine(&self.start, h, const { row::<C>(C::STAGES) }, &self.slopes, &mut self.end);
        self.evaluations += 1;
        system.rhs(mode, t + h, &self.end, &mut self.slopes[C::STAGES])?;
        Ok(self.error(system.controlled(), h))
    }

    #[inline]
    fn next_step(&mut self, h: f64, error: f64) -> f64 {
        if C::FIXED { self.control.longest_step } else { self.control.next_step(h, error, C::GROWTH, C::growth) }
    }

    fn prepare_dense(&mut self, system: &S, mode: S::Mode, t: f64, h: f64) -> Result<(), Fault> {
        self.stages::<true>(system, mode, t, h)?;
        let [first, last] = [0, C::STAGES].map(|stage| self.slopes[stage].as_slice());
        for i in 0..self.start.as_slice().len() {
            let rise = self.end.as_slice()[i] - self.start.as_slice()[i];
            let (first, last) = (h * first[i], h * last[i]);
            for (term, value) in self.dense.iter_mut().zip([rise, first - rise, 2.0 * rise - (last + first)]) {
                term.as_mut_slice()[i] = value;
            }
        }
        macro_rules! each {
            ($($term:literal)*) => {
                $(if const { $term < TERMS } {
                    weighted(const { dense_row::<C>($term) }, &self.slopes, &mut self.dense[$term]);
                    self.dense[$term].as_mut_slice().iter_mut().for_each(|term| *term *= h);
                })*
            };
        }
        each!(3 4 5 6);
        Ok(())
    }

    #[inline]
    fn at(&self, theta: f64, y: &mut S::State) {
        let factors = [theta, 1.0 - theta];
        for (i, out) in y.as_mut_slice().iter_mut().enumerate() {
            let mut value = 0.0;
            for (k, term) in self.dense.iter().enumerate().rev() {
                value = factors[k % 2] * (term.as_slice()[i] + value);
            }
            *out = self.start.as_slice()[i] + value;
        }
    }

    fn rate_at(&self, theta: f64, rate: &mut S::State) {
        let (factors, signs) = ([theta, 1.0 - theta], [1.0, -1.0]);
        for (i, out) in rate.as_mut_slice().iter_mut().enumerate() {
            let (mut value, mut slope) = (0.0, 0.0);
            for (k, term) in self.dense.iter().enumerate().rev() {
                let inner = term.as_slice()[i] + value;
                (value, slope) = (factors[k % 2] * inner, factors[k % 2] * slope + signs[k % 2] * inner);
            }
            *out = slope;
        }
    }

    fn trial(&mut self, system: &S, mode: S::Mode, t: f64, h: f64, y: &mut S::State) -> Result<(), Fault> {
        // the slope at the end is left alone: it belongs to the attempted step
        self.stages::<false>(system, mode, t, h)?;
        combine(&self.start, h, const { row::<C>(C::STAGES) }, &self.slopes, y);
        Ok(())
    }

    fn start(&self) -> &S::State {
        &self.start
    }

    fn slope(&self) -> &S::State {
        &self.slopes[0]
    }

    fn end(&self) -> &S::State {
        &self.end
    }

    fn advance(&mut self) {
        std::mem::swap(&mut self.start, &mut self.end);
        self.slopes.swap(0, C::STAGES);
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }

    fn locates_events(&self) -> bool {
        C::LOCATES_EVENTS
    }

    fn longest_step(&self) -> f64 {
        self.control.longest_step
    }
}
