//! The seven words of an assembly, each entry of its lists with every formula in parameters replaced by its number.

use crate::keys::keyed;
use crate::law::{Aging, Law};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A mechanism of one's own: bodies, springs, forces, drives and contacts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Declaration {
    /// Named numbers that every formula knows.
    pub parameters: BTreeMap<String, f64>,
    /// Bodies: sliders, rotors and points.
    pub body: Vec<Body>,
    /// Springs and dampers.
    pub spring: Vec<Spring>,
    /// Forces given by formulas.
    pub force: Vec<Force>,
    /// Drives: surfaces and ends whose motion is given.
    pub drive: Vec<Drive>,
    /// Contacts with friction.
    pub contact: Vec<Contact>,
    /// How contacts that reach their limits at one instant leave.
    pub simultaneous: Simultaneous,
}

/// A body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Its name: a word that names its columns (`x_m`, `v_m`).
    pub name: String,
    /// How it can move.
    #[serde(default)]
    pub kind: BodyKind,
    /// Mass of a slider or point \[kg\], > 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub mass: Option<f64>,
    /// Moment of inertia of a rotor [kg m²], > 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub inertia: Option<f64>,
    /// Where it starts; by default at rest at zero.
    #[serde(default)]
    pub start: BodyStart,
    /// Makes this number of bodies, `name[1]`, `name[2]`, …; formulas know the number of each as `i`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000))]
    pub repeat: Option<usize>,
}

/// How a body can move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BodyKind {
    /// Along a line: one coordinate \[m\].
    #[default]
    Slider,
    /// About an axis: one angle \[rad\].
    Rotor,
    /// In the plane, without turning: two coordinates \[m\].
    Point,
}

/// Where a body starts.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BodyStart {
    /// Position \[m\], angle of a rotor \[rad\]; two numbers for a point.
    pub position: OneOrTwo,
    /// Velocity [m/s], of a rotor [rad/s]; two numbers for a point.
    pub velocity: OneOrTwo,
}

/// One number, or two.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OneOrTwo {
    /// One number.
    One(f64),
    /// Two numbers.
    Two([f64; 2]),
}

impl Default for OneOrTwo {
    fn default() -> Self {
        Self::One(0.0)
    }
}

/// A spring and damper between two ends: e = u_second − u_first, force on the first end k e + k₃ e³ + d ė + preload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spring {
    /// Its name, for the column of its force; by default `first_second`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its ends: a body, `body.x`, `body.y`, a drive, or `"ground"`.
    pub between: [String; 2],
    /// Stiffness [N/m]; 0 for a pure damper.
    #[serde(default)]
    pub stiffness: f64,
    /// Damping [N s/m].
    #[serde(default)]
    pub damping: f64,
    /// Cubic stiffness [N/m³].
    #[serde(default)]
    pub cubic: f64,
    /// Preload \[N\]: positive pulls the ends together.
    #[serde(default)]
    pub preload: f64,
    /// Direction \[rad\] for points, fixed in space; 0 is +x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<f64>,
    /// Lever arm on a rotor \[m\]; by default 1, and the spring is a torsion spring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
}

/// A force by formula.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Force {
    /// The end that it acts on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// Two ends: it acts on the first, and its opposite on the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<[String; 2]>,
    /// Force \[N\], on a rotor a torque [N m]: a number, or a formula in `t`, coordinates, velocities and parameters.
    pub formula: NumberOrFormula,
    /// Direction \[rad\] for points, fixed in space; 0 is +x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<f64>,
}

/// A number, or a formula of the motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NumberOrFormula {
    /// A number.
    Number(f64),
    /// A formula.
    Formula(String),
}

/// A surface or an end whose motion is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drive {
    /// Its name.
    pub name: String,
    /// Speed [m/s]: a number or a formula in `t`; its position is then 0 at t = 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<NumberOrFormula>,
    /// Position \[m\]: a formula in `t`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<NumberOrFormula>,
}

/// A contact with friction between two ends: γ = velocity of the first − velocity of the second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// Its name, for columns and quantities; by default `first_second`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its ends: a body, `body.x`, `body.y`, a drive, or `"ground"`.
    pub between: [String; 2],
    /// Direction of sliding \[rad\] for points, fixed in space; 0 is +x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<f64>,
    /// Lever arm on a rotor \[m\]; by default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Normal load \[N\], > 0: a number, or a formula in `t`, coordinates, velocities and parameters.
    #[serde(default = "unit_load")]
    pub normal_load: NumberOrFormula,
    /// Friction law.
    pub law: Law,
    /// How the static coefficient grows with the time at rest; without it the contact does not age.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aging: Option<Aging>,
}

fn unit_load() -> NumberOrFormula {
    NumberOrFormula::Number(1.0)
}

/// How contacts that reach their limits at one instant leave, where static exceeds kinetic friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Simultaneous {
    /// All of them at once.
    #[default]
    Together,
    /// Only the one that is declared first; the others are judged again with its kinetic force.
    First,
}

keyed!(Declaration, Body, Spring, Force, Drive, Contact);
