//! Maps and structures of the wheel against an independent implementation (mpmath, 30 digits).

use stiction::analysis::wheel::itinerary::{Go, Itinerary, WheelStart};
use stiction::analysis::wheel::line_structure::{Change, line_point, thresholds};
use stiction::analysis::wheel::surface::{Trace, region_border_curves, surface_point};
use stiction::analysis::wheel::two_fold_map::{CONDITIONS, Condition, Convention, Plane, TwoFoldMap};
use stiction::num::real;
use stiction::system::Wheel;
use stiction::system::filippov::{Lie, Region};
use stiction::system::wheel::line::{MotionKind, Place};
use stiction::system::wheel::{Friction, StickMoment};

fn near(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() < tolerance, "{found} instead of {wanted}");
}

#[test]
fn borders_of_the_map_are_these_roots() {
    use Condition::{J1Negative, J2Negative, MinusInvisible, PlusInvisible, ProductAboveOne};
    let map = TwoFoldMap::new(&Wheel::default(), Convention::Positive);
    let found = map.borders_at_position(0.1859, (-2.2, 0.2), 300);
    let expected = [
        (-1.647_386_926_948_44, J1Negative),
        (-1.251_532_568_113_41, PlusInvisible),
        (-1.251_532_568_113_41, ProductAboveOne),
        (-1.0, ProductAboveOne),
        (-0.809_125_392_606_077, J2Negative),
        (-0.143_622_118_258_854, MinusInvisible),
        (-0.143_622_118_258_854, ProductAboveOne),
        (-0.120_629_928_407_42, ProductAboveOne),
    ];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (at, condition) in expected {
        let border =
            found.iter().find(|border| border.condition == condition && (border.at - at).abs() < 1e-6).unwrap();
        near(border.at, at, 1e-12);
        assert!(!border.jump);
    }
    let found = map.borders_at_speed(-1.037, (0.105, 0.795), 300);
    for (at, condition) in [(0.109_218_224_038_499, J1Negative), (0.111_363_937_973_73, PlusInvisible)] {
        let border = found.iter().find(|border| border.condition == condition).unwrap();
        near(border.at, at, 1e-12);
    }
    assert_eq!(found.len(), 3, "{found:?}");
    // the design of the paper lies inside panel (a), and panel (a) along r* = 0.1859 is an interval of ω* below ω₀
    assert!(map.at(0.1859, -1.037).all());
    for (speed, inside) in [(-1.26, false), (-1.25, true), (-1.001, true), (-0.999, false), (-0.5, false)] {
        assert_eq!(map.at(0.1859, speed).all(), inside, "{speed}");
    }
}

#[test]
fn the_signed_convention_changes_designs_that_roll_backward_only() {
    let paper = TwoFoldMap::new(&Wheel::default(), Convention::Positive);
    let signed = TwoFoldMap::new(&Wheel::default(), Convention::Signed);
    for (position, speed) in [(0.1859, -1.037), (0.4, -1.5)] {
        assert_eq!(paper.at(position, speed), signed.at(position, speed));
    }
    // with Ω > 0 and r > 0 the wheel rolls backward: the moment arm of the design changes its sign
    let (a, b) = (paper.at(0.3, -0.5), signed.at(0.3, -0.5));
    near(a.designed.moment_arm, -b.designed.moment_arm, 1e-15);
    assert!(!b.all());
    let unsigned = Wheel { stick_moment: StickMoment::Unsigned, ..Wheel::default() };
    let unsigned = TwoFoldMap::new(&unsigned, Convention::Signed);
    assert_eq!(unsigned.at(0.3, -0.5), a);
}

#[test]
fn border_curves_lie_on_the_borders_and_close_or_end_at_an_edge() {
    let map = TwoFoldMap::new(&Wheel::default(), Convention::Positive);
    let plane = Plane { positions: (0.12, 0.8), speeds: (-2.2, -1.01), columns: 60, rows: 60 };
    let curves = map.border_curves(&plane);
    let found: Vec<Condition> = curves.iter().map(|curve| curve.condition).collect();
    assert!(found.contains(&Condition::J1Negative) && found.contains(&Condition::PlusInvisible), "{found:?}");
    for curve in &curves {
        let index = CONDITIONS.iter().position(|condition| *condition == curve.condition).unwrap();
        for &(r, omega) in &curve.points {
            let flags: Vec<bool> = [(1e-6, 0.0), (-1e-6, 0.0), (0.0, 1e-6), (0.0, -1e-6)]
                .map(|(dr, dw)| map.at(r + dr, omega + dw).flags[index])
                .to_vec();
            assert!(
                flags.iter().any(|flag| *flag) && flags.iter().any(|flag| !*flag),
                "{:?} {r} {omega}",
                curve.condition
            );
        }
        let edge = |&(r, omega): &(f64, f64)| {
            let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
            close(r, 0.12) || close(r, 0.8) || close(omega, -2.2) || close(omega, -1.01)
        };
        let (first, last) = (curve.points.first().unwrap(), curve.points.last().unwrap());
        assert!(first == last || edge(first) && edge(last), "{first:?} {last:?}");
    }
}

#[test]
fn the_line_of_rest_changes_at_these_thresholds() {
    let dynamics = Wheel::default().dynamics().unwrap();
    let found = thresholds(&dynamics, (-0.4, 1.0), 700);
    for (r, change) in [
        (-0.032_687_405_956_163_32, Change::Lock),
        (-0.004_733_468_700_450_495, Change::MinusLimitBackward),
        (0.002_486_471_746_931_932, Change::PlusLimitForward),
        (0.102_881_095_000_746_95, Change::MinusLimitForward),
        (0.151_009_902_303_346_65, Change::PlusPair),
        (0.182_170_373_358_011_53, Change::StickForward),
        (0.183_382_170_571_022_55, Change::StickBackward),
        (0.183_966_353_581_363_35, Change::PlusLimitForward),
        (0.876_015_275_243_704_4, Change::Lock),
    ] {
        let seen = found.iter().any(|threshold| threshold.change == change && (threshold.r - r).abs() < 1e-11);
        assert!(seen, "{change:?} at {r} is missing: {found:?}");
    }
}

#[test]
fn rays_of_the_line_have_these_angles_and_rates() {
    let dynamics = Wheel::default().dynamics().unwrap();
    let point = line_point(&dynamics, 0.16);
    let found: Vec<(f64, f64)> = point.minus.iter().chain(&point.plus).map(|ray| (ray.angle, ray.rate)).collect();
    let expected = [
        (-1.553_110_537_106_844_8, -0.039_147_264_054_970_02),
        (-0.004_000_624_147_003_297, 0.029_320_141_636_967_976),
        (0.422_309_451_192_668_8, -0.023_533_420_307_944_378),
        (1.313_758_797_800_268_5, -0.029_026_096_768_230_84),
    ];
    assert_eq!(found.len(), 4);
    for ((angle, rate), (wanted_angle, wanted_rate)) in found.iter().zip(expected) {
        near(*angle, wanted_angle, 1e-13);
        near(*rate, wanted_rate, 1e-14);
    }
    assert!(line_point(&dynamics, 0.15).plus.is_empty());
    let kinds: Vec<MotionKind> = point.outgoing.iter().map(|motion| motion.kind).collect();
    assert_eq!(kinds, [MotionKind::SlipMinus, MotionKind::Escape, MotionKind::Stick, MotionKind::Stay]);
    assert_eq!(point.outgoing.iter().map(|motion| motion.family).collect::<Vec<_>>(), [false, true, false, false]);
}

#[test]
fn the_frozen_motion_is_the_limit_of_the_real_one() {
    let dynamics = Wheel::default().dynamics().unwrap();
    for (place, r) in [(Place::Rest { r: 0.2 }, 0.2), (Place::Rest { r: -0.07 }, -0.07)] {
        let blow_up = dynamics.blow_up(place);
        for k in 0..24 {
            let angle = -3.1 + 0.27 * f64::from(k);
            let (rho, sine, cosine) = (1e-8, real::sin(angle), real::cos(angle));
            let (v, omega) = dynamics.of_sliding(r, rho * sine, rho * cosine);
            let friction = dynamics.circle_friction(angle);
            let [dr, dv, domega, _] = dynamics.slope(r, v, omega, friction);
            let [h_r, h_v, h_omega] = dynamics.h_gradient(r, omega);
            let h_rate = h_r * dr + h_v * dv + h_omega * domega;
            let slip = omega - dynamics.omega0;
            let g_rate =
                slip * dynamics.si * dr - dynamics.co * dv + (dynamics.d * dynamics.co + r * dynamics.si) * domega;
            let (radial, angular) = blow_up.polar_rates(angle);
            near(h_rate * sine + g_rate * cosine, radial, 1e-8);
            near(h_rate * cosine - g_rate * sine, angular, 1e-8);
        }
    }
}

#[test]
fn the_force_that_locks_the_wheel_holds_it() {
    let dynamics = Wheel::default().dynamics().unwrap();
    let friction = dynamics.lock(0.2).unwrap();
    let slope = dynamics.slope(0.2, 0.0, -1.0, friction);
    assert!(slope[..3].iter().all(|x| x.abs() < 1e-15), "{slope:?}");
    assert!(dynamics.lock(-0.1).is_none());
    // the corners of the hexagon
    for (force, moment, inside) in [(1.0, 0.999, true), (1.0, 1.001, false), (1.333, 0.0, true), (1.334, 0.0, false)] {
        let margin = dynamics.lock_margin(Friction { force, moment: moment * dynamics.kappa });
        assert_eq!(margin > 0.0, inside, "{force} {moment}");
    }
}

#[test]
fn sticking_paths_stay_on_the_surface_and_flow_into_the_two_fold() {
    let dynamics = Wheel::default().dynamics().unwrap();
    for (r, omega) in [(0.27, -1.25), (0.2, -1.08), (0.3, -1.1)] {
        let start = WheelStart::Surface { r, omega, go: Go::Stick };
        let request = Itinerary { start, duration_tau: Some(40.0), max_events: 1, ..Itinerary::default() };
        let mut trace = Trace { spacing: 0.05, points: Vec::new() };
        request.run_along(&dynamics, &mut trace).unwrap();
        let path: Vec<_> = trace.points.into_iter().filter(|(phase, _)| phase.is_stick()).map(|(_, y)| y).collect();
        assert!(path.len() > 10);
        for y in &path {
            assert!(dynamics.h(y[0], y[1], y[2]).abs() < 1e-15);
        }
        let last = path.last().unwrap();
        near(last[0], 0.1859, 1.1e-5);
    }
    let curves = region_border_curves(&dynamics, (-0.2, 0.4), 200);
    assert!(curves.len() >= 4);
    // near the two-fold L± are coordinates: the linear map back is the inverse to first order
    let fold = dynamics.two_folds()[0];
    let lie = Lie { plus: -1e-7, minus: 2e-7 };
    let (r, omega) = fold.nearby(&dynamics, lie).unwrap();
    let point = surface_point(&dynamics, r, omega).unwrap();
    assert_eq!(point.region, Region::Sliding);
    near(point.lie_plus, lie.plus, 1e-10);
    near(point.lie_minus, lie.minus, 1e-10);
}

#[test]
fn the_second_line_is_left_at_once() {
    let dynamics = Wheel::default().dynamics().unwrap();
    for omega in [-1.7, -1.3, -0.6, 0.4] {
        let blow_up = dynamics.blow_up(Place::Axis { omega });
        let outgoing = blow_up.outgoing();
        assert!(!outgoing.is_empty() && outgoing.iter().all(|motion| motion.kind != MotionKind::Stay), "{omega}");
        // B does not depend on friction: the type of the stick does not change with the sign of g
        assert_eq!(blow_up.stick_ray(1.0).region, blow_up.stick_ray(-1.0).region);
        // L₊ − L₋ there is that of the surface at r = 0
        let lie = blow_up.lie(1.0);
        let on_surface = dynamics.lie(0.0, dynamics.d * (omega + 1.0), omega, 1.0);
        near(lie.plus, on_surface.plus, 1e-15);
        near(lie.minus, on_surface.minus, 1e-15);
    }
}

#[test]
fn scaled_coordinates_turn_the_sticking_flow_into_its_normal_form() {
    let fold = Wheel::default().dynamics().unwrap().two_folds()[0].folds;
    let (j1, j2) = fold.j().unwrap();
    let norm = fold.norm().unwrap();
    let lie = Lie { plus: -3e-4, minus: 5e-4 };
    let (xi, eta) = fold.scaled(lie, 1.0).unwrap();
    let back = fold.unscaled((xi, eta), 1.0).unwrap();
    near(back.plus, lie.plus, 1e-18);
    near(back.minus, lie.minus, 1e-18);
    // d/dz (L₊, L₋) by the matrix of K, and by the normal form
    let slope = Lie {
        plus: -fold.plus_minus * lie.plus + fold.plus_plus * lie.minus,
        minus: -fold.minus_minus * lie.plus + fold.minus_plus * lie.minus,
    };
    let (xi_slope, eta_slope) = fold.scaled(slope, 1.0).unwrap();
    near(xi_slope / norm, j1 * xi + eta, 1e-10 * xi.abs());
    near(eta_slope / norm, xi + j2 * eta, 1e-10 * xi.abs());
}
