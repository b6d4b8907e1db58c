//! The measured map of a field, where its keys name a file.

use crate::dataset::{MapError, MeasuredMap, Outcome, read_map};
use crate::study::StudyError;
use std::path::Path;
use std::sync::Arc;
use stiction::analysis::{Cancelled, Progress};
use stiction::field::{Estimated, FieldModel, InterpolationChoice, Lattice, MapStatistics, MeasuredField, Surface};

/// A measured map; nothing for other fields.
#[derive(Debug)]
pub(in crate::study) struct Map(Option<Arc<MeasuredField>>);

impl Map {
    /// No map.
    pub(in crate::study) fn none() -> Self {
        Self(None)
    }

    /// The map of a field, if it names a file, which is read unless the run has read it already.
    pub(in crate::study) fn of(model: &FieldModel, system: &str, progress: &dyn Progress) -> Result<Self, StudyError> {
        let Some(path) = &model.file else { return Ok(Self(None)) };
        let map = model.maps.of(model, progress.memory(), || Self::read(path, model, system, progress))?;
        Ok(Self(Some(map)))
    }

    fn read(
        path: &str,
        model: &FieldModel,
        system: &str,
        progress: &dyn Progress,
    ) -> Result<MeasuredField, StudyError> {
        let key = format!("system.{system}.field.file");
        let wrong = |message: String| StudyError::unsuitable(key.clone(), message);
        let map = read_map(Path::new(path), progress).map_err(|error| match error {
            _ if progress.cancelled() => Cancelled.into(),
            MapError { full: true, .. } => StudyError::Memory { key: key.as_str().into(), message: error.to_string() },
            error => wrong(error.to_string()),
        })?;
        let lattice = match map {
            MeasuredMap::Points { x, y, coefficient } => {
                Lattice::measured(&x, &y, &coefficient).map_err(|error| wrong(format!("{path}: {error}")))?
            }
            MeasuredMap::Rows(rows) => {
                let step = model
                    .grid_step
                    .ok_or_else(|| wrong(format!("{path} has rows of a grid, but `grid_step` is not given")))?;
                Lattice::measured_rows(&rows, step).map_err(|error| wrong(format!("{path}: {error}")))?
            }
        };
        let kind = model.interpolation.unwrap_or(InterpolationChoice::Bilinear);
        let surface =
            if model.periodic { Surface::periodic(&lattice, kind) } else { Surface::positive(&lattice, kind) };
        let surface = surface.map_err(|error| wrong(format!("{path}: {error}")))?;
        Ok(MeasuredField { lattice, surface })
    }

    /// The map as a function.
    pub(in crate::study) fn surface(&self) -> Option<&Surface> {
        self.0.as_ref().map(|map| &map.surface)
    }

    /// Warns of a map that is far larger or smaller than the contact, whose size is in \[m\].
    pub(in crate::study) fn warn_of_units(&self, contact: f64, outcome: &mut Outcome) {
        outcome.warnings.extend(self.surface().and_then(|map| map.unit_warning(contact)));
    }

    /// Estimates the statistics of the map and reports them; none if there is no map, or it does not show them.
    pub(in crate::study) fn estimate(&self, outcome: &mut Outcome) -> Option<MapStatistics> {
        let found = match MapStatistics::of(&self.0.as_ref()?.lattice) {
            Ok(found) => found,
            Err(error) => {
                outcome.warnings.push(error.to_string());
                return None;
            }
        };
        let mut push = |name: &str, unit: &str, Estimated { value, error }: Estimated| {
            outcome.push(&format!("estimated_{name}"), unit, value);
            outcome.push(&format!("estimated_{name}_error"), unit, error);
        };
        push("mean", "", found.mean);
        push("standard_deviation", "", found.standard_deviation);
        push("correlation_length", "m", found.length);
        push("correlation_exponent", "", found.exponent);
        if !found.isotropic {
            push("angle", "rad", found.angle);
        }
        outcome.push("estimated_correlation_lengths", "m", found.lengths.map(|length| length.value).to_vec());
        outcome.push("estimated_correlation_lengths_error", "m", found.lengths.map(|length| length.error).to_vec());
        outcome.push("estimated_isotropic", "", found.isotropic);
        outcome.push("independent_patches", "", found.patches);
        outcome.warnings.extend(found.warnings.iter().cloned());
        Some(found)
    }
}
