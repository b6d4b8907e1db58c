//! What a `[[figure]]` entry of a scenario says.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A picture made of one or more panels. Either `panel` lists the panels, or the layers stand in the figure itself.
///
/// ```toml
/// [[figure]]
/// lines = { x = "time", y = ["displacement", "velocity"] }
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Name of the file without ending; by default `figure`, `figure-2`, ...
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Title above the picture.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// One sentence below the picture in the report: what it shows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub caption: String,
    /// How many panels stand side by side before the next row begins; by default up to two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 6))]
    pub columns: Option<usize>,
    /// The panels; a figure without them is one panel.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub panel: Vec<Panel>,
    /// The only panel of a figure without a `panel` list.
    #[serde(flatten)]
    pub single: Panel,
}

/// One pair of axes with its layers, drawn in the order maps, bands, lines, points, markers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Panel {
    /// Heading of the panel, for instance `(a) without boundary lubrication`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub heading: String,
    /// The horizontal axis.
    #[serde(default, skip_serializing_if = "Axis::is_automatic")]
    pub x_axis: Axis,
    /// The vertical axis.
    #[serde(default, skip_serializing_if = "Axis::is_automatic")]
    pub y_axis: Axis,
    /// Lines: one layer or several.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    #[schemars(with = "OneOrMany")]
    pub lines: Vec<Layer>,
    /// Points: one layer or several.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    #[schemars(with = "OneOrMany")]
    pub points: Vec<Layer>,
    /// Labelled vertical lines at the values of column `x`, labelled by the column `color`.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    #[schemars(with = "OneOrMany")]
    pub markers: Vec<Layer>,
    /// A map: cells at (`x`, `y`) coloured by the column `color` (numbers or words).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<Layer>,
}

/// Which columns of which table are drawn, and how rows are told apart.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// The table; by default the first one of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Column of the horizontal axis.
    pub x: String,
    /// Column or columns of the vertical axis (markers have none).
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    #[schemars(with = "OneOrManyNames")]
    pub y: Vec<String>,
    /// Column whose change of value breaks a line (an identifier of a branch).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// Column of words that chooses the colour and has an entry in the legend (for instance `kind`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Column of words that chooses the line style: `stable` solid, `unstable` dotted, `boundary` dash-dotted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// Only the rows in which these columns have these words.
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub only: std::collections::BTreeMap<String, String>,
    /// Name in the legend, for a layer without `color`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// An axis: everything here is automatic unless it is said.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// Label without unit; by default that of the column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Lower and upper end; by default what the data need.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// Linear or logarithmic.
    #[serde(default, skip_serializing_if = "Scale::is_linear")]
    pub scale: Scale,
}

/// The scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Equal distances are equal differences.
    #[default]
    Linear,
    /// Equal distances are equal ratios.
    Log,
}

impl Axis {
    fn is_automatic(&self) -> bool {
        *self == Self::default()
    }
}

impl Scale {
    fn is_linear(&self) -> bool {
        *self == Scale::Linear
    }
}

/// A layer, or a list of layers.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum OneOrMany {
    /// One layer.
    One(Layer),
    /// Several layers.
    Many(Vec<Layer>),
}

/// A name, or a list of names.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum OneOrManyNames {
    /// One name.
    One(String),
    /// Several names.
    Many(Vec<String>),
}

fn one_or_many<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either<T> {
        One(T),
        Many(Vec<T>),
    }
    Ok(match Either::deserialize(deserializer)? {
        Either::One(one) => vec![one],
        Either::Many(many) => many,
    })
}
