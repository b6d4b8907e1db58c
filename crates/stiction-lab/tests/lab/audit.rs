//! Every claim of a quick scenario can fail: a known error of the result changes its verdict.

use stiction::analysis::Silent;
use stiction_lab::audit::{Fault, audit};
use stiction_lab::scenario::{Size, builtins, read};

/// Longest full run of a scenario that is audited here \[s\]; the reduced run takes less. `stiction claims --audit` does the rest.
const PATIENCE: f64 = 1.0;

#[test]
fn every_claim_of_a_quick_scenario_can_fail() {
    let (mut found, mut tested) = (Vec::new(), 0);
    for builtin in builtins().filter(|builtin| builtin.title_and_seconds().1.is_some_and(|time| time <= PATIENCE)) {
        let name = builtin.name;
        let scenario = read(builtin.source(), &[], Size::Quick).unwrap_or_else(|wrong| panic!("{wrong}"));
        let audited = audit(name, &scenario, 1, &Silent).unwrap_or_else(|error| panic!("{name}: {error}"));
        tested += audited.claims.len();
        let faulty = audited.claims.iter().filter(|audited| audited.fault == Some(Fault::CannotFail));
        found.extend(faulty.map(|audited| format!("{name}: {}", audited.claim.statement)));
    }
    let list = found.join("\n");
    assert!(list.is_empty(), "claims that cannot fail (`stiction claims --help` says what to do):\n{list}");
    assert!(tested > 100, "only {tested} claims");
}
