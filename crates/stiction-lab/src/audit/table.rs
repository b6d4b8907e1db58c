//! Claims and their audits as text for people and as JSON for programs.

use super::{Audit, Audited, Fault};
use crate::dataset::readable_value;
use crate::safe_text::cut;
use crate::scenario::{Claim, Scenario, Sharpness};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// Longest statement in a row of a table \[bytes\].
const STATEMENT: usize = 70;

/// Longest value in a row of a table \[bytes\].
const VALUE: usize = 14;

/// The claims of a scenario: each with where it stands, the expression that decides it, and its band.
pub fn listing(name: &str, scenario: &Scenario) -> String {
    let mut out = format!("{name}: {}\n", counted(scenario.claim.len(), "claim"));
    for (index, claim) in scenario.claim.iter().enumerate() {
        let Claim { statement, source, quantity, band, .. } = claim;
        // writing to a string cannot fail
        let _ = writeln!(out, "{:>4}  {statement} ({source})", index + 1);
        let _ = writeln!(out, "      {quantity} is {}{}", band.words(), keys(claim));
    }
    out
}

/// What else a claim says.
fn keys(claim: &Claim) -> String {
    let kind = (claim.kind != Default::default()).then(|| format!("kind {:?}", claim.kind).to_lowercase());
    let share = claim.seed_share.map(|share| format!("for {share} of the seeds"));
    let full = claim.full_size.then(|| "full size only".to_owned());
    [kind, share, full, claim.erratum.clone()].into_iter().flatten().map(|key| format!("; {key}")).collect()
}

/// The audit of a scenario as a table: a row for each claim, `!` before those with a fault, `~` before the others that survive 25 %.
pub fn text(audit: &Audit) -> String {
    let size = if audit.reduced { "reduced, " } else { "" };
    let (claims, seeds) = (counted(audit.claims.len(), "claim"), counted(audit.seeds, "seed"));
    let mut out = format!("{}: {claims}, {size}{seeds}\n", audit.scenario);
    let _ = writeln!(out, "    #  changes at  seeds  {:VALUE$}  band", "value");
    for (index, audited) in audit.claims.iter().enumerate() {
        out.push_str(&row(index + 1, audited, audit.seeds, audit.reduced));
    }
    out
}

fn row(number: usize, audited: &Audited, seeds: usize, reduced: bool) -> String {
    let Audited { claim, verdict, sharpness, held, fault } = audited;
    let mark = match fault {
        Some(_) => '!',
        None if audited.survives_quarter() => '~',
        None => ' ',
    };
    let held = if seeds == 1 { "-".to_owned() } else { format!("{held}/{seeds}") };
    let value = cut(&verdict.value.as_ref().map_or("undecided".to_owned(), readable_value), VALUE);
    let fails = match &claim.erratum {
        _ if verdict.holds => String::new(),
        Some(erratum) => format!(" [does not hold, {erratum}]"),
        None => " [does not hold]".to_owned(),
    };
    let full = if reduced && claim.full_size { " [full size decides]" } else { "" };
    let (sharpness, band, statement) = (sharpness.words(), claim.band.words(), cut(&claim.statement, STATEMENT));
    format!("{mark}{number:>4}  {sharpness:<10}  {held:<5}  {value:<VALUE$}  {band}{fails}{full}: {statement}\n")
}

/// What all audits add up to, in a few lines.
pub fn total(audits: &[Audit]) -> String {
    let all = || audits.iter().flat_map(|audit| audit.claims.iter().map(move |audited| (audit, audited)));
    let faults = |fault| all().filter(|(_, audited)| audited.fault == Some(fault)).count();
    let mut out = format!("{} of {}\n", counted(all().count(), "claim"), counted(audits.len(), "scenario"));
    let [cannot, flips, fewer] = [Fault::CannotFail, Fault::Flips, Fault::FewerSeeds].map(faults);
    let weak = all().filter(|(_, audited)| audited.survives_quarter()).count();
    let _ = writeln!(out, "{cannot} cannot fail; {weak}, these included, survive 25 %");
    let _ = writeln!(out, "{flips} flip with the seed; {fewer} hold for fewer seeds than they say");
    let held = |sharpness| all().filter(|(_, audited)| audited.verdict.holds && audited.sharpness == sharpness).count();
    let counts = EVERY.map(|sharpness| format!("{} {}", sharpness.words(), held(sharpness)));
    let fails = all().filter(|(_, audited)| !audited.verdict.holds).count();
    let _ = writeln!(out, "claims that hold, by what changes them: {}; {fails} do not hold", counts.join(", "));
    let undecided = all().filter(|(audit, audited)| audit.reduced && audited.claim.full_size).count();
    if undecided > 0 {
        let _ = writeln!(out, "{undecided} need the full size: a reduced run finds no fault with them");
    }
    out
}

const EVERY: [Sharpness; 8] = [
    Sharpness::FivePercent,
    Sharpness::Quarter,
    Sharpness::Two,
    Sharpness::Ten,
    Sharpness::Reversed,
    Sharpness::Zero,
    Sharpness::Word,
    Sharpness::Never,
];

/// Audits for programs.
pub fn json(audits: &[Audit]) -> Json {
    let claim = |audited: &Audited| {
        let Audited { claim, verdict, sharpness, held, fault } = audited;
        let Claim { statement, source, quantity, band, erratum, full_size, kind, seed_share } = claim;
        json!({
            "statement": statement, "source": source, "quantity": quantity, "band": band, "kind": kind,
            "seed_share": seed_share, "full_size": full_size, "erratum": erratum,
            "value": verdict.value.as_ref().map(readable_value), "holds": verdict.holds,
            "changes_at": sharpness.words(), "seeds_held": held, "fault": fault.map(Fault::words),
        })
    };
    let scenario = |audit: &Audit| {
        let claims: Vec<Json> = audit.claims.iter().map(claim).collect();
        json!({ "scenario": audit.scenario, "reduced": audit.reduced, "seeds": audit.seeds, "claims": claims })
    };
    audits.iter().map(scenario).collect()
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
