//! Stribeck's law: friction falls as sliding speeds up, then grows with a viscous part.

use super::FrictionLaw;
use crate::Problem;
use crate::keys::Check;
use crate::num::jet::{Jet, Scalar};
use crate::num::real::{exp, pow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Friction that falls from the static to the kinetic coefficient as sliding speeds up, plus a viscous part. With
/// `viscous > 0` it has one minimum.
///
/// ```text
/// μ(v) = μ_C + (μ_S − μ_C) exp(−(v/v_s)ⁿ) + η v,   0 ≤ μ_C ≤ μ_S
/// ```
///
/// For an exponent n that is not whole the formula has no meaning at negative speeds, where the law continues along
/// its viscous line `μ_S + η v`; and some of its derivatives are infinite at zero. There they are those at the speed
/// 10⁻⁹ `v_s`: large, but finite. Values are never touched.
///
/// ```
/// # use stiction::law::{FrictionLaw, Stribeck};
/// let wet = Stribeck {
///     static_coefficient: 1.0, kinetic_coefficient: 0.4, stribeck_speed: 0.2, exponent: 1.0, viscous: 0.3,
/// };
/// assert_eq!(wet.kinetic(0.0), 1.0);
/// assert!(wet.kinetic(0.5) < 0.7);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stribeck {
    /// Static coefficient `μ_S` [-], >= 0: at rest and at the onset of sliding.
    #[schemars(range(min = 0.0))]
    pub static_coefficient: f64,
    /// Kinetic coefficient `μ_C` well above the Stribeck speed, without the viscous part [-], from 0 to the static one.
    #[schemars(range(min = 0.0))]
    pub kinetic_coefficient: f64,
    /// Speed `v_s` over which friction falls [m/s], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub stribeck_speed: f64,
    /// Exponent n of the fall [-], > 0.
    #[serde(default = "simple_exponential")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub exponent: f64,
    /// Viscous growth η [s/m], >= 0.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub viscous: f64,
}

fn simple_exponential() -> f64 {
    1.0
}

/// Where derivatives that are infinite at zero are taken, in units of the Stribeck speed.
const SMALLEST_RELATIVE_SPEED: f64 = 1e-9;

impl Stribeck {
    /// Whether the law is its own formula at negative speeds: whole exponents, as far as they are multiplied out.
    fn is_analytic(&self) -> bool {
        self.exponent == self.exponent.trunc() && self.exponent <= 64.0
    }

    /// `(v/v_s)ⁿ`, for `x = v/v_s`.
    #[inline]
    fn power(&self, x: f64) -> f64 {
        if self.exponent == 1.0 {
            x
        } else if self.exponent == 2.0 {
            x * x
        } else if self.is_analytic() {
            // the product that a jet forms, not the platform's
            Scalar::powi(x, self.exponent as i32)
        } else {
            pow(x, self.exponent)
        }
    }

    fn derivatives<const N: usize>(&self, speed: f64) -> [f64; N] {
        let x = speed / self.stribeck_speed;
        let (at, analytic) = (if self.is_analytic() { x } else { x.max(SMALLEST_RELATIVE_SPEED) }, self.is_analytic());
        let mut derivatives = if analytic || speed >= 0.0 {
            let power = Jet::<N>::variable(at).pow_constant(self.exponent);
            let fall = (-power).exp().scaled(self.static_coefficient - self.kinetic_coefficient);
            let mut fall = fall.derivatives();
            // derivatives in x become derivatives in v
            let mut scale = 1.0;
            for derivative in &mut fall {
                *derivative *= scale;
                scale /= self.stribeck_speed;
            }
            fall
        } else {
            [0.0; N]
        };
        if let Some(slope) = derivatives.get_mut(1) {
            *slope += self.viscous;
        }
        if let Some(value) = derivatives.first_mut() {
            *value = self.kinetic(speed);
        }
        derivatives
    }
}

impl FrictionLaw for Stribeck {
    #[inline]
    fn kinetic(&self, speed: f64) -> f64 {
        let x = speed / self.stribeck_speed;
        if x < 0.0 && !self.is_analytic() {
            return self.static_coefficient + self.viscous * speed;
        }
        let fall = exp(-self.power(x));
        self.kinetic_coefficient + (self.static_coefficient - self.kinetic_coefficient) * fall + self.viscous * speed
    }

    #[inline]
    fn kinetic_with_slope(&self, speed: f64) -> (f64, f64) {
        if self.exponent == 1.0 || self.exponent == 2.0 {
            let x = speed / self.stribeck_speed;
            let excess = (self.static_coefficient - self.kinetic_coefficient) * exp(-self.power(x));
            let log_slope = if self.exponent == 1.0 { -1.0 } else { -2.0 * x };
            let value = self.kinetic_coefficient + excess + self.viscous * speed;
            return (value, excess * log_slope / self.stribeck_speed + self.viscous);
        }
        let [value, slope] = self.derivatives(speed);
        (value, slope)
    }

    fn kinetic_derivatives(&self, speed: f64) -> [f64; 4] {
        self.derivatives(speed)
    }

    fn static_coefficient(&self) -> f64 {
        self.static_coefficient
    }

    fn problems(&self) -> Vec<Problem> {
        Check::default()
            .at_most("kinetic_coefficient", self.kinetic_coefficient, "static_coefficient", self.static_coefficient)
            .found()
    }
}
