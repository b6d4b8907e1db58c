//! What a `[[figure]]` entry of a scenario says.

use super::layers::{Arrows, Bands, Bars, Layer, Map, Markers, Space};
use super::one_or_many::{OneOrMany, is_default, one_or_many};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
            /// Bars of a histogram: one layer or several.
            #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
            #[schemars(with = "OneOrMany<Bars>")]
            pub bars: Vec<Bars>,
            /// Filled areas between two columns: one layer or several.
            #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
            #[schemars(with = "OneOrMany<Bands>")]
            pub bands: Vec<Bands>,
            /// Lines: one layer or several.
            #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
            #[schemars(with = "OneOrMany<Layer>")]
            pub lines: Vec<Layer>,
            /// Points: one layer or several.
            #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
            #[schemars(with = "OneOrMany<Layer>")]
            pub points: Vec<Layer>,
            /// Arrows, as of a flow: one layer or several.
            #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
            #[schemars(with = "OneOrMany<Arrows>")]
            pub arrows: Vec<Arrows>,
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
            /// Curves and points in three dimensions, seen from a direction; they fill the panel, which has no other
            /// layers.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub space: Option<Space>,
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
    /// One pair of axes with its layers, drawn in the order map, bars, bands, reference lines, markers, arrows,
    /// lines, points.
    pub struct Panel {}
}

/// An axis: everything here is automatic unless it is said.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// Label without unit; by default that of the column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Unit, written in brackets after the label, for instance `m/s`, and `-` for a pure number; by default that of the
    /// column. It names what the numbers are and does not convert them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 24), regex(pattern = r"^[^\[\]\x00-\x1f]+$"))]
    pub unit: Option<String>,
    /// Lower and upper end; by default what the data need.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// Linear or logarithmic.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scale: Scale,
}

impl Axis {
    /// What is wrong with the unit, if anything.
    pub(super) fn bad_unit(&self) -> Option<(&str, &'static str)> {
        let unit = self.unit.as_deref()?;
        let length = unit.trim().chars().count();
        if length == 0 {
            Some((unit, "must be a unit, or `-` for a pure number"))
        } else if length > LONGEST_UNIT {
            Some((unit, "must be at most 24 signs long"))
        } else if unit.contains(['[', ']']) || unit.contains(char::is_control) {
            Some((unit, "must be without brackets, which are drawn around it, and in one line"))
        } else {
            None
        }
    }
}

/// Longest unit of an axis.
const LONGEST_UNIT: usize = 24;

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

    /// Whether everything that it draws is in these tables, the first of which is that of layers that name none.
    pub(crate) fn draws_only(&self, tables: &[crate::dataset::Table]) -> bool {
        super::draw(self, tables, None).is_ok()
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
            bars: self.bars.clone(),
            bands: self.bands.clone(),
            lines: self.lines.clone(),
            points: self.points.clone(),
            arrows: self.arrows.clone(),
            markers: self.markers.clone(),
            diagonal: self.diagonal,
            horizontal: self.horizontal.clone(),
            vertical: self.vertical.clone(),
            space: self.space.clone(),
        }
    }
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
    fn the_schema_and_the_check_agree_on_units() {
        let schema = serde_json::to_value(schemars::schema_for!(Axis)).unwrap();
        let unit = &schema["properties"]["unit"];
        assert_eq!(unit["maxLength"], LONGEST_UNIT);
        let bad = |unit: &str| Axis { unit: Some(unit.to_owned()), ..Axis::default() }.bad_unit().is_some();
        for good in ["m/s", "-", "N m", "µm", "s/(kg m²)"] {
            assert!(!bad(good), "{good}");
        }
        for wrong in ["", " ", "[m]", "m\ns", "a unit that nobody would ever write"] {
            assert!(bad(wrong), "{wrong:?}");
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
        for part in ["Panel", "Layer", "Bars", "Bands", "Arrows", "Space", "Curve", "Markers", "Map", "Axis"] {
            assert_eq!(schema["$defs"][part]["additionalProperties"], false, "{part}");
        }
    }
}
