//! Statements of szalai2014 that do not hold as printed, beyond those that the identities of the wheel show already.

use std::cell::Cell;
use stiction::analysis::wheel::itinerary::{EventKind, Itinerary, WheelStart};
use stiction::analysis::wheel::surface::surface_point;
use stiction::analysis::wheel::two_fold_map::{Convention, TwoFoldMap};
use stiction::num::real::{atan, cos, sin, tan};
use stiction::system::Wheel;
use stiction::system::filippov::{Region, Side};
use stiction::system::wheel::{DampingReference, Design, Friction, StickMoment};

#[test]
fn e38_the_printed_equations_damp_the_disc_against_the_ground() {
    let still = Friction { force: 0.0, moment: 0.0 };
    let wheel = Wheel { disc_damping: 0.3, ..Wheel::default() };
    let against_ground = wheel.dynamics().unwrap();
    let turntable = Wheel { damping_reference: DampingReference::Turntable, ..wheel };
    let against_turntable = turntable.dynamics().unwrap();
    // a disc that turns with the turntable is not damped by it, but it is by the ground
    let (r, omega) = (0.1, -1.0);
    let bare = |dynamics: &stiction::system::wheel::Dynamics| {
        let [.., turn, _] = dynamics.slope(r, 0.0, omega, still);
        turn - dynamics.d * dynamics.p1(r, 0.0, omega)
    };
    assert!((bare(&against_ground) + 0.3 * omega).abs() < 1e-15);
    assert!(bare(&against_turntable).abs() < 1e-15);
}

#[test]
fn e39_the_surface_is_crossed_in_both_directions() {
    let dynamics = Wheel::default().dynamics().unwrap();
    assert_eq!(surface_point(&dynamics, 0.1, -1.1).unwrap().region, Region::CrossingPlus);
    assert_eq!(surface_point(&dynamics, 0.25, -1.03).unwrap().region, Region::CrossingMinus);
    // and one motion does both
    let start = WheelStart::State { r: -0.2, v: 0.3, omega: -1.4 };
    let request = Itinerary { start, duration_tau: Some(60.0), ..Itinerary::default() };
    let run = request.run(&dynamics).unwrap();
    let crossings: Vec<_> =
        run.events.iter().filter(|event| event.kind == EventKind::Crossing).map(|event| event.mode_after).collect();
    assert!(crossings.contains(&stiction::analysis::wheel::itinerary::ModeName::SlipPlus));
    assert!(crossings.contains(&stiction::analysis::wheel::itinerary::ModeName::SlipMinus));
}

#[test]
fn e27_independent_fields_do_not_make_the_borders_cross() {
    // at r* = β|sin γ| the borders of stick touch: D = 0, although f and its derivative in the friction are independent
    let wheel = Wheel::default();
    let sine = sin(0.75 * std::f64::consts::PI);
    let (r, omega) = (wheel.gyration_radius * sine, -1.2);
    let point = TwoFoldMap::new(&wheel, Convention::Positive).at(r, omega);
    let folds = point.folds;
    let size = (folds.plus_plus * folds.minus_minus).abs() + (folds.plus_minus * folds.minus_plus).abs();
    assert!(folds.determinant().abs() < 1e-12 * size, "{folds:?}");
    let arm = point.designed.moment_arm;
    assert!(arm > 0.0);
    // the r component of f is m q v*, that of its derivative is zero, and the derivative is not
    assert!(point.designed.velocity.abs() > 1e-3);
    let (cos, offset) = (-sine, wheel.slit_offset);
    let p2 = offset * r * cos - (wheel.gyration_radius * wheel.gyration_radius + r * r) * sine;
    assert!((p2 + arm * offset).abs() > 1e-3 && (r * cos + arm).abs() > 1e-3);
    // next to it the borders cross
    let beside = TwoFoldMap::new(&wheel, Convention::Positive).at(1.1 * r, omega).folds;
    assert!(beside.determinant().abs() > 1e-4 * size);
}

#[test]
fn e28_the_stick_force_is_the_field_of_the_surface_only() {
    // Eqs. 12 and 13 with λ = μ sign(h) give |F| = μ off the surface; Eq. 6 gives more as soon as there is slip
    let dynamics = Wheel::default().dynamics().unwrap();
    let (r, omega) = (0.25, -1.2);
    let v = dynamics.surface_v(r, omega);
    let off = dynamics.friction(r, v + 0.01, omega);
    assert!(off.force.abs() > 1.001 * dynamics.mu, "{off:?}");
    for (side, step) in [(Side::Plus, 1e-9), (Side::Minus, -1e-9)] {
        // h falls with v for sin γ > 0 and grows with it for sin γ < 0
        let near = dynamics.friction(r, v - step * dynamics.si.signum(), omega);
        assert!((near.force - side.sign() * dynamics.mu).abs() < 1e-7, "{near:?}");
    }
}

#[test]
fn e29_the_stiffness_of_a_design_uses_p2_of_the_displacement_alone() {
    let wheel = Wheel::default();
    let dynamics = wheel.dynamics().unwrap();
    // Eq. 11 as it is used puts both normal velocities to zero at the design, which is what it is for
    let Design { position, speed } = Design::default();
    let lie = dynamics.lie(position, dynamics.surface_v(position, speed), speed, 1.0);
    assert!(lie.plus.abs() < 1e-15 && lie.minus.abs() < 1e-15, "{lie:?}");
    let p2 = dynamics.p2(position);
    let by_hand = position * dynamics.co + (0.0025 + position * position) * dynamics.si;
    assert!((p2 - by_hand).abs() < 1e-16);
}

/// Eqs. 1 to 7 written out for the wheel of section V, with nothing but its numbers.
struct Plain {
    kappa: f64,
    k2: f64,
}

impl Plain {
    const COS: f64 = -std::f64::consts::FRAC_1_SQRT_2;
    const SIN: f64 = -std::f64::consts::FRAC_1_SQRT_2;

    /// Lateral and rolling velocity (Eqs. 4 and 5).
    fn sliding(&self, [r, v, omega]: [f64; 3]) -> [f64; 2] {
        let slip = omega + 1.0;
        [-(v - slip) * Self::SIN - r * slip * Self::COS, -(v - slip) * Self::COS + r * slip * Self::SIN]
    }

    /// The state with these sliding velocities.
    fn state(&self, r: f64, [h, g]: [f64; 2]) -> [f64; 3] {
        let slip = (g * Self::SIN - h * Self::COS) / r;
        [r, slip - h * Self::SIN - g * Self::COS, slip - 1.0]
    }

    fn slope(&self, y: [f64; 3], side: f64) -> [f64; 3] {
        let [r, v, omega] = y;
        let [h, g] = self.sliding(y);
        let first = atan(1.0 / (6.0 * self.kappa));
        let psi = first + (1.0 - first * std::f64::consts::FRAC_2_PI) * atan((h / g).abs());
        let cot = 1.0 / tan(psi);
        let (force, moment) = (side * (4.0 / 3.0 - cot / (18.0 * self.kappa)), g.signum() * side * cot / 6.0);
        let square = 0.0025 + r * r;
        let pull = self.k2 * (0.1 - r) - 1e-3 * v + r * omega * omega;
        let drag = (1e-3 + 2.0 * r * v) * omega;
        let p2 = r * Self::COS + square * Self::SIN;
        [square * v, (1.0 + square) * pull - drag + force * p2 + moment, pull - drag + force * r * Self::COS + moment]
    }

    /// Follows a slip by Runge-Kutta steps of a fixed size until `stop`.
    fn slip(&self, mut y: [f64; 3], side: f64, stop: impl Fn([f64; 2]) -> bool) -> [f64; 3] {
        let step = 1e-5;
        let ahead = |y: [f64; 3], k: [f64; 3], h: f64| [y[0] + h * k[0], y[1] + h * k[1], y[2] + h * k[2]];
        for _ in 0..200_000 {
            let k1 = self.slope(y, side);
            let k2 = self.slope(ahead(y, k1, 0.5 * step), side);
            let k3 = self.slope(ahead(y, k2, 0.5 * step), side);
            let k4 = self.slope(ahead(y, k3, step), side);
            for i in 0..3 {
                y[i] += step / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
            if stop(self.sliding(y)) {
                return y;
            }
        }
        panic!("the slip does not end: {y:?}");
    }

    /// Where a slip with h < 0 starts from the line of rest: next to it, in the direction in which its velocity points away from it.
    fn off_the_line(&self, r: f64) -> [f64; 3] {
        let tiny = 1e-6;
        let place = |angle: f64| self.state(r, [-tiny * sin(angle), tiny * cos(angle)]);
        let turns = |angle: f64| {
            let y = place(angle);
            let [_, dv, domega] = self.slope(y, -1.0);
            let dh = -(dv - domega) * Self::SIN - r * domega * Self::COS;
            let dg = -(dv - domega) * Self::COS + r * domega * Self::SIN;
            (-dh * cos(angle) - dg * sin(angle), -dh * sin(angle) + dg * cos(angle))
        };
        let angles: Vec<f64> = (1..20_000).map(|k| f64::from(k) * std::f64::consts::PI / 20_000.0).collect();
        let leaving = angles.windows(2).find(|pair| {
            let (low, high) = (turns(pair[0]), turns(pair[1]));
            let turned = low.0 * high.0 < 0.0 && (low.0 - high.0).abs() < 0.1;
            turned && low.1 > 0.0
        });
        place(leaving.map_or(f64::NAN, |pair| 0.5 * (pair[0] + pair[1])))
    }
}

#[test]
fn e81_the_windings_grow_in_h_and_shrink_in_the_speed_of_the_disc() {
    let dynamics = Wheel::default().dynamics().unwrap();
    let plain = Plain { kappa: dynamics.kappa, k2: dynamics.k2 };
    // a crossing of the itinerary `szalai2014/run`, where the slip with h > 0 begins
    let mut y: [f64; 3] = [0.17733406, -0.0374213, -1.04548785];
    let (mut widths, mut heights) = (vec![(y[2] + 1.0).abs()], Vec::new());
    for _ in 0..4 {
        let highest = Cell::new(0.0_f64);
        let line = plain.slip(y, 1.0, |[h, g]| {
            highest.set(highest.get().max(h));
            h.abs() + g.abs() < 2e-5
        });
        heights.push(highest.get());
        y = plain.slip(plain.off_the_line(line[0]), -1.0, |[h, _]| h >= 0.0);
        widths.push((y[2] + 1.0).abs());
    }
    assert!(heights.windows(2).all(|pair| pair[1] > 1.01 * pair[0]), "{heights:?}");
    assert!(widths.windows(2).all(|pair| pair[1] < pair[0] - 1e-4), "{widths:?}");
    // the fifth crossing of the itinerary, and of an adaptive method of order 8 outside of this project
    assert!((widths[4] - 0.0446738).abs() < 2e-5, "{widths:?}");
}

#[test]
fn e92_other_wheels_have_more_singularities() {
    let count = |wheel: &Wheel| {
        let folds = wheel.dynamics().unwrap().two_folds();
        let exist: Vec<_> = folds.iter().filter(|fold| fold.sign_consistent).collect();
        (exist.len(), exist.iter().filter(|fold| fold.case().is_some_and(|case| case.number() == 1)).count())
    };
    let unsigned = |wheel: Wheel| Wheel { stick_moment: StickMoment::Unsigned, ..wheel };
    // the wheel of the paper
    assert_eq!(count(&Wheel::default()).1, 1);
    assert!(count(&unsigned(Wheel::default())).0 <= 4 && count(&unsigned(Wheel::default())).1 == 1);
    let eight = Wheel {
        gyration_radius: 0.213,
        slit_offset: 0.099,
        spring_stiffness: Some(0.283),
        rest_position: 0.273,
        disc_damping: 0.003,
        slider_damping: 2e-4,
        turntable_speed: -1.273,
        wheel_angle: -1.14,
        moment_arm: Some(0.983),
        ..Wheel::default()
    };
    assert_eq!(count(&eight).0, 8);
    let two_of_case_1 = Wheel {
        gyration_radius: 0.2375,
        slit_offset: 0.4086,
        spring_stiffness: Some(1.748),
        rest_position: -0.2676,
        disc_damping: 3.7e-4,
        slider_damping: 2.2e-3,
        turntable_speed: 2.245,
        wheel_angle: 2.343,
        moment_arm: Some(0.5495),
        ..Wheel::default()
    };
    assert_eq!(count(&unsigned(two_of_case_1)), (4, 2));
}
