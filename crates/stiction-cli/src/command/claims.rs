//! `stiction claims`: the claims of scenarios, and whether they can fail.

use crate::args;
use crate::failure::Failure;
use crate::progress::Reporter;
use crate::{interrupt, terminal, which};
use stiction_lab::audit::{self, Audit};
use stiction_lab::safe_text;
use stiction_lab::scenario::{Scenario, Size, builtins, read};
use stiction_lab::study::StudyError;

pub(crate) fn claims(arguments: &args::Claims) -> Result<(), Failure> {
    let scenarios = chosen(arguments)?;
    if arguments.audit {
        return audited(arguments, &scenarios);
    }
    if arguments.json {
        let list: serde_json::Map<_, _> = scenarios
            .iter()
            .map(|(name, scenario)| (name.clone(), serde_json::to_value(&scenario.claim).unwrap_or_default()))
            .collect();
        return Ok(terminal::print(&safe_text::json(&list.into()))?);
    }
    let texts = scenarios.iter().map(|(name, scenario)| audit::listing(name, scenario));
    Ok(terminal::print(&texts.collect::<Vec<_>>().join("\n"))?)
}

/// The scenarios with claims that are meant, with their names.
fn chosen(arguments: &args::Claims) -> Result<Vec<(String, Scenario)>, Failure> {
    let size = if arguments.quick { Size::Quick } else { Size::Full };
    let mut found = Vec::new();
    for word in words(&arguments.scenarios) {
        let chosen = which::find(Some(&word))?;
        let mut scenario = read(chosen.source, &[], size)?;
        arguments.limit.apply(&mut scenario);
        if scenario.claim.is_empty() && !arguments.scenarios.is_empty() {
            terminal::say(&format!("note: {} has no claims", chosen.name));
        }
        found.push((chosen.name, scenario));
    }
    found.retain(|(_, scenario)| !scenario.claim.is_empty());
    Ok(found)
}

/// The scenarios by name: all of them if none is named, those of a paper for its key.
fn words(asked: &[String]) -> Vec<String> {
    if asked.is_empty() {
        return named("");
    }
    let meant = |word: &String| {
        let of_paper = named(&format!("{}/", word.trim_end_matches('/')));
        if of_paper.is_empty() { vec![word.clone()] } else { of_paper }
    };
    asked.iter().flat_map(meant).collect()
}

/// The built-in scenarios whose names begin with `start`.
fn named(start: &str) -> Vec<String> {
    builtins().map(|builtin| builtin.name.to_owned()).filter(|name| name.starts_with(start)).collect()
}

/// Tests the claims; a table is printed as soon as its scenario is done.
fn audited(arguments: &args::Claims, scenarios: &[(String, Scenario)]) -> Result<(), Failure> {
    interrupt::listen();
    let (mut audits, mut unanswered): (Vec<Audit>, Vec<&str>) = (Vec::new(), Vec::new());
    for (name, scenario) in scenarios {
        match audit::audit(name, scenario, arguments.seeds.into(), &Reporter) {
            Ok(audit) => {
                if !arguments.json {
                    terminal::print(&format!("{}\n", audit::text(&audit)))?;
                }
                audits.push(audit);
            }
            Err(error @ StudyError::Cancelled(_)) => return Err(error.into()),
            Err(error) => {
                terminal::say(&format!("{name}: {error}"));
                unanswered.push(name);
            }
        }
    }
    let out = if arguments.json { safe_text::json(&audit::json(&audits)) } else { audit::total(&audits) };
    terminal::print(&out)?;
    if !unanswered.is_empty() {
        return Err(Failure::run(format!("no answer from {}", unanswered.join(", ")), ""));
    }
    let faults = audits.iter().flat_map(|audit| &audit.claims).filter(|claim| claim.fault.is_some()).count();
    match faults {
        0 => Ok(()),
        count => Err(Failure::run(format!("{count} claims have a fault"), "`stiction claims --help` says what to do")),
    }
}
