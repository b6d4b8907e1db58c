//! The disc on belts whose coefficient varies: independent reference values, convergence, symmetries, policies, limits of the
//! domain. The reference values were computed from the equations with another program (polar quadrature, Newton's method and a
//! Runge-Kutta method of order 8 at a tolerance of 1e-9).

use stiction::analysis::belt_disc::{
    BeltModel, BeltRun, PeakToValley, Phase, Setting, ensemble, trajectory_difference,
};
use stiction::analysis::{AnalysisError, Silent};
use stiction::field::Germ;
use stiction::integrate::Tolerance;
use stiction::num::real::{cos, pow, sin};
use stiction::patch::limit_body::{breakaway, gauge, onset_acceleration, section_support, shadow};
use stiction::patch::{FrozenPatch, UniformDisc};
use stiction::system::BeltDisc;

const FIELD: &str = "0.5 + 0.1*cos(3*x)*sin(2*y)";

fn read(text: &str) -> BeltDisc {
    serde_json::from_str(text).unwrap()
}

fn with_field(field: &str, keys: &str) -> BeltDisc {
    read(&format!(r#"{{"field": {{"expression": "{field}"}}{keys}}}"#))
}

fn setting(duration: f64, relative: f64) -> Setting<'static> {
    Setting { duration, tolerance: Tolerance { relative, absolute: 1e-2 * relative }, ..Setting::default() }
}

fn run(disc: &BeltDisc, duration: f64, relative: f64) -> Result<BeltRun, AnalysisError> {
    BeltModel::new(disc, None, duration)?.run(&Germ::new(7, 0), &setting(duration, relative))
}

/// Kind, time, x, y, φ, force before and after.
const EVENTS: [(Phase, [f64; 6]); 7] = [
    (
        Phase::Stick,
        [0.0458336093729, 0.00462946731033, 2.15370064959e-09, -0.000457875418536, 26.9113858, 0.13888401931],
    ),
    (Phase::Slip, [8.17446546347, 1.63035583813, 2.15370064959e-09, -0.000457875418536, 48.9106751439, 44.0605016842]),
    (Phase::Stick, [10.7095065, 1.31124091795, 3.05929102969e-05, -0.0803610538161, 44.01693919, 39.3372275386]),
    (Phase::Slip, [12.3135022652, 1.632040071, 3.05929102969e-05, -0.0803610538161, 48.9612021299, 44.091183816]),
    (Phase::Stick, [14.8319568303, 1.30562743734, -9.02833780268e-06, 0.0842066498784, 44.13009003, 39.1688231203]),
    (Phase::Slip, [16.4771574821, 1.6346675677, -9.02833780268e-06, 0.0842066498784, 49.0400270309, 44.1389795696]),
    (Phase::Stick, [19.0016283734, 1.30217055994, 1.88084912818e-05, -0.0970756776899, 44.11889724, 39.0651167981]),
];

/// Time and x of the turning points.
const TURNS: [[f64; 2]; 6] = [
    [8.53277812403, 1.66737581688],
    [10.342125737, 1.27315508565],
    [12.6705014961, 1.66892437679],
    [14.4803968629, 1.26932399072],
    [16.8323451261, 1.67135368995],
    [18.653808049, 1.26634196171],
];

fn compare(run: &BeltRun, tolerance: f64, forces: f64) {
    assert_eq!(run.events.len(), EVENTS.len());
    for (event, (kind, [time, x, y, angle, before, after])) in run.events.iter().zip(EVENTS) {
        assert_eq!(event.kind, kind);
        for (found, wanted) in
            [(event.time, time), (event.displacement, x), (event.transverse_displacement, y), (event.rotation, angle)]
        {
            assert!((found - wanted).abs() < tolerance, "{kind:?} at {time}: {found} not {wanted}");
        }
        assert!((event.force_before - before).abs() < forces, "{time}: {} not {before}", event.force_before);
        assert!((event.force_after - after).abs() < forces, "{time}: {} not {after}", event.force_after);
    }
    assert_eq!(run.turning_points.len(), TURNS.len());
    for (point, [time, x]) in run.turning_points.iter().zip(TURNS) {
        assert!((point.time - time).abs() < tolerance && (point.displacement - x).abs() < tolerance, "{point:?}");
    }
    assert!(run.energy_residual.abs() < 1e-6 * run.belt_work, "{} of {}", run.energy_residual, run.belt_work);
}

#[test]
fn a_lattice_follows_the_reference_trajectory_closer_with_every_refinement() {
    for (cells, tolerance) in [(20, 5e-4), (40, 1.5e-4), (80, 4e-5)] {
        let disc = with_field(FIELD, &format!(r#", "cells_per_radius": {cells}"#));
        compare(&run(&disc, 20.0, 1e-6).unwrap(), tolerance, 1e-2);
    }
}

#[test]
fn polar_nodes_follow_the_reference_trajectory_to_seven_digits() {
    let keys = r#", "quadrature": "polar", "landing_threshold": 1e-6, "onset_step": 1e-6"#;
    compare(&run(&with_field(FIELD, keys), 20.0, 1e-10).unwrap(), 1e-7, 2e-5);
}

#[test]
fn default_settings_have_transitions_to_a_hundredth_of_a_millisecond() {
    let lattice = r#", "cells_per_radius": 20"#;
    let usual = run(&with_field(FIELD, lattice), 20.0, 1e-6).unwrap();
    let tight = format!(r#"{lattice}, "landing_threshold": 1e-6, "onset_step": 1e-6"#);
    let exact = run(&with_field(FIELD, &tight), 20.0, 1e-10).unwrap();
    for (a, b) in usual.events.iter().zip(&exact.events) {
        assert!((a.time - b.time).abs() < 1e-5, "{} against {}", a.time, b.time);
    }
}

#[test]
fn patch_quantities_agree_with_the_reference_to_eight_digits() {
    let model = BeltModel::new(&with_field(FIELD, r#", "quadrature": "polar""#), None, 1.0).unwrap();
    let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 2e-10, "{found} not {wanted}");
    let question = |patch: &dyn FrozenPatch| {
        let moments = patch.moments();
        near(moments.mean, 0.51273638973439);
        near(moments.first[0], 0.0112617556809075);
        near(moments.first[1], 0.00752287241652174);
        near(shadow(patch, 0.0)[2], -0.00752287241652174);
        for (twist, wanted) in [
            ([1.0, 0.3, -0.4], [0.546870779430719, 0.483132142708067, 0.140349994759042, -0.054084095737349]),
            ([0.2, 0.1, 1.0], [0.353419791263888, 0.0928553581742253, 0.0680935511792776, 0.328039364511115]),
            ([-0.5, 0.8, 0.9], [0.551034087270614, -0.236118788765344, 0.380209793322465, 0.143118731366633]),
        ] {
            let found = patch.dissipation(twist);
            near(found.value, wanted[0]);
            (0..3).for_each(|i| near(found.gradient[i], wanted[i + 1]));
        }
        let at = breakaway(patch, 0.1).unwrap();
        near(at.force, 0.502783767560747);
        near(at.normal[1], 0.197857678400871);
        near(at.normal[2], 0.0410884687083377);
        let toward = at.normal.map(|w| -w);
        let rate = onset_acceleration(patch, 0.5, 0.9, [-at.force, -0.1, 0.0], toward);
        for (found, wanted) in rate.into_iter().zip([-0.0502552776663966, -0.00995716427655535, -0.00169045475386168]) {
            near(found, wanted);
        }
        // by brute force: the smallest of d(1, b, c) − F_y b over a fine grid about its minimum
        let value = |b: f64, c: f64| patch.dissipation([1.0, b, c]).value - 0.1 * b;
        let mut smallest = f64::INFINITY;
        for i in -12..=12 {
            for j in -12..=12 {
                smallest = smallest.min(value(0.2 + 2e-3 * f64::from(i), 0.04 + 2e-3 * f64::from(j)));
            }
        }
        assert!(smallest >= at.force - 1e-12 && smallest < at.force + 1e-6);
    };
    model.patch(&Germ::new(1, 0), [-0.37, 0.23], question).unwrap();
}

#[test]
fn the_section_touches_the_shadow_by_the_square_of_its_torque() {
    for size in [0.02, 0.01] {
        let field = format!("0.5 + {size}*cos(3*x)*sin(2*y)");
        let model = BeltModel::new(&with_field(&field, r#", "quadrature": "polar""#), None, 1.0).unwrap();
        let question = |patch: &dyn FrozenPatch| {
            for angle in [0.3, 1.1, 2.4] {
                let rim = shadow(patch, angle);
                let mean = (rim[0] * rim[0] + rim[1] * rim[1]).sqrt();
                let gap = mean - section_support(patch, angle).unwrap();
                let curvature = patch.dissipation([cos(angle), sin(angle), 0.0]).hessian[2][2];
                let predicted = rim[2] * rim[2] / (2.0 * curvature);
                assert!(gap > 0.0 && (gap / predicted - 1.0).abs() < 0.2 * size, "{gap:e} {predicted:e}");
            }
        };
        model.patch(&Germ::new(1, 0), [-0.37, 0.23], question).unwrap();
    }
}

#[test]
fn lattice_rules_converge_to_the_closed_form_of_the_uniform_disc() {
    let error = |rule: &str, cells: f64, twist: [f64; 3]| {
        let keys = format!(r#", "quadrature_weights": "{rule}", "cells_per_radius": {cells}"#);
        let model = BeltModel::new(&with_field("0.5 + 0*x", &keys), None, 1.0).unwrap();
        let exact = UniformDisc { coefficient: 0.5 }.dissipation(twist);
        let found = model.patch(&Germ::new(1, 0), [0.0123, 0.0077], |patch| patch.dissipation(twist)).unwrap();
        (0..3).map(|i| (found.gradient[i] - exact.gradient[i]).abs()).fold(0.0, f64::max)
    };
    for (rule, order, bound) in [("kernel", 2.0, 3e-6), ("moment", 2.0, 3e-5), ("area", 1.5, 3e-4)] {
        let twist = [1.0, 0.2, 0.5];
        let (coarse, fine) = (error(rule, 15.3, twist), error(rule, 61.2, twist));
        assert!(coarse < bound, "{rule}: {coarse:e}");
        assert!(fine < coarse / pow(4.0, order - 0.25), "{rule}: {coarse:e}, {fine:e}");
    }
}

#[test]
fn a_turned_field_turns_the_wrench_and_a_mirrored_one_mirrors_it() {
    let patch = |field: &str, keys: &str, twist: [f64; 3]| {
        let model = BeltModel::new(&with_field(field, keys), None, 1.0).unwrap();
        model.patch(&Germ::new(1, 0), [0.0, 0.0], |patch| patch.dissipation(twist).gradient).unwrap()
    };
    for keys in ["", r#", "quadrature_weights": "moment""#, r#", "quadrature": "polar""#] {
        let plain = patch("0.5 + 0.1*sin(3*x + 1)*cos(2*y)+0.05*y", keys, [0.6, -0.3, 0.5]);
        // a quarter turn: H'(x, y) = H(y, −x)
        let turned = patch("0.5 + 0.1*sin(3*y + 1)*cos(2*x)-0.05*x", keys, [0.3, 0.6, 0.5]);
        let mirrored = patch("0.5 + 0.1*sin(-3*x + 1)*cos(2*y)+0.05*y", keys, [-0.6, -0.3, -0.5]);
        for (found, wanted) in [
            (turned[0], -plain[1]),
            (turned[1], plain[0]),
            (turned[2], plain[2]),
            (mirrored[0], -plain[0]),
            (mirrored[1], plain[1]),
            (mirrored[2], -plain[2]),
        ] {
            assert!((found - wanted).abs() < 1e-10, "{keys}: {found} not {wanted}");
        }
    }
}

#[test]
fn a_belt_that_runs_backward_is_the_mirror_image() {
    let forward = run(&with_field("0.5 + 0.1*sin(3*x + 1)*cos(2*y+0.4)", ""), 20.0, 1e-6).unwrap();
    let back = with_field("0.5 + 0.1*sin(-3*x + 1)*cos(2*y+0.4)", r#", "belt_speed": -0.2"#);
    let back = run(&back, 20.0, 1e-6).unwrap();
    assert!(forward.events.len() > 3);
    assert_eq!(forward.events.len(), back.events.len());
    for (a, b) in forward.events.iter().zip(&back.events) {
        assert!((a.time - b.time).abs() < 1e-10 && (a.displacement + b.displacement).abs() < 1e-10);
        assert!((a.rotation + b.rotation).abs() < 1e-10);
        assert!((a.transverse_displacement - b.transverse_displacement).abs() < 1e-10);
    }
}

#[test]
fn a_free_disc_stops_sliding_and_turning_together_at_the_known_ratio() {
    // F(ρ) = 2 ρ T(ρ); the springs are too weak to matter
    let disc = read(
        r#"{"field": {"constant": 0.3}, "belt_speed": 0.0, "stiffness": 1e-3, "kinetic_ratio": 1.0,
            "start": [0, 0, 0, 1.0, 0.3, 3.2]}"#,
    );
    let (run, samples) =
        BeltModel::new(&disc, None, 2.0).unwrap().trajectory(&Germ::new(1, 0), &setting(2.0, 1e-10), 1e-4).unwrap();
    let landing = run.events[0];
    assert_eq!((run.events.len(), landing.kind), (1, Phase::Stick));
    let late = samples.iter().rev().find(|s| s.time < landing.time - 1e-3).unwrap();
    let ratio = (late.velocity.powi(2) + late.transverse_velocity.powi(2)).sqrt() / (0.5 * late.angular_velocity.abs());
    let condition = |rho: f64| {
        let at = stiction::patch::LimitSurface::at(rho);
        at.force - 2.0 * rho * at.torque
    };
    let known = stiction::num::roots::root(0.3, 0.9, condition).unwrap();
    assert!((known - 0.653).abs() < 1e-3);
    assert!((ratio - known).abs() < 2e-3, "{ratio} not {known}");
}

#[test]
fn jumps_of_the_velocity_tend_to_the_exact_onset_but_the_circle_does_not() {
    let last = |keys: &str| {
        let run = run(&with_field(FIELD, keys), 20.0, 1e-8).unwrap();
        run.events.iter().map(|event| event.time).collect::<Vec<_>>()
    };
    let exact = last("");
    let distance = |keys: &str| {
        let other = last(keys);
        assert_eq!(other.len(), exact.len());
        exact.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let jump = |size: f64| distance(&format!(r#", "onset": "velocity_jump", "landing_threshold": {size}"#));
    // of first order in the jump
    let [large, small] = [1e-2, 1e-3].map(jump);
    assert!(small < 0.15 * large && large < 0.1, "{large:e} {small:e}");
    let circle = distance(r#", "breakaway": "circle""#);
    assert!(circle > 1e-3 && circle < 0.1, "{circle:e}");
    let paper = distance(r#", "policy": "paper", "landing_threshold": 1e-3"#);
    assert!(paper > 1e-3 && paper < 0.2, "{paper:e}");
}

#[test]
fn a_start_without_direction_lets_the_force_drop_to_zero() {
    let zero = run(&with_field(FIELD, r#", "onset": "zero_start""#), 10.0, 1e-6).unwrap();
    let breakaway = zero.events.iter().find(|event| event.kind == Phase::Slip).unwrap();
    assert_eq!(breakaway.force_after, 0.0);
    assert!(breakaway.force_before > 48.0);
}

#[test]
fn settings_that_would_stall_are_refused_with_both_keys() {
    let disc = with_field(FIELD, r#", "landing_threshold": 1e-6"#);
    let message = run(&disc, 5.0, 1e-5).unwrap_err().to_string();
    assert!(message.starts_with("landing_threshold:") && message.contains("relative_tolerance"), "{message}");
    let setting = Setting { max_steps: 5, ..setting(5.0, 1e-6) };
    let capped = BeltModel::new(&with_field(FIELD, ""), None, 5.0).unwrap().run(&Germ::new(1, 0), &setting);
    let message = capped.unwrap_err().to_string();
    assert!(message.starts_with("landing_threshold:") && message.contains("relative_tolerance"), "{message}");
}

#[test]
fn a_field_that_ends_or_is_not_positive_is_an_error_with_its_key() {
    let negative = run(&with_field("0.5 + 0.2*x", ""), 100.0, 1e-6).unwrap_err().to_string();
    assert!(negative.starts_with("field.expression:"), "{negative}");
    // a field that is known on a grid only, made without room beside the disc
    let disc = read(
        r#"{"field": {"correlation": "matern", "correlation_length": 0.4}, "strip_margin": 0.0,
            "start": [0, 0, 0, 0, 2.0, 0]}"#,
    );
    let ended = run(&disc, 5.0, 1e-6).unwrap_err().to_string();
    assert!(ended.starts_with("strip_margin:") && ended.contains("larger"), "{ended}");
    // one without ends is extended
    let endless = r#"{"field": {"correlation_length": 0.4}, "strip_margin": 0.0, "start": [0, 0, 0, 0, 2.0, 0]}"#;
    assert!(run(&read(endless), 5.0, 1e-6).is_ok());
}

#[test]
fn a_wider_strip_is_the_same_field() {
    let narrow = read(r#"{"precision": "double", "landing_threshold": 1e-6, "onset_step": 1e-6}"#);
    let wide = BeltDisc { strip_margin: Some(0.6), ..narrow.clone() };
    let [a, b] = [narrow, wide].map(|disc| run(&disc, 20.0, 1e-9).unwrap());
    assert!(a.events.len() > 4 && a.events.len() == b.events.len());
    for (a, b) in a.events.iter().zip(&b.events) {
        assert!((a.time - b.time).abs() < 1e-6, "{a:?} {b:?}");
    }
}

#[test]
fn one_realisation_alone_is_its_row_whatever_the_number_of_threads() {
    let model = BeltModel::new(&BeltDisc::default(), None, 20.0).unwrap();
    let setting = setting(20.0, 1e-6);
    let rows = |threads: usize| {
        let pool = rayon_pool(threads);
        pool.install(|| ensemble(&model, 5, 0..6, &setting, &Silent)).unwrap()
    };
    let rows = [rows(1), rows(2)];
    assert_eq!(rows[0], rows[1]);
    let alone = model.run(&Germ::new(5, 3), &setting).unwrap();
    assert_eq!(rows[0][3].run.as_ref().unwrap(), &alone);
    assert!(alone.energy_residual.abs() < 1e-6 * alone.belt_work, "{}", alone.energy_residual);
    assert!(!alone.peak_to_valley_displacement(PeakToValley::PerSlip).is_empty());
}

fn rayon_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

#[test]
fn a_disc_on_a_belt_at_rest_stays_where_it_is() {
    let disc = with_field(FIELD, r#", "belt_speed": 0.0, "start": [0.5, 0.1, 0, 0, 0, 0]"#);
    let run = run(&disc, 10.0, 1e-6).unwrap();
    assert_eq!((run.start, run.events.len(), run.end_state[0]), (Phase::Stick, 0, 0.5));
    assert_eq!(run.energy_residual, 0.0);
}

#[test]
fn without_a_fall_of_friction_the_disc_creeps_into_slip_and_stays_there() {
    let disc = with_field(FIELD, r#", "kinetic_ratio": 1.0"#);
    let run = run(&disc, 14.0, 1e-6).unwrap();
    let breakaway = run.events.iter().find(|event| event.kind == Phase::Slip).unwrap();
    assert!((breakaway.time - EVENTS[1].1[0]).abs() < 0.01, "{breakaway:?}");
    assert_eq!(breakaway.force_before, breakaway.force_after);
    assert!(run.energy_residual.abs() < 1e-4 * run.belt_work, "{} of {}", run.energy_residual, run.belt_work);
}

#[test]
fn samples_lie_on_the_uniform_grid_with_both_sides_of_every_transition() {
    let model = BeltModel::new(&with_field(FIELD, ""), None, 12.0).unwrap();
    let (run, samples) = model.trajectory(&Germ::new(1, 0), &setting(12.0, 1e-6), 0.01).unwrap();
    assert_eq!(samples.iter().filter(|sample| !sample.extra).count(), 1201);
    assert_eq!(samples.iter().filter(|sample| sample.extra).count(), 2 * run.events.len());
    assert!(samples.is_sorted_by(|a, b| a.time <= b.time));
    // the force balances the acceleration: between samples of a slip m Δv = ∫(f − k x) dt
    let slips = || samples.windows(2).filter(|pair| pair.iter().all(|s| s.phase == Phase::Slip && !s.extra));
    assert!(slips().count() > 100);
    for pair in slips() {
        let push = |s: &stiction::analysis::belt_disc::Sample| (s.force - 30.0 * s.displacement) / 10.0;
        let change = 0.5 * (push(&pair[0]) + push(&pair[1])) * (pair[1].time - pair[0].time);
        assert!((pair[1].velocity - pair[0].velocity - change).abs() < 2e-4, "{pair:?}");
    }
    assert_eq!(trajectory_difference(&samples, &samples), Some(0.0));
    let inside = |k: f64| gauge(&UniformDisc { coefficient: 0.5 }, [k, 0.0, 0.0]);
    assert!((inside(0.25) - 0.5).abs() < 1e-12);
}
