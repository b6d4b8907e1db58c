//! What hu2023_belt prints, and why it cannot stand: one test an entry of ERRATA.md.

use stiction::analysis::Silent;
use stiction::analysis::belt_disc::{
    BeltModel, BeltRun, Estimate, LargeLength, PeakToValley, Phase, Pooling, Sample, Setting, StickMeasure,
    UniformBelt, UniformStart, ensemble, trajectory_difference,
};
use stiction::field::{Correlation, FieldModel, Germ, LengthChoice, Marginal};
use stiction::num::quadrature::integral;
use stiction::num::random::Stream;
use stiction::num::real::{atan, atan2, cos, exp, sin};
use stiction::num::special::normal_density;
use stiction::patch::limit_body::{breakaway, gauge, onset_acceleration, section, shadow};
use stiction::patch::{FrozenPatch, UniformDisc};
use stiction::system::BeltDisc;
use stiction::system::belt_disc::Quadrature;

const UNIFORM: UniformDisc = UniformDisc { coefficient: 0.5 };

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn table_1() -> UniformBelt {
    UniformBelt::new(10.0, 30.0, 0.2, 9.81, 0.5, 0.9).unwrap()
}

/// Asks the patch of an uneven belt at a place.
fn on_uneven<R>(place: [f64; 2], question: impl FnOnce(&dyn FrozenPatch) -> R) -> R {
    let field = FieldModel { expression: Some("0.5 + 0.1*cos(3*x)*exp(y)".to_owned()), ..FieldModel::default() };
    let disc = BeltDisc { field, quadrature: Quadrature::Polar, ..BeltDisc::default() };
    let model = BeltModel::new(&disc, None, 10.0).unwrap();
    model.patch(&Germ::new(1, 0), place, question).unwrap()
}

#[test]
fn e40_friction_takes_energy_with_the_minus_sign_only() {
    for twist in [[-1.0, 0.0, 0.0], [0.3, -0.2, 0.5], [0.0, 0.0, -1.0]] {
        let printed = on_uneven([0.3, 0.1], |patch| patch.dissipation(twist).gradient);
        let used = printed.map(|part| -part);
        assert!(dot(printed, twist) > 0.1 && dot(used, twist) < -0.1);
    }
    // Eq. 4: a disc that is slower than the belt is pulled forward
    assert!((UNIFORM.dissipation([-1.0, 0.0, 0.0]).gradient[0] + 0.5).abs() < 1e-15);
}

#[test]
fn e41_the_velocity_of_a_point_has_the_rotation() {
    // without rotation the force would be that of translation, 0.5 m g, and there would be no torque
    let [force, _, torque] = UNIFORM.dissipation([1.0, 0.0, 1.0]).gradient;
    assert!((force - 0.5 * 8.0 / (3.0 * std::f64::consts::PI)).abs() < 1e-12);
    assert!((torque - 0.5 * 8.0 / (9.0 * std::f64::consts::PI)).abs() < 1e-12);
}

#[test]
fn e42_the_lever_arm_is_measured_from_the_disc() {
    // two places of the belt with the same friction around them: the torque is the same wherever they are
    let twist = [0.4, -0.3, 0.6];
    let at = |x: f64| on_uneven([x, 0.1], |patch| patch.dissipation(twist).gradient);
    let (here, there) = (at(0.3), at(0.3 - 2.0 * std::f64::consts::PI / 3.0));
    for (a, b) in here.into_iter().zip(there) {
        assert!((a - b).abs() < 1e-12);
    }
}

#[test]
fn e43_slip_ends_at_the_velocity_of_the_belt() {
    let belt = table_1();
    let first = belt.transient(UniformStart::Rest).unwrap();
    let cycle = belt.cycle().unwrap();
    let landing = belt.at(UniformStart::Rest, first.breakaway_time + cycle.slip_time - 1e-9).unwrap();
    assert!(!landing.sticks && (landing.velocity - 0.2).abs() < 1e-8);
}

#[test]
fn e44_the_kinetic_resultant_tests_nothing_and_the_kinetic_body_decides() {
    let ratio = 0.9;
    on_uneven([0.3, 0.1], |patch| {
        for twist in [[-1.0, 0.2, 0.1], [0.3, -0.2, 0.5], [0.0, 0.1, -1.0]] {
            let kinetic = patch.dissipation(twist).gradient.map(|part| ratio * part);
            assert!((gauge(patch, kinetic) - ratio).abs() < 1e-9);
        }
        // between the kinetic and the static body a stuck disc stays stuck, but one that slides is accelerated
        let limit = breakaway(patch, 0.02).unwrap();
        let drive = [-0.97 * limit.force, -0.97 * 0.02, 0.0];
        let reach = gauge(patch, drive);
        assert!(reach < 1.0 && reach > ratio);
        let start = onset_acceleration(patch, 0.5, ratio, drive, limit.normal.map(|n| -n));
        assert!(start[0] < -0.01);
    });
}

#[test]
fn e45_the_jump_needs_the_unit_of_velocity() {
    let disc = BeltDisc::default();
    let threshold = 1e-3;
    let reached = |jump: f64| jump / disc.speed_unit();
    assert!((reached(threshold) / threshold - 1.0).abs() > 0.15);
    assert!((reached(threshold * disc.speed_unit()) / threshold - 1.0).abs() < 1e-15);
}

#[test]
fn e46_the_direction_needs_both_signs() {
    let (x, y) = (-0.4, 0.1);
    let along = |angle: f64| x * cos(angle) + y * sin(angle);
    assert!(along(atan(y / x)) < 0.0 && along(atan2(y, x)) > 0.0);
}

#[test]
fn e47_two_full_circles_cover_the_surface_twice() {
    let pi = std::f64::consts::PI;
    let twist = |theta: f64, psi: f64| [cos(theta) * cos(psi), cos(theta) * sin(psi), sin(theta)];
    on_uneven([0.3, 0.1], |patch| {
        for (theta, psi) in [(0.3, 1.0), (-1.2, 4.0), (0.9, 2.5)] {
            let one = patch.dissipation(twist(theta, psi)).gradient;
            let again = patch.dissipation(twist(pi - theta, psi + pi)).gradient;
            assert!(one.iter().zip(again).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    });
}

#[test]
fn e48_the_equatorial_circle_carries_a_torque_and_the_section_lies_inside() {
    on_uneven([0.0, 0.1], |patch| {
        let mean = patch.moments().mean;
        let rim = shadow(patch, 0.0);
        assert!((rim[0] - mean).abs() < 1e-12 && rim[2].abs() > 1e-3);
        let limit = breakaway(patch, 0.0).unwrap();
        let bend = patch.dissipation([1.0, 0.0, 0.0]).hessian[2][2];
        let gap = mean - limit.force;
        assert!(gap > 1e-4 && (gap / (rim[2] * rim[2] / (2.0 * bend)) - 1.0).abs() < 0.1);
        // and the disc starts to turn
        assert!(limit.normal[2].abs() > 1e-3);
        let (point, _) = section(patch, 0.0).unwrap();
        assert!(point[0] < mean);
    });
}

#[test]
fn e49_the_transformation_acts_on_the_standard_field() {
    let mean = |of: &dyn Fn(f64) -> f64| integral(-9.0, 9.0, |g| normal_density(g) * of(g)).unwrap().value;
    let marginal = Marginal::lognormal(0.5, 0.1).unwrap();
    assert!((mean(&|g| marginal.value(g)) - 0.5).abs() < 1e-12);
    // as printed, with mean and standard deviation of the coefficient itself
    assert!((mean(&|g| exp(0.5 + 0.1 * g)) - 1.657).abs() < 1e-3);
}

#[test]
fn e50_the_block_row_runs_back_and_the_spectrum_has_its_factor() {
    let blocks = [1.0, 0.5, 0.2];
    let row = |last: [f64; 2]| [blocks[0], blocks[1], blocks[2], last[0], last[1]];
    let symmetric = |row: [f64; 5]| (1..5).all(|k| row[k] == row[5 - k]);
    assert!(!symmetric(row([blocks[1], blocks[2]])) && symmetric(row([blocks[2], blocks[1]])));
    // F Λ F* has M times the entries of the circulant matrix
    let row = row([blocks[2], blocks[1]]);
    let wave = |k: usize, p: usize| cos(std::f64::consts::TAU * (k * p % 5) as f64 / 5.0);
    let eigenvalue = |k: usize| (0..5).map(|p| row[p] * wave(k, p)).sum::<f64>();
    let entry: f64 = (0..5).map(|k| eigenvalue(k) * wave(k, 1)).sum();
    assert!((entry - 5.0 * row[1]).abs() < 1e-14);
}

#[test]
fn e51_the_minimal_embedding_of_a_smooth_field_is_indefinite() {
    let smallest = |half: usize, step: f64| {
        let period = 2 * half - 1;
        let lag = |p: usize| p.min(period - p) as f64 * step;
        let turn = |k: usize, p: usize| cos(std::f64::consts::TAU * (k * p % period) as f64 / period as f64);
        let eigenvalue = |k: usize| (0..period).map(|p| exp(-lag(p) * lag(p)) * turn(k, p)).sum::<f64>();
        (0..period).map(eigenvalue).fold(f64::INFINITY, f64::min)
    };
    // half periods of one and of ten correlation lengths
    assert!(smallest(11, 0.1) < -1e-3);
    assert!(smallest(101, 0.1) > -1e-12);
}

#[test]
fn e52_the_integral_scale_is_half_root_pi() {
    let [scale, _] = Correlation::gaussian(0.1).integral_scale().unwrap();
    assert!((scale - 0.05 * std::f64::consts::PI.sqrt()).abs() < 1e-15);
    assert!((scale / (0.1 * (std::f64::consts::PI / 2.0).sqrt()) - 1.0).abs() > 0.2);
}

#[test]
fn e53_the_error_is_an_integrated_square() {
    let flat = |displacement: f64| -> Vec<Sample> {
        let sample = |i: u32| Sample {
            time: f64::from(i) * 0.5,
            phase: Phase::Stick,
            displacement,
            transverse_displacement: 0.0,
            rotation: 0.0,
            velocity: 0.0,
            transverse_velocity: 0.0,
            angular_velocity: 0.0,
            force: 0.0,
            extra: false,
        };
        (0..=8).map(sample).collect()
    };
    // 2 m apart for 4 s: 16 m² s; twice as far apart: four times as much
    assert_eq!(trajectory_difference(&flat(0.0), &flat(2.0)), Some(16.0));
    assert_eq!(trajectory_difference(&flat(0.0), &flat(4.0)), Some(64.0));
}

#[test]
fn e54_friction_does_not_vanish_at_the_onset() {
    on_uneven([0.3, 0.1], |patch| {
        let (ratio, inertia) = (0.9, 0.5);
        let limit = breakaway(patch, 0.02).unwrap();
        let drive = [-limit.force, -0.02, 0.0];
        let start = onset_acceleration(patch, inertia, ratio, drive, limit.normal.map(|n| -n));
        // what is left of the drive is friction, and it is kinetic friction of the motion that begins
        let friction = [drive[0] - start[0], drive[1] - start[1], drive[2] - inertia * start[2]];
        let kinetic = patch.dissipation(start).gradient.map(|part| ratio * part);
        assert!(friction.iter().zip(kinetic).all(|(a, b)| (a - b).abs() < 1e-8));
        assert!(friction[0].abs() > 0.95 * ratio * limit.force);
    });
}

#[test]
fn e55_only_the_force_varies_by_a_fifth_for_long_lengths() {
    let belt = table_1();
    let marginal = Marginal::lognormal(0.5, 0.1).unwrap();
    let limit = LargeLength::of(&belt, &marginal, UniformStart::Rest, 100.0).unwrap();
    assert!((limit.force.standard_deviation - 0.2).abs() < 1e-10);
    // a second way: many belts with random coefficients
    let mut stream = Stream::new(7, 0, 0);
    let count = 100_000;
    let unit = belt.cycle().unwrap().peak_to_valley_displacement;
    let raw_unit = belt.raw_stick_fraction(UniformStart::Rest, 100.0).unwrap();
    let (mut travel, mut raw) = ([0.0; 2], [0.0; 2]);
    for _ in 0..count {
        let other = belt.with_coefficient(marginal.value(stream.normal()));
        let x = other.cycle().unwrap().peak_to_valley_displacement / unit;
        let r = other.raw_stick_fraction(UniformStart::Rest, 100.0).unwrap() / raw_unit;
        travel = [travel[0] + x, travel[1] + x * x];
        raw = [raw[0] + r, raw[1] + r * r];
    }
    let deviation = |[sum, squares]: [f64; 2]| {
        let n = f64::from(count);
        (squares / n - (sum / n) * (sum / n)).sqrt()
    };
    assert!((deviation(travel) - limit.displacement.standard_deviation).abs() < 2e-3);
    assert!((deviation(raw) - limit.stick_raw.standard_deviation).abs() < 2e-3);
    assert!(limit.displacement.standard_deviation < 0.14 && limit.stick_raw.standard_deviation < 0.14);
}

/// Some realisations, and the uniform belt that they are compared with.
fn campaign([speed, mean, length]: [f64; 3], duration: f64, count: u64) -> (Vec<BeltRun>, UniformBelt) {
    let field = FieldModel {
        mean: Some(mean),
        standard_deviation: Some(0.2 * mean),
        correlation_length: Some(LengthChoice::Isotropic(length)),
        ..FieldModel::default()
    };
    let disc = BeltDisc { belt_speed: speed, field, ..BeltDisc::default() };
    let setting = Setting { duration, ..Setting::default() };
    let model = BeltModel::new(&disc, None, setting.duration).unwrap();
    let belt = UniformBelt::new(10.0, 30.0, speed, 9.81, mean, 0.9).unwrap();
    let rows = ensemble(&model, 1, 0..count, &setting, &Silent).unwrap();
    (rows.into_iter().map(|row| row.run.unwrap()).collect(), belt)
}

/// Mean of a share of stick over realisations, over that of the uniform belt.
fn stick_ratio(speed: f64, count: u64, measure: StickMeasure) -> f64 {
    let (runs, _) = campaign([speed, 0.5, 0.1], 60.0, count);
    let uniform = BeltDisc { belt_speed: speed, ..BeltDisc::default() }.uniform(0.5);
    let setting = Setting { duration: 60.0, ..Setting::default() };
    let unit = BeltModel::new(&uniform, None, 60.0).unwrap().run(&Germ::new(0, 0), &setting).unwrap();
    let mean = runs.iter().map(|run| run.stick_fraction(measure).unwrap_or(0.0)).sum::<f64>() / runs.len() as f64;
    mean / unit.stick_fraction(measure).unwrap()
}

/// The peak-to-valley force over realisations, over the force of the uniform belt.
fn force_ratio(mean: f64, count: u64) -> Estimate {
    let (runs, belt) = campaign([0.2, mean, 0.1], 60.0, count);
    let pull = belt.cycle().unwrap().peak_to_valley_force;
    let steady = runs.iter().filter(|run| !run.transient().flagged);
    let forces: Vec<Vec<f64>> = steady.map(|run| run.peak_to_valley_force(PeakToValley::TurningPoints)).collect();
    Estimate::of(&forces, Pooling::PooledCycles).unwrap().over(pull)
}

#[test]
fn e56_the_transient_hides_a_part_of_the_drop() {
    let drop = |measure| 1.0 - stick_ratio(0.6, 24, measure) / stick_ratio(0.1, 12, measure);
    let (raw, steady) = (drop(StickMeasure::Raw), drop(StickMeasure::AfterFirstBreakaway));
    assert!(raw > 0.1 && steady > raw + 0.03, "{raw} {steady}");
}

#[test]
fn e58_the_share_of_stick_varies_most_for_long_lengths() {
    // a standard error of 11 %
    let (runs, belt) = campaign([0.2, 0.5, 0.5], 100.0, 40);
    let unit = belt.raw_stick_fraction(UniformStart::Rest, 100.0).unwrap();
    let shares: Vec<[f64; 1]> =
        runs.iter().map(|run| [run.stick_fraction(StickMeasure::Raw).unwrap() / unit]).collect();
    let found = Estimate::of(&shares, Pooling::PooledCycles).unwrap().standard_deviation.unwrap();
    let marginal = Marginal::lognormal(0.5, 0.1).unwrap();
    let long = LargeLength::of(&belt, &marginal, UniformStart::Rest, 100.0).unwrap().stick_raw.standard_deviation;
    assert!(found < long, "{found} {long}");
}

#[test]
fn e57_the_spread_of_the_force_falls_with_the_mean_coefficient() {
    let [low, high] = [0.2, 1.0].map(|mean| force_ratio(mean, 16).standard_deviation.unwrap());
    assert!(high < 0.7 * low, "{low} {high}");
    // in newtons it grows: the force of the uniform belt is proportional to the coefficient
    assert!(high > 2.0 * 0.2 * low, "{low} {high}");
}

#[test]
fn e94_the_force_passes_that_of_the_uniform_belt() {
    let found = force_ratio(1.0, 40);
    let error = found.mean_error.unwrap();
    assert!(found.mean - 2.0 * error > 1.0 && error < 0.02, "{} {error}", found.mean);
}

#[test]
fn e93_at_a_tenth_of_the_radius_the_displacement_still_varies() {
    let (runs, belt) = campaign([0.2, 0.5, 0.05], 60.0, 6);
    let lists: Vec<Vec<f64>> =
        runs.iter().map(|run| run.peak_to_valley_displacement(PeakToValley::TurningPoints)).collect();
    let width = belt.cycle().unwrap().peak_to_valley_displacement;
    let found = Estimate::of(&lists, Pooling::PooledCycles).unwrap().over(width).standard_deviation.unwrap();
    // linear response: 1.3256 l/R
    assert!((found - 0.1326).abs() < 0.03, "{found}");
}

/// The share of the variance of peak-to-valley displacements that lies between realisations.
fn between_realisations(length: f64) -> f64 {
    let (runs, _) = campaign([0.2, 0.5, length], 60.0, 12);
    let lists: Vec<Vec<f64>> = runs
        .iter()
        .map(|run| run.peak_to_valley_displacement(PeakToValley::default()))
        .filter(|l| !l.is_empty())
        .collect();
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
    let whole = mean(&lists.concat());
    let square = |x: f64| (x - whole) * (x - whole);
    let total: f64 = lists.iter().flatten().map(|x| square(*x)).sum();
    lists.iter().map(|list| list.len() as f64 * square(mean(list))).sum::<f64>() / total
}

#[test]
fn e82_a_realisation_of_a_long_length_says_nothing_about_others() {
    // independent samples would have a share of one over the number of cycles in 60 s, about 0.08
    let (short, long) = (between_realisations(0.1), between_realisations(500.0));
    assert!(short < 0.3 && long > 0.9, "{short} {long}");
}
