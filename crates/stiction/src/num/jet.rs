//! Derivatives by arithmetic: numbers that carry their Taylor series.
//!
//! A [`Jet<N>`] holds f, f′, f″/2!, … up to order N − 1. Every operation on jets is the operation on power series,
//! so that a formula written once for any [`Scalar`] gives its exact derivatives as well as its value.
//!
//! Where a function has no derivative the jet says so with an infinite or undefined coefficient, except at the kinks
//! of `abs`, `min`, `max`, `sign` and `step`, where it takes the side of larger arguments.

pub use super::scalar::Scalar;

use super::real;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value and its first N − 1 derivatives with respect to one variable, as Taylor coefficients.
///
/// ```
/// # use stiction::num::jet::{Jet, Scalar};
/// let v = Jet::<3>::variable(2.0);
/// let [f, slope, curvature] = (v * v * v).derivatives();
/// assert_eq!([f, slope, curvature], [8.0, 12.0, 12.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jet<const N: usize>([f64; N]);

impl<const N: usize> Jet<N> {
    /// The variable itself at `value`: slope 1, no curvature.
    #[inline]
    pub fn variable(value: f64) -> Self {
        Self(std::array::from_fn(|k| match k {
            0 => value,
            1 => 1.0,
            _ => 0.0,
        }))
    }

    /// A jet from its Taylor coefficients f⁽ᵏ⁾/k!.
    pub fn from_coefficients(coefficients: [f64; N]) -> Self {
        Self(coefficients)
    }

    /// The Taylor coefficients f⁽ᵏ⁾/k!.
    pub(crate) fn coefficients(self) -> [f64; N] {
        self.0
    }

    /// The value and the derivatives f⁽ᵏ⁾.
    pub fn derivatives(self) -> [f64; N] {
        let mut factorial = 1.0;
        let mut derivatives = self.0;
        for (k, derivative) in derivatives.iter_mut().enumerate() {
            factorial *= k.max(1) as f64;
            *derivative *= factorial;
        }
        derivatives
    }

    #[inline]
    fn leading(self) -> f64 {
        self.0.first().copied().unwrap_or(f64::NAN)
    }

    fn is_constant(&self) -> bool {
        self.0.iter().skip(1).all(|&c| c == 0.0)
    }

    /// The jet with the same series but another value.
    #[inline]
    fn with_leading(mut self, value: f64) -> Self {
        if let Some(first) = self.0.first_mut() {
            *first = value;
        }
        self
    }

    /// The series y with y₀ = `value` and y′ = `factor` x′, term by term; `factor` may depend on the terms of y below.
    fn integrated(self, value: f64, mut factor: impl FnMut(usize, &[f64; N]) -> f64) -> Self {
        let mut y = [0.0; N];
        let mut factors = [0.0; N];
        for k in 0..N {
            if k == 0 {
                y[0] = value;
            } else {
                // k y_k = Σ_{j=1..k} j x_j f_{k−j}
                let sum: f64 = (1..=k).map(|j| weighted(j as f64 * self.0[j], factors[k - j])).sum();
                y[k] = sum / k as f64;
            }
            factors[k] = factor(k, &y);
        }
        Self(y)
    }

    /// Derivatives of `outer` by its known slope series: y′ = slope · x′.
    fn chained(self, value: f64, slope: Self) -> Self {
        self.integrated(value, |k, _| slope.0[k])
    }

    fn sin_cos(self) -> (Self, Self) {
        self.circular(real::sin(self.leading()), real::cos(self.leading()), -1.0)
    }

    /// (s, c) with s′ = c x′ and c′ = `sign` s x′.
    fn circular(self, sine: f64, cosine: f64, sign: f64) -> (Self, Self) {
        let (mut s, mut c) = ([0.0; N], [0.0; N]);
        for k in 0..N {
            if k == 0 {
                (s[0], c[0]) = (sine, cosine);
                continue;
            }
            let (mut s_sum, mut c_sum) = (0.0, 0.0);
            for j in 1..=k {
                let xj = j as f64 * self.0[j];
                s_sum += weighted(xj, c[k - j]);
                c_sum += weighted(xj, s[k - j]);
            }
            (s[k], c[k]) = (s_sum / k as f64, sign * c_sum / k as f64);
        }
        (Self(s), Self(c))
    }
}

/// a b, where an exact zero in `a` wins over an infinite `b`: a term that is not there adds nothing.
#[inline]
fn weighted(a: f64, b: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a * b }
}

impl<const N: usize> Add for Jet<N> {
    type Output = Self;
    #[inline]
    fn add(mut self, other: Self) -> Self {
        for (c, d) in self.0.iter_mut().zip(&other.0) {
            *c += d;
        }
        self
    }
}

impl<const N: usize> Sub for Jet<N> {
    type Output = Self;
    #[inline]
    fn sub(mut self, other: Self) -> Self {
        for (c, d) in self.0.iter_mut().zip(&other.0) {
            *c -= d;
        }
        self
    }
}

impl<const N: usize> Neg for Jet<N> {
    type Output = Self;
    #[inline]
    fn neg(mut self) -> Self {
        for c in &mut self.0 {
            *c = -*c;
        }
        self
    }
}

impl<const N: usize> Mul for Jet<N> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let mut product = [0.0; N];
        for (k, c) in product.iter_mut().enumerate() {
            for j in 0..=k {
                *c += self.0[j] * other.0[k - j];
            }
        }
        Self(product)
    }
}

impl<const N: usize> Div for Jet<N> {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let mut quotient = [0.0; N];
        for k in 0..N {
            let known: f64 = (1..=k).map(|j| weighted(other.0[j], quotient[k - j])).sum();
            quotient[k] = (self.0[k] - known) / other.0[0];
        }
        Self(quotient)
    }
}

impl<const N: usize> Scalar for Jet<N> {
    #[inline]
    fn constant(value: f64) -> Self {
        Self([0.0; N]).with_leading(value)
    }
    #[inline]
    fn value(self) -> f64 {
        self.leading()
    }
    #[inline]
    fn scaled(mut self, factor: f64) -> Self {
        for c in &mut self.0 {
            *c *= factor;
        }
        self
    }
    #[inline]
    fn divided(mut self, divisor: f64) -> Self {
        for c in &mut self.0 {
            *c /= divisor;
        }
        self
    }
    #[inline]
    fn shifted(self, offset: f64) -> Self {
        self.with_leading(self.leading() + offset)
    }
    #[inline]
    fn exp(self) -> Self {
        // k y_k = Σ_{j=1..k} j x_j y_{k−j}
        let mut y = Self::constant(real::exp(self.leading())).0;
        for k in 1..N {
            let mut sum = 0.0;
            for j in 1..=k {
                sum += weighted(j as f64 * self.0[j], y[k - j]);
            }
            y[k] = sum / k as f64;
        }
        Self(y)
    }
    fn ln(self) -> Self {
        self.chained(real::ln(self.leading()), Self::constant(1.0) / self)
    }
    fn sqrt(self) -> Self {
        self.pow_constant(0.5).with_leading(self.leading().sqrt())
    }
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    fn tan(self) -> Self {
        // y′ = (1 + y²) x′
        self.integrated(real::tan(self.leading()), |k, y| {
            (0..=k).map(|j| y[j] * y[k - j]).sum::<f64>() + if k == 0 { 1.0 } else { 0.0 }
        })
    }
    fn asin(self) -> Self {
        let slope = Self::constant(1.0) / (Self::constant(1.0) - self * self).sqrt();
        self.chained(real::asin(self.leading()), slope)
    }
    fn acos(self) -> Self {
        (-self.asin()).with_leading(real::acos(self.leading()))
    }
    fn atan(self) -> Self {
        let slope = Self::constant(1.0) / (self * self).shifted(1.0);
        self.chained(real::atan(self.leading()), slope)
    }
    fn atan2(self, x: Self) -> Self {
        let angle = real::atan2(self.leading(), x.leading());
        // the larger one goes into the denominator
        let smooth = if x.leading().abs() >= self.leading().abs() { (self / x).atan() } else { -(x / self).atan() };
        smooth.with_leading(angle)
    }
    fn sinh(self) -> Self {
        self.circular(real::sinh(self.leading()), real::cosh(self.leading()), 1.0).0
    }
    fn cosh(self) -> Self {
        self.circular(real::sinh(self.leading()), real::cosh(self.leading()), 1.0).1
    }
    fn tanh(self) -> Self {
        // y′ = (1 − y²) x′
        self.integrated(real::tanh(self.leading()), |k, y| {
            (if k == 0 { 1.0 } else { 0.0 }) - (0..=k).map(|j| y[j] * y[k - j]).sum::<f64>()
        })
    }
    fn abs(self) -> Self {
        if self.leading() < 0.0 { -self } else { self }
    }
    fn sign(self) -> Self {
        Self::constant(self.leading().sign())
    }
    fn step(self) -> Self {
        Self::constant(self.leading().step())
    }
    fn min(self, other: Self) -> Self {
        if self.leading() <= other.leading() || self.leading().is_nan() { self } else { other }
    }
    fn max(self, other: Self) -> Self {
        if self.leading() >= other.leading() || self.leading().is_nan() { self } else { other }
    }
    fn pow_constant(self, exponent: f64) -> Self {
        if exponent == exponent.trunc() && exponent.abs() <= 64.0 {
            return self.powi(exponent as i32);
        }
        let x0 = self.leading();
        let y0 = real::pow(x0, exponent);
        if x0 == 0.0 {
            // a root of the base: derivatives below the exponent vanish, those above are infinite
            let constant = self.is_constant();
            return Self(std::array::from_fn(|k| match k {
                0 => y0,
                _ if constant || (k as f64) < exponent => 0.0,
                _ => f64::INFINITY,
            }))
            .signed_like_power(exponent);
        }
        let mut y = [0.0; N];
        for k in 0..N {
            if k == 0 {
                y[0] = y0;
                continue;
            }
            // k x₀ y_k = Σ_{j=1..k} (a j − (k − j)) x_j y_{k−j}
            let sum: f64 = (1..=k).map(|j| (exponent * j as f64 - (k - j) as f64) * self.0[j] * y[k - j]).sum();
            y[k] = sum / (k as f64 * x0);
        }
        Self(y)
    }
    fn pow(self, exponent: Self) -> Self {
        if exponent.is_constant() {
            return self.pow_constant(exponent.leading());
        }
        let general = (exponent * self.ln()).exp();
        general.with_leading(real::pow(self.leading(), exponent.leading()))
    }
}

impl<const N: usize> Jet<N> {
    /// Signs of the infinite derivatives of xᵃ at zero: that of a (a − 1) … (a − k + 1).
    fn signed_like_power(mut self, exponent: f64) -> Self {
        let mut sign = 1.0;
        for (k, c) in self.0.iter_mut().enumerate() {
            if k > 0 {
                sign *= (exponent - (k - 1) as f64).sign();
            }
            if k > 0 && c.is_infinite() {
                *c *= sign;
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type J = Jet<5>;

    /// Name, function of a jet, and the range in which it is smooth.
    type Smooth = (&'static str, fn(J) -> J, f64, f64);

    fn smooth_functions() -> Vec<Smooth> {
        vec![
            ("exp", |x| x.exp(), -2.0, 2.0),
            ("ln", |x| x.ln(), 0.5, 3.0),
            ("sqrt", |x| x.sqrt(), 0.5, 3.0),
            ("sin", |x| x.sin(), -3.0, 3.0),
            ("cos", |x| x.cos(), -3.0, 3.0),
            ("tan", |x| x.tan(), -1.0, 1.0),
            ("asin", |x| x.asin(), -0.6, 0.6),
            ("acos", |x| x.acos(), -0.6, 0.6),
            ("atan", |x| x.atan(), -3.0, 3.0),
            ("atan2", |x| x.atan2(J::constant(2.0) - x), -3.0, 1.5),
            ("sinh", |x| x.sinh(), -2.0, 2.0),
            ("cosh", |x| x.cosh(), -2.0, 2.0),
            ("tanh", |x| x.tanh(), -2.0, 2.0),
            ("pow", |x| x.pow_constant(2.7), 0.5, 2.0),
            ("powi", |x| x.powi(-3), 0.5, 2.0),
            ("x^x", |x| x.pow(x), 0.5, 2.0),
            ("quotient", |x| (x * x).shifted(1.0) / (x.scaled(2.0) - J::constant(9.0)), -2.0, 2.0),
        ]
    }

    proptest::proptest! {
        #[test]
        fn each_derivative_is_the_slope_of_the_one_before(u in 0.0f64..1.0) {
            for (name, function, low, high) in smooth_functions() {
                let (x, h) = (low + u * (high - low), 1e-4);
                let at = |x: f64| function(J::variable(x)).derivatives();
                // the five-point rule: error of order h⁴ f⁽⁵⁾/30, and roundings of order ε f/h
                let (a, b, c, d) = (at(x - 2.0 * h), at(x - h), at(x + h), at(x + 2.0 * h));
                for k in 0..4 {
                    let slope = (a[k] - 8.0 * b[k] + 8.0 * c[k] - d[k]) / (12.0 * h);
                    let scale = 1.0 + c[k].abs() + at(x)[k + 1].abs();
                    proptest::prop_assert!((slope - at(x)[k + 1]).abs() < 1e-7 * scale, "{} order {} at {}", name, k, x);
                }
            }
        }
    }

    #[test]
    fn roots_of_the_base_have_honest_derivatives() {
        assert_eq!(Jet::<3>::variable(0.0).pow_constant(1.5).derivatives(), [0.0, 0.0, f64::INFINITY]);
        assert_eq!(Jet::<2>::variable(0.0).sqrt().derivatives(), [0.0, f64::INFINITY]);
        assert_eq!(Jet::<3>::variable(0.0).powi(2).derivatives(), [0.0, 0.0, 2.0]);
    }

    #[test]
    fn kinks_take_the_side_of_larger_arguments() {
        assert_eq!(Jet::<2>::variable(0.0).abs().derivatives(), [0.0, 1.0]);
        assert_eq!(Jet::<2>::variable(-1.0).abs().derivatives(), [1.0, -1.0]);
        assert_eq!(Jet::<2>::variable(3.0).min(Jet::constant(2.0)).derivatives(), [2.0, 0.0]);
    }
}
