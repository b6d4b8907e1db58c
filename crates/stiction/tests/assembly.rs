//! Mechanisms of one's own: closed forms, special mechanisms written as assemblies, and what is refused.

use serde_json::{Value as Json, json};
use stiction::analysis::Silent;
use stiction::analysis::trajectory::{Request, Trajectory, trajectory};
use stiction::field::Germ;
use stiction::integrate::Solver;
use stiction::law::{Coulomb, Law};
use stiction::mechanism::{AnyMechanism, Horizon};
use stiction::system::{Assembly, SpringBlock};

fn coulomb(static_coefficient: f64, kinetic_coefficient: f64) -> Json {
    json!({ "coulomb": { "static_coefficient": static_coefficient, "kinetic_coefficient": kinetic_coefficient } })
}

/// The motion until `duration` \[s\], with the columns at given instants.
fn moved(mechanism: &AnyMechanism, duration: f64, times: &[f64]) -> (Vec<String>, Trajectory) {
    let plan = mechanism.prepare(&Horizon { duration, map: None, stop: &|| false }).unwrap();
    let motion = plan.given(Germ::new(1, 0)).unwrap();
    let request = Request { duration, samples: 2, sample_times: times.to_vec() };
    let names = motion.columns().iter().map(|column| column.name.to_string()).collect();
    let found = trajectory(motion.as_ref(), &request, None, &Solver::default().integrated(), &Silent).unwrap();
    assert!(found.balance.residual().unwrap() < 1e-10, "energy: {:?}", found.balance.residual());
    (names, found)
}

fn assembly(tree: Json) -> AnyMechanism {
    AnyMechanism::Assembly(Assembly::new(tree))
}

/// The value of a column at the k-th of the instants.
fn at((names, found): &(Vec<String>, Trajectory), k: usize, column: &str) -> f64 {
    let place = names.iter().position(|name| name == column).unwrap();
    found.at_times[k].as_ref().unwrap()[place]
}

/// Time, contact, and phases before and after of each event.
fn events((_, found): &(Vec<String>, Trajectory)) -> Vec<(f64, usize, &'static str, &'static str)> {
    found
        .events
        .changes
        .iter()
        .map(|change| (change.time, change.contact, change.from.name(), change.to.name()))
        .collect()
}

fn near(found: f64, wanted: f64) -> bool {
    (found - wanted).abs() < 1e-11 * (1.0 + wanted.abs())
}

#[test]
fn a_block_on_a_belt_moves_as_the_mechanism_of_that_name() {
    let law = Law::Coulomb(Coulomb { static_coefficient: 0.5, kinetic_coefficient: 0.45 });
    let block = SpringBlock { normal_load: 98.1, ..SpringBlock::new(10.0, 30.0, 0.2, law) };
    let own = assembly(json!({
        "parameters": { "k": 30.0, "speed": 0.2 },
        "body": [{ "name": "m", "mass": 10.0, "start": { "velocity": "speed" } }],
        "spring": [{ "between": ["m", "ground"], "stiffness": "k" }],
        "drive": [{ "name": "belt", "speed": "speed" }],
        "contact": [{ "between": ["m", "belt"], "normal_load": "10*9.81", "law": coulomb(0.5, 0.45) }],
    }));
    let times = [9.0, 11.0, 30.0];
    let (special, own) = (moved(&AnyMechanism::SpringBlock(block), 30.0, &times), moved(&own, 30.0, &times));
    for k in 0..times.len() {
        assert!((at(&special, k, "displacement") - at(&own, k, "x_m")).abs() < 1e-12);
        assert!((at(&special, k, "velocity") - at(&own, k, "v_m")).abs() < 1e-12);
        assert!((at(&special, k, "friction_force") - at(&own, k, "friction_m_belt")).abs() < 1e-10);
    }
    let (special, own) = (events(&special), events(&own));
    assert_eq!(special.len(), own.len());
    for (special, own) in special.iter().zip(&own) {
        assert!((special.0 - own.0).abs() < 1e-12 && (special.2, special.3) == (own.2, own.3), "{special:?} {own:?}");
    }
}

#[test]
fn a_clutch_closes_and_holds() {
    let clutch = assembly(json!({
        "parameters": { "capacity": 15.0 },
        "body": [
            { "name": "in", "kind": "rotor", "inertia": 1.0, "start": { "velocity": 10.0 } },
            { "name": "out", "kind": "rotor", "inertia": 0.25, "start": { "velocity": 5.0 } },
        ],
        "force": [{ "on": "in", "formula": 10.0 }, { "on": "out", "formula": "-10" }],
        "contact": [{ "between": ["in", "out"], "normal_load": "capacity", "law": coulomb(1.0, 1.0) }],
    }));
    let found = moved(&clutch, 1.0, &[1.0]);
    let [(time, 0, "forward", "stick")] = events(&found)[..] else { panic!("{:?}", events(&found)) };
    assert!(near(time, 0.2));
    assert!(near(at(&found, 0, "v_in"), 9.0) && near(at(&found, 0, "x_in"), 9.1));
    assert_eq!(at(&found, 0, "v_in"), at(&found, 0, "v_out"));
    assert_eq!(at(&found, 0, "sliding_in_out"), 0.0);
    assert!(near(at(&found, 0, "friction_in_out"), -10.0));
    // ∫ 15 (5 − 25 t) dt until 0.2 s
    assert!(near(at(&found, 0, "heat_in_out"), 7.5));
}

#[test]
fn stacked_blocks_move_together_below_the_limit_of_the_upper_contact() {
    let stack = |force: f64| {
        assembly(json!({
            "parameters": { "F": force, "g": 9.81 },
            "body": [{ "name": "a", "mass": 1.0 }, { "name": "b", "mass": 2.0 }],
            "force": [{ "on": "a", "formula": "F" }],
            "contact": [
                { "between": ["a", "b"], "normal_load": "g", "law": coulomb(0.5, 0.5) },
                { "between": ["b", "ground"], "normal_load": "3*g", "law": coulomb(0.1, 0.1) },
            ],
        }))
    };
    let together = moved(&stack(4.0), 2.0, &[2.0]);
    let acceleration = (4.0 - 2.943) / 3.0;
    assert!(near(at(&together, 0, "x_a"), 2.0 * acceleration) && near(at(&together, 0, "x_b"), 2.0 * acceleration));
    assert!(near(at(&together, 0, "friction_a_b"), acceleration - 4.0));
    let apart = moved(&stack(8.0), 2.0, &[2.0]);
    assert!(near(at(&apart, 0, "x_a"), 2.0 * (8.0 - 4.905)));
    assert!(near(at(&apart, 0, "x_b"), 2.0 * (4.905 - 2.943) / 2.0));
    let still = moved(&stack(2.9), 2.0, &[2.0]);
    assert_eq!([at(&still, 0, "x_a"), at(&still, 0, "x_b")], [0.0, 0.0]);
}

#[test]
fn a_contact_that_leaves_in_the_cascade_goes_back_where_it_would_turn_round() {
    let stack = assembly(json!({
        "body": [{ "name": "a", "mass": 1.0 }, { "name": "b", "mass": 1.0 }],
        "force": [{ "on": "a", "formula": -2.0 }, { "on": "b", "formula": -0.5 }],
        "contact": [
            { "between": ["a", "b"], "law": coulomb(1.0, 0.2) },
            { "between": ["b", "ground"], "law": coulomb(1.0, 0.8) },
        ],
    }));
    let found = moved(&stack, 1.0, &[1.0]);
    assert!(near(at(&found, 0, "v_a"), -1.8));
    assert_eq!(at(&found, 0, "x_b"), 0.0);
}

#[test]
fn parallel_contacts_share_by_least_norm_and_break_away_together() {
    let pulled = assembly(json!({
        "body": [{ "name": "m", "mass": 1.0 }],
        "force": [{ "on": "m", "formula": "t" }],
        "contact": [
            { "name": "p", "between": ["m", "ground"], "normal_load": 1.0, "law": coulomb(0.5, 0.5) },
            { "name": "q", "between": ["m", "ground"], "normal_load": 2.0, "law": coulomb(0.5, 0.5) },
        ],
    }));
    let found = moved(&pulled, 2.0, &[0.9, 1.2, 2.0]);
    assert!(near(at(&found, 0, "friction_p"), -0.45) && near(at(&found, 0, "friction_q"), -0.45));
    assert!(near(at(&found, 1, "friction_p"), -0.5) && near(at(&found, 1, "friction_q"), -0.7));
    for (time, _, from, to) in events(&found) {
        assert!((time - 1.5).abs() < 1e-9 && (from, to) == ("stick", "forward"), "{time} {from} {to}");
    }
    assert_eq!(events(&found).len(), 2);
    assert!(near(at(&found, 2, "v_m"), 0.125));
}

#[test]
fn a_drive_that_jumps_tears_a_stuck_contact_loose_at_that_instant() {
    let jerked = assembly(json!({
        "body": [{ "name": "m", "mass": 1.0 }],
        "drive": [{ "name": "belt", "speed": "0.5*step(t - 1)" }],
        "contact": [{ "between": ["m", "belt"], "law": coulomb(1.0, 1.0) }],
    }));
    let found = moved(&jerked, 3.0, &[0.5, 3.0]);
    let [(first, _, "stick", "backward"), (second, _, "backward", "stick")] = events(&found)[..] else {
        panic!("{:?}", events(&found))
    };
    assert!(near(first, 1.0) && near(second, 1.5));
    assert_eq!(at(&found, 0, "x_m"), 0.0);
    assert!(near(at(&found, 1, "x_m"), 0.125 + 0.75) && at(&found, 1, "v_m") == 0.5);
}

#[test]
fn a_stop_in_a_formula_is_met_at_its_kink() {
    let stop = assembly(json!({
        "parameters": { "gap": 0.1, "stiffness": 100.0 },
        "body": [{ "name": "m", "mass": 1.0, "start": { "velocity": 1.0 } }],
        "force": [{ "on": "m", "formula": "-stiffness*max(x_m - gap, 0)" }],
    }));
    // there, half a period in the stop, and back
    let time = 0.2 + std::f64::consts::PI / 10.0;
    let plan = stop.prepare(&Horizon { duration: time, map: None, stop: &|| false }).unwrap();
    let motion = plan.given(Germ::new(1, 0)).unwrap();
    let request = Request { duration: time, samples: 2, sample_times: vec![time] };
    let found = trajectory(motion.as_ref(), &request, None, &Solver::default(), &Silent).unwrap();
    let row = found.at_times[0].as_ref().unwrap();
    assert!(row[0].abs() < 1e-11 && (row[1] + 1.0).abs() < 1e-11, "{row:?}");
}

#[test]
fn the_forced_oscillator_has_the_amplitude_of_den_hartog() {
    let (force, frequency): (f64, f64) = (2.5, 1.5);
    let forced = assembly(json!({
        "parameters": { "f": force, "w": frequency },
        "body": [{ "name": "m", "mass": 1.0 }],
        "spring": [{ "between": ["m", "ground"], "stiffness": 1.0 }],
        "force": [{ "on": "m", "formula": "f*cos(w*t)" }],
        "contact": [{ "between": ["m", "ground"], "law": coulomb(1.0, 1.0) }],
    }));
    let end = 400.0 * std::f64::consts::PI / frequency;
    let found = moved(&forced, end, &[]);
    let tangent = stiction::num::real::tan(std::f64::consts::FRAC_PI_2 / frequency) / frequency;
    let amplitude = ((force / (1.0 - frequency * frequency)).powi(2) - tangent * tangent).sqrt();
    // turning points are the events: the block passes without sticking
    let last = found.1.events.changes.last().unwrap();
    assert_ne!(last.to.name(), "stick");
    assert!((last.columns[0].abs() - amplitude).abs() < 1e-10, "{} {amplitude}", last.columns[0]);
}

#[test]
fn what_is_wrong_is_said_all_at_once_with_its_key() {
    let wrong = Assembly::new(json!({
        "parameters": { "t": 1.0, "k": 2.0 },
        "body": [{ "name": "a", "mass": -1.0 }, { "name": "b" }, { "name": "p", "kind": "point", "mass": "k" }],
        "spring": [{ "between": ["a", "c"], "stiffness": 1.0 }, { "between": ["a", "a"] }, { "between": ["p", "ground"] }],
        "contact": [{ "between": ["a", "ground"], "normal_load": "kk", "law": coulomb(0.5, 0.6) }],
    }));
    let told = |assembly: &Assembly| -> Vec<String> {
        assembly.problems().iter().map(|problem| format!("{}: {}", problem.key, problem.message)).collect()
    };
    let first = told(&wrong);
    assert!(first.iter().any(|line| line.starts_with("parameters.t: has a reserved name")), "{first:?}");
    assert!(first.iter().any(|line| line.starts_with("body[0].mass: is -1, but must be")), "{first:?}");
    let mut tree = wrong.tree().clone();
    tree["parameters"] = json!({ "k": 2.0 });
    tree["body"][0]["mass"] = json!(1.0);
    let second = told(&Assembly::new(tree));
    for start in [
        "body[1].mass: is missing",
        "spring[0].between: `c` is not an end",
        "spring[1].between: names `a` twice",
        "spring[2].between: `p` is a point: give `angle`",
        "contact[0].law.coulomb.kinetic_coefficient: is 0.6",
        "contact[0].normal_load: unknown name `kk`",
    ] {
        assert!(second.iter().any(|line| line.starts_with(start)), "{start} not in {second:#?}");
    }
}

#[test]
fn a_chain_is_written_in_four_lines() {
    let chain = |blocks: usize| {
        assembly(json!({
            "body": [{ "name": "b", "mass": 1.0, "repeat": blocks, "start": { "position": "0.01*sin(12.9898*i)" } }],
            "drive": [{ "name": "plate", "speed": 0.01 }],
            "spring": [
                { "between": ["b[i]", "b[i+1]"], "stiffness": 9.0 },
                { "name": "pull", "between": ["b[i]", "plate"], "stiffness": 1.0 },
            ],
            "contact": [{ "between": ["b[i]", "ground"], "law": { "expression": {
                "formula": "0.99/(1 + 5*v/0.99)", "static_coefficient": 1.0 } } }],
        }))
    };
    let mechanism = chain(12);
    assert_eq!(mechanism.contacts().len(), 12);
    let names: Vec<String> = mechanism.columns().iter().map(|column| column.name.to_string()).collect();
    for name in ["x_b1", "v_b12", "sliding_b3_ground", "force_b3_b4", "force_pull12"] {
        assert!(names.iter().any(|known| known == name), "{name} not in {names:?}");
    }
    let found = moved(&mechanism, 120.0, &[120.0]);
    assert!(!events(&found).is_empty());
}
