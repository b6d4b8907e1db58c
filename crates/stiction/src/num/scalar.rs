//! What formulas compute with: plain numbers, or numbers that carry more along.

use super::real;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// What a formula computes with: `f64`, or a jet that carries derivatives along.
pub trait Scalar:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A number that does not depend on the variable.
    fn constant(value: f64) -> Self;
    /// The value without derivatives.
    fn value(self) -> f64;
    /// This times a plain number.
    #[must_use]
    fn scaled(self, factor: f64) -> Self;
    /// This divided by a plain number.
    #[must_use]
    fn divided(self, divisor: f64) -> Self;
    /// This plus a plain number.
    #[must_use]
    fn shifted(self, offset: f64) -> Self;
    /// eˣ.
    #[must_use]
    fn exp(self) -> Self;
    /// Natural logarithm.
    #[must_use]
    fn ln(self) -> Self;
    /// Square root.
    #[must_use]
    fn sqrt(self) -> Self;
    /// Sine.
    #[must_use]
    fn sin(self) -> Self;
    /// Cosine.
    #[must_use]
    fn cos(self) -> Self;
    /// Tangent.
    #[must_use]
    fn tan(self) -> Self;
    /// Inverse sine.
    #[must_use]
    fn asin(self) -> Self;
    /// Inverse cosine.
    #[must_use]
    fn acos(self) -> Self;
    /// Inverse tangent.
    #[must_use]
    fn atan(self) -> Self;
    /// Angle of the point (`x`, self).
    #[must_use]
    fn atan2(self, x: Self) -> Self;
    /// Hyperbolic sine.
    #[must_use]
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    #[must_use]
    fn cosh(self) -> Self;
    /// Hyperbolic tangent.
    #[must_use]
    fn tanh(self) -> Self;
    /// Magnitude.
    #[must_use]
    fn abs(self) -> Self;
    /// −1, 0 or 1.
    #[must_use]
    fn sign(self) -> Self;
    /// 0 below zero, 1 from zero on.
    #[must_use]
    fn step(self) -> Self;
    /// The smaller one.
    #[must_use]
    fn min(self, other: Self) -> Self;
    /// The larger one.
    #[must_use]
    fn max(self, other: Self) -> Self;
    /// Power with a plain exponent.
    #[must_use]
    fn pow_constant(self, exponent: f64) -> Self;
    /// Power.
    #[must_use]
    fn pow(self, exponent: Self) -> Self;

    /// Integer power by multiplication.
    #[inline]
    #[must_use]
    fn powi(self, exponent: i32) -> Self {
        let mut rest = exponent.unsigned_abs();
        let mut square = self;
        let mut product = Self::constant(1.0);
        while rest > 0 {
            if rest & 1 == 1 {
                product = product * square;
            }
            rest >>= 1;
            if rest > 0 {
                square = square * square;
            }
        }
        if exponent < 0 { Self::constant(1.0) / product } else { product }
    }
}

impl Scalar for f64 {
    #[inline]
    fn constant(value: f64) -> Self {
        value
    }
    #[inline]
    fn value(self) -> f64 {
        self
    }
    #[inline]
    fn scaled(self, factor: f64) -> Self {
        self * factor
    }
    #[inline]
    fn divided(self, divisor: f64) -> Self {
        self / divisor
    }
    #[inline]
    fn shifted(self, offset: f64) -> Self {
        self + offset
    }
    #[inline]
    fn exp(self) -> Self {
        real::exp(self)
    }
    #[inline]
    fn ln(self) -> Self {
        real::ln(self)
    }
    #[inline]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline]
    fn sin(self) -> Self {
        real::sin(self)
    }
    #[inline]
    fn cos(self) -> Self {
        real::cos(self)
    }
    fn tan(self) -> Self {
        real::tan(self)
    }
    fn asin(self) -> Self {
        real::asin(self)
    }
    fn acos(self) -> Self {
        real::acos(self)
    }
    fn atan(self) -> Self {
        real::atan(self)
    }
    fn atan2(self, x: Self) -> Self {
        real::atan2(self, x)
    }
    fn sinh(self) -> Self {
        real::sinh(self)
    }
    fn cosh(self) -> Self {
        real::cosh(self)
    }
    #[inline]
    fn tanh(self) -> Self {
        real::tanh(self)
    }
    #[inline]
    fn abs(self) -> Self {
        f64::abs(self)
    }
    fn sign(self) -> Self {
        if self > 0.0 {
            1.0
        } else if self < 0.0 {
            -1.0
        } else {
            self
        }
    }
    fn step(self) -> Self {
        if self >= 0.0 {
            1.0
        } else if self < 0.0 {
            0.0
        } else {
            self
        }
    }
    // unlike f64::min, a value that is not a number is not swept under the carpet
    fn min(self, other: Self) -> Self {
        if self <= other || self.is_nan() { self } else { other }
    }
    fn max(self, other: Self) -> Self {
        if self >= other || self.is_nan() { self } else { other }
    }
    #[inline]
    fn pow_constant(self, exponent: f64) -> Self {
        real::pow(self, exponent)
    }
    #[inline]
    fn pow(self, exponent: Self) -> Self {
        real::pow(self, exponent)
    }
}
