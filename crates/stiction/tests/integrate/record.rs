//! Sinks: what is kept of a motion.

use crate::support::blocks::coulomb;
use crate::support::problems::{Side, TwoSprings};
use crate::support::recorder::Recorder;
use stiction::integrate::{Dop853, Flow, Sink, Span, Stop, Stretch, Tolerance, integrate};
use stiction::num::real;
use stiction::record::Samples;
use stiction::system::{Sections, SpringBlock};

fn sampled(interval: f64, end: f64) -> Samples<TwoSprings> {
    let mut samples = Samples::every(&TwoSprings, 0.0, interval, 16);
    integrate(&TwoSprings, &mut Dop853::new(&TwoSprings, Tolerance::default()), Span::until(end), &mut samples)
        .unwrap();
    samples
}

#[test]
fn samples_are_evenly_spaced_include_both_ends_and_lie_on_the_motion() {
    let samples = sampled(0.125, 4.0);
    assert_eq!(samples.times.len(), 33);
    for (k, (time, (mode, state))) in samples.times.iter().zip(samples.modes.iter().zip(&samples.states)).enumerate() {
        assert_eq!(*time, 0.125 * k as f64);
        let exact = if *time < std::f64::consts::PI {
            assert_eq!(*mode, Side::Soft);
            real::sin(*time)
        } else {
            assert_eq!(*mode, Side::Stiff);
            -0.5 * real::sin(2.0 * (time - std::f64::consts::PI))
        };
        // dense output of order 7 between steps that are right to 1e-12
        assert!((state[0] - exact).abs() < 1e-9, "{time}: {} {exact}", state[0]);
    }
}

#[test]
fn samples_do_not_depend_on_the_steps_of_the_method() {
    let fine = sampled(0.01, 10.0);
    let coarse = sampled(0.1, 10.0);
    for (k, state) in coarse.states.iter().enumerate() {
        assert!((state[0] - fine.states[10 * k][0]).abs() < 1e-14, "{k}");
    }
}

#[test]
fn a_senseless_interval_keeps_nothing_and_does_not_hang() {
    for interval in [0.0, -1.0, f64::NAN] {
        assert_eq!(sampled(interval, 1.0).times.len(), 0, "{interval}");
    }
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
