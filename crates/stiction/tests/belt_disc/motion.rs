//! The disc on the belt against closed forms and independent reference computations.

use std::f64::consts::PI;
use stiction::analysis::AnalysisError;
use stiction::analysis::belt_disc::{BeltModel, BeltRun, PeakToValley, Phase, Setting, StickMeasure};
use stiction::analysis::spring_block::History;
use stiction::field::Germ;
use stiction::integrate::{Dop853, Span, Tolerance, integrate};
use stiction::num::real::{asin, atan, cos};
use stiction::system::{BeltDisc, SpringBlock};

fn read(text: &str) -> BeltDisc {
    serde_json::from_str(text).unwrap()
}

fn setting(duration: f64, relative: f64) -> Setting<'static> {
    let tolerance = Tolerance { relative, absolute: 1e-2 * relative };
    Setting { duration, tolerance, ..Setting::default() }
}

fn run(disc: &BeltDisc, duration: f64, relative: f64) -> Result<BeltRun, AnalysisError> {
    BeltModel::new(disc, None, duration)?.run(&Germ::new(1, 0), &setting(duration, relative))
}

/// x_s, x_k, stick time, slip time, first landing and its place of the uniform disc of Table 1.
struct Cycle {
    x_s: f64,
    x_k: f64,
    amplitude: f64,
    stick: f64,
    slip: f64,
    first_landing: [f64; 2],
}

fn cycle(mu: f64, speed: f64) -> Cycle {
    let (mg, k, w) = (98.1_f64, 30.0, 3.0_f64.sqrt());
    let (x_s, x_k) = (mu * mg / k, 0.9 * mu * mg / k);
    let delta = x_s - x_k;
    let time = asin(speed / (x_k * w)) / w;
    Cycle {
        x_s,
        x_k,
        amplitude: (delta * delta + (speed / w) * (speed / w)).sqrt(),
        stick: 2.0 * delta / speed,
        slip: 2.0 / w * (PI - atan(w * delta / speed)),
        first_landing: [time, x_k * (1.0 - cos(w * time))],
    }
}

#[test]
fn the_uniform_belt_has_the_classical_cycle_to_nine_digits() {
    for (mu, speed) in [(0.5, 0.2), (0.2, 0.6), (1.0, 0.1), (0.5, -0.2)] {
        let disc = BeltDisc { belt_speed: speed, ..BeltDisc::default() }.uniform(mu);
        let run = run(&disc, 100.0, 1e-6).unwrap();
        let wanted = cycle(mu, speed.abs());
        let near =
            |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-11, "{mu} {speed}: {found} not {wanted}");
        let first = &run.events[0];
        assert_eq!((run.start, first.kind), (Phase::Slip, Phase::Stick));
        near(first.time, wanted.first_landing[0]);
        near(first.displacement * speed.signum(), wanted.first_landing[1]);
        near(run.events[1].time, first.time + (wanted.x_s - wanted.first_landing[1]) / speed.abs());
        near(run.events[1].displacement.abs(), wanted.x_s);
        for (stick, slip) in run.stick_times().into_iter().zip(run.slip_times()) {
            near(stick, wanted.stick);
            near(slip, wanted.slip);
        }
        for landing in run.landing_displacements() {
            near(landing * speed.signum(), 2.0 * wanted.x_k - wanted.x_s);
        }
        let samples = run.peak_to_valley_displacement(PeakToValley::TurningPoints);
        assert!(samples.len() > 5);
        for sample in samples {
            near(sample, 2.0 * wanted.amplitude);
        }
        for definition in [PeakToValley::TurningPoints, PeakToValley::PerSlip, PeakToValley::PerRealisation] {
            for sample in run.peak_to_valley_force(definition) {
                near(sample, 2.0 * 30.0 * (wanted.x_s - wanted.x_k));
            }
        }
        near(run.stick_fraction(StickMeasure::AfterTransient).unwrap(), wanted.stick / (wanted.stick + wanted.slip));
        assert!(run.energy_residual.abs() < 1e-11 * run.belt_work);
        assert!(run.events.iter().all(|event| event.transverse_displacement == 0.0 && event.rotation == 0.0));
    }
}

#[test]
fn the_raw_stick_fraction_is_the_piecewise_sum() {
    let wanted = cycle(0.5, 0.2);
    let run = run(&BeltDisc::default().uniform(0.5), 100.0, 1e-6).unwrap();
    let [landing, place] = wanted.first_landing;
    let breakaway = landing + (wanted.x_s - place) / 0.2;
    let period = wanted.stick + wanted.slip;
    let whole = ((100.0 - breakaway) / period).floor();
    let rest = 100.0 - breakaway - whole * period;
    let sum = (breakaway - landing) + whole * wanted.stick + (rest - wanted.slip).max(0.0);
    assert!((run.stick_fraction(StickMeasure::Raw).unwrap() - sum / 100.0).abs() < 1e-12);
}

#[test]
fn slip_that_is_integrated_agrees_with_the_closed_form() {
    // a tiny transverse start leaves the closed form and hardly changes the motion along the belt
    let disc = read(
        r#"{"field": {"constant": 0.5}, "start": [0, 1e-9, 0, 0, 0, 0], "landing_threshold": 1e-6, "onset_step": 1e-6}"#,
    );
    let integrated = run(&disc, 30.0, 1e-10).unwrap();
    let exact = run(&BeltDisc::default().uniform(0.5), 30.0, 1e-6).unwrap();
    assert_eq!(integrated.events.len(), exact.events.len());
    for (a, b) in integrated.events.iter().zip(&exact.events) {
        assert_eq!(a.kind, b.kind);
        assert!((a.time - b.time).abs() < 1e-7 && (a.displacement - b.displacement).abs() < 1e-7, "{a:?} {b:?}");
    }
    for (a, b) in integrated.turning_points.iter().zip(&exact.turning_points) {
        assert!(a.maximum == b.maximum && (a.time - b.time).abs() < 1e-7, "{a:?} {b:?}");
    }
    assert!(integrated.energy_residual.abs() < 1e-7 * integrated.belt_work);
}

/// Last period of the spring-block with the parameters of Table 1 \[s\].
fn block_period(policy: &str, ratio: f64) -> f64 {
    let block: SpringBlock = serde_json::from_str(&format!(
        r#"{{"mass": 10, "stiffness": 30, "drive_speed": 0.2, "normal_load": 98.1, "contact_policy": "{policy}",
            "law": {{"coulomb": {{"static_coefficient": 0.5, "kinetic_coefficient": {}}}}}, "start": {{"velocity": 0}}}}"#,
        0.5 * ratio
    ))
    .unwrap();
    let mut history = History::of(&block);
    let mut method = Dop853::new(&block, Tolerance { relative: 1e-12, absolute: 1e-14 });
    integrate(&block, &mut method, Span::until(100.0), &mut history).unwrap();
    let last = history.cycles.last().unwrap();
    last.slip_time + last.stick_time
}

/// One mechanism, one answer: a disc on a line is a block on a belt, by the closed form of straight motion and by the equations
/// of the plane.
#[test]
fn a_disc_on_a_line_moves_as_a_block_under_every_contact_policy() {
    for policy in ["strict", "first_contact", "kinetic"] {
        for ratio in [0.2, 0.3, 0.33, 0.5, 0.9] {
            let wanted = block_period(policy, ratio);
            for field in [r#"{"constant": 0.5}"#, r#"{"expression": "0.5"}"#] {
                let disc = read(&format!(
                    r#"{{"kinetic_ratio": {ratio}, "contact_policy": "{policy}", "landing_threshold": 1e-6,
                        "onset_step": 1e-6, "field": {field}}}"#
                ));
                let run = run(&disc, 100.0, 1e-10).unwrap();
                let period = *run.periods().last().unwrap();
                assert!((period - wanted).abs() < 1e-5, "{policy} {ratio} {field}: {period} {wanted}");
                assert!(run.largest_transverse_displacement < 1e-9 && run.largest_angular_velocity < 1e-9);
            }
        }
    }
}

/// Between the kinetic and the static limit the two rules differ: the cycle of μ_k = 0.3 μ_s.
#[test]
fn the_contact_policy_decides_the_cycle_below_a_third() {
    assert!((block_period("strict", 0.3) - 13.375).abs() < 1e-3);
    assert!((block_period("kinetic", 0.3) - 12.844).abs() < 1e-3);
    assert!((block_period("strict", 0.4) - block_period("kinetic", 0.4)).abs() < 1e-9);
}
