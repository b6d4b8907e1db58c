//! The shapes of a contact area, as a person says them.

use crate::Problem;
use crate::keys::{Check, keyed, outside};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The shape of a contact area, chosen by name. Torques and rotations are about its centroid. A field over it has the
/// coordinates of the shape's own keys: corners of a polygon, otherwise the middle of the shape (of a mask, that of its grid).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A square.
    Square(Square),
    /// A rectangle.
    Rectangle(Rectangle),
    /// A disc.
    Disc(Disc),
    /// A disc with a round hole in its middle.
    Annulus(Annulus),
    /// A polygon, possibly with holes.
    Polygon(Polygon),
    /// Cells of a regular grid.
    Mask(Mask),
}

keyed!(Shape);

/// A square.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Square {
    /// Half the side \[m\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub half_side: f64,
}

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rectangle {
    /// Half the length along x \[m\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) half_length: f64,
    /// Half the width along y \[m\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) half_width: f64,
}

/// A disc.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disc {
    /// Radius \[m\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub radius: f64,
}

/// A disc with a round hole in its middle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Annulus {
    /// Radius of the hole \[m\], less than the outer radius.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) inner_radius: f64,
    /// Outer radius \[m\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) outer_radius: f64,
}

/// A polygon, possibly with holes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Polygon {
    /// Corners of the rim in order \[m\]; the last is joined to the first.
    pub corners: Vec<[f64; 2]>,
    /// Holes, each by its corners in order \[m\].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<Vec<[f64; 2]>>,
}

/// Cells of a regular grid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mask {
    /// Side of a cell \[m\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) cell: f64,
    /// Rows of the grid from top (largest y) to bottom, `#` for a cell in contact and `.` for one that is not.
    pub(crate) rows: Vec<String>,
}

impl Annulus {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Check::default();
        if self.inner_radius >= self.outer_radius {
            let (inner, outer) = (self.inner_radius, self.outer_radius);
            check.problem("inner_radius", format!("is {inner} m, but must be less than `outer_radius` = {outer} m"));
        }
        check.found()
    }
}

impl Shape {
    /// What is wrong with the shape; empty if nothing.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let found = outside(self);
        if found.is_empty() { self.contradictions() } else { found }
    }

    /// What is wrong beyond the range of each key.
    pub(crate) fn contradictions(&self) -> Vec<Problem> {
        let (name, found) = match self {
            Shape::Square(_) | Shape::Rectangle(_) | Shape::Disc(_) => return Vec::new(),
            Shape::Annulus(annulus) => ("annulus", annulus.problems()),
            Shape::Polygon(polygon) => ("polygon", polygon.problems()),
            Shape::Mask(mask) => ("mask", mask.problems()),
        };
        found.into_iter().map(|problem| problem.below(name)).collect()
    }
}
