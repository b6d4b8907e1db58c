//! Text that others wrote (titles, keys, cells, names of files, messages of parsers), made safe to show.
//!
//! A text can steer what shows it: a terminal by escape sequences, a reader by marks that turn the direction of writing or that
//! cannot be seen, a list by a line of its own, a spreadsheet by a cell that is a formula. Here such signs become visible
//! (`\u{1b}`, `\n`); every message, page, picture and table goes through this module.

use serde_json::Value as Json;
use std::fmt::Write;
use std::path::Path;

/// Longest message \[bytes\].
pub const LONGEST: usize = 2000;

/// Whether a sign steers what shows it: control characters, marks of direction, invisible marks, separators of lines.
pub fn steers(sign: char) -> bool {
    sign.is_control()
        || matches!(
            sign,
            '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// The text in one line of at most [`LONGEST`] bytes, without signs that steer.
pub fn line(text: &str) -> String {
    // no sign becomes shorter: what lies beyond is cut anyway
    cut(&visible(beginning(text, LONGEST + 4), ""), LONGEST)
}

/// The text with its lines and tabulators, without other signs that steer.
pub fn lines(text: &str) -> String {
    visible(text, "\n\t")
}

/// The text without signs that steer, but for those in `kept`.
pub(crate) fn visible(text: &str, kept: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        if steers(sign) && !kept.contains(sign) {
            safe.extend(sign.escape_default());
        } else {
            safe.push(sign);
        }
    }
    safe
}

/// The beginning of a text, in at most so many bytes; ` ...` stands for the rest.
pub fn cut(text: &str, most: usize) -> String {
    const REST: &str = " ...";
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{}{REST}", beginning(text, most.saturating_sub(REST.len())))
}

/// As many whole characters as fit into so many bytes.
fn beginning(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A path in one line.
pub fn path(path: &Path) -> String {
    line(&path.to_string_lossy())
}

/// A value as JSON text for a person, with signs that steer as JSON writes them (`\u202e`).
pub fn json(value: &Json) -> String {
    // the alternate form of a JSON value is its pretty one, and cannot fail; outside of strings it has no such signs but line ends
    let text = format!("{value:#}\n");
    if !text.chars().any(|sign| steers(sign) && sign != '\n') {
        return text;
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for sign in text.chars() {
        if steers(sign) && sign != '\n' {
            for unit in sign.encode_utf16(&mut [0; 2]) {
                // writing to a string cannot fail
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(sign);
        }
    }
    safe
}

/// A word as a cell of CSV: without signs that steer, and with `'` in front where a spreadsheet would take it for a formula.
pub(crate) fn cell(word: &str) -> String {
    let word = lines(word);
    if is_formula(&word) { format!("'{word}") } else { word }
}

/// The word behind a cell of CSV.
pub(crate) fn uncell(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|word| is_formula(word)).unwrap_or(cell)
}

/// Whether a spreadsheet takes a cell for a formula. The `'` of a cell that was one does not count, so that words read back as they
/// were; numbers stay numbers, and a sign alone is no formula.
fn is_formula(word: &str) -> bool {
    let bare = word.trim_start_matches('\'');
    bare.len() > 1 && bare.starts_with(['=', '@', '+', '-', '\t', '\n']) && bare.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\x1b]0;x\x07\u{9b}31m\u{202e}b\r\nc\u{200b}\u{e0041}\u{7f}";

    #[test]
    fn no_sign_of_a_stranger_steers() {
        let shown = line(HOSTILE);
        assert_eq!(shown, "a\\u{1b}]0;x\\u{7}\\u{9b}31m\\u{202e}b\\r\\nc\\u{200b}\\u{e0041}\\u{7f}");
        assert!(!lines(HOSTILE).contains(|sign| steers(sign) && sign != '\n') && lines(HOSTILE).contains('\n'));
        assert_eq!(line("λ₀ = 3 é 中"), "λ₀ = 3 é 中");
    }

    #[test]
    fn a_line_has_at_most_two_thousand_bytes() {
        for text in ["x".repeat(1_000_000), "é\u{202e}".repeat(5000), "\0".repeat(1999)] {
            let shown = line(&text);
            assert!(shown.len() <= LONGEST && shown.ends_with(" ..."), "{}", shown.len());
        }
        assert_eq!(line(&"y".repeat(LONGEST)).len(), LONGEST);
    }

    #[test]
    fn json_reads_back_the_same_and_has_no_sign_that_steers() {
        let value = serde_json::json!({ HOSTILE: [HOSTILE, 1.5, "plain"] });
        let text = json(&value);
        assert!(!text.contains(|sign| steers(sign) && sign != '\n'), "{text}");
        assert_eq!(serde_json::from_str::<Json>(&text).unwrap(), value);
    }

    #[test]
    fn cells_are_no_formulas_and_read_back_the_same() {
        for word in ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "'=1", "''-a", "\t=1"] {
            assert!(cell(word).starts_with('\''), "{word}");
            assert_eq!(uncell(&cell(word)), word);
        }
        for word in ["-3.5", "+1e5", "-", "stick", "'quoted'", "a=b", ""] {
            assert_eq!((cell(word).as_str(), uncell(word)), (word, word));
        }
    }
}
