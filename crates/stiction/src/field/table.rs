//! A correlation given by pairs (distance, correlation): a cubic spline between them, zero beyond the last.
//!
//! The spline begins with slope zero if the first pairs fall like a square of the distance, as those of a smooth field do;
//! it ends with slope zero. A smoother curve has a smoother spectrum: corners would give a table waves that its
//! correlation does not have.

use crate::Problem;
use crate::num::real::ln;

/// A correlation given by pairs (distance in correlation lengths, correlation).
#[derive(Debug, Clone, PartialEq)]
pub struct CorrelationTable {
    pairs: Vec<[f64; 2]>,
    /// Second derivatives at the pairs.
    bend: Vec<f64>,
    smooth: bool,
}

impl CorrelationTable {
    /// Reads a table: distances from 0 on, correlations from 1 to 0.
    ///
    /// # Errors
    /// [`Problem`] that says what is wrong with which entry.
    pub(crate) fn new(pairs: &[[f64; 2]]) -> Result<Self, Problem> {
        let wrong = |message: String| Err(Problem::new("correlation.table", message));
        let [first, second, third, ..] = pairs else {
            return wrong(format!("has {} entries, but needs at least 3 pairs [distance, correlation]", pairs.len()));
        };
        if *first != [0.0, 1.0] {
            return wrong(format!("begins with {first:?}, but must begin with [0, 1]: a point is itself"));
        }
        for (k, pair) in pairs.windows(2).enumerate() {
            let rises = pair[1][0] > pair[0][0] && pair[1][0].is_finite();
            if !rises {
                let (low, high) = (pair[0][0], pair[1][0]);
                return wrong(format!("goes from distance {low} to {high} at entry {}: distances must rise", k + 2));
            }
        }
        if let Some((k, pair)) = pairs.iter().enumerate().find(|(_, pair)| pair[1].abs() > 1.0 || pair[1].is_nan()) {
            return wrong(format!("has the correlation {} at entry {}, but it must lie in [-1, 1]", pair[1], k + 1));
        }
        if let Some(last) = pairs.last().filter(|last| last[1] != 0.0) {
            return wrong(format!(
                "ends with the correlation {} at distance {}, but must end with 0: add the distance from which on points \
                 are taken as uncorrelated",
                last[1], last[0]
            ));
        }
        let fall = ln((1.0 - third[1]) / (1.0 - second[1])) / ln(third[0] / second[0]);
        let smooth = fall > 1.7;
        let table = Self { pairs: pairs.to_vec(), bend: bend(pairs, smooth), smooth };
        let last = table.reach();
        for r in (1..2000).map(|k| last * f64::from(k) / 2000.0) {
            let value = table.at(r);
            let possible = value.abs() <= 1.0;
            if !possible {
                return wrong(format!("gives the correlation {value} at distance {r:.4}: add entries around it"));
            }
        }
        Ok(table)
    }

    /// Distance from which on the correlation is zero [correlation lengths].
    pub(crate) fn reach(&self) -> f64 {
        self.pairs.last().map_or(0.0, |pair| pair[0])
    }

    /// The distances [correlation lengths].
    pub(crate) fn distances(&self) -> impl Iterator<Item = f64> {
        self.pairs.iter().map(|pair| pair[0])
    }

    /// The correlation [-] at a distance of `r` correlation lengths.
    pub(crate) fn at(&self, r: f64) -> f64 {
        let after = self.pairs.partition_point(|pair| pair[0] <= r);
        if after == 0 {
            return 1.0;
        }
        let (Some(low), Some(high)) = (self.pairs.get(after - 1), self.pairs.get(after)) else {
            return 0.0;
        };
        let (Some(bend_low), Some(bend_high)) = (self.bend.get(after - 1), self.bend.get(after)) else {
            return 0.0;
        };
        let width = high[0] - low[0];
        let b = (r - low[0]) / width;
        let a = 1.0 - b;
        let cubic = (a * a * a - a) * bend_low + (b * b * b - b) * bend_high;
        a * low[1] + b * high[1] + cubic * width * width / 6.0
    }

    /// −R″(0) if the table begins with slope zero.
    pub(crate) fn curvature(&self) -> Option<f64> {
        self.bend.first().filter(|bend| self.smooth && **bend < 0.0).map(|bend| -bend)
    }
}

/// Second derivatives of the spline: a tridiagonal system, solved from both sides at once.
fn bend(pairs: &[[f64; 2]], smooth: bool) -> Vec<f64> {
    let last = pairs.len() - 1;
    let width = |k: usize| pairs[k + 1][0] - pairs[k][0];
    let slope = |k: usize| (pairs[k + 1][1] - pairs[k][1]) / width(k);
    // rows (below, diagonal, above, right)
    let mut rows = Vec::with_capacity(pairs.len());
    rows.push(if smooth {
        (0.0, 2.0 * width(0), width(0), 6.0 * slope(0))
    } else {
        // the first interval is a parabola
        (0.0, 1.0, -1.0, 0.0)
    });
    for k in 1..last {
        rows.push((width(k - 1), 2.0 * (width(k - 1) + width(k)), width(k), 6.0 * (slope(k) - slope(k - 1))));
    }
    rows.push((width(last - 1), 2.0 * width(last - 1), 0.0, -6.0 * slope(last - 1)));
    for k in 1..rows.len() {
        let (_, diagonal, above, right) = rows[k - 1];
        let factor = rows[k].0 / diagonal;
        rows[k].1 -= factor * above;
        rows[k].3 -= factor * right;
    }
    let mut bend = vec![0.0; rows.len()];
    for k in (0..rows.len()).rev() {
        let (_, diagonal, above, right) = rows[k];
        let next = bend.get(k + 1).copied().unwrap_or(0.0);
        bend[k] = (right - above * next) / diagonal;
    }
    bend
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::real::exp;

    pub(in crate::field) fn sampled(function: impl Fn(f64) -> f64, step: f64, last: usize) -> Vec<[f64; 2]> {
        let mut pairs: Vec<[f64; 2]> = (0..=last).map(|k| [step * k as f64, function(step * k as f64)]).collect();
        pairs[last][1] = 0.0;
        pairs
    }

    #[test]
    fn a_table_of_a_smooth_or_a_pointed_correlation_gives_it_back() {
        let bell = CorrelationTable::new(&sampled(|r| exp(-r * r), 0.05, 100)).unwrap();
        let pointed = CorrelationTable::new(&sampled(|r| exp(-r), 0.05, 600)).unwrap();
        for r in [0.01, 0.333, 1.27, 3.01, 7.0] {
            // the error of a cubic spline is 5/384 h⁴ times the fourth derivative, 12 at most
            assert!((bell.at(r) - exp(-r * r)).abs() < 1e-6, "{r}");
            assert!((pointed.at(r) - exp(-r)).abs() < 5e-6 || r < 0.1 && (pointed.at(r) - exp(-r)).abs() < 1e-4, "{r}");
        }
        assert!((bell.curvature().unwrap() - 2.0).abs() < 0.01);
        assert_eq!(pointed.curvature(), None);
        assert_eq!((bell.at(0.0), bell.at(5.0), bell.at(99.0)), (1.0, 0.0, 0.0));
    }

    #[test]
    fn senseless_tables_are_refused() {
        for pairs in [
            vec![],
            vec![[0.0, 1.0], [1.0, 0.0]],
            vec![[0.0, 0.9], [1.0, 0.5], [2.0, 0.0]],
            vec![[0.0, 1.0], [1.0, 0.5], [1.0, 0.0]],
            vec![[0.0, 1.0], [1.0, 1.5], [2.0, 0.0]],
            vec![[0.0, 1.0], [1.0, f64::NAN], [2.0, 0.0]],
            vec![[0.0, 1.0], [1.0, 0.5], [2.0, 0.1]],
        ] {
            assert_eq!(CorrelationTable::new(&pairs).unwrap_err().key, "correlation.table", "{pairs:?}");
        }
    }
}
