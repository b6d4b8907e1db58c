//! Coefficients of variation of a sliding plate, thresholds, samples.

use super::plain::{self, sampler};
use stiction::analysis::Silent;
use stiction::analysis::planar_sliding::motion::{General, Motion, Rotation};
use stiction::analysis::planar_sliding::shape_of_samples::{Fit, kolmogorov_smirnov, third_and_fourth};
use stiction::analysis::planar_sliding::{
    Closure, Covariance, Curves, NoCovariance, Pairing, Plate, Quantity, Question, Samples, TorqueLength, Verdict,
};
use stiction::field::{Correlation, CorrelationOf};
use stiction::patch::{Disc, Rectangle, Shape, Square};

fn square() -> Shape {
    Shape::Square(Square { half_side: 1.0 })
}

fn general(rotation_radius: f64) -> Motion {
    Motion::General(General { rotation_radius })
}

fn covariance(length: f64, variation: f64, of: CorrelationOf) -> Covariance {
    plain::covariance(0.5, 0.5 * variation, &Correlation::gaussian(length), of)
}

fn curves(shape: &Shape, motion: &Motion, variation: f64, of: CorrelationOf) -> Curves {
    let covariance = covariance(1.0, variation, of);
    let table = Plate::new(shape, motion, 1.0).unwrap().tabulated(&covariance, 0.01, &Silent).unwrap();
    let torque_length = TorqueLength::default();
    Curves { table, level: None, covariance, reference: 1.0, torque_length, policy: NoCovariance::Refuse }
}

#[test]
fn the_largest_variation_of_the_torque_is_where_the_slope_is_zero() {
    // from 40 digits
    let found = curves(&square(), &Motion::default(), 0.2, CorrelationOf::Coefficient);
    let peak = found.peak(Quantity::Torque, 0.1, 10.0).unwrap().unwrap();
    assert!((peak.length - 1.042_720_047_489_182).abs() < 1e-8, "{}", peak.length);
    // the paper's text says below 5 %: with its own a_m = a/√2 it is 6.6 %
    assert!((peak.value - 0.066_420_904_668_048_03).abs() < 1e-13, "{}", peak.value);
}

#[test]
fn the_force_varies_by_five_percent_where_the_closed_form_says() {
    for (variation, length) in
        [(0.1, 0.703_996_617_179_382_4), (0.2, 0.309_035_710_526_699_6), (0.5, 0.116_678_306_458_203_8)]
    {
        let found = curves(&square(), &Motion::default(), variation, CorrelationOf::Coefficient);
        let crossings = found.crossings(Quantity::ForceNorm, 0.05, 0.01, 100.0).unwrap();
        assert_eq!(crossings.len(), 1);
        assert!((crossings[0] - length).abs() < 1e-9, "{} not {length}", crossings[0]);
    }
}

#[test]
fn both_limits_of_the_length_are_those_of_the_coefficient() {
    for motion in [Motion::default(), Motion::Rotation(Rotation::default()), general(1.0)] {
        let found = curves(&square(), &motion, 0.2, CorrelationOf::Coefficient);
        let short = found.at(1e-3).unwrap().variations;
        assert!(short.force_norm.unwrap() < 1e-3 && short.torque.unwrap() < 1e-3);
        let long = found.at(1e4).unwrap().variations;
        let limit = |mean_is_zero: bool| if mean_is_zero { 0.0 } else { 0.2 };
        let rotates = motion == Motion::Rotation(Rotation::default());
        assert!((long.force_norm.unwrap() - limit(rotates)).abs() < 1e-4, "{motion:?} {long:?}");
        assert!((long.torque.unwrap() - limit(motion == Motion::default())).abs() < 1e-4, "{motion:?} {long:?}");
    }
}

#[test]
fn thresholds_of_the_square_are_those_of_the_closed_forms() {
    let plate = Plate::new(&square(), &Motion::default(), 1.0).unwrap();
    let ask = |length: f64| {
        plate.advice(&covariance(length, 0.2, CorrelationOf::Coefficient), Question::default(), &Silent).unwrap()
    };
    let advice = ask(1.0);
    let (force, torque) = (advice.force.unwrap(), advice.torque.unwrap());
    assert!((force.thresholds.deterministic.unwrap() - 0.309_035_710_526_7).abs() < 1e-9);
    assert!((force.thresholds.variable.unwrap() - 3.539_512_757_723_752).abs() < 1e-9);
    assert!((torque.thresholds.variable.unwrap() - 13.262_907_910_164_5).abs() < 1e-8);
    assert_eq!(advice.combined.variable, torque.thresholds.variable);
    assert_eq!(advice.verdict, Verdict::RandomField);
    assert!(torque.peak.is_some() && force.peak.is_none());
    assert_eq!(ask(0.2).verdict, Verdict::Deterministic);
    assert_eq!(ask(13.0).verdict, Verdict::RandomField);
    assert_eq!(ask(13.5).verdict, Verdict::RandomVariable);
    // a torque without mean alone is never a random variable
    let only_torque = Question { force: false, ..Question::default() };
    let alone = plate.advice(&covariance(50.0, 0.9, CorrelationOf::Coefficient), only_torque, &Silent).unwrap();
    assert_eq!(alone.combined.variable, None);
    assert_eq!(alone.verdict, Verdict::Deterministic);
    let nothing = Question { force: false, torque: false, ..Question::default() };
    assert!(plate.advice(&covariance(1.0, 0.2, CorrelationOf::Coefficient), nothing, &Silent).is_err());
}

#[test]
fn small_variation_is_deterministic_at_every_length() {
    for shape in
        [square(), Shape::Disc(Disc { radius: 1.0 }), Shape::Rectangle(Rectangle { half_length: 1.0, half_width: 0.4 })]
    {
        let plate = Plate::new(&shape, &Motion::default(), 1.0).unwrap();
        let advice =
            plate.advice(&covariance(1.0, 0.04, CorrelationOf::Coefficient), Question::default(), &Silent).unwrap();
        assert_eq!((advice.verdict, advice.combined.deterministic), (Verdict::Deterministic, None));
    }
}

#[test]
fn a_centre_of_rotation_near_the_centroid_gives_a_peak_and_warnings() {
    let plate = Plate::new(&square(), &general(0.1), 1.0).unwrap();
    let advice = plate.advice(&covariance(1.0, 0.2, CorrelationOf::Coefficient), Question::default(), &Silent).unwrap();
    let (length, value) = advice.force.unwrap().peak.unwrap();
    assert!((0.7..1.5).contains(&length) && (0.3..0.6).contains(&value), "{length} {value}");
    assert!(advice.warnings.iter().any(|warning| warning.contains("0.100 a")), "{:?}", advice.warnings);
    assert_eq!(advice.verdict, Verdict::RandomField);
}

#[test]
fn samples_have_the_exact_moments_of_their_field() {
    let plate = Plate::new(&square(), &Motion::default(), 1.0).unwrap();
    for length in [0.3, 1.0, 10.0] {
        let exact =
            plate.moments(&covariance(length, 0.2, CorrelationOf::GaussianParent), NoCovariance::Refuse).unwrap();
        let sampler = sampler([1.0, 1.0], length, 0.5, 0.1, 7);
        let samples = Samples::draw(&sampler, &plate.functionals.twist, 1.0, 4000, Pairing::Independent);
        let found = samples.moments(&exact);
        for i in [0, 2] {
            let error = found.mean[i].value - exact.mean[i];
            assert!(error.abs() < 4.0 * found.mean[i].standard_error, "{length} mean {i}: {error:e}");
            let error = found.variance[i].value - exact.covariance[i][i];
            assert!(error.abs() < 4.0 * found.variance[i].standard_error, "{length} variance {i}: {error:e}");
        }
        assert!(found.force_torque.value.abs() < 4.0 * found.force_torque.standard_error);
        // the estimate of the paper falls to the standard error √(2/n)
        let running = samples.running_variance(0, &[1, 10, 4000]);
        assert!(running[0].is_none() && running[1].is_some());
        let error = running[2].unwrap() / exact.covariance[0][0] - 1.0;
        assert!(error.abs() < 4.0 * (2.0_f64 / 4000.0).sqrt(), "{error}");
        let slider = samples.slider_coefficients(1.0, 4.0);
        assert!((slider[5][0] + samples.rows[5][0] / 4.0).abs() < 1e-15 && slider.len() == 4000);
    }
}

#[test]
fn pairs_and_the_control_variate_sharpen_the_norm() {
    let plate = Plate::new(&square(), &general(0.5), 1.0).unwrap();
    let exact = plate.moments(&covariance(1.0, 0.2, CorrelationOf::GaussianParent), NoCovariance::Refuse).unwrap();
    let sampler = sampler([1.0, 1.0], 1.0, 0.5, 0.1, 3);
    let samples = Samples::draw(&sampler, &plate.functionals.twist, 1.0, 4000, Pairing::Antithetic);
    let found = samples.moments(&exact);
    let closure = plate.norm(&exact);
    // for this motion the closure is good to half a percent
    let difference = (found.norm_deviation.value - closure.standard_deviation).abs();
    assert!(
        difference < 3.0 * found.norm_deviation.standard_error + 5e-3 * closure.standard_deviation,
        "{found:?} {closure:?}"
    );
    let plain = samples.average(|row| (row[0] * row[0] + row[1] * row[1]).sqrt());
    assert!(found.norm_mean.standard_error < 0.5 * plain.standard_error);
    // replay: the same rows whatever the number of samples
    let few = Samples::draw(&sampler, &plate.functionals.twist, 1.0, 10, Pairing::Antithetic);
    assert_eq!(few.rows[..], samples.rows[..10]);
}

#[test]
fn curves_have_the_sampled_length_of_the_force_to_their_error() {
    let torque_length = TorqueLength::default();
    for motion in [general(0.1), general(0.2)] {
        let plate = Plate::new(&square(), &motion, 1.0).unwrap();
        let covariance = covariance(1.0, 0.2, CorrelationOf::GaussianParent);
        let exact = plate.moments(&covariance, NoCovariance::Refuse).unwrap();
        let sampler = sampler([1.0, 1.0], 1.0, 0.5, 0.1, 8);
        let samples = Samples::draw(&sampler, &plate.functionals.twist, 1.0, 40_000, Pairing::Antithetic);
        let found = samples.moments(&exact);
        let sampled = plate.variations_with(&exact, 0.5, torque_length, found.norm());
        let spread = sampled.norm_error(found.norm_deviation.standard_error, found.norm_mean.standard_error).unwrap();
        let policy = NoCovariance::Refuse;
        let curves =
            Curves::new(&plate, covariance, [1.0, 0.1], torque_length, policy, Closure::Level, &Silent).unwrap();
        let point = curves.at(1.0).unwrap();
        let off = |value: f64| (value - sampled.force_norm.unwrap()).abs();
        let (best, error) = (point.variations.force_norm.unwrap(), point.norm_error.unwrap());
        assert!(off(best) < error + 3.0 * spread, "{motion:?}: {best} ± {error}, sampled {sampled:?} ± {spread}");
        // a Gaussian force is off by more than both allow
        assert!(off(point.gaussian.unwrap()) > error + 3.0 * spread, "{motion:?}: {point:?}, {sampled:?} ± {spread}");
    }
}

#[test]
fn force_and_torque_of_a_lognormal_field_depend_on_each_other() {
    let plate = Plate::new(&square(), &Motion::default(), 1.0).unwrap();
    let exact = plate.moments(&covariance(2.0, 0.5, CorrelationOf::GaussianParent), NoCovariance::Refuse).unwrap();
    let sampler = sampler([1.0, 1.0], 2.0, 0.5, 0.25, 11);
    let samples = Samples::draw(&sampler, &plate.functionals.twist, 1.0, 4000, Pairing::Independent);
    let found = samples.moments(&exact).dependence;
    assert!(exact.correlation(0, 2).unwrap().abs() < 1e-12);
    assert!(found.value > 5.0 * found.standard_error, "{found:?}");
}

#[test]
fn the_force_is_nearly_lognormal_and_the_torque_has_heavy_tails() {
    let plate = Plate::new(&square(), &Motion::default(), 1.0).unwrap();
    let exact = plate.moments(&covariance(10.0, 0.2, CorrelationOf::GaussianParent), NoCovariance::Refuse).unwrap();
    let sampler = sampler([1.0, 1.0], 10.0, 0.5, 0.1, 5);
    let samples = Samples::draw(&sampler, &plate.functionals.twist, 1.0, 5000, Pairing::Independent);
    let force: Vec<f64> = samples.rows.iter().map(|row| row[0]).collect();
    let torque: Vec<f64> = samples.rows.iter().map(|row| row[2]).collect();
    let lognormal = Fit::lognormal(exact.mean[0], exact.covariance[0][0]).unwrap();
    // 1.63/√n is the 1 % level of the Kolmogorov–Smirnov test
    let level = 1.63 / 5000_f64.sqrt();
    assert!(kolmogorov_smirnov(&force, &lognormal) < level);
    let normal = Fit::normal(exact.mean[0], exact.covariance[0][0]).unwrap();
    assert!(kolmogorov_smirnov(&force, &normal) > level);
    // level times gradient: the torque is a normal number times a lognormal one, excess kurtosis about 3 (e^{4s²}/e^{2s²}…) > 0
    let shape = third_and_fourth(&torque).unwrap();
    assert!(shape.excess_kurtosis > 2.0 * shape.kurtosis_error, "{shape:?}");
    assert!(shape.skewness.abs() < 4.0 * shape.skewness_error, "{shape:?}");
}

#[test]
fn thresholds_of_disc_and_rectangle_are_those_of_their_closed_forms() {
    // (shape, l_det of the force, l_rv of the force, l_det of the torque, l_rv of the torque) at cv = 0.3, from 40 digits
    let disc = Shape::Disc(Disc { radius: 1.0 });
    let rectangle = Shape::Rectangle(Rectangle { half_length: 1.0, half_width: 0.4 });
    for (shape, force, torque) in [
        (disc, [0.175_571_334_096_14, 3.067_858_149_849_9], [Some(0.244_636_597_428_14), Some(11.224_338_144_558_5)]),
        (rectangle, [0.126_946_037_954_41, 2.669_263_585_037_6], [None, Some(3.242_646_963_046)]),
    ] {
        let plate = Plate::new(&shape, &Motion::default(), 3.0).unwrap();
        let advice =
            plate.advice(&covariance(0.5, 0.3, CorrelationOf::Coefficient), Question::default(), &Silent).unwrap();
        let found = advice.force.unwrap().thresholds;
        assert!(
            (found.deterministic.unwrap() - force[0]).abs() < 1e-9 && (found.variable.unwrap() - force[1]).abs() < 1e-9
        );
        let found = advice.torque.unwrap().thresholds;
        for (found, wanted) in [found.deterministic, found.variable].into_iter().zip(torque) {
            assert_eq!(found.is_some(), wanted.is_some());
            assert!(found.zip(wanted).is_none_or(|(found, wanted)| (found - wanted).abs() < 1e-8));
        }
    }
}
