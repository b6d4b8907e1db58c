//! The crank against an independent program: full 3×3 solves, SciPy's DOP853 at 1e-13 with steps below 2 ms, split at events.

use std::f64::consts::PI;
use stiction::analysis::Silent;
use stiction::analysis::crank_slider::{CrankRun, Status, run, trajectory};
use stiction::integrate::{Dop853, MethodName, Solver, Span, Tolerance, integrate};
use stiction::num::random::Stream;
use stiction::system::CrankSlider;
use stiction::system::crank_slider::{CrankMotion, NormalForcePolicy};

fn paper(policy: NormalForcePolicy) -> CrankSlider {
    CrankSlider { normal_force_policy: policy, ..CrankSlider::default() }
}

fn once(crank: &CrankSlider, mean: f64, torque: f64, duration: f64) -> CrankRun {
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
            25.200_306_597_584_433,
            3.155_269_610_220_686,
            27.133_304_130_695_766,
            14.977_102_840_378_436,
            0.088_656_340_327_271_31,
            -9.939_050_048_489_435,
        ],
    ),
    (
        NormalForcePolicy::Clip,
        [
            23.462_859_901_559_547,
            0.0,
            29.332_987_839_174_635,
            19.692_028_310_143_552,
            0.088_656_340_327_271_31,
            -11.666_681_013_526_645,
        ],
    ),
    (
        NormalForcePolicy::Signed,
        [
            33.431_604_870_352_2,
            4.998_897_379_856_205,
            31.224_755_789_165_407,
            24.912_469_961_027_796,
            0.088_656_340_327_271_31,
            -13.871_738_454_979_432,
        ],
    ),
    (
        NormalForcePolicy::ConstantLoad,
        [
            24.620_538_974_122_447,
            5.725_660_675_077_723,
            27.446_434_696_969_256,
            18.438_626_863_613_234,
            0.085_478_614_920_462_69,
            -11.245_780_110_084_457,
        ],
    ),
    (
        NormalForcePolicy::Unilateral,
        [1.840_311_400_476_278_6, 0.0, 0.077_305_837_366_957_67, 16.816_475_090_617_18, 0.088_656_340_327_271_31, 0.0],
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
                assert!(matches!(run.status, Status::LiftOff { time } if (time - first).abs() < 1e-11));
            }
            _ => assert_eq!(run.status, Status::Completed),
        }
    }
}

#[test]
fn the_classical_method_gives_the_same_run() {
    // order 4 with steps of 0.2 ms: (h ω)⁴ with rates of some 50/s in the forces
    let solver = Solver { method: MethodName::Rk4, max_step: Some(2e-4), ..Solver::default() };
    for (policy, [work, _, angle, ..]) in POLICIES {
        let run = run(&paper(policy), 0.5, 0.0, 2.0, &solver).unwrap();
        close(policy.name(), run.bottom_energy, 0.5 * work, 1e-7);
        close(policy.name(), run.final_angle, angle, 1e-7);
    }
}

#[test]
fn a_run_allocates_nothing() {
    let motion = CrankMotion::new(&CrankSlider::default(), 0.5).with_extrema();
    let mut method = Dop853::new(&motion, Tolerance::default());
    let counted = allocation_counter::measure(|| {
        integrate(&motion, &mut method, Span::until(2.0), &mut ()).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}

/// c, W, its part with F_n < 0, final angle and speed, first time of F_n < 0, smallest F_n; the last run sticks.
const COEFFICIENTS: [[f64; 7]; 7] = [
    [
        0.0,
        120.136_175_637_030_92,
        41.269_382_901_878_07,
        46.684_460_631_223_59,
        47.275_856_674_981_78,
        0.082_021_328_004_850_4,
        -66.412_704_417_910_58,
    ],
    [
        0.2,
        50.399_889_979_720_45,
        13.002_812_224_117_708,
        36.279_750_650_002_22,
        18.290_933_548_837_337,
        0.084_646_527_944_272_3,
        -26.269_160_202_808_46,
    ],
    [
        0.35,
        35.165_756_527_246_5,
        5.908_128_057_397_733,
        31.177_119_332_004_72,
        23.097_396_139_099_58,
        0.086_637_752_798_542_69,
        -15.518_976_634_455_502,
    ],
    [
        0.6,
        21.402_219_673_551_073,
        1.822_988_280_729_838_5,
        25.430_045_513_375_234,
        15.808_250_299_121_779,
        0.090_021_458_181_526_39,
        -7.015_932_461_861_132,
    ],
    [
        0.8,
        15.457_344_311_168_52,
        0.537_355_060_373_316_2,
        21.124_163_340_621_55,
        11.293_862_611_928_55,
        0.092_811_636_620_617_41,
        -3.773_973_557_347_987,
    ],
    [
        1.0,
        11.350_358_078_118_841,
        0.146_199_244_260_128_79,
        17.698_985_600_081_638,
        7.123_423_151_769_22,
        0.095_706_540_036_705_38,
        -3.145_724_415_432_069_6,
    ],
    [
        1.2,
        8.795_508_535_534_829,
        0.082_586_574_717_528_52,
        13.373_244_869_701_832,
        0.0,
        0.098_746_041_689_920_16,
        -2.556_723_810_385_827,
    ],
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
    assert!(
        matches!(stuck.status, Status::Stuck { time } if (time - 1.983_167_570_536_146_2).abs() < 1e-10),
        "{stuck:?}"
    );
}

/// A heavy rod that is driven backward, c = 0.3: final angle and speed, W, its part with F_n < 0, first time of F_n < 0,
/// smallest F_n.
const HEAVY_ROD: [(NormalForcePolicy, [f64; 6]); 3] = [
    (
        NormalForcePolicy::Bilateral,
        [
            -70.201_020_913_657_57,
            -22.984_267_974_867_39,
            156.188_082_300_797_87,
            39.862_667_364_999_35,
            0.326_048_038_820_023_8,
            -71.084_108_038_911_38,
        ],
    ),
    (
        NormalForcePolicy::Clip,
        [
            -79.323_653_564_113_61,
            -48.754_480_289_030_376,
            155.959_508_261_937_46,
            0.0,
            0.326_048_038_820_023_8,
            -119.750_352_381_784_61,
        ],
    ),
    (
        NormalForcePolicy::Signed,
        [
            -101.626_447_294_195_8,
            -47.059_680_380_097_33,
            593.738_064_396_936_7,
            242.585_125_998_724_9,
            0.326_048_038_820_023_8,
            -381.341_326_667_754_8,
        ],
    ),
];

#[test]
fn another_mechanism_that_runs_backward_agrees() {
    for (policy, [angle, speed, work, lifted, first, smallest]) in HEAVY_ROD {
        let crank = CrankSlider {
            crank_mass: 0.1,
            rod_mass: 0.7,
            slider_mass: 0.2,
            crank_radius: 0.2,
            rod_length: 0.31,
            drive_torque: -0.8,
            initial_angle: 2.0,
            initial_speed: -4.0,
            ..paper(policy)
        };
        let run = once(&crank, 0.3, 0.0, 3.0);
        let name = policy.name();
        close(name, run.final_angle, angle, 1e-10);
        close(name, run.final_speed, speed, 1e-9);
        close(name, run.bottom_energy, 0.3 * work, 1e-10);
        assert!((run.lifted_energy - 0.3 * lifted).abs() < 1e-8);
        close(name, run.first_negative_normal_time.unwrap(), first, 1e-11);
        close(name, run.smallest_normal_force.unwrap(), smallest, 1e-9);
    }
}

#[test]
fn cranks_that_are_too_slow_swing_back_and_stick_when_the_reference_does() {
    let slow = |policy| CrankSlider { drive_torque: 0.2, initial_speed: 2.0, ..paper(policy) };
    for (policy, c, time, angle, work) in [
        (NormalForcePolicy::Bilateral, 0.1, 1.697_036_015_552_194_4, -1.008_250_252_637_365_3, 1.607_241_717_431_560_5),
        (NormalForcePolicy::Bilateral, 0.3, 0.300_448_274_193_359_6, -0.721_716_467_714_813_5, 0.454_210_032_126_738_4),
        (
            NormalForcePolicy::ConstantLoad,
            0.2,
            0.378_813_317_583_190_03,
            -0.615_596_526_977_200_8,
            0.603_728_875_146_779_6,
        ),
    ] {
        let run = once(&slow(policy), c, 0.0, 2.0);
        assert!(matches!(run.status, Status::Stuck { time: found } if (found - time).abs() < 1e-10), "{run:?}");
        assert!((run.final_angle - angle).abs() < 1e-10 && run.final_speed == 0.0);
        close("W", run.sliding_work, work, 1e-10);
        assert_eq!(run.first_negative_normal_time, None);
    }
    let run = once(&slow(NormalForcePolicy::Clip), 0.05, 0.0, 2.0);
    assert_eq!(run.status, Status::Completed);
    assert!(
        (run.final_angle - -1.479_862_699_216_623_7).abs() < 1e-10
            && (run.final_speed - 0.238_977_375_808_284_3).abs() < 1e-9
    );
    close("W", run.sliding_work, 2.610_556_234_456_858_7, 1e-10);
    close("smallest", run.smallest_normal_force.unwrap(), 4.108_967_870_850_576, 1e-9);
}

#[test]
fn samples_of_a_slider_that_sticks_go_on_with_the_friction_that_holds_it() {
    let crank = CrankSlider { drive_torque: 0.2, initial_speed: 2.0, ..CrankSlider::default() };
    let (status, samples) = trajectory(&crank, (0.25, 0.03), 2.0, 200, &Solver::default(), &Silent).unwrap();
    assert!(matches!(status, Status::Stuck { time } if time < 0.5));
    assert_eq!(samples.len(), 201);
    let last = samples.last().unwrap();
    assert_eq!((last.time, last.speed), (2.0, 0.0));
    // static friction: below c |F_n|, and split like the coefficients
    let c = crank.total_coefficient(0.25, 0.03).unwrap();
    let friction = last.bottom_friction + last.side_friction;
    assert!(friction != 0.0 && friction.abs() < c * last.normal_force.abs());
    close("share", last.bottom_friction / friction, 0.25 / c, 1e-12);
    let run = once(&crank, 0.25, 0.03, 2.0);
    assert_eq!((last.bottom_energy, last.side_energy), (run.bottom_energy, run.side_energy));
    // energies never fall, and while it slides friction is c |F_n|
    assert!(samples.windows(2).all(|pair| pair[0].bottom_energy <= pair[1].bottom_energy));
    let first = samples[1];
    close("sliding", (first.bottom_friction + first.side_friction).abs(), c * first.normal_force.abs(), 1e-12);
}

#[test]
fn the_limits_are_met() {
    // no rod mass: the reference of the limit itself, and a mass of 1e-9 close to it
    let light = |mass| once(&CrankSlider { rod_mass: mass, ..CrankSlider::default() }, 0.4, 0.0, 2.0);
    close("m2 = 0", light(0.0).sliding_work, 38.242_995_317_006_184, 1e-10);
    close("m2 = 0", light(0.0).final_speed, 18.843_388_604_684_534, 1e-10);
    close("m2 = 1e-9", light(1e-9).sliding_work, 38.242_995_261_780_62, 1e-10);
    // neither torque nor gravity
    let free = CrankSlider { drive_torque: 0.0, gravity: 0.0, ..CrankSlider::default() };
    let run = once(&free, 0.4, 0.0, 2.0);
    close("W", run.sliding_work, 7.032_499_806_356_570_5, 1e-10);
    close("angle", run.final_angle, 18.119_147_970_950_838, 1e-10);
    close("lifted", run.lifted_energy, 0.4 * 3.659_568_621_628_910_7, 1e-10);
    // then speed only scales time: half the speed for twice as long
    let slow = once(&CrankSlider { initial_speed: 5.0, ..free.clone() }, 0.4, 0.0, 4.0);
    close("scaled angle", slow.final_angle, run.final_angle, 1e-10);
    close("scaled work", 4.0 * slow.sliding_work, run.sliding_work, 1e-10);
    // and without friction the energy stays
    let smooth = once(&free, 0.0, 0.0, 2.0);
    assert!(smooth.energy_residual.abs() < 1e-10 && smooth.bottom_energy == 0.0 && smooth.sliding_work > 0.0);
}

#[test]
fn a_mechanism_upside_down_dissipates_the_same() {
    for (mean, torque) in [(0.5, 0.0), (0.3, 0.04), (1.2, 0.0)] {
        let crank = CrankSlider::default();
        let (upright, mirrored) = (once(&crank, mean, torque, 2.0), once(&crank.mirrored(), mean, torque, 2.0));
        close("bottom", mirrored.bottom_energy, upright.bottom_energy, 1e-10);
        assert!((mirrored.side_energy - upright.side_energy).abs() <= 1e-10 * upright.bottom_energy);
        close("angle", -mirrored.final_angle, upright.final_angle, 1e-10);
        // the normal force changes its sign: what was collected pressed is now collected lifted
        let total = upright.bottom_energy + upright.side_energy;
        close("lifted", mirrored.lifted_energy, total - upright.lifted_energy, 1e-9);
        assert_eq!(mirrored.first_negative_normal_time, Some(0.0));
    }
}

#[test]
fn both_walls_rub_twice_as_much_as_one() {
    let two = CrankSlider::default();
    let one = CrankSlider { side_contacts: 1, ..CrankSlider::default() };
    let (a, b) = (once(&two, 0.5, 0.02, 2.0), once(&one, 0.5, 0.04, 2.0));
    assert_eq!((a.side_energy, a.bottom_energy), (b.side_energy, b.bottom_energy));
    close("ratio", a.side_energy / a.bottom_energy, (0.5 * 0.02 / 0.3) / 0.5, 1e-12);
    assert_eq!(once(&two, 0.5, -0.02, 2.0), a);
}

#[test]
fn states_without_exactly_one_solution_are_reported_where_they_begin() {
    let long =
        |policy, speed, gravity| CrankSlider { crank_radius: 0.48, initial_speed: speed, gravity, ..paper(policy) };
    for (policy, speed, gravity, time, angle) in [
        (NormalForcePolicy::Bilateral, 10.0, 9.81, 0.246_014_191_360_079_88, 1.544_854_412_508_496_2),
        (NormalForcePolicy::Bilateral, -10.0, 9.81, 0.050_326_222_556_363_03, -1.544_854_412_508_496),
        (NormalForcePolicy::Clip, -10.0, 9.81, 0.049_895_221_598_704_02, -1.544_854_412_508_496_6),
        (NormalForcePolicy::Bilateral, 10.0, -9.81, 0.243_078_466_238_348_17, 1.544_854_412_508_496),
    ] {
        let run = once(&long(policy, speed, gravity), 0.8, 0.0, 2.0);
        let Status::Indeterminate { time: found, coefficient, determinant } = run.status else { panic!("{run:?}") };
        assert!((found - time).abs() < 1e-10, "{found} instead of {time}");
        assert!(coefficient == 0.8 && determinant.abs() < 1e-12 && (run.final_angle - angle).abs() < 1e-11);
        assert!(run.energy_residual.abs() < 1e-10);
    }
    // driven by its own friction, `signed` runs into the pole: forces and speed grow beyond bounds there
    let run = once(&long(NormalForcePolicy::Signed, -10.0, 9.81), 0.8, 0.0, 2.0);
    assert!(
        matches!(run.status, Status::Indeterminate { time, .. } if (time - 0.047_348_787_893_0).abs() < 1e-9),
        "{run:?}"
    );
    // a start inside is indeterminate at once
    let inside = CrankSlider { initial_angle: 1.5, ..long(NormalForcePolicy::Bilateral, 1.0, 9.81) };
    let run = once(&inside, 5.0, 0.0, 2.0);
    assert!(matches!(run.status, Status::Indeterminate { time: 0.0, .. }), "{run:?}");
    assert_eq!((run.sliding_work, run.smallest_normal_force), (0.0, None));
}

#[test]
fn starts_on_the_zero_of_a_guard_move_on() {
    // at a dead centre, both ways, with and without speed
    for half_turns in [-2.0, -1.0, 0.0, 1.0, 3.0] {
        for speed in [6.0, -6.0, 0.0] {
            let crank = CrankSlider { initial_angle: half_turns * PI, initial_speed: speed, ..CrankSlider::default() };
            let run = once(&crank, 0.2, 0.0, 0.5);
            assert!(run.status == Status::Completed && run.sliding_work > 0.01, "{half_turns} {speed}: {run:?}");
            assert!(run.energy_residual.abs() < 1e-10);
            // the torque of the rod's weight, 0.44 N m, is below that of the drive at one dead centre and adds at the other
            if speed == 0.0 {
                let gained = run.final_angle - crank.initial_angle;
                assert!(gained > 0.0, "{half_turns}: {gained}");
            }
        }
    }
    // where the torque balances at a dead centre nothing moves
    let balanced = CrankSlider {
        drive_torque: 0.5 * 0.3 * 9.81 * 0.3,
        initial_angle: 0.0,
        initial_speed: 0.0,
        ..CrankSlider::default()
    };
    assert_eq!(once(&balanced, 0.5, 0.0, 2.0).status, Status::Stuck { time: 0.0 });
    // where the normal force starts at zero: without torque and gravity it vanishes at dead centres
    for policy in NormalForcePolicy::ALL {
        let free = CrankSlider { drive_torque: 0.0, gravity: 0.0, initial_angle: 0.0, ..paper(policy) };
        let run = once(&free, 0.4, 0.0, 0.5);
        match policy {
            NormalForcePolicy::Unilateral => assert!(matches!(run.status, Status::LiftOff { time } if time < 1e-12)),
            _ => assert!(run.status == Status::Completed && run.energy_residual.abs() < 1e-10, "{run:?}"),
        }
    }
    // at rest between dead centres with nothing that moves
    let still = CrankSlider { drive_torque: 0.0, gravity: 0.0, initial_speed: 0.0, ..CrankSlider::default() };
    let run = once(&still, 0.4, 0.0, 2.0);
    assert_eq!(
        (run.status, run.sliding_work, run.final_angle),
        (Status::Stuck { time: 0.0 }, 0.0, still.initial_angle)
    );
}

#[test]
fn senseless_parameters_are_refused_by_name() {
    let refused = |crank: &CrankSlider, mean: f64, torque: f64, duration: f64, key: &str| {
        let error = run(crank, mean, torque, duration, &Solver::default()).unwrap_err().to_string();
        assert!(error.starts_with(key), "{error}");
    };
    let paper = CrankSlider::default;
    refused(&CrankSlider { crank_mass: 0.0, rod_mass: 0.0, ..paper() }, 0.5, 0.0, 2.0, "crank_mass");
    refused(&CrankSlider { crank_radius: 0.6, ..paper() }, 0.5, 0.0, 2.0, "crank_radius");
    refused(&CrankSlider { gravity: f64::NAN, ..paper() }, 0.5, 0.0, 2.0, "gravity");
    refused(&paper(), -0.5, 0.0, 2.0, "mean_coefficient");
    refused(&paper(), 0.5, f64::INFINITY, 2.0, "torque_coefficient");
    refused(&paper(), 0.5, 1e308, 2.0, "torque_coefficient");
    refused(&paper(), 0.5, 0.0, 0.0, "duration");
    let samples = |count| trajectory(&paper(), (0.5, 0.0), 2.0, count, &Solver::default(), &Silent);
    assert!(samples(0).is_err() && samples(usize::MAX).is_err() && samples(1).is_ok());
}

#[test]
fn extreme_parameters_end_by_themselves() {
    let extreme = [
        CrankSlider { crank_mass: 0.0, ..CrankSlider::default() },
        CrankSlider { rod_mass: 0.0, slider_mass: 0.0, ..CrankSlider::default() },
        CrankSlider { crank_radius: 0.499_999_999, ..CrankSlider::default() },
        CrankSlider { drive_torque: 1e6, ..CrankSlider::default() },
        CrankSlider { gravity: 1e9, ..CrankSlider::default() },
        CrankSlider { initial_speed: 1e5, ..CrankSlider::default() },
        CrankSlider { slider_mass: 1e12, ..CrankSlider::default() },
    ];
    for crank in extreme {
        let mut answered = 0;
        for policy in NormalForcePolicy::ALL {
            let crank = CrankSlider { normal_force_policy: policy, ..crank.clone() };
            for c in [0.0, 0.5, 1e3, 1e150] {
                // an answer or a reason, never a value that is not a number
                if let Ok(run) = run(&crank, c, 0.0, 0.002, &Solver::default()) {
                    assert!(run.sliding_work.is_finite() && run.final_angle.is_finite(), "{crank:?} {c}: {run:?}");
                    answered += 1;
                }
            }
        }
        assert!(answered > 0, "no answer for {crank:?}");
    }
}

#[test]
fn a_slider_without_load_is_not_held() {
    // neither rod nor slider has a mass: no normal force, no friction
    let bare = CrankSlider { rod_mass: 0.0, slider_mass: 0.0, ..CrankSlider::default() };
    let run = once(&bare, 0.9, 0.0, 2.0);
    let acceleration = 0.5 / (0.5 * 0.3 * 0.09);
    close("angle", run.final_angle, bare.initial_angle + 20.0 + 2.0 * acceleration, 1e-11);
    assert_eq!((run.bottom_energy, run.status), (0.0, Status::Completed));
}

#[test]
fn every_mechanism_has_an_answer_and_keeps_its_energy() {
    let mut endings = [0; 4];
    for index in 0..400 {
        let mut stream = Stream::new(3, index, 0);
        let mut between = |low: f64, high: f64| low + (high - low) * stream.uniform();
        // one in five starts at rest, at a dead centre, without torque or without gravity
        let mut sometimes = |value: f64, instead: f64| if between(0.0, 1.0) < 0.2 { instead } else { value };
        let [torque, gravity] = [sometimes(0.7, 0.0), sometimes(-9.0, 0.0)];
        let [at_rest, at_centre] = [sometimes(1.0, 0.0), sometimes(0.0, 1.0)];
        let length = between(0.1, 1.0);
        let angle = between(-7.0, 7.0);
        let crank = CrankSlider {
            crank_mass: between(0.1, 1.0),
            rod_mass: between(0.0, 1.0),
            slider_mass: between(0.0, 1.0),
            rod_length: length,
            crank_radius: length * between(0.05, 0.98),
            drive_torque: torque * between(-1.0, 1.0),
            gravity: gravity * between(-1.0, 1.0),
            initial_angle: if at_centre == 1.0 { angle.round() * PI } else { angle },
            initial_speed: at_rest * between(-10.0, 10.0),
            ..paper(NormalForcePolicy::ALL[index as usize % 5])
        };
        let c = 3.0 * between(0.0, 1.0).powi(3);
        let run = run(&crank, c, 0.0, 2.0, &Solver::default()).unwrap_or_else(|error| panic!("{index}: {error}"));
        let turned = run.final_angle - crank.initial_angle;
        let throughput = 1.0 + run.bottom_energy + (crank.drive_torque * turned).abs();
        // each step is good to 1e-12, and small cranks turn a thousand times
        let steps = run.effort.steps.max(100) as f64;
        assert!(run.energy_residual.abs() < 4e-12 * steps * throughput, "{index}: {run:?}");
        assert!(run.bottom_energy >= 0.0 && run.lifted_energy <= run.bottom_energy * (1.0 + 1e-12));
        endings[match run.status {
            Status::Completed => 0,
            Status::Stuck { .. } => 1,
            Status::LiftOff { .. } => 2,
            Status::Indeterminate { .. } => 3,
        }] += 1;
    }
    assert!(endings.iter().all(|&count| count > 5), "{endings:?}");
}
