//! No claim of a quick scenario survives every error of the result, but for those that wait to be sharpened.

use std::collections::BTreeSet;
use stiction::analysis::Silent;
use stiction_lab::audit::{Fault, audit};
use stiction_lab::scenario::{Size, builtins, read};

/// Claims that cannot fail and wait to be sharpened, turned into trends or deleted: one a line, `scenario: statement`.
const WAITING: &str = include_str!("claims_that_cannot_fail.txt");

/// Longest full run of a scenario that is audited here \[s\]; the reduced run takes less. `stiction claims --audit` does the rest.
const PATIENCE: f64 = 1.0;

#[test]
fn no_claim_of_a_quick_scenario_is_beyond_failing_but_for_a_list_that_shrinks() {
    let (mut found, mut tested) = (BTreeSet::new(), 0);
    for builtin in builtins().filter(|builtin| builtin.title_and_seconds().1.is_some_and(|time| time <= PATIENCE)) {
        let name = builtin.name;
        let scenario = read(builtin.source(), &[], Size::Quick).unwrap_or_else(|wrong| panic!("{wrong}"));
        let audited = audit(name, &scenario, 1, &Silent).unwrap_or_else(|error| panic!("{name}: {error}"));
        tested += audited.claims.len();
        let faulty = audited.claims.iter().filter(|audited| audited.fault == Some(Fault::CannotFail));
        found.extend(faulty.map(|audited| format!("{name}: {}", audited.claim.statement)));
    }
    let waiting: BTreeSet<String> = WAITING.lines().map(str::to_owned).collect();
    let list = |from: &BTreeSet<String>, without: &BTreeSet<String>| {
        from.difference(without).cloned().collect::<Vec<_>>().join("\n")
    };
    let (new, solved) = (list(&found, &waiting), list(&waiting, &found));
    assert!(new.is_empty(), "claims that cannot fail (`stiction claims --help` says what to do):\n{new}");
    assert!(solved.is_empty(), "claims that can fail now, or are gone; delete them from the list:\n{solved}");
    assert!(tested > 100, "only {tested} claims");
}
