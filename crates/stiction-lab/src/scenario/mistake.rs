//! A mistake in a scenario, told so that a person can mend it: what, where, what was probably meant, what is allowed.

use super::source::Place;
use crate::safe_text::{LONGEST, cut, visible};
use std::fmt;
use std::fmt::Write;

/// Something wrong with a scenario, and the place where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// What is wrong, in one line without place.
    pub message: String,
    /// Where it is.
    pub place: Place,
    /// What is said right at the place: the value found, the key that was probably meant.
    pub label: String,
    /// What else helps: what is allowed, what the key means, an example.
    pub notes: Vec<String>,
}

impl Mistake {
    /// A mistake without label and notes.
    pub fn new(place: &Place, message: impl Into<String>) -> Self {
        Self { message: message.into(), place: place.clone(), label: String::new(), notes: Vec::new() }
    }

    /// With a label.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With one more note; an empty one is left out.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        let note = note.into();
        if !note.is_empty() {
            self.notes.push(note);
        }
        self
    }

    /// The message without names and numbers: mistakes of one kind differ in them only.
    fn kind(&self) -> String {
        let outside = self.message.split('`').step_by(2);
        outside.flat_map(str::chars).filter(|sign| !(sign.is_ascii_digit() || "-.,".contains(*sign))).collect()
    }

    /// The mistake as it is shown to a person, with the line of the source and a caret below.
    pub fn render(&self, paint: Paint) -> String {
        let mut out = String::new();
        // writing to a string cannot fail
        let _ = self.write(&mut out, paint);
        out
    }

    fn write(&self, out: &mut String, paint: Paint) -> fmt::Result {
        let [red, blue, bold, end] = paint.codes();
        writeln!(out, "{red}error{end}{bold}: {}{end}", printable(&self.message))?;
        let gutter = match (self.place.line_and_column(), self.place.line()) {
            (Some((number, _)), Some((line, first, many))) => {
                let gutter = number.to_string().len().max(2);
                let (line, first, many) = window(line, first, many);
                // what steers is shown by several signs
                let shown =
                    |from: usize, many: usize| printable(&line.chars().skip(from).take(many).collect::<String>());
                let space: String = shown(0, first).chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
                let carets = "^".repeat(shown(first, many).chars().count().max(1));
                writeln!(out, "{:gutter$}{blue}-->{end} {}", "", printable(&self.place.label()))?;
                writeln!(out, "{:gutter$} {blue}|{end}", "")?;
                writeln!(out, "{blue}{number:>gutter$} |{end} {}", printable(&line))?;
                let text = format!("{carets} {}", printable(&self.label));
                writeln!(out, "{:gutter$} {blue}|{end} {space}{red}{}{end}", "", text.trim_end())?;
                gutter
            }
            _ => {
                writeln!(out, "  {blue}-->{end} {}", printable(&self.place.label()))?;
                if !self.label.is_empty() {
                    writeln!(out, "   {blue}={end} {}", printable(&self.label))?;
                }
                2
            }
        };
        for note in &self.notes {
            for (index, line) in wrapped(note).iter().enumerate() {
                let mark = if index == 0 { "=" } else { " " };
                let line = printable(line);
                if out.len() + line.len() + 50 > LONGEST {
                    return writeln!(out, "{:gutter$} {blue}={end} ...", "");
                }
                writeln!(out, "{:gutter$} {blue}{mark}{end} {line}", "")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.render(Paint::Plain).trim_end())
    }
}

/// Whether messages carry terminal colours. Colours only repeat what the words say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// Without colours.
    Plain,
    /// With the escape codes of terminals.
    Colour,
}

impl Paint {
    /// The codes for red, blue, bold, and the end of each.
    fn codes(self) -> [&'static str; 4] {
        match self {
            Paint::Plain => ["", "", "", ""],
            Paint::Colour => ["\x1b[1;31m", "\x1b[1;34m", "\x1b[1m", "\x1b[0m"],
        }
    }
}

/// All mistakes of a scenario, in the order in which a person reads the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongScenario {
    /// The mistakes, at least one.
    pub mistakes: Vec<Mistake>,
}

impl WrongScenario {
    /// Sorted by place, each mistake once.
    pub(super) fn new(mut mistakes: Vec<Mistake>) -> Self {
        mistakes.sort_by(|a, b| a.place.order().cmp(&b.place.order()).then_with(|| a.message.cmp(&b.message)));
        mistakes.dedup();
        Self { mistakes }
    }

    /// The first mistakes as they are shown to a person, and how many more there are.
    pub fn render(&self, paint: Paint) -> String {
        let mut out: String = self.mistakes.iter().take(SHOWN).map(|mistake| mistake.render(paint) + "\n").collect();
        let [red, _, _, end] = paint.codes();
        match self.mistakes.split_at_checked(SHOWN) {
            Some((shown, hidden @ [_, ..])) => {
                let known = |mistake: &Mistake| shown.iter().any(|shown| shown.kind() == mistake.kind());
                let kind = if hidden.iter().all(known) { " of the same kind" } else { "" };
                out.push_str(&format!("{red}and {} more{kind}{end}\n", hidden.len()));
            }
            _ if self.mistakes.len() > 1 => {
                out.push_str(&format!("{red}{} mistakes in all{end}\n", self.mistakes.len()));
            }
            _ => {}
        }
        out
    }
}

impl fmt::Display for WrongScenario {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.render(Paint::Plain).trim_end())
    }
}

impl std::error::Error for WrongScenario {}

/// More mistakes than this are counted, but not shown: nobody reads on.
const SHOWN: usize = 5;

/// Longest part of a mistake \[bytes\]: four of them are a message.
const LONGEST_PART: usize = 400;

/// A part of a mistake without what could disturb a terminal.
fn printable(text: &str) -> String {
    cut(&visible(&cut(text, 2 * LONGEST_PART), "\t"), LONGEST_PART)
}

/// At most this many characters of a source line are shown.
const WIDTH: usize = 120;

/// The part of a long line around `many` characters from `first` on, and where they are in that part.
fn window(line: &str, first: usize, many: usize) -> (String, usize, usize) {
    let length = line.chars().count();
    if length <= WIDTH {
        return (line.to_owned(), first, many);
    }
    let from = first.saturating_sub(WIDTH / 3).min(length.saturating_sub(WIDTH));
    let mut part: String = line.chars().skip(from).take(WIDTH).collect();
    let mut shift = 0;
    if from > 0 {
        part.insert_str(0, "... ");
        shift = 4;
    }
    if from + WIDTH < length {
        part.push_str(" ...");
    }
    let first = first.saturating_sub(from);
    (part, first + shift, many.min(WIDTH.saturating_sub(first)))
}

/// A note in lines of readable length; further lines are indented.
fn wrapped(note: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in note.lines() {
        let mut line = String::new();
        let mut room = WIDTH;
        for word in paragraph.split_whitespace() {
            let length = word.chars().count() + 1;
            if length > room && !line.is_empty() {
                lines.push(std::mem::replace(&mut line, "   ".to_owned()));
                room = WIDTH - 3;
            }
            if !line.trim().is_empty() {
                line.push(' ');
            }
            line.push_str(word);
            room = room.saturating_sub(length);
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::source::Source;
    use std::sync::Arc;

    #[test]
    fn a_mistake_shows_its_line_and_points_at_it() {
        let source = Arc::new(Source::new("my.toml", "a = 1\n\n\nx = 2\nstiffnes = 30.0\n"));
        let mistake = Mistake::new(&Place::new(&source, 14..22), "unknown key `stiffnes` in system.spring_block")
            .label("did you mean `stiffness`?")
            .note("allowed: mass, stiffness");
        assert_eq!(
            mistake.render(Paint::Plain),
            [
                "error: unknown key `stiffnes` in system.spring_block",
                "  --> my.toml:5:1",
                "   |",
                " 5 | stiffnes = 30.0",
                "   | ^^^^^^^^ did you mean `stiffness`?",
                "   = allowed: mass, stiffness",
                "",
            ]
            .join("\n")
        );
        assert!(mistake.render(Paint::Colour).contains("\x1b[1;31merror\x1b[0m"));
    }

    #[test]
    fn a_long_line_is_shown_around_the_place() {
        let text = format!("a = [{}9]", "1, ".repeat(1000));
        let at = text.find('9').unwrap();
        let place = Place::new(&Arc::new(Source::new("long", text)), at..at + 1);
        let shown = Mistake::new(&place, "nine").render(Paint::Plain);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[3].chars().position(|c| c == '9'), lines[4].chars().position(|c| c == '^'), "{shown}");
        assert!(lines.iter().all(|line| line.chars().count() < 150));
    }

    #[test]
    fn a_source_cannot_disturb_the_terminal() {
        let place = Place::new(&Arc::new(Source::new("evil", "a\x1b[31m = 1")), 0..2);
        let shown = Mistake::new(&place, "x").render(Paint::Plain);
        assert!(shown.contains("a\\u{1b}[31m = 1") && shown.contains(" ^^^^^^^\n"), "{shown}");
        let long = "\u{202e}\n\x1b".repeat(100_000);
        let place = Place::new(&Arc::new(Source::new(long.clone(), long.clone())), 0..300);
        let shown = Mistake::new(&place, long.clone()).label(&long).note(&long).note("allowed").render(Paint::Plain);
        assert!(shown.len() < 2048 && !shown.contains(|c| crate::safe_text::steers(c) && c != '\n'), "{}", shown.len());
    }
}
