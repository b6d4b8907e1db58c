//! What a `[[figure]]` entry of a scenario says.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Adds the fields of a panel to a structure.
///
/// A figure with one panel carries these fields itself. Serde's `flatten` cannot refuse unknown keys, so both
/// structures list the fields, and this macro keeps the two lists the same.
macro_rules! with_panel_fields {
    ($(#[$meta:meta])* pub struct $name:ident { $($own:tt)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($own)*
            /// Heading of the panel, for instance `(a) without boundary lubrication`.
            #[serde(default, skip_serializing_if = "String::is_empty")]
            pub heading: String,
            /// The horizontal axis.
            #[serde(default, skip_serializing_if = "is_default")]
            pub x_axis: Axis,
            /// The vertical axis.
            #[serde(default, skip_serializing_if = "is_default")]
            pub y_axis: Axis,
            /// Whether a unit is as long on the horizontal axis as on the vertical one.
            #[serde(default, skip_serializing_if = "is_default")]
            pub equal: bool,
            /// Height of the axes divided by their width [-]; by default 0.72, or what `equal` needs.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[schemars(range(min = 0.1, max = 4.0))]
            pub aspect: Option<f64>,
            /// A map: cells at (`x`, `y`) coloured by a column of numbers or words.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub map: Option<Map>,
            /// Lines: one layer or several.
            #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
            #[schemars(with = "OneOrMany<Layer>")]
            pub lines: Vec<Layer>,
            /// Points: one layer or several.
            #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
            #[schemars(with = "OneOrMany<Layer>")]
            pub points: Vec<Layer>,
            /// Labelled vertical lines at the values of a column.
            #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
            #[schemars(with = "OneOrMany<Markers>")]
            pub markers: Vec<Markers>,
            /// Whether the line y = x is drawn.
            #[serde(default, skip_serializing_if = "is_default")]
            pub diagonal: bool,
            /// Values of the vertical axis at which a thin horizontal line is drawn.
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub horizontal: Vec<f64>,
            /// Values of the horizontal axis at which a thin vertical line is drawn.
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub vertical: Vec<f64>,
        }
    };
}

with_panel_fields! {
    /// A picture made of one or more panels. Either `panel` lists the panels, or the layers stand in the figure itself.
    ///
    /// ```toml
    /// [[figure]]
    /// lines = { x = "time", y = ["displacement", "velocity"] }
    /// ```
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
        /// How wide the picture is; by default a column for panels one below the other, a page for panels side by side.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub width: Option<Width>,
        /// How many panels stand side by side before the next row begins; by default up to two.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 1, max = 6))]
        pub columns: Option<usize>,
        /// The panels; a figure without them is one panel.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub panel: Vec<Panel>,
    }
}

with_panel_fields! {
    /// One pair of axes with its layers, drawn in the order map, reference lines, lines, points, markers.
    pub struct Panel {}
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
    /// Column or columns of the vertical axis.
    #[serde(deserialize_with = "one_or_many")]
    #[schemars(with = "OneOrMany<String>")]
    pub y: Vec<String>,
    /// Column whose change of value breaks a line (an identifier of a branch). Without it a line also breaks where
    /// `color` or `style` change; with it such a change goes on from the last point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// Column of words that chooses the colour and has an entry in the legend (for instance `kind`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Column of words that chooses the line style: `stable` solid, `unstable` dotted, `boundary` dash-dotted, other
    /// words solid, dashed, ... in the order in which they come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// Only the rows in which these columns have these words.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub only: BTreeMap<String, String>,
    /// Name in the legend, for a layer with one `y` and without `color`; by default the label of the column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Width of a line or diameter of a point in points (1/72 inch); by default what suits the number of points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.1, max = 10.0))]
    pub size: Option<f64>,
}

/// Labelled vertical lines.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Markers {
    /// The table; by default the first one of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Column with the places on the horizontal axis.
    pub x: String,
    /// Column of words that chooses the colour; without `text` its words are the labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Column with the labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Only the rows in which these columns have these words.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub only: BTreeMap<String, String>,
}

/// Cells of a regular grid, coloured by what a column says.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// The table; by default the first one of the run. Each row is the centre of a cell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Column of the horizontal axis.
    pub x: String,
    /// Column of the vertical axis.
    pub y: String,
    /// Column that chooses the colour: numbers have a colour bar, words have a legend.
    pub color: String,
    /// Only the rows in which these columns have these words.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub only: BTreeMap<String, String>,
    /// Lower and upper end of the colour bar; by default what the data need.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
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
    #[serde(default, skip_serializing_if = "is_default")]
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

/// How wide a picture is in print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Width {
    /// A column of a journal: 88 mm.
    #[default]
    Column,
    /// Both columns of a journal: 180 mm.
    Page,
}

impl Figure {
    /// The panels: those of the list, or the one that stands in the figure itself.
    pub fn panels(&self) -> Vec<Panel> {
        if self.panel.is_empty() { vec![self.own_panel()] } else { self.panel.clone() }
    }

    /// The panel made of the fields that stand in the figure itself.
    pub(super) fn own_panel(&self) -> Panel {
        Panel {
            heading: self.heading.clone(),
            x_axis: self.x_axis.clone(),
            y_axis: self.y_axis.clone(),
            equal: self.equal,
            aspect: self.aspect,
            map: self.map.clone(),
            lines: self.lines.clone(),
            points: self.points.clone(),
            markers: self.markers.clone(),
            diagonal: self.diagonal,
            horizontal: self.horizontal.clone(),
            vertical: self.vertical.clone(),
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// One entry, or a list of entries.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum OneOrMany<T> {
    /// One entry.
    One(T),
    /// Several entries.
    Many(Vec<T>),
}

/// Reads one entry or a list of entries. An untagged enum would do the same, but would lose the reason of an error.
fn one_or_many<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Entries<T>(std::marker::PhantomData<T>);
    impl<'de, T: Deserialize<'de>> serde::de::Visitor<'de> for Entries<T> {
        type Value = Vec<T>;
        fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
            formatter.write_str("one entry or a list of entries")
        }
        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
            Ok(vec![T::deserialize(serde::de::value::StrDeserializer::new(text))?])
        }
        fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            Ok(vec![T::deserialize(serde::de::value::MapAccessDeserializer::new(map))?])
        }
        fn visit_seq<A: serde::de::SeqAccess<'de>>(self, entries: A) -> Result<Self::Value, A::Error> {
            Vec::deserialize(serde::de::value::SeqAccessDeserializer::new(entries))
        }
    }
    deserializer.deserialize_any(Entries(std::marker::PhantomData))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_layer_or_a_list_of_layers_is_read() {
        let one: Figure = toml::from_str(r#"lines = { x = "time", y = ["displacement", "velocity"] }"#).unwrap();
        let many: Figure =
            toml::from_str(r#"lines = [{ x = "time", y = "displacement" }, { x = "time", y = "velocity" }]"#).unwrap();
        assert_eq!(one.lines[0].y, ["displacement", "velocity"]);
        assert_eq!(many.lines.len(), 2);
        assert_eq!(one.panels()[0].lines, one.lines);
    }

    #[test]
    fn an_unknown_key_is_refused_by_name_at_every_level() {
        for (text, key) in [
            ("colour = 3", "colour"),
            (r#"lines = { x = "time", y = "v", colour = "kind" }"#, "colour"),
            (r#"panel = [{ headings = "a" }]"#, "headings"),
            (r#"markers = { x = "v", y = "w" }"#, "y"),
        ] {
            let message = toml::from_str::<Figure>(text).unwrap_err().to_string();
            assert!(message.contains(&format!("unknown field `{key}`")), "{message}");
        }
    }

    #[test]
    fn what_is_written_reads_back_the_same() {
        let figure: Figure = toml::from_str(
            "width = \"page\"\n[[panel]]\nequal = true\nhorizontal = [0.5]\nmap = { x = \"x\", y = \"v\", color = \"k\" }",
        )
        .unwrap();
        assert_eq!(toml::from_str::<Figure>(&toml::to_string(&figure).unwrap()).unwrap(), figure);
    }

    #[test]
    fn the_schema_refuses_unknown_keys() {
        let schema = serde_json::to_value(schemars::schema_for!(Figure)).unwrap();
        assert_eq!(schema["additionalProperties"], false);
        for part in ["Panel", "Layer", "Markers", "Map", "Axis"] {
            assert_eq!(schema["$defs"][part]["additionalProperties"], false, "{part}");
        }
    }
}
