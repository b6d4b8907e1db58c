//! Statements of szalai2014 that do not hold as printed, beyond those that the identities of the wheel show already.

use stiction::analysis::wheel::itinerary::{EventKind, Itinerary, Start};
use stiction::analysis::wheel::surface::surface_point;
use stiction::analysis::wheel::two_fold_map::{Convention, TwoFoldMap};
use stiction::system::Wheel;
use stiction::system::filippov::{Region, Side};
use stiction::system::wheel::{DampingReference, Design, Friction};

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
    let start = Start::State { r: -0.2, v: 0.3, omega: -1.4 };
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
    let sine = stiction::num::real::sin(0.75 * std::f64::consts::PI);
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
