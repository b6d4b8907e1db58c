//! Means, spreads and quantiles of the energies, with the errors that a finite number of realisations leaves.

use super::ensemble::{Energies, Row};
use super::run::Status;

/// Mean and spread of a sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Moments {
    /// Mean.
    pub mean: f64,
    /// Standard error of the mean; none for one value.
    pub mean_error: Option<f64>,
    /// Standard deviation, of a sample (n − 1); none for one value.
    pub standard_deviation: Option<f64>,
    /// Standard error of the standard deviation, from the fourth moment; none for one value.
    pub standard_deviation_error: Option<f64>,
    /// The values in ascending order.
    sorted: Vec<f64>,
}

impl Moments {
    /// Moments of finite values; none if there are none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        if sorted.is_empty() || sorted.iter().any(|value| !value.is_finite()) {
            return None;
        }
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len() as f64;
        let mean = sorted.iter().sum::<f64>() / count;
        let power = |order: i32| sorted.iter().map(|value| (value - mean).powi(order)).sum::<f64>();
        let several = sorted.len() > 1;
        let variance = power(2) / (count - 1.0);
        let fourth = power(4) / count;
        // variance of the sample variance; its root's error by the chain rule
        let spread = ((fourth - variance * variance * (count - 3.0) / (count - 1.0)) / count).max(0.0);
        let deviation = variance.sqrt();
        let deviation_error = if deviation > 0.0 { spread.sqrt() / (2.0 * deviation) } else { 0.0 };
        Some(Self {
            mean,
            mean_error: several.then(|| (variance / count).sqrt()),
            standard_deviation: several.then_some(deviation),
            standard_deviation_error: several.then_some(deviation_error),
            sorted,
        })
    }

    /// Number of values.
    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    /// The smallest value.
    pub fn smallest(&self) -> f64 {
        self.sorted.first().copied().unwrap_or(self.mean)
    }

    /// The largest value.
    pub fn largest(&self) -> f64 {
        self.sorted.last().copied().unwrap_or(self.mean)
    }

    /// The value below which this part of the values lies, linear between neighbours; `probability` in [0, 1].
    pub fn quantile(&self, probability: f64) -> f64 {
        let place = probability.clamp(0.0, 1.0) * (self.sorted.len() - 1) as f64;
        let below = place.floor();
        let value = |index: usize| self.sorted.get(index).copied().unwrap_or_else(|| self.largest());
        let (low, high) = (value(below as usize), value(below as usize + 1));
        low + (high - low) * (place - below)
    }
}

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
    pub fn of(rows: &[Row]) -> Self {
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
    pub fn largest_shares(rows: &[Row], size: usize) -> Vec<f64> {
        let largest = |set: &[Row]| whole(set).map(Energies::share).fold(0.0, f64::max);
        rows.chunks_exact(size.max(1)).map(largest).collect()
    }
}

fn whole(rows: &[Row]) -> impl Iterator<Item = &Energies> {
    rows.iter().filter_map(|row| row.energies.as_ref().ok()).filter(|energies| energies.status.is_whole())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_quantiles_are_those_of_the_values() {
        let moments = Moments::of([3.0, 1.0, 2.0, 4.0]).unwrap();
        assert_eq!((moments.mean, moments.count()), (2.5, 4));
        assert!((moments.standard_deviation.unwrap() - (5.0f64 / 3.0).sqrt()).abs() < 1e-15);
        assert!((moments.mean_error.unwrap() - (5.0f64 / 12.0).sqrt()).abs() < 1e-15);
        assert_eq!((moments.quantile(0.0), moments.quantile(0.5), moments.quantile(1.0)), (1.0, 2.5, 4.0));
        assert!((moments.quantile(0.1) - 1.3).abs() < 1e-15);
    }

    #[test]
    fn one_value_has_no_spread_and_none_has_no_mean() {
        let one = Moments::of([2.0]).unwrap();
        assert_eq!((one.mean, one.mean_error, one.standard_deviation), (2.0, None, None));
        assert_eq!(one.quantile(0.7), 2.0);
        assert_eq!(Moments::of([]), None);
        assert_eq!(Moments::of([f64::NAN]), None);
    }
}
