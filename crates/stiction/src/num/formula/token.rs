//! The words of a formula: numbers, names, signs.

use super::error::FormulaError;

/// A word of a formula.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'a> {
    Number(f64),
    Name(&'a str),
    Sign(char),
    End,
}

/// Reads one word after the other.
pub(super) struct Words<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, position: 0 }
    }

    /// The next word and where it starts.
    pub(super) fn next(&mut self) -> Result<(Token<'a>, usize), FormulaError> {
        let rest = self.text.get(self.position..).unwrap_or_default();
        let trimmed = rest.trim_start();
        let start = self.position + (rest.len() - trimmed.len());
        self.position = start;
        let Some(first) = trimmed.chars().next() else { return Ok((Token::End, start)) };
        if first.is_ascii_digit() || first == '.' {
            return self.number(trimmed, start);
        }
        if first.is_alphabetic() || first == '_' {
            let length = trimmed.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(trimmed.len());
            self.position += length;
            return Ok((Token::Name(trimmed.get(..length).unwrap_or_default()), start));
        }
        match first {
            '*' if trimmed.starts_with("**") => {
                Err(FormulaError::new(start, "`**` is not an operator").suggesting("write a power as `x^2`"))
            }
            '+' | '-' | '*' | '/' | '^' | '(' | ')' | ',' => {
                self.position += first.len_utf8();
                Ok((Token::Sign(first), start))
            }
            // the minus and the dot that word processors put in
            '−' | '–' => Err(FormulaError::new(start, format!("unexpected `{first}`")).suggesting("write `-`")),
            '·' | '×' => Err(FormulaError::new(start, format!("unexpected `{first}`")).suggesting("write `*`")),
            '[' | ']' | '{' | '}' => {
                Err(FormulaError::new(start, format!("unexpected `{first}`")).suggesting("use round parentheses"))
            }
            other => Err(FormulaError::new(start, format!("unexpected `{}`", other.escape_debug()))),
        }
    }

    fn number(&mut self, text: &'a str, start: usize) -> Result<(Token<'a>, usize), FormulaError> {
        let bytes = text.as_bytes();
        let digits_from = |from: usize| bytes.iter().skip(from).take_while(|b| b.is_ascii_digit()).count();
        let mut length = digits_from(0);
        if bytes.get(length) == Some(&b'.') {
            length += 1 + digits_from(length + 1);
        }
        // an exponent only if digits follow: `2e` is a number before a name
        if matches!(bytes.get(length), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
            let digits = digits_from(length + 1 + sign);
            if digits > 0 {
                length += 1 + sign + digits;
            }
        }
        let word = text.get(..length).unwrap_or_default();
        self.position += length;
        match word.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok((Token::Number(value), start)),
            Ok(_) => Err(FormulaError::new(start, format!("`{word}` is too large for a number"))),
            Err(_) => Err(FormulaError::new(start, format!("`{word}` is not a number"))),
        }
    }
}
