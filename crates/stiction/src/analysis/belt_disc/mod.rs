//! Questions asked of the disc on the belt: one run, its quantities, many realisations.
//!
//! ```
//! # use stiction::analysis::belt_disc::{BeltModel, PeakToValley, Setting, StickMeasure};
//! # use stiction::{field::Germ, system::BeltDisc};
//! // the uniform belt: the classical stick-slip cycle, in closed form
//! let disc = BeltDisc::default().uniform(0.5);
//! let setting = Setting::default();
//! let run = BeltModel::new(&disc, None, setting.duration)?.run(&Germ::new(1, 0), &setting)?;
//! let period = run.periods()[0];
//! assert!((period - (2.0 * 0.1635 / 0.2 + 2.0 / 3.0_f64.sqrt() * (std::f64::consts::PI - 0.955_895_468))).abs() < 1e-6);
//! assert!(run.peak_to_valley_displacement(PeakToValley::TurningPoints).len() > 20);
//! assert!(run.stick_fraction(StickMeasure::Raw).is_some());
//! # Ok::<(), stiction::analysis::AnalysisError>(())
//! ```

pub mod closed_form;
mod ensemble;
mod force_extremes;
pub mod limits;
mod model;
mod quantities;
mod recorder;
mod run;
pub mod spectrum;
pub mod statistics;

pub use closed_form::{UniformBelt, UniformCycle, UniformSample, UniformStart, UniformTransient};
pub use ensemble::{BeltRow, ensemble};
pub use limits::{LargeLength, SmallLength};
pub use model::{BeltModel, Setting};
pub use quantities::{PeakToValley, StickMeasure, TransientCut};
pub use run::{BeltEvent, BeltRun, ForceExtreme, NearLanding, Phase, Sample, TurningPoint, trajectory_difference};
pub use spectrum::{Spectrum, Window, periodogram, welch};
pub use statistics::{Convergence, Estimate, Pooling, convergence};
