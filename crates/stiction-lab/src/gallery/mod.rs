//! Every figure of every paper on one page: our picture, what it shows, the command, and each statement with its verdict.
//!
//! An [`Exhibit`] is read from the folder that a run left behind, so that a gallery that was interrupted goes on with the
//! figures that are missing. [`page`] and [`markdown`] depend on the exhibits alone.

mod exhibit;
mod markdown;
mod page;
mod papers;

pub use exhibit::{Exhibit, Picture, Statement};
pub use markdown::{MARKDOWN_TITLE, file_names, markdown};
pub use page::{PAGE_TITLE, page};
pub use papers::{PAPERS, Paper, figures};

/// What the statements of a gallery add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Figures with at least one picture.
    pub figures: usize,
    /// Statements with a verdict.
    pub checked: usize,
    /// Statements that hold.
    pub held: usize,
    /// Statements that do not hold and are explained by an erratum.
    pub explained: usize,
    /// Statements that only a run of full size decides, in a reduced gallery.
    pub left: usize,
    /// Statements that do not hold without an explanation, or that could not be decided.
    pub open: usize,
}

impl Tally {
    /// Counts the statements of exhibits.
    pub fn of<'a>(exhibits: impl IntoIterator<Item = &'a Exhibit>) -> Self {
        let mut tally = Self::default();
        for exhibit in exhibits {
            tally.figures += usize::from(!exhibit.pictures.is_empty());
            for statement in &exhibit.statements {
                tally.checked += usize::from(statement.decided);
                match (statement.decided && statement.holds, &statement.erratum) {
                    _ if statement.needs_full_size => tally.left += 1,
                    (true, _) => tally.held += 1,
                    (false, Some(_)) if statement.decided => tally.explained += 1,
                    (false, _) => tally.open += 1,
                }
            }
        }
        tally
    }

    /// The tally in words.
    pub fn words(&self) -> String {
        let Self { figures, checked, held, explained, left, open } = self;
        let left = if *left == 0 { String::new() } else { format!(", {left} need the full size") };
        let rest = if *open == 0 { left } else { format!("{left}, {open} open") };
        format!(
            "{figures} figures, {checked} statements checked: {held} hold, {explained} do not and have an erratum{rest}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(decided: bool, holds: bool, erratum: Option<&str>) -> Statement {
        Statement {
            statement: "a < b & c".to_owned(),
            source: "p. 1".to_owned(),
            quantity: "ratio".to_owned(),
            value: "0.5".to_owned(),
            band: "at most 1".to_owned(),
            decided,
            needs_full_size: false,
            holds,
            erratum: erratum.map(str::to_owned),
        }
    }

    fn exhibit(statements: Vec<Statement>) -> Exhibit {
        Exhibit {
            scenario: "elmer1997/fig3".to_owned(),
            title: "Title | with a bar".to_owned(),
            sentence: "What it shows.".to_owned(),
            command: "stiction run elmer1997/fig3 --quick".to_owned(),
            seconds: Some(0.25),
            reduced: true,
            pictures: vec![Picture {
                name: "fig3".to_owned(),
                caption: "Caption.".to_owned(),
                svg: "<svg width=\"1\" height=\"1\" xmlns=\"http://www.w3.org/2000/svg\"></svg>".to_owned(),
            }],
            statements,
            trouble: None,
        }
    }

    #[test]
    fn every_statement_is_counted_once() {
        let tally = Tally::of(&[exhibit(vec![
            statement(true, true, None),
            statement(true, false, Some("E-01")),
            statement(true, false, None),
            statement(false, false, None),
            statement(false, false, Some("E-02")),
        ])]);
        assert_eq!(tally, Tally { figures: 1, checked: 3, held: 1, explained: 1, left: 0, open: 3 });
        assert!(tally.words().ends_with("3 open"));
    }

    #[test]
    fn page_and_text_show_every_statement_and_escape_it() {
        let exhibits = [exhibit(vec![statement(true, true, None), statement(true, false, Some("E-01"))])];
        let page = page(&exhibits);
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("a &lt; b &amp; c") && page.contains("E-01"));
        let text = markdown(&exhibits);
        assert!(text.contains("| a < b & c |") && text.contains("(elmer1997-fig3.png)"), "{text}");
        assert!(!text.contains("0.25 s"), "times differ from machine to machine");
    }

    #[test]
    fn every_figure_with_data_is_a_scenario() {
        let landed = |name: &String| {
            let paper = name.split('/').next().unwrap_or_default();
            crate::scenario::builtins().any(|builtin| builtin.name.starts_with(paper))
        };
        let missing: Vec<String> =
            figures(None).filter(landed).filter(|name| crate::scenario::builtin(name).is_err()).collect();
        assert!(missing.is_empty(), "{missing:?}");
        let known: Vec<String> = figures(None).collect();
        for builtin in crate::scenario::builtins().filter(|builtin| builtin.name.contains("/fig")) {
            assert!(known.iter().any(|name| name == builtin.name), "{} is in no list of figures", builtin.name);
        }
    }
}
