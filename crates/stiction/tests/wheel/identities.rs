//! The equations of the wheel: identities at random parameters, closed forms, and values of an independent
//! implementation (mpmath, 40 digits, from the equations as printed).

use stiction::analysis::wheel::itinerary::{Itinerary, WheelStart};
use stiction::analysis::wheel::surface::{Trace, slip_point, surface_point};
use stiction::num::random::Stream;
use stiction::num::real;
use stiction::system::Wheel;
use stiction::system::filippov::{Case, Filippov, Local, Phase, Region, Side, Signs, Visibility};
use stiction::system::wheel::tyre::Tyre;
use stiction::system::wheel::{DampingReference, Design, Dynamics, Friction, SlipLaw, StickMoment};

fn close(found: f64, wanted: f64, relative: f64) {
    let error = (found - wanted).abs();
    assert!(error <= relative * wanted.abs().max(1e-300), "{found:e}, not {wanted:e}: {:e}", error / wanted.abs());
}

/// Wheels with random parameters, in all variants.
fn wheels(count: u64) -> Vec<Dynamics> {
    let mut found = Vec::new();
    for index in 0..count {
        let mut stream = Stream::new(7, index, 1);
        let mut between = |low: f64, high: f64| low + (high - low) * stream.uniform();
        let wheel = Wheel {
            slider_mass: between(0.3, 3.0),
            gyration_radius: between(0.02, 0.5),
            slit_offset: between(0.0, 2.0),
            spring_stiffness: Some(between(0.1, 10.0)),
            rest_position: between(-0.5, 0.5),
            disc_damping: between(0.0, 0.1),
            slider_damping: between(0.0, 0.1),
            turntable_speed: between(-2.0, 2.0),
            wheel_angle: between(-3.1, 3.1),
            friction_force: between(0.2, 3.0),
            moment_arm: Some(between(0.02, 1.0)),
            damping_reference: if index % 2 == 0 { DampingReference::Ground } else { DampingReference::Turntable },
            stick_moment: if index % 3 == 0 { StickMoment::Unsigned } else { StickMoment::Signed },
            ..Wheel::default()
        };
        found.push(wheel.dynamics().unwrap());
    }
    found
}

fn states(seed: u64, count: u64) -> Vec<(f64, f64, f64)> {
    (0..count)
        .map(|index| {
            let mut stream = Stream::new(seed, index, 2);
            let mut between = |low: f64, high: f64| low + (high - low) * stream.uniform();
            (between(-0.8, 0.8), between(-1.0, 1.0), between(-3.0, 2.0))
        })
        .collect()
}

#[test]
fn the_two_equations_of_motion_are_tied_by_the_slit() {
    for dynamics in wheels(40) {
        for (r, v, omega) in states(3, 20) {
            let friction = dynamics.friction(r, v, omega);
            let [_, slide, turn, clock] = dynamics.slope(r, v, omega, friction);
            let q = dynamics.q(r);
            let expected = q * (dynamics.p1(r, v, omega) + dynamics.si * friction.force) + dynamics.d * turn;
            let size = slide.abs() + (dynamics.d * turn).abs() + 1.0;
            assert!((slide - expected).abs() <= 1e-13 * size);
            assert_eq!(clock, dynamics.m * q);
        }
    }
}

#[test]
fn force_and_moment_lie_on_the_limit_of_slip() {
    for dynamics in wheels(40) {
        for (r, v, omega) in states(4, 20) {
            let Friction { force, moment } = dynamics.friction(r, v, omega);
            close(force.abs() + moment.abs() / (3.0 * dynamics.kappa), 4.0 / 3.0 * dynamics.mu, 1e-13);
            assert!(
                force.abs() >= dynamics.mu * (1.0 - 1e-13) && moment.abs() <= dynamics.mu * dynamics.kappa * 1.000_001
            );
            assert!(force * dynamics.h(r, v, omega) > 0.0);
        }
    }
}

#[test]
fn sliding_velocities_can_be_inverted() {
    for dynamics in wheels(20) {
        for (r, v, omega) in states(5, 20) {
            let (h, g) = (dynamics.h(r, v, omega), dynamics.g(r, v, omega));
            let (v2, omega2) = dynamics.of_sliding(r, h, g);
            assert!((v - v2).abs() < 1e-10 && (omega - omega2).abs() < 1e-10);
        }
    }
}

#[test]
fn normal_velocities_are_the_gradient_times_the_field() {
    for dynamics in wheels(40) {
        for (r, v, omega) in states(6, 20) {
            let gradient = dynamics.h_gradient(r, omega);
            let along = |friction: Friction| -> f64 {
                let slope = dynamics.slope(r, v, omega, friction);
                gradient.iter().zip(&slope).map(|(g, f)| g * f).sum()
            };
            for sign in [1.0, -1.0] {
                let s = if dynamics.signed { sign } else { 1.0 };
                for lambda in [0.0, dynamics.mu, -dynamics.mu] {
                    let found = dynamics.lie0(r, v, omega) + lambda * dynamics.lie1(r, sign);
                    let expected = along(Friction { force: lambda, moment: s * dynamics.kappa * lambda });
                    assert!((found - expected).abs() < 1e-12 * (1.0 + 100.0 * found.abs()), "{found} {expected}");
                }
            }
            // the gradient of h by differences, which are exact for a bilinear function up to rounding
            let step = 1e-3;
            let difference = (dynamics.h(r + step, v, omega) - dynamics.h(r - step, v, omega)) / (2.0 * step);
            assert!((difference - gradient[0]).abs() < 1e-11);
            let difference = (dynamics.h(r, v, omega + step) - dynamics.h(r, v, omega - step)) / (2.0 * step);
            assert!((difference - gradient[2]).abs() < 1e-11);
        }
    }
}

#[test]
fn derivatives_of_normal_velocities_agree_with_differences() {
    for dynamics in wheels(20) {
        for (r, v, omega) in states(8, 10) {
            for (sign, lambda) in [(1.0, dynamics.mu), (-1.0, -dynamics.mu), (1.0, 0.0)] {
                let value = |r, v, omega| dynamics.lie0(r, v, omega) + lambda * dynamics.lie1(r, sign);
                let gradient = dynamics.lie_gradient(r, v, omega, sign, lambda);
                let e = 1e-5;
                let differences = [
                    (value(r + e, v, omega) - value(r - e, v, omega)) / (2.0 * e),
                    (value(r, v + e, omega) - value(r, v - e, omega)) / (2.0 * e),
                    (value(r, v, omega + e) - value(r, v, omega - e)) / (2.0 * e),
                ];
                for (exact, difference) in gradient.iter().zip(differences) {
                    // rounding 1e-16/1e-5 and truncation 1e-10, times values up to some hundred
                    assert!((exact - difference).abs() < 1e-8 * (1.0 + exact.abs()), "{exact} {difference}");
                }
            }
        }
    }
}

#[test]
fn limits_of_slip_on_the_surface_are_the_fields_of_stick() {
    let charted: Vec<Dynamics> = wheels(20).into_iter().filter(Dynamics::has_chart).collect();
    assert!(charted.len() > 5, "only {} wheels have a chart", charted.len());
    for dynamics in charted {
        for (r, _, omega) in states(9, 10) {
            let mut y = [r, 0.0, omega, 0.0, 0.0];
            dynamics.project(&mut y);
            assert!(dynamics.h(y[0], y[1], y[2]).abs() < 1e-13 * (1.0 + y[1].abs()));
            let signs = dynamics.signs_at(&y).unwrap();
            for side in [Side::Plus, Side::Minus] {
                let (mut slip, mut limit) = ([0.0; 5], [0.0; 5]);
                dynamics.field(side, signs, &y, &mut slip);
                dynamics.limit_field(side, signs, &y, &mut limit);
                for (slip, limit) in slip.iter().zip(limit) {
                    assert!((slip - limit).abs() < 1e-10 * (1.0 + limit.abs()), "{slip} {limit}");
                }
            }
        }
    }
}

#[test]
fn second_derivatives_of_two_folds_obey_their_identities() {
    let mut checked = 0;
    for dynamics in wheels(60) {
        for fold in dynamics.two_folds() {
            let (r, v, omega) = (fold.r, fold.v, fold.omega);
            let scale = 1.0 + v.abs() + omega.abs();
            assert!(dynamics.h(r, v, omega).abs() < 1e-12 * scale);
            let lie = dynamics.lie(r, v, omega, fold.sign);
            assert!(lie.plus.abs() + lie.minus.abs() < 1e-9 * scale * scale * scale, "{lie:?} at {fold:?}");
            let k = fold.folds;
            let size = k.plus_plus.abs() + k.plus_minus.abs() + k.minus_plus.abs() + k.minus_minus.abs();
            let sum = k.plus_plus - k.plus_minus - k.minus_plus + k.minus_minus;
            assert!(sum.abs() < 1e-12 * size * scale);
            // the eigenvalue along the stick, three times: K⁻⁺ − K⁺⁺, −2μ L₁'(r) m q v, and of the matrix
            let (along, across) = fold.eigenvalues();
            let s = if dynamics.signed { fold.sign } else { 1.0 };
            let slope = -(2.0 * r + s * dynamics.kappa * dynamics.co);
            let expected = -2.0 * dynamics.mu * slope * dynamics.m * dynamics.q(r) * v;
            assert!((along - expected).abs() < 1e-11 * size * scale, "{along} {expected}");
            let (weak, strong) = k.eigenvalues().unwrap();
            let pair = if along.abs() < across.abs() { (along, across) } else { (across, along) };
            assert!((weak - pair.0).abs() < 1e-9 * size && (strong - pair.1).abs() < 1e-9 * size);
            // K by differences along the fields
            let signs = Signs::default().with(0, fold.sign > 0.0);
            let state = [r, v, omega, 0.0, 0.0];
            let generic = stiction::system::filippov::TwoFold::near(&dynamics, signs, &state).unwrap();
            for (a, b) in [
                (generic.folds.plus_plus, k.plus_plus),
                (generic.folds.plus_minus, k.plus_minus),
                (generic.folds.minus_plus, k.minus_plus),
                (generic.folds.minus_minus, k.minus_minus),
            ] {
                assert!((a - b).abs() < 1e-7 * size * scale, "{a} {b}");
            }
            checked += 1;
        }
    }
    assert!(checked > 60, "{checked}");
}

#[test]
fn the_design_of_the_paper_has_these_values() {
    let wheel = Wheel::default();
    let dynamics = wheel.dynamics().unwrap();
    close(dynamics.kappa, 0.272_411_537_140_620_3, 1e-14);
    close(dynamics.k2, 2.227_099_225_388_601_5, 1e-13);
    let folds = dynamics.two_folds();
    let fold = folds.iter().find(|fold| (fold.r - 0.1859).abs() < 1e-9 && fold.omega < -1.0).unwrap();
    close(fold.v, -0.030_121_7, 1e-12);
    close(fold.folds.plus_plus, -0.002_356_751_383_886_635_4, 1e-11);
    close(fold.folds.plus_minus, 0.003_251_043_031_418_925, 1e-11);
    close(fold.folds.minus_plus, -0.002_756_770_431_450_711, 1e-11);
    close(fold.folds.minus_minus, 0.002_851_023_983_854_849_4, 1e-11);
    let (j1, j2) = fold.folds.j().unwrap();
    close(j1, -1.063_514_171_215_565_6, 1e-11);
    close(j2, -1.254_195_959_046_964_2, 1e-11);
    let (along, across) = fold.scaled_eigenvalues().unwrap();
    close(along, -0.154_320_403_682_171_48, 1e-10);
    close(across, -2.163_389_726_580_358, 1e-11);
    assert_eq!(fold.case(), Some(Case::Through));
    assert_eq!(fold.visibility(), Visibility::Teixeira);
    assert_eq!(fold.local(), Local::Node);
    // at exactly the design point the same numbers to the last digits
    let exact = dynamics.folds_at((0.1859, -0.030_121_7, -1.037), 1.0);
    close(exact.plus_plus, -0.002_356_751_383_886_635_4, 1e-12);
    close(exact.minus_minus, 0.002_851_023_983_854_849_4, 1e-12);
}

#[test]
fn the_stiffness_is_that_of_equation_eleven() {
    for index in 0..50 {
        let mut stream = Stream::new(11, index, 3);
        let mut between = |low: f64, high: f64| low + (high - low) * stream.uniform();
        let design = Design { position: between(0.12, 0.8), speed: between(-2.0, 0.5) };
        let wheel = Wheel { wheel_angle: between(-2.9, -0.3), rest_position: between(-0.3, 0.1), ..Wheel::default() };
        let designed = wheel.designed_with(design, 1.0);
        let (co, si) = (real::cos(wheel.wheel_angle), real::sin(wheel.wheel_angle));
        let (r, w, w0, d, m) = (design.position, design.speed, wheel.turntable_speed, 1.0, 1.0);
        let (c1, c2, b2) = (1e-3, 1e-3, 0.0025);
        let v = (w - w0) * (d - r * co / si);
        let q = b2 + r * r;
        let p2 = d * r * co + q * si;
        let bracket = c1 * r * w + c2 * d * r * v + m * (r * r * (v * (w + w0) - d * w * w) + b2 * v * (w0 - w));
        let k2 = (si * q * (m * r * w * w - c2 * v) - co * bracket) / ((r - wheel.rest_position) * p2);
        assert!((designed.spring_stiffness - k2).abs() < 1e-10 * (1.0 + k2.abs()), "{designed:?} {k2}");
        close(designed.velocity, v, 1e-12);
    }
}

#[test]
fn force_has_a_kink_where_the_wheel_rolls_the_other_way_and_the_moment_has_none() {
    // |h| is not smooth at the surface, and F not at g = 0: this is why signs are frozen and g = 0 is an event
    let dynamics = Wheel::default().dynamics().unwrap();
    let (h, e) = (0.03, 1e-7);
    let at = |g: f64| dynamics.slip_friction(1.0, g.signum(), h, g);
    let jump = (at(2.0 * e).force - at(e).force) / e - (at(-e).force - at(-2.0 * e).force) / e;
    let expected = -2.0 * dynamics.c_psi * dynamics.mu / (18.0 * dynamics.kappa * h);
    assert!((jump / expected - 1.0).abs() < 1e-4, "{jump} {expected}");
    let bend = (at(2.0 * e).moment - at(e).moment) / e - (at(-e).moment - at(-2.0 * e).moment) / e;
    assert!(bend.abs() < 1e-4 * expected.abs());
    // with frozen signs there is none
    let frozen = |g: f64| dynamics.slip_friction(1.0, 1.0, h, g).force;
    let smooth = (frozen(2.0 * e) - frozen(e)) / e - (frozen(-e) - frozen(-2.0 * e)) / e;
    assert!(smooth.abs() < 1e-4 * expected.abs());
}

#[test]
fn energy_changes_by_the_power_of_friction_and_damping() {
    for (damping_reference, start, duration_tau) in [
        (DampingReference::Ground, WheelStart::State { r: -0.2, v: 0.3, omega: -1.4 }, 20.0),
        (DampingReference::Turntable, WheelStart::State { r: 0.3, v: 0.2, omega: -0.8 }, 5.0),
    ] {
        let kept = Wheel::default().dynamics().unwrap();
        let wheel = Wheel {
            damping_reference,
            disc_damping: 0.02,
            slider_damping: 0.03,
            moment_arm: Some(kept.kappa),
            spring_stiffness: Some(kept.k2),
            ..Wheel::default()
        };
        let dynamics = wheel.dynamics().unwrap();
        let mut trace = Trace { spacing: 2e-4, points: Vec::new() };
        let request = Itinerary { start, duration_tau: Some(duration_tau), ..Itinerary::default() };
        request.run_along(&dynamics, &mut trace).unwrap();
        let (mut gained, mut largest) = (0.0, 0.0_f64);
        let power = |phase: Phase, y: &[f64; 5]| {
            let [r, v, omega, ..] = *y;
            let friction = match phase {
                // at the ends of a slip the sign of h is rounding: the phase knows it
                Phase::Slip(side) => {
                    let (h, g) = (dynamics.h(r, v, omega), dynamics.g(r, v, omega));
                    dynamics.slip_friction(side.sign(), g.signum(), h, g)
                }
                _ => {
                    let point = surface_point(&dynamics, r, omega).unwrap();
                    let force = point.lambda.unwrap_or(0.0);
                    Friction { force, moment: point.sign * dynamics.kappa * force }
                }
            };
            dynamics.power(r, v, omega, friction)
        };
        let energy = |y: &[f64; 5]| dynamics.energy(y[0], y[1], y[2]);
        let first = energy(&trace.points[0].1);
        for pair in trace.points.windows(2) {
            let ((phase, a), (same, b)) = (pair[0], pair[1]);
            if phase == same {
                gained += 0.5 * (b[4] - a[4]) * (power(phase, &a) + power(phase, &b));
            }
            largest = largest.max((energy(&b) - first - gained).abs());
        }
        // the trapezium rule with this spacing is good to some 1e-9; the energy changes by 1e-1
        assert!((energy(&trace.points.last().unwrap().1) - first).abs() > 1e-2);
        assert!(largest < 1e-7, "{largest:e}");
    }
}

#[test]
fn a_wheel_along_the_slit_has_two_folds_without_a_choice() {
    let wheel = Wheel { wheel_angle: 0.0, moment_arm: Some(0.3), spring_stiffness: Some(2.0), ..Wheel::default() };
    let dynamics = wheel.dynamics().unwrap();
    let folds = dynamics.two_folds();
    assert!(!folds.is_empty());
    for fold in folds {
        // r* = −s κ (erratum: printed κ), ω* = ω₀, and both fields agree
        close(fold.r, -fold.sign * 0.3, 1e-14);
        assert_eq!(fold.omega, -1.0);
        let lie = dynamics.lie(fold.r, fold.v, fold.omega, fold.sign);
        assert!(lie.plus.abs() < 1e-12 && lie.minus.abs() < 1e-12);
        let field = |force: f64| {
            let moment = fold.sign * 0.3 * force;
            dynamics.slope(fold.r, fold.v, fold.omega, Friction { force, moment })
        };
        for (plus, minus) in field(1.0).iter().zip(field(-1.0)) {
            assert!((plus - minus).abs() < 1e-14);
        }
    }
}

#[test]
fn a_wheel_across_the_slit_has_no_two_folds() {
    for wheel_angle in [std::f64::consts::FRAC_PI_2, -std::f64::consts::FRAC_PI_2] {
        let wheel = Wheel { wheel_angle, moment_arm: Some(0.3), spring_stiffness: Some(2.0), ..Wheel::default() };
        let dynamics = wheel.dynamics().unwrap();
        assert_eq!(dynamics.co, 0.0);
        assert!(dynamics.two_folds().is_empty());
        for (r, v, omega) in states(12, 20) {
            let lie = dynamics.lie(r, v, omega, 1.0);
            close(lie.plus - lie.minus, -2.0 * dynamics.mu * dynamics.q(r), 1e-12);
        }
    }
}

#[test]
fn tyre_forces_are_the_integrals_of_their_pressure() {
    for index in 0..40 {
        let mut stream = Stream::new(13, index, 4);
        let mut between = |low: f64, high: f64| low + (high - low) * stream.uniform();
        let tyre = Tyre {
            half_length: between(0.1, 2.0),
            stiffness: between(0.2, 5.0),
            relaxation_length: between(0.0, 1.0),
            static_pressure: between(0.1, 3.0),
            sliding_ratio: between(0.1, 1.0),
        };
        let angle = between(0.01, 1.55);
        let (a, k) = (tyre.half_length, tyre.stiffness);
        let border = tyre.slip_border(angle).clamp(-a, a);
        // the pressure is linear in front of the border and constant behind it: Simpson's rule is exact on each part
        let stuck = |x: f64| k * (a + tyre.relaxation_length - x) * real::tan(angle);
        let slid = |_: f64| tyre.sliding_ratio * tyre.static_pressure;
        let simpson = |f: &dyn Fn(f64) -> f64, low: f64, high: f64| {
            (high - low) / 6.0 * (f(low) + 4.0 * f(0.5 * (low + high)) + f(high))
        };
        let force = simpson(&slid, -a, border) + simpson(&stuck, border, a);
        let moment = -simpson(&|x| x * slid(x), -a, border) - simpson(&|x| x * stuck(x), border, a);
        let found = tyre.at(angle);
        assert!((found.force - force).abs() < 1e-11 * (1.0 + force.abs()), "{found:?} {force}");
        assert!((found.moment - moment).abs() < 1e-11 * (1.0 + force.abs()), "{found:?} {moment}");
    }
}

#[test]
fn a_constant_law_has_the_limits_of_the_angle_law() {
    let kept = Wheel::default().dynamics().unwrap();
    let wheel = Wheel {
        slip_law: SlipLaw::Constant,
        stick_moment: StickMoment::Unsigned,
        moment_arm: Some(kept.kappa),
        spring_stiffness: Some(kept.k2),
        ..Wheel::default()
    };
    let constant = wheel.dynamics().unwrap();
    let point = surface_point(&constant, 0.27, -1.25).unwrap();
    let angle = surface_point(&kept, 0.27, -1.25).unwrap();
    assert_eq!(point.region, Region::Sliding);
    close(point.lie_plus, angle.lie_plus, 1e-13);
    let far = slip_point(&constant, 0.27, 0.4, -1.25);
    close(far.moment / far.force, kept.kappa, 1e-14);
}

#[test]
fn eigenvalues_of_two_folds_do_not_depend_on_the_unit_of_mass() {
    let folds = |mass: f64| {
        let wheel = Wheel {
            slider_mass: 0.7 * mass,
            spring_stiffness: Some(4.0 * mass),
            rest_position: -0.2,
            disc_damping: 0.05 * mass,
            slider_damping: 0.04 * mass,
            wheel_angle: 1.1,
            friction_force: 1.7 * mass,
            moment_arm: Some(0.2),
            ..Wheel::default()
        };
        wheel.dynamics().unwrap().two_folds()
    };
    let (own, other) = (folds(1.0), folds(4096.0));
    // without a real Kn nothing but √|K⁺⁺ K⁻⁻| has the unit of a rate
    assert!(own.iter().any(|fold| fold.folds.norm().is_none()) && own.len() == other.len());
    for (own, other) in own.iter().zip(&other) {
        let (own, other) = (own.scaled_eigenvalues().unwrap(), other.scaled_eigenvalues().unwrap());
        close(own.0, other.0, 1e-12);
        close(own.1, other.1, 1e-12);
    }
}
