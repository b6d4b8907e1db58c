//! How wide a text is: measured on `DejaVu` Sans, the font of all pictures.

use super::subscript::{LOWERED, parts};
use std::sync::LazyLock;

/// Family names in an SVG: the font that is measured, then fonts of about the same width for readers without it.
pub(super) const FAMILY: &str = "DejaVu Sans, Bitstream Vera Sans, Verdana, sans-serif";

/// The weight of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

static REGULAR: LazyLock<Option<ttf_parser::Face<'static>>> =
    LazyLock::new(|| ttf_parser::Face::parse(dejavu::sans::regular(), 0).ok());
static BOLD: LazyLock<Option<ttf_parser::Face<'static>>> =
    LazyLock::new(|| ttf_parser::Face::parse(dejavu::sans::bold(), 0).ok());

/// Width of a text \[pt\] at a font size \[pt\]. A sign that the font lacks counts as wide as an `m`.
pub(super) fn width(text: &str, size: f64, weight: Weight) -> f64 {
    let parts = parts(text).into_iter();
    parts.map(|part| plain_width(part.text, if part.lowered { LOWERED * size } else { size }, weight)).sum()
}

fn plain_width(text: &str, size: f64, weight: Weight) -> f64 {
    let face = match weight {
        Weight::Regular => REGULAR.as_ref(),
        Weight::Bold => BOLD.as_ref(),
    };
    let Some(face) = face else { return 0.62 * size * text.chars().count() as f64 };
    let units = f64::from(face.units_per_em());
    let advance = |sign: char| face.glyph_index(sign).and_then(|glyph| face.glyph_hor_advance(glyph));
    let total: f64 = text.chars().map(|sign| advance(sign).map_or(units, f64::from)).sum();
    total / units * size
}

/// Breaks a text into lines that are at most `limit` wide, at spaces; a longer word is cut with an ellipsis.
pub(super) fn wrap(text: &str, size: f64, weight: Weight, limit: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    // not at no-break spaces, which `split_whitespace` would break and lose
    for word in text.split([' ', '\n', '\t']).filter(|word| !word.is_empty()) {
        if let Some(line) = lines.last_mut()
            && width(&format!("{line} {word}"), size, weight) <= limit
        {
            line.push(' ');
            line.push_str(word);
            continue;
        }
        lines.push(cut(word, size, weight, limit));
    }
    lines
}

/// A text no wider than `limit`: its end is replaced by an ellipsis where needed.
pub(super) fn cut(text: &str, size: f64, weight: Weight, limit: f64) -> String {
    if width(text, size, weight) <= limit {
        return text.to_owned();
    }
    let room = limit - width("…", size, weight);
    let mut kept = String::new();
    let mut used = 0.0;
    for sign in text.chars() {
        used += width(sign.encode_utf8(&mut [0; 4]), size, weight);
        if used > room {
            break;
        }
        kept.push(sign);
    }
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_font() {
        // the digits of DejaVu Sans are 1303/2048 em wide
        assert!((width("00", 8.0, Weight::Regular) - 2.0 * 8.0 * 1303.0 / 2048.0).abs() < 1e-9);
        assert!(width("00", 8.0, Weight::Bold) > width("00", 8.0, Weight::Regular));
    }

    #[test]
    fn wrapped_lines_keep_the_limit_and_the_words() {
        let lines = wrap("the motion of a block on a moving belt", 8.0, Weight::Regular, 60.0);
        assert_eq!(lines.join(" "), "the motion of a block on a moving belt");
        assert!(lines.len() > 2 && lines.iter().all(|line| width(line, 8.0, Weight::Regular) <= 60.0));
        assert!(width(&cut("antidisestablishmentarianism", 8.0, Weight::Regular, 40.0), 8.0, Weight::Regular) <= 40.0);
    }
}
