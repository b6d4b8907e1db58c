//! The crank against an independent program: full 3×3 solves, SciPy's DOP853 at 1e-13 with steps below 2 ms, split at events.

use stiction::analysis::crank_slider::{Run, Status, run};
use stiction::integrate::Solver;
use stiction::system::CrankSlider;
use stiction::system::crank_slider::NormalForcePolicy;

fn paper(policy: NormalForcePolicy) -> CrankSlider {
    CrankSlider { normal_force_policy: policy, ..CrankSlider::default() }
}

fn once(crank: &CrankSlider, mean: f64, torque: f64, duration: f64) -> Run {
    run(crank, mean, torque, duration, &Solver::default()).unwrap()
}

fn close(name: &str, found: f64, expected: f64, tolerance: f64) {
    let off = (found - expected).abs() / expected.abs().max(1e-300);
    assert!(off <= tolerance, "{name}: {found} instead of {expected}, off by {off:e}");
}

/// Policy, W of |F_n| (the energies divided by h), its part with F_n < 0, final angle and speed, first time of F_n < 0,
/// smallest F_n.
const POLICIES: [(NormalForcePolicy, [f64; 6]); 5] = [
    (
        NormalForcePolicy::Bilateral,
        [
            25.20030659754987,
            3.155269610220686,
            27.133304130695766,
            14.977102840378436,
            0.08865634032727131,
            -9.939050048489435,
        ],
    ),
    (
        NormalForcePolicy::Clip,
        [23.462859901569654, 0.0, 29.332987839174635, 19.692028310143552, 0.08865634032727131, -11.666681013526645],
    ),
    (
        NormalForcePolicy::Signed,
        [
            33.43160486960614,
            4.998897379856205,
            31.224755789165407,
            24.912469961027796,
            0.08865634032727131,
            -13.871738454979432,
        ],
    ),
    (
        NormalForcePolicy::ConstantLoad,
        [
            24.620538974124837,
            5.725660675077723,
            27.446434696969256,
            18.438626863613234,
            0.08547861492046269,
            -11.245780110084457,
        ],
    ),
    (
        NormalForcePolicy::Unilateral,
        [1.8403114004764165, 0.0, 0.07730583736695767, 16.81647509061718, 0.08865634032727131, 0.0],
    ),
];

#[test]
fn the_deterministic_run_agrees_for_every_policy() {
    for (policy, [work, lifted, angle, speed, first, smallest]) in POLICIES {
        let name = policy.name();
        let run = once(&paper(policy), 0.5, 0.0, 2.0);
        close(name, run.bottom_energy, 0.5 * work, 1e-10);
        assert_eq!(run.side_energy, 0.0);
        close(name, run.final_angle, angle, 1e-11);
        close(name, run.final_speed, speed, 1e-10);
        close(name, run.first_negative_normal_time.unwrap(), first, 1e-11);
        assert!((run.lifted_energy - 0.5 * lifted).abs() < 1e-10, "{name}: {}", run.lifted_energy);
        assert!((run.smallest_normal_force.unwrap() - smallest).abs() < 1e-9, "{name}: {run:?}");
        assert!(run.energy_residual.abs() < 1e-10, "{name}: {}", run.energy_residual);
        let sliding = if policy == NormalForcePolicy::Signed { work - 2.0 * lifted } else { work };
        close(name, run.sliding_work, sliding, 1e-10);
        match policy {
            NormalForcePolicy::Unilateral => {
                assert!(matches!(run.status, Status::LiftOff { time } if (time - first).abs() < 1e-11))
            }
            _ => assert_eq!(run.status, Status::Completed),
        }
    }
}

/// c, W, its part with F_n < 0, final angle and speed, first time of F_n < 0, smallest F_n; the last run sticks.
const COEFFICIENTS: [[f64; 7]; 7] = [
    [
        0.0,
        120.13617563698689,
        41.26938290187807,
        46.68446063122359,
        47.27585667498178,
        0.0820213280048504,
        -66.41270441791058,
    ],
    [
        0.2,
        50.399889979688375,
        13.002812224117708,
        36.27975065000222,
        18.290933548837337,
        0.0846465279442723,
        -26.26916020280846,
    ],
    [
        0.35,
        35.16575652723367,
        5.908128057397733,
        31.17711933200472,
        23.09739613909958,
        0.08663775279854269,
        -15.518976634455502,
    ],
    [
        0.6,
        21.402219673538948,
        1.8229882807298385,
        25.430045513375234,
        15.808250299121779,
        0.09002145818152639,
        -7.015932461861132,
    ],
    [
        0.8,
        15.45734431116711,
        0.5373550603733162,
        21.12416334062155,
        11.29386261192855,
        0.09281163662061741,
        -3.773973557347987,
    ],
    [
        1.0,
        11.350358078117894,
        0.14619924426012879,
        17.698985600081638,
        7.12342315176922,
        0.09570654003670538,
        -3.1457244154320696,
    ],
    [1.2, 8.795508535528649, 0.08258657471752852, 13.373244869701832, 0.0, 0.09874604168992016, -2.556723810385827],
];

#[test]
fn the_sliding_work_agrees_over_the_coefficient() {
    for [c, work, lifted, angle, speed, first, smallest] in COEFFICIENTS {
        let name = format!("c = {c}");
        let run = once(&CrankSlider::default(), c, 0.0, 2.0);
        close(&name, run.sliding_work, work, 1e-10);
        assert!((run.lifted_energy - c * lifted).abs() < 1e-10, "{name}");
        close(&name, run.final_angle, angle, 1e-10);
        assert!((run.final_speed - speed).abs() < 1e-10 * speed.abs().max(1.0), "{name}: {}", run.final_speed);
        close(&name, run.first_negative_normal_time.unwrap(), first, 1e-11);
        close(&name, run.smallest_normal_force.unwrap(), smallest, 1e-9);
        assert!(run.energy_residual.abs() < 1e-9, "{name}: {}", run.energy_residual);
    }
    let stuck = once(&CrankSlider::default(), 1.2, 0.0, 2.0);
    assert!(matches!(stuck.status, Status::Stuck { time } if (time - 1.9831675705361462).abs() < 1e-10), "{stuck:?}");
}
