//! What people ask of two discs that rub: equilibria and their stability, onset of oscillation, transients, stick-slip classes,
//! and bounds under an interval field.

mod criticality;
mod eigenvalues;
mod hopf;
mod hopf_curve;
mod interval;
mod mesh;
mod modes;
mod sensitivity;
mod stability;
mod stick_slip;
mod transient;
mod watch;
mod window;

pub use criticality::{Criticality, criticality};
pub use eigenvalues::{Linearisation, Spectra, Spectrum, spectra};
pub use hopf::{Crossing, CrossingKind, Scan, crossings};
pub use hopf_curve::{HopfPoint, hopf_curve};
pub use interval::{Bounds, IntervalStudy, Realisation, bounds, uniform_ends};
pub use mesh::{MeshError, mesh_errors};
pub use modes::{LinearMotion, linear_motion};
pub use sensitivity::{Sensitivity, sensitivity};
pub use stability::{Class, Map, Stability, stability, stability_map};
pub use stick_slip::{StickSlip, StickSlipClass, StickSlipRule};
pub use transient::{Status, TransientOutcome, TransientRequest};
pub use window::{Extremes, Repetition, Trend, TrendRule, WindowReport};

use super::{AnalysisError, Cancelled, Progress};
use crate::system::two_disc::{TwoDisc, TwoDiscError};
use rayon::prelude::*;

impl From<TwoDiscError> for AnalysisError {
    fn from(error: TwoDiscError) -> Self {
        match error {
            TwoDiscError::Unsuitable { key, message } => AnalysisError::unsuitable(key, message),
            TwoDiscError::NoEquilibrium { reason } => {
                let message = format!("is `equilibrium`, but {reason}; use `turning` or `at_rest`");
                AnalysisError::unsuitable("start", message)
            }
        }
    }
}

/// Makes the discs that belong to a value of a parameter.
pub type DiscFamily<'a> = &'a (dyn Fn(f64) -> Result<TwoDisc, AnalysisError> + Sync);

/// Makes the discs that belong to the values of two parameters.
pub(crate) type PlaneFamily<'a> = &'a (dyn Fn(f64, f64) -> Result<TwoDisc, AnalysisError> + Sync);

/// The same work on many items, in parallel, with results in the order of the items.
fn in_parallel<I: Sync, R: Send>(
    what: &str,
    items: &[I],
    progress: &dyn Progress,
    work: impl Fn(usize, &I) -> Result<R, AnalysisError> + Sync,
) -> Result<Vec<R>, AnalysisError> {
    progress.begin(what, items.len() as u64);
    items
        .par_iter()
        .enumerate()
        .map(|(index, item)| {
            if progress.cancelled() {
                return Err(Cancelled.into());
            }
            let result = work(index, item)?;
            progress.advance(1);
            Ok(result)
        })
        .collect()
}

#[cfg(test)]
pub(crate) use eigenvalues::full_spectrum_dense;
