//! The gallery as text with pictures beside it, for a repository.

use super::{Exhibit, PAPERS, Tally};
use std::fmt::Write;

/// How the text begins, by which it is known.
pub const MARKDOWN_TITLE: &str = "# Gallery\n\nEvery figure of the papers that shows data";

/// The gallery as Markdown. Pictures are expected beside it as `paper-figure.png`, further ones of the same scenario as
/// `paper-figure-name.png`. It has no times, so that it is the same wherever it was made.
pub fn markdown(exhibits: &[Exhibit]) -> String {
    let mut text = format!(
        "{MARKDOWN_TITLE}, and every statement with its verdict: {}.\n\n\
         Made by `stiction gallery --quick --markdown docs/gallery`: reduced runs, below the size of the papers.\n",
        Tally::of(exhibits).words()
    );
    for paper in &PAPERS {
        let shown: Vec<&Exhibit> = exhibits.iter().filter(|exhibit| exhibit.paper() == paper.key).collect();
        if shown.is_empty() {
            continue;
        }
        let _ = write!(text, "\n## {}\n", paper.citation);
        for exhibit in shown {
            push_exhibit(&mut text, exhibit);
        }
    }
    text
}

/// Names of the files of an exhibit's pictures, in their order.
pub fn file_names(exhibit: &Exhibit) -> impl Iterator<Item = String> + '_ {
    exhibit.pictures.iter().enumerate().map(|(index, picture)| match index {
        0 => format!("{}-{}.png", exhibit.paper(), exhibit.figure()),
        _ => format!("{}-{}-{}.png", exhibit.paper(), exhibit.figure(), picture.name),
    })
}

fn push_exhibit(text: &mut String, exhibit: &Exhibit) {
    let _ = write!(text, "\n### {}: {}\n\n", exhibit.figure(), in_a_cell(&exhibit.title));
    if let Some(trouble) = &exhibit.trouble {
        let _ = writeln!(text, "No answer: {}\n", in_a_cell(trouble));
    }
    for (file, picture) in file_names(exhibit).zip(&exhibit.pictures) {
        let _ = writeln!(text, "![{}]({file})\n", in_a_cell(&picture.caption).replace(['[', ']'], ""));
    }
    let _ = writeln!(text, "`{}`", exhibit.command);
    if exhibit.statements.is_empty() {
        return;
    }
    text.push_str("\n| the paper states | where | ours | band | verdict |\n|---|---|---|---|---|\n");
    for statement in &exhibit.statements {
        let _ = writeln!(
            text,
            "| {} | {} | `{}` = {} | {} | {} |",
            in_a_cell(&statement.statement),
            in_a_cell(&statement.source),
            statement.quantity,
            in_a_cell(&statement.value),
            in_a_cell(&statement.band),
            statement.verdict()
        );
    }
}

/// Without what would end a cell of a table, or be markup of its own.
fn in_a_cell(text: &str) -> String {
    let text = crate::safe_text::lines(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut safe = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '|' => safe.push_str("\\|"),
            '<' if signs.peek().is_some_and(|next| next.is_ascii_alphabetic() || "/!?".contains(*next)) => {
                safe.push_str("&lt;");
            }
            _ => safe.push(sign),
        }
    }
    safe
}
