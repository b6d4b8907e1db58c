//! The measured map of a field, where its keys name a file.

use crate::dataset::{MeasuredMap, read_map};
use crate::study::StudyError;
use std::path::Path;
use stiction::field::{FieldModel, InterpolationChoice, Lattice, Surface};

/// A measured map; nothing for other fields.
#[derive(Debug)]
pub(in crate::study) struct Map(Option<Surface>);

impl Map {
    /// Reads the file of a field, if it names one.
    pub(in crate::study) fn of(model: &FieldModel, system: &str) -> Result<Self, StudyError> {
        let Some(path) = &model.file else { return Ok(Self(None)) };
        let key = format!("system.{system}.field.file");
        let wrong = |message: String| StudyError::unsuitable(key.clone(), message);
        let map = read_map(Path::new(path)).map_err(|error| wrong(error.to_string()))?;
        let lattice = match map {
            MeasuredMap::Points { x, y, coefficient } => {
                Lattice::measured(&x, &y, &coefficient).map_err(|error| wrong(format!("{path}: {error}")))?
            }
            MeasuredMap::Rows(rows) => {
                let step = model
                    .grid_step
                    .ok_or_else(|| wrong(format!("{path} has rows of a grid, but `grid_step` is not given")))?;
                let (x, y, coefficient) = centred(&rows, step);
                Lattice::measured(&x, &y, &coefficient).map_err(|error| wrong(format!("{path}: {error}")))?
            }
        };
        let kind = model.interpolation.unwrap_or(InterpolationChoice::Bilinear);
        let surface = Surface::positive(&lattice, kind).map_err(|error| wrong(format!("{path}: {error}")))?;
        Ok(Self(Some(surface)))
    }

    /// The map as a function.
    pub(in crate::study) fn surface(&self) -> Option<&Surface> {
        self.0.as_ref()
    }
}

/// Rows of a grid, from the largest y to the smallest, as points about the middle of the grid.
fn centred(rows: &[Vec<f64>], step: f64) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let (mut x, mut y, mut coefficient) = (Vec::new(), Vec::new(), Vec::new());
    let middle = |count: usize| 0.5 * (count.max(1) - 1) as f64;
    for (j, row) in rows.iter().enumerate() {
        for (i, value) in row.iter().enumerate() {
            x.push(step * (i as f64 - middle(row.len())));
            y.push(step * (middle(rows.len()) - j as f64));
            coefficient.push(*value);
        }
    }
    (x, y, coefficient)
}
