//! How a random number is distributed.
//!
//! Every draw is the inverse of a distribution function at one uniform number, so that a draw is a monotone function of
//! that number and costs exactly one of it.

use super::random::{Stream, inverse_normal};
use super::real::{erfc, exp, ln, ln_1p};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a random number is distributed, chosen by name.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Distribution {
    /// The bell curve; every value is possible.
    Normal(Normal),
    /// A number whose logarithm is normal; only positive values.
    Lognormal(Normal),
    /// Every value of a range alike.
    Uniform(Uniform),
    /// The bell curve between two ends.
    TruncatedNormal(TruncatedNormal),
}

/// Mean and standard deviation of the number itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Normal {
    /// Mean, in the unit of the number; of a lognormal number > 0.
    pub(crate) mean: f64,
    /// Standard deviation, in the unit of the number, >= 0.
    #[schemars(range(min = 0.0))]
    pub(crate) standard_deviation: f64,
}

/// The ends of a range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Uniform {
    /// Smallest value, in the unit of the number.
    pub(crate) from: f64,
    /// Largest value, in the unit of the number, above `from`.
    pub(crate) to: f64,
}

/// A bell curve that is cut at both ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TruncatedNormal {
    /// Mean of the curve before it is cut, in the unit of the number.
    pub(crate) mean: f64,
    /// Standard deviation of the curve before it is cut, in the unit of the number, > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) standard_deviation: f64,
    /// Smallest value, in the unit of the number.
    pub(crate) from: f64,
    /// Largest value, in the unit of the number, above `from`.
    pub(crate) to: f64,
}

/// Least probability between the ends of a truncated curve: rarer values have no digits left.
const RAREST: f64 = 1e-290;

impl Distribution {
    /// The name under which a scenario chooses the distribution.
    pub fn name(&self) -> &'static str {
        match self {
            Distribution::Normal(_) => "normal",
            Distribution::Lognormal(_) => "lognormal",
            Distribution::Uniform(_) => "uniform",
            Distribution::TruncatedNormal(_) => "truncated_normal",
        }
    }

    /// The next number of a stream.
    pub fn draw(&self, stream: &mut Stream) -> f64 {
        self.quantile(stream.uniform())
    }

    /// The value below which a number lies with this probability [-].
    pub fn quantile(&self, probability: f64) -> f64 {
        match *self {
            Distribution::Normal(Normal { mean, standard_deviation }) => {
                mean + standard_deviation * inverse_normal(probability)
            }
            Distribution::Lognormal(Normal { mean, standard_deviation }) => {
                // mean e^(−s²/2) is the median
                let ratio = standard_deviation / mean;
                let variance = ln_1p(ratio * ratio);
                exp(ln(mean) - 0.5 * variance + variance.sqrt() * inverse_normal(probability))
            }
            Distribution::Uniform(Uniform { from, to }) => (from + (to - from) * probability).max(from).min(to),
            Distribution::TruncatedNormal(curve) => curve.quantile(probability),
        }
    }

    /// What is wrong with the numbers: the name of the key, and what would be right. None if nothing.
    pub fn problem(&self) -> Option<(&'static str, String)> {
        let spread = |value: f64| {
            let wrong = !(value.is_finite() && value >= 0.0);
            wrong.then(|| ("standard_deviation", format!("{value} is not a finite number >= 0")))
        };
        let middle = |value: f64| (!value.is_finite()).then(|| ("mean", format!("{value} is not a finite number")));
        let ends = |from: f64, to: f64| {
            let right = from < to && (to - from).is_finite();
            (!right).then(|| ("from", format!("{from} is not below `to`, which is {to}: give the smaller value first")))
        };
        match *self {
            Distribution::Normal(curve) => middle(curve.mean).or_else(|| spread(curve.standard_deviation)),
            Distribution::Lognormal(curve) => {
                middle(curve.mean).or_else(|| spread(curve.standard_deviation)).or_else(|| {
                    let wrong = curve.mean <= 0.0;
                    wrong.then(|| ("mean", format!("{} is not positive: a lognormal number is", curve.mean)))
                })
            }
            Distribution::Uniform(range) => ends(range.from, range.to),
            Distribution::TruncatedNormal(curve) => middle(curve.mean)
                .or_else(|| spread(curve.standard_deviation))
                .or_else(|| ends(curve.from, curve.to))
                .or_else(|| {
                    curve.is_empty().then(|| ("from", format!(
                    "the curve has no probability between {} and {}: move the range towards the mean, {}, or give a \
                     larger standard deviation", curve.from, curve.to, curve.mean
                )))
                }),
        }
    }
}

impl TruncatedNormal {
    /// Probabilities that an uncut number lies below both ends, and whether they are those of the mirror image: the lower
    /// tail of the curve keeps digits that the upper one loses.
    fn ends(&self) -> (f64, f64, bool) {
        let below = |deviations: f64| 0.5 * erfc(-deviations / std::f64::consts::SQRT_2);
        let (low, high) =
            ((self.from - self.mean) / self.standard_deviation, (self.to - self.mean) / self.standard_deviation);
        if low > 0.0 { (below(-high), below(-low), true) } else { (below(low), below(high), false) }
    }

    fn is_empty(&self) -> bool {
        let (low, high, _) = self.ends();
        let enough = high - low >= RAREST;
        !enough
    }

    fn quantile(&self, probability: f64) -> f64 {
        let (low, high, mirror) = self.ends();
        let deviations = if mirror {
            -inverse_normal(high - (high - low) * probability)
        } else {
            inverse_normal(low + (high - low) * probability)
        };
        let value = self.mean + self.standard_deviation * deviations;
        value.max(self.from).min(self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: u64 = 40_000;

    /// Each of the eight comparisons below is off by more than five standard errors for one seed in 1.7 million; seeds are
    /// fixed, so a test that passed cannot fail by chance.
    const DEVIATIONS: f64 = 5.0;

    fn truncated(mean: f64, standard_deviation: f64, from: f64, to: f64) -> Distribution {
        Distribution::TruncatedNormal(TruncatedNormal { mean, standard_deviation, from, to })
    }

    #[test]
    fn moments_are_those_of_the_distribution() {
        let density = |x: f64| exp(-0.5 * x * x) / std::f64::consts::TAU.sqrt();
        // cut from −1 to 2 deviations
        let share = 0.5 * (erfc(-std::f64::consts::SQRT_2) - erfc(std::f64::consts::FRAC_1_SQRT_2));
        let shift = (density(-1.0) - density(2.0)) / share;
        let cut_variance = 1.0 + (-density(-1.0) - 2.0 * density(2.0)) / share - shift * shift;
        let cases = [
            (Distribution::Normal(Normal { mean: 3.0, standard_deviation: 0.5 }), 3.0, 0.25),
            (Distribution::Lognormal(Normal { mean: 2.0, standard_deviation: 0.6 }), 2.0, 0.36),
            (Distribution::Uniform(Uniform { from: -1.0, to: 3.0 }), 1.0, 16.0 / 12.0),
            (truncated(1.0, 0.2, 0.8, 1.4), 1.0 + 0.2 * shift, 0.04 * cut_variance),
        ];
        for (purpose, (distribution, mean, variance)) in cases.into_iter().enumerate() {
            assert_eq!(distribution.problem(), None);
            let numbers: Vec<f64> =
                (0..COUNT).map(|i| distribution.draw(&mut Stream::new(5, i, purpose as u64))).collect();
            let power = |order: i32| numbers.iter().map(|x| (x - mean).powi(order)).sum::<f64>() / COUNT as f64;
            let mean_error = (variance / COUNT as f64).sqrt();
            assert!(power(1).abs() < DEVIATIONS * mean_error, "{distribution:?}: mean is off by {}", power(1));
            let variance_error = ((power(4) - variance * variance) / COUNT as f64).sqrt();
            let off = power(2) - variance;
            assert!(off.abs() < DEVIATIONS * variance_error, "{distribution:?}: variance is off by {off}");
        }
    }

    #[test]
    fn draws_stay_between_the_ends_also_far_in_a_tail() {
        for distribution in
            [truncated(0.0, 1.0, 8.0, 9.0), truncated(0.0, 1.0, -9.0, -8.0), truncated(0.0, 1.0, 30.0, 31.0)]
        {
            let Distribution::TruncatedNormal(curve) = distribution else { unreachable!() };
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for i in 0..1000 {
                let value = distribution.draw(&mut Stream::new(1, i, 0));
                assert!((curve.from..=curve.to).contains(&value));
                (low, high) = (low.min(value), high.max(value));
            }
            // an end that swallowed the digits would give a few values only
            assert!(high - low > 0.1, "{curve:?}: from {low} to {high}");
        }
        assert!(truncated(0.0, 1.0, 30.0, 31.0).quantile(0.5) - 30.0 < 0.03);
    }

    #[test]
    fn without_spread_every_draw_is_the_mean() {
        for distribution in [Distribution::Normal, Distribution::Lognormal] {
            let distribution = distribution(Normal { mean: 2.0, standard_deviation: 0.0 });
            assert!((distribution.quantile(0.9) - 2.0).abs() < 1e-15);
        }
    }

    #[test]
    fn senseless_numbers_are_named() {
        let normal = |mean, standard_deviation| Normal { mean, standard_deviation };
        for (distribution, key) in [
            (Distribution::Normal(normal(f64::NAN, 1.0)), "mean"),
            (Distribution::Normal(normal(0.0, -1.0)), "standard_deviation"),
            (Distribution::Lognormal(normal(0.0, 1.0)), "mean"),
            (Distribution::Uniform(Uniform { from: 2.0, to: 2.0 }), "from"),
            (Distribution::Uniform(Uniform { from: f64::NAN, to: 2.0 }), "from"),
            (truncated(0.0, 0.0, 1.0, 2.0), "from"),
            (truncated(0.0, 1.0, 50.0, 51.0), "from"),
        ] {
            assert_eq!(distribution.problem().map(|problem| problem.0), Some(key), "{distribution:?}");
        }
    }
}
