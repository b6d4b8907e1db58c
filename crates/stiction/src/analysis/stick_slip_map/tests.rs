use super::*;
use crate::law::{ExponentialAging, HillAging, LogarithmicAging};
use proptest::prelude::*;

fn map<'a>(aging: &'a Aging, kinetic: f64, drive_speed: f64) -> StickSlipMap<'a, ConstantFriction> {
    StickSlipMap {
        slip: ConstantFriction::new(1.0, kinetic, 1.0),
        aging,
        static_coefficient: 1.0,
        normal_load: 1.0,
        stiffness: 1.0,
        drive_speed,
    }
}

fn exponential(increment: f64) -> Aging {
    Aging::Exponential(ExponentialAging { increment, time_constant: 1.0 })
}

fn hill(exponent: f64) -> Aging {
    Aging::Hill(HillAging { increment: 1.0, time_constant: 1.0, exponent })
}

#[test]
fn overshoot_reflects_until_the_contact_holds() {
    let slip = ConstantFriction::new(1.0, 0.25, 1.0);
    assert_eq!(slip.restick(1.25).unwrap(), Restick { position: -0.75, slope: -1.0, passes: 0 });
    // −2.5, then 2.0, then −1.5, then 1.0
    assert_eq!(slip.restick(3.0).unwrap(), Restick { position: 1.0, slope: 1.0, passes: 3 });
    assert!(matches!(ConstantFriction::new(1.0, 0.0, 1.0).restick(1.5), Err(EndlessOvershoot::StillMoving { .. })));
}

#[test]
fn without_ageing_the_map_is_the_constant_static_limit() {
    let aging = exponential(0.0);
    let turn = map(&aging, 0.6, 0.3).turn(1.0).unwrap();
    assert_eq!((turn.release, turn.slope), (1.0, 0.0));
    // 2 (F_S − F_K)/(κ v₀)
    assert!((turn.stick_time - 0.8 / 0.3).abs() < 1e-14);
}

#[test]
fn a_fixed_point_solves_its_closed_form() {
    for (aging, kinetic, speed) in
        [(exponential(0.5), 0.8, 0.1), (exponential(0.5), 1.0, 0.4), (hill(3.0), 0.9, 0.35), (hill(0.5), 1.0, 0.3)]
    {
        let map = map(&aging, kinetic, speed);
        let points = map.fixed_points().unwrap();
        assert!(!points.is_empty(), "{aging:?}");
        for point in points {
            let t = point.stick_time;
            let defect = speed * t - 2.0 * (1.0 + aging.growth(t) - kinetic);
            assert!(defect.abs() < 1e-13, "{aging:?} {point:?} {defect}");
            let rate = aging.growth_rate(t);
            assert!((point.multiplier - rate / (speed - rate)).abs() < 1e-9 * (1.0 + point.multiplier.abs()));
            assert!((map.turn(point.position).unwrap().release - point.position).abs() < 1e-12);
        }
    }
}

#[test]
fn concave_ageing_loses_its_fixed_point_at_the_critical_speed_and_hill_ageing_at_a_fold() {
    // F_K = F_S(0): v_c = 2 D/(κ τ)
    let concave = exponential(0.5);
    assert_eq!(map(&concave, 1.0, 0.99).fixed_points().unwrap().len(), 1);
    assert_eq!(map(&concave, 1.0, 1.01).fixed_points().unwrap().len(), 0);
    // p = 2: v_c = 1; two fixed points below, none above
    let steep = hill(2.0);
    assert_eq!(map(&steep, 1.0, 0.99).fixed_points().unwrap().len(), 2);
    assert_eq!(map(&steep, 1.0, 1.01).fixed_points().unwrap().len(), 0);
}

#[test]
fn smooth_sliding_is_listed_apart() {
    let aging = exponential(0.5);
    let map = map(&aging, 1.0, 0.8);
    let sliding = map.smooth_sliding(1.0).unwrap();
    assert!((sliding.multiplier - 0.5 / 0.3).abs() < 1e-14);
    assert_eq!(map.smooth_sliding(0.9), None);
    assert_eq!(map.lyapunov(map.fresh_release(), 0, 100).unwrap(), Lyapunov::SmoothSliding { after: 1 });
}

#[test]
fn the_exponent_of_a_stable_fixed_point_is_the_logarithm_of_its_multiplier() {
    let aging = exponential(0.5);
    let map = map(&aging, 0.8, 0.3);
    let point = map.fixed_points().unwrap()[0];
    let Lyapunov::Exponent { value, standard_error, turns } = map.lyapunov(1.3, 200, 1000).unwrap() else {
        panic!("an exponent")
    };
    assert!((value - crate::num::real::ln(point.multiplier.abs())).abs() < 1e-9);
    assert!(standard_error < 1e-9 && turns == 1000);
    assert_eq!(map.period(1.3, 200, 8, 1e-10).unwrap(), Some(1));
}

#[test]
fn a_cobweb_alternates_between_the_curve_and_the_diagonal() {
    let aging = Aging::Logarithmic(LogarithmicAging { increment: 0.2, time_constant: 0.1 });
    let map = map(&aging, 0.7, 0.2);
    let corners = map.cobweb(1.1, 3).unwrap();
    assert_eq!(corners.len(), 7);
    assert_eq!(corners[1].1, map.turn(1.1).unwrap().release);
    assert!(corners.iter().step_by(2).all(|(x, y)| x == y));
}

#[test]
fn overshoot_of_a_logarithmic_contact_is_chaotic_from_every_start() {
    let aging = Aging::Logarithmic(LogarithmicAging { increment: 2.0, time_constant: 1.0 });
    let map = map(&aging, 0.3, 1.9);
    // a million turns from four starts gave 0.3852 within 0.0003; a twentieth of it stays within five standard errors
    for start in [1.05, 1.37, 1.9] {
        let Lyapunov::Exponent { value, standard_error, .. } = map.lyapunov(start, 1000, 50_000).unwrap() else {
            panic!("an exponent")
        };
        assert!((value - 0.3852).abs() < 5.0 * standard_error && standard_error < 2e-3, "{value} {standard_error}");
    }
    assert_eq!(map.period(1.37, 1000, 64, 1e-6).unwrap(), None);
    // its only fixed point overshoots once, and is repelling
    let points = map.fixed_points().unwrap();
    assert!(points.len() == 1 && points[0].passes == 1 && points[0].multiplier < -1.0);
    // with one pass the stick time is 4 F_K/(κ v₀)
    assert!((points[0].stick_time - 4.0 * 0.3 / 1.9).abs() < 1e-13);
}

#[test]
fn slips_without_kinetic_friction_have_no_fixed_points_and_say_why() {
    let aging = exponential(3.0);
    assert!(matches!(map(&aging, 0.0, 0.5).turn(2.0), Err(MapError::Slip { .. })));
    // a slip that never ends somewhere does not hide the fixed points elsewhere
    struct Partial(ConstantFriction);
    impl SlipMap for Partial {
        type Error = EndlessOvershoot;
        fn restick(&self, release: f64) -> Result<Restick, EndlessOvershoot> {
            if release > 2.0 {
                return Err(EndlessOvershoot::StillMoving { passes: 0, position: release });
            }
            self.0.restick(release)
        }
    }
    let aging = exponential(0.5);
    let whole = map(&aging, 0.8, 0.1);
    let part = StickSlipMap {
        slip: Partial(whole.slip),
        aging: &aging,
        static_coefficient: 1.0,
        normal_load: 1.0,
        stiffness: 1.0,
        drive_speed: 0.1,
    };
    assert_eq!(part.fixed_points().unwrap(), whole.fixed_points().unwrap());
}

#[test]
fn impossible_parameters_are_errors() {
    let aging = exponential(0.5);
    let still = map(&aging, 0.8, 0.0);
    assert!(matches!(still.turn(1.0), Err(MapError::Parameter { name: "drive_speed", .. })));
    assert!(still.orbit(1.0).next().unwrap().is_err() && still.fixed_points().is_err());
    assert!(map(&aging, 0.8, 0.1).turn(f64::NAN).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_slope_of_the_map_is_its_derivative(
        x in 1.0f64..2.9, kinetic in 0.2f64..1.0, speed in 0.05f64..1.5, p in 0.5f64..4.0,
    ) {
        for aging in [exponential(2.0), hill(p)] {
            let map = map(&aging, kinetic, speed);
            let h = 1e-6;
            let (left, middle, right) = (map.turn(x - h).unwrap(), map.turn(x).unwrap(), map.turn(x + h).unwrap());
            // away from jumps: same passes, and a slope that does not change much
            let smooth = left.passes == right.passes && (left.slope - right.slope).abs() < 1e-3 * middle.slope.abs();
            if smooth {
                let slope = (right.release - left.release) / (2.0 * h);
                prop_assert!((slope - middle.slope).abs() < 1e-3 * middle.slope.abs() + 1e-7, "{:?}", aging);
            }
        }
    }

    #[test]
    fn every_fixed_point_of_a_scan_of_positions_is_found(kinetic in 0.1f64..0.95, speed in 0.05f64..1.5, p in 1.1f64..6.0) {
        let aging = Aging::Hill(HillAging { increment: 3.0, time_constant: 1.0, exponent: p });
        let map = map(&aging, kinetic, speed);
        let points = map.fixed_points().unwrap();
        let mut previous: Option<(f64, Turn)> = None;
        for k in 0..=3000 {
            let x = 1.0 + 3.0 * f64::from(k) / 3000.0;
            let turn = map.turn(x).unwrap();
            if let Some((x0, before)) = previous {
                let (d0, d1) = (before.release - x0, turn.release - x);
                // a sign change without a jump
                let continuous = before.passes == turn.passes && (turn.release - before.release).abs() < 0.02
                    && (turn.stick_time - before.stick_time).abs() < 0.02;
                if (d0 < 0.0) != (d1 < 0.0) && continuous {
                    let found = points.iter().any(|p| p.position >= x0 - 1e-9 && p.position <= x + 1e-9);
                    prop_assert!(found, "{} {} {:?}", x0, x, points);
                }
            }
            previous = Some((x, turn));
        }
    }
}
