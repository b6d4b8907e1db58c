//! The event rules of the loop, one after the other. Each test says what would break it.

use crate::support::problems::{Ball, BouncingBall, Dip, DryOscillator, Scripted, Side, TwoSprings};
use crate::support::recorder::Recorder;
use std::f64::consts::{FRAC_PI_2, PI};
use stiction::integrate::{
    Dop853, Event, Flow, IntegrationError, MAX_JUMPS_AT_ONCE, Method, Rk4, Sink, Span, Stop, Stretch, Tolerance,
    integrate, integrate_from,
};
use stiction::num::real;
use stiction::system::{Guard, Jump, System};

/// Every step is accepted, so that the steps are as long as the method likes.
const ANY: Tolerance = Tolerance { relative: 1e9, absolute: 1e9 };

fn dop<S: System>(system: &S) -> Dop853<S> {
    Dop853::new(system, Tolerance::default())
}

fn events<S: System>(system: &S, end: f64) -> Recorder<S> {
    let mut recorder = Recorder::default();
    integrate(system, &mut dop(system), Span::until(end), &mut recorder).unwrap();
    recorder
}

// rule 1: two roots inside one step (scipy/scipy#9228)

#[test]
fn a_guard_that_dips_below_zero_within_one_step_is_seen_twice() {
    // The clock's equation is exact at any step: the whole span is a handful of steps, the last of them much longer than
    // the dip. A comparison of signs at the ends of steps sees nothing.
    let system = Scripted::sections(&[|_, _, y| (y - 90.0) * (y - 91.0)]);
    let seen = events(&system, 100.0);
    assert_eq!(seen.events.len(), 2, "{:?}", seen.times());
    assert!((seen.events[0].time - 90.0).abs() < 1e-12 && !seen.events[0].rising);
    assert!((seen.events[1].time - 91.0).abs() < 1e-12 && seen.events[1].rising);
    assert!(
        seen.stretches.iter().any(|(from, to)| *from < 89.0 && *to == seen.events[0].time),
        "the step was too short"
    );
}

#[test]
fn a_boundary_that_is_passed_and_regained_within_one_step_ends_the_mode() {
    let system = Scripted::boundaries(&[|_, _, y| (y - 90.0) * (y - 91.0)], |_, _, _| Jump::End);
    let mut recorder = Recorder::default();
    let finish = integrate(&system, &mut dop(&system), Span::until(100.0), &mut recorder).unwrap();
    assert_eq!((finish.stop, recorder.events.len()), (Stop::System, 1));
    assert!((finish.time - 90.0).abs() < 1e-12);
}

#[test]
fn a_guard_that_varies_faster_than_the_motion_loses_no_root() {
    // The error control knows the state only, whose steps grow without limit here. Without a check of the guard itself
    // against its polynomial, 32 roots fall between eight samples.
    let system = Scripted::sections(&[|_, t, _| real::sin(t)]);
    let seen = events(&system, 100.5);
    let expected: Vec<f64> = (1..32).map(|k| PI * f64::from(k)).collect();
    assert_eq!(seen.events.len(), expected.len(), "{:?}", seen.times());
    for (event, expected) in seen.events.iter().zip(expected) {
        assert!((event.time - expected).abs() < 1e-9, "{} {expected}", event.time);
    }
}

#[test]
fn a_guard_with_a_kink_does_not_stall_the_loop() {
    // no polynomial fits it: the loop must settle for what it can resolve
    let system = Scripted::sections(&[|_, _, y| (y - 3.3).abs() - 0.1]);
    let seen = events(&system, 10.0);
    assert_eq!(seen.events.len(), 2, "{:?}", seen.times());
    assert!((seen.events[0].time - 3.2).abs() < 1e-12 && (seen.events[1].time - 3.4).abs() < 1e-12);
}

#[test]
fn a_guard_that_is_only_rounding_does_not_stall_the_loop() {
    // At rest in continuous sliding the acceleration is the difference of two equal forces: noise that no polynomial fits.
    // Steps that are halved because of it shrink to nothing.
    let block = crate::support::blocks::started(crate::support::blocks::paper(0.78), 0.5, 0.0);
    let mut recorder = Recorder::default();
    let finish = integrate(&block, &mut dop(&block), Span::until(1e5), &mut recorder).unwrap();
    assert!(finish.state[1].abs() < 1e-11, "{:?}", finish.state);
    assert!(finish.steps < 200_000, "{} steps", finish.steps);
}

// rule 2: a guard that starts at zero (SciML/OrdinaryDiffEq.jl#3222)

#[test]
fn a_guard_that_starts_at_zero_is_not_fired_again_and_not_lost_when_it_comes_back() {
    // Every phase starts on the guard that ends it. Firing the root at the start makes 1e4 events at t = 0; skipping the
    // first step instead loses returns within it.
    let seen = events(&TwoSprings, TwoSprings::crossing(40) + 0.1);
    assert_eq!(seen.events.len(), 40);
    for (n, event) in (1..).zip(&seen.events) {
        assert!((event.time - TwoSprings::crossing(n)).abs() < 1e-11, "{n}: {}", event.time);
        assert!(!event.rising, "a boundary is left by falling through zero");
    }
}

#[test]
fn a_return_within_the_very_first_step_is_not_lost() {
    // thrown up so slowly that it comes back long before the first step of a fixed-step method is over
    for speed in [1.0, 1e-3, 1e-6, 1e-8] {
        let ball = BouncingBall { height: 0.0, gravity: 10.0, restitution: 0.5, can_rest: false };
        let mut recorder = Recorder::until(1);
        let start = (Ball::Flight, [0.0, speed]);
        integrate_from(&ball, &mut Rk4::new(&ball, 1.0), Span::until(5.0), start, &mut recorder).unwrap();
        let expected = speed / 5.0;
        assert!((recorder.events[0].time - expected).abs() < 1e-10 * expected, "{speed}: {}", recorder.events[0].time);
    }
}

#[test]
fn a_guard_that_starts_at_zero_and_falls_fires_at_once() {
    let system =
        Scripted::boundaries(
            &[|_, _, y| -y, |_, _, y| 1.0 - y],
            |_, guard, _| {
                if guard == 0 { Jump::To(1) } else { Jump::End }
            },
        );
    // in mode 1 the first guard is still violated; a system that says so is cut short by rule 3, so it ends here instead
    let mut recorder = Recorder::until(1);
    integrate(&system, &mut dop(&system), Span::until(2.0), &mut recorder).unwrap();
    assert_eq!((recorder.events[0].time, recorder.events[0].guard), (0.0, 0));
}

#[test]
fn a_guard_that_starts_at_zero_with_slope_zero_is_followed_to_its_next_root() {
    // a double root at the start (a slip that starts as the graze orbit) must be divided out twice
    let system = Scripted::sections(&[|_, _, y| y * y * (0.7 - y)]);
    let seen = events(&system, 1.0);
    assert_eq!(seen.events.len(), 1, "{:?}", seen.times());
    assert!((seen.events[0].time - 0.7).abs() < 1e-12);
}

// rule 3: several guards at the same time (SciML/DiffEqBase.jl#837)

#[test]
fn of_guards_that_fall_together_the_lowest_index_jumps_first_and_the_other_at_once() {
    // in mode 0 guards 0 and 1 reach zero at y = 1; guard 0 leads to mode 1, in which guard 1 is still at zero and falling
    let system = Scripted::boundaries(
        &[|mode, _, y| if mode == 0 { 1.0 - y } else { 1.0 }, |mode, _, y| if mode <= 1 { 1.0 - y } else { 1.0 }],
        |mode, _, y| {
            *y = 1.0;
            Jump::To(mode + 1)
        },
    );
    let seen = events(&system, 3.0);
    let order: Vec<_> = seen.events.iter().map(|event| (event.guard, event.mode, event.next)).collect();
    assert_eq!(order, [(0, 0, Some(1)), (1, 1, Some(2))]);
    assert!((seen.events[0].time - 1.0).abs() < 1e-14 && seen.events[1].time == seen.events[0].time);
}

#[test]
fn jumps_that_contradict_each_other_end_with_an_error_that_names_the_instant() {
    // two modes that send the motion to each other for ever: without a bound the loop hangs
    let system = Scripted::boundaries(&[|_, _, y| 1.0 - y], |mode, _, y| {
        *y = 1.0;
        Jump::To(1 - mode)
    });
    let mut recorder = Recorder::default();
    let error = integrate(&system, &mut dop(&system), Span::until(3.0), &mut recorder).unwrap_err();
    let IntegrationError::EndlessJumps { time, guard, state, .. } = error else { panic!("{error}") };
    assert_eq!((guard, state, recorder.events.len()), ("boundary".to_owned(), vec![1.0], MAX_JUMPS_AT_ONCE));
    assert!((time - 1.0).abs() < 1e-14, "{time}");
}

#[test]
fn a_boundary_violated_on_entry_fires_before_any_motion() {
    let mut system = Scripted::boundaries(&[|mode, _, y| if mode == 0 { 1.0 - y } else { 1.0 }], |_, _, _| Jump::To(1));
    system.start = 5.0;
    let seen = events(&system, 1.0);
    assert_eq!((seen.events[0].time, seen.events[0].after, seen.events.len()), (0.0, [5.0], 1));
    assert_eq!(seen.stretches[0].0, 0.0);
}

#[test]
fn sections_inside_a_step_come_in_order_of_time_and_a_boundary_hides_those_behind_it() {
    let mut system =
        Scripted::sections(&[|_, _, y| y - 50.2, |_, _, y| y - 50.1, |_, _, y| 50.3 - y, |_, _, y| y - 50.4]);
    system.guards[2].0 = Guard::Boundary("boundary");
    let seen = events(&system, 100.0);
    let order: Vec<usize> = seen.events.iter().map(|event| event.guard).collect();
    assert_eq!(order, [1, 0, 2], "guard 3 would come after the motion has ended");
}

#[test]
fn simultaneous_sections_come_in_order_of_their_index() {
    let system = Scripted::sections(&[|_, _, y| y - 50.0, |_, _, y| 50.0 - y]);
    let order: Vec<usize> = events(&system, 100.0).events.iter().map(|event| event.guard).collect();
    assert_eq!(order, [0, 1]);
}

// rule 4: infinitely many events in finite time

const BALL: BouncingBall = BouncingBall { height: 0.9, gravity: 9.81, restitution: 0.9, can_rest: false };

#[test]
fn a_bouncing_ball_stops_where_its_bounces_accumulate() {
    // without extrapolation: bounces until f64 has no room between them, or a fall through the floor
    let mut recorder = Recorder::default();
    let finish = integrate(&BALL, &mut dop(&BALL), Span::until(100.0), &mut recorder).unwrap();
    let Stop::Accumulation { guard, error } = finish.stop else { panic!("{:?}", finish.stop) };
    assert_eq!(guard, 0);
    // each of about 170 bounces is located to the resolution of time, 1e-15
    let miss = (finish.time - BALL.end_of_bounces()).abs();
    assert!(miss < 1e-12 && error < 1e-9 && miss <= error + 1e-12, "{miss:e}, bound {error:e}");
    for (n, event) in (0..60).zip(&recorder.events) {
        assert!((event.time - BALL.hit(n)).abs() < 1e-12, "bounce {n}");
    }
    assert!(recorder.events.len() < 400, "{} bounces", recorder.events.len());
}

#[test]
fn a_bouncing_ball_that_can_rest_rests_from_then_on() {
    for restitution in [0.1, 0.5, 0.9, 0.97] {
        let ball = BouncingBall { can_rest: true, restitution, ..BALL };
        let mut recorder = Recorder::default();
        let finish = integrate(&ball, &mut dop(&ball), Span::until(100.0), &mut recorder).unwrap();
        assert_eq!((finish.stop, finish.mode, finish.state, finish.time), (Stop::End, Ball::Rest, [0.0; 2], 100.0));
        // the stretch from the last bounce that was computed ends at the accumulation
        let last = recorder.events.last().unwrap().time;
        let rests = recorder.stretches.iter().find(|(from, _)| *from == last).unwrap().1;
        let miss = (rests - ball.end_of_bounces()).abs();
        assert!(miss < 1e-11, "{restitution}: {miss:e}");
    }
}

#[test]
fn a_bouncing_ball_is_never_below_the_floor() {
    struct Lowest(f64);
    impl Sink<BouncingBall> for Lowest {
        fn stretch(&mut self, stretch: &Stretch<'_, BouncingBall>) -> Flow {
            let mut y = [0.0; 2];
            for k in 0..=16 {
                (stretch.at)(stretch.from + (stretch.to - stretch.from) * f64::from(k) / 16.0, &mut y);
                self.0 = self.0.min(y[0]);
            }
            Flow::Continue
        }
        fn event(&mut self, event: &Event<'_, BouncingBall>) -> Flow {
            self.0 = self.0.min(event.after[0]);
            Flow::Continue
        }
    }
    let mut lowest = Lowest(0.0);
    let finish = integrate(&BALL, &mut dop(&BALL), Span::until(100.0), &mut lowest).unwrap();
    // the rounding of the height: ε times the 0.9 m of the fall
    assert!(lowest.0 >= -1e-15 && finish.state[0] >= 0.0, "{:e}", lowest.0);
}

#[test]
fn intervals_that_shrink_without_accumulating_are_not_taken_for_an_accumulation() {
    // turning points of a dry oscillator come at constant intervals, those of a ball that loses nothing too
    let elastic = BouncingBall { restitution: 1.0, ..BALL };
    let finish = integrate(&elastic, &mut dop(&elastic), Span::until(1000.0), &mut ()).unwrap();
    assert_eq!(finish.stop, Stop::End);
    let dry = DryOscillator { start: 100.3, friction: 0.1 };
    assert_eq!(integrate(&dry, &mut dop(&dry), Span::until(2000.0), &mut ()).unwrap().stop, Stop::End);
}

// rule 5: grazing

#[test]
fn a_dip_is_found_down_to_rounding_and_a_miss_by_as_much_never() {
    // Integrated to 1e-13, the guard is known to about 1e-13 at the dip: dips of 1e-12 are real, of 1e-14 are not. Without
    // the polynomial of the guard, dips narrower than a step (all of these) are lost.
    for exponent in 2..=12 {
        let depth = real::pow(10.0, -f64::from(exponent));
        for kind in [Guard::Section("section"), Guard::Boundary("boundary")] {
            let dip = Dip { depth, kind };
            let mut recorder = Recorder::default();
            integrate(&dip, &mut dop(&dip), Span::until(3.0), &mut recorder).unwrap();
            let expected = if !kind.is_boundary() { 2 } else { 1 };
            assert_eq!(recorder.events.len(), expected, "depth {depth:e}, {kind:?}");
            for (event, root) in recorder.events.iter().zip(dip.roots()) {
                // the guard's error 1e-13 divided by its slope √(2 depth) at the root, and never worse than √(1e-13)
                let tolerance = (1e-13 / (2.0 * depth).sqrt()).max(1e-13) * 4.0;
                assert!((event.time - root).abs() < tolerance, "depth {depth:e}: off by {:e}", event.time - root);
            }
            let miss = Dip { depth: -depth, kind };
            assert_eq!(events(&miss, 3.0).events.len(), 0, "missed by {depth:e}, {kind:?}");
        }
    }
}

// rule 6: located events converge, restarts are exact

#[test]
fn energy_does_not_drift_across_ten_thousand_events() {
    struct Worst(f64, u32);
    impl Sink<TwoSprings> for Worst {
        fn event(&mut self, event: &Event<'_, TwoSprings>) -> Flow {
            assert_eq!(event.after[0], 0.0, "the restart is exactly on the guard");
            self.0 = self.0.max((TwoSprings::energy(event.after, Side::Soft) - 0.5).abs());
            self.1 += 1;
            Flow::Continue
        }
    }
    let mut worst = Worst(0.0, 0);
    integrate(&TwoSprings, &mut dop(&TwoSprings), Span::until(TwoSprings::crossing(10_000) + 0.1), &mut worst).unwrap();
    // about 8 steps between events, each within 1e-12 and mostly far below: a drift of 1e-13 an event would show 1e-9
    assert_eq!(worst.1, 10_000);
    assert!(worst.0 < 2e-9, "{:e}", worst.0);
}

#[test]
fn a_tighter_tolerance_gives_better_event_times_across_a_thousand_events() {
    let miss = |tolerance: f64| {
        let mut recorder = Recorder::until(1000);
        let mut method = Dop853::new(&TwoSprings, Tolerance { relative: tolerance, absolute: tolerance });
        integrate(&TwoSprings, &mut method, Span::until(1e4), &mut recorder).unwrap();
        (recorder.events[999].time - TwoSprings::crossing(1000)).abs()
    };
    let misses = [1e-6, 1e-9, 1e-12].map(miss);
    assert!(misses[0] > 100.0 * misses[1] && misses[1] > 100.0 * misses[2], "{misses:?}");
    assert!(misses[2] < 1e-8, "{misses:?}");
}

// ends of steps and spans

#[test]
fn an_event_exactly_at_the_end_of_the_span_belongs_to_it() {
    let section = Scripted::sections(&[|_, t, _| t - 4.0]);
    assert_eq!(events(&section, 4.0).times(), [4.0]);
    let boundary = Scripted::boundaries(&[|_, t, _| 4.0 - t], |_, _, _| Jump::End);
    let finish = integrate(&boundary, &mut dop(&boundary), Span::until(4.0), &mut ()).unwrap();
    assert_eq!((finish.stop, finish.time), (Stop::System, 4.0));
}

#[test]
fn an_event_exactly_at_the_end_of_a_step_is_seen_once() {
    // steps of a quarter are exact in binary: the guard is exactly zero at the end of the eighth step
    for guard in [|_, _, y| y - 2.0, |_, _, y| 2.0 - y] as [fn(u32, f64, f64) -> f64; 2] {
        let system = Scripted::sections(&[guard]);
        let mut recorder = Recorder::default();
        integrate(&system, &mut Rk4::new(&system, 0.25), Span::until(5.0), &mut recorder).unwrap();
        assert_eq!(recorder.times(), [2.0]);
    }
}

#[test]
fn no_event_and_no_end_lies_beyond_the_span() {
    // the dense output and the method differ in the last digits about an event at the end of the span
    for k in -40..=40 {
        let end = TwoSprings::crossing(3) + 1e-9 * f64::from(k);
        let mut recorder = Recorder::default();
        let mut method = Dop853::new(&TwoSprings, ANY).with_longest_step(0.9);
        let finish = integrate(&TwoSprings, &mut method, Span::until(end), &mut recorder).unwrap();
        assert!(finish.time <= end && recorder.events.iter().all(|event| event.time <= end), "{k}");
        assert_eq!(finish.stop, Stop::End);
    }
}

#[test]
fn an_empty_or_senseless_span_ends_at_once() {
    for end in [0.0, -1.0, f64::NAN] {
        let finish = integrate(&TwoSprings, &mut dop(&TwoSprings), Span::until(end).at_most(1000), &mut ()).unwrap();
        assert_eq!((finish.stop, finish.time, finish.state), (Stop::End, 0.0, [0.0, 1.0]), "{end}");
    }
}

// errors carry the instant, the mode and the state

#[test]
fn equations_that_are_not_finite_are_named_with_instant_mode_and_state() {
    // 1/(2 − y)^½: the state reaches 2 at a finite time with an infinite slope, beyond it there is no number
    let mut system = Scripted::sections(&[]);
    system.slope = |_, _, y| 1.0 / (2.0 - y).sqrt();
    for start in [0.0, 2.5] {
        system.start = start;
        let error = integrate(&system, &mut dop(&system), Span::until(10.0), &mut ()).unwrap_err();
        let IntegrationError::NotFinite { time, mode, state } = &error else { panic!("{error}") };
        // ⅔ (2^³⁄₂ − (2 − y)^³⁄₂) = t; the last steps are judged by an estimate that is blind at the singularity
        let expected = if start == 0.0 { 2.0 / 3.0 * 2.0_f64.sqrt().powi(3) } else { 0.0 };
        assert!((time - expected).abs() < 1e-3 && mode == "0" && state.len() == 1, "{error}");
    }
    let error = integrate(&system, &mut Rk4::new(&system, 0.1), Span::until(10.0), &mut ()).unwrap_err();
    assert!(matches!(error, IntegrationError::NotFinite { .. }), "{error}");
}

#[test]
fn a_guard_that_is_not_finite_is_an_error() {
    let system = Scripted::sections(&[|_, _, y| if y > 2.0 { f64::NAN } else { 1.0 }]);
    let error = integrate(&system, &mut dop(&system), Span::until(10.0), &mut ()).map(|finish| finish.stop);
    assert_eq!(error, Ok(Stop::End), "a sink without interest in sections does not look");
    let error = integrate(&system, &mut dop(&system), Span::until(10.0), &mut Recorder::default()).unwrap_err();
    assert!(matches!(error, IntegrationError::NotFinite { .. }), "{error}");
}

#[test]
fn a_singularity_that_stays_finite_is_a_step_that_is_too_small() {
    // y² blows up at t = 1, every value on the way being finite
    let mut system = Scripted::sections(&[]);
    (system.slope, system.start) = (|_, _, y| y * y, 1.0);
    let error = integrate(&system, &mut dop(&system), Span::until(10.0), &mut ()).unwrap_err();
    match &error {
        IntegrationError::StepTooSmall { time, .. } | IntegrationError::NotFinite { time, .. } => {
            assert!((time - 1.0).abs() < 1e-9, "{error}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_limit_of_steps_is_kept() {
    let error = integrate(&TwoSprings, &mut dop(&TwoSprings), Span::until(1e6).at_most(100), &mut ()).unwrap_err();
    let IntegrationError::TooManySteps { steps, time, mode, .. } = &error else { panic!("{error}") };
    assert!(*steps == 100 && *time > 1.0 && *time < 100.0 && !mode.is_empty());
}

#[test]
fn senseless_steps_are_errors_and_not_loops() {
    for step in [0.0, -1.0] {
        let mut method = dop(&TwoSprings).with_longest_step(step);
        let error = integrate(&TwoSprings, &mut method, Span::until(1.0), &mut ()).unwrap_err();
        assert!(matches!(error, IntegrationError::StepTooSmall { .. }), "{error}");
    }
}

// sinks

#[test]
fn a_sink_that_stops_at_a_section_stands_exactly_there_and_can_go_on() {
    // sin t = 0 at every π: stop at each, resume from what came back
    let dip = Dip { depth: 1.0, kind: Guard::Section("section") };
    let (mut mode, mut state, mut time) = ((), [0.1, real::cos(real::asin(0.1))], real::asin(0.1));
    let mut seen = Vec::new();
    while seen.len() < 5 {
        let mut recorder = Recorder::until(1);
        let span = Span { start: time, ..Span::until(100.0) };
        let finish = integrate_from(&dip, &mut dop(&dip), span, (mode, state), &mut recorder).unwrap();
        assert_eq!((finish.stop, finish.time), (Stop::Sink, recorder.events[0].time));
        assert_eq!(finish.state, recorder.events[0].after);
        // what a located root leaves (1e-16) may have the old sign, and then the next piece begins with the same root
        if finish.time - time > 1e-9 {
            seen.push(finish.time);
        }
        (mode, state, time) = (finish.mode, finish.state, finish.time);
    }
    for (k, time) in (1..).zip(seen) {
        assert!((time - PI * f64::from(k)).abs() < 1e-11, "{k}: {time}");
    }
}

#[test]
fn a_sink_that_stops_at_a_boundary_stands_in_the_new_mode() {
    let mut recorder = Recorder::until(1);
    let finish = integrate(&TwoSprings, &mut dop(&TwoSprings), Span::until(10.0), &mut recorder).unwrap();
    assert_eq!((finish.stop, finish.mode, finish.state[0]), (Stop::Sink, Side::Stiff, 0.0));
}

#[test]
fn a_sink_that_stops_in_a_stretch_stands_at_its_end() {
    struct First(Option<(f64, [f64; 2])>);
    impl Sink<TwoSprings> for First {
        fn stretch(&mut self, stretch: &Stretch<'_, TwoSprings>) -> Flow {
            let mut y = [0.0; 2];
            (stretch.at)(stretch.to, &mut y);
            self.0 = Some((stretch.to, y));
            Flow::Stop
        }
    }
    let mut first = First(None);
    let finish = integrate(&TwoSprings, &mut dop(&TwoSprings), Span::until(10.0), &mut first).unwrap();
    let (time, state) = first.0.unwrap();
    assert_eq!((finish.stop, finish.time), (Stop::Sink, time));
    assert!((finish.state[0] - state[0]).abs() < 1e-15 && time < FRAC_PI_2);
}

#[test]
fn stretches_cover_the_whole_span_without_gaps() {
    // the recorder itself checks that they join
    let recorder = events(&TwoSprings, 50.0);
    assert_eq!((recorder.stretches[0].0, recorder.stretches.last().unwrap().1), (0.0, 50.0));
    let boundary = Scripted::boundaries(&[|_, _, y| 4.0 - y], |_, _, y| {
        *y = 0.0;
        Jump::To(0)
    });
    let mut recorder = Recorder::default();
    integrate(&boundary, &mut Rk4::new(&boundary, 0.3), Span::until(17.0), &mut recorder).unwrap();
    assert_eq!(recorder.of_guard(0).len(), 4);
}

#[test]
fn the_longest_step_is_kept() {
    let recorder = {
        let mut recorder = Recorder::default();
        let mut method = dop(&TwoSprings).with_longest_step(0.05);
        assert_eq!(Method::<TwoSprings>::longest_step(&method), 0.05);
        integrate(&TwoSprings, &mut method, Span::until(20.0), &mut recorder).unwrap();
        recorder
    };
    assert!(recorder.stretches.iter().all(|(from, to)| to - from <= 0.05 + 1e-14));
}
