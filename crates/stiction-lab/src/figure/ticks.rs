//! Ticks: steps of 1, 2 or 5 times a power of ten, labels that are exact and never overlap.

use super::scale::Range;
use stiction::num::real::log10;

/// A labelled tick. An empty label had no room.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

/// The ticks of an axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Ticks {
    pub(super) major: Vec<Tick>,
    pub(super) minor: Vec<f64>,
    /// The labels are to be multiplied by ten to this power.
    pub(super) factor: i32,
}

impl Ticks {
    /// Ticks of an axis that is `length` long \[pt\], with labels that take `room(label)` \[pt\] along the axis.
    pub(super) fn new(range: Range, length: f64, room: &dyn Fn(&str) -> f64) -> Self {
        let mut ticks = if range.log { logarithmic(range, length, room) } else { linear(range, length, room) };
        ticks.drop_overlaps(range, length, room);
        ticks
    }

    /// The widest label, as measured by `width`.
    pub(super) fn widest(&self, width: &dyn Fn(&str) -> f64) -> f64 {
        self.major.iter().map(|tick| width(&tick.label)).fold(0.0, f64::max)
    }

    fn drop_overlaps(&mut self, range: Range, length: f64, room: &dyn Fn(&str) -> f64) {
        let mut free_from = f64::NEG_INFINITY;
        for tick in &mut self.major {
            let (centre, half) = (range.share(tick.value) * length, 0.5 * room(&tick.label));
            if centre - half < free_from - 1e-6 {
                tick.label.clear();
            } else {
                free_from = centre + half;
            }
        }
    }
}

/// Smallest distance between two minor ticks \[pt\].
const CLOSEST_MINOR: f64 = 2.5;

fn linear(range: Range, length: f64, room: &dyn Fn(&str) -> f64) -> Ticks {
    let least = range.length() * (room("0") / length.max(1.0)).min(1.0);
    let mut exponent = order(least);
    let mut best = Ticks::default();
    for candidate in 0..12 {
        let mantissa = [1, 2, 5][candidate % 3];
        if candidate > 0 && candidate % 3 == 0 {
            exponent += 1;
        }
        let step = mantissa as f64 * power_of_ten(exponent);
        if step < least {
            continue;
        }
        let ticks = with_step(range, mantissa, exponent, length);
        if ticks.major.len() < 2 && !best.major.is_empty() {
            break;
        }
        let spacing = step / range.length() * length;
        let fits = ticks.major.iter().all(|tick| room(&tick.label) <= spacing);
        best = ticks;
        if fits {
            break;
        }
    }
    best
}

/// Ticks at all multiples of `mantissa * 10^exponent` in the range.
fn with_step(range: Range, mantissa: i64, exponent: i32, length: f64) -> Ticks {
    let step = mantissa as f64 * power_of_ten(exponent);
    let slack = 1e-9 * range.length() / step;
    let (first, last) = ((range.low / step - slack).ceil() as i64, (range.high / step + slack).floor() as i64);
    // the range is at least 1e-9 of its ends and the step a fixed part of it, so this is a short list
    let counts: Vec<i64> = (first..=last).take(1000).collect();
    let largest = counts.iter().map(|count| count.unsigned_abs()).max().unwrap_or(0) as f64 * step;
    let factor = factor_for(largest);
    let major = counts
        .iter()
        .map(|&count| Tick { value: count as f64 * step, label: decimal(count * mantissa, exponent - factor) })
        .collect();
    let parts = if mantissa == 2 { 4 } else { 5 };
    let mut minor = Vec::new();
    if step / range.length() * length / f64::from(parts) >= CLOSEST_MINOR {
        for count in first - 1..=last {
            minor.extend((1..parts).map(|part| (count as f64 + f64::from(part) / f64::from(parts)) * step));
        }
        minor.retain(|&value| range.holds(value));
    }
    Ticks { major, minor, factor }
}

/// The power of ten that labels up to `largest` leave to the axis: none for ordinary numbers, else a multiple of 3.
fn factor_for(largest: f64) -> i32 {
    if largest == 0.0 || (1e-2..1e5).contains(&largest) { 0 } else { order(largest).div_euclid(3) * 3 }
}

fn logarithmic(range: Range, length: f64, room: &dyn Fn(&str) -> f64) -> Ticks {
    let (low, high) = (log10(range.low), log10(range.high));
    let per_decade = length / (high - low);
    let decades: Vec<i32> = ((low - 1e-9).ceil() as i32..=(high + 1e-9).floor() as i32).collect();
    if decades.len() < 2 {
        return within_a_decade(range, length, room);
    }
    let widest = decades.iter().map(|&decade| room(&power_label(decade))).fold(1.0, f64::max);
    let stride = ((widest / per_decade).ceil() as i32).max(1);
    let mut ticks = Ticks::default();
    for &decade in &decades {
        if decade.rem_euclid(stride) == 0 {
            ticks.major.push(Tick { value: power_of_ten(decade), label: power_label(decade) });
        } else {
            ticks.minor.push(power_of_ten(decade));
        }
    }
    if stride == 1 && per_decade >= 12.0 {
        for decade in low.floor() as i32..=high.floor() as i32 {
            ticks.minor.extend((2..10).map(|digit| f64::from(digit) * power_of_ten(decade)));
        }
        ticks.minor.retain(|&value| range.holds(value));
    }
    ticks
}

/// A log axis that shows hardly more than a decade has ticks at 1, 2 and 5 times powers of ten; one that shows even less
/// has the ticks of a linear axis, at their logarithmic places.
fn within_a_decade(range: Range, length: f64, room: &dyn Fn(&str) -> f64) -> Ticks {
    let (low, high) = (order(range.low), order(range.high));
    let digits =
        |digits: std::ops::Range<i64>| (low..=high).flat_map(move |decade| digits.clone().map(move |d| (d, decade)));
    let value = |(digit, decade): (i64, i32)| digit as f64 * power_of_ten(decade);
    let places: Vec<(i64, i32)> = digits(1..10).filter(|&place| range.holds(value(place))).collect();
    let major: Vec<(i64, i32)> = places.iter().copied().filter(|(digit, _)| matches!(digit, 1 | 2 | 5)).collect();
    if major.len() < 2 {
        return linear(Range { log: false, ..range }, length, room);
    }
    let factor = factor_for(range.high);
    let tick =
        |&(digit, decade): &(i64, i32)| Tick { value: value((digit, decade)), label: decimal(digit, decade - factor) };
    Ticks {
        major: major.iter().map(tick).collect(),
        minor: places.into_iter().filter(|place| !major.contains(place)).map(value).collect(),
        factor,
    }
}

/// The largest power of ten that is not above `value` (> 0).
fn order(value: f64) -> i32 {
    let guess = log10(value.max(1e-307)).floor() as i32;
    if power_of_ten(guess + 1) <= value {
        guess + 1
    } else if power_of_ten(guess) > value {
        guess - 1
    } else {
        guess
    }
}

/// Ten to a power, correctly rounded.
pub(super) fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(f64::NAN)
}

/// `count * 10^exponent` as an exact decimal with a true minus sign.
fn decimal(count: i64, exponent: i32) -> String {
    let sign = if count < 0 { "−" } else { "" };
    let digits = count.unsigned_abs().to_string();
    if exponent >= 0 {
        let zeros = if count == 0 { 0 } else { exponent as usize };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    }
    let places = exponent.unsigned_abs() as usize;
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, part) = digits.split_at(digits.len() - places);
    format!("{sign}{whole}.{part}")
}

/// A number with at most so many significant digits: `0.25`, `−12`, `3.1×10⁻⁷`.
pub(super) fn short(value: f64, digits: usize) -> String {
    let text = format!("{value:.*e}", digits.saturating_sub(1));
    let parsed = text.split_once('e').and_then(|(mantissa, exponent)| {
        let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
        let places = mantissa.split_once('.').map_or(0, |(_, part)| part.len());
        let count: i64 = mantissa.replace('.', "").parse().ok()?;
        Some((count, places as i32, exponent.parse::<i32>().ok()?))
    });
    match parsed {
        Some((count, places, exponent)) if (-4..6).contains(&exponent) => decimal(count, exponent - places),
        Some((1, 0, exponent)) => power_label(exponent),
        Some((count, places, exponent)) => format!("{}×{}", decimal(count, -places), power_label(exponent)),
        None => "0".to_owned(),
    }
}

/// `10` with a raised exponent.
pub(super) fn power_label(exponent: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = exponent.to_string();
    let raised = digits.chars().map(|sign| match sign.to_digit(10) {
        Some(digit) => RAISED.get(digit as usize).copied().unwrap_or(sign),
        None => '⁻',
    });
    "10".chars().chain(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, log: bool, length: f64) -> Vec<String> {
        let room = |label: &str| (5.0 * label.chars().count() as f64 + 5.0).max(24.0);
        let ticks = Ticks::new(Range { low, high, log }, length, &room);
        let mut free_from = f64::NEG_INFINITY;
        for tick in ticks.major.iter().filter(|tick| !tick.label.is_empty()) {
            let centre = Range { low, high, log }.share(tick.value) * length;
            assert!(centre - 0.5 * room(&tick.label) >= free_from - 1e-6, "labels overlap at {}", tick.label);
            free_from = centre + 0.5 * room(&tick.label);
        }
        ticks.major.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn steps_are_one_two_or_five() {
        assert_eq!(labels(0.0, 1.0, false, 200.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-12.0, 7.0, false, 150.0), ["−10", "−5", "0", "5"]);
        assert_eq!(labels(0.0, 25_000.0, false, 200.0), ["0", "5000", "10000", "15000", "20000", "25000"]);
    }

    #[test]
    fn very_large_and_small_numbers_share_a_power_of_ten() {
        let room = |label: &str| 5.0 * label.len() as f64;
        let ticks = Ticks::new(Range { low: 0.0, high: 4e-5, log: false }, 200.0, &room);
        assert_eq!(ticks.factor, -6);
        assert_eq!(ticks.major.last().unwrap().label, "40");
    }

    #[test]
    fn log_axes_have_decades() {
        assert_eq!(labels(1e-3, 1.0, true, 200.0), ["10⁻³", "10⁻²", "10⁻¹", "10⁰"]);
        assert_eq!(labels(0.05, 0.4, true, 200.0), ["0.05", "0.1", "0.2"]);
        assert_eq!(labels(2.1, 4.9, true, 200.0), ["2.5", "3.0", "3.5", "4.0", "4.5"]);
        assert!(labels(1e-300, 1e300, true, 200.0).len() < 10);
    }

    #[test]
    fn every_range_has_ticks_and_no_panic() {
        for (low, high) in
            [(1e300, 2e300), (-1e300, 1e300), (1e-300, 2e-300), (1.0, 1.000_000_001), (0.0, 1e-290), (3.3, 3.4)]
        {
            for length in [0.5, 30.0, 200.0, 2000.0] {
                labels(low, high, false, length);
                if low > 0.0 {
                    labels(low, high, true, length);
                }
            }
            assert!(!labels(low, high, false, 200.0).is_empty(), "{low} {high}");
        }
    }

    #[test]
    fn short_numbers_have_no_needless_digits() {
        let cases = [(0.25, "0.25"), (-12.0, "−12"), (2.34567, "2.346"), (1e5, "100000"), (0.0, "0"), (1e-7, "10⁻⁷")];
        for (value, text) in cases {
            assert_eq!(short(value, 4), text);
        }
        assert_eq!(short(-3.1e-9, 4), "−3.1×10⁻⁹");
        assert_eq!(short(0.1 + 0.2, 4), "0.3");
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(decimal(-3, -1), "−0.3");
        assert_eq!(decimal(1234, -2), "12.34");
        assert_eq!(decimal(0, 3), "0");
        assert_eq!(decimal(7, 2), "700");
    }
}
