//! The engine of campaigns with items that cost nothing: what is left is its own cost.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use stiction::analysis::Silent;
use stiction::analysis::campaign::{Halt, Stage, Work, ordered};
use stiction_lab::dataset::{Growing, Table};
use stiction_lab::keep::{Asked, Home, Role, Shell, Store};
use stiction_lab::scenario::Resolved;

/// Makes, keeps, reduces and writes so many items of two numbers; gives their sum and the bytes of their table.
pub(crate) fn trivial_items(items: u64, folder: &Path) -> (f64, u64) {
    let resolved = Resolved::of("title = \"nothing\"\n".to_owned());
    let asked = Asked {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        name: "nothing".to_owned(),
        command: String::new(),
        scenario_sha256: resolved.hash.clone(),
        csv: false,
        memory: None,
    };
    let home = Home::of(folder);
    let shell = Shell { stopped: || false, say: |_| {} };
    let store = Store::open(home, asked, resolved, Role::Run, shell).unwrap();
    let rows = |numbers: Vec<i64>, roots: Vec<f64>| {
        Table::new("items", "one row an item").integers("item", "item", numbers).numbers("root", "", "root", roots)
    };
    let path = folder.join("items.parquet");
    let mut table = Growing::begin(&path, rows(Vec::new(), Vec::new()), false, &[]).unwrap();
    let (mut numbers, mut roots, mut sum) = (Vec::new(), Vec::new(), 0.0);
    let work = Work { stage: Stage::new("items", items), keeper: &store, progress: &Silent };
    let item = |number: u64| Ok((number, (number as f64).sqrt()));
    ordered(
        &work,
        item,
        |_| false,
        |_, (number, root): (u64, f64)| {
            sum += root;
            numbers.push(number as i64);
            roots.push(root);
            if numbers.len() == 8192 {
                table.push(rows(std::mem::take(&mut numbers), std::mem::take(&mut roots))).unwrap();
            }
            Ok::<_, Halt>(ControlFlow::Continue(()))
        },
    )
    .unwrap();
    table.push(rows(numbers, roots)).unwrap();
    assert_eq!(table.finish().unwrap().rows, items);
    store.finish().unwrap();
    (sum, fs::metadata(&path).unwrap().len())
}

/// CPU time of this process so far, over all its threads \[s\]; none where the system does not tell.
pub(crate) fn cpu_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // behind the name in brackets, which may have spaces; user and system time are the 12th and 13th word there, in 1/100 s
    let words: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    Some((words.get(11)?.parse::<f64>().ok()? + words.get(12)?.parse::<f64>().ok()?) / 100.0)
}

/// The most memory that this process ever had \[MB\]; none where the system does not tell.
pub(crate) fn peak_megabytes() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1000.0)
}
