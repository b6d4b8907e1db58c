//! The page of the gallery: one file that needs nothing but itself.

use super::{Exhibit, PAPERS, Paper, Tally};
use crate::figure::escape;
use crate::report::html;
use std::fmt::Write;

/// Title of the page, by which it is known.
pub const PAGE_TITLE: &str = "stiction: every figure, every statement";

/// The page: a summary, then paper by paper every figure with its statements.
pub fn page(exhibits: &[Exhibit]) -> String {
    let mut body = String::from("<h1>Every figure, every statement</h1>\n");
    let reduced = exhibits.iter().any(|exhibit| exhibit.reduced);
    let note = if reduced {
        " Reduced runs are marked; without <code>--quick</code> they have the size of the paper."
    } else {
        ""
    };
    let _ = writeln!(
        body,
        "<p class=\"name\">What the program computes beside what the papers state: {}.{note}</p>",
        escape(&Tally::of(exhibits).words())
    );
    push_overview(&mut body, exhibits);
    for paper in &PAPERS {
        let shown: Vec<&Exhibit> = exhibits.iter().filter(|exhibit| exhibit.paper() == paper.key).collect();
        if shown.is_empty() {
            continue;
        }
        let _ = writeln!(body, "<h1 id=\"{}\" class=\"paper\">{}</h1>", paper.key, escape(paper.citation));
        for exhibit in shown {
            push_exhibit(&mut body, exhibit);
        }
    }
    html(PAGE_TITLE, &body)
}

fn push_overview(body: &mut String, exhibits: &[Exhibit]) {
    body.push_str(
        "<div class=\"wide\"><table>\n<tr><th>paper</th><th>figures</th><th>statements</th><th>hold</th><th>erratum</th>\
         <th>need full size</th><th>open</th></tr>\n",
    );
    for Paper { key, citation, .. } in &PAPERS {
        let of_paper = exhibits.iter().filter(|exhibit| exhibit.paper() == *key);
        if of_paper.clone().next().is_none() {
            continue;
        }
        let Tally { figures, checked, held, explained, left, open } = Tally::of(of_paper.clone());
        let names: Vec<String> = of_paper
            .map(|exhibit| format!("<a href=\"#{}\">{}</a>", anchor(exhibit), escape(exhibit.figure())))
            .collect();
        let class = if open == 0 { "holds" } else { "fails" };
        let _ = writeln!(
            body,
            "<tr><td><a href=\"#{key}\">{}</a></td><td>{figures}: {}</td><td class=\"number\">{checked}</td>\
             <td class=\"number\">{held}</td><td class=\"number\">{explained}</td><td class=\"number\">{left}</td>\
             <td class=\"number {class}\">{open}</td></tr>",
            escape(citation),
            names.join(" "),
        );
    }
    body.push_str("</table></div>\n");
}

fn anchor(exhibit: &Exhibit) -> String {
    escape(&exhibit.scenario.replace('/', "-"))
}

fn push_exhibit(body: &mut String, exhibit: &Exhibit) {
    let _ = writeln!(
        body,
        "<h2 id=\"{}\">{} · {}</h2>\n<p>{}</p>",
        anchor(exhibit),
        escape(exhibit.figure()),
        escape(&exhibit.title),
        escape(&exhibit.sentence)
    );
    if let Some(trouble) = &exhibit.trouble {
        let _ = writeln!(
            body,
            "<div class=\"warnings\" role=\"note\"><strong>No answer</strong><p>{}</p></div>",
            escape(trouble)
        );
    }
    for picture in &exhibit.pictures {
        // names of parts of one picture must not meet those of another on the same page
        let svg = renamed(&picture.svg, &format!("{}-{}-", anchor(exhibit), escape(&picture.name)));
        let svg = svg.replacen(
            "<svg ",
            &format!("<svg class=\"page\" role=\"img\" aria-label=\"{}\" ", escape(&picture.caption)),
            1,
        );
        let _ = writeln!(
            body,
            "<figure><div class=\"picture\">{svg}</div><figcaption>{}</figcaption></figure>",
            escape(&picture.caption)
        );
    }
    let time = exhibit.seconds.map(|seconds| format!("   # {} s", crate::report::readable(rounded(seconds))));
    let _ = writeln!(body, "<pre>{}{}</pre>", escape(&exhibit.command), time.unwrap_or_default());
    push_statements(body, exhibit);
}

fn push_statements(body: &mut String, exhibit: &Exhibit) {
    if exhibit.statements.is_empty() {
        return;
    }
    body.push_str(
        "<div class=\"wide\"><table>\n<tr><th>the paper states</th><th>where</th><th>ours</th><th>band</th><th>verdict</th></tr>\n",
    );
    for statement in &exhibit.statements {
        let class = match (statement.needs_full_size, statement.holds) {
            (true, _) => "open",
            (false, true) => "holds",
            (false, false) => "fails",
        };
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td>{}</td><td class=\"number\"><code>{}</code> = {}</td><td class=\"number\">{}</td>\
             <td class=\"{class}\">{}</td></tr>",
            escape(&statement.statement),
            escape(&statement.source),
            escape(&statement.quantity),
            escape(&statement.value),
            escape(&statement.band),
            escape(&statement.verdict()),
        );
    }
    body.push_str("</table></div>\n");
}

/// A picture whose names of parts (clips, patterns) begin with `prefix`.
fn renamed(svg: &str, prefix: &str) -> String {
    svg.replace(" id=\"", &format!(" id=\"{prefix}"))
        .replace("url(#", &format!("url(#{prefix}"))
        .replace("href=\"#", &format!("href=\"#{prefix}"))
}

/// Two significant digits are enough for a time.
fn rounded(seconds: f64) -> f64 {
    let digits = if seconds >= 10.0 {
        1.0
    } else if seconds >= 1.0 {
        10.0
    } else {
        100.0
    };
    (seconds * digits).round() / digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_pictures_have_names_of_their_own() {
        let svg = "<clipPath id=\"c1\"/><g clip-path=\"url(#c1)\"><use href=\"#c1\"/></g>";
        let wanted = "<clipPath id=\"a-c1\"/><g clip-path=\"url(#a-c1)\"><use href=\"#a-c1\"/></g>";
        assert_eq!(renamed(svg, "a-"), wanted);
    }
}
