//! Many realisations of the field, one run each, in parallel.

use super::model::{Model, Setting};
use super::run::Run;
use crate::analysis::{AnalysisError, Cancelled, Progress};
use crate::field::Germ;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// One realisation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Index of the realisation: with the seed it gives the same run again, alone.
    pub index: u64,
    /// The run, or why there is none.
    pub run: Result<Run, AnalysisError>,
}

/// The runs of some realisations, in the order of their indices whatever the number of threads. A run that fails is told in
/// its place.
///
/// # Errors
/// If the user asked to stop.
pub fn ensemble(
    model: &Model,
    seed: u64,
    indices: Range<u64>,
    setting: &Setting,
    progress: &dyn Progress,
) -> Result<Vec<Row>, AnalysisError> {
    progress.begin("realisations", indices.end.saturating_sub(indices.start));
    let row = |index: u64| {
        if progress.cancelled() {
            return Err(AnalysisError::from(Cancelled));
        }
        let run = model.run(&Germ::new(seed, index), setting);
        progress.advance(1);
        Ok(Row { index, run })
    };
    indices.into_par_iter().map(row).collect()
}
