//! Integrals of functions of one variable: adaptive Gauss-Kronrod, 10 and 21 points, worst interval first.
//!
//! The integrand is taken along x = a + (b − a)(1 − cos θ)/2 where its ends may be singular like a square root
//! (`integral_with_singular_ends`); plain intervals use x itself ([`integral`]).

use super::real;

/// An integral and how well it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Integral {
    /// The value.
    pub value: f64,
    /// Estimate of the absolute error; usually pessimistic.
    pub error: f64,
}

/// Why an integral was not found.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QuadratureError {
    /// The integrand is not finite at a point inside.
    #[error("the integrand is {value} at {at:e}")]
    NotFinite {
        /// Where.
        at: f64,
        /// The value there.
        value: f64,
    },
    /// The error estimate stayed too large.
    #[error("the integral did not converge: {value:e} with error {error:e} after {intervals} intervals")]
    NotConverged {
        /// The best value.
        value: f64,
        /// Its error estimate.
        error: f64,
        /// Intervals used.
        intervals: usize,
    },
}

/// Relative error asked for: a few hundred roundings, which is what 21 sums of products can promise.
const RELATIVE_TOLERANCE: f64 = 1e-13;
const MAX_INTERVALS: usize = 2000;

// Nodes and weights of QUADPACK's qk21: exact for polynomials up to degree 31 (a test checks it).
#[expect(clippy::excessive_precision, reason = "the published digits")]
const NODES: [f64; 11] = [
    0.995657163025808080735527280689003,
    0.973906528517171720077964012084452,
    0.930157491355708226001207180059508,
    0.865063366688984510732096688423493,
    0.780817726586416897063717578345042,
    0.679409568299024406234327365114874,
    0.562757134668604683339000099272694,
    0.433395394129247190799265943165784,
    0.294392862701460198131126603103866,
    0.148874338981631210884826001129720,
    0.0,
];
#[expect(clippy::excessive_precision, reason = "the published digits")]
const KRONROD_WEIGHTS: [f64; 11] = [
    0.011694638867371874278064396062192,
    0.032558162307964727478818972459390,
    0.054755896574351996031381300244580,
    0.075039674810919952767043140916190,
    0.093125454583697605535065465083366,
    0.109387158802297641899210590325805,
    0.123491976262065851077958109585166,
    0.134709217311473325928054001771707,
    0.142775938577060080797094273138717,
    0.147739104901338491374841515972068,
    0.149445554002916905664936468389821,
];
// the Gauss nodes are the odd entries of NODES; zero for the others
#[expect(clippy::excessive_precision, reason = "the published digits")]
const GAUSS_WEIGHTS: [f64; 11] = [
    0.0,
    0.066671344308688137593568809893332,
    0.0,
    0.149451349150580593145863396957658,
    0.0,
    0.219086362515982043995534934228163,
    0.0,
    0.269266719309996355091226921569469,
    0.0,
    0.295524224714752870173815619188769,
    0.0,
];

/// Integral of `function` from `from` to `to` (in any order), to about 1e-13 relative to the integral of |function|.
///
/// ```
/// # use stiction::num::quadrature::integral;
/// let area = integral(0.0, 1.0, |x| x * x)?;
/// assert!((area.value - 1.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), stiction::num::quadrature::QuadratureError>(())
/// ```
///
/// # Errors
/// [`QuadratureError`] if a value is not finite or the error stays too large.
pub fn integral(from: f64, to: f64, function: impl FnMut(f64) -> f64) -> Result<Integral, QuadratureError> {
    let mut function = function;
    adaptive(from, to, |x| {
        let value = function(x);
        if value.is_finite() { Ok(value) } else { Err(QuadratureError::NotFinite { at: x, value }) }
    })
}

/// As [`integral`], for integrands whose ends are singular like a square root or its inverse.
///
/// The substitution makes √(x − a) and 1/√(x − a) smooth, and likewise at the other end. The integrand is never asked
/// at the ends themselves.
///
/// # Errors
/// As [`integral`].
pub(crate) fn integral_with_singular_ends(
    from: f64,
    to: f64,
    function: impl FnMut(f64) -> f64,
) -> Result<Integral, QuadratureError> {
    let mut function = function;
    let half = 0.5 * (to - from);
    adaptive(0.0, std::f64::consts::PI, |theta| {
        // from the nearer end, so that the distance to it keeps its digits
        let (s, c) = (real::sin(0.5 * theta), real::cos(0.5 * theta));
        let x = if s < c { from + 2.0 * half * (s * s) } else { to - 2.0 * half * (c * c) };
        let x = if x == from || x == to { from + half * (1.0 - real::cos(theta)) } else { x };
        let value = function(x);
        if !value.is_finite() {
            return Err(QuadratureError::NotFinite { at: x, value });
        }
        Ok(value * 2.0 * half * s * c)
    })
}

#[derive(Clone, Copy)]
struct Piece {
    from: f64,
    to: f64,
    value: f64,
    error: f64,
    magnitude: f64,
}

fn adaptive(
    from: f64,
    to: f64,
    mut function: impl FnMut(f64) -> Result<f64, QuadratureError>,
) -> Result<Integral, QuadratureError> {
    if from == to {
        return Ok(Integral { value: 0.0, error: 0.0 });
    }
    let mut pieces = vec![piece(from, to, &mut function)?];
    loop {
        // sums from the smallest piece would be finer; with at most 2000 pieces the plain sum loses nothing that counts
        let value: f64 = pieces.iter().map(|p| p.value).sum();
        let error: f64 = pieces.iter().map(|p| p.error).sum();
        let magnitude: f64 = pieces.iter().map(|p| p.magnitude).sum();
        if error <= RELATIVE_TOLERANCE * magnitude + f64::MIN_POSITIVE {
            return Ok(Integral { value, error });
        }
        let not_converged = QuadratureError::NotConverged { value, error, intervals: pieces.len() };
        if pieces.len() >= MAX_INTERVALS {
            return Err(not_converged);
        }
        let Some(worst) = (0..pieces.len()).max_by(|&i, &j| pieces[i].error.total_cmp(&pieces[j].error)) else {
            return Err(not_converged);
        };
        let Piece { from, to, .. } = pieces[worst];
        let middle = 0.5 * (from + to);
        if middle == from || middle == to {
            return Err(not_converged);
        }
        pieces[worst] = piece(from, middle, &mut function)?;
        pieces.push(piece(middle, to, &mut function)?);
    }
}

fn piece(
    from: f64,
    to: f64,
    function: &mut impl FnMut(f64) -> Result<f64, QuadratureError>,
) -> Result<Piece, QuadratureError> {
    let (centre, half) = (0.5 * (from + to), 0.5 * (to - from));
    let (mut kronrod, mut gauss, mut magnitude) = (0.0, 0.0, 0.0);
    let mut values = [0.0; 21];
    for (k, ((&node, &wk), &wg)) in NODES.iter().zip(&KRONROD_WEIGHTS).zip(&GAUSS_WEIGHTS).enumerate() {
        let left = function(centre - half * node)?;
        let right = if node == 0.0 { 0.0 } else { function(centre + half * node)? };
        kronrod += wk * (left + right);
        gauss += wg * (left + right);
        magnitude += wk * (left.abs() + right.abs());
        values[k] = left;
        if k < 10 {
            values[20 - k] = right;
        }
    }
    // QUADPACK's scaling: the difference of the rules, sharpened where the function is smooth
    let mean = 0.5 * kronrod;
    let mut spread = 0.0;
    for (k, &wk) in KRONROD_WEIGHTS.iter().enumerate() {
        spread += wk * (values[k] - mean).abs();
        if k < 10 {
            spread += wk * (values[20 - k] - mean).abs();
        }
    }
    let difference = (kronrod - gauss).abs();
    let mut error = difference;
    if spread != 0.0 && difference != 0.0 {
        let ratio = 200.0 * difference / spread;
        error = spread * (ratio * ratio.sqrt()).min(1.0);
    }
    // below the roundings of the sum there is nothing to gain by splitting
    if error <= 50.0 * f64::EPSILON * magnitude {
        error = error.min(f64::EPSILON * magnitude);
    }
    Ok(Piece { from, to, value: kronrod * half, error: error * half.abs(), magnitude: magnitude * half.abs() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_are_exact_for_polynomials_of_their_degree() {
        for degree in 0..=31 {
            let power = |x: f64| (0..degree).fold(1.0, |product, _| product * x);
            let mut kronrod = 0.0;
            let mut gauss = 0.0;
            for k in 0..11 {
                let both = if NODES[k] == 0.0 { power(0.0) } else { power(NODES[k]) + power(-NODES[k]) };
                kronrod += KRONROD_WEIGHTS[k] * both;
                gauss += GAUSS_WEIGHTS[k] * both;
            }
            let exact = if degree % 2 == 0 { 2.0 / f64::from(degree + 1) } else { 0.0 };
            assert!((kronrod - exact).abs() < 1e-15, "degree {degree}: {kronrod} {exact}");
            assert!(degree > 19 || (gauss - exact).abs() < 1e-15);
        }
    }

    #[test]
    fn smooth_peaked_and_oscillating_integrals_match_their_closed_forms() {
        let peak = integral(-1.0, 1.0, |x| 1.0 / (1e-6 + x * x)).unwrap();
        let exact = 2.0 * real::atan(1e3) * 1e3;
        assert!((peak.value / exact - 1.0).abs() < 1e-13);
        let wave = integral(0.0, 10.0, |x| real::cos(50.0 * x)).unwrap();
        assert!((wave.value - real::sin(500.0) / 50.0).abs() < 1e-12);
        let turned = integral(1.0, 0.0, real::exp).unwrap();
        assert!((turned.value + std::f64::consts::E - 1.0).abs() < 1e-15);
    }

    #[test]
    fn square_root_ends_cost_no_accuracy() {
        let arc = integral_with_singular_ends(2.0, 5.0, |x| 1.0 / ((x - 2.0) * (5.0 - x)).sqrt()).unwrap();
        assert!((arc.value - std::f64::consts::PI).abs() < 1e-11);
        let area = integral_with_singular_ends(0.0, 1.0, |x| (x * (1.0 - x)).sqrt()).unwrap();
        assert!((area.value - std::f64::consts::PI / 8.0).abs() < 1e-14);
    }

    #[test]
    fn a_divergent_integral_is_an_error() {
        assert!(integral(0.0, 1.0, |x| 1.0 / (x - 0.5)).is_err());
        assert!(matches!(integral(0.0, 1.0, |_| f64::NAN), Err(QuadratureError::NotFinite { .. })));
    }

    proptest::proptest! {
        #[test]
        fn integrals_add_up(a in -3.0f64..3.0, b in -3.0f64..3.0, c in -3.0f64..3.0, w in 0.1f64..20.0) {
            let part = |from, to| integral(from, to, |x| real::cos(w * x) * real::exp(-x * x)).unwrap().value;
            proptest::prop_assert!((part(a, b) + part(b, c) - part(a, c)).abs() < 1e-13);
        }
    }
}
