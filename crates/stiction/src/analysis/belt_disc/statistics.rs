//! Many samples of many realisations: means and spreads with standard errors over realisations, never over cycles, because
//! the cycles of one realisation are correlated.
//!
//! ```text
//! pooled_cycles       all samples alike: mean = Σ sums/Σ counts; errors by leaving out one realisation after the other (jackknife)
//! realisation_means   the mean of each realisation is one sample
//! ```
//! Standard deviations have n − 1.

use crate::num::statistics::{self, Spread, powers_about};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How samples of many realisations are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pooling {
    /// All samples of all realisations, with equal weight: realisations with fast cycles count more.
    #[default]
    PooledCycles,
    /// The mean of each realisation is one sample.
    RealisationMeans,
}

/// Mean and standard deviation with their standard errors over realisations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Mean.
    pub mean: f64,
    /// Standard error of the mean; none with fewer than two realisations.
    pub mean_error: Option<f64>,
    /// Standard deviation; none with fewer than two samples.
    pub standard_deviation: Option<f64>,
    /// Standard error of the standard deviation; none with fewer than three realisations.
    pub standard_deviation_error: Option<f64>,
    /// Samples.
    pub samples: usize,
    /// Realisations that have samples.
    pub realisations: usize,
}

impl Estimate {
    /// What the samples say, one list for each realisation; none if all lists are empty. Lists without a sample and samples
    /// that are not finite are left out.
    pub fn of<S: AsRef<[f64]>>(lists: &[S], pooling: Pooling) -> Option<Self> {
        match pooling {
            Pooling::PooledCycles => jackknife(&groups(lists)),
            Pooling::RealisationMeans => {
                let means: Vec<Group> = groups(lists).iter().map(|group| Group::of([group.mean()])).collect();
                jackknife(&means)
            }
        }
    }

    /// In short, with realisations as the count; nothing if there is no estimate.
    pub fn spread(estimate: Option<&Self>) -> Spread {
        estimate.map_or(Spread::default(), |it| Spread {
            count: it.realisations as u64,
            mean: Some(it.mean),
            deviation: it.standard_deviation,
            error: it.mean_error,
        })
    }
}

/// One row of a table of convergence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Convergence {
    /// How many realisations were used.
    pub realisations: usize,
    /// What they say; none while they have no sample.
    pub estimate: Option<Estimate>,
}

/// What the first 1, 2, … realisations say.
pub fn convergence<S: AsRef<[f64]>>(lists: &[S], pooling: Pooling) -> Vec<Convergence> {
    let lists: Vec<&[f64]> = lists.iter().map(AsRef::as_ref).collect();
    (1..=lists.len())
        .map(|count| Convergence { realisations: count, estimate: Estimate::of(&lists[..count], pooling) })
        .collect()
}

/// Number, mean and squares of the samples of one realisation.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    count: f64,
    sum: f64,
    /// Sum of squares, after the samples were shifted.
    squares: f64,
}

impl Group {
    fn of(samples: impl IntoIterator<Item = f64>) -> Self {
        let mut group = Self::default();
        for sample in samples.into_iter().filter(|sample| sample.is_finite()) {
            group.count += 1.0;
            group.sum += sample;
            group.squares += sample * sample;
        }
        group
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    /// The same samples, measured from `origin`.
    fn shifted(&self, origin: f64) -> Self {
        let Self { count, sum, squares } = *self;
        Self { count, sum: sum - count * origin, squares: squares - 2.0 * origin * sum + count * origin * origin }
    }

    fn without(&self, other: &Self) -> Self {
        Self { count: self.count - other.count, sum: self.sum - other.sum, squares: self.squares - other.squares }
    }

    fn deviation(&self) -> f64 {
        let centred = (self.squares - self.sum * self.sum / self.count).max(0.0);
        (centred / (self.count - 1.0)).sqrt()
    }
}

fn groups<S: AsRef<[f64]>>(lists: &[S]) -> Vec<Group> {
    let all: Vec<Group> = lists.iter().map(|list| Group::of(list.as_ref().iter().copied())).collect();
    all.into_iter().filter(|group| group.count > 0.0).collect()
}

fn total(groups: &[Group]) -> Group {
    groups.iter().fold(Group::default(), |sum, group| Group {
        count: sum.count + group.count,
        sum: sum.sum + group.sum,
        squares: sum.squares + group.squares,
    })
}

fn jackknife(groups: &[Group]) -> Option<Estimate> {
    if groups.is_empty() {
        return None;
    }
    // measured from the mean, squares keep their digits
    let mean = total(groups).mean();
    let groups: Vec<Group> = groups.iter().map(|group| group.shifted(mean)).collect();
    let all = total(&groups);
    let number = groups.len() as f64;
    let spread = |parts: &[f64]| {
        let middle = statistics::mean(parts.iter().copied()).unwrap_or_default();
        (powers_about(middle, parts, 2) * (number - 1.0) / number).sqrt()
    };
    let left_out =
        |of: &dyn Fn(&Group) -> f64| -> Vec<f64> { groups.iter().map(|group| of(&all.without(group))).collect() };
    let enough = groups.iter().all(|group| all.count - group.count > 1.5);
    Some(Estimate {
        mean: mean + all.mean(),
        mean_error: (groups.len() > 1).then(|| spread(&left_out(&Group::mean))),
        standard_deviation: (all.count > 1.5).then(|| all.deviation()),
        standard_deviation_error: (groups.len() > 2 && enough).then(|| spread(&left_out(&Group::deviation))),
        samples: all.count.round() as usize,
        realisations: groups.len(),
    })
}

#[cfg(test)]
impl Estimate {
    /// Everything divided by the same number.
    #[must_use]
    pub(crate) fn over(self, unit: f64) -> Self {
        Self {
            mean: self.mean / unit,
            mean_error: self.mean_error.map(|error| error / unit.abs()),
            standard_deviation: self.standard_deviation.map(|deviation| deviation / unit.abs()),
            standard_deviation_error: self.standard_deviation_error.map(|error| error / unit.abs()),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_one_sample_have_the_textbook_errors() {
        let lists = [[1.0], [2.0], [3.0], [6.0]];
        for pooling in [Pooling::PooledCycles, Pooling::RealisationMeans] {
            let found = Estimate::of(&lists, pooling).unwrap();
            let deviation = (14.0_f64 / 3.0).sqrt();
            assert!((found.mean - 3.0).abs() < 1e-15);
            assert!((found.standard_deviation.unwrap() - deviation).abs() < 1e-14);
            assert!((found.mean_error.unwrap() - deviation / 2.0).abs() < 1e-14);
        }
    }

    #[test]
    fn copies_of_a_sample_do_not_shrink_the_error() {
        let lists: Vec<Vec<f64>> = [1.0, 2.0, 4.0, 8.0].iter().map(|value| vec![*value; 50]).collect();
        let pooled = Estimate::of(&lists, Pooling::PooledCycles).unwrap();
        let means = Estimate::of(&lists, Pooling::RealisationMeans).unwrap();
        assert!((pooled.mean_error.unwrap() - means.mean_error.unwrap()).abs() < 1e-13);
        assert_eq!((pooled.samples, means.samples), (200, 4));
    }

    #[test]
    fn fast_realisations_count_more_when_pooled() {
        let lists = [vec![1.0; 3], vec![2.0; 1]];
        assert_eq!(Estimate::of(&lists, Pooling::PooledCycles).unwrap().mean, 1.25);
        assert_eq!(Estimate::of(&lists, Pooling::RealisationMeans).unwrap().mean, 1.5);
    }

    #[test]
    fn what_is_missing_is_left_out() {
        assert_eq!(Estimate::of::<Vec<f64>>(&[vec![], vec![f64::NAN]], Pooling::PooledCycles), None);
        let one = Estimate::of(&[vec![], vec![5.0]], Pooling::PooledCycles).unwrap();
        assert_eq!((one.mean, one.mean_error, one.standard_deviation, one.realisations), (5.0, None, None, 1));
    }

    #[test]
    fn running_means_end_with_the_mean_of_all() {
        let lists = [[1.0], [2.0], [4.0]];
        let rows = convergence(&lists, Pooling::PooledCycles);
        assert_eq!(rows.iter().map(|row| row.estimate.unwrap().mean).collect::<Vec<f64>>(), [1.0, 1.5, 7.0 / 3.0]);
    }
}
