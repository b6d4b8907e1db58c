//! `stiction claims`: the list of claims, and the audit.

use crate::support::stiction;
use serde_json::Value as Json;

/// A built-in scenario with one claim in place of its own: the quantity, the band and further keys.
fn claiming(name: &str, quantity: &str, band: &str, keys: &str) -> String {
    let text = stiction(&["show", name]).run().succeeds().stdout;
    let system = text.split("[[claim]]").next().unwrap();
    let claim = format!("statement = \"s\"\nsource = \"p. 1\"\nquantity = \"{quantity}\"\nband = {{ {band} }}");
    format!("{system}[[claim]]\n{claim}\n{keys}\n")
}

fn with_claim(quantity: &str, band: &str, keys: &str) -> String {
    claiming("elmer1997/coulomb", quantity, band, keys)
}

#[test]
fn the_list_has_the_statement_the_expression_and_the_band() {
    let seen = stiction(&["claims", "elmer1997/coulomb"]).run().succeeds();
    for words in ["1  the stick time is 2 (F_S - F_K)/(kappa v0)", "(after Eq. 1", "slip_time is between 2.52382 and"] {
        assert!(seen.stdout.contains(words), "{words}: {}", seen.stdout);
    }
    let json = stiction(&["claims", "elmer1997", "--json"]).run().succeeds().stdout;
    let json: Json = serde_json::from_str(&json).unwrap();
    assert_eq!(json["elmer1997/coulomb"][0]["quantity"], "stick_time");
    assert!(json.as_object().unwrap().len() > 10, "the key of a paper means its scenarios");
}

#[test]
fn the_audit_ends_with_exit_code_1_for_a_claim_that_cannot_fail() {
    let audit = |text: &str| stiction(&["claims", "-", "--audit", "--quick"]).reading(text).run();
    let loose = audit(&with_claim("stick_time", "at_least = 0.0", ""));
    assert_eq!(loose.code, Some(1), "{}", loose.stderr);
    assert!(loose.stdout.contains("!   1  never") && loose.stdout.contains("1 cannot fail"), "{}", loose.stdout);
    for (band, keys, changes) in [
        ("between = [1.63, 1.64]", "", "5 %"),
        ("at_most = 2.0", "", "25 %"),
        ("at_most = 15.0", "kind = \"bound\"", "factor 10"),
        ("at_least = 0.0", "kind = \"trend\"", "reversed"),
    ] {
        let sharp = audit(&with_claim("stick_time", band, keys)).succeeds();
        assert!(sharp.stdout.contains(&format!("    1  {changes} ")), "{}", sharp.stdout);
    }
}

#[test]
fn the_audit_runs_other_seeds_where_something_is_random() {
    let text = claiming("hu2023_belt/realisation", "largest_transverse_displacement", "at_most = 1e-9", "");
    let seen = stiction(&["claims", "-", "--audit", "--quick", "--seeds", "2", "--json"]).reading(&text).run();
    let json: Json = serde_json::from_str(&seen.succeeds().stdout).unwrap();
    assert_eq!((&json[0]["seeds"], &json[0]["reduced"]), (&Json::from(2), &Json::from(true)));
    assert_eq!(json[0]["claims"][0]["seeds_held"], 0);
}

#[test]
fn a_kind_that_does_not_fit_the_claim_is_refused() {
    let check = |text: &str| stiction(&["check", "-"]).reading(text).run();
    check(&with_claim("stick_time", "at_least = 1.0", "kind = \"trend\"")).refuses(&["a trend compares two values"]);
    check(&with_claim("stick_time", "between = [1.0, 2.0]", "kind = \"bound\"")).refuses(&["a bound has the band"]);
    check(&with_claim("stick_time", "at_least = 1.0", "seed_share = 1.5")).refuses(&["seed_share"]);
}
