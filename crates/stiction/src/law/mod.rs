//! Friction laws: what a contact resists while it slides, and what it can hold while it is at rest.
//!
//! Every law is a *coefficient*: friction force divided by normal load. [`FrictionLaw`] is what a mechanism asks of a
//! law; [`Law`] is the closed choice that a scenario makes by name. How the static coefficient grows with the time at
//! rest is a second, independent choice, [`Aging`].
//!
//! To add a law: its file here, its variant in [`Law`], its line in [`Law::samples`].

pub mod aging;
mod coulomb;
mod cubic;
mod expression;
mod extrema;
mod linear;
mod stribeck;
mod two_slope;

pub use aging::AgingLaw;
pub use aging::{Aging, AgingExpression, ExponentialAging, HillAging, LogarithmicAging};
pub use coulomb::Coulomb;
pub use cubic::Cubic;
pub use expression::Expression;
pub use extrema::Extremum;
pub use extrema::ExtremumKind;
pub use linear::Linear;
pub use stribeck::Stribeck;
pub use two_slope::TwoSlope;

use crate::Problem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a mechanism asks of a friction law. All values are coefficients: force divided by normal load [-].
pub trait FrictionLaw {
    /// Kinetic coefficient at sliding speed `speed` [m/s].
    ///
    /// Defined by the law for `speed >= 0`. A step that overshoots a contact evaluates slightly negative speeds: there
    /// the law continues smoothly (by its own formula, or by its tangent at zero where the formula has none).
    fn kinetic(&self, speed: f64) -> f64;

    /// Kinetic coefficient [-] and its slope [s/m] at `speed`.
    fn kinetic_with_slope(&self, speed: f64) -> (f64, f64);

    /// Kinetic coefficient and its first three derivatives with respect to speed: [-], [s/m], [s²/m²], [s³/m³].
    fn kinetic_derivatives(&self, speed: f64) -> [f64; 4];

    /// Static coefficient at the moment of contact [-]: what the contact holds before it has aged.
    fn static_coefficient(&self) -> f64;

    /// What is wrong with the parameters beyond the range of each, with the key below the law (empty if nothing).
    fn problems(&self) -> Vec<Problem> {
        Vec::new()
    }
}

/// The friction law of a contact, chosen by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Law {
    /// Constant static and kinetic coefficients.
    Coulomb(Coulomb),
    /// A kinetic coefficient that grows linearly with speed.
    Linear(Linear),
    /// Friction that falls from the static to the kinetic coefficient as sliding speeds up, plus a viscous part.
    Stribeck(Stribeck),
    /// Steep growth at low speed, gentle growth at high speed, a smooth crossover between them (boundary lubrication).
    TwoSlope(TwoSlope),
    /// A cubic polynomial about a reference speed: the test law of the Hopf normal form.
    Cubic(Cubic),
    /// A formula in the sliding speed `v`.
    Expression(Expression),
}

macro_rules! each {
    ($law:expr, $inner:ident => $body:expr) => {
        match $law {
            Law::Coulomb($inner) => $body,
            Law::Linear($inner) => $body,
            Law::Stribeck($inner) => $body,
            Law::TwoSlope($inner) => $body,
            Law::Cubic($inner) => $body,
            Law::Expression($inner) => $body,
        }
    };
}

/// Relative error of a coefficient at rest: a formula that should be the static coefficient at v = 0 adds up a handful of
/// rounded terms.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Whether a kinetic coefficient at rest exceeds the static one by more than rounding.
fn exceeds(onset: f64, static_coefficient: f64) -> bool {
    onset - static_coefficient > ROUNDING * static_coefficient.abs()
}

impl Law {
    /// Whether static and kinetic coefficient are equal at rest, up to rounding: slips then start with zero acceleration.
    /// Every Stribeck law is of this kind.
    pub fn starts_equal(&self) -> bool {
        !exceeds(self.kinetic(0.0), self.static_coefficient()) && !exceeds(self.static_coefficient(), self.kinetic(0.0))
    }

    /// Whether the kinetic coefficient is known to fall, or to stay, with growing speed, at all speeds. Stick-slip motion
    /// then exists at every drive speed: about continuous sliding the energy of a slip changes at the rate
    /// (F_K(v) − F_K(v₀)) ẋ, which is never negative, so that the slip comes back to the velocity of the surface.
    pub fn never_rises(&self) -> bool {
        match self {
            Law::Coulomb(_) => true,
            Law::Linear(law) => law.slope == 0.0,
            Law::Stribeck(law) => law.viscous == 0.0,
            Law::TwoSlope(_) | Law::Cubic(_) | Law::Expression(_) => false,
        }
    }

    /// The key that shapes the kinetic coefficient, for messages about its values.
    pub(crate) fn shaping_key(&self) -> String {
        let key = match self {
            Law::Expression(_) => ".formula",
            Law::Cubic(_) => ".value",
            _ => "",
        };
        format!("law.{}{key}", self.name())
    }

    /// The name under which a scenario chooses this law.
    pub fn name(&self) -> &'static str {
        match self {
            Law::Coulomb(_) => "coulomb",
            Law::Linear(_) => "linear",
            Law::Stribeck(_) => "stribeck",
            Law::TwoSlope(_) => "two_slope",
            Law::Cubic(_) => "cubic",
            Law::Expression(_) => "expression",
        }
    }

    /// One or two sensible instances of every law, for tests that hold for all of them.
    pub fn samples() -> Vec<Law> {
        let stribeck = Stribeck {
            static_coefficient: 1.0,
            kinetic_coefficient: 0.4,
            stribeck_speed: 0.2,
            exponent: 1.0,
            viscous: 0.3,
        };
        let mut samples = vec![
            Law::Coulomb(Coulomb { static_coefficient: 0.5, kinetic_coefficient: 0.45 }),
            Law::Coulomb(Coulomb { static_coefficient: 0.3, kinetic_coefficient: 0.3 }),
            Law::Linear(Linear { static_coefficient: 1.0, kinetic_coefficient: 0.6, slope: 0.2 }),
            Law::Stribeck(stribeck),
            Law::Stribeck(Stribeck { exponent: 2.0, ..stribeck }),
            Law::Stribeck(Stribeck { exponent: 0.5, ..stribeck }),
            Law::TwoSlope(TwoSlope {
                static_coefficient: 1.0,
                low_speed_slope: 3.0,
                high_speed_slope: 0.1,
                crossover_speed: 0.2,
                crossover_width: 0.05,
            }),
            Law::Cubic(Cubic { value: 0.5, f1: -0.02, f2: 0.4, f3: 1.0, speed: 1.0, static_coefficient: Some(1.0) }),
        ];
        let constants = [("vs".to_owned(), 0.2)].into();
        let written = Expression::new("0.4 + 0.6*exp(-(v/vs)^2) + 0.3*v", constants, Some(1.1));
        samples.extend(written.map(Law::Expression));
        samples
    }
}

impl FrictionLaw for Law {
    #[inline]
    fn kinetic(&self, speed: f64) -> f64 {
        each!(self, law => law.kinetic(speed))
    }
    #[inline]
    fn kinetic_with_slope(&self, speed: f64) -> (f64, f64) {
        each!(self, law => law.kinetic_with_slope(speed))
    }
    fn kinetic_derivatives(&self, speed: f64) -> [f64; 4] {
        each!(self, law => law.kinetic_derivatives(speed))
    }
    fn static_coefficient(&self) -> f64 {
        each!(self, law => law.static_coefficient())
    }
    fn problems(&self) -> Vec<Problem> {
        let problems = each!(self, law => law.problems());
        problems.into_iter().map(|problem| problem.below(self.name())).collect()
    }
}
