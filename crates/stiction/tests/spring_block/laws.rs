//! What every friction law and every ageing law keeps.

use proptest::prelude::*;
use stiction::law::{Aging, AgingLaw, FrictionLaw, Law};
use stiction::system::SpringBlock;

#[test]
fn every_law_has_a_sample_without_problems() {
    let mut names: Vec<_> = Law::samples().iter().map(Law::name).collect();
    names.dedup();
    assert_eq!(names, ["coulomb", "linear", "stribeck", "two_slope", "cubic", "expression"]);
    for law in Law::samples() {
        assert_eq!(law.problems(), [], "{law:?}");
    }
    let mut names: Vec<_> = Aging::samples().iter().map(Aging::name).collect();
    names.dedup();
    assert_eq!(names, ["exponential", "logarithmic", "hill", "expression"]);
    for aging in Aging::samples() {
        assert_eq!(aging.problems(), [], "{aging:?}");
    }
}

#[test]
fn every_law_survives_a_round_trip_through_text() {
    for law in Law::samples() {
        let text = serde_json::to_string(&law).unwrap();
        assert_eq!(serde_json::from_str::<Law>(&text).unwrap(), law, "{text}");
    }
    for aging in Aging::samples() {
        let text = serde_json::to_string(&aging).unwrap();
        assert_eq!(serde_json::from_str::<Aging>(&text).unwrap(), aging, "{text}");
    }
}

#[test]
fn every_law_refuses_a_misspelt_key_and_a_value_that_is_not_finite() {
    for law in Law::samples() {
        let mut value = serde_json::to_value(&law).unwrap();
        value[law.name()]["statik"] = 1.0.into();
        assert!(serde_json::from_value::<Law>(value).is_err(), "{law:?}");
    }
    for (static_coefficient, kinetic_coefficient, key) in [
        (f64::NAN, 0.1, "law.coulomb.static_coefficient"),
        (0.1, -0.1, "law.coulomb.kinetic_coefficient"),
        (0.1, 0.2, "law.coulomb.kinetic_coefficient"),
    ] {
        let law = Law::Coulomb(stiction::law::Coulomb { static_coefficient, kinetic_coefficient });
        assert_eq!(SpringBlock::new(1.0, 1.0, 0.1, law).problems()[0].key, key);
    }
}

#[test]
fn every_law_holds_at_least_what_it_resists_at_the_onset_of_sliding() {
    for law in Law::samples() {
        assert!(law.kinetic(0.0) <= law.static_coefficient(), "{law:?}");
    }
}

#[test]
fn every_law_is_finite_and_continuous_through_zero_speed() {
    for law in Law::samples() {
        for k in -100..=400 {
            let speed = 0.001 * f64::from(k);
            let derivatives = law.kinetic_derivatives(speed);
            assert!(derivatives.iter().all(|d| d.is_finite()), "{law:?} at {speed}: {derivatives:?}");
            let (value, slope) = law.kinetic_with_slope(speed);
            assert!((value - law.kinetic(speed)).abs() < 1e-14);
            assert!((derivatives[0] - law.kinetic(speed)).abs() < 1e-14);
            assert!((slope - derivatives[1]).abs() <= 1e-12 * (1.0 + slope.abs()));
        }
        // a square-root start changes by the root of the speed
        assert!((law.kinetic(1e-14) - law.kinetic(-1e-14)).abs() < 1e-6, "{law:?}");
    }
}

#[test]
fn schemas_carry_ranges_and_mark_formulas() {
    let schema = serde_json::to_string(&schemars::schema_for!(Law)).unwrap();
    assert!(schema.contains("exclusiveMinimum") && schema.contains("\"x-formula\""), "{schema}");
    let schema = serde_json::to_string(&schemars::schema_for!(Aging)).unwrap();
    assert!(schema.contains("\"variables\":[\"t\"]"), "{schema}");
}

#[test]
fn a_wrong_formula_is_refused_with_the_place() {
    let error = serde_json::from_str::<Law>(r#"{"expression":{"formula":"1 - exq(v)"}}"#).unwrap_err();
    assert!(error.to_string().contains("did you mean `exp`?"), "{error}");
    let biased = serde_json::from_str::<Aging>(r#"{"expression":{"formula":"1 + t"}}"#).unwrap();
    assert!(biased.problems()[0].message.contains("static_coefficient"));
}

proptest! {
    #[test]
    fn every_derivative_is_the_slope_of_the_one_before(speed in 0.01f64..3.0) {
        for law in Law::samples() {
            let at = |v: f64| law.kinetic_derivatives(v);
            let h = 1e-4 * speed;
            let (a, b, c, d) = (at(speed - 2.0 * h), at(speed - h), at(speed + h), at(speed + 2.0 * h));
            for k in 0..3 {
                // the five-point rule: roundings ε f/h, error h⁴/30 of the fifth derivative above
                let slope = (a[k] - 8.0 * b[k] + 8.0 * c[k] - d[k]) / (12.0 * h);
                let scale = 1.0 + at(speed)[k + 1].abs() + at(speed)[k].abs() / speed;
                prop_assert!((slope - at(speed)[k + 1]).abs() < 1e-7 * scale, "{:?} order {} at {}", law, k, speed);
            }
        }
    }

    #[test]
    fn every_ageing_law_grows_at_its_rate_from_zero(time in 0.001f64..50.0) {
        for law in Aging::samples() {
            prop_assert!(law.growth(0.0).abs() < 1e-15);
            let h = 1e-4 * time;
            let slope = (law.growth(time - 2.0 * h) - 8.0 * law.growth(time - h) + 8.0 * law.growth(time + h)
                - law.growth(time + 2.0 * h)) / (12.0 * h);
            let rate = law.growth_rate(time);
            prop_assert!((slope - rate).abs() < 1e-8 * (rate + law.growth(time) / time), "{:?}", law);
            prop_assert!(law.growth(time) <= law.growth_limit());
        }
    }
}
