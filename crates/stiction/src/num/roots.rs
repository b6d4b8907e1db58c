//! Roots and minima of functions of one variable, inside a bracket.
//!
//! A bracket never loses the root: the methods here cannot run away, whatever the function does. Roots are found by
//! Chandrupatla's method (inverse quadratic interpolation where it is safe, bisection elsewhere) to the last bits;
//! minima by Brent's method to the square root of the precision, which is all that values can tell.

/// Why a bracket gave no root.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, thiserror::Error)]
#[non_exhaustive]
pub enum RootError {
    /// The function has the same sign at both ends.
    #[error("no sign change: the function is {value_low:e} at {low:e} and {value_high:e} at {high:e}")]
    NoSignChange {
        /// Lower end of the bracket.
        low: f64,
        /// Upper end of the bracket.
        high: f64,
        /// Value at the lower end.
        value_low: f64,
        /// Value at the upper end.
        value_high: f64,
    },
    /// The function, or an end of the bracket, is not a number.
    #[error("the function is {value} at {at:e}")]
    NotANumber {
        /// Where.
        at: f64,
        /// The value there.
        value: f64,
    },
}

/// Why a bracket gave no root, for functions that can fail themselves.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum TryRootError<E> {
    /// The bracket or the values do not allow a root.
    #[error(transparent)]
    Root(#[from] RootError),
    /// The function failed.
    #[error("{0}")]
    Function(E),
}

/// Cap on evaluations. Bisection alone needs at most about 1100 (from 1e308 down to the smallest number); the
/// interpolation usually ends after ten.
const MAX_EVALUATIONS: usize = 1200;

/// The root of `function` between `low` and `high` (in any order), to the last bits.
///
/// ```
/// # use stiction::num::roots::root;
/// let x = root(0.0, 2.0, |x| x * x - 2.0)?;
/// assert!((x - 2f64.sqrt()).abs() <= 2.0 * f64::EPSILON);
/// # Ok::<(), stiction::num::roots::RootError>(())
/// ```
///
/// # Errors
/// [`RootError`] if the signs at the ends are equal or a value is not a number.
pub fn root(low: f64, high: f64, mut function: impl FnMut(f64) -> f64) -> Result<f64, RootError> {
    let outcome = try_root(low, high, |x| Ok::<f64, std::convert::Infallible>(function(x)));
    outcome.map_err(|error| match error {
        TryRootError::Root(error) => error,
        TryRootError::Function(never) => match never {},
    })
}

/// As [`root`], for a function that can fail.
///
/// # Errors
/// [`TryRootError::Function`] with the function's own error, or as [`root`].
pub(crate) fn try_root<E>(
    low: f64,
    high: f64,
    mut function: impl FnMut(f64) -> Result<f64, E>,
) -> Result<f64, TryRootError<E>> {
    let value_low = function(low).map_err(TryRootError::Function)?;
    let value_high = function(high).map_err(TryRootError::Function)?;
    try_root_between((low, value_low), (high, value_high), function)
}

/// As [`try_root`], with the values at both ends already known: `(place, value)`.
///
/// # Errors
/// As [`try_root`].
pub(crate) fn try_root_between<E>(
    low: (f64, f64),
    high: (f64, f64),
    mut function: impl FnMut(f64) -> Result<f64, E>,
) -> Result<f64, TryRootError<E>> {
    for (at, value) in [low, high] {
        if at.is_nan() || value.is_nan() || at.is_infinite() {
            return Err(RootError::NotANumber { at, value }.into());
        }
    }
    if low.1 == 0.0 {
        return Ok(low.0);
    }
    if high.1 == 0.0 {
        return Ok(high.0);
    }
    if (low.1 < 0.0) == (high.1 < 0.0) {
        return Err(RootError::NoSignChange { low: low.0, high: high.0, value_low: low.1, value_high: high.1 }.into());
    }

    // a is the newest point, b the other end of the bracket
    let (mut b, mut a) = (low, high);
    let mut fraction = 0.5_f64;
    for _ in 0..MAX_EVALUATIONS {
        let best = if a.1.abs() < b.1.abs() { a } else { b };
        let width = (b.0 - a.0).abs();
        let tolerance = 2.0 * f64::EPSILON * best.0.abs() + f64::MIN_POSITIVE;
        if width <= tolerance {
            return Ok(best.0);
        }
        // at least half a tolerance from both ends, so that the bracket really closes
        let margin = (0.5 * tolerance / width).min(0.5);
        let mut place = a.0 + fraction.clamp(margin, 1.0 - margin) * (b.0 - a.0);
        let inside = |place: f64| place > a.0.min(b.0) && place < a.0.max(b.0);
        if !inside(place) {
            // ends of very different size: the sum above is rounded onto or past the smaller one
            place = 0.5 * a.0 + 0.5 * b.0;
        }
        if !inside(place) {
            return Ok(best.0);
        }
        let value = function(place).map_err(TryRootError::Function)?;
        if value.is_nan() {
            return Err(RootError::NotANumber { at: place, value }.into());
        }
        if value == 0.0 {
            return Ok(place);
        }
        let mut dropped = a;
        if (value < 0.0) != (a.1 < 0.0) {
            dropped = b;
            b = a;
        }
        a = (place, value);
        fraction = interpolated_fraction(a, b, dropped);
    }
    Ok(if a.1.abs() < b.1.abs() { a.0 } else { b.0 })
}

/// Chandrupatla's rule: the fraction of the way from `a` to `b` where to look next.
fn interpolated_fraction(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> f64 {
    let xi = (a.0 - b.0) / (c.0 - b.0);
    let phi = (a.1 - b.1) / (c.1 - b.1);
    // inverse quadratic interpolation only where the inverse is monotonic inside the bracket
    if !(phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi) {
        return 0.5;
    }
    let fraction = (a.1 / (b.1 - a.1)) * (c.1 / (b.1 - c.1))
        + ((c.0 - a.0) / (b.0 - a.0)) * (a.1 / (c.1 - a.1)) * (b.1 / (c.1 - b.1));
    if fraction.is_finite() { fraction } else { 0.5 }
}

/// A minimum: where, and the value there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Minimum {
    /// Place of the minimum.
    pub(crate) at: f64,
    /// Value of the function there.
    pub(crate) value: f64,
}

/// A local minimum of `function` between `low` and `high`, by Brent's method; the ends count.
///
/// The place is good to about the square root of the precision, the value to the precision. Values that are not
/// numbers count as larger than every number.
pub fn minimum(low: f64, high: f64, mut function: impl FnMut(f64) -> f64) -> Minimum {
    match try_minimum(low, high, |x| Ok::<f64, std::convert::Infallible>(function(x))) {
        Ok(minimum) => minimum,
        Err(never) => match never {},
    }
}

/// As [`minimum`], for a function that can fail.
///
/// # Errors
/// The function's own error.
pub(crate) fn try_minimum<E>(
    low: f64,
    high: f64,
    mut function: impl FnMut(f64) -> Result<f64, E>,
) -> Result<Minimum, E> {
    const GOLDEN: f64 = 0.381_966_011_250_105_1;
    let mut value_at = |x: f64| function(x).map(|value| if value.is_nan() { f64::INFINITY } else { value });
    let (mut a, mut b) = (low.min(high), low.max(high));
    let ends = [Minimum { at: a, value: value_at(a)? }, Minimum { at: b, value: value_at(b)? }];

    let mut x = a + GOLDEN * (b - a);
    let mut fx = value_at(x)?;
    let (mut w, mut fw, mut v, mut fv) = (x, fx, x, fx);
    let (mut step, mut previous_step) = (0.0_f64, 0.0_f64);
    for _ in 0..200 {
        let middle = 0.5 * (a + b);
        let tolerance = 1e-8 * x.abs() + 1e-12 * (ends[1].at - ends[0].at) + f64::MIN_POSITIVE;
        if (x - middle).abs() <= 2.0 * tolerance - 0.5 * (b - a) {
            break;
        }
        // the parabola through x, w, v, if it falls inside and shrinks fast enough; else the golden section
        let mut parabolic = false;
        if previous_step.abs() > tolerance {
            let r = (x - w) * (fx - fv);
            let q0 = (x - v) * (fx - fw);
            let (mut p, mut q) = ((x - v) * q0 - (x - w) * r, 2.0 * (q0 - r));
            if q > 0.0 {
                p = -p;
            } else {
                q = -q;
            }
            let older = previous_step;
            previous_step = step;
            if p.abs() < (0.5 * q * older).abs() && p > q * (a - x) && p < q * (b - x) {
                step = p / q;
                let u = x + step;
                if u - a < 2.0 * tolerance || b - u < 2.0 * tolerance {
                    step = if x < middle { tolerance } else { -tolerance };
                }
                parabolic = true;
            }
        }
        if !parabolic {
            previous_step = if x < middle { b - x } else { a - x };
            step = GOLDEN * previous_step;
        }
        let u = if step.abs() >= tolerance { x + step } else { x + tolerance * if step > 0.0 { 1.0 } else { -1.0 } };
        let fu = value_at(u)?;
        if fu <= fx {
            if u < x {
                b = x;
            } else {
                a = x;
            }
            (v, fv, w, fw, x, fx) = (w, fw, x, fx, u, fu);
        } else {
            if u < x {
                a = u;
            } else {
                b = u;
            }
            if fu <= fw || w == x {
                (v, fv, w, fw) = (w, fw, u, fu);
            } else if fu <= fv || v == x || v == w {
                (v, fv) = (u, fu);
            }
        }
    }
    let mut best = Minimum { at: x, value: fx };
    for end in ends {
        if end.value < best.value {
            best = end;
        }
    }
    Ok(best)
}

/// All roots that a scan over the ascending `grid` can see, in ascending order.
///
/// Besides the sign changes from point to point it looks at every turning point of the sampled values that comes
/// towards zero without reaching it, so that two roots in one cell are found, which a plain scan would miss.
/// Cells with a value that is not a number are left out.
pub(crate) fn roots_on(grid: &[f64], mut function: impl FnMut(f64) -> f64) -> Vec<f64> {
    let values: Vec<f64> = grid.iter().map(|&x| function(x)).collect();
    let mut roots = Vec::new();
    let mut bracketed = |low: (f64, f64), high: (f64, f64), function: &mut dyn FnMut(f64) -> f64| {
        let outcome = try_root_between(low, high, |x| Ok::<f64, std::convert::Infallible>(function(x)));
        if let Ok(root) = outcome {
            roots.push(root);
        }
    };
    for (cell, (x, y)) in grid.windows(2).zip(values.windows(2)).enumerate() {
        let (&[x0, x1], &[y0, y1]) = (x, y) else { continue };
        if y0 == 0.0 || y1 == 0.0 || (y0 < 0.0) != (y1 < 0.0) {
            bracketed((x0, y0), (x1, y1), &mut function);
            continue;
        }
        // a turning point at the right end of this cell, seen from this cell and the next
        let (Some(&x2), Some(&y2)) = (grid.get(cell + 2), values.get(cell + 2)) else { continue };
        let towards_zero = y1.abs() <= y0.abs() && y1.abs() <= y2.abs() && (y2 < 0.0) == (y1 < 0.0);
        if towards_zero && y1 != 0.0 {
            let sign = y1.signum();
            let turn = minimum(x0, x2, |x| sign * function(x));
            if turn.value <= 0.0 {
                let turned = (turn.at, sign * turn.value);
                bracketed((x0, y0), turned, &mut function);
                bracketed(turned, (x2, y2), &mut function);
            }
        }
    }
    roots.sort_by(f64::total_cmp);
    roots.dedup_by(|later, earlier| (*later - *earlier).abs() <= 4.0 * f64::EPSILON * earlier.abs());
    roots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::real::{cos, exp};

    #[test]
    fn roots_are_found_to_the_last_bits() {
        assert!((root(0.0, 3.0, |x| x * x - 2.0).unwrap() - 2f64.sqrt()).abs() <= 4.5e-16);
        assert!((root(3.0, 0.0, cos).unwrap() - std::f64::consts::FRAC_PI_2).abs() <= 4.5e-16);
        // flat, steep, and a jump
        assert!(root(-1.0, 1.5, |x| x * x * x * x * x).unwrap().abs() < 1e-60);
        assert!((root(0.0, 800.0, |x| exp(x) - 5.0).unwrap() - 1.609_437_912_434_100_3).abs() < 1e-15);
        assert!((root(1e-200, 1.0, |x| x - 3e-190).unwrap() / 3e-190 - 1.0).abs() < 1e-15);
        let jump = root(0.0, 1.0, |x| if x < 0.3 { -1.0 } else { 1.0 }).unwrap();
        assert!((jump - 0.3).abs() < 1e-15);
    }

    #[test]
    fn a_bracket_without_a_sign_change_is_refused() {
        assert!(matches!(root(0.0, 1.0, |_| 1.0), Err(RootError::NoSignChange { .. })));
        assert!(matches!(root(0.0, 1.0, |_| f64::NAN), Err(RootError::NotANumber { .. })));
        assert_eq!(try_root(0.0, 1.0, |_| Err("broken")), Err(TryRootError::Function("broken")));
    }

    #[test]
    fn minima_are_found_inside_and_at_the_ends() {
        let inside = minimum(0.0, 5.0, |x| (x - 1.3) * (x - 1.3) + 2.0);
        assert!((inside.at - 1.3).abs() < 1e-7 && (inside.value - 2.0).abs() < 1e-14);
        assert_eq!(minimum(1.0, 2.0, |x| x), Minimum { at: 1.0, value: 1.0 });
    }

    #[test]
    fn two_roots_in_one_cell_are_seen() {
        let grid: Vec<f64> = (0..=10).map(f64::from).collect();
        let roots = roots_on(&grid, |x| (x - 4.31) * (x - 4.33) * (x - 7.0));
        assert_eq!(roots.len(), 3);
        assert!((roots[0] - 4.31).abs() < 1e-13 && (roots[1] - 4.33).abs() < 1e-13 && roots[2] == 7.0);
    }

    proptest::proptest! {
        #[test]
        fn any_bracket_of_a_cubic_closes_on_its_root(r in -1e3f64..1e3, s in 1e-3f64..1e3) {
            let x = root(r - s, r + 2.0 * s, |x| (x - r) * (1.0 + (x - r) * (x - r))).unwrap();
            proptest::prop_assert!((x - r).abs() <= 4.0 * f64::EPSILON * r.abs() + 1e-300);
        }
    }
}
