//! The law of the bristles: LuGre in its amended form, every coefficient per unit of load.
//!
//! ```text
//! ż = σ₀ (V − z |V|/G),     G = H (τ + (1 − τ) exp(−(|V|/V_s)^m)),     F = −N (z + (σ₁/σ₀) ż + σ₂ V)
//! ```
//!
//! z is the bristle's deflection times σ₀: dimensionless, of the order of the coefficient of friction. Stick is presliding: the
//! relative velocity is tiny, not zero.

use crate::Problem;
use crate::keys::Check;
use crate::num::lanes::{Lanes, NEGLIGIBLE, Simd};
use crate::num::real::{exp, pow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The friction law of bristles, chosen by name.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BristleLaw {
    /// The LuGre law.
    Lugre(Lugre),
}

impl Default for BristleLaw {
    fn default() -> Self {
        BristleLaw::Lugre(Lugre::default())
    }
}

impl BristleLaw {
    /// The parameters of the LuGre law.
    pub fn lugre(&self) -> &Lugre {
        let BristleLaw::Lugre(lugre) = self;
        lugre
    }

    /// The same, to be changed.
    pub fn lugre_mut(&mut self) -> &mut Lugre {
        let BristleLaw::Lugre(lugre) = self;
        lugre
    }

    pub(crate) fn problems(&self) -> Vec<Problem> {
        self.lugre().problems().into_iter().map(|problem| problem.below("lugre")).collect()
    }
}

/// Parameters of the LuGre law.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Lugre {
    /// Stiffness σ₀ of the bristles per unit of load [1/m], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub bristle_stiffness: f64,
    /// Damping σ₁ of the bristles per unit of load [s/m].
    #[schemars(range(min = 0.0))]
    pub bristle_damping: f64,
    /// Viscous part σ₂ per unit of load [s/m].
    #[schemars(range(min = 0.0))]
    pub viscous_coefficient: f64,
    /// Speed V_s over which friction falls from static to kinetic [m/s], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub stribeck_speed: f64,
    /// Exponent m of the fall [-], ≥ 1.
    #[schemars(range(min = 1.0))]
    pub stribeck_exponent: f64,
    /// Static coefficient μ_S [-], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub static_coefficient: f64,
    /// Kinetic coefficient μ_K [-], > 0 and at most μ_S; with a field only the ratio μ_K/μ_S counts.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub kinetic_coefficient: f64,
}

impl Default for Lugre {
    fn default() -> Self {
        Self {
            bristle_stiffness: 1e5,
            bristle_damping: 1e5_f64.sqrt(),
            viscous_coefficient: 0.01,
            stribeck_speed: 1e-3,
            stribeck_exponent: 2.0,
            static_coefficient: 0.4,
            kinetic_coefficient: 0.32,
        }
    }
}

impl Lugre {
    pub(crate) fn problems(&self) -> Vec<Problem> {
        Check::default()
            .at_most("kinetic_coefficient", self.kinetic_coefficient, "static_coefficient", self.static_coefficient)
            .found()
    }

    /// τ = μ_K/μ_S [-].
    pub fn ratio(&self) -> f64 {
        self.kinetic_coefficient / self.static_coefficient
    }

    /// Sliding friction at a speed ≥ 0 [m/s] divided by the static coefficient [-], and its slope [s/m].
    pub(crate) fn shape(&self, speed: f64) -> (f64, f64) {
        let drop = 1.0 - self.ratio();
        let m = self.stribeck_exponent;
        let power = pow(speed / self.stribeck_speed, m);
        let e = exp(-power);
        let slope = if speed > 0.0 {
            -drop * e * m * power / speed
        } else if m == 1.0 {
            -drop / self.stribeck_speed
        } else {
            0.0
        };
        (self.ratio() + drop * e, if e > 0.0 { slope } else { 0.0 })
    }

    /// Eight times [`Self::shape`]; the slope is only made if `SLOPE`.
    #[inline(always)]
    pub(crate) fn shapes<const SLOPE: bool, S: Simd>(
        &self,
        simd: S,
        tau: f64,
        square: Lanes<S>,
        speed: Lanes<S>,
    ) -> (Lanes<S>, Lanes<S>) {
        let m = self.stribeck_exponent;
        let unit = 1.0 / self.stribeck_speed;
        let power = if m == 2.0 { square.scaled(unit * unit) } else { speed.each(|speed| pow(speed * unit, m)) };
        let zero = Lanes::all(simd, 0.0);
        // far above the Stribeck speed there is nothing to compute
        if power.smallest() >= NEGLIGIBLE {
            return (Lanes::all(simd, tau), zero);
        }
        let fall = power.exp_of_negative().scaled(1.0 - tau);
        let shape = fall.shifted(tau);
        if !SLOPE {
            return (shape, zero);
        }
        if m == 2.0 {
            return (shape, -(fall * speed).scaled(2.0 * unit * unit));
        }
        // a power that is infinite stands where nothing is left of the fall
        let steepness = speed.each(|speed| {
            let power = pow(speed * unit, m);
            match speed > 0.0 {
                true if power < NEGLIGIBLE => m * power / speed,
                false if m == 1.0 => unit,
                _ => 0.0,
            }
        });
        (shape, -(fall * steepness))
    }
}
