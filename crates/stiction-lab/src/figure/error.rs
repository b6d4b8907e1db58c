//! Why a picture cannot be drawn.

/// Why a picture cannot be drawn. Each names the figure, and the nearest name that exists.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    /// A layer names a table that the run does not have.
    #[error("figure `{figure}`: there is no table `{table}`{hint}", hint = hint(nearest))]
    NoTable {
        /// The figure.
        figure: String,
        /// The table that was asked for.
        table: String,
        /// The names that exist, the nearest one first.
        nearest: Vec<String>,
    },
    /// A layer names a column that its table does not have.
    #[error("figure `{figure}`: table `{table}` has no column `{column}`{hint}", hint = hint(nearest))]
    NoColumn {
        /// The figure.
        figure: String,
        /// The table.
        table: String,
        /// The column that was asked for.
        column: String,
        /// The names that exist, the nearest one first.
        nearest: Vec<String>,
    },
    /// A column of words stands where numbers are needed.
    #[error("figure `{figure}`: column `{column}` of table `{table}` holds words, but an axis needs numbers")]
    NotNumbers {
        /// The figure.
        figure: String,
        /// The table.
        table: String,
        /// The column.
        column: String,
    },
    /// A number is too large to be drawn.
    #[error(
        "figure `{figure}`: column `{column}` of table `{table}` holds {value:e}, beyond the {limit:e} that can be drawn; \
         give the axis a range, or look at the table for what went wrong",
        limit = super::scale::LARGEST
    )]
    TooLarge {
        /// The figure.
        figure: String,
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// The number.
        value: f64,
    },
    /// The range of an axis is not a range.
    #[error("figure `{figure}`: {axis}.range = [{low:?}, {high:?}] {reason}")]
    BadRange {
        /// The figure.
        figure: String,
        /// `x_axis`, `y_axis` or `map`.
        axis: &'static str,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// What is wrong and what would be right.
        reason: &'static str,
    },
    /// A number of the figure itself is out of its range.
    #[error("figure `{figure}`: {key} = {value:?} must be {expected}")]
    BadNumber {
        /// The figure.
        figure: String,
        /// The key.
        key: &'static str,
        /// Its value.
        value: f64,
        /// The numbers that are allowed.
        expected: &'static str,
    },
    /// A text of the figure itself is not one that can be drawn.
    #[error("figure `{figure}`: {key} = {value:?} must be {expected}")]
    BadText {
        /// The figure.
        figure: String,
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
        /// The texts that are allowed.
        expected: &'static str,
    },
    /// A number of a column is not one that its layer can draw.
    #[error("figure `{figure}`: column `{column}` of table `{table}` holds {value:?} in row {row}; {expected}")]
    BadCell {
        /// The figure.
        figure: String,
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// The row, counted from 1.
        row: usize,
        /// The number.
        value: f64,
        /// What the layer needs.
        expected: &'static str,
    },
    /// The columns of a layer do not make sense together.
    #[error("figure `{figure}`: {layer} {reason}")]
    BadLayer {
        /// The figure.
        figure: String,
        /// The key of the layer, for instance `bars`.
        layer: &'static str,
        /// What is wrong and what would be right.
        reason: &'static str,
    },
    /// The centres of a histogram's bins have no common distance.
    #[error(
        "figure `{figure}`: column `{column}` of table `{table}` holds centres of bins that are not evenly spaced; \
         give columns `low` and `high` with their edges instead"
    )]
    UnevenBins {
        /// The figure.
        figure: String,
        /// The table.
        table: String,
        /// The column.
        column: String,
    },
    /// A layer has more parts than a reader can tell apart.
    #[error("figure `{figure}`: table `{table}` gives {count} {what}; at most {most} can be told apart: {remedy}")]
    TooMany {
        /// The figure.
        figure: String,
        /// The table.
        table: String,
        /// The parts, for instance `bars`.
        what: &'static str,
        /// Their number.
        count: usize,
        /// The largest number.
        most: usize,
        /// What can be done.
        remedy: &'static str,
    },
    /// Layers stand both in the figure and in a list of panels.
    #[error("figure `{figure}` has a list of panels and layers of its own; move the layers into a `[[figure.panel]]`")]
    PanelsAndLayers {
        /// The figure.
        figure: String,
    },
    /// The grid of a map is larger than a picture can show.
    #[error(
        "figure `{figure}`: the map of table `{table}` has {columns} x {rows} cells; at most 4000 x 4000 can be drawn"
    )]
    MapTooLarge {
        /// The figure.
        figure: String,
        /// The table.
        table: String,
        /// Number of different values of `x`.
        columns: usize,
        /// Number of different values of `y`.
        rows: usize,
    },
    /// The picture could not be turned into pixels.
    #[error("figure `{figure}` could not be turned into PNG: {reason}")]
    Png {
        /// The figure.
        figure: String,
        /// What the renderer says.
        reason: String,
    },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_comes_first() {
        let nearest = by_likeness("velocty", ["time", "displacement", "velocity"].into_iter());
        assert_eq!(nearest[0], "velocity");
        let error = FigureError::NoColumn { figure: "f".into(), table: "t".into(), column: "velocty".into(), nearest };
        assert!(error.to_string().contains("the nearest is `velocity`"), "{error}");
    }
}
