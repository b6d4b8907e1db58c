//! The Filippov automaton on systems that are not the wheel, with exact solutions.

use stiction::integrate::{Dop853, Event, Flow, Sink, Span, Stop, Tolerance, integrate};
use stiction::system::System;
use stiction::system::filippov::{
    Automaton, AutomatonEvent, Case, Filippov, Mode, Phase, Region, Side, Signs, TwoFold, Visibility,
};

/// A mass on a spring with Coulomb friction on ground at rest: x' = v, v' = −x ∓ f.
struct DryOscillator {
    friction: f64,
}

impl Filippov for DryOscillator {
    type State = [f64; 3];
    const DIMENSION: usize = 2;

    fn zero(&self) -> [f64; 3] {
        [0.0; 3]
    }
    fn switching(&self, y: &[f64; 3]) -> f64 {
        y[1]
    }
    fn gradient(&self, _y: &[f64; 3], gradient: &mut [f64; 3]) {
        *gradient = [0.0, 1.0, 0.0];
    }
    fn field(&self, side: Side, _signs: Signs, y: &[f64; 3], slope: &mut [f64; 3]) {
        *slope = [y[1], -y[0] - side.sign() * self.friction, 1.0];
    }
}

/// The normal form of a two-fold: h = x₁, f₊ = (−x₂, 1, J₁), f₋ = (x₃, J₂, 1).
struct NormalForm {
    j1: f64,
    j2: f64,
}

impl Filippov for NormalForm {
    type State = [f64; 4];
    const DIMENSION: usize = 3;

    fn zero(&self) -> [f64; 4] {
        [0.0; 4]
    }
    fn switching(&self, y: &[f64; 4]) -> f64 {
        y[0]
    }
    fn gradient(&self, _y: &[f64; 4], gradient: &mut [f64; 4]) {
        *gradient = [1.0, 0.0, 0.0, 0.0];
    }
    fn field(&self, side: Side, _signs: Signs, y: &[f64; 4], slope: &mut [f64; 4]) {
        *slope = match side {
            Side::Plus => [-y[1], 1.0, self.j1, 1.0],
            Side::Minus => [y[2], self.j2, 1.0, 1.0],
        };
    }
}

/// A relay with a second switch, x'' = −a sign(x) − b sign(x'): comes to rest in finite time through infinitely many
/// crossings.
struct Twisting {
    a: f64,
    b: f64,
}

impl Filippov for Twisting {
    type State = [f64; 3];
    const DIMENSION: usize = 2;
    const SIGNS: usize = 1;

    fn zero(&self) -> [f64; 3] {
        [0.0; 3]
    }
    fn switching(&self, y: &[f64; 3]) -> f64 {
        y[0]
    }
    fn gradient(&self, _y: &[f64; 3], gradient: &mut [f64; 3]) {
        *gradient = [1.0, 0.0, 0.0];
    }
    fn field(&self, side: Side, signs: Signs, y: &[f64; 3], slope: &mut [f64; 3]) {
        *slope = [y[1], -self.a * side.sign() - self.b * signs.sign(0), 1.0];
    }
    fn sign_function(&self, _index: usize, y: &[f64; 3]) -> f64 {
        y[1]
    }
}

type Seen<Y> = Vec<(AutomatonEvent, Y, Phase, Option<Phase>)>;

/// Names the events of an automaton.
struct Names<'a, F: Filippov> {
    automaton: &'a Automaton<'a, F>,
    seen: Seen<F::State>,
}

impl<'a, F: Filippov> Sink<Automaton<'a, F>> for Names<'_, F> {
    fn event(&mut self, event: &Event<'_, Automaton<'a, F>>) -> Flow {
        let kind = self.automaton.kind(event.mode, event.guard, event.next, event.after);
        if kind != AutomatonEvent::Internal {
            self.seen.push((kind, *event.after, event.mode.phase, event.next.map(|mode: Mode| mode.phase)));
        }
        Flow::Continue
    }
}

fn seen<F: Filippov>(automaton: &Automaton<'_, F>) -> (Stop, Seen<F::State>) {
    let tolerance = Tolerance { relative: 1e-12, absolute: 1e-14 };
    let mut method = Dop853::new(automaton, tolerance).with_longest_step(0.25);
    let mut names = Names { automaton, seen: Vec::new() };
    let finish = integrate(automaton, &mut method, Span::until(1e6), &mut names).unwrap();
    (finish.stop, names.seen)
}

#[test]
fn a_dry_oscillator_turns_where_it_must_and_stops() {
    let model = DryOscillator { friction: 0.3 };
    let automaton = Automaton::at(&model, [2.0, 0.0, 0.0]).unwrap().until(2, 20.0);
    let (stop, events) = seen(&automaton);
    assert_eq!(stop, Stop::System);
    // turning points at k π, x_k = (−1)^k (x₀ − 2 f k), until |x| < f
    let expected =
        [(1, -1.4, AutomatonEvent::Crossing), (2, 0.8, AutomatonEvent::Crossing), (3, -0.2, AutomatonEvent::Landing)];
    for ((k, x, kind), event) in expected.iter().zip(&events) {
        assert_eq!(event.0, *kind);
        assert!((event.1[0] - x).abs() < 1e-12 && event.1[1] == 0.0, "{event:?}");
        assert!((event.1[2] - f64::from(*k) * std::f64::consts::PI).abs() < 1e-11);
    }
    assert_eq!(events.len(), 4);
    assert_eq!(events[3].0, AutomatonEvent::Deadline);
    assert!((events[3].1[0] + 0.2).abs() < 1e-12 && (events[3].1[2] - 20.0).abs() < 1e-12);
}

#[test]
fn sliding_flows_into_a_two_fold_at_the_exact_time() {
    // along x₂ = x₃ = u the sticking motion is u' = (1 + J)/2
    let model = NormalForm { j1: -2.0, j2: -2.0 };
    let start = [0.0, 0.4, 0.4, 0.0];
    let automaton = Automaton::at(&model, start).unwrap();
    assert_eq!(automaton.start().0.phase, Phase::Sliding);
    let (stop, events) = seen(&automaton);
    assert_eq!((stop, events.len(), events[0].0), (Stop::System, 1, AutomatonEvent::TwoFold));
    let signs = Signs::default();
    let here = events[0].1;
    let two_fold = TwoFold::near(&model, signs, &here).unwrap();
    assert!(two_fold.state[..3].iter().all(|x| x.abs() < 1e-12));
    let arrival = two_fold.arrival(&model, signs, &here).unwrap();
    assert!(arrival.distance <= 1e-5);
    assert!((here[3] + arrival.remaining - 0.8).abs() < 1e-11, "{}", here[3] + arrival.remaining);
    let folds = two_fold.folds;
    for (found, wanted) in
        [(folds.plus_plus, -1.0), (folds.plus_minus, 2.0), (folds.minus_plus, -2.0), (folds.minus_minus, 1.0)]
    {
        assert!((found - wanted).abs() < 1e-9, "{folds:?}");
    }
    assert_eq!((folds.visibility(), folds.case()), (Visibility::Teixeira, Some(Case::Through)));
    let (weak, strong) = folds.eigenvalues().unwrap();
    assert!((weak + 1.0).abs() < 1e-8 && (strong + 3.0).abs() < 1e-8);
    assert!(folds.direction(weak).mix().abs() < 1e-8);
}

#[test]
fn all_of_the_sliding_region_flows_into_it() {
    let model = NormalForm { j1: -1.3, j2: -1.1 };
    for start in [[0.0, 0.01, 0.7, 0.0], [0.0, 0.9, 0.02, 0.0], [0.0, 0.3, 0.5, 0.0]] {
        let (_, events) = seen(&Automaton::at(&model, start).unwrap());
        assert_eq!(events[0].0, AutomatonEvent::TwoFold, "{start:?}");
        assert!((events[0].1[1].powi(2) + events[0].1[2].powi(2)).sqrt() <= 1.000_001e-5);
    }
}

#[test]
fn local_return_maps_are_the_exact_ones_of_the_normal_form() {
    let model = NormalForm { j1: -1.3, j2: -1.1 };
    let folds = TwoFold::near(&model, Signs::default(), &[0.0, 0.1, 0.1, 0.0]).unwrap().folds;
    // from a crossing region the plus field, which is quadratic in time, comes back after 2u
    let start = [0.0, -0.2, 0.5, 0.0];
    let automaton = Automaton::at(&model, start).unwrap();
    assert_eq!(automaton.start().0.phase, Phase::Slip(Side::Plus));
    let (_, events) = seen(&automaton);
    let (u, w) = folds.returned_along_plus(0.2, 0.5);
    assert!((events[0].1[1] + u).abs() < 1e-9 && (events[0].1[2] - w).abs() < 1e-9, "{events:?} {u} {w}");
    assert!((events[0].1[3] - 0.4).abs() < 1e-11);
}

#[test]
fn the_escaping_region_has_no_start_of_its_own_and_is_left_on_the_other_side() {
    let model = NormalForm { j1: -1.3, j2: -1.1 };
    let start = [0.0, -0.3, -0.2, 0.0];
    assert_eq!(model.lie(Signs::default(), &start).region(), Region::Escaping);
    assert!(Automaton::at(&model, start).is_none());
    let mode = Automaton::mode(&model, Phase::Escaping, Signs::default(), &start);
    let (_, events) = seen(&Automaton::new(&model, (mode, start)).until(3, 0.5));
    let (kind, state, before, after) = events[0];
    let AutomatonEvent::Limit(side) = kind else { panic!("{events:?}") };
    // L₊ = −x₂ and L₋ = x₃: the side whose field became tangent gives way to the other
    assert_eq!((before, after), (Phase::Escaping, Some(Phase::Slip(side.other()))));
    assert!((if side == Side::Plus { state[1] } else { state[2] }).abs() < 1e-12);
}

#[test]
fn sliding_motion_of_the_normal_form_is_exact_in_between() {
    // J₁ = J₂ = J: s = x₂ + x₃ falls as s' = 1 + J, and p = x₂ − x₃ as p' = (J − 1) p/s: p ~ s^((J−1)/(J+1))
    let j = -1.5;
    let model = NormalForm { j1: j, j2: j };
    let (s0, p0) = (1.0, 0.5);
    let start = [0.0, 0.5 * (s0 + p0), 0.5 * (s0 - p0), 0.0];
    let (_, events) = seen(&Automaton::at(&model, start).unwrap().until(3, 1.2));
    assert_eq!(events[0].0, AutomatonEvent::Deadline);
    let [_, x2, x3, tau] = events[0].1;
    let s = s0 + (1.0 + j) * 1.2;
    let p = p0 * stiction::num::real::pow(s / s0, (j - 1.0) / (j + 1.0));
    assert!((tau - 1.2).abs() < 1e-13);
    assert!((x2 + x3 - s).abs() < 1e-11 && (x2 - x3 - p).abs() < 1e-11, "{} {p}", x2 - x3);
}

#[test]
fn a_twisting_relay_comes_to_rest_in_finite_time() {
    let model = Twisting { a: 2.0, b: 1.0 };
    // from x = 0 with x' = −1: each half turn takes V(1/3 + 1/√3) and multiplies V by 1/√3
    let root = 3.0_f64.sqrt();
    let start = [0.0, -1.0, 0.0];
    let automaton = Automaton::at(&model, start).unwrap();
    let tolerance = Tolerance { relative: 1e-12, absolute: 1e-16 };
    let mut method = Dop853::new(&automaton, tolerance);
    let mut names = Names { automaton: &automaton, seen: Vec::new() };
    let finish = integrate(&automaton, &mut method, Span::until(100.0), &mut names).unwrap();
    assert!(matches!(finish.stop, Stop::Accumulation { .. }), "{:?}", finish.stop);
    let total = (1.0 / 3.0 + 1.0 / root) / (1.0 - 1.0 / root);
    assert!((finish.time - total).abs() < 1e-8, "{} {total}", finish.time);
    let crossings: Vec<f64> =
        names.seen.iter().filter(|event| event.0 == AutomatonEvent::Crossing).map(|event| event.1[1].abs()).collect();
    for pair in crossings.windows(2).take(10) {
        assert!((pair[1] / pair[0] - 1.0 / root).abs() < 1e-9);
    }
}
