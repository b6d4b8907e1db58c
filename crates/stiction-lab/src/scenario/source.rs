//! Where a value of a scenario was written: a text with a name, and a stretch of it.

use std::ops::Range;
use std::sync::Arc;

/// A text that values come from: a file, a built-in scenario, or one `--set` argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// How messages call it, for instance `my.toml`, `--set`, `<stdin>`.
    pub name: String,
    /// What is written there.
    pub text: String,
    /// Later sources win over earlier ones, and their mistakes are told after them.
    pub(super) rank: usize,
}

impl Source {
    /// The text of a scenario under the name that messages use.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), rank: 0 }
    }

    /// The `rank`-th `--set` argument, counted from one.
    pub(super) fn setting(argument: &str, rank: usize) -> Self {
        Self { name: "--set".to_owned(), text: argument.to_owned(), rank }
    }

    /// Whether this is a `--set` argument.
    pub(super) fn is_setting(&self) -> bool {
        self.rank > 0
    }
}

/// A stretch of a source; without a span it is the source as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    source: Arc<Source>,
    span: Option<Range<usize>>,
}

impl Place {
    /// The source as a whole.
    pub fn whole(source: &Arc<Source>) -> Self {
        Self { source: Arc::clone(source), span: None }
    }

    /// The bytes `span` of the source; a span that does not fit is moved to the nearest one that does.
    pub fn new(source: &Arc<Source>, span: Range<usize>) -> Self {
        let text = &source.text;
        let start = boundary(text, span.start);
        let end = boundary(text, span.end).max(start);
        Self { source: Arc::clone(source), span: Some(start..end) }
    }

    /// The source.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What is written at the place.
    pub fn text(&self) -> &str {
        self.span.clone().and_then(|span| self.source.text.get(span)).unwrap_or("")
    }

    /// The single byte offset `inside` this place as a place of its own.
    #[must_use]
    pub fn inside(&self, inside: usize) -> Self {
        match &self.span {
            Some(span) => {
                let start = boundary(&self.source.text, span.start.saturating_add(inside).min(span.end));
                let end = self
                    .source
                    .text
                    .get(start..)
                    .and_then(|rest| rest.chars().next())
                    .map_or(start, |c| start + c.len_utf8());
                Self { source: Arc::clone(&self.source), span: Some(start..end.min(span.end).max(start)) }
            }
            None => self.clone(),
        }
    }

    /// Line and column, both counted from one, the column in characters.
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        let start = self.span.as_ref()?.start;
        let before = self.source.text.get(..start)?;
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Some((line, column))
    }

    /// The line of the place, without its end, and the place inside it in characters: first one and how many.
    pub(super) fn line(&self) -> Option<(&str, usize, usize)> {
        let span = self.span.as_ref()?;
        let text = &self.source.text;
        let from = text.get(..span.start)?.rfind('\n').map_or(0, |at| at + 1);
        let to = text.get(span.start..)?.find('\n').map_or(text.len(), |at| span.start + at);
        let line = text.get(from..to)?.trim_end_matches('\r');
        let first = text.get(from..span.start)?.chars().count();
        // a place of several lines is shown by its first line
        let many = text.get(span.start..span.end.min(to))?.trim_end().chars().count();
        Some((line, first, many))
    }

    /// `name:line:column`, or the name alone.
    pub fn label(&self) -> String {
        match self.line_and_column() {
            Some((line, column)) => format!("{}:{line}:{column}", self.source.name),
            None => self.source.name.clone(),
        }
    }

    /// What places are sorted by: the order in which a person reads the sources.
    pub(super) fn order(&self) -> (usize, usize) {
        (self.source.rank, self.span.as_ref().map_or(0, |span| span.start))
    }
}

/// The nearest character boundary at or before `at`.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, span: Range<usize>) -> Place {
        Place::new(&Arc::new(Source::new("my.toml", text)), span)
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        let text = "a = 1\nκ = 2\n";
        assert_eq!(place(text, 0..1).label(), "my.toml:1:1");
        let two = text.find('2').unwrap();
        assert_eq!(place(text, two..two + 1).label(), "my.toml:2:5");
        assert_eq!(place(text, two..two + 1).line(), Some(("κ = 2", 4, 1)));
    }

    #[test]
    fn any_span_is_a_place() {
        let text = "κκ\r\nκ";
        for start in 0..12 {
            for end in 0..12 {
                let place = place(text, start..end);
                let _ = (place.label(), place.line(), place.inside(start), place.text().len());
            }
        }
    }
}
