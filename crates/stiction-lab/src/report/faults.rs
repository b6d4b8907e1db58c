//! A fault or a crash at every call that writes: a folder never holds files of two answers, and the same run mends it.

use super::{Provenance, RunRecord, TableFormat, write_run};
use crate::files::faults::{Kind, with};
use crate::keep::{Asked, Home, Plan, Role, Shell, Store};
use crate::run::run_kept;
use crate::scenario::{Scenario, Size, Source, read};
use crate::study::{LongTables, StudyError, Upkeep};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use stiction::analysis::Silent;
use stiction::analysis::campaign::{Halt, Keeper};

const SHELL: Shell = Shell { stopped: || false, say: |_| {} };

fn scenario(seed: u64) -> Scenario {
    let text = format!(
        r#"
title = "A block on a belt"
seed = {seed}
[system.spring_block]
mass = 10.0
stiffness = 30.0
drive_speed = 0.2
normal_load = 98.1
law.coulomb = {{ static_coefficient = 0.5, kinetic_coefficient = 0.45 }}
[study.trajectory]
duration = 5.0
samples = 11
[campaign]
realisations = 3
[[campaign.random]]
key = "system.spring_block.law.coulomb.static_coefficient"
distribution.lognormal = {{ mean = 0.5, standard_deviation = 0.01 }}
"#
    );
    read(Source::new("faults.toml", text), &[], Size::Full).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// Plans, works, merges and writes, as the program does.
fn answer(scenario: &Scenario, folder: &Path, format: TableFormat) -> Result<(), Box<dyn Error>> {
    let (resolved, csv) = (scenario.resolved()?, format == TableFormat::Csv);
    let home = Home::of(folder);
    let asked = Asked {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        name: "faults".to_owned(),
        command: "stiction run faults.toml".to_owned(),
        scenario_sha256: resolved.hash.clone(),
        csv,
        memory: None,
    };
    crate::files::chosen_folder(folder)?;
    let open = |role| Store::open(home.clone(), asked.clone(), resolved.clone(), role, SHELL);
    let run =
        |store: &Store, tables| run_kept(scenario, &Silent, Upkeep { keeper: store, replay: None, stop: None, tables });
    let store = open(Role::Plan)?;
    let plan = match run(&store, None) {
        Err(StudyError::Halted(Halt::Parted { stage, items, .. })) => Plan { stage, items, items_per_task: 3 },
        found => return Err(format!("{found:?}").into()),
    };
    store.settle()?;
    drop(store);
    home.set_plan(&plan)?;
    for task in 0..plan.tasks() {
        match run(&open(Role::Work { plan: plan.clone(), task })?, None) {
            Err(StudyError::Halted(Halt::Parted { .. })) => {}
            found => return Err(format!("{found:?}").into()),
        }
    }
    let store = open(Role::Merge { plan })?;
    let metadata = Provenance::new(scenario, &resolved).metadata(&resolved.file());
    let outcome = run(&store, Some(&LongTables::new(home.clone(), csv, metadata)))?;
    let record = RunRecord::new(&asked.name, &asked.command, scenario, &resolved, outcome);
    write_run(&record, folder, format)?;
    Ok(store.finish()?)
}

/// The visible files of a folder.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    named.filter(|(name, _)| !name.starts_with('.')).map(|(name, path)| (name, fs::read(path).unwrap())).collect()
}

#[test]
fn a_fault_or_a_crash_at_any_writing_call_mixes_nothing_and_is_mended() {
    let mut calls = Vec::new();
    for (kind, format) in [(Kind::Fault, TableFormat::Parquet), (Kind::Crash, TableFormat::Csv)] {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("results");
        let whole = |seed: u64| {
            answer(&scenario(seed), &folder, format).unwrap();
            (scenario(seed), results(&folder))
        };
        // the folder holds the first answer, and the second one is to replace it; then the other way round
        let ((mut new, mut after), (mut old, mut before)) = (whole(1), whole(2));
        assert!(before.len() > 4 && before != after);
        for number in 0.. {
            let (struck, found) = with(&folder, number, kind, || answer(&new, &folder, format));
            if !struck {
                found.unwrap();
                calls.push(number);
                break;
            }
            let left = results(&folder);
            let case = format!("{kind:?} at call {number}: {found:?}");
            // every file is a whole one, and a summary stands only beside the files of its own answer
            for (name, bytes) in &left {
                assert!([&before, &after].iter().any(|answer| answer.get(name) == Some(bytes)), "{case}: {name}");
            }
            assert!(!left.contains_key("summary.json") || left == before || left == after, "{case}: mixed");
            if found.is_ok() {
                assert!(left == after, "{case}");
            }
            answer(&new, &folder, format).unwrap_or_else(|error| panic!("{case}, then {error}"));
            assert!(results(&folder) == after, "{case}");
            (old, new, before, after) = (new, old, after, before);
        }
    }
    println!("{calls:?} writing calls");
    // otherwise nothing was examined
    assert!(calls.iter().all(|calls| *calls > 60), "{calls:?}");
}
