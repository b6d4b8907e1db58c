//! What every mechanism of the list must keep, whatever it is.

use stiction::analysis::Silent;
use stiction::analysis::equilibrium::{EquilibriumKind, equilibrium};
use stiction::analysis::planar_sliding::PlanarSliding;
use stiction::analysis::spring_block::attractors;
use stiction::analysis::trajectory::{Request, state_with, trajectory};
use stiction::field::{FieldModel, Germ};
use stiction::integrate::{MethodName, Solver, Span};
use stiction::law::{Coulomb, Law, TwoSlope};
use stiction::mechanism::{AnyMechanism, Horizon};
use stiction::record::Motion;
use stiction::system::{Assembly, BeltDisc, CrankSlider, SpringBlock, TwoDisc, Wheel};

/// One of each that moves, with a solver, a duration \[s\], and the largest relative error of its balance of energy.
fn moving() -> Vec<(AnyMechanism, Solver, f64, f64)> {
    let falling = TwoSlope {
        static_coefficient: 1.0,
        low_speed_slope: 3.0,
        high_speed_slope: 0.1,
        crossover_speed: 0.2,
        crossover_width: 0.05,
    };
    let coulomb = Coulomb { static_coefficient: 0.5, kinetic_coefficient: 0.45 };
    let constant = SpringBlock { normal_load: 98.1, ..SpringBlock::new(10.0, 30.0, 0.2, Law::Coulomb(coulomb)) };
    let belt = Solver { method: MethodName::Dopri5, ..Solver::default() };
    let discs: TwoDisc = serde_json::from_str(r#"{ "normal_load": 10.0, "drive_speed": 1.0 }"#).unwrap();
    let discs_solver = Solver { max_step: Some(0.05), ..Solver::stiff().with_tolerance(1e-9) };
    let forced = Assembly::new(serde_json::json!({
        "body": [{ "name": "m", "mass": 1.0 }, { "name": "n", "mass": 2.0, "start": { "position": 0.3 } }],
        "drive": [{ "name": "belt", "speed": "0.4 + 0.1*sin(t)" }],
        "spring": [{ "between": ["m", "ground"], "stiffness": 1.0, "damping": 0.1 }, { "between": ["m", "n"], "stiffness": 2.0 }],
        "force": [{ "on": "m", "formula": "0.3*cos(1.3*t)" }],
        "contact": [
            { "between": ["m", "belt"], "law": { "coulomb": { "static_coefficient": 0.5, "kinetic_coefficient": 0.4 } } },
            { "between": ["n", "ground"], "normal_load": "1 + 0.2*cos(t)",
              "law": { "coulomb": { "static_coefficient": 0.3, "kinetic_coefficient": 0.3 } } },
        ],
    }));
    vec![
        (AnyMechanism::Assembly(forced), Solver::default(), 30.0, 1e-10),
        (AnyMechanism::SpringBlock(constant), Solver::default(), 30.0, 1e-13),
        (
            AnyMechanism::SpringBlock(SpringBlock::new(40.0, 1.0, 0.3, Law::TwoSlope(falling))),
            Solver::default(),
            200.0,
            1e-11,
        ),
        (AnyMechanism::CrankSlider(CrankSlider::default()), Solver::default(), 2.0, 1e-11),
        (AnyMechanism::BeltDisc(BeltDisc::default().uniform(0.5)), belt, 30.0, 1e-12),
        // the first instants of a slip are a bridge, whose heat is known to its order
        (AnyMechanism::BeltDisc(BeltDisc::default()), belt, 8.0, 1e-5),
        (AnyMechanism::TwoDisc(discs), discs_solver, 8.0, 1e-6),
        (AnyMechanism::Wheel(Wheel::default()), Solver::default(), 0.4, 1e-9),
    ]
}

/// The motion of a germ, shown to a question.
fn asked<R>(mechanism: &AnyMechanism, duration: f64, germ: Germ, question: impl FnOnce(&dyn Motion) -> R) -> R {
    let plan = mechanism.prepare(&Horizon { duration, map: None, stop: &|| false }).unwrap();
    let motion = plan.given(germ).unwrap();
    question(motion.as_ref())
}

#[test]
fn every_mechanism_that_moves_is_asked() {
    let asked: Vec<&str> = moving().iter().map(|(mechanism, ..)| mechanism.name()).collect();
    for name in AnyMechanism::NAMES {
        let keys = r#"{ "shape": { "square": { "half_side": 0.3 } }, "pressure": 1.0, "field": { "constant": 0.5 } }"#;
        let still = AnyMechanism::PlanarSliding(serde_json::from_str::<PlanarSliding>(keys).unwrap());
        assert!(asked.contains(name) || *name == still.name(), "{name} is not asked");
        let refused = still.prepare(&Horizon { duration: 1.0, map: None, stop: &|| false }).err().unwrap();
        assert!(refused.message.contains("no equations of motion"), "{}", refused.message);
    }
}

#[test]
fn columns_and_contacts_have_names_of_their_own_and_entries_come_first() {
    for (mechanism, _, duration, _) in moving() {
        asked(&mechanism, duration, Germ::new(1, 0), |motion| {
            let names: Vec<&str> = motion.columns().iter().map(|column| &*column.name).collect();
            let unique: std::collections::BTreeSet<&str> = names.iter().copied().chain(["time", "row"]).collect();
            assert_eq!(unique.len(), names.len() + 2, "{names:?}");
            assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_')), "{names:?}");
            assert!(motion.columns()[motion.entries()..].iter().all(|column| column.entry().is_none()));
            assert_eq!(motion.columns(), mechanism.columns(), "{}", mechanism.name());
            assert_eq!(motion.contacts(), mechanism.contacts());
        });
    }
}

#[test]
fn energy_is_balanced_and_the_end_is_finite() {
    for (mechanism, solver, duration, tolerance) in moving() {
        let request = Request { duration, samples: 11, sample_times: vec![duration, 0.0] };
        asked(&mechanism, duration, Germ::new(1, 0), |motion| {
            let found = trajectory(motion, &request, None, &solver, &Silent).unwrap();
            let residual = found.balance.residual().unwrap();
            assert!(residual < tolerance, "{}: {residual:e}", mechanism.name());
            assert!(found.end.columns.iter().all(|value| value.is_finite()), "{}", mechanism.name());
            assert_eq!((found.end.time, found.samples.times.len()), (duration, 11), "{}", mechanism.name());
            let first = found.at_times[1].as_ref().unwrap();
            let start = motion.start();
            for (column, value) in motion.columns().iter().zip(first) {
                if let Some((index, sign)) = column.entry() {
                    assert_eq!(*value, sign * start[index] + 0.0, "{} {}", mechanism.name(), column.name);
                }
            }
        });
    }
}

#[test]
fn a_germ_gives_the_same_motion_twice_and_another_one_gives_another() {
    for (mechanism, solver, duration, _) in moving() {
        let end = |germ: Germ| {
            asked(&mechanism, duration, germ, |motion| {
                motion.follow(&solver, Span::until(duration), None, &mut ()).unwrap()
            })
        };
        assert_eq!(end(Germ::new(3, 1)), end(Germ::new(3, 1)), "{}", mechanism.name());
        let random = mechanism.region().is_some_and(|(field, _): (FieldModel, _)| field.constant.is_none());
        assert_eq!(end(Germ::new(3, 1)) != end(Germ::new(3, 2)), random, "{}", mechanism.name());
    }
}

#[test]
fn derivatives_are_finite_and_a_start_by_columns_is_the_start() {
    for (mechanism, _, duration, _) in moving() {
        asked(&mechanism, duration, Germ::new(1, 0), |motion| {
            let start = motion.start();
            let frozen = motion.frozen(0.0, &start).unwrap();
            assert!(frozen.slopes(0.0, &start).unwrap().iter().all(|slope| slope.is_finite()), "{}", mechanism.name());
            let name = motion.columns()[0].name.to_string();
            let moved = state_with(motion, &[(name, 0.125)], "start").unwrap();
            let (index, sign) = motion.columns()[0].entry().unwrap();
            assert_eq!(moved[index], sign * 0.125);
            let wrong = state_with(motion, &[("no_such_column".to_owned(), 0.0)], "start").unwrap_err().to_string();
            assert!(wrong.contains("start.no_such_column") && wrong.contains(&*motion.columns()[0].name), "{wrong}");
        });
    }
}

#[test]
fn steady_sliding_of_a_block_has_the_eigenvalues_of_its_oscillator() {
    let (mass, stiffness, speed) = (40.0, 1.0, 0.3);
    let law = Law::Linear(stiction::law::Linear { static_coefficient: 1.0, kinetic_coefficient: 0.6, slope: 0.5 });
    let block = AnyMechanism::SpringBlock(SpringBlock::new(mass, stiffness, speed, law));
    asked(&block, 1.0, Germ::new(1, 0), |motion| {
        let found = equilibrium(motion, None).unwrap();
        assert!((found.columns[0] - (0.6 + 0.5 * speed) / stiffness).abs() < 1e-15);
        let EquilibriumKind::Steady { eigenvalues } = found.kind else { panic!("it slides") };
        // M λ² + F' λ + κ = 0
        let decay = 0.5 * 0.5 / mass;
        let frequency = (stiffness / mass - decay * decay).sqrt();
        assert!((eigenvalues[0].re + decay).abs() < 1e-15 && (eigenvalues[0].im - frequency).abs() < 1e-15);
        assert_eq!(eigenvalues[1], eigenvalues[0].conj());
    });
}

#[test]
fn a_disc_on_a_uniform_belt_is_damped_across_it_and_not_along_it() {
    let disc = BeltDisc::default().uniform(0.5);
    let (frequency, weight) = (disc.natural_frequency(), disc.weight());
    let (mass, inertia, radius, speed) = (disc.mass, disc.inertia(), disc.radius, disc.belt_speed);
    asked(&AnyMechanism::BeltDisc(disc), 1.0, Germ::new(1, 0), |motion| {
        let found = equilibrium(motion, None).unwrap();
        assert!((found.columns[0] - 0.45 * weight / 30.0).abs() < 1e-12, "{:?}", found.columns);
        let EquilibriumKind::Steady { eigenvalues } = found.kind else { panic!("it slides") };
        // along: ±i ω; across: m λ² + μ_k m g/v λ + k = 0; spin: J λ + μ_k m g ⟨r²⟩/(2 v) = 0 with ⟨y²⟩ = R²/4
        let drag = 0.45 * weight / speed;
        let half = 0.5 * drag / mass;
        let root = (half * half - frequency * frequency).sqrt();
        let spin = drag * radius * radius / 4.0 / inertia;
        let mut wanted = vec![-half + root, -half - root, -spin];
        wanted.sort_by(|a, b| b.total_cmp(a));
        let real: Vec<f64> = eigenvalues.iter().filter(|value| value.im == 0.0).map(|value| value.re).collect();
        for (found, wanted) in real.iter().zip(&wanted) {
            assert!((found / wanted - 1.0).abs() < 1e-8, "{real:?} {wanted:?}");
        }
        let pair: Vec<_> = eigenvalues.iter().filter(|value| value.im != 0.0).collect();
        assert!(pair.len() == 2 && pair[0].re.abs() < 1e-9 && (pair[0].im / frequency - 1.0).abs() < 1e-9, "{pair:?}");
        assert_eq!(real.len(), wanted.len());
    });
}

#[test]
fn a_block_on_a_surface_at_rest_rests_within_its_static_limit() {
    let law = Law::Coulomb(Coulomb { static_coefficient: 0.5, kinetic_coefficient: 0.4 });
    let block = AnyMechanism::SpringBlock(SpringBlock::new(1.0, 2.0, 0.0, law));
    asked(&block, 1.0, Germ::new(1, 0), |motion| {
        let found = equilibrium(motion, None).unwrap();
        let EquilibriumKind::Rest { bounds } = found.kind else { panic!("it rests") };
        assert_eq!(bounds[0], [-0.25, 0.25]);
    });
}

#[test]
fn mechanisms_whose_keys_are_out_of_range_are_refused_in_rust_too() {
    let law = Law::Coulomb(Coulomb { static_coefficient: 0.5, kinetic_coefficient: 0.4 });
    let wrong = [
        (
            AnyMechanism::SpringBlock(SpringBlock { mass: -1.0, ..SpringBlock::new(1.0, 1.0, 0.1, law) }),
            "spring_block.mass",
        ),
        (
            AnyMechanism::CrankSlider(CrankSlider { rod_length: 0.0, ..CrankSlider::default() }),
            "crank_slider.rod_length",
        ),
        (AnyMechanism::BeltDisc(BeltDisc { radius: f64::NAN, ..BeltDisc::default() }), "belt_disc.radius"),
        (AnyMechanism::Wheel(Wheel { slider_mass: 0.0, ..Wheel::default() }), "wheel.slider_mass"),
    ];
    for (mechanism, key) in wrong {
        assert_eq!(mechanism.problems()[0].key, key);
        assert!(mechanism.prepare(&Horizon { duration: 1.0, map: None, stop: &|| false }).is_err(), "{key}");
    }
}

#[test]
fn an_equilibrium_has_the_same_digits_in_any_units() {
    let found = |mass: f64, length: f64, time: f64| {
        let (speed, force) = (length / time, mass * length / (time * time));
        let law = Law::TwoSlope(TwoSlope {
            static_coefficient: 1.0,
            low_speed_slope: 3.0 / speed,
            high_speed_slope: 0.1 / speed,
            crossover_speed: 0.2 * speed,
            crossover_width: 0.05 * speed,
        });
        let block = SpringBlock::new(40.0 * mass, mass / (time * time), 0.9 * speed, law);
        let block = AnyMechanism::SpringBlock(SpringBlock { normal_load: 1.7 * force, ..block });
        let found = asked(&block, 1.0, Germ::new(1, 0), |motion| equilibrium(motion, None).unwrap());
        let EquilibriumKind::Steady { eigenvalues } = found.kind else { panic!("{:?}", found.kind) };
        let eigenvalues: Vec<[f64; 2]> = eigenvalues.iter().map(|value| [value.re * time, value.im * time]).collect();
        (found.state[0] / length, found.state[1] / speed, eigenvalues)
    };
    // powers of four, so that the typical sizes change exactly
    for [mass, length, time] in [[1.0, 4096.0, 1.0], [64.0, 1.0 / 1024.0, 256.0], [1.0, 1.0, 1.0 / 4096.0]] {
        assert_eq!(found(1.0, 1.0, 1.0), found(mass, length, time), "{mass} {length} {time}");
    }
}

#[test]
fn every_number_of_every_mechanism_is_refused_where_it_is_not_finite() {
    for (mechanism, ..) in moving() {
        let name = mechanism.name();
        let tree = serde_json::to_value(&mechanism).unwrap();
        assert!(mechanism.problems().is_empty(), "{name}");
        assert!(!tree.to_string().contains("null"), "{name} has an option that is written where it is left out");
    }
    let law = Law::Coulomb(Coulomb { static_coefficient: 0.5, kinetic_coefficient: -0.4 });
    let block = SpringBlock { microscopic_length: Some(f64::INFINITY), ..SpringBlock::new(f64::NAN, 30.0, 0.1, law) };
    let told: Vec<String> =
        block.problems().iter().map(|problem| format!("{}: {}", problem.key, problem.message)).collect();
    assert_eq!(
        told,
        [
            "mass: is NaN, but must be a finite number > 0",
            "law.coulomb.kinetic_coefficient: is -0.4, but must be a finite number >= 0",
            "microscopic_length: is inf, but must be a finite number > 0",
        ]
    );
    let refused = attractors(&block, Solver::default()).unwrap_err();
    assert_eq!(refused.to_string(), told[0]);
}

#[test]
fn a_motion_that_cannot_start_ends_at_once_with_its_reason() {
    // (coefficient × gain)² > 1: no friction force or several, also for a crank that turns already
    let mut crank = CrankSlider { initial_speed: 10.0, ..CrankSlider::default() };
    crank.field = FieldModel { constant: Some(1e9), ..FieldModel::default() };
    let mechanism = AnyMechanism::CrankSlider(crank);
    let plan = mechanism.prepare(&Horizon { duration: 1.0, map: None, stop: &|| false }).unwrap();
    let motion = plan.given(Germ::new(1, 0)).unwrap();
    let request = Request { duration: 1.0, samples: 11, sample_times: Vec::new() };
    let found = trajectory(motion.as_ref(), &request, None, &Solver::default(), &Silent).unwrap();
    assert_eq!(found.end.time, 0.0);
    assert_eq!((found.extremes.max[1], found.extremes.min[1]), (10.0, 10.0));
    assert!(found.end.reason.as_ref().unwrap().contains("not determined"), "{:?}", found.end.reason);
}
