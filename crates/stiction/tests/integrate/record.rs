//! Sinks: what is kept of a motion.

use crate::support::blocks::coulomb;
use crate::support::problems::{Side, TwoSprings};
use crate::support::recorder::Recorder;
use stiction::analysis::spring_block::History;
use stiction::integrate::{Dop853, Flow, Sink, Solver, Span, Stop, Stretch, Tolerance, integrate};
use stiction::num::real;
use stiction::record::{Cycles, Events, Motion, Moving, Name, Observe, Phase, Samples, Seen, Watcher, Window};
use stiction::system::{Sections, SpringBlock};

impl Observe for TwoSprings {
    fn contacts(&self) -> Vec<Name> {
        vec!["spring".into()]
    }

    fn phase(&self, mode: Side, _contact: usize) -> Phase {
        if mode == Side::Soft { Phase::Forward } else { Phase::Backward }
    }
}

fn sampled(times: Vec<f64>, end: f64) -> Samples {
    let mut samples = Samples::at(times, 2, 1);
    let mut method = Dop853::new(&TwoSprings, Tolerance::default());
    integrate(&TwoSprings, &mut method, Span::until(end), &mut Seen::by(&TwoSprings, &mut samples)).unwrap();
    samples
}

#[test]
fn samples_include_both_ends_and_lie_on_the_motion() {
    let samples = sampled(Samples::even(0.0, 4.0, 33), 4.0);
    assert_eq!(samples.times.len(), 33);
    for (k, time) in samples.times.iter().enumerate() {
        assert_eq!(*time, 0.125 * k as f64);
        let exact = if *time < std::f64::consts::PI {
            assert_eq!(samples.phases[0][k], Phase::Forward);
            real::sin(*time)
        } else {
            assert_eq!(samples.phases[0][k], Phase::Backward);
            -0.5 * real::sin(2.0 * (time - std::f64::consts::PI))
        };
        // dense output of order 7 between steps that are right to 1e-12
        assert!((samples.columns[0][k] - exact).abs() < 1e-9, "{time}: {} {exact}", samples.columns[0][k]);
    }
}

#[test]
fn samples_do_not_depend_on_the_steps_of_the_method() {
    let fine = sampled(Samples::even(0.0, 10.0, 1001), 10.0);
    let coarse = sampled(Samples::even(0.0, 10.0, 101), 10.0);
    for (k, x) in coarse.columns[0].iter().enumerate() {
        assert!((x - fine.columns[0][10 * k]).abs() < 1e-14, "{k}");
    }
}

#[test]
fn instants_beyond_the_motion_are_left_out() {
    assert_eq!(sampled(vec![0.0, 0.5, 1.0, 1.5, f64::NAN], 1.0).times, [0.0, 0.5, 1.0]);
}

#[test]
fn extremes_and_cycles_are_those_of_the_motion() {
    // half periods of sin t and of sin(2t)/2
    let mut window = Window::new(0.0, 5.0, 2);
    let mut method = Dop853::new(&TwoSprings, Tolerance::default());
    integrate(&TwoSprings, &mut method, Span::until(10.0), &mut Seen::by(&TwoSprings, &mut window)).unwrap();
    for (found, exact) in [(window.max[0], 1.0), (window.min[0], -0.5), (window.max[1], 1.0), (window.min[1], -1.0)] {
        assert!((found - exact).abs() < 1e-9, "{found} {exact}");
    }
    let block = coulomb(0.2, 0.5, 0.45);
    let moving = Moving::of(block.clone());
    let mut cycles = Cycles::of(&moving, 0);
    moving.follow(&Solver::default(), Span::until(50.0), None, &mut cycles).unwrap();
    let mut history = History::of(&block);
    moving.follow_beside(&Solver::default(), Span::until(50.0), None, &mut (), &mut history).unwrap();
    assert_eq!(cycles.cycles.len(), history.cycles.len());
    for (general, special) in cycles.cycles.iter().zip(&history.cycles) {
        assert!((general.period() - special.period()).abs() < 1e-11);
        assert!((general.stick_time - special.stick_time).abs() < 1e-11);
        assert!((general.max[0] - special.max_displacement).abs() < 1e-11);
        assert!((general.min[0] - special.min_displacement).abs() < 1e-11);
    }
}

#[test]
fn a_record_that_is_full_ends_the_motion_and_says_so() {
    let moving = Moving::of(coulomb(0.2, 0.5, 0.45));
    let follow =
        |watcher: &mut dyn Watcher| moving.follow(&Solver::default(), Span::until(200.0), None, watcher).unwrap().time;
    let mut all = (Events::of(&moving), Cycles::of(&moving, 0));
    assert_eq!(follow(&mut all), 200.0);
    assert!(!all.0.is_full() && !all.1.is_full() && all.1.cycles.len() > 40);
    let mut events = Events::of(&moving).within(2000);
    assert!(follow(&mut events) < 100.0 && events.is_full());
    assert!(!events.changes.is_empty() && events.changes[..] == all.0.changes[..events.changes.len()]);
    let mut cycles = Cycles::of(&moving, 0).within(2000);
    assert!(follow(&mut cycles) < 100.0 && cycles.is_full());
    assert!(!cycles.cycles.is_empty() && cycles.cycles[..] == all.1.cycles[..cycles.cycles.len()]);
    let columns = moving.columns().len();
    let times = Samples::even(0.0, 200.0, 100_001);
    let mut samples = Samples::within(80_000, times.clone(), columns, 1);
    assert!(follow(&mut samples) < 100.0 && samples.is_full());
    assert!((1000..100_001).contains(&samples.times.len()) && samples.times[..] == times[..samples.times.len()]);
    assert!(samples.columns.iter().all(|column| column.capacity() < 20_000));
}

#[test]
fn two_sinks_see_the_same_motion_and_either_may_stop_it() {
    struct StopAfter(f64);
    impl Sink<SpringBlock> for StopAfter {
        const SECTIONS: Sections = Sections::NONE;
        fn stretch(&mut self, stretch: &Stretch<'_, SpringBlock>) -> Flow {
            if stretch.to >= self.0 { Flow::Stop } else { Flow::Continue }
        }
    }
    let block = coulomb(0.2, 0.5, 0.45);
    let mut both = (Recorder::default(), StopAfter(20.0));
    let mut method = Dop853::new(&block, Tolerance::default());
    let finish = integrate(&block, &mut method, Span::until(100.0), &mut both).unwrap();
    assert_eq!(finish.stop, Stop::Sink);
    assert!(finish.time >= 20.0 && finish.time < 30.0 && !both.0.events.is_empty());
}
