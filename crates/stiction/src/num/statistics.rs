//! What many numbers say together: means, spreads, quantiles, histograms.
//!
//! Variances and standard deviations have n − 1 and are missing for fewer than two numbers; standard errors are those of
//! independent numbers.

/// The mean; none without numbers.
pub fn mean(numbers: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.into_iter().fold((0.0, 0_usize), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| sum / count as f64)
}

/// Σ (x − c)ᵖ.
pub(crate) fn powers_about(centre: f64, numbers: &[f64], power: i32) -> f64 {
    numbers.iter().map(|number| (number - centre).powi(power)).sum()
}

/// The variance.
pub fn variance(numbers: &[f64]) -> Option<f64> {
    let mean = mean(numbers.iter().copied()).filter(|_| numbers.len() > 1)?;
    Some(powers_about(mean, numbers, 2) / (numbers.len() - 1) as f64)
}

/// The standard deviation.
pub fn deviation(numbers: &[f64]) -> Option<f64> {
    variance(numbers).map(f64::sqrt)
}

/// The standard error of the mean.
pub fn standard_error(numbers: &[f64]) -> Option<f64> {
    deviation(numbers).map(|deviation| deviation / (numbers.len() as f64).sqrt())
}

/// The value below which this part of numbers in ascending order lies, linear between neighbours; `probability` in [0, 1].
pub fn quantile(sorted: &[f64], probability: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = probability.clamp(0.0, 1.0) * last as f64;
    let below = (place.floor() as usize).min(last);
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    Some(low + (high - low) * (place - below as f64))
}

/// The median.
pub fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    quantile(&numbers, 0.5)
}

/// The slope of the straight line through points (x, y) with the least squares of errors in y; none if all x are equal.
pub fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let (x, y) = (mean(points.iter().map(|point| point.0))?, mean(points.iter().map(|point| point.1))?);
    let along: f64 = points.iter().map(|point| (point.0 - x) * (point.0 - x)).sum();
    let both: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    Some(both / along).filter(|slope| slope.is_finite())
}

/// Count, mean and spread of numbers, as far as there are enough of them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spread {
    /// How many numbers.
    pub count: u64,
    /// Their mean.
    pub mean: Option<f64>,
    /// Standard deviation.
    pub deviation: Option<f64>,
    /// Standard error of the mean.
    pub error: Option<f64>,
}

/// Count, mean and sum of squared deviations of the numbers so far, by Welford's recurrence: one number at a time, without
/// the cancellation of Σx² − (Σx)²/n.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Running {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Running {
    /// Adds a number; one that is not finite is left out.
    pub fn add(&mut self, number: f64) {
        if !number.is_finite() {
            return;
        }
        self.count += 1;
        let before = number - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (number - self.mean);
    }

    /// The variance so far.
    pub(crate) fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares / (self.count - 1) as f64)
    }

    /// What the numbers so far say.
    pub fn spread(&self) -> Spread {
        let deviation = self.variance().map(f64::sqrt);
        Spread {
            count: self.count,
            mean: (self.count > 0).then_some(self.mean),
            deviation,
            error: deviation.map(|deviation| deviation / (self.count as f64).sqrt()),
        }
    }
}

/// Mean, spread and order of a sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Moments {
    /// Mean.
    pub mean: f64,
    /// Standard error of the mean; none for one value.
    pub mean_error: Option<f64>,
    /// Standard deviation; none for one value.
    pub standard_deviation: Option<f64>,
    /// Standard error of the standard deviation, from the fourth moment; none for one value.
    pub standard_deviation_error: Option<f64>,
    /// The values in ascending order.
    sorted: Vec<f64>,
}

impl Moments {
    /// Moments of finite values; none if there are none.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        if sorted.iter().any(|value| !value.is_finite()) {
            return None;
        }
        sorted.sort_by(f64::total_cmp);
        let mean = mean(sorted.iter().copied())?;
        let standard_deviation = deviation(&sorted);
        let count = sorted.len() as f64;
        let fourth = powers_about(mean, &sorted, 4) / count;
        let deviation_error = |deviation: f64| {
            // variance of the sample variance; its root's error by the chain rule
            let square = deviation * deviation;
            let spread = ((fourth - square * square * (count - 3.0) / (count - 1.0)) / count).max(0.0);
            if deviation > 0.0 { spread.sqrt() / (2.0 * deviation) } else { 0.0 }
        };
        Some(Self {
            mean,
            mean_error: standard_error(&sorted),
            standard_deviation,
            standard_deviation_error: standard_deviation.map(deviation_error),
            sorted,
        })
    }

    /// Number of values.
    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    /// The smallest value.
    pub fn smallest(&self) -> f64 {
        self.quantile(0.0)
    }

    /// The largest value.
    pub fn largest(&self) -> f64 {
        self.quantile(1.0)
    }

    /// The value below which this part of the values lies, see [`quantile`].
    pub fn quantile(&self, probability: f64) -> f64 {
        quantile(&self.sorted, probability).unwrap_or(self.mean)
    }
}

/// A histogram with bins of equal width, scaled to a density.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// Lower edge of the first bin.
    pub from: f64,
    /// Width of a bin.
    pub width: f64,
    /// Samples in each bin.
    pub counts: Vec<usize>,
}

impl Histogram {
    /// The histogram of all finite samples between the smallest and the largest; none without samples. Equal samples share one
    /// narrow bin.
    pub fn of<S: AsRef<[f64]>>(lists: &[S], bins: usize) -> Option<Self> {
        let samples = || lists.iter().flat_map(|list| list.as_ref()).copied().filter(|sample| sample.is_finite());
        let low = samples().reduce(f64::min)?;
        let high = samples().reduce(f64::max)?;
        let bins = bins.max(1);
        let narrow = 1e-9 * low.abs().max(high.abs()).max(f64::MIN_POSITIVE);
        let width = ((high - low) / bins as f64).max(narrow);
        let mut counts = vec![0; bins];
        for sample in samples() {
            let bin = (((sample - low) / width) as usize).min(bins - 1);
            if let Some(count) = counts.get_mut(bin) {
                *count += 1;
            }
        }
        Some(Self { from: low, width, counts })
    }

    /// The lower edges of the bins, and the upper edge of the last.
    pub fn edges(&self) -> Vec<f64> {
        (0..=self.counts.len()).map(|bin| self.from + bin as f64 * self.width).collect()
    }

    /// Centres of the bins.
    pub fn centres(&self) -> Vec<f64> {
        (0..self.counts.len()).map(|bin| self.from + self.width * (bin as f64 + 0.5)).collect()
    }

    /// Probability density in each bin.
    pub fn density(&self) -> Vec<f64> {
        let all: usize = self.counts.iter().sum();
        self.counts.iter().map(|count| *count as f64 / (all as f64 * self.width)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_a_few_numbers_are_those_by_hand() {
        let numbers = [1.0, 2.0, 3.0, 6.0];
        let deviation_by_hand = (14.0_f64 / 3.0).sqrt();
        assert_eq!((mean(numbers), variance(&numbers)), (Some(3.0), Some(14.0 / 3.0)));
        assert_eq!(deviation(&numbers), Some(deviation_by_hand));
        assert_eq!(standard_error(&numbers), Some(deviation_by_hand / 2.0));
        assert_eq!((mean([]), mean([5.0]), variance(&[5.0]), standard_error(&[])), (None, Some(5.0), None, None));
    }

    #[test]
    fn running_moments_are_those_by_hand_also_far_from_zero() {
        for shift in [0.0, 1e9] {
            let mut running = Running::default();
            [1.0, 2.0, f64::NAN, 3.0, 6.0].iter().for_each(|number| running.add(number + shift));
            let found = running.spread();
            assert_eq!((found.count, found.mean), (4, Some(3.0 + shift)));
            assert!((found.deviation.unwrap() - (14.0_f64 / 3.0).sqrt()).abs() < 1e-15);
            assert!((found.error.unwrap() - (14.0_f64 / 12.0).sqrt()).abs() < 1e-15);
        }
        let mut one = Running::default();
        assert_eq!(one.spread(), Spread::default());
        one.add(2.0);
        assert_eq!(one.spread(), Spread { count: 1, mean: Some(2.0), ..Spread::default() });
    }

    #[test]
    fn quantiles_are_linear_between_numbers() {
        let sorted = [1.0, 2.0, 4.0];
        for (probability, expected) in [(0.0, 1.0), (0.25, 1.5), (0.5, 2.0), (0.75, 3.0), (1.0, 4.0), (7.0, 4.0)] {
            assert_eq!(quantile(&sorted, probability), Some(expected));
        }
        assert_eq!((quantile(&[7.0], 0.95), quantile(&[], 0.5)), (Some(7.0), None));
        assert_eq!((median(vec![4.0, 1.0, 3.0, 2.0]), median(vec![])), (Some(2.5), None));
    }

    #[test]
    fn samples_have_errors_of_their_spread_and_order() {
        let moments = Moments::of([3.0, 1.0, 2.0, 4.0]).unwrap();
        assert_eq!((moments.mean, moments.count(), moments.smallest(), moments.largest()), (2.5, 4, 1.0, 4.0));
        assert!((moments.mean_error.unwrap() - (5.0f64 / 12.0).sqrt()).abs() < 1e-15);
        assert!((moments.quantile(0.1) - 1.3).abs() < 1e-15);
        // m₄ = 2.5625, s² = 5/3: Var s² = (m₄ − s⁴/3)/4
        let spread = ((2.5625_f64 - 25.0 / 27.0) / 4.0).sqrt() / (2.0 * (5.0_f64 / 3.0).sqrt());
        assert!((moments.standard_deviation_error.unwrap() - spread).abs() < 1e-15);
        let one = Moments::of([2.0]).unwrap();
        assert_eq!((one.mean, one.mean_error, one.standard_deviation, one.quantile(0.7)), (2.0, None, None, 2.0));
        assert_eq!((Moments::of([]), Moments::of([f64::NAN])), (None, None));
    }

    #[test]
    fn a_line_has_its_slope() {
        assert_eq!(slope(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]), Some(2.0));
        // an error at the middle does not turn the line
        assert_eq!(slope(&[(0.0, 1.0), (1.0, 7.0), (2.0, 5.0)]), Some(2.0));
        assert_eq!((slope(&[(1.0, 1.0), (1.0, 2.0)]), slope(&[])), (None, None));
    }

    #[test]
    fn histograms_hold_every_sample_and_have_area_one() {
        let lists = [vec![0.0, 1.0, 1.0, 4.0], vec![2.0, f64::NAN]];
        let found = Histogram::of(&lists, 4).unwrap();
        assert_eq!(found.counts, [1, 2, 1, 1]);
        assert_eq!((found.edges(), found.centres()), (vec![0.0, 1.0, 2.0, 3.0, 4.0], vec![0.5, 1.5, 2.5, 3.5]));
        assert!((found.density().iter().sum::<f64>() * found.width - 1.0).abs() < 1e-15);
        assert_eq!(Histogram::of(&[[3.0, 3.0]], 5).unwrap().counts.iter().sum::<usize>(), 2);
        assert_eq!(Histogram::of::<Vec<f64>>(&[], 5), None);
    }
}
