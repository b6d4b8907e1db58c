//! Questions asked of the crank: one run, the sliding work against the coefficient, energies of many realisations.
//!
//! A realisation of the field acts through two numbers, the mean h and the torque coefficient τ over the bottom, and on the
//! motion only through c = h + n μ_s |τ|/(2a). All realisations therefore share one function of one variable:
//!
//! ```text
//! E_b = h W(c),   E_s = (c − h) W(c),   W(c) = ∫ |F_n ẋ₃| dt of the run with the coefficient c
//! ```
//!
//! [`WorkTable`] knows W to eight digits; [`energies`] asks it for every realisation, [`direct_energies`] integrates each of
//! them as a check.

mod ensemble;
mod run;
mod statistics;
mod table;

pub use ensemble::{Energies, Realisation, Row, direct_energies, energies, moment_matched, table_for};
pub use run::{Run, Sample, Status, deterministic_runs, run, trajectory};
pub use statistics::{Moments, Statistics};
pub use table::{Outcome, WorkTable};
