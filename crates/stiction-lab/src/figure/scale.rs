//! From numbers to places on an axis: ranges that fit the data, linear and logarithmic.

use stiction::num::real::{log10, pow};

/// The largest magnitude that a linear axis can show: beyond it the length of the axis overflows.
pub(super) const LARGEST: f64 = 1e300;
/// The smallest length of a range, relative to its larger end: below it tick labels need more digits than `f64` has.
const NARROWEST: f64 = 1e-9;

/// The part of the numbers that an axis shows. `low < high`, both finite; for `log` both are positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) log: bool,
}

impl Range {
    /// The place of a value: 0 at the lower end, 1 at the upper one. `NaN` where a log axis has no place for it.
    pub(super) fn share(&self, value: f64) -> f64 {
        if self.log {
            if value <= 0.0 {
                return f64::NAN;
            }
            let (low, high) = (log10(self.low), log10(self.high));
            (log10(value) - low) / (high - low)
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }

    /// Whether a value is within the range, with a rim for rounding.
    pub(super) fn holds(&self, value: f64) -> bool {
        let share = self.share(value);
        (-1e-9..=1.0 + 1e-9).contains(&share)
    }

    /// The smallest range that holds the extent of the data, widened by `pad` (a share of its length) at both ends.
    pub(super) fn fit(extent: Extent, log: bool, pad: f64) -> Self {
        let Some((low, high)) = extent.ends else {
            return if log { Self { low: 1.0, high: 10.0, log } } else { Self { low: 0.0, high: 1.0, log } };
        };
        if log {
            let (mut from, mut to) = (log10(low), log10(high));
            if to - from < 1e-6 {
                (from, to) = (from - 0.5, to + 0.5);
            }
            let pad = pad * (to - from);
            let (from, to) = ((from - pad).max(-307.0), (to + pad).min(308.0));
            return Self { low: pow(10.0, from).min(low), high: pow(10.0, to).max(high), log };
        }
        let size = low.abs().max(high.abs());
        let least = (NARROWEST * size).max(f64::MIN_POSITIVE * 1e6);
        let (mut low, mut high) = (low, high);
        if high - low < least {
            let half = if size > 0.0 { (0.1 * size).max(least) } else { 1.0 };
            // data that hardly differ are shown as what they are: flat
            (low, high) = (low - half, high + half);
        }
        let pad = pad * (high - low);
        Self { low: low - pad, high: high + pad, log }
    }

    /// The range with these ends, or what is wrong with them.
    pub(super) fn given([low, high]: [f64; 2], log: bool) -> Result<Self, &'static str> {
        if !(low.is_finite() && high.is_finite()) {
            Err("must have two finite ends")
        } else if low >= high {
            Err("must begin with its lower end")
        } else if log && low <= 0.0 {
            Err("must be positive on a logarithmic axis")
        } else if low.abs().max(high.abs()) > LARGEST {
            Err("must stay within 1e300")
        } else if high - low < NARROWEST * low.abs().max(high.abs()) || high - low < 1e-300 {
            Err("is too narrow: its length must be at least 1e-9 of its ends")
        } else {
            Ok(Self { low, high, log })
        }
    }

    /// Length of the range [in its unit].
    pub(super) fn length(&self) -> f64 {
        self.high - self.low
    }

    /// The range of that length around the same centre.
    pub(super) fn with_length(self, length: f64) -> Self {
        let centre = 0.5 * self.low + 0.5 * self.high;
        Self { low: centre - 0.5 * length, high: centre + 0.5 * length, log: self.log }
    }
}

/// Smallest and largest of the numbers seen so far.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Extent {
    pub(super) ends: Option<(f64, f64)>,
}

impl Extent {
    /// Takes note of a number; one that a (log) axis cannot show is passed over.
    pub(super) fn add(&mut self, value: f64, log: bool) {
        if value.is_finite() && !(log && value <= 0.0) {
            let (low, high) = self.ends.unwrap_or((value, value));
            self.ends = Some((low.min(value), high.max(value)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(values: &[f64], log: bool) -> Extent {
        let mut extent = Extent::default();
        values.iter().for_each(|&value| extent.add(value, log));
        extent
    }

    #[test]
    fn a_range_is_proper_whatever_the_data() {
        let data: [&[f64]; 8] = [
            &[],
            &[0.0],
            &[5.0, 5.0],
            &[f64::NAN],
            &[1e300, -1e300],
            &[1e-320],
            &[1.0, 1.0 + 1e-15],
            &[-3.0, f64::INFINITY],
        ];
        for values in data {
            for log in [false, true] {
                let range = Range::fit(extent(values, log), log, 0.05);
                assert!(range.low < range.high && range.length().is_finite(), "{values:?} {range:?}");
                assert!(!log || range.low > 0.0, "{values:?} {range:?}");
                assert!(
                    values.iter().all(|&v| !v.is_finite() || (log && v <= 0.0) || range.holds(v)),
                    "{values:?} {range:?}"
                );
            }
        }
    }

    #[test]
    fn shares_run_from_zero_to_one() {
        let linear = Range { low: -1.0, high: 3.0, log: false };
        let log = Range { low: 1e-3, high: 10.0, log: true };
        assert_eq!((linear.share(-1.0), linear.share(1.0), linear.share(3.0)), (0.0, 0.5, 1.0));
        assert!((log.share(0.1) - 0.5).abs() < 1e-15 && log.share(0.0).is_nan());
    }

    #[test]
    fn impossible_ranges_are_refused() {
        for (ends, log) in [
            ([1.0, 1.0], false),
            ([2.0, 1.0], false),
            ([0.0, 1.0], true),
            ([f64::NEG_INFINITY, 0.0], false),
            ([0.0, f64::NAN], false),
        ] {
            assert!(Range::given(ends, log).is_err(), "{ends:?}");
        }
    }
}
