//! Numbers in a sentence: as many digits as a reader needs.

/// Three significant digits: `4.16`, `0.0585`, `1.2e-7`.
pub(super) fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return crate::dataset::readable(value);
    }
    let exponent = exponent_of(value, 3);
    if (-4..6).contains(&exponent) { trimmed(&rounded(value, 2 - exponent)) } else { scientific(value) }
}

/// A value and its spread to the digit that the spread leaves uncertain: `4.4` and `0.5`.
pub(super) fn with_spread(value: f64, spread: f64) -> (String, String) {
    // a spread that is nothing but rounding says nothing
    if !(spread.is_finite() && spread > 1e-9 * value.abs()) {
        return (short(value), String::new());
    }
    // a spread that begins with 1 or 2 has a second digit
    let first = exponent_of(spread, 1);
    let digits = if spread / 10_f64.powi(first) < 2.95 { 1 - first } else { -first };
    if digits > 6 { (short(value), short(spread)) } else { (rounded(value, digits), rounded(spread, digits)) }
}

/// A share of one in per cent: `43`, `4.3`, `99.9`.
pub(super) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let near_an_end = percent.abs() < 10.0 || (90.0..100.0).contains(&percent);
    match percent {
        0.0 => "0".to_owned(),
        tiny if tiny.abs() < 0.05 => short(tiny),
        _ => trimmed(&format!("{percent:.*}", usize::from(near_an_end))),
    }
}

/// The power of ten of the first digit, after rounding to so many digits.
fn exponent_of(value: f64, digits: usize) -> i32 {
    let text = format!("{:.*e}", digits - 1, value.abs());
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

/// With so many decimals; a negative number of decimals rounds to tens, hundreds and so on.
fn rounded(value: f64, decimals: i32) -> String {
    if decimals >= 0 {
        return format!("{value:.*}", decimals.unsigned_abs() as usize);
    }
    let unit = 10_f64.powi(-decimals);
    format!("{:.0}", (value / unit).round() * unit)
}

fn scientific(value: f64) -> String {
    let text = format!("{value:.2e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{exponent}", trimmed(mantissa))
}

/// Without zeros that say nothing, and without a minus in front of zero.
fn trimmed(text: &str) -> String {
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_needs_three_digits() {
        let cases = [(4.158_825, "4.16"), (0.058_512, "0.0585"), (-2.0, "-2"), (12_600.4, "12600"), (1.5e-7, "1.5e-7")];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
        assert_eq!(short(0.999_9), "1");
    }

    #[test]
    fn a_spread_decides_the_digits() {
        for (value, spread, texts) in [
            (4.434, 0.874, ("4.4", "0.9")),
            (1.150_74, 0.067, ("1.15", "0.07")),
            (0.645, 0.023_96, ("0.645", "0.024")),
            (12_547.1, 230.0, ("12550", "230")),
            (1.003_9, 0.037, ("1.00", "0.04")),
            (2.0, 0.0, ("2", "")),
            (4.158_8, 1.6e-14, ("4.16", "")),
        ] {
            let (a, b) = with_spread(value, spread);
            assert_eq!((a.as_str(), b.as_str()), texts);
        }
    }

    #[test]
    fn per_cent_has_a_decimal_near_its_ends() {
        let cases = [(0.4298, "43"), (0.0818, "8.2"), (1.0, "100"), (0.9996, "100"), (0.991, "99.1"), (0.0, "0")];
        for (share, text) in cases {
            assert_eq!(percent(share), text);
        }
    }
}
