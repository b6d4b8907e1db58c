//! What is wrong with a formula: where, what, and what was probably meant.

use std::fmt;

/// Why a text is not a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormulaError {
    /// Where in the text, in bytes from its start; at a character's first byte, or at the end of the text.
    pub position: usize,
    /// What is wrong there.
    pub message: String,
    /// What was probably meant: the nearest known name, or what to write instead.
    pub suggestion: Option<String>,
}

impl FormulaError {
    pub(super) fn new(position: usize, message: impl Into<String>) -> Self {
        Self { position, message: message.into(), suggestion: None }
    }

    pub(super) fn suggesting(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// The error under the text that has it, with a caret at the place:
    ///
    /// ```text
    ///   0.4 + 0.6*exq(-v)
    ///             ^ unknown function `exq`; did you mean `exp`?
    /// ```
    pub fn render(&self, text: &str) -> String {
        // one line, with control characters blanked, so that the caret stands under its character
        let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let before = text.char_indices().take_while(|&(start, _)| start < self.position).count();
        format!("  {shown}\n  {:before$}^ {self}", "")
    }
}

impl fmt::Display for FormulaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.suggestion {
            Some(suggestion) => write!(formatter, "; {suggestion}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FormulaError {}
