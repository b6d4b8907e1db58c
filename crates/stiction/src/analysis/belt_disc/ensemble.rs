//! Many realisations of the field, one run each, in parallel.

use super::model::{BeltModel, Setting};
use super::run::BeltRun;
use crate::analysis::{AnalysisError, Cancelled, Progress};
use crate::field::Germ;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// One realisation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BeltRow {
    /// Index of the realisation: with the seed it gives the same run again, alone.
    pub index: u64,
    /// The run, or why there is none.
    pub run: Result<BeltRun, AnalysisError>,
}

impl BeltRow {
    /// What came of a realisation.
    ///
    /// # Errors
    /// If the run was interrupted, or did not fit into the memory: that is not an outcome of the realisation, and must not be
    /// kept as one.
    pub fn of(index: u64, run: Result<BeltRun, AnalysisError>) -> Result<Self, AnalysisError> {
        match run {
            Err(error @ (AnalysisError::Cancelled(_) | AnalysisError::Memory(_))) => Err(error),
            run => Ok(Self { index, run }),
        }
    }
}

/// The runs of some realisations, in the order of their indices whatever the number of threads. A run that fails is told in
/// its place.
///
/// # Errors
/// If the user asked to stop.
pub fn ensemble(
    model: &BeltModel,
    seed: u64,
    indices: Range<u64>,
    setting: &Setting<'_>,
    progress: &dyn Progress,
) -> Result<Vec<BeltRow>, AnalysisError> {
    progress.begin("realisations", indices.end.saturating_sub(indices.start));
    let row = |index: u64| {
        if progress.cancelled() {
            return Err(AnalysisError::from(Cancelled));
        }
        let row = BeltRow::of(index, model.run(&Germ::new(seed, index), setting))?;
        progress.advance(1);
        Ok(row)
    };
    indices.into_par_iter().map(row).collect()
}
