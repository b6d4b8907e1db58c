use super::*;
use crate::num::jet::Jet;
use proptest::prelude::*;

fn value(text: &str) -> f64 {
    Formula::parse(text, &["x"], &BTreeMap::new()).unwrap().eval(&[3.0])
}

fn error(text: &str) -> FormulaError {
    Formula::parse(text, &["v"], &BTreeMap::from([("vs".to_owned(), 0.2)])).unwrap_err()
}

#[test]
fn precedence_is_that_of_mathematics() {
    for (text, expected) in [
        ("1+2*x", 7.0),
        ("-x^2", -9.0),
        ("(-x)^2", 9.0),
        ("2^-1", 0.5),
        ("2^3^2", 512.0),
        ("x-1-1", 1.0),
        ("12/x/2", 2.0),
        ("2*-x", -6.0),
        ("--x", 3.0),
        ("+x", 3.0),
        (".5e1 + 1E-1", 5.1),
        ("min(x, 2) + max(x, 2)", 5.0),
        ("pow(x, 2) + atan2(0, 1)", 9.0),
        ("x^0.5", 3f64.sqrt()),
        ("sign(-x) + step(x)", 0.0),
        ("log10(1000)", 3.0),
        ("cos(pi) + ln(e)", 0.0),
        ("2^x", 8.0),
        ("1 - x", -2.0),
        ("6 / x", 2.0),
        ("x - (x - (x - 1))", 2.0),
    ] {
        assert!((value(text) - expected).abs() < 1e-15, "{text} = {} instead of {expected}", value(text));
    }
}

#[test]
fn a_gaussian_decays() {
    let formula = Formula::parse("exp(-(v/0.1)^2)", &["v"], &BTreeMap::new()).unwrap();
    assert!(formula.eval(&[0.3]) < 1e-3);
}

#[test]
fn errors_point_at_the_place_and_name_the_remedy() {
    for (text, position, part) in [
        ("0.4 + 0.6*exq(-v)", 10, "did you mean `exp`?"),
        ("0.4*vss", 4, "did you mean `vs`?"),
        ("2v", 1, "write products with `*`"),
        ("(v", 0, "without a `)`"),
        ("v)", 1, "without a `(`"),
        ("v +", 3, "ends where"),
        ("", 0, "empty"),
        ("log(v)", 0, "write `ln` or `log10`"),
        ("min(v)", 5, "two arguments"),
        ("exp(v, 2)", 5, "one argument"),
        ("v ** 2", 2, "write a power as"),
        ("v − 1", 2, "write `-`"),
        ("1e999", 0, "too large"),
        ("exp", 0, "write `exp(...)`"),
        ("v(2)", 1, "not a function"),
        ("0,4", 1, "point"),
        ("v $ 2", 2, "unexpected `$`"),
    ] {
        let error = error(text);
        assert_eq!(error.position, position, "{text}: {error}");
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}

#[test]
fn the_caret_stands_under_the_character() {
    let error = error("γ*v");
    assert_eq!(error.render("γ*v").lines().nth(1).unwrap().find('^'), Some(2));
    let later = Formula::parse("v*γ", &["v"], &BTreeMap::new()).unwrap_err();
    assert!(later.render("v*γ").starts_with("  v*γ\n    ^ unknown name `γ`"));
}

#[test]
fn hostile_input_is_refused_without_a_crash() {
    for text in ["(".repeat(3000), "-".repeat(3000), "2^".repeat(1500), "exp(".repeat(900), "x+".repeat(5000)] {
        assert!(Formula::parse(&text, &["x"], &BTreeMap::new()).is_err());
    }
    let open = (0..60).map(|_| "x*x+(").collect::<String>() + "x" + &")".repeat(60);
    assert!(Formula::parse(&open, &["x"], &BTreeMap::new()).unwrap_err().message.contains("open"));
}

#[test]
fn constants_must_be_plain_names() {
    for (name, number) in [("v", 1.0), ("exp", 1.0), ("e", 1.0), ("2x", 1.0), ("", 1.0), ("vs", f64::NAN)] {
        assert!(Formula::parse("v", &["v"], &BTreeMap::from([(name.to_owned(), number)])).is_err(), "{name}");
    }
}

/// Random formulas that are smooth for every x, as text.
fn smooth_formula() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("x".to_owned()),
        (1u32..40).prop_map(|n| format!("{}", f64::from(n) / 8.0)),
        Just("pi".to_owned())
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone(), prop::sample::select(vec!["+", "-", "*"]))
                .prop_map(|(a, b, operator)| format!("({a} {operator} {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}/(2 + cos({b}))")),
            (inner.clone(), prop::sample::select(vec!["sin", "cos", "tanh", "atan"]))
                .prop_map(|(a, function)| format!("{function}({a})")),
            inner.clone().prop_map(|a| format!("exp(-({a})^2)")),
            inner.clone().prop_map(|a| format!("sqrt(1 + ({a})^2)")),
            inner.prop_map(|a| format!("(1.5 + sin({a}))^1.3")),
        ]
    })
}

proptest! {
    #[test]
    fn any_text_gives_a_formula_or_an_error(text in ".{0,200}") {
        if let Err(error) = Formula::parse(&text, &["x", "v"], &BTreeMap::new()) {
            prop_assert!(text.is_char_boundary(error.position));
            error.render(&text);
        }
    }

    #[test]
    fn text_of_formula_characters_gives_a_formula_or_an_error(text in "[x0-9.e+*/^(),a-z -]{0,80}") {
        match Formula::parse(&text, &["x"], &BTreeMap::new()) {
            Ok(formula) => {
                formula.eval(&[0.7]);
                prop_assert_eq!(formula.to_string(), text);
            }
            Err(error) => prop_assert!(error.position <= text.len()),
        }
    }

    #[test]
    fn jets_agree_with_finite_differences(text in smooth_formula(), x in -1.5f64..1.5) {
        let formula = Formula::parse(&text, &["x"], &BTreeMap::new()).unwrap();
        let at = |x: f64| formula.eval(&[Jet::<4>::variable(x)]).derivatives();
        prop_assert!((at(x)[0] - formula.eval(&[x])).abs() <= 1e-12 * (1.0 + at(x)[0].abs()));
        let h = 1e-5;
        for k in 0..3 {
            let slope = (at(x + h)[k] - at(x - h)[k]) / (2.0 * h);
            // error h²/6 of the third derivative above, which may be far larger than the others: scale by what is seen
            let scale = 1.0 + at(x).iter().chain(&at(x + h)).fold(0.0f64, |m, d| m.max(d.abs()));
            let wiggle = (at(x + h)[k + 1] - at(x - h)[k + 1]).abs();
            prop_assert!((slope - at(x)[k + 1]).abs() <= 1e-5 * scale + wiggle, "{} order {}", text, k);
        }
    }
}
