//! The Rosenbrock methods: their orders, their damping, their dense output, and events on it.

use stiction::integrate::{
    Event, Flow, Method, RODAS4P, RODAS5P, Rosenbrock, Sink, Span, Tableau, Tolerance, integrate_from,
};
use stiction::num::real::{cos, exp, ln, sin};
use stiction::system::{DenseLinear, Fault, Guard, Jump, Stiff, System};

/// A small stiff problem with a known solution.
#[derive(Debug, Clone, Copy)]
enum Problem {
    /// Kaps' problem: y₁ = e⁻²ᵗ, y₂ = e⁻ᵗ; nonlinear, as stiff as its number says.
    Kaps(f64),
    /// y′ = −2 t y²: explicit time.
    Timed,
    /// y′ = −λ (y − sin t) + cos t, the problem of Prothero and Robinson.
    Forced(f64),
    /// y′ = −λ y
    Decay(f64),
}

impl Problem {
    fn solution(self, t: f64) -> [f64; 2] {
        match self {
            Problem::Kaps(_) => [exp(-2.0 * t), exp(-t)],
            Problem::Timed => [1.0 / (1.0 + t * t), 0.0],
            Problem::Forced(_) => [sin(t), 0.0],
            Problem::Decay(rate) => [exp(-rate * t), 0.0],
        }
    }

    fn slope_and_derivatives(self, t: f64, y: &[f64; 2]) -> ([f64; 2], [f64; 4], [f64; 2]) {
        match self {
            Problem::Kaps(k) => (
                [-(k + 2.0) * y[0] + k * y[1] * y[1], y[0] - y[1] - y[1] * y[1]],
                [-(k + 2.0), 2.0 * k * y[1], 1.0, -1.0 - 2.0 * y[1]],
                [0.0; 2],
            ),
            Problem::Timed => {
                ([-2.0 * t * y[0] * y[0], 0.0], [-4.0 * t * y[0], 0.0, 0.0, 0.0], [-2.0 * y[0] * y[0], 0.0])
            }
            Problem::Forced(rate) => {
                ([-rate * (y[0] - sin(t)) + cos(t), 0.0], [-rate, 0.0, 0.0, 0.0], [rate * cos(t) - sin(t), 0.0])
            }
            Problem::Decay(rate) => ([-rate * y[0], 0.0], [-rate, 0.0, 0.0, 0.0], [0.0; 2]),
        }
    }
}

impl System for Problem {
    type State = [f64; 2];
    type Guards = [f64; 2];
    type Mode = ();

    fn start(&self) -> ((), [f64; 2]) {
        ((), self.solution(0.0))
    }
    fn rhs(&self, (): (), t: f64, y: &[f64; 2], dy: &mut [f64; 2]) -> Result<(), Fault> {
        *dy = self.slope_and_derivatives(t, y).0;
        Ok(())
    }
    fn guard(&self, (): (), guard: usize) -> Guard {
        if guard == 0 { Guard::Section("section") } else { Guard::Boundary("boundary") }
    }
    /// A section where y₁ passes a half, a boundary where it passes a tenth.
    fn guards(&self, (): (), _t: f64, y: &[f64; 2], guards: &mut [f64; 2]) {
        *guards = [y[0] - 0.5, y[0] - 0.1];
    }
    fn jump(&self, (): (), _guard: usize, _t: f64, _y: &mut [f64; 2]) -> Result<Jump<()>, Fault> {
        Ok(Jump::End)
    }
}

impl Stiff for Problem {
    type Linear = DenseLinear;

    fn new_linear(&self) -> DenseLinear {
        DenseLinear::new(&[1.0; 2])
    }
    fn linearise(
        &self,
        (): (),
        t: f64,
        y: &[f64; 2],
        linear: &mut DenseLinear,
        slope: &mut [f64; 2],
        time: &mut [f64; 2],
    ) -> Result<(), Fault> {
        let derivative;
        (*slope, derivative, *time) = self.slope_and_derivatives(t, y);
        linear.derivative.copy_from_slice(&derivative);
        Ok(())
    }
    fn factorise(&self, rate: f64, linear: &mut DenseLinear) -> bool {
        linear.factorise(rate)
    }
    fn solve(&self, linear: &DenseLinear, right: &mut [f64; 2]) {
        linear.solve(right);
    }
}

/// Error at the end of `steps` equal steps over one second, and the largest one of the dense output on the way.
fn errors(problem: Problem, tableau: &'static Tableau, steps: u32) -> (f64, f64) {
    let mut method = Rosenbrock::new(&problem, tableau, Tolerance::default());
    let h = 1.0 / f64::from(steps);
    method.restart(&problem, (), 0.0, &problem.start().1, h).unwrap();
    let distance = |y: &[f64; 2], t: f64| {
        let exact = problem.solution(t);
        (y[0] - exact[0]).abs().max((y[1] - exact[1]).abs())
    };
    let mut inside = 0.0_f64;
    for i in 0..steps {
        let t = f64::from(i) * h;
        method.attempt(&problem, (), t, h).unwrap();
        for theta in [0.21, 0.5, 0.83] {
            let mut y = [0.0; 2];
            method.at(theta, &mut y);
            inside = inside.max(distance(&y, t + theta * h));
        }
        method.advance();
    }
    (distance(method.start(), 1.0), inside)
}

fn orders(problem: Problem, tableau: &'static Tableau, steps: u32) -> (f64, f64) {
    let (coarse, fine) = (errors(problem, tableau, steps), errors(problem, tableau, 2 * steps));
    (ln(coarse.0 / fine.0) / ln(2.0), ln(coarse.1 / fine.1) / ln(2.0))
}

#[test]
fn both_methods_have_their_order_on_smooth_problems() {
    for problem in [Problem::Kaps(1.0), Problem::Kaps(20.0), Problem::Timed, Problem::Forced(3.0)] {
        let (four, _) = orders(problem, &RODAS4P, 32);
        assert!((3.8..5.2).contains(&four), "rodas4p, {problem:?}: {four}");
        let (five, _) = orders(problem, &RODAS5P, 32);
        assert!((4.6..6.3).contains(&five), "rodas5p, {problem:?}: {five}");
    }
}

#[test]
fn the_dense_output_has_order_three_and_four_at_least() {
    for problem in [Problem::Kaps(1.0), Problem::Timed] {
        let (_, three) = orders(problem, &RODAS4P, 32);
        assert!((3.6..5.2).contains(&three), "rodas4p, {problem:?}: {three}");
        let (_, four) = orders(problem, &RODAS5P, 16);
        assert!((4.4..6.2).contains(&four), "rodas5p, {problem:?}: {four}");
    }
}

#[test]
fn order_is_reduced_on_a_very_stiff_forced_problem_but_not_lost() {
    // the full order where the stiffness is moderate; in between and beyond, h λ ≫ 1, less: documented, not hidden
    for (tableau, least) in [(&RODAS4P, 2.8), (&RODAS5P, 2.8)] {
        for rate in [1e4, 1e6] {
            let (order, _) = orders(Problem::Forced(rate), tableau, 16);
            assert!(order > least, "{}, {rate:e}: {order}", tableau.name);
            assert!(errors(Problem::Forced(rate), tableau, 16).0 < 1e-6);
        }
    }
}

#[test]
fn infinitely_fast_rates_are_damped_at_once() {
    for tableau in [&RODAS4P, &RODAS5P] {
        let (end, _) = errors(Problem::Decay(1e12), tableau, 1);
        assert!(end < 1e-10, "{}: {end:e}", tableau.name);
    }
}

#[derive(Default)]
struct Times(Vec<(f64, Guard)>);

impl Sink<Problem> for Times {
    fn event(&mut self, event: &Event<'_, Problem>) -> Flow {
        self.0.push((event.time, event.kind));
        Flow::Continue
    }
}

#[test]
fn events_are_found_on_the_dense_output_and_refined_by_the_method() {
    for (tableau, limit) in [(&RODAS4P, 2e-7), (&RODAS5P, 1e-8)] {
        for problem in [Problem::Kaps(1.0), Problem::Kaps(1e5)] {
            let tolerance = Tolerance { relative: 1e-8, absolute: 1e-10 };
            let mut method = Rosenbrock::new(&problem, tableau, tolerance);
            let mut times = Times::default();
            let finish =
                integrate_from(&problem, &mut method, Span::until(10.0).integrated(), problem.start(), &mut times);
            assert!((finish.unwrap().time - 0.5 * ln(10.0)).abs() < limit);
            assert_eq!(times.0.len(), 2);
            assert_eq!((times.0[0].1, times.0[1].1), (Guard::Section("section"), Guard::Boundary("boundary")));
            assert!((times.0[0].0 - 0.5 * ln(2.0)).abs() < limit, "{:?}", times.0);
            assert!((times.0[1].0 - 0.5 * ln(10.0)).abs() < limit, "{:?}", times.0);
        }
    }
}

#[test]
fn the_error_follows_the_tolerance_with_few_steps() {
    for (tableau, steps) in [(&RODAS4P, 140), (&RODAS5P, 80)] {
        for relative in [1e-4, 1e-6, 1e-8] {
            let problem = Problem::Forced(1e5);
            let free = Free(problem);
            let mut method = Rosenbrock::new(&free, tableau, Tolerance { relative, absolute: relative });
            let span = Span::until(1.5).integrated();
            // it starts off the slow solution
            let finish = integrate_from(&free, &mut method, span, ((), [0.2, 0.0]), &mut ()).unwrap();
            let error = (finish.state[0] - sin(1.5)).abs();
            assert!(error < 20.0 * relative, "{}: {error:e} at {relative:e}", tableau.name);
            assert!(finish.steps < steps, "{} steps", finish.steps);
        }
    }
}

/// The same problem without guards that could end it.
#[derive(Debug, Clone, Copy)]
struct Free(Problem);

impl System for Free {
    type State = [f64; 2];
    type Guards = [f64; 0];
    type Mode = ();

    fn start(&self) -> ((), [f64; 2]) {
        self.0.start()
    }
    fn rhs(&self, (): (), t: f64, y: &[f64; 2], dy: &mut [f64; 2]) -> Result<(), Fault> {
        self.0.rhs((), t, y, dy)
    }
    fn guard(&self, (): (), _guard: usize) -> Guard {
        Guard::Unused
    }
    fn guards(&self, (): (), _t: f64, _y: &[f64; 2], _guards: &mut [f64; 0]) {}
    fn jump(&self, (): (), _guard: usize, _t: f64, _y: &mut [f64; 2]) -> Result<Jump<()>, Fault> {
        Ok(Jump::End)
    }
}

impl Stiff for Free {
    type Linear = DenseLinear;

    fn new_linear(&self) -> DenseLinear {
        self.0.new_linear()
    }
    fn linearise(
        &self,
        (): (),
        t: f64,
        y: &[f64; 2],
        linear: &mut DenseLinear,
        slope: &mut [f64; 2],
        time: &mut [f64; 2],
    ) -> Result<(), Fault> {
        self.0.linearise((), t, y, linear, slope, time)
    }
    fn factorise(&self, rate: f64, linear: &mut DenseLinear) -> bool {
        linear.factorise(rate)
    }
    fn solve(&self, linear: &DenseLinear, right: &mut [f64; 2]) {
        linear.solve(right);
    }
}

#[test]
fn a_dense_solve_has_the_same_bits_in_any_units() {
    // a light block on a soft spring; powers of two, so that a change of units is exact
    let solve = |[length, speed]: [f64; 2]| {
        let mut linear = DenseLinear::new(&[length, speed]);
        linear.derivative = vec![0.0, 1.3 * length / speed, -7.1e2 * speed / length, -1.1e6];
        assert!(linear.factorise(3.7));
        let mut right = [0.7 * length, 0.9 * speed];
        linear.solve(&mut right);
        [right[0] / length, right[1] / speed]
    };
    for units in [[4096.0, 1.0], [1.0, 4096.0], [1.0 / 1024.0, 1048576.0]] {
        assert_eq!(solve(units), solve([1.0, 1.0]), "{units:?}");
    }
}
