//! How long a contact holds that is loaded steadily while it grows stronger.
//!
//! In coefficients: the load starts a `margin` m below the static limit and grows at the rate r; the limit grows by
//! G(t). The contact breaks loose at the *first* t > 0 with r t = m + G(t). The load may overtake the limit up to three
//! times (hill laws), so the first root is bracketed on pieces on which G′ is monotonic: there the gap is convex or
//! concave and cannot hide a root.

use super::{Aging, AgingLaw, ExponentialAging};
use crate::num::lambert::lambert_w0_of_exponential;
use crate::num::real::{exp, exp_m1, ln};
use crate::num::roots::root;

impl Aging {
    /// The time \[s\] for which a contact holds whose load starts `margin` [-] below the static coefficient at contact and
    /// grows by `loading_rate` [1/s]: the smallest t > 0 with `loading_rate * t = margin + growth(t)`.
    ///
    /// Zero if the load overtakes the limit at once, or is beyond it from the start (`margin < 0`). None if the load
    /// never reaches the limit, or an argument is not a number.
    pub fn holding_time(&self, margin: f64, loading_rate: f64) -> Option<f64> {
        if margin.is_nan() || loading_rate.is_nan() {
            return None;
        }
        if margin < 0.0 {
            return Some(0.0);
        }
        if loading_rate <= 0.0 || !margin.is_finite() {
            return None;
        }
        if let Aging::Exponential(law) = self {
            return Some(exponential(law, margin, loading_rate));
        }
        first_root(self, margin, loading_rate)
    }
}

/// θ = s + c (1 − e^−θ) with θ = t/τ, s = margin/(r τ), c = D/(r τ): by Lambert's W₀, then polished.
fn exponential(law: &ExponentialAging, margin: f64, loading_rate: f64) -> f64 {
    let scale = loading_rate * law.time_constant;
    let (s, c) = (margin / scale, law.increment / scale);
    if c == 0.0 {
        return s * law.time_constant;
    }
    if s == 0.0 && c <= 1.0 {
        return 0.0;
    }
    // A = s + c, and W₀(−c e^−A) from ln c − A, which neither overflows nor underflows
    let mut theta = (s + c + lambert_w0_of_exponential((ln(c) - c - s).min(-1.0))).max(s);
    // for short times the sum cancels: Newton on θ − s + c expm1(−θ), convex, from any side
    for _ in 0..3 {
        let slope = 1.0 - c * exp(-theta);
        if slope <= 1e-8 {
            break;
        }
        let next = theta - (theta - s + c * exp_m1(-theta)) / slope;
        if !(next >= s && next.is_finite()) {
            break;
        }
        theta = next;
    }
    theta * law.time_constant
}

fn first_root(law: &Aging, margin: f64, loading_rate: f64) -> Option<f64> {
    // the gap is negative while the contact holds
    let gap = |t: f64| loading_rate * t - margin - law.growth(t);
    let gap_rate = |t: f64| loading_rate - law.growth_rate(t);
    let onset_rate = gap_rate(0.0);
    if margin == 0.0 && onset_rate >= 0.0 {
        return Some(0.0);
    }

    // some time at which the load is beyond the limit: an upper end for the first root
    let limit = law.growth_limit();
    let mut end = if limit.is_finite() { (margin + limit) / loading_rate } else { margin.max(1e-300) / loading_rate };
    let mut beyond = end > 0.0 && gap(end) >= 0.0;
    // a formula may outgrow the load again: small strides, so that a short time beyond the limit is not stepped over
    let stride = if matches!(law, Aging::Expression(_)) { 1.05 } else { 2.0 };
    while end.is_finite() {
        if beyond {
            break;
        }
        end = (stride * end).max(f64::MIN_POSITIVE);
        beyond = gap(end) >= 0.0;
    }
    if !(beyond && end.is_finite()) {
        return None;
    }

    // piece by piece: between turns of the rate the gap is convex or concave
    let mut start = 0.0;
    for stop in law.rate_turns(end).into_iter().chain([end]) {
        if let Some(time) = first_root_in_piece(start, stop, margin, &gap, &gap_rate) {
            return Some(time);
        }
        start = stop;
    }
    // the upper end itself, if roundings hid it
    Some(end)
}

/// The first root of the gap between `start` and `stop`, where the gap's rate is monotonic and the gap is not positive
/// at the start.
fn first_root_in_piece(
    start: f64,
    stop: f64,
    margin: f64,
    gap: &impl Fn(f64) -> f64,
    gap_rate: &impl Fn(f64) -> f64,
) -> Option<f64> {
    let starts_at_root = start == 0.0 && margin == 0.0;
    if start > 0.0 && gap(start) >= 0.0 {
        // the piece before ends at a root that its roundings hid
        return Some(start);
    }
    let (rate_start, rate_stop) = (gap_rate(start), gap_rate(stop));
    // where the gap still falls after the start, if it does: a vertical start may be over within the smallest numbers
    let falling = if rate_start == f64::NEG_INFINITY {
        let nearer = (0..1074).map(|k| start + (stop - start) * 0.5_f64.powi(k));
        nearer.take_while(|&t| t > start).find(|&t| gap_rate(t) < 0.0 && gap_rate(t).is_finite())
    } else {
        Some(start).filter(|_| rate_start < 0.0)
    };
    if let Some(falling) = falling {
        // falls, then rises: one root, right of the lowest point
        if rate_stop <= 0.0 || gap(stop) < 0.0 {
            return None;
        }
        let lowest = root(falling, stop, gap_rate).ok()?;
        return root(lowest, stop, gap).ok();
    }
    // rises throughout, or rises and then falls: one root up to the highest point
    if starts_at_root {
        return Some(start);
    }
    let highest = if rate_stop < 0.0 { root(start, stop, gap_rate).unwrap_or(stop) } else { stop };
    if gap(highest) >= 0.0 { root(start, highest, gap).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::super::{HillAging, LogarithmicAging};
    use super::*;

    #[test]
    fn the_exponential_form_is_the_first_root() {
        let law = Aging::Exponential(ExponentialAging { increment: 2.0, time_constant: 1.0 });
        for (margin, rate) in [(0.0, 1.0), (1e-12, 1.0), (0.5, 1.0), (3.0, 1e-6), (1e-9, 3.0), (0.7, 1e9)] {
            let exact = law.holding_time(margin, rate).unwrap();
            let searched = first_root(&law, margin, rate).unwrap();
            assert!((exact - searched).abs() <= 1e-13 * exact.abs() + 1e-25, "{margin} {rate}: {exact} {searched}");
        }
        // slower growth than loading, no margin: breaks loose at once
        assert_eq!(law.holding_time(0.0, 2.5), Some(0.0));
    }

    #[test]
    fn hill_laws_jump_where_the_first_root_disappears() {
        let law = Aging::Hill(HillAging { increment: 1.0, time_constant: 1.0, exponent: 4.0 });
        // the load touches the growing limit: slightly more margin and the contact holds far longer
        let times: Vec<f64> = (0..400).map(|k| law.holding_time(0.001 * f64::from(k), 0.6).unwrap()).collect();
        let largest_jump = times.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
        assert!(largest_jump > 0.5, "{largest_jump}");
        assert!(times.windows(2).all(|w| w[1] > w[0]));
    }

    #[test]
    fn a_written_law_holds_as_long_as_the_built_in_one() {
        for p in [1.0, 2.0, 4.0] {
            let built_in = Aging::Hill(HillAging { increment: 1.0, time_constant: 1.0, exponent: p });
            let formula = format!("t^{p}/(1 + t^{p})");
            let written = Aging::Expression(super::super::AgingExpression::new(formula, [].into()).unwrap());
            for (margin, rate) in [(0.0, 0.3), (0.01, 0.5), (0.1, 0.6), (0.2, 0.6), (0.5, 2.0), (1e-6, 0.01)] {
                let (a, b) =
                    (built_in.holding_time(margin, rate).unwrap(), written.holding_time(margin, rate).unwrap());
                assert!((a - b).abs() <= 1e-10 * a, "p = {p}, margin {margin}, rate {rate}: {a} {b}");
            }
        }
        // growth that outruns any load
        let runaway = Aging::Expression(super::super::AgingExpression::new("t^2", [].into()).unwrap());
        assert_eq!(runaway.holding_time(1.0, 1.0), None);
        // (1 − √(1 − 4 m))/2
        let short = runaway.holding_time(0.2495, 1.0).unwrap();
        assert!((short - 0.5 * (1.0 - 0.002_f64.sqrt())).abs() < 1e-12);
    }

    #[test]
    fn a_vertical_start_that_is_over_at_once_does_not_hold() {
        // the root is (1/(r τᵖ))^(1/(1 − p)), about 10⁻³⁹⁰ s
        let law = Aging::Hill(HillAging { increment: 1.0, time_constant: 8.057, exponent: 0.996 });
        assert_eq!(law.holding_time(0.0, 4.28), Some(0.0));
        // and about 10⁻³⁰⁰ s here, which is a number
        let time = law.holding_time(0.0, 0.7).unwrap();
        assert!(time > 0.0 && time < 1e-100, "{time}");
    }

    #[test]
    fn no_loading_never_breaks_loose() {
        for law in Aging::samples() {
            assert_eq!(law.holding_time(0.1, 0.0), None);
            assert_eq!(law.holding_time(f64::NAN, 1.0), None);
            assert_eq!(law.holding_time(-0.1, 1.0), Some(0.0));
        }
    }

    proptest::proptest! {
        #[test]
        fn nothing_breaks_loose_before_the_holding_time(
            margin in 0.0f64..2.0, log_rate in -3.0f64..1.0, p in 0.3f64..6.0, tau in 0.1f64..10.0,
        ) {
            let rate = crate::num::real::pow(10.0, log_rate);
            let laws = [
                Aging::Hill(HillAging { increment: 1.0, time_constant: tau, exponent: p }),
                Aging::Logarithmic(LogarithmicAging { increment: 0.3, time_constant: tau }),
                Aging::Exponential(ExponentialAging { increment: 1.0, time_constant: tau }),
            ];
            for law in laws {
                let time = law.holding_time(margin, rate).unwrap();
                let gap = |t: f64| rate * t - margin - law.growth(t);
                let scale = margin + rate * time + law.growth(time);
                proptest::prop_assert!(gap(time).abs() <= 1e-12 * scale + 1e-300, "{:?} {}", law, gap(time));
                for k in 1..2000 {
                    let t = time * f64::from(k) / 2000.0;
                    proptest::prop_assert!(gap(t) <= 1e-12 * scale, "{:?}: loose at {} before {}", law, t, time);
                }
            }
        }
    }
}
