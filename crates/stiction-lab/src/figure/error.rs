//! Why a picture cannot be drawn.

/// Why a picture cannot be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("figure `{figure}`: {mistake}")]
pub struct FigureError {
    /// The figure.
    pub figure: String,
    /// What is wrong with it.
    pub mistake: Mistake,
}

/// What is wrong with a figure. A name that does not exist comes with those that do, the nearest one first.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the messages")]
pub enum Mistake {
    /// A layer names a table that the run does not have.
    #[error("there is no table `{table}`{hint}", hint = hint(nearest))]
    NoTable { table: String, nearest: Vec<String> },
    /// A layer names a column that its table does not have.
    #[error("table `{table}` has no column `{column}`{hint}", hint = hint(nearest))]
    NoColumn { table: String, column: String, nearest: Vec<String> },
    /// A column of words stands where numbers are needed.
    #[error("column `{column}` of table `{table}` holds words, but an axis needs numbers")]
    NotNumbers { table: String, column: String },
    /// A column holds numbers that its layer cannot draw.
    #[error("column `{column}` of table `{table}` holds {reason}")]
    BadNumbers { table: String, column: String, reason: String },
    /// A value of the figure itself is out of its range.
    #[error("{key} = {value} {expected}")]
    BadValue { key: String, value: String, expected: &'static str },
    /// The keys of a layer do not go together.
    #[error("{layer} {reason}")]
    BadLayer { layer: &'static str, reason: &'static str },
    /// A layer has more parts than a reader can tell apart.
    #[error("table `{table}` gives {count} {what}; at most {most} can be told apart: {remedy}")]
    TooMany { table: String, what: &'static str, count: usize, most: usize, remedy: &'static str },
    /// Layers stand both in the figure and in a list of panels.
    #[error("it has a list of panels and layers of its own; move the layers into a `[[figure.panel]]`")]
    PanelsAndLayers,
    /// The grid of a map is larger than a picture can show.
    #[error("the map of table `{table}` has {columns} x {rows} cells; at most 4000 x 4000 can be drawn")]
    MapTooLarge { table: String, columns: usize, rows: usize },
    /// The picture could not be turned into pixels.
    #[error("it could not be turned into PNG: {0}")]
    Png(String),
}

impl Mistake {
    pub(super) fn of(self, figure: &str) -> FigureError {
        FigureError { figure: figure.to_owned(), mistake: self }
    }

    pub(super) fn value(key: &str, value: f64, expected: &'static str) -> Self {
        Self::BadValue { key: key.to_owned(), value: format!("{value:?}"), expected }
    }
}

impl From<png::EncodingError> for Mistake {
    fn from(error: png::EncodingError) -> Self {
        Self::Png(error.to_string())
    }
}

fn hint(nearest: &[String]) -> String {
    match nearest {
        [] => "; there is none at all".to_owned(),
        [only] => format!("; there is only `{only}`"),
        [first, ..] => {
            let names: Vec<String> = nearest.iter().take(12).map(|name| format!("`{name}`")).collect();
            let more = if nearest.len() > 12 { ", ..." } else { "" };
            format!("; the nearest is `{first}` (there are {}{more})", names.join(", "))
        }
    }
}

/// The names, those most like `wanted` first.
pub(super) fn by_likeness<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut names: Vec<(usize, &str)> = names.map(|name| (strsim::damerau_levenshtein(wanted, name), name)).collect();
    names.sort();
    names.into_iter().map(|(_, name)| name.to_owned()).collect()
}
