//! Means, spreads and quantiles of the energies, with the errors that a finite number of realisations leaves.

use super::ensemble::{CrankRow, Energies};
use super::run::Status;
use crate::num::statistics::Moments;

/// Energies over realisations. Moments are those of runs whose energies are final (completed or stuck); all others are
/// counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics {
    /// Realisations.
    pub count: usize,
    /// Runs that ran for the whole duration.
    pub completed: usize,
    /// When sliders stuck \[s\], in the order of the realisations.
    pub stuck_times: Vec<f64>,
    /// When sliders lifted off \[s\].
    pub lift_off_times: Vec<f64>,
    /// When states became indeterminate \[s\].
    pub indeterminate_times: Vec<f64>,
    /// Runs that the solver could not follow.
    pub failed: usize,
    /// E_b \[J\]; none if no run has final energies.
    pub bottom: Option<Moments>,
    /// E_s \[J\].
    pub side: Option<Moments>,
    /// E_s/(E_b + E_s) [-].
    pub share: Option<Moments>,
}

impl Statistics {
    /// Statistics of some realisations.
    pub fn of(rows: &[CrankRow]) -> Self {
        let times = |wanted: fn(&Status) -> bool| -> Vec<f64> {
            let ended = rows.iter().filter_map(|row| row.energies.as_ref().ok());
            ended.map(|energies| energies.status).filter(wanted).filter_map(|status| status.time()).collect()
        };
        let moments = |value: fn(&Energies) -> f64| Moments::of(whole(rows).map(value));
        Self {
            count: rows.len(),
            completed: rows.iter().filter(|row| row.status() == Status::Completed.name()).count(),
            stuck_times: times(|status| matches!(status, Status::Stuck { .. })),
            lift_off_times: times(|status| matches!(status, Status::LiftOff { .. })),
            indeterminate_times: times(|status| matches!(status, Status::Indeterminate { .. })),
            failed: rows.iter().filter(|row| row.energies.is_err()).count(),
            bottom: moments(|energies| energies.bottom),
            side: moments(|energies| energies.side),
            share: moments(Energies::share),
        }
    }

    /// The largest share of the side friction in each complete set of `size` realisations, in their order.
    pub fn largest_shares(rows: &[CrankRow], size: usize) -> Vec<f64> {
        let largest = |set: &[CrankRow]| whole(set).map(Energies::share).fold(0.0, f64::max);
        rows.chunks_exact(size.max(1)).map(largest).collect()
    }
}

fn whole(rows: &[CrankRow]) -> impl Iterator<Item = &Energies> {
    rows.iter().filter_map(|row| row.energies.as_ref().ok()).filter(|energies| energies.status.is_whole())
}
