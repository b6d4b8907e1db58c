//! A distribution given by a table of quantiles, linear in between: its density is a histogram.

use super::hermite;
use crate::Problem;
use crate::num::special::normal_below;

/// A distribution given by pairs (probability, value).
#[derive(Debug, Clone, PartialEq)]
pub struct Quantiles {
    table: Vec<[f64; 2]>,
    mean: f64,
    standard_deviation: f64,
    /// Shares of the Hermite polynomials in the variance [-].
    shares: Vec<f64>,
}

impl Quantiles {
    pub(super) fn new(table: &[[f64; 2]]) -> Result<Self, Problem> {
        let wrong = |message: String| Err(Problem::new("marginal.quantiles", message));
        let (Some(first), Some(last)) = (table.first(), table.last()) else {
            return wrong("is empty: give pairs [probability, value] from probability 0 to 1".to_owned());
        };
        if first[0] != 0.0 || last[0] != 1.0 {
            return wrong(format!(
                "goes from probability {} to {}, but must go from 0 to 1: add the smallest and the largest value",
                first[0], last[0]
            ));
        }
        let positive = first[1] > 0.0 && last[1].is_finite();
        if !positive {
            return wrong(format!("begins with the value {}, but a coefficient must be > 0", first[1]));
        }
        for (k, pair) in table.windows(2).enumerate() {
            let [low, high] = [pair[0], pair[1]];
            let rises = high[0] > low[0] && high[1] > low[1];
            if !rises {
                return wrong(format!(
                    "does not rise from entry {} ({low:?}) to entry {} ({high:?}): give increasing probabilities and \
                     increasing values",
                    k + 1,
                    k + 2
                ));
            }
        }
        let pieces = || table.windows(2).map(|pair| (pair[1][0] - pair[0][0], pair[0][1], pair[1][1]));
        let mean: f64 = pieces().map(|(share, low, high)| share * 0.5 * (low + high)).sum();
        let about_mean = |(share, low, high): (f64, f64, f64)| {
            let (a, b) = (low - mean, high - mean);
            share * (a * a + a * b + b * b) / 3.0
        };
        let standard_deviation = pieces().map(about_mean).sum::<f64>().sqrt();
        if !(mean.is_finite() && standard_deviation.is_finite() && standard_deviation > 0.0) {
            return wrong(format!("has mean {mean} and standard deviation {standard_deviation}: give other values"));
        }
        let shares = hermite::of_table(table, standard_deviation);
        Ok(Self { table: table.to_vec(), mean, standard_deviation, shares })
    }

    pub(super) fn mean(&self) -> f64 {
        self.mean
    }

    pub(super) fn standard_deviation(&self) -> f64 {
        self.standard_deviation
    }

    pub(super) fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// The pair before and the pair after the first one for which `beyond` holds.
    fn around(&self, beyond: impl Fn(&[f64; 2]) -> bool) -> ([f64; 2], [f64; 2]) {
        let after = self.table.partition_point(|pair| !beyond(pair)).clamp(1, self.table.len() - 1);
        (self.table[after - 1], self.table[after])
    }

    pub(super) fn value(&self, g: f64) -> f64 {
        let p = normal_below(g);
        let (low, high) = self.around(|pair| pair[0] > p);
        // from the nearer end
        let value = if g < 0.0 {
            low[1] + (high[1] - low[1]) * ((p - low[0]) / (high[0] - low[0]))
        } else {
            let from_above = (normal_below(-g) - (1.0 - high[0])) / (high[0] - low[0]);
            high[1] - (high[1] - low[1]) * from_above
        };
        value.clamp(low[1], high[1])
    }

    pub(super) fn density(&self, h: f64) -> f64 {
        let (low, high) = self.around(|pair| pair[1] > h);
        if h < low[1] || h > high[1] { 0.0 } else { (high[0] - low[0]) / (high[1] - low[1]) }
    }
}
