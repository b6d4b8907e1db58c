//! One test for every entry of ERRATA.md about elmer1997.

use stiction::analysis::critical_speed::{AgingCriticalSpeed, aging_critical_speed};
use stiction::analysis::spring_block::bifurcation::{BifurcationKind, locate_kind};
use stiction::analysis::spring_block::{ContactChange, GrazeCase, History, attractors, small_cycle};
use stiction::analysis::stick_slip_map::{ConstantFriction, SlipMap, StickSlipMap};
use stiction::analysis::{AnalysisError, Silent};
use stiction::integrate::{Solver, Span};
use stiction::law::{Aging, Coulomb, Cubic, ExponentialAging, FrictionLaw, HillAging, Law, Stribeck, TwoSlope};
use stiction::num::real::cos;
use stiction::system::spring_block::{ContactPolicy, Mode};
use stiction::system::{SpringBlock, System};

fn coulomb(static_coefficient: f64, kinetic_coefficient: f64) -> Law {
    Law::Coulomb(Coulomb { static_coefficient, kinetic_coefficient })
}

#[test]
fn e01_the_detuning_of_small_oscillations_is_one_sixth() -> Result<(), AnalysisError> {
    // the error of the coefficient falls linearly with the slope: two slopes extrapolate it
    let coefficient = |f1: f64| -> Result<f64, AnalysisError> {
        let law = Cubic { value: 1.0, f1, f2: 0.5, f3: 1.0, speed: 2.0, static_coefficient: Some(2.0) };
        let block = SpringBlock::new(1.0, 1.0, 2.0, Law::Cubic(law));
        Ok(small_cycle(&block, Solver::default())?.map_or(f64::NAN, |cycle| cycle.detuning_coefficient))
    };
    let (coarse, fine) = (coefficient(-0.002)?, coefficient(-0.001)?);
    let limit = 2.0 * fine - coarse;
    assert!((limit - 1.0 / 6.0).abs() < 1e-5, "{limit}");
    Ok(())
}

#[test]
fn e02_overshooting_needs_twice_the_kinetic_friction() {
    let (static_force, kinetic_force) = (1.0, 0.3);
    let slip = ConstantFriction::new(static_force, kinetic_force, 1.0);
    let passes = |release: f64| slip.restick(release).map(|restick| restick.passes);
    // between the printed and the true threshold nothing overshoots
    for release in [1.31, 1.45, 1.5999] {
        assert_eq!(passes(release), Ok(0), "{release}");
    }
    assert_eq!(passes(1.6001), Ok(1));
}

#[test]
fn e03_concave_ageing_ends_at_zero_amplitude_and_a_hill_law_at_a_finite_one() {
    let stick_time = |aging: &Aging| match aging_critical_speed(aging, 1.0, 1.0) {
        AgingCriticalSpeed::Finite { stick_time, .. } => stick_time,
        AgingCriticalSpeed::Infinite => f64::INFINITY,
    };
    let concave = Aging::Exponential(ExponentialAging { increment: 1.0, time_constant: 1.0 });
    let hill = Aging::Hill(HillAging { increment: 1.0, time_constant: 1.0, exponent: 2.0 });
    assert_eq!(stick_time(&concave), 0.0);
    assert!((stick_time(&hill) - 1.0).abs() < 1e-12);
    // just below the critical speed the map itself says the same: v_c = 2 and 1
    let largest = |aging: &Aging, drive_speed: f64| {
        let slip = ConstantFriction::new(1.0, 1.0, 1.0);
        let map = StickSlipMap { slip, aging, static_coefficient: 1.0, normal_load: 1.0, stiffness: 1.0, drive_speed };
        map.fixed_points().map(|points| points.iter().map(|point| point.stick_time).fold(0.0, f64::max))
    };
    assert!(largest(&concave, 2.0 * 0.999).is_ok_and(|time| time > 0.0 && time < 0.01));
    assert!(largest(&hill, 0.999).is_ok_and(|time| time > 1.0));
}

#[test]
fn e04_an_aged_contact_holds_beyond_the_limit_of_a_fresh_one() {
    let aging = Aging::Exponential(ExponentialAging { increment: 0.5, time_constant: 1.0 });
    let block = SpringBlock { aging: Some(aging), ..SpringBlock::new(1.0, 1.0, 0.1, coulomb(1.0, 0.8)) };
    let mut history = History::of(&block);
    let solver = Solver::default();
    let finish = solver.integrate(&block, Span::until(20.0), block.start(), block.natural_period(), &mut history);
    assert!(finish.is_ok());
    let release = history.contacts.iter().find(|contact| contact.change == ContactChange::Slip);
    assert!(release.is_some_and(|release| release.displacement > 1.49), "{release:?}");
}

#[test]
fn e05_beyond_the_limit_the_spring_decides_the_direction() {
    let block = SpringBlock::new(1.0, 1.0, 0.5, coulomb(1.0, 0.5));
    assert_eq!(block.contact(Mode::SlipBelow, -1.2, 0.0), Mode::SlipAbove);
    assert_eq!(block.contact(Mode::SlipAbove, 1.2, 0.0), Mode::SlipBelow);
    assert_eq!(block.contact(Mode::SlipBelow, -1.0, 0.0), Mode::Stick { since: 0.0 });
    // the acceleration has the same sign on both sides of the crossing
    let (below, above) =
        (block.acceleration(Mode::SlipBelow, -1.2, 0.5), block.acceleration(Mode::SlipAbove, -1.2, 0.5));
    assert!(below > 0.0 && above > 0.0);
}

#[test]
fn e06_the_stick_time_falls_and_jumps_where_the_first_release_vanishes() {
    let hill = Aging::Hill(HillAging { increment: 2.0, time_constant: 1.0, exponent: 4.0 });
    // the closer to the limit the block sticks, the shorter it holds; at some margin a short hold turns into a long one
    let margins: Vec<f64> = (1..400).map(|i| 0.005 * f64::from(i)).collect();
    let times: Vec<f64> = margins.iter().filter_map(|&margin| hill.holding_time(margin, 1.2)).collect();
    assert_eq!(times.len(), margins.len());
    assert!(times.windows(2).all(|pair| pair[1] > pair[0]), "longer from further away");
    let jump = times.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
    assert!(jump > 0.5, "{jump}");
}

/// F_K of figure 3.
fn figure_3() -> TwoSlope {
    TwoSlope {
        static_coefficient: 1.0,
        low_speed_slope: 3.0,
        high_speed_slope: 0.1,
        crossover_speed: 0.2,
        crossover_width: 0.05,
    }
}

/// Whether the slip from the static limit reaches the velocity of the surface again: a plain Runge-Kutta loop with a fixed step,
/// the maximum of the velocity by a parabola through three points.
fn touches(drive_speed: f64) -> bool {
    let (mass, stiffness, law) = (40.0, 1.0, figure_3());
    let slope = |[x, v]: [f64; 2]| [v, (law.kinetic(drive_speed - v) - stiffness * x) / mass];
    let ahead = |y: [f64; 2], k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
    let h = 2e-3;
    let mut y = [1.0, drive_speed];
    let mut speeds = [drive_speed; 3];
    for step in 0..30_000 {
        let k1 = slope(y);
        let k2 = slope(ahead(y, k1, 0.5 * h));
        let k3 = slope(ahead(y, k2, 0.5 * h));
        let k4 = slope(ahead(y, k3, h));
        for i in 0..2 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        speeds = [speeds[1], speeds[2], y[1]];
        let [before, top, after] = speeds;
        if step > 10 && top >= before && top > after && top > 0.5 * drive_speed {
            let curvature = before - 2.0 * top + after;
            let maximum = top - (after - before) * (after - before) / (8.0 * curvature);
            return maximum >= drive_speed;
        }
        if y[1] > drive_speed && step > 10 {
            return true;
        }
    }
    false
}

#[test]
fn e07_the_third_type_1_bifurcation_by_a_plain_loop() -> Result<(), AnalysisError> {
    let (mut low, mut high) = (0.95, 0.97);
    assert!(touches(low) && !touches(high));
    while high - low > 1e-9 {
        let middle = 0.5 * (low + high);
        if touches(middle) { low = middle } else { high = middle }
    }
    let family = |speed: f64| Ok(SpringBlock::new(40.0, 1.0, speed, Law::TwoSlope(figure_3())));
    let located = locate_kind(&family, &[0.95, 0.97], BifurcationKind::Type1, Solver::default(), &Silent)?;
    let value = located.first().map_or(f64::NAN, |bifurcation| bifurcation.value);
    // the plain loop has a step of 2e-3 of order 4: its error is far below 1e-8
    assert!((value - low).abs() < 1e-8, "{value} {low}");
    assert!((value - 0.966).abs() > 0.005);
    Ok(())
}

/// Stable oscillations of figure 3 by averaging: amplitudes of the velocity at which friction gives what it takes, from gain to loss.
fn averaged_oscillations(drive_speed: f64) -> usize {
    let law = figure_3();
    let gain = |amplitude: f64| -> f64 {
        let turn = |k: i32| cos((f64::from(k) + 0.5) * std::f64::consts::PI / 100.0);
        (0..200).map(|k| turn(k) * law.kinetic(drive_speed - amplitude * turn(k))).sum()
    };
    let gains: Vec<f64> = (1..200).map(|k| gain(drive_speed * f64::from(k) / 200.0)).collect();
    gains.windows(2).filter(|pair| pair[0] > 0.0 && pair[1] < 0.0).count()
}

#[test]
fn e80_figure_3_has_one_stable_oscillation_at_a_time() -> Result<(), AnalysisError> {
    let averaged = (1..=120).map(|k| averaged_oscillations(0.0125 * f64::from(k))).max();
    assert_eq!(averaged, Some(1));
    for speed in [0.1, 0.155, 0.3, 0.8, 0.9, 1.1, 1.3] {
        let block = SpringBlock::new(40.0, 1.0, speed, Law::TwoSlope(figure_3()));
        let found = attractors(&block, Solver::default())?;
        assert!(found.oscillations.iter().filter(|cycle| cycle.stable).count() <= 1, "{speed}");
    }
    Ok(())
}

/// The block of figure 3 at a drive speed.
fn block_of_figure_3(drive_speed: f64, contact_policy: ContactPolicy) -> SpringBlock {
    SpringBlock { contact_policy, ..SpringBlock::new(40.0, 1.0, drive_speed, Law::TwoSlope(figure_3())) }
}

#[test]
fn e90_where_no_contact_sticks_nothing_ends_in_stick_slip() -> Result<(), AnalysisError> {
    let classes = |speed: f64, policy| -> Result<Vec<&'static str>, AnalysisError> {
        let found = attractors(&block_of_figure_3(speed, policy), Solver::default())?;
        assert_eq!(found.graze.case, GrazeCase::Inward, "{speed}");
        Ok(found.classes())
    };
    assert_eq!(classes(0.25, ContactPolicy::Strict)?, ["SS"]);
    for speed in [0.34, 0.4, 0.6] {
        assert!(!classes(speed, ContactPolicy::Strict)?.contains(&"SS"), "{speed}");
        assert!(classes(speed, ContactPolicy::FirstContact)?.contains(&"SS"), "{speed}");
    }
    Ok(())
}

#[test]
fn e91_with_equal_friction_at_rest_both_types_of_bifurcation_coincide() -> Result<(), AnalysisError> {
    let at = |kind: BifurcationKind| -> Result<f64, AnalysisError> {
        let law = Stribeck {
            static_coefficient: 1.0,
            kinetic_coefficient: 0.4,
            stribeck_speed: 0.2,
            exponent: 1.0,
            viscous: 0.3,
        };
        let family = |speed: f64| Ok(SpringBlock::new(40.0, 1.0, speed, Law::Stribeck(law)));
        let located = locate_kind(&family, &[0.7, 0.72, 0.74, 0.76], kind, Solver::default(), &Silent)?;
        Ok(located.first().map_or(f64::NAN, |bifurcation| bifurcation.value))
    };
    let (first, second) = (at(BifurcationKind::Type1)?, at(BifurcationKind::Type2)?);
    assert!((first - second).abs() < 1e-9, "{first} {second}");
    Ok(())
}
