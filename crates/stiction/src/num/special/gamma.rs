//! The gamma function.

/// Γ(x), to the last digits; infinite above 171.6.
///
/// ```
/// # use stiction::num::special::gamma;
/// assert!((gamma(5.0) - 24.0).abs() < 1e-13);
/// ```
pub fn gamma(x: f64) -> f64 {
    libm::tgamma(x)
}

/// ln |Γ(x)|.
pub(crate) fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_has_its_digits() {
        assert!((gamma(1.0 / 3.0) / 2.678_938_534_707_747_5 - 1.0).abs() < 1e-14);
        assert!((ln_gamma(150.5) / 602.513_954_870_585_4 - 1.0).abs() < 1e-14);
        assert_eq!(gamma(172.0), f64::INFINITY);
    }
}
