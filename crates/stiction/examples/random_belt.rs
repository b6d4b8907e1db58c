//! A disc on a belt with random friction: how much do realisations differ? `cargo run --release -p stiction --example random_belt`.

use stiction::analysis::belt_disc::{BeltModel, Setting, StickMeasure, ensemble};
use stiction::analysis::{AnalysisError, Silent};
use stiction::field::LengthChoice;
use stiction::system::BeltDisc;

/// Length of a run \[s\], and number of realisations.
const DURATION: f64 = 20.0;
const REALISATIONS: u64 = 8;

pub(crate) fn report() -> Result<String, AnalysisError> {
    let mut report = String::from("l/R   share of stick (mean, standard deviation)");
    for ratio in [0.5, 5.0] {
        let mut disc = BeltDisc::default();
        disc.field.correlation_length = Some(LengthChoice::Isotropic(ratio * disc.radius));
        let model = BeltModel::new(&disc, None, DURATION)?;
        let setting = Setting { duration: DURATION, ..Setting::default() };
        // realisation i depends on the seed and on i alone: the same on any number of threads
        let rows = ensemble(&model, 1, 0..REALISATIONS, &setting, &Silent)?;
        let shares = rows.iter().filter_map(|row| row.run.as_ref().ok()?.stick_fraction(StickMeasure::Raw));
        let shares: Vec<f64> = shares.collect();
        let count = shares.len() as f64;
        let mean = shares.iter().sum::<f64>() / count;
        let variance = shares.iter().map(|share| (share - mean) * (share - mean)).sum::<f64>() / (count - 1.0);
        report += &format!("\n{ratio:<5} {mean:.4} {:.4}", variance.sqrt());
    }
    Ok(report)
}

fn main() -> Result<(), AnalysisError> {
    report().map(|report| println!("{report}"))
}
