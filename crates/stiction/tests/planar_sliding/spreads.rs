//! The length of a Gaussian force, and distributions with given moments.

use std::f64::consts::PI;
use stiction::analysis::planar_sliding::norm::{NormMoments, gaussian_norm};
use stiction::analysis::planar_sliding::shape_of_samples::{Fit, kolmogorov_smirnov, third_and_fourth};
use stiction::num::random::inverse_normal;
use stiction::num::real::{erf, exp};

fn force(mean: [f64; 2], xx: f64, xy: f64, yy: f64) -> NormMoments {
    gaussian_norm([mean[0], mean[1], 0.0], &[[xx, xy, 0.0], [xy, yy, 0.0], [0.0, 0.0, 1.0]])
}

#[test]
fn closed_forms_of_rayleigh_and_of_a_folded_normal_are_met() {
    let rayleigh = force([0.0, 0.0], 4.0, 0.0, 4.0);
    assert!((rayleigh.mean - 2.0 * (PI / 2.0).sqrt()).abs() < 1e-12);
    let (m, s) = (0.7, 0.9);
    let folded = force([0.0, m], 0.0, 0.0, s * s);
    let wanted = s * (2.0 / PI).sqrt() * exp(-m * m / (2.0 * s * s)) + m * erf(m / (s * 2.0_f64.sqrt()));
    assert!((folded.mean - wanted).abs() < 1e-11, "{} not {wanted}", folded.mean);
}

#[test]
fn general_forces_agree_with_double_integrals() {
    // by adaptive quadrature of r² times the density in polar coordinates
    for (mean, [xx, xy, yy], wanted) in [
        ([1.0, 0.3], [0.2, 0.05, 0.6], 1.283_909_609_297_389_4),
        ([0.05, 0.0], [1.0, 0.0, 1e-4], 0.799_100_569_979_970_8),
        ([-0.35, 0.0], [0.055, 0.0, 0.0535], 0.436_825_740_798_911_9),
    ] {
        let found = force(mean, xx, xy, yy);
        assert!((found.mean - wanted).abs() < 2e-10, "{} not {wanted}", found.mean);
        let square = mean[0] * mean[0] + mean[1] * mean[1] + xx + yy;
        assert!((found.standard_deviation - (square - wanted * wanted).sqrt()).abs() < 1e-9);
    }
}

#[test]
fn turning_the_force_changes_nothing() {
    let (c, s) = (0.6, 0.8);
    let straight = force([0.5, -0.2], 0.3, 0.1, 0.05);
    let turned = force(
        [c * 0.5 + s * 0.2, s * 0.5 - c * 0.2],
        c * c * 0.3 - 2.0 * c * s * 0.1 + s * s * 0.05,
        c * s * (0.3 - 0.05) + (c * c - s * s) * 0.1,
        s * s * 0.3 + 2.0 * c * s * 0.1 + c * c * 0.05,
    );
    assert!((straight.mean - turned.mean).abs() < 1e-12);
    assert!((straight.standard_deviation - turned.standard_deviation).abs() < 1e-11);
}

#[test]
fn a_nearly_certain_force_joins_smoothly() {
    for scale in [0.99e-8, 1.01e-8] {
        let found = force([1.0, 0.0], 0.7 * scale, 0.0, 0.3 * scale);
        assert!((found.standard_deviation / (0.7 * scale).sqrt() - 1.0).abs() < 1e-6);
    }
}

#[test]
fn fits_have_the_moments_they_were_given() {
    for fit in [Fit::normal(-1.0, 0.3).unwrap(), Fit::lognormal(-2.0, 0.5).unwrap(), Fit::lognormal(1.0, 0.2).unwrap()]
    {
        let (mut total, mut mean, mut square) = (0.0, 0.0, 0.0);
        let step = 1e-3;
        for i in -20_000..20_000 {
            let x = step * (f64::from(i) + 0.5);
            let part = step * fit.density(x);
            (total, mean, square) = (total + part, mean + part * x, square + part * x * x);
        }
        let (wanted_mean, wanted) = match fit {
            Fit::Normal { .. } => (-1.0, 0.3),
            Fit::Lognormal { sign, .. } if sign < 0.0 => (-2.0, 0.5),
            Fit::Lognormal { .. } => (1.0, 0.2),
        };
        assert!((total - 1.0).abs() < 1e-6 && (mean - wanted_mean).abs() < 1e-6);
        assert!((square - mean * mean - wanted).abs() < 1e-5);
    }
    assert!(Fit::lognormal(0.0, 1.0).is_none() && Fit::normal(0.0, 0.0).is_none());
}

#[test]
fn samples_of_a_distribution_are_close_to_it_and_far_from_others() {
    // quantiles at the middles of n equal parts: the smallest possible distance, 1/(2n)
    let samples: Vec<f64> = (0..1000).map(|i| inverse_normal((f64::from(i) + 0.5) / 1000.0)).collect();
    let normal = Fit::normal(0.0, 1.0).unwrap();
    assert!((kolmogorov_smirnov(&samples, &normal) - 5e-4).abs() < 1e-12);
    assert!(kolmogorov_smirnov(&samples, &Fit::normal(1.0, 1.0).unwrap()) > 0.3);
    let shape = third_and_fourth(&samples).unwrap();
    assert!(shape.skewness.abs() < 1e-12 && shape.excess_kurtosis.abs() < 0.1);
}
