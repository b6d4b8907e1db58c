//! Two discs with bristles: equilibria, stability, onset of oscillation, transients and bounds, against independent numbers.
//!
//! Reference values were made with another program from the same equations: Newton's method on all six coordinates with
//! derivatives by complex steps, dense eigenvalues, and the Radau method with a relative tolerance of 1e-9.

use stiction::analysis::Silent;
use stiction::analysis::two_disc::{
    Class, CrossingKind, HopfPoint, IntervalStudy, Linearisation, Realisation, Status, StickSlipClass,
    TransientRequest, Trend, bounds, criticality, crossings, full_spectrum_dense, hopf_curve, mesh_errors, sensitivity,
    spectra, stability, stability_map, uniform_ends,
};
use stiction::integrate::Solver;
use stiction::system::System;
use stiction::system::two_disc::{ContactState, DiscStart, Face, IntervalField, Perturbation, Quadrature, TwoDisc};

fn discs(load: f64, speed: f64, radius: f64) -> TwoDisc {
    let mut discs = TwoDisc::new(load, speed);
    discs.contact.radius = radius;
    discs
}

#[test]
fn equilibria_and_their_eigenvalues_are_those_of_the_full_equations() {
    // load, speed, radius; the six coordinates; leading reduced eigenvalue
    let cases = [
        (
            (2.0, 9.7, 0.1),
            [
                -0.0139552140899,
                0.0800682685374,
                0.0730574931387,
                0.00139552140899,
                -0.00800682685374,
                -0.00730574931387,
            ],
            (-0.00722928279, 3.53555227),
        ),
        (
            (45.0, 7.0, 0.1),
            [-0.815341774046, -0.0468452059985, 0.12143417328, 0.0815341774046, 0.00468452059985, -0.012143417328],
            (0.824262138, 6.59001512),
        ),
        (
            (76.0, 2.3, 0.1),
            [-0.809736858191, -0.112869304504, 0.175715608165, 0.0809736858191, 0.0112869304504, -0.0175715608165],
            (-0.0065801921, 3.53554844),
        ),
        (
            (20.0, 1.0, 0.1),
            [-0.619949075714, 0.189810738255, 0.358897133146, 0.0619949075714, -0.0189810738255, -0.0358897133146],
            (-0.0125637316, 3.53952522),
        ),
        (
            (20.0, 1.0, 0.5),
            [-0.344037487915, 0.128433539024, 0.27026608094, 0.0344037487915, -0.0128433539024, -0.027026608094],
            (-0.00911007599, 3.53523743),
        ),
        (
            (10.0, 4.0, 0.0),
            [-0.238325684479, 0.265519112319, 0.328163487466, 0.0238325684479, -0.0265519112319, -0.0328163487466],
            (-0.0143542789, 3.53547495),
        ),
        (
            (50.0, 4.0, 0.3),
            [-0.614833471223, -0.124215765895, 0.364539236871, 0.0614833471223, 0.0124215765895, -0.0364539236871],
            (0.120875226, 3.86521517),
        ),
    ];
    for ((load, speed, radius), coordinates, (growth, frequency)) in cases {
        let discs = discs(load, speed, radius);
        let found = discs.equilibrium().unwrap().unwrap();
        for (a, b) in found.coordinates.iter().zip(coordinates) {
            assert!((a - b).abs() < 1e-10, "{load} {speed} {radius}: {a} {b}");
        }
        assert!(found.kind == ContactState::Smooth && found.residual < 1e-10);
        let spectra = spectra(&discs, &found).unwrap().unwrap();
        assert_eq!((spectra.reduced.values.len(), spectra.full.values.len()), (12, 12));
        let leading = spectra.reduced.values[0];
        assert!((leading.re - growth).abs() < 1e-8 && (leading.im - frequency).abs() < 1e-7, "{leading}");
        // and the mirror image
        let mirrored = TwoDisc { drive_speed: -speed, ..discs.clone() }.equilibrium().unwrap().unwrap();
        for (i, sign) in [1.0, -1.0, -1.0, 1.0, -1.0, -1.0].into_iter().enumerate() {
            assert!((mirrored.coordinates[i] - sign * coordinates[i]).abs() < 1e-10);
        }
    }
}

#[test]
fn full_eigenvalues_from_sums_over_cells_are_those_of_the_dense_matrix() {
    for (load, speed) in [(45.0, 7.0), (20.0, 1.0)] {
        let mut discs = discs(load, speed, 0.1);
        discs.contact.rings = 2;
        let equilibrium = discs.equilibrium().unwrap().unwrap();
        let found = spectra(&discs, &equilibrium).unwrap().unwrap().full;
        let dense = full_spectrum_dense(&discs, &equilibrium).unwrap();
        assert_eq!(dense.values.len(), 12 + 2 * 24);
        for value in &found.values {
            let miss = dense.values.iter().map(|other| (other - value).norm()).fold(f64::INFINITY, f64::min);
            assert!(miss < 1e-6 * value.norm().max(1.0), "{value} misses by {miss:e}");
        }
    }
    // leading pair of the 312 states at (45, 7), by the other program
    let discs = discs(45.0, 7.0, 0.1);
    let full = spectra(&discs, &discs.equilibrium().unwrap().unwrap()).unwrap().unwrap().full.values[0];
    assert!((full.re - 0.809702988).abs() < 1e-7 && (full.im - 6.57959272).abs() < 1e-7, "{full}");
}

#[test]
fn trajectories_meet_the_reference() {
    let reference = [
        (2.0, [0.5507223701, -0.7440602586, -0.0507814393]),
        (4.0, [0.4185603835, -0.7164472658, -0.0448221960]),
        (8.0, [0.3823950811, -0.6620782579, -0.0303551037]),
        (12.0, [0.3755976818, -0.6396153470, -0.0258192801]),
        (16.0, [0.3715831814, -0.6283928524, -0.0397042167]),
        (20.0, [0.3685353374, -0.6217868477, -0.0440454691]),
    ];
    let mut transient = TransientRequest::lasting(20.0);
    transient.sample_times = reference.iter().map(|(t, _)| *t).collect();
    let outcome = transient.run(&discs(20.0, 1.0, 0.1).uniform().unwrap());
    assert_eq!((outcome.status, outcome.samples.len()), (Status::Complete, 6));
    for (sample, (t, wanted)) in outcome.samples.iter().zip(reference) {
        for (found, wanted) in [sample[2], sample[0], sample[5]].iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-6, "t = {t}: {found} {wanted}");
        }
    }
    assert!(outcome.reach > 0.95 && outcome.reach < 1.1 && outcome.left_disc_at.is_none());
}

#[test]
fn a_point_contact_has_the_equilibria_of_the_closed_form() {
    // the distance r from the centre of rotation obeys (c f)² + r² = R₁²; far above the Stribeck speed f is linear
    let (c, load, speed) = (0.11, 20.0, 2.0);
    let point = discs(load, speed, 0.0);
    let found = point.equilibria().unwrap();
    let (a, b) = (c * load * 0.32, c * load * 0.01 * speed);
    let r = (-a * b + (1.0 + b * b - a * a).sqrt()) / (1.0 + b * b);
    assert_eq!(found.all.len(), 1);
    assert!(
        (found.all[0].clearance - r).abs() < 1e-12
            && (found.all[0].coordinates[2] - (a + b * r) / c * r / 10.0).abs() < 1e-12
    );
    // from R₁/(c μ_S) on a captured equilibrium exists as well, and a smooth one between them; beyond R₁/(c μ_K) it is alone
    let kinds = |load: f64| {
        let all = discs(load, speed, 0.0).equilibria().unwrap();
        let captured = all.all.iter().filter(|e| e.is_captured()).count();
        (all.all.len() - captured, captured, all.is_followed)
    };
    assert_eq!(kinds(1.0 / (0.11 * 0.4) - 0.01), (1, 0, true));
    assert_eq!(kinds(1.0 / (0.11 * 0.4) + 0.01), (2, 1, true));
    assert_eq!(kinds(28.2), (2, 1, true));
    assert_eq!(kinds(1.0 / (0.11 * 0.32) + 0.1), (0, 1, true));
    assert_eq!(stability(&discs(40.0, 1.0, 0.0), Linearisation::Reduced).unwrap().class, Class::Captured);
}

#[test]
fn a_captured_equilibrium_is_found_flagged_and_stays() {
    // a large face: the centre of rotation passes over the centroid of a cell
    let mut found = None;
    for step in 0..60 {
        let discs = discs(38.0 + 0.1 * f64::from(step), 2.9, 0.5);
        let equilibrium = discs.equilibrium().unwrap().unwrap();
        if equilibrium.is_captured() {
            found = Some((discs, equilibrium));
            break;
        }
    }
    let (discs, equilibrium) = found.unwrap();
    assert!(equilibrium.residual < 1e-10 && equilibrium.clearance == 0.0);
    let ContactState::Captured { deflection, .. } = equilibrium.kind else { panic!("not captured") };
    assert!(deflection[0] * deflection[0] + deflection[1] * deflection[1] <= 0.16);
    let point = stability(&discs, Linearisation::Reduced).unwrap();
    assert_eq!((point.class, point.growth), (Class::Captured, None));
    let system = TwoDisc { start: DiscStart::Equilibrium, ..discs }.uniform().unwrap();
    let outcome = TransientRequest::lasting(2.0).run(&system);
    let end = outcome.end.unwrap();
    for (q, start) in end.iter().zip(&system.start().1) {
        assert!((q - start).abs() < 1e-5, "{q} {start}");
    }
}

#[test]
fn the_mesh_free_rule_agrees_with_a_fine_mesh() {
    for (load, speed) in [(45.0, 7.0), (76.0, 2.3), (20.0, 1.0)] {
        let mut fine = discs(load, speed, 0.1);
        fine.contact.rings = 40;
        let mut centred = fine.clone();
        centred.contact.quadrature = Quadrature::Centred;
        let (a, b) = (fine.equilibrium().unwrap().unwrap(), centred.equilibrium().unwrap().unwrap());
        assert!((a.coordinates[2] / b.coordinates[2] - 1.0).abs() < 1e-3, "{a:?} {b:?}");
        let growth = |discs| stability(discs, Linearisation::Reduced).unwrap().growth.unwrap();
        assert!((growth(&fine) - growth(&centred)).abs() < 5e-3 + 0.02 * growth(&fine).abs());
    }
}

#[test]
fn hopf_points_are_roots_and_all_of_them_are_found() {
    let loads: Vec<f64> = (1..=200).map(|i| 0.5 * f64::from(i)).collect();
    let along_load = crossings(&|load| Ok(discs(load, 4.0, 0.1)), &loads, Linearisation::Reduced, &Silent).unwrap();
    // by the other program: 17.152297877660
    assert_eq!(along_load.crossings.len(), 1);
    let hopf = along_load.crossings[0];
    assert!((hopf.value - 17.15229787766).abs() < 1e-7 && hopf.kind == CrossingKind::Hopf && hopf.is_loss, "{hopf:?}");
    // four of them along the speed: one crossing is never assumed
    let speeds: Vec<f64> = (1..=500).map(|i| 0.02 * f64::from(i)).collect();
    let along_speed =
        crossings(&|speed| Ok(discs(50.0, speed, 0.1)), &speeds, Linearisation::Reduced, &Silent).unwrap();
    let values: Vec<f64> = along_speed.crossings.iter().map(|c| c.value).collect();
    assert_eq!(values.len(), 4, "{values:?}");
    for (value, wanted) in values.iter().zip([0.05682, 2.69840, 3.14111, 3.41379]) {
        assert!((value - wanted).abs() < 1e-4, "{values:?}");
    }
    // each one has a vanishing real part at a growth that changes sign around it
    for crossing in &along_speed.crossings {
        let growth = |speed: f64| stability(&discs(50.0, speed, 0.1), Linearisation::Reduced).unwrap().growth.unwrap();
        assert!(growth(crossing.value).abs() < 1e-6);
        assert!((growth(crossing.value - 1e-4) < 0.0) == crossing.is_loss);
    }
    // the full linearisation moves them a little
    let full = crossings(&|load| Ok(discs(load, 4.0, 0.1)), &loads, Linearisation::Full, &Silent).unwrap();
    assert!((full.crossings[0].value - hopf.value).abs() < 0.1 && full.crossings[0].value != hopf.value);
}

#[test]
fn what_is_born_at_a_hopf_point_is_told() {
    let loads: Vec<f64> = (1..=60).map(|i| 0.5 * f64::from(i)).collect();
    for (radius, is_supercritical) in [(0.1, true), (0.5, false)] {
        let scan = crossings(&|load| Ok(discs(load, 4.0, radius)), &loads, Linearisation::Reduced, &Silent).unwrap();
        let hopf = scan.crossings[0];
        let born = criticality(&discs(hopf.value, 4.0, radius), &hopf.equilibrium.unwrap()).unwrap();
        assert_eq!(born.is_supercritical(), is_supercritical, "{radius}: {born:?}");
        assert!((born.frequency - hopf.frequency).abs() < 1e-6);
        // the upper disc swings on its springs
        assert!((born.frequency - 10.0_f64.sqrt()).abs() < 0.05 && born.mode[0].norm().max(born.mode[1].norm()) == 1.0);
    }
}

#[test]
fn the_outcome_may_depend_on_the_start() {
    let transient = TransientRequest { window: (10.0, 15.0), ..TransientRequest::lasting(15.0) };
    let from = |start: DiscStart| {
        let perturbation = Perturbation { upper_rotation: 1e-3, ..Perturbation::default() };
        transient.run(&TwoDisc { start, perturbation, ..discs(20.0, 1.0, 0.1) }.uniform().unwrap())
    };
    let size = |start: DiscStart| from(start).rotation.unwrap().extremes.peak_to_peak().unwrap();
    assert!(size(DiscStart::Turning) > 1e-3 && size(DiscStart::Equilibrium) < 2.1e-3);
    assert_ne!(from(DiscStart::Turning), from(DiscStart::AtRest));
}

#[test]
fn the_ends_of_the_interval_enclose_the_equilibrium() {
    let discs = varied(10.0, 1.0);
    let [low, high] = uniform_ends(&discs).unwrap();
    let level = |discs: &TwoDisc| discs.equilibrium().unwrap().unwrap().coordinates[2];
    assert!(level(&low) < level(&discs) && level(&discs) < level(&high));
    assert!((low.law.lugre().static_coefficient - 0.3).abs() < 1e-15 && (low.law.lugre().ratio() - 0.8).abs() < 1e-15);
}

#[test]
fn a_hopf_curve_passes_through_the_points_found_along_lines() {
    let family = |load: f64, speed: f64| Ok(discs(load, speed, 0.1));
    let loads: Vec<f64> = (10..=60).map(|i| 0.5 * f64::from(i)).collect();
    let start = crossings(&|load| family(load, 4.0), &loads, Linearisation::Reduced, &Silent).unwrap().crossings[0];
    let pole = start.equilibrium.unwrap().pole;
    let near = HopfPoint { x: start.value, y: 4.0, pole, frequency: start.frequency };
    let curve = hopf_curve(&family, &near, ((5.0, 30.0), (3.0, 8.0)), Linearisation::Reduced).unwrap();
    assert!(curve.len() > 20, "{}", curve.len());
    for point in curve.iter().step_by(7) {
        let growth = stability(&discs(point.x, point.y, 0.1), Linearisation::Reduced).unwrap().growth.unwrap();
        assert!(growth.abs() < 1e-6, "{point:?}: {growth:e}");
    }
    let at_five =
        crossings(&|load| family(load, 5.0), &loads, Linearisation::Reduced, &Silent).unwrap().crossings[0].value;
    let nearest = curve.iter().map(|p| (p.x - at_five).abs() + 10.0 * (p.y - 5.0).abs()).fold(f64::INFINITY, f64::min);
    assert!(nearest < 1.5, "{nearest}");
}

#[test]
fn a_map_has_no_holes_and_does_not_depend_on_its_other_axis() {
    let (loads, speeds): (Vec<f64>, Vec<f64>) =
        ((1..=20).map(|i| 5.0 * f64::from(i)).collect(), vec![0.5, 2.9, 4.3, 9.0]);
    let map = stability_map(&|x, y| Ok(discs(x, y, 0.1)), &loads, &speeds, Linearisation::Reduced, &Silent).unwrap();
    assert_eq!(map.cells.len(), 80);
    let turned = stability_map(&|y, x| Ok(discs(x, y, 0.1)), &speeds, &loads, Linearisation::Reduced, &Silent).unwrap();
    for (i, _) in loads.iter().enumerate() {
        for (j, _) in speeds.iter().enumerate() {
            let (a, b) = (map.at(i, j).unwrap(), turned.at(j, i).unwrap());
            assert_eq!(a.class, b.class, "{} {}", loads[i], speeds[j]);
            assert!(a.class != Class::None && a.class != Class::Undecided);
            if let (Some(a), Some(b)) = (a.growth, b.growth) {
                assert!((a - b).abs() < 1e-7);
            }
        }
    }
}

#[test]
fn motion_near_an_equilibrium_grows_or_decays_as_the_full_eigenvalues_say() {
    let mut unstable = discs(45.0, 7.0, 0.1);
    unstable.start = DiscStart::Equilibrium;
    unstable.perturbation = Perturbation { upper_rotation: 1e-6, ..Perturbation::default() };
    let growth = spectra(&unstable, &unstable.equilibrium().unwrap().unwrap()).unwrap().unwrap().full.growth();
    let system = unstable.uniform().unwrap();
    let level = unstable.equilibrium().unwrap().unwrap().coordinates[2];
    let solver = Solver::stiff().with_tolerance(1e-9);
    let amplitude = |from: f64, to: f64| {
        let transient = TransientRequest { window: (from, to), ..TransientRequest::lasting(to).with_solver(solver) };
        let extremes = transient.run(&system).rotation.unwrap().extremes;
        (extremes.largest - level).max(level - extremes.smallest)
    };
    let (early, late) = (amplitude(3.0, 4.0), amplitude(6.0, 7.0));
    let found = stiction::num::real::ln(late / early) / 3.0;
    assert!((found / growth - 1.0).abs() < 0.05, "{found} {growth}");
}

#[test]
fn stick_slip_classes_are_those_of_the_paper_where_they_agree() {
    let class = |load: f64, speed: f64, duration: f64| {
        let solver = Solver::stiff().with_tolerance(1e-5);
        let outcome = TransientRequest::lasting(duration)
            .with_stick_slip()
            .with_solver(solver)
            .run(&discs(load, speed, 0.1).uniform().unwrap());
        outcome.stick_slip.unwrap()
    };
    assert_eq!(class(10.0, 0.1, 100.0).class, StickSlipClass::None);
    let slow = class(10.0, 0.01, 300.0);
    assert_eq!(slow.class, StickSlipClass::Sustained, "{slow:?}");
    let short = class(10.0, 0.001, 20.0);
    assert_eq!(short.class, StickSlipClass::Undecided);
    assert!(short.needed_duration.unwrap() > 600.0);
}

#[test]
fn a_run_decays_around_its_equilibrium_or_says_that_its_steps_are_used_up() {
    let transient = TransientRequest { window: (20.0, 30.0), ..TransientRequest::lasting(30.0) };
    for load in [5.0, 20.0] {
        let discs = discs(load, 1.0, 0.1);
        let report = transient.run(&discs.uniform().unwrap()).rotation.unwrap();
        let level = discs.equilibrium().unwrap().unwrap().coordinates[2];
        assert!(report.extremes.smallest < level && level < report.extremes.largest + 1e-3);
        assert!(matches!(report.trend, Trend::Decaying | Trend::Settled), "{:?}", report.trend);
    }
    let cut = TransientRequest { solver: Solver { max_steps: 50, ..Solver::stiff() }, ..transient };
    let outcome = cut.run(&discs(5.0, 1.0, 0.1).uniform().unwrap());
    assert!(matches!(outcome.status, Status::OutOfSteps { .. }) && outcome.rotation.is_none());
}

#[test]
fn discs_without_an_equilibrium_to_start_from_have_a_reason() {
    let family = |speed: f64| Ok(TwoDisc { start: DiscStart::Equilibrium, ..discs(20.0, speed, 0.1) });
    let outcome = TransientRequest::lasting(1.0).run_if_possible(family(0.0).unwrap().uniform(), &Silent).unwrap();
    assert_eq!(outcome.status.reason(), "no equilibrium to start from: the drive stands still (drive_speed = 0)");
    assert!(outcome.rotation.is_none() && outcome.samples.is_empty());
    // a single run says the same as an error, with what to change
    let told = family(0.0).unwrap().uniform().unwrap_err().to_string();
    assert_eq!(
        told,
        "start: is `equilibrium`, but the drive stands still (drive_speed = 0); use `turning` or `at_rest`"
    );
    // the equilibrium is followed on both sides of the gap
    let scan = crossings(&family, &[-1.0, 0.0, 1.0], Linearisation::Reduced, &Silent).unwrap();
    assert_eq!(
        scan.points.iter().map(|point| point.class).collect::<Vec<_>>(),
        [Class::Stable, Class::None, Class::Stable]
    );
}

#[test]
fn meshes_converge() {
    let solver = Solver::stiff().with_tolerance(1e-7);
    let errors = mesh_errors(&discs(20.0, 1.0, 0.1), &[1, 2, 3, 5], 15, 10.0, solver, &Silent).unwrap();
    assert!(errors.windows(2).all(|pair| pair[1].error < pair[0].error), "{errors:?}");
    assert!(errors[0].error < 1e-2 && errors[3].error < 1e-5, "{errors:?}");
}

fn varied(load: f64, speed: f64) -> TwoDisc {
    TwoDisc { field: Some(IntervalField::default()), ..discs(load, speed, 0.1) }
}

#[test]
fn sensitivities_add_up_to_the_answer_to_a_uniform_change() {
    let discs = varied(20.0, 1.0);
    let found = sensitivity(&discs, 0.0).unwrap();
    assert_eq!(found.coefficients.len(), 62 * 62);
    let level = |centre: f64| {
        let mut discs = discs.clone();
        discs.field.as_mut().unwrap().centre = centre;
        discs.equilibrium().unwrap().unwrap().coordinates[2]
    };
    let slope = (level(0.4 + 1e-4) - level(0.4 - 1e-4)) / 2e-4;
    assert!((found.sum() / (0.1 * slope) - 1.0).abs() < 1e-3, "{} {}", found.sum(), 0.1 * slope);
    assert!(found.reach() > found.sum().abs() && found.active() < 62 * 62 && found.standard_deviation() > 0.0);
    // at another angle of the drive the sum is the same
    assert!((sensitivity(&discs, 1.0).unwrap().sum() / found.sum() - 1.0).abs() < 1e-3);
}

#[test]
fn a_weak_field_is_answered_as_the_sensitivities_say() {
    let mut discs = varied(20.0, 1.0);
    discs.field.as_mut().unwrap().half_width = 1e-3;
    discs.start = DiscStart::Equilibrium;
    let turn = std::f64::consts::TAU;
    // forty turns let the start die away: the leading decay is 0.0126 1/s, the rest is left in the tolerance
    let end = 40.0 * turn;
    let found = sensitivity(&discs, end).unwrap();
    let field = discs.field.clone().unwrap();
    let coordinates = field.draw(2.0, 9, 0);
    let linear: f64 = found.coefficients.iter().zip(&coordinates).map(|(a, xi)| a * xi).sum();
    let level = discs.equilibrium().unwrap().unwrap().coordinates[2];
    let mut transient = TransientRequest::lasting(end).with_solver(Solver::stiff().with_tolerance(1e-7));
    transient.sample_times = vec![end];
    let outcome = transient.run(&discs.given(&coordinates).unwrap());
    let answer = outcome.samples[0][2] - level;
    let size = found.standard_deviation();
    assert!((answer - linear).abs() < 0.15 * size, "{answer:e} {linear:e} {size:e}");
}

#[test]
fn realisations_can_be_replayed_alone_and_bounds_hold_them() {
    let discs = varied(10.0, 1.0);
    let transient = TransientRequest {
        window: (15.0, 25.0),
        ..TransientRequest::lasting(25.0).with_solver(Solver::stiff().with_tolerance(1e-4))
    };
    let study = IntervalStudy { transient: transient.clone(), seed: 3, rounds: Some(1) };
    let batch: Vec<Realisation> =
        (0..6).map(|index| Realisation::of(&discs, &study, index, &Silent).unwrap()).collect();
    assert_eq!(batch[4].outcome, transient.run(&discs.realisation(3, 4).unwrap()));
    assert_ne!(batch[4].outcome, batch[3].outcome);
    let found = bounds(&discs, &study, &batch, &Silent).unwrap();
    let (vertices, sampled) = (found.vertices.unwrap(), found.sampled.unwrap());
    assert!(vertices.0 < sampled.0 && vertices.1 > sampled.1, "{found:?}");
    let first = found.first_vertices.unwrap();
    assert!(vertices.0 <= first.0 && vertices.1 >= first.1);
    assert!(found.vertex_runs >= 4 && found.active > 100 && found.failed == 0);
}

#[test]
fn a_contact_that_leaves_the_lower_disc_is_flagged() {
    let mut far = discs(60.0, 8.0, 0.1);
    far.lower.radius = 1.001;
    let outcome =
        TransientRequest::lasting(3.0).with_solver(Solver::stiff().with_tolerance(1e-4)).run(&far.uniform().unwrap());
    assert!(outcome.reach > 1.001 && outcome.left_disc_at.is_some_and(|t| t < 3.0), "{}", outcome.reach);
    assert_eq!(Face::of(&far).len(), 150);
}

#[test]
fn a_run_does_not_depend_on_the_units() {
    let run = |mass: f64, length: f64, time: f64| {
        let mut discs = discs(20.0 * mass * length / (time * time), 1.0 / time, 0.1 * length);
        let (area, rate) = (length * length, 1.0 / time);
        macro_rules! scale {
            ($disc:expr) => {
                $disc.mass *= mass;
                $disc.inertia *= mass * area;
                $disc.stiffness *= mass * rate * rate;
                $disc.torsional_stiffness *= mass * area * rate * rate;
                $disc.damping *= mass * rate;
                $disc.torsional_damping *= mass * area * rate;
                $disc.radius *= length;
            };
        }
        scale!(discs.upper);
        scale!(discs.lower);
        let law = discs.law.lugre_mut();
        law.bristle_stiffness /= length;
        law.bristle_damping *= time / length;
        law.stribeck_speed *= length / time;
        law.viscous_coefficient *= time / length;
        let transient = TransientRequest::lasting(20.0 * time);
        let end = transient.run(&discs.uniform().unwrap()).end.unwrap();
        let units = [length, length, 1.0];
        (0..12).map(|i| end[i] / units[i % 3] * if i < 6 { 1.0 } else { time }).collect::<Vec<f64>>()
    };
    // the same steps and the same pivots: the same bits
    for [mass, length, time] in [[64.0, 1.0 / 1024.0, 256.0], [1.0, 4096.0, 1.0], [0.25, 64.0, 1024.0]] {
        assert_eq!(run(1.0, 1.0, 1.0), run(mass, length, time), "{mass} {length} {time}");
    }
}
