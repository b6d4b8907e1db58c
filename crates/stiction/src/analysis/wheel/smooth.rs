//! Friction without jumps: signs become hyperbolic tangents, and white noise may be added.
//!
//! A different system, without modes, sensitive by nature to the widths and the form of the smoothing: its motions are not
//! "the" answer where the automaton says that there is none, but samples of what it allows. Stiff (rate μ|L₁|/width): solved
//! by a Rosenbrock method.

use crate::analysis::{AnalysisError, Cancelled, Pace, Progress, Quiet};
use crate::integrate::{EulerMaruyama, Flow, RODAS5P, Rosenbrock, Sink, Span, Stretch, Tolerance, integrate_from};
use crate::num::jet::{Jet, Scalar};
use crate::num::purpose::{Germ, Purpose};
use crate::system::wheel::{Additive, Dynamics, Friction, SlipLaw, Wheel, Widths};
use crate::system::{DenseLinear, Fault, Guard, Jump, Stiff, System};
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
            Some(problem) => problem.into(),
            None => AnalysisError::unsuitable("", "cannot be made"),
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
    pub(crate) fn friction(&self, r: f64, v: f64, omega: f64) -> Friction {
        let [force, moment] = self.friction_of(self.dynamics.h(r, v, omega), self.dynamics.g(r, v, omega));
        Friction { force, moment }
    }

    /// Friction, and its derivatives in (h, g).
    fn friction_slopes(&self, h: f64, g: f64) -> [(f64, [f64; 2]); 2] {
        let along_h = self.friction_of(Jet::<2>::variable(h), Jet::constant(g)).map(Jet::coefficients);
        let along_g = self.friction_of(Jet::<2>::constant(h), Jet::variable(g)).map(Jet::coefficients);
        [0, 1].map(|k| (along_h[k][0], [along_h[k][1], along_g[k][1]]))
    }

    /// Force and moment of sliding velocities.
    fn friction_of<T: Scalar>(&self, h: T, g: T) -> [T; 2] {
        let Dynamics { mu, kappa, psi0, c_psi, signed, .. } = self.dynamics;
        let (side, rolling) = (h.divided(self.widths.lateral).tanh(), g.divided(self.widths.rolling).tanh());
        if self.dynamics.slip_law == SlipLaw::Constant {
            return [side.scaled(mu), side.scaled(mu * kappa)];
        }
        let cot = T::constant(1.0) / h.abs().atan2(g.abs()).scaled(c_psi).shifted(psi0).tan();
        let sign = if signed { rolling * side } else { side };
        [side.scaled(mu) * cot.scaled(-1.0 / (18.0 * kappa)).shifted(4.0 / 3.0), sign.scaled(mu / 6.0) * cot]
    }

    fn slope(&self, y: &[f64; 3]) -> [f64; 3] {
        let [r, v, omega] = *y;
        let [dr, dv, domega, _] = self.dynamics.slope(r, v, omega, self.friction(r, v, omega));
        [dr, dv, domega]
    }

    /// Derivatives of the slopes in (r, v, ω), row by row.
    fn derivative(&self, [r, v, omega]: [f64; 3]) -> [[f64; 3]; 3] {
        let Dynamics { m, d, k2, c1, c2, omega0, si, co, .. } = self.dynamics;
        let (h, g) = (self.dynamics.h(r, v, omega), self.dynamics.g(r, v, omega));
        let [(force, force_slopes), (_, moment_slopes)] = self.friction_slopes(h, g);
        let h_gradient = self.dynamics.h_gradient(r, omega);
        let g_gradient = [(omega - omega0) * si, -co, d * co + r * si];
        let gradient = |[along_h, along_g]: [f64; 2]| -> [f64; 3] {
            std::array::from_fn(|k| along_h * h_gradient[k] + along_g * g_gradient[k])
        };
        let (force_gradient, moment_gradient) = (gradient(force_slopes), gradient(moment_slopes));
        let (q, p1, p2) = (self.dynamics.q(r), self.dynamics.p1(r, v, omega), self.dynamics.p2(r));
        let p1_gradient = [m * omega * omega - k2, -c2, 2.0 * m * r * omega];
        let resistance_gradient = [2.0 * m * v * omega, 2.0 * m * r * omega, c1 + 2.0 * m * r * v];
        let (mut slide, mut turn) = ([0.0; 3], [0.0; 3]);
        for k in 0..3 {
            turn[k] = d * p1_gradient[k] - resistance_gradient[k] + force_gradient[k] * r * co + moment_gradient[k];
            slide[k] = (q + d * d) * p1_gradient[k] - d * resistance_gradient[k]
                + force_gradient[k] * p2
                + d * moment_gradient[k];
        }
        turn[0] += force * co;
        slide[0] += 2.0 * r * p1 + force * (d * co + 2.0 * r * si);
        [[2.0 * m * r * v, m * q, 0.0], slide, turn]
    }

    /// States (r, v, ω) at multiples of `interval` in τ until `duration_tau`, from a state.
    ///
    /// # Errors
    /// If the equations cannot be solved to `tolerance`; `Cancelled` if the user interrupts.
    pub fn run(
        &self,
        start: [f64; 3],
        (duration_tau, interval): (f64, f64),
        tolerance: Tolerance,
        progress: &dyn Progress,
    ) -> Result<Vec<[f64; 3]>, AnalysisError> {
        let finest = tolerance.relative.min(tolerance.absolute);
        if !(finest.is_finite() && finest > 0.0) {
            return Err(AnalysisError::solver("relative_tolerance", format!("is {finest}, but must be > 0")));
        }
        for (key, value) in [("duration_tau", duration_tau), ("interval", interval)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(AnalysisError::question(key, format!("is {value}, but must be > 0")));
            }
        }
        let mut sinks = (Pace::of(progress, 0.0, duration_tau), Path { interval, states: vec![start] });
        let mut method = Rosenbrock::new(self, &RODAS5P, tolerance);
        let span = Span::until(duration_tau).at_most(MAX_STEPS);
        let finish = integrate_from(self, &mut method, span, ((), start), &mut sinks);
        let (pace, path) = sinks;
        pace.proceed()?;
        let too_fine = |error| AnalysisError::solver("relative_tolerance", format!("is too fine: {error}"));
        progress.worked(finish.map_err(too_fine)?.effort);
        Ok(path.states)
    }
}

/// Maximum number of steps of a smooth motion.
const MAX_STEPS: u64 = 50_000_000;

/// Keeps the states at multiples of an interval.
struct Path {
    interval: f64,
    states: Vec<[f64; 3]>,
}

impl Sink<SmoothWheel> for Path {
    fn stretch(&mut self, stretch: &Stretch<'_, SmoothWheel>) -> Flow {
        loop {
            let due = self.states.len() as f64 * self.interval;
            // the last instant may be rounded beyond the end
            if due > stretch.to * (1.0 + 1e-12) {
                break;
            }
            let mut state = [0.0; 3];
            (stretch.at)(due.min(stretch.to), &mut state);
            self.states.push(state);
        }
        Flow::Continue
    }
}

impl System for SmoothWheel {
    type State = [f64; 3];
    type Guards = [f64; 0];
    type Mode = ();

    fn start(&self) -> ((), [f64; 3]) {
        ((), [0.0; 3])
    }
    fn rhs(&self, (): (), _tau: f64, y: &[f64; 3], slopes: &mut [f64; 3]) -> Result<(), Fault> {
        *slopes = self.slope(y);
        Ok(())
    }
    fn guard(&self, (): (), _guard: usize) -> Guard {
        Guard::Unused
    }
    fn guards(&self, (): (), _tau: f64, _y: &[f64; 3], _guards: &mut [f64; 0]) {}
    fn jump(&self, (): (), _guard: usize, _tau: f64, _y: &mut [f64; 3]) -> Result<Jump<()>, Fault> {
        Ok(Jump::End)
    }
    fn typical(&self, sizes: &mut [f64; 3]) -> f64 {
        sizes.fill(1.0);
        self.dynamics.clock_unit()
    }
}

impl Stiff for SmoothWheel {
    type Linear = DenseLinear;

    fn new_linear(&self) -> DenseLinear {
        DenseLinear::new(&[1.0; 3])
    }
    fn linearise(
        &self,
        (): (),
        _tau: f64,
        y: &[f64; 3],
        linear: &mut DenseLinear,
        slope: &mut [f64; 3],
        _time_slope: &mut [f64; 3],
    ) -> Result<(), Fault> {
        linear.derivative.copy_from_slice(self.derivative(*y).as_flattened());
        *slope = self.slope(y);
        Ok(())
    }
    fn factorise(&self, rate: f64, linear: &mut DenseLinear) -> bool {
        linear.factorise(rate)
    }
    fn solve(&self, linear: &DenseLinear, right: &mut [f64; 3]) {
        linear.solve(right);
    }
    fn is_autonomous(&self) -> bool {
        true
    }
}

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

/// Noisy motions by the method of Euler and Maruyama: realisation i depends on the seed and i alone.
///
/// # Errors
/// If the step or the duration is not positive, or if they need too many steps; `Cancelled` if the user interrupts.
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
            return Err(AnalysisError::question(key, format!("is {value}, but must be > 0")));
        }
    }
    let steps = request.duration_tau / request.step * realisations as f64;
    if steps > MOST_NOISY_STEPS {
        let message =
            format!("needs {steps:e} steps for all motions, more than {MOST_NOISY_STEPS:e}; choose a longer one");
        return Err(AnalysisError::question("step", message));
    }
    progress.begin("noisy motions", realisations);
    let motions = (0..realisations).into_par_iter().map(|index| {
        if progress.cancelled() {
            return Err(Cancelled.into());
        }
        let exit = noisy_exit(wheel, noise, request, index, progress);
        progress.advance(1);
        exit.ok_or_else(|| Cancelled.into())
    });
    motions.collect()
}

/// One noisy motion; none if the user interrupts.
fn noisy_exit(
    wheel: &SmoothWheel,
    noise: Additive,
    request: &NoisyRequest,
    index: u64,
    progress: &dyn Progress,
) -> Option<NoisyExit> {
    let stream = Germ::new(request.seed, index).stream(Purpose::MotionNoise);
    let mut method = EulerMaruyama::new(wheel, request.step, [0.0, noise.velocity, noise.speed], stream);
    let search = ExitSearch { wheel, request, passed: None, side: 0.0, last: (0.0, request.start) };
    let quiet = Quiet(progress);
    let mut sinks = (Pace::of(&quiet, 0.0, request.duration_tau), search);
    let span = Span::until(request.duration_tau).at_most(u64::MAX);
    // a step that is too long for the equations ends the run: the motion counts as one that has not left
    let finish = integrate_from(wheel, &mut method, span, ((), request.start), &mut sinks);
    let (pace, exit) = sinks;
    pace.proceed().ok()?;
    if let Ok(finish) = finish {
        progress.worked(finish.effort);
    }
    let (tau, [r, _, omega]) = exit.last;
    let found = NoisyExit { side: exit.side, delay: tau - exit.passed.unwrap_or(tau), r, omega };
    Some(found)
}

/// Looks for the first step that ends beyond the threshold, after the position of the two-fold has been passed.
struct ExitSearch<'a> {
    wheel: &'a SmoothWheel,
    request: &'a NoisyRequest,
    /// τ when the position of the two-fold was passed.
    passed: Option<f64>,
    side: f64,
    /// τ and state at the end of the last step.
    last: (f64, [f64; 3]),
}

impl Sink<SmoothWheel> for ExitSearch<'_> {
    fn stretch(&mut self, stretch: &Stretch<'_, SmoothWheel>) -> Flow {
        let (tau, mut y) = (stretch.to, [0.0; 3]);
        (stretch.at)(tau, &mut y);
        self.last = (tau, y);
        if self.passed.is_none() && y[0] <= self.request.two_fold {
            self.passed = Some(tau);
        }
        let h = self.wheel.dynamics.h(y[0], y[1], y[2]);
        if self.passed.is_some() && h.abs() > self.request.threshold {
            self.side = h.signum();
            return Flow::Stop;
        }
        Flow::Continue
    }
}
