//! Numbers for people: six digits that count, and signs that can be copied into a program.

use super::Value;

/// A number with six significant digits: `0.3`, `-12.3457`, `1.5e-7`.
pub fn readable(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() {
            "not a number"
        } else if value > 0.0 {
            "∞"
        } else {
            "−∞"
        }
        .to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let sign = if value < 0.0 { "-" } else { "" };
    // five decimals of the scientific form are six significant digits, correctly rounded
    let scientific = format!("{:.5e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| text.trim_end_matches('0').trim_end_matches('.').to_owned();
    if !(-4..6).contains(&exponent) {
        return format!("{sign}{}e{exponent}", trimmed(mantissa));
    }
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    if exponent < 0 {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        return format!("{sign}{}", trimmed(&format!("0.{zeros}{digits}")));
    }
    let (whole, part) = digits.split_at(exponent as usize + 1);
    format!("{sign}{}", if part.is_empty() { whole.to_owned() } else { trimmed(&format!("{whole}.{part}")) })
}

/// A value in words, with six significant digits.
pub fn readable_value(value: &Value) -> String {
    match value {
        Value::Number(number) => readable(*number),
        Value::Integer(number) => number.to_string(),
        Value::Word(word) => word.clone(),
        Value::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Value::List(values) if values.is_empty() => "none".to_owned(),
        Value::List(values) => values.iter().map(entry).collect::<Vec<_>>().join(", "),
        Value::Record(parts) => {
            let part = |(name, value): &(String, Value)| format!("{name} {}", entry(value));
            parts.iter().map(part).collect::<Vec<_>>().join(", ")
        }
        Value::Missing => "none".to_owned(),
    }
}

fn entry(value: &Value) -> String {
    match value {
        Value::List(_) => format!("[{}]", readable_value(value)),
        Value::Record(_) => format!("({})", readable_value(value)),
        _ => readable_value(value),
    }
}

/// A value with all its digits.
pub(crate) fn exact_value(value: &Value) -> String {
    match value {
        Value::Number(number) if number.is_nan() => "not a number".to_owned(),
        Value::Number(number) => crate::dataset::number(*number),
        Value::List(values) => values.iter().map(exact_value).collect::<Vec<_>>().join(", "),
        Value::Record(parts) => {
            let part = |(name, value): &(String, Value)| format!("{name} {}", exact_value(value));
            parts.iter().map(part).collect::<Vec<_>>().join(", ")
        }
        other => readable_value(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_that_count() {
        let cases = [
            (0.1 + 0.2, "0.3"),
            (-12.345_678, "-12.3457"),
            (999_999.7, "1e6"),
            (123_456.0, "123456"),
            (100_000.0, "100000"),
            (0.000_123_456_7, "0.000123457"),
            (1.5e-7, "1.5e-7"),
            (f64::MAX, "1.79769e308"),
            (1.0, "1"),
            (f64::NAN, "not a number"),
        ];
        for (value, text) in cases {
            assert_eq!(readable(value), text);
        }
    }

    #[test]
    fn values_read_as_words() {
        assert_eq!(readable_value(&vec![1.0, 0.25].into()), "1, 0.25");
        assert_eq!(readable_value(&Value::Missing), "none");
        assert_eq!(readable_value(&true.into()), "yes");
        assert_eq!(exact_value(&vec![0.1 + 0.2].into()), "0.30000000000000004");
    }
}
