//! Where two discs that rub on each other squeal: stability of their steady rotation over load and speed.
//! `cargo run --release -p stiction --example stability_map`.

use stiction::analysis::two_disc::{Class, Linearisation, stability_map};
use stiction::analysis::{AnalysisError, Silent};
use stiction::system::TwoDisc;

pub(crate) fn report() -> Result<String, AnalysisError> {
    let loads: Vec<f64> = (1..=24).map(|i| 4.0 * f64::from(i)).collect();
    let speeds: Vec<f64> = (1..=12).map(|i| 0.8 * f64::from(i)).collect();
    let family = |load: f64, speed: f64| Ok(TwoDisc::new(load, speed));
    let map = stability_map(&family, &loads, &speeds, Linearisation::Reduced, &Silent)?;
    let sign = |class: Class| match class {
        Class::Stable => '.',
        Class::Unstable => '#',
        _ => '?',
    };
    let mut report = String::new();
    for (speed, row) in speeds.iter().zip(map.cells.chunks(loads.len())).rev() {
        let row: String = row.iter().map(|cell| sign(cell.class)).collect();
        report += &format!("{speed:4.1} rad/s {row}\n");
    }
    let unstable = map.cells.iter().filter(|cell| cell.class == Class::Unstable).count();
    Ok(report + &format!("loads from {} to {} N; unstable: {unstable} of {}", loads[0], loads[23], map.cells.len()))
}

fn main() -> Result<(), AnalysisError> {
    report().map(|report| println!("{report}"))
}
