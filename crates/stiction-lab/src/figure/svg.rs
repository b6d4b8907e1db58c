//! A small writer of SVG: numbers with two decimals, escaped text, nothing that depends on the machine.

use super::font::{FAMILY, Weight};
use super::subscript::marked_up;
use super::theme::{INK, MM};
use crate::safe_text::steers;
use std::fmt::Write;

/// SVG text that grows.
#[derive(Debug, Default)]
pub(super) struct Svg {
    body: String,
}

/// Where a text stands relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextStyle {
    pub(super) size: f64,
    pub(super) weight: Weight,
    pub(super) anchor: Anchor,
    pub(super) fill: &'static str,
    /// Turned clockwise by this angle \[deg\].
    pub(super) turn: f64,
    /// With a light rim, to be read on dark cells of a map.
    pub(super) halo: bool,
}

impl TextStyle {
    pub(super) fn new(size: f64) -> Self {
        Self { size, weight: Weight::Regular, anchor: Anchor::Start, fill: INK, turn: 0.0, halo: false }
    }

    pub(super) fn anchor(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    pub(super) fn bold(self) -> Self {
        Self { weight: Weight::Bold, ..self }
    }

    pub(super) fn fill(self, fill: &'static str) -> Self {
        Self { fill, ..self }
    }

    /// Turned by a quarter to the left, reading upwards.
    pub(super) fn upwards(self) -> Self {
        self.turned(-90.0)
    }

    pub(super) fn haloed(self) -> Self {
        Self { halo: true, ..self }
    }

    /// Turned clockwise by an angle \[deg\].
    pub(super) fn turned(self, turn: f64) -> Self {
        Self { turn, ..self }
    }
}

impl Svg {
    /// Adds text that is SVG already.
    pub(super) fn raw(&mut self, text: &str) {
        self.body.push_str(text);
        self.body.push('\n');
    }

    /// Adds a text at its baseline.
    pub(super) fn text(&mut self, x: f64, y: f64, text: &str, style: TextStyle) {
        let anchor = match style.anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let weight = if style.weight == Weight::Bold { r#" font-weight="bold""# } else { "" };
        let place = if style.turn != 0.0 {
            format!(r#"transform="translate({} {}) rotate({})""#, number(x), number(y), number(style.turn))
        } else {
            format!(r#"x="{}" y="{}""#, number(x), number(y))
        };
        let halo = if style.halo {
            r##" stroke="#ffffff" stroke-opacity=".7" stroke-width="1.6" stroke-linejoin="round" paint-order="stroke""##
        } else {
            ""
        };
        let (size, fill, text) = (number(style.size), style.fill, marked_up(text, style.size));
        self.raw(&format!(r#"<text {place} font-size="{size}" fill="{fill}"{weight}{anchor}{halo}>{text}</text>"#));
    }

    /// Adds a straight line; `extra` are further attributes, each with a space in front.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str, width: f64, extra: &str) {
        self.path(&format!("M{}L{}", pair(from), pair(to)), stroke, width, extra);
    }

    /// Adds a path that is stroked and not filled.
    pub(super) fn path(&mut self, data: &str, stroke: &str, width: f64, extra: &str) {
        if !data.is_empty() {
            let width = number(width);
            self.raw(&format!(r#"<path d="{data}" fill="none" stroke="{stroke}" stroke-width="{width}"{extra}/>"#));
        }
    }

    /// Adds a path that is filled; `extra` are further attributes, each with a space in front.
    pub(super) fn area(&mut self, data: &str, fill: &str, extra: &str) {
        if !data.is_empty() {
            self.raw(&format!(r#"<path d="{data}" fill="{fill}"{extra}/>"#));
        }
    }

    /// Adds a filled rectangle.
    pub(super) fn rectangle(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str, extra: &str) {
        let (x, y, width, height) = (number(x), number(y), number(width), number(height));
        self.raw(&format!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"{extra}/>"#));
    }

    /// The whole file, for a picture of that size \[pt\] on white.
    pub(super) fn finish(self, width: f64, height: f64) -> String {
        let (wide, high) = (number(width), number(height));
        let (wide_mm, high_mm) = (number(width / MM), number(height / MM));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide_mm}mm\" height=\"{high_mm}mm\" \
             viewBox=\"0 0 {wide} {high}\" font-family=\"{FAMILY}\">\n\
             <rect width=\"{wide}\" height=\"{high}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// A coordinate with at most two decimals (0.01 pt = 3.5 micrometres).
pub(super) fn number(value: f64) -> String {
    let mut text = String::new();
    write_hundredths(&mut text, hundredths(value));
    text
}

/// `x y` of a point.
pub(super) fn pair((x, y): (f64, f64)) -> String {
    format!("{} {}", number(x), number(y))
}

/// A coordinate in hundredths of a point; absurd ones are bounded, none overflows.
pub(super) fn hundredths(value: f64) -> i64 {
    (value * 100.0).round().clamp(-1e9, 1e9) as i64
}

/// Writes a number given in hundredths in the shortest form: `-.5`, `12`, `3.25`.
pub(super) fn write_hundredths(text: &mut String, value: i64) {
    if value < 0 {
        text.push('-');
    }
    let (whole, part) = (value.unsigned_abs() / 100, value.unsigned_abs() % 100);
    if whole > 0 || part == 0 {
        let _ = write!(text, "{whole}");
    }
    if part % 10 != 0 {
        let _ = write!(text, ".{part:02}");
    } else if part > 0 {
        let _ = write!(text, ".{}", part / 10);
    }
}

/// Path data of a polyline, in relative steps. Steps are differences of rounded places, so no error adds up.
pub(super) fn polyline(text: &mut String, points: &[(f64, f64)]) {
    let mut last: Option<(i64, i64)> = None;
    for &(x, y) in points {
        let (x, y) = (hundredths(x), hundredths(y));
        let (dx, dy) = match last {
            None => {
                text.push('M');
                (x, y)
            }
            Some((a, b)) if (a, b) == (x, y) && points.len() > 2 => continue,
            Some((a, b)) => {
                text.push('l');
                (x - a, y - b)
            }
        };
        write_hundredths(text, dx);
        if dy >= 0 {
            text.push(' ');
        }
        write_hundredths(text, dy);
        last = Some((x, y));
    }
}

/// Text that is safe inside an element or an attribute; signs that steer become visible.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(sign),
            '\u{fffe}' | '\u{ffff}' => {}
            _ if steers(sign) => safe.extend(sign.escape_default()),
            _ => safe.push(sign),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact_to_a_hundredth() {
        let cases =
            [(0.0, "0"), (-0.001, "0"), (0.5, ".5"), (-0.25, "-.25"), (12.0, "12"), (3.1, "3.1"), (1e300, "10000000")];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
        assert_eq!(number(f64::NAN), "0");
    }

    #[test]
    fn relative_steps_add_up_to_the_rounded_place() {
        let points: Vec<_> = (0..1000).map(|i| (f64::from(i) * 0.123_456, -f64::from(i) * 0.01)).collect();
        let mut text = String::new();
        polyline(&mut text, &points);
        let total: f64 = text
            .split(['M', 'l'])
            .filter(|part| !part.is_empty())
            .map(|part| part.split([' ', '-']).next().unwrap().parse::<f64>().unwrap())
            .sum();
        assert!((total - 999.0 * 0.123_456).abs() < 0.006, "{total}");
    }

    #[test]
    fn markup_is_escaped_and_signs_that_steer_are_visible() {
        assert_eq!(
            escape("<b>\"a\" & 'b'\u{0}\u{202e}\u{ffff}"),
            "&lt;b&gt;&quot;a&quot; &amp; &#39;b&#39;\\u{0}\\u{202e}"
        );
    }
}
