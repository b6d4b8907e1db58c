//! The three laws of growth with a closed form.

use super::AgingLaw;
use crate::num::real::{exp, exp_m1, ln_1p, pow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Growth that saturates exponentially.
///
/// ```text
/// μ_S(t) − μ_S(0) = D (1 − e^(−t/τ))
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExponentialAging {
    /// Growth D after resting forever [-], >= 0.
    #[schemars(range(min = 0.0))]
    pub increment: f64,
    /// Time constant τ \[s\], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub time_constant: f64,
}

/// Growth with the logarithm of the time at rest, without end.
///
/// ```text
/// μ_S(t) − μ_S(0) = D ln(1 + t/τ)
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogarithmicAging {
    /// Growth D per e-fold of time [-], >= 0.
    #[schemars(range(min = 0.0))]
    pub(crate) increment: f64,
    /// Time constant τ \[s\], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) time_constant: f64,
}

/// Growth that saturates as a power of time. Above p = 1 it starts slowly, is steepest at a finite time and is not
/// concave; below p = 1 it starts vertically.
///
/// ```text
/// μ_S(t) − μ_S(0) = D xᵖ/(1 + xᵖ),   x = t/τ
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HillAging {
    /// Growth D after resting forever [-], >= 0.
    #[schemars(range(min = 0.0))]
    pub(crate) increment: f64,
    /// Time τ after which half of the growth is done \[s\], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) time_constant: f64,
    /// Exponent p [-], > 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) exponent: f64,
}

impl AgingLaw for ExponentialAging {
    #[inline]
    fn growth(&self, time: f64) -> f64 {
        -self.increment * exp_m1(-time / self.time_constant)
    }
    #[inline]
    fn growth_rate(&self, time: f64) -> f64 {
        self.increment / self.time_constant * exp(-time / self.time_constant)
    }
    fn growth_limit(&self) -> f64 {
        self.increment
    }
    fn rate_turns(&self, _until: f64) -> Vec<f64> {
        Vec::new()
    }
}

impl AgingLaw for LogarithmicAging {
    #[inline]
    fn growth(&self, time: f64) -> f64 {
        self.increment * ln_1p(time / self.time_constant)
    }
    #[inline]
    fn growth_rate(&self, time: f64) -> f64 {
        self.increment / (self.time_constant + time)
    }
    fn growth_limit(&self) -> f64 {
        if self.increment > 0.0 { f64::INFINITY } else { 0.0 }
    }
    fn rate_turns(&self, _until: f64) -> Vec<f64> {
        Vec::new()
    }
}

impl HillAging {
    /// The time at which growth is fastest \[s\], for p > 1.
    pub(crate) fn steepest_time(&self) -> Option<f64> {
        let p = self.exponent;
        // xᵖ = (p − 1)/(p + 1)
        (p > 1.0).then(|| self.time_constant * pow((p - 1.0) / (p + 1.0), 1.0 / p))
    }
}

impl AgingLaw for HillAging {
    #[inline]
    fn growth(&self, time: f64) -> f64 {
        let power = pow(time / self.time_constant, self.exponent);
        // for long times the other form, which cannot overflow
        if power > 1.0 { self.increment / (1.0 + 1.0 / power) } else { self.increment * power / (1.0 + power) }
    }
    fn growth_rate(&self, time: f64) -> f64 {
        if self.increment == 0.0 {
            return 0.0;
        }
        let x = time / self.time_constant;
        let (scale, p) = (self.increment * self.exponent / self.time_constant, self.exponent);
        if x <= 1.0 {
            let power = pow(x, p);
            scale * pow(x, p - 1.0) / ((1.0 + power) * (1.0 + power))
        } else {
            let inverse = pow(x, -p);
            scale * pow(x, -p - 1.0) / ((1.0 + inverse) * (1.0 + inverse))
        }
    }
    fn growth_limit(&self) -> f64 {
        self.increment
    }
    fn rate_turns(&self, until: f64) -> Vec<f64> {
        self.steepest_time().into_iter().filter(|&time| time < until && time > 0.0).collect()
    }
}
