//! Friction without jumps: signs become hyperbolic tangents, and white noise may be added.
//!
//! A different system, without modes, sensitive by nature to the widths and the form of the smoothing: its motions are not
//! "the" answer where the automaton says that there is none, but samples of what it allows. Stiff (rate μ|L₁|/width): solved
//! by the three-stage Radau IIA method with step doubling.

use crate::analysis::{AnalysisError, Cancelled, Progress};
use crate::integrate::Effort;
use crate::num::dense::solve;
use crate::num::random::Stream;
use crate::num::real::{atan2, tan, tanh};
use crate::system::wheel::{Additive, Dynamics, Friction, State, Wheel, Widths};
use rayon::prelude::*;
use serde::Serialize;

/// A wheel with smooth friction.
#[derive(Debug, Clone)]
pub struct SmoothWheel {
    dynamics: Dynamics,
    widths: Widths,
}

impl SmoothWheel {
    /// The smooth version of a wheel.
    ///
    /// # Errors
    /// If the wheel has no `regularisation`, or its parameters are wrong.
    pub fn new(wheel: &Wheel) -> Result<Self, AnalysisError> {
        let Some(regularisation) = wheel.regularisation else {
            return Err(AnalysisError::unsuitable("regularisation.tanh", "is missing: give `lateral` and `rolling`"));
        };
        let problem = |problems: Vec<crate::Problem>| match problems.into_iter().next() {
            Some(problem) => AnalysisError::unsuitable(problem.key, problem.message),
            None => AnalysisError::unsuitable("system.wheel", "cannot be made"),
        };
        Ok(Self { dynamics: wheel.dynamics().map_err(problem)?, widths: regularisation.tanh })
    }

    /// Rate with which the lateral velocity comes to rest where h is small [1/τ]: μ|L₁|/width. A step well below its inverse
    /// resolves it.
    pub fn rate(&self, r: f64) -> f64 {
        let largest = self.dynamics.lie1(r, 1.0).abs().max(self.dynamics.lie1(r, -1.0).abs());
        self.dynamics.mu * largest / self.widths.lateral
    }

    /// The equations behind it.
    pub fn dynamics(&self) -> &Dynamics {
        &self.dynamics
    }

    /// Force and moment.
    pub fn friction(&self, r: f64, v: f64, omega: f64) -> Friction {
        let Dynamics { mu, kappa, psi0, c_psi, signed, .. } = self.dynamics;
        let (h, g) = (self.dynamics.h(r, v, omega), self.dynamics.g(r, v, omega));
        let (side, rolling) = (tanh(h / self.widths.lateral), tanh(g / self.widths.rolling));
        if self.dynamics.slip_law == crate::system::wheel::SlipLaw::Constant {
            return Friction { force: side * mu, moment: side * mu * kappa };
        }
        let cot = 1.0 / tan(psi0 + c_psi * atan2(h.abs(), g.abs()));
        let sign = if signed { rolling * side } else { side };
        Friction { force: side * mu * (4.0 / 3.0 - cot / (18.0 * kappa)), moment: sign * mu / 6.0 * cot }
    }

    fn slope(&self, y: &[f64; 3]) -> [f64; 3] {
        let [r, v, omega] = *y;
        let [dr, dv, domega, _] = self.dynamics.slope(r, v, omega, self.friction(r, v, omega));
        [dr, dv, domega]
    }

    /// One step of the Radau IIA method of order 5; none if its equations do not converge.
    fn radau(&self, y: &[f64; 3], step: f64, evaluations: &mut u64) -> Option<[f64; 3]> {
        let s6 = 6.0_f64.sqrt();
        let a = [
            [(88.0 - 7.0 * s6) / 360.0, (296.0 - 169.0 * s6) / 1800.0, (-2.0 + 3.0 * s6) / 225.0],
            [(296.0 + 169.0 * s6) / 1800.0, (88.0 + 7.0 * s6) / 360.0, (-2.0 - 3.0 * s6) / 225.0],
            [(16.0 - s6) / 36.0, (16.0 + s6) / 36.0, 1.0 / 9.0],
        ];
        let jacobian = self.jacobian(y);
        *evaluations += 6;
        let mut stages = [[0.0; 3]; 3];
        let mut last = f64::INFINITY;
        for _ in 0..12 {
            let slopes = stages.map(|z| self.slope(&[y[0] + z[0], y[1] + z[1], y[2] + z[2]]));
            *evaluations += 3;
            let mut right: Vec<f64> = Vec::with_capacity(9);
            for (i, row) in a.iter().enumerate() {
                for k in 0..3 {
                    let sum: f64 = row.iter().zip(&slopes).map(|(a, slope)| a * slope[k]).sum();
                    right.push(step * sum - stages[i][k]);
                }
            }
            let mut matrix: Vec<Vec<f64>> = (0..9)
                .map(|p| {
                    (0..9)
                        .map(|q| {
                            let unit = if p == q { 1.0 } else { 0.0 };
                            unit - step * a[p / 3][q / 3] * jacobian[p % 3][q % 3]
                        })
                        .collect()
                })
                .collect();
            if !solve(&mut matrix, &mut right) {
                return None;
            }
            let mut size = 0.0_f64;
            for (p, change) in right.iter().enumerate() {
                stages[p / 3][p % 3] += change;
                size = size.max(change.abs());
            }
            if size <= 1e-14 {
                break;
            }
            // below this, changes are rounding, which may well grow from one to the next
            let diverges = size > 2.0 * last && size > 1e-11;
            if diverges || !size.is_finite() {
                return None;
            }
            last = size;
        }
        (last < 1e-8).then(|| [y[0] + stages[2][0], y[1] + stages[2][1], y[2] + stages[2][2]])
    }

    fn jacobian(&self, y: &[f64; 3]) -> [[f64; 3]; 3] {
        let mut jacobian = [[0.0; 3]; 3];
        for k in 0..3 {
            let step = 1e-7 * self.widths.lateral.min(1e-2) + 1e-12;
            let (mut ahead, mut behind) = (*y, *y);
            ahead[k] += step;
            behind[k] -= step;
            let (up, down) = (self.slope(&ahead), self.slope(&behind));
            for (row, (up, down)) in jacobian.iter_mut().zip(up.iter().zip(down)) {
                row[k] = (up - down) / (2.0 * step);
            }
        }
        jacobian
    }

    /// States (r, v, ω) at multiples of `interval` in τ until `duration_tau`, from a state.
    ///
    /// # Errors
    /// If the equations cannot be solved to `tolerance` (absolute), or on request.
    pub fn run(
        &self,
        start: [f64; 3],
        (duration_tau, interval): (f64, f64),
        tolerance: f64,
        progress: &dyn Progress,
    ) -> Result<Vec<[f64; 3]>, AnalysisError> {
        for (key, value) in
            [("duration_tau", duration_tau), ("interval", interval), ("solver.absolute_tolerance", tolerance)]
        {
            if !(value.is_finite() && value > 0.0) {
                return Err(AnalysisError::unsuitable(key, format!("is {value}, but must be > 0")));
            }
        }
        let mut states = vec![start];
        let (mut y, mut tau, mut step) = (start, 0.0, interval.min(1e-3));
        let failed = |tau: f64, y: [f64; 3]| {
            let message = format!("too fine: the smooth wheel cannot be followed at tau = {tau}, state {y:?}");
            AnalysisError::unsuitable("solver.absolute_tolerance", message)
        };
        let mut effort = Effort::default();
        progress.begin("smooth motion", (duration_tau / interval).ceil().min(1e9) as u64);
        for count in 0..MOST_STEPS {
            if count % 1024 == 0 && progress.cancelled() {
                return Err(Cancelled.into());
            }
            let target = states.len() as f64 * interval;
            if target > duration_tau * (1.0 + 1e-12) {
                progress.worked(Effort { steps: count, ..effort });
                return Ok(states);
            }
            let h = step.min(target - tau);
            let mut radau = |y: &[f64; 3], h: f64| self.radau(y, h, &mut effort.evaluations);
            let whole = radau(&y, h);
            let half = radau(&y, 0.5 * h).and_then(|middle| radau(&middle, 0.5 * h));
            let (Some(whole), Some(halves)) = (whole, half) else {
                effort.rejected += 1;
                step = 0.25 * h;
                if step < 1e-14 {
                    return Err(failed(tau, y));
                }
                continue;
            };
            let error = (0..3).map(|k| (whole[k] - halves[k]).abs()).fold(0.0, f64::max) / (31.0 * tolerance);
            // sixth root by square and cube root: one order above the method
            let growth = 0.9 / crate::num::real::cbrt(error.max(1e-12).sqrt());
            if error > 1.0 {
                effort.rejected += 1;
                step = h * growth.max(0.2);
                if step < 1e-14 {
                    return Err(failed(tau, y));
                }
                continue;
            }
            y = halves;
            let reached = h >= target - tau;
            tau = if reached { target } else { tau + h };
            if reached {
                states.push(y);
                progress.advance(1);
            } else {
                step = h * growth.min(4.0);
            }
        }
        Err(failed(tau, y))
    }
}

/// Most steps of a smooth motion.
const MOST_STEPS: u64 = 50_000_000;

/// Most steps of all noisy motions together.
const MOST_NOISY_STEPS: f64 = 1e11;

/// How a noisy motion left the neighbourhood of the two-fold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NoisyExit {
    /// +1 or −1: the sign of h at the exit; 0 if it did not leave.
    pub side: f64,
    /// τ from passing the position of the two-fold to the exit.
    pub delay: f64,
    /// Displacement at the exit \[m\].
    pub r: f64,
    /// Speed of the disc at the exit [rad/s].
    pub omega: f64,
}

/// What is asked of noisy motions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoisyRequest {
    /// The start (r, v, ω).
    pub start: [f64; 3],
    /// Position r* of the two-fold \[m\]; delays count from passing it downward.
    pub two_fold: f64,
    /// |h| at which a motion has left stick [m/s], several times the lateral width.
    pub threshold: f64,
    /// Step in τ, well below width/(μ|L₁|).
    pub step: f64,
    /// Longest time in τ.
    pub duration_tau: f64,
    /// Seed; realisation i has a stream of its own.
    pub seed: u64,
}

/// Purpose of the noise streams.
const NOISE: u64 = 0x6e6f_6973;

/// Noisy motions by the method of Euler and Maruyama: realisation i depends on the seed and i alone.
///
/// # Errors
/// If the step or the duration is not positive, if they need too many steps, or on request.
pub fn noisy_exits(
    wheel: &SmoothWheel,
    noise: Additive,
    request: &NoisyRequest,
    realisations: u64,
    progress: &dyn Progress,
) -> Result<Vec<NoisyExit>, AnalysisError> {
    for (key, value) in
        [("step", request.step), ("duration_tau", request.duration_tau), ("threshold", request.threshold)]
    {
        if !(value.is_finite() && value > 0.0) {
            return Err(AnalysisError::unsuitable(key, format!("is {value}, but must be > 0")));
        }
    }
    let steps = request.duration_tau / request.step * realisations as f64;
    if steps > MOST_NOISY_STEPS {
        let message =
            format!("needs {steps:e} steps for all motions, more than {MOST_NOISY_STEPS:e}; choose a longer one");
        return Err(AnalysisError::unsuitable("step", message));
    }
    progress.begin("noisy motions", realisations);
    let motions = (0..realisations).into_par_iter().map(|index| {
        let exit = noisy_exit(wheel, noise, request, index, progress);
        progress.advance(1);
        exit.ok_or_else(|| Cancelled.into())
    });
    motions.collect()
}

/// One noisy motion; none on request.
fn noisy_exit(
    wheel: &SmoothWheel,
    noise: Additive,
    request: &NoisyRequest,
    index: u64,
    progress: &dyn Progress,
) -> Option<NoisyExit> {
    let mut stream = Stream::new(request.seed, index, NOISE);
    let (step, root) = (request.step, request.step.sqrt());
    let (mut y, mut tau, mut passed) = (request.start, 0.0, None);
    let steps = (request.duration_tau / step).ceil() as u64;
    for k in 0..steps {
        if k % 4096 == 0 && progress.cancelled() {
            return None;
        }
        let (before, slope) = (y, wheel.slope(&y));
        y[0] += step * slope[0];
        y[1] += step * slope[1] + noise.velocity * root * stream.normal();
        y[2] += step * slope[2] + noise.speed * root * stream.normal();
        if y.iter().any(|y| !y.is_finite()) {
            // a step that is too long for the equations: the motion counts as one that has not left
            y = before;
            break;
        }
        tau = (k + 1) as f64 * step;
        if passed.is_none() && y[0] <= request.two_fold {
            passed = Some(tau);
        }
        let h = wheel.dynamics.h(y[0], y[1], y[2]);
        if let Some(since) = passed
            && h.abs() > request.threshold
        {
            return Some(NoisyExit { side: h.signum(), delay: tau - since, r: y[0], omega: y[2] });
        }
    }
    Some(NoisyExit { side: 0.0, delay: tau - passed.unwrap_or(tau), r: y[0], omega: y[2] })
}

/// The state of a smooth wheel as that of the automaton, with clocks at zero.
pub fn as_state([r, v, omega]: [f64; 3]) -> State {
    [r, v, omega, 0.0, 0.0]
}
