//! How the plate moves, and what each point of it contributes to force and torque.
//!
//! ```text
//! u = (v_x − ω y, v_y + ω x)          velocity at (x, y)
//! w_x = −u_x/|u|,  w_y = −u_y/|u|,  w_T = x w_y − y w_x          force and torque per unit of pressure × coefficient
//! ```
//! Translation along x gives w_T = +y: the sign of [hu2021, Eq. 5, 8] is wrong. At the instantaneous centre of rotation the
//! weights are zero.

use crate::Problem;
use crate::num::real::{cos, sin};
use crate::patch::Point;
use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// How the plate moves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Motion {
    /// All points move alike.
    Translation(Translation),
    /// The plate turns about its centroid.
    Rotation(Rotation),
    /// The plate moves along x and turns.
    General(General),
    /// Any velocity of the centroid and any angular velocity; only their ratios count.
    Twist(Twist),
}

/// All points move alike.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(extend("x-word" = true))]
pub struct Translation {
    /// Direction of motion, from the x axis \[rad\].
    pub(crate) direction: f64,
}

/// The plate turns about its centroid.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(extend("x-word" = true))]
pub struct Rotation {
    /// Which way it turns.
    pub(crate) sense: Sense,
}

/// Which way a plate turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sense {
    /// ω > 0.
    #[default]
    Counterclockwise,
    /// ω < 0.
    Clockwise,
}

/// The plate moves along x with v = ρ* ω and turns with ω > 0: the centre of rotation is at (0, ρ*).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct General {
    /// Distance ρ* = v/ω of the centre of rotation from the centroid \[m\].
    pub rotation_radius: f64,
}

/// Velocity of the centroid and angular velocity; only their ratios count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Twist {
    /// Velocity of the centroid along x [m/s].
    pub vx: f64,
    /// Velocity of the centroid along y [m/s].
    pub vy: f64,
    /// Angular velocity, counter-clockwise [rad/s].
    pub omega: f64,
}

impl Default for Motion {
    fn default() -> Self {
        Self::Translation(Translation::default())
    }
}

/// The motions as a table with one key; `"rotation"` and `"translation"` alone are allowed as well.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Tagged {
    Translation(Translation),
    Rotation(Rotation),
    General(General),
    Twist(Twist),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Named {
    Translation,
    Rotation,
}

impl<'de> Deserialize<'de> for Motion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Motion;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("`rotation`, or a table with one of translation, rotation, general, twist")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Motion, E> {
                Named::deserialize(StrDeserializer::<E>::new(name)).map(|named| match named {
                    Named::Translation => Motion::default(),
                    Named::Rotation => Motion::Rotation(Rotation::default()),
                })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Motion, A::Error> {
                Tagged::deserialize(MapAccessDeserializer::new(map)).map(|tagged| match tagged {
                    Tagged::Translation(translation) => Motion::Translation(translation),
                    Tagged::Rotation(rotation) => Motion::Rotation(rotation),
                    Tagged::General(general) => Motion::General(general),
                    Tagged::Twist(twist) => Motion::Twist(twist),
                })
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// Which definition of the coefficients of variation fits a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// No rotation.
    Translation,
    /// Rotation about the centroid.
    Rotation,
    /// Both.
    General,
}

impl Motion {
    /// What is wrong with the motion beyond the range of each key; empty if nothing.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        match self {
            Motion::Twist(twist) if twist.vx == 0.0 && twist.vy == 0.0 && twist.omega == 0.0 => {
                vec![Problem::new("twist", "is at rest, but one of vx, vy, omega must not be 0")]
            }
            _ => Vec::new(),
        }
    }

    /// Which definition of the coefficients of variation fits. It follows from the name of the motion, so that nothing jumps as
    /// a rotation radius tends to zero; a twist that is a translation or a rotation is taken for one.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Motion::Translation(_) => Kind::Translation,
            Motion::Rotation(_) => Kind::Rotation,
            Motion::General(_) => Kind::General,
            Motion::Twist(twist) => twist.kind(),
        }
    }

    /// Velocity of the centroid and angular velocity, up to a positive factor.
    pub fn twist(&self) -> Twist {
        match *self {
            Motion::Translation(Translation { direction }) => {
                Twist { vx: cos(direction), vy: sin(direction), omega: 0.0 }
            }
            Motion::Rotation(Rotation { sense }) => {
                let omega = if sense == Sense::Clockwise { -1.0 } else { 1.0 };
                Twist { vx: 0.0, vy: 0.0, omega }
            }
            Motion::General(General { rotation_radius }) => Twist { vx: rotation_radius, vy: 0.0, omega: 1.0 },
            Motion::Twist(twist) => twist,
        }
    }
}

impl Twist {
    /// The weights (w_x, w_y [-], w_T \[m\]) of a point; zero at the centre of rotation.
    pub(crate) fn weights(&self, [x, y]: Point) -> [f64; 3] {
        let u = [self.vx - self.omega * y, self.vy + self.omega * x];
        let speed = (u[0] * u[0] + u[1] * u[1]).sqrt();
        if speed.is_nan() || speed <= 0.0 {
            return [0.0; 3];
        }
        let (w_x, w_y) = (-u[0] / speed, -u[1] / speed);
        [w_x, w_y, x * w_y - y * w_x]
    }

    /// The instantaneous centre of rotation \[m\]; none in translation.
    pub fn centre(&self) -> Option<Point> {
        // ω = 0 gives infinities or NaN
        let centre = [-self.vy / self.omega, self.vx / self.omega];
        centre.iter().all(|x| x.is_finite()).then_some(centre)
    }

    /// Which definition of the coefficients of variation fits.
    pub(crate) fn kind(&self) -> Kind {
        match self.centre() {
            None => Kind::Translation,
            Some([x, y]) if x == 0.0 && y == 0.0 => Kind::Rotation,
            Some(_) => Kind::General,
        }
    }
}
