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
//!
//! ```
//! # use stiction::analysis::crank_slider::{Statistics, energies, moment_matched, run, table_for};
//! # use stiction::{analysis::Silent, integrate::Solver, system::CrankSlider};
//! let (crank, solver) = (CrankSlider::default(), Solver::default());
//! // the deterministic run of the paper: two seconds with the coefficient 0.5 and no torque
//! let smooth = run(&crank, 0.5, 0.0, 2.0, &solver)?;
//! assert!((smooth.bottom_energy - 12.600_153_298_8).abs() < 1e-8);
//! // a hundred realisations
//! let realisations = moment_matched(0.5, 0.02, 0.003, 100, 1);
//! let table = table_for(&crank, &realisations, 2.0, &solver, &Silent)?;
//! let statistics = Statistics::of(&energies(&table, &realisations, &Silent)?);
//! assert_eq!(statistics.completed, 100);
//! # Ok::<(), stiction::analysis::AnalysisError>(())
//! ```

mod ensemble;
mod run;
mod statistics;
mod table;

pub use ensemble::{CrankRow, Energies, Realisation, direct_energies, direct_row, energies, moment_matched, table_for};
pub use run::{CrankRun, Sample, Status, run, run_with_progress, trajectory};
pub use statistics::Statistics;
pub use table::{RunEnergies, WorkTable};
