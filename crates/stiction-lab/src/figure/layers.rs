//! The layers of a panel as a scenario says them: which columns of which table, and how rows are told apart.

use super::one_or_many::{OneOrMany, is_default, one_or_many};
use super::spec::{Axis, Scale};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Adds the fields that every layer has: its table, and the rows of it that are drawn.
macro_rules! with_rows {
    ($(#[$meta:meta])* pub struct $name:ident { $($own:tt)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// The table; by default the first one of the run.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub table: Option<String>,
            $($own)*
            /// Only the rows in which these columns have these words.
            #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
            pub only: BTreeMap<String, String>,
        }
    };
}

with_rows! {
    /// Lines or points: which columns are drawn, and how rows are told apart.
    pub struct Layer {
        /// Column of the horizontal axis.
        pub x: String,
        /// Column or columns of the vertical axis.
        #[serde(deserialize_with = "one_or_many")]
        #[schemars(with = "OneOrMany<String>")]
        pub y: Vec<String>,
        /// Column whose change of value breaks a line (an identifier of a branch). Without it a line also breaks where
        /// `color` or `style` change; with it such a change goes on from the last point.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub split: Option<String>,
        /// Column of words that chooses the colour and has an entry in the legend (for instance `kind`). Words that
        /// mean the same everywhere (`stable`, `unstable`, `stick`, `SS`, ...) have the same colour in every figure.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub color: Option<String>,
        /// Column of words that chooses the line style: `stable` solid, `unstable` dotted, `boundary` dash-dotted, other
        /// words solid, dashed, ... in the order in which they come.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub style: Option<String>,
        /// For lines without `style`: whether they are dashed.
        #[serde(default, skip_serializing_if = "is_default")]
        pub dashed: bool,
        /// Whether the layer is a background to what matters: grey, whatever else is drawn, and in the legend only with a
        /// `label`.
        #[serde(default, skip_serializing_if = "is_default")]
        pub muted: bool,
        /// For lines: one line in place of all rows, for instance the median of many realisations.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub summary: Option<Summary>,
        /// For points: their shape.
        #[serde(default, skip_serializing_if = "is_default")]
        pub shape: Shape,
        /// For points: column with words that stand beside them; for at most 60 points.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub text: Option<String>,
        /// Column with the half-length of a vertical error bar, in the unit of `y`; the layer has one `y` then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub error: Option<String>,
        /// Name in the legend, for a layer with one `y` and without `color`; by default the label of the column. Layers
        /// of the same name share colour and entry.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub label: Option<String>,
        /// Width of a line or diameter of a point in points (1/72 inch); by default what suits the number of points.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 0.1, max = 10.0))]
        pub size: Option<f64>,
    }
}

/// One line in place of many rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Summary {
    /// The median of `y` over all rows of the same `x`.
    Median,
    /// The smallest `y` of all rows of the same `x`.
    Smallest,
    /// The largest `y` of all rows of the same `x`.
    Largest,
    /// The smallest `y` of all rows up to `x`, in steps.
    SmallestSoFar,
    /// The largest `y` of all rows up to `x`, in steps.
    LargestSoFar,
}

/// The shape of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A disc.
    #[default]
    Circle,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
    /// A square on its corner.
    Diamond,
    /// Two crossed lines.
    Cross,
    /// Another shape for each colour: classes can be told apart in grey print as well.
    ByColor,
}

with_rows! {
    /// A histogram: one bar for each row, from zero to `y` (from the lower end of a logarithmic axis).
    pub struct Bars {
        /// Column with the centres of bins that are evenly spaced (on a logarithmic axis: by equal ratios). Bins without
        /// a row are empty.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub x: Option<String>,
        /// Column with the lower edges of the bins, together with `high` and instead of `x`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub low: Option<String>,
        /// Column with the upper edges of the bins, together with `low` and instead of `x`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub high: Option<String>,
        /// Column with the heights.
        pub y: String,
        /// Column of words that chooses the colour and has an entry in the legend.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub color: Option<String>,
        /// Name in the legend; by default the label of the column `y`. Layers of the same name share colour and entry.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub label: Option<String>,
    }
}

with_rows! {
    /// A filled area between two columns: mean and standard deviation, quantiles, smallest to largest.
    pub struct Bands {
        /// Column of the horizontal axis.
        pub x: String,
        /// Column with the lower edge.
        pub low: String,
        /// Column with the upper edge.
        pub high: String,
        /// Column of words that chooses the colour and has an entry in the legend.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub color: Option<String>,
        /// Name in the legend; by default the labels of both columns. A line of the same name shares colour and entry.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub label: Option<String>,
    }
}

with_rows! {
    /// Arrows centred at (`x`, `y`) along (`dx`, `dy`). All have one scale, chosen so that the longest ones hardly meet.
    pub struct Arrows {
        /// Column of the horizontal axis.
        pub x: String,
        /// Column of the vertical axis.
        pub y: String,
        /// Column with the horizontal component.
        pub dx: String,
        /// Column with the vertical component, in the unit of `dx` if the axes have the same unit.
        pub dy: String,
        /// Name in the legend, where the longest arrow is said as well.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub label: Option<String>,
    }
}

with_rows! {
    /// Labelled vertical lines.
    pub struct Markers {
        /// Column with the places on the horizontal axis.
        pub x: String,
        /// Column with the labels.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub text: Option<String>,
    }
}

with_rows! {
    /// Cells of a regular grid, coloured by what a column says. Each row is the centre of a cell.
    pub struct Map {
        /// Column of the horizontal axis.
        pub x: String,
        /// Column of the vertical axis.
        pub y: String,
        /// Column that chooses the colour: numbers have a colour bar, words have a legend.
        pub color: String,
        /// Name of the colour bar, by default the label of the column; for words, what stands before them in the legend.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub label: Option<String>,
        /// Lower and upper end of the colour bar; by default what the data need.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub range: Option<[f64; 2]>,
        /// Scale of the colour bar. On a logarithmic one, cells that are not positive stay empty.
        #[serde(default, skip_serializing_if = "is_default")]
        pub scale: Scale,
    }
}

/// Curves and points in three dimensions, drawn in a box that is seen from afar. The panel's `x_axis` and `y_axis` hold
/// for the first two directions, and its `equal` for all three.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Space {
    /// Direction of the viewer about the vertical axis \[deg\]: 0 looks from the end of the x-axis, 90 from that of the
    /// y-axis.
    #[serde(default = "azimuth")]
    #[schemars(range(min = -360.0, max = 360.0))]
    pub azimuth: f64,
    /// Direction of the viewer above the horizontal plane \[deg\]: 90 looks from above.
    #[serde(default = "elevation")]
    #[schemars(range(min = -90.0, max = 90.0))]
    pub elevation: f64,
    /// The vertical axis of the box.
    #[serde(default, skip_serializing_if = "is_default")]
    pub z_axis: Axis,
    /// Curves: one layer or several. What is farther away is thinner and paler.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    #[schemars(with = "OneOrMany<Curve>")]
    pub lines: Vec<Curve>,
    /// Points: one layer or several. What is farther away is smaller and paler.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    #[schemars(with = "OneOrMany<Curve>")]
    pub points: Vec<Curve>,
}

impl Default for Space {
    fn default() -> Self {
        let (lines, points) = (Vec::new(), Vec::new());
        Self { azimuth: azimuth(), elevation: elevation(), z_axis: Axis::default(), lines, points }
    }
}

fn azimuth() -> f64 {
    -60.0
}

fn elevation() -> f64 {
    25.0
}

with_rows! {
    /// Curves or points of a [`Space`].
    pub struct Curve {
        /// Column of the first horizontal direction.
        pub x: String,
        /// Column of the second horizontal direction.
        pub y: String,
        /// Column of the vertical direction.
        pub z: String,
        /// Column whose change of value breaks a curve (an identifier of a branch). Without it a curve also breaks where
        /// `color` changes; with it such a change goes on from the last point.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub split: Option<String>,
        /// Column of words that chooses the colour and has an entry in the legend.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub color: Option<String>,
        /// Whether the layer is a background to what matters: grey, whatever else is drawn, and in the legend only with a
        /// `label`.
        #[serde(default, skip_serializing_if = "is_default")]
        pub muted: bool,
        /// Name in the legend; by default the label of the column `z`. Layers of the same name share colour and entry.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub label: Option<String>,
        /// Width of a line or diameter of a point in points (1/72 inch); by default what suits the number of points.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 0.1, max = 10.0))]
        pub size: Option<f64>,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_has_a_direction_by_default_and_reads_back() {
        let space: Space = toml::from_str(r#"lines = { x = "x", y = "y", z = "z" }"#).unwrap();
        assert_eq!((space.azimuth, space.elevation), (-60.0, 25.0));
        assert_eq!(toml::from_str::<Space>(&toml::to_string(&space).unwrap()).unwrap(), space);
    }
}
