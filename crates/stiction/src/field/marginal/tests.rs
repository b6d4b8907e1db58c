use super::*;
use crate::num::quadrature::integral;

fn every_marginal() -> Vec<Marginal> {
    vec![
        Marginal::lognormal(0.5, 0.1).unwrap(),
        Marginal::lognormal(2.0, 5.0).unwrap(),
        Marginal::truncated_normal(0.5, 0.2).unwrap(),
        Marginal::truncated_normal(0.5, 0.35).unwrap(),
        Marginal::truncated_normal(0.3, 0.27).unwrap(),
        Marginal::uniform(0.5, 0.2).unwrap(),
        Marginal::gaussian(0.5, 0.07).unwrap(),
        Marginal::quantiles(&TABLE).unwrap(),
    ]
}

const TABLE: [[f64; 2]; 4] = [[0.0, 0.2], [0.3, 0.45], [0.8, 0.6], [1.0, 1.1]];

#[test]
fn values_have_the_moments_that_were_asked_for() {
    for marginal in every_marginal() {
        let expectation = |power: i32| {
            let weight = |g: f64| (marginal.value(g) - marginal.mean()).powi(power) * normal_density(g);
            integral(-14.0, 14.0, weight).unwrap().value
        };
        let (mean, deviation) = (marginal.mean(), marginal.standard_deviation());
        assert!(expectation(1).abs() < 1e-12 * mean, "{marginal:?}");
        assert!((expectation(2).sqrt() / deviation - 1.0).abs() < 1e-11, "{marginal:?}");
    }
}

#[test]
fn the_density_belongs_to_the_values() {
    for marginal in every_marginal() {
        for g in [-3.0, -0.7, 0.1, 2.0, 4.0] {
            // f(H) dH = φ(g) dg
            let slope = (marginal.value(g + 1e-5) - marginal.value(g - 1e-5)) / 2e-5;
            let found = marginal.density(marginal.value(g)) * slope;
            assert!((found / normal_density(g) - 1.0).abs() < 1e-5, "{marginal:?} {g}");
        }
    }
}

/// mpmath with 30 digits.
#[test]
fn a_cut_normal_distribution_is_found_from_its_moments_after_the_cut() {
    for (deviation, values) in [
        (0.2, [0.295_509_108_904_766, 0.497_524_791_153_246_3, 1.010_014_495_045_954_2]),
        (0.35, [0.142_323_596_267_427_1, 0.441_441_258_934_929_75, 1.571_795_094_736_055_5]),
    ] {
        let Marginal::TruncatedNormal(cut) = Marginal::truncated_normal(0.5, deviation).unwrap() else {
            unreachable!()
        };
        for (g, exact) in [-1.0, 0.0, 2.5].into_iter().zip(values) {
            assert!((cut.value(g) / exact - 1.0).abs() < 1e-13, "{g}: {} {exact}", cut.value(g));
        }
    }
}

/// Lognormal: the closed form. The others: double quadratures of an independent code.
#[test]
fn correlations_of_the_coefficient_match_double_quadratures() {
    let cut = |deviation| Marginal::truncated_normal(0.5, deviation).unwrap();
    for (marginal, parent, exact) in [
        (cut(0.2), -1.0, -0.997_370_179_432_454_9),
        (cut(0.2), -0.5, -0.498_765_005_689_928_76),
        (cut(0.2), 0.3, 0.299_476_189_522_940_2),
        (cut(0.2), 0.9, 0.899_682_931_660_376),
        (cut(0.35), -1.0, -0.897_327_407_294_775),
        (cut(0.35), 0.3, 0.288_364_978_957_133_2),
        (cut(0.35), 0.9, 0.894_775_276_941_795_5),
        (Marginal::quantiles(&TABLE).unwrap(), -0.5, -0.453_076_609_372_781_3),
        (Marginal::quantiles(&TABLE).unwrap(), 0.3, 0.280_593_906_255_723),
        (Marginal::quantiles(&TABLE).unwrap(), 0.9, 0.877_916_560_972_012),
    ] {
        let found = marginal.correlation_of_coefficient(parent);
        assert!((found - exact).abs() < 1e-10, "{marginal:?} {parent}: {found} {exact}");
    }
}

#[test]
fn both_ways_of_nataf_are_inverse_to_each_other_and_increase() {
    for marginal in every_marginal() {
        let mut last = f64::NEG_INFINITY;
        for parent in [-1.0, -0.6, -1e-3, 0.0, 1e-9, 0.2, 0.77, 0.999, 1.0] {
            let coefficient = marginal.correlation_of_coefficient(parent);
            assert!(coefficient > last && coefficient <= 1.0 + 1e-15);
            last = coefficient;
            let back = marginal.correlation_of_parent(coefficient).unwrap();
            assert!((back - parent).abs() < 1e-12, "{marginal:?}: {parent} {coefficient} {back}");
        }
        assert!((marginal.correlation_of_coefficient(1.0) - 1.0).abs() < 1e-14);
        assert_eq!(marginal.correlation_of_parent(-1.01), None);
    }
}

#[test]
fn the_hermite_series_is_the_correlation() {
    for marginal in every_marginal() {
        let shares = marginal.shares();
        for parent in [-0.5_f64, 0.3, 0.8] {
            let series = shares.iter().rev().fold(0.0, |sum, share| sum * parent + share) * parent;
            assert!((series - marginal.correlation_of_coefficient(parent)).abs() < 1e-13, "{marginal:?}");
        }
        // the first share is E[H G]²/Var H
        let first = integral(-14.0, 14.0, |g| marginal.value(g) * g * normal_density(g)).unwrap().value;
        let exact = (first / marginal.standard_deviation()).powi(2);
        assert!((shares[0] - exact).abs() < 1e-11, "{marginal:?}: {} {exact}", shares[0]);
    }
}

/// mpmath with 30 digits; 0.33 is on the closed form's side of the series.
#[test]
fn the_distortion_of_a_lognormal_field_follows_its_formula() {
    for (variation, at, largest) in [
        (0.05, 0.500_104_036_669_536_1, 0.000_312_109_997_798_096_84),
        (0.2, 0.501_634_175_433_348_1, 0.004_902_484_404_989_75),
        (0.33, 0.504_306_638_766_047_8, 0.012_919_149_545_522_092),
        (1.0, 0.528_766_372_944_897_6, 0.086_071_332_055_934_22),
        (3.0, 0.592_026_820_739_861_7, 0.268_843_449_947_720_97),
    ] {
        let marginal = Marginal::lognormal(0.7, 0.7 * variation).unwrap();
        let found = marginal.distortion();
        assert!((found.at - at).abs() < 1e-12 && (found.largest - largest).abs() < 1e-13, "{variation}: {found:?}");
        let least = crate::num::roots::minimum(0.0, 1.0, |r| marginal.correlation_of_coefficient(r) - r);
        assert!((found.largest + least.value).abs() < 1e-14);
    }
    // asin bends least: below two hundredths
    let uniform = Marginal::uniform(1.0, 0.3).unwrap().distortion();
    assert!(uniform.largest > 0.017 && uniform.largest < 0.019, "{uniform:?}");
}

#[test]
fn impossible_marginals_are_refused_with_the_key() {
    for (outcome, key) in [
        (Marginal::lognormal(1.0, 1e200), "standard_deviation"),
        (Marginal::lognormal(1e-200, 1e-201), "standard_deviation"),
        (Marginal::lognormal(1.0, 1e-200), "standard_deviation"),
        (Marginal::lognormal(0.0, 0.1), "mean"),
        (Marginal::lognormal(f64::NAN, 0.1), "mean"),
        (Marginal::truncated_normal(0.5, 0.5), "standard_deviation"),
        (Marginal::truncated_normal(0.5, -0.1), "standard_deviation"),
        (Marginal::uniform(0.5, 0.3), "standard_deviation"),
        (Marginal::gaussian(0.5, 0.0711), "standard_deviation"),
        (Marginal::quantiles(&[]), "marginal.quantiles"),
        (Marginal::quantiles(&[[0.1, 0.2], [1.0, 0.3]]), "marginal.quantiles"),
        (Marginal::quantiles(&[[0.0, -0.2], [1.0, 0.3]]), "marginal.quantiles"),
        (Marginal::quantiles(&[[0.0, 0.2], [0.5, 0.2], [1.0, 0.3]]), "marginal.quantiles"),
        (Marginal::quantiles(&[[0.0, 0.2], [f64::NAN, 0.25], [1.0, 0.3]]), "marginal.quantiles"),
    ] {
        assert_eq!(outcome.unwrap_err().key, key);
    }
    assert!(Marginal::gaussian(0.5, 0.071).is_ok());
    // a spread of 1e-11 still has its correlations, both ways
    for marginal in
        [Marginal::lognormal(1.0, 1e-11), Marginal::truncated_normal(1.0, 1e-11), Marginal::uniform(1.0, 1e-11)]
    {
        let marginal = marginal.unwrap();
        let coefficient = marginal.correlation_of_coefficient(0.4);
        assert!((marginal.correlation_of_parent(coefficient).unwrap() - 0.4).abs() < 1e-9, "{marginal:?}");
    }
}
