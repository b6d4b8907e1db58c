//! Subscripts: `F_K` is drawn with a small, lowered `K`.

use super::svg::{escape, number};

/// Size of a subscript divided by that of the text around it.
pub(super) const LOWERED: f64 = 0.7;
/// How far a subscript is below the line, divided by the size of the text.
const DROP: f64 = 0.22;
/// Longest subscript.
const LONGEST: usize = 3;

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    /// Whether it is a subscript.
    pub(super) lowered: bool,
}

/// The parts of a text. Only a single letter has a subscript, also one after a `Δ`, so that names such
/// as `drive_speed` stay what they are.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (place, _) in text.match_indices('_') {
        let (Some(before), Some(after)) = (text.get(from..place), text.get(place + 1..)) else { continue };
        let mut back = before.chars().rev();
        let letter = back.next().is_some_and(char::is_alphabetic);
        let mut back = back.skip_while(|sign| *sign == 'Δ');
        let alone = back.next().is_none_or(|sign| !sign.is_alphanumeric() && sign != '_');
        let lowered = |sign: &char| sign.is_alphanumeric();
        let length = after.chars().take_while(lowered).count();
        let bytes: usize = after.chars().take_while(lowered).map(char::len_utf8).sum();
        let ends = after.chars().nth(length).is_none_or(|sign| sign != '_');
        if letter && alone && ends && (1..=LONGEST).contains(&length) {
            parts.push(Part { text: before, lowered: false });
            parts.push(Part { text: after.get(..bytes).unwrap_or(""), lowered: true });
            from = place + 1 + bytes;
        }
    }
    parts.push(Part { text: text.get(from..).unwrap_or(""), lowered: false });
    parts.retain(|part| !part.text.is_empty());
    parts
}

/// The text as the content of an SVG element, at that size.
pub(super) fn marked_up(text: &str, size: f64) -> String {
    let mut out = String::new();
    let mut below = false;
    for part in parts(text) {
        let inner = escape(part.text);
        let (small, drop) = (number(LOWERED * size), number(DROP * size));
        match (part.lowered, below) {
            (true, _) => out.push_str(&format!(r#"<tspan font-size="{small}" dy="{drop}">{inner}</tspan>"#)),
            (false, true) => out.push_str(&format!(r#"<tspan dy="-{drop}">{inner}</tspan>"#)),
            (false, false) => out.push_str(&inner),
        }
        below = part.lowered;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_letters_have_subscripts_and_names_do_not() {
        let lowered = |text| parts(text).into_iter().filter(|part| part.lowered).map(|part| part.text).collect();
        let none: Vec<&str> = Vec::new();
        let some: Vec<&str> = lowered("v_c √(κM)/(F_S − F_K0)");
        assert_eq!(some, ["c", "S", "K0"]);
        let some: Vec<&str> = lowered("mean of Δx_s/Δx_d at ε_λ");
        assert_eq!(some, ["s", "d", "λ"]);
        for text in ["drive_speed", "x", "_a", "a_", "x_long1", "a_b_c", "", "__", "é_"] {
            let found: Vec<&str> = lowered(text);
            assert_eq!(found, none, "{text}");
            assert_eq!(parts(text).into_iter().map(|part| part.text).collect::<String>(), text);
        }
    }

    #[test]
    fn a_subscript_comes_back_to_the_line() {
        let expected = r#"F<tspan font-size="7" dy="2.2">K</tspan><tspan dy="-2.2"> &lt; 1</tspan>"#;
        assert_eq!(marked_up("F_K < 1", 10.0), expected);
    }
}
