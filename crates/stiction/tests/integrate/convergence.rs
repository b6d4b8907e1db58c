//! Measured orders: errors against exact solutions shrink with the step as the theory says, also across events.

use crate::support::problems::{Direction, DryOscillator, LogisticWave, Side, TwoSprings};
use crate::support::recorder::Recorder;
use stiction::integrate::{Dop853, Dopri5, Method, Rk4, Span, Tolerance, integrate};
use stiction::system::System;

/// Every step is accepted: the step is the longest one, and only it makes the error.
const ANY: Tolerance = Tolerance { relative: 1e9, absolute: 1e9 };

/// Steps of equal length by the method alone, without the loop: the largest error at the end of any step (at one instant
/// alone it may cancel), and the largest error that the dense output adds within a step.
fn steps<M: Method<LogisticWave>>(method: &mut M, count: u32, end: f64) -> (f64, f64) {
    let system = LogisticWave;
    let h = end / f64::from(count);
    method.restart(&system, (), 0.0, &system.start().1, h).unwrap();
    let (mut error, mut dense_error) = (0.0_f64, 0.0_f64);
    for k in 0..count {
        let t = h * f64::from(k);
        method.attempt(&system, (), t, h).unwrap();
        method.prepare_dense(&system, (), t, h).unwrap();
        for theta in [0.21, 0.5, 0.83] {
            // against the exact flow from the start of this step, so that only the error of this step shows
            let mut y = [0.0];
            method.at(theta, &mut y);
            let constant = 1.0 / method.start()[0] + stiction::num::real::sin(t);
            let exact = 1.0 / (constant - stiction::num::real::sin(t + theta * h));
            dense_error = dense_error.max((y[0] - exact).abs());
        }
        method.advance();
        error = error.max((method.start()[0] - LogisticWave::exact(t + h)).abs());
    }
    (error, dense_error)
}

/// Exponent of the error between a run with `coarse` steps and one with twice as many.
fn order(coarse: f64, fine: f64) -> f64 {
    stiction::num::real::log2(coarse / fine)
}

#[test]
fn a_step_of_dop853_has_order_eight_and_its_dense_output_order_seven() {
    // fine enough that the leading term rules, coarse enough that rounding (1e-16) does not
    let runs = [8, 16, 32].map(|n| steps(&mut Dop853::new(&LogisticWave, ANY), n, 6.0));
    let ends = order(runs[1].0, runs[2].0);
    assert!((7.5..9.5).contains(&ends), "order {ends} of {runs:?}");
    // one step of a dense output of order p has an error h^(p + 1)
    let dense = order(runs[1].1, runs[2].1);
    assert!((7.4..9.0).contains(&dense), "order {dense} of {runs:?}");
}

#[test]
fn a_step_of_dopri5_has_order_five_and_its_dense_output_order_four() {
    let runs = [40, 80].map(|n| steps(&mut Dopri5::new(&LogisticWave, ANY), n, 6.0));
    let ends = order(runs[0].0, runs[1].0);
    assert!((4.7..6.0).contains(&ends), "order {ends} of {runs:?}");
    let dense = order(runs[0].1, runs[1].1);
    assert!((4.6..5.6).contains(&dense), "order {dense} of {runs:?}");
}

#[test]
fn a_step_of_rk4_has_order_four() {
    let runs = [100, 200].map(|n| steps(&mut Rk4::new(&LogisticWave, 1.0), n, 6.0));
    let ends = order(runs[0].0, runs[1].0);
    assert!((3.8..4.3).contains(&ends), "order {ends} of {runs:?}");
    let dense = order(runs[0].1, runs[1].1);
    assert!((3.8..4.3).contains(&dense), "the cubic of a step has an error h⁴: {dense} of {runs:?}");
}

/// Errors of the time and the state of the last of many crossings between two springs.
fn crossings<M: Method<TwoSprings>>(method: &mut M) -> (f64, f64) {
    let mut events = Recorder::until(20);
    integrate(&TwoSprings, method, Span::until(100.0), &mut events).unwrap();
    let last = &events.events[19];
    assert_eq!(last.mode, Side::Stiff);
    ((last.time - TwoSprings::crossing(20)).abs(), (last.after[1] - 1.0).abs())
}

#[test]
fn twenty_events_between_two_springs_keep_the_order_of_dop853() {
    // Located on the dense output alone, event times would have order 7. The errors are 1e-7 .. 1e-12, far above
    // rounding; short steps after each restart are common to both runs.
    let runs = [0.4, 0.1].map(|h| crossings(&mut Dop853::new(&TwoSprings, ANY).with_longest_step(h)));
    let (time, state) = (order(runs[0].0, runs[1].0) / 2.0, order(runs[0].1, runs[1].1) / 2.0);
    assert!((7.7..8.6).contains(&time), "order {time} of event times {runs:?}");
    // the amplitude of a linear oscillator converges one order faster than its phase
    assert!(state > 7.7, "order {state} of states {runs:?}");
}

#[test]
fn twenty_events_between_two_springs_keep_the_order_of_rk4() {
    let runs = [0.02, 0.01, 0.005].map(|h| crossings(&mut Rk4::new(&TwoSprings, h)));
    for pair in runs.windows(2) {
        let (time, state) = (order(pair[0].0, pair[1].0), order(pair[0].1, pair[1].1));
        assert!(time > 3.7, "order {time} of event times {runs:?}");
        assert!(state > 3.7, "order {state} of states {runs:?}");
    }
}

#[test]
fn turning_points_of_a_dry_oscillator_converge_and_it_stops_where_friction_holds_it() {
    let system = DryOscillator { start: 10.3, friction: 0.3 };
    let run = |h: f64| {
        let mut events = Recorder::default();
        let mut method = Dop853::new(&system, ANY).with_longest_step(h);
        let finish = integrate(&system, &mut method, Span::until(80.0), &mut events).unwrap();
        // |10.3 − 0.6 k| <= 0.3 first for k = 17
        assert_eq!((events.events.len(), finish.mode), (17, Direction::Rest));
        let exact = system.turning_point(17);
        ((events.events[16].time - 17.0 * std::f64::consts::PI).abs(), (finish.state[0] - exact).abs())
    };
    let runs = [1.0, 0.5].map(run);
    let (time, state) = (order(runs[0].0, runs[1].0), order(runs[0].1, runs[1].1));
    assert!(time > 7.3 && state > 7.3, "orders {time} {state} of {runs:?}");
    // and with error control to a bound that grows with the number of steps, about 17 · 6 of them
    let mut events = Recorder::default();
    let finish = integrate(&system, &mut Dop853::new(&system, Tolerance::default()), Span::until(80.0), &mut events);
    assert!((events.events[16].time - 17.0 * std::f64::consts::PI).abs() < 1e-11);
    assert!((finish.unwrap().state[0] - system.turning_point(17)).abs() < 1e-10);
}
