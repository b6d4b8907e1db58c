//! One test for every entry of ERRATA.md on hu2021, planar sliding and the crank: what is printed and does not hold, shown by
//! a second method.

use nalgebra::{Matrix2, Matrix3, Vector2};
use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};
use stiction::analysis::crank_slider::{
    Realisation, Row, Statistics, direct_energies, energies, moment_matched, run, table_for,
};
use stiction::analysis::planar_sliding::motion::{General, Rotation};
use stiction::analysis::planar_sliding::plate::three_point_minimum;
use stiction::analysis::planar_sliding::variation::NamedLength;
use stiction::analysis::planar_sliding::{
    Covariance, Curves, Kernel, Moments, Motion, NoCovariance, Pairing, Plate, Quantity, Question, Sampler, Samples,
    Stretch, TensorSampler, TorqueLength, Twist, Verdict,
};
use stiction::analysis::{AnalysisError, Silent};
use stiction::field::{Correlation, CorrelationOf, Germ};
use stiction::integrate::Solver;
use stiction::num::gauss::Rule;
use stiction::num::real::{asin, cos, exp, exp_m1, ln, ln_1p, pow, sin};
use stiction::num::roots::{minimum, root};
use stiction::patch::{Disc, Outline, Polygon, Rectangle, Shape, Square};
use stiction::system::CrankSlider;
use stiction::system::crank_slider::{Friction, NormalForcePolicy};

/// Mean and standard deviation of the coefficient in the paper.
const FIELD: (f64, f64) = (0.5, 0.1);

fn square(half_side: f64) -> Shape {
    Shape::Square(Square { half_side })
}

fn general(rotation_radius: f64) -> Motion {
    Motion::General(General { rotation_radius })
}

fn gaussian(length: f64, of: CorrelationOf) -> Covariance {
    Covariance::new(FIELD.0, FIELD.1, &Correlation::gaussian(length), of)
}

fn moments(shape: &Shape, motion: &Motion, length: f64) -> Result<Moments, AnalysisError> {
    let covariance = gaussian(length, CorrelationOf::Coefficient);
    Plate::new(shape, motion, 1.0)?.moments(&covariance, NoCovariance::Refuse)
}

fn curves(motion: &Motion) -> Result<Curves, AnalysisError> {
    let covariance = gaussian(1.0, CorrelationOf::Coefficient);
    let table = Plate::new(&square(1.0), motion, 1.0)?.tabulated(&covariance)?;
    let torque_length = TorqueLength::default();
    Ok(Curves { table, covariance, reference: 1.0, torque_length, policy: NoCovariance::Refuse })
}

/// ∫∫ g and ∫∫ x x′ g over [−1, 1]² with g = exp(−(x − x′)²/t²), by Gauss quadrature: the integrals behind Eqs. 7 and 9.
fn square_integrals(t: f64) -> (f64, f64) {
    let rule = Rule::gauss_legendre(48);
    let nodes: Vec<(f64, f64)> = rule.on(-1.0, 1.0).collect();
    let mut sums = (0.0, 0.0);
    for &(x, u) in &nodes {
        for &(y, v) in &nodes {
            let term = u * v * exp(-(x - y) * (x - y) / (t * t));
            sums = (sums.0 + term, sums.1 + x * y * term);
        }
    }
    sums
}

/// Var T of the translating square by quadrature, pressure 1.
fn torque_variance(half_side: f64, length: f64) -> f64 {
    let (i0, i1) = square_integrals(length / half_side);
    FIELD.1 * FIELD.1 * pow(half_side, 6.0) * i0 * i1
}

/// CV_T of the translating square by quadrature, with the paper's a_m = a/√2.
fn torque_variation(t: f64) -> f64 {
    torque_variance(1.0, t).sqrt() / (4.0 * FIELD.0 * FRAC_1_SQRT_2)
}

/// ∫ w dS and ∫∫ w w′ exp(−|x − x′|²/l²) dS dS′ over a rectangle, by midpoint sums on a plain grid.
fn grid_sums([a, b]: [f64; 2], length: f64, weight: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    const COUNT: usize = 160;
    let line =
        |side: f64| -> Vec<f64> { (0..COUNT).map(|i| side * ((2 * i + 1) as f64 / COUNT as f64 - 1.0)).collect() };
    let (xs, ys) = (line(a), line(b));
    let kernel = |line: &[f64]| {
        nalgebra::DMatrix::from_fn(COUNT, COUNT, |i, j| {
            let step = (line[i] - line[j]) / length;
            exp(-step * step)
        })
    };
    let cell = 4.0 * a * b / (COUNT * COUNT) as f64;
    let weights = nalgebra::DMatrix::from_fn(COUNT, COUNT, |i, j| cell * weight(xs[i], ys[j]));
    let smoothed = kernel(&xs) * &weights * kernel(&ys);
    (weights.sum(), weights.dot(&smoothed))
}

fn close(name: &str, found: f64, expected: f64, tolerance: f64) {
    let off = (found - expected).abs() / expected.abs().max(1e-300);
    assert!(off <= tolerance, "{name}: {found} instead of {expected}, off by {off:e}");
}

#[test]
fn e08_the_torque_of_a_translating_square_varies_by_more_than_five_percent() -> Result<(), AnalysisError> {
    let found = minimum(0.5, 2.0, |t| -torque_variation(t));
    let peak = curves(&Motion::default())?.peak(Quantity::Torque, 0.1, 10.0)?;
    let peak = peak.map_or((f64::NAN, f64::NAN), |peak| (peak.length, peak.value));
    close("place", found.at, peak.0, 1e-6);
    close("maximum", -found.value, peak.1, 1e-11);
    close("maximum, quoted", peak.1, 0.0664, 1e-3);
    // only with a instead of a_m it is below 5 %
    close("with a", peak.1 / SQRT_2, 0.0470, 1e-3);
    Ok(())
}

#[test]
fn e09_force_and_torque_are_not_both_converged_at_ten() -> Result<(), AnalysisError> {
    // translation: the torque goes to zero like 1/l; 5 % of the limit 0.2 of the force are 0.01
    let threshold = root(5.0, 30.0, |t| torque_variation(t) - 0.05 * 0.2)?;
    let plate = Plate::new(&square(1.0), &Motion::default(), 1.0)?;
    let advice = plate.advice(&gaussian(10.0, CorrelationOf::Coefficient), Question::default())?;
    close("threshold", advice.combined.variable.unwrap_or(f64::NAN), threshold, 1e-8);
    close("threshold, quoted", threshold, 13.26, 1e-3);
    assert_eq!(advice.verdict, Verdict::RandomField);
    // general motion: the limit of both is 0.2
    let variation = |radius: f64, quantity| curves(&general(radius))?.value(quantity, 10.0);
    let sums = |radius: f64, functional: usize| {
        let twist = Twist { vx: radius, vy: 0.0, omega: 1.0 };
        grid_sums([1.0, 1.0], 10.0, |x, y| twist.weights([x, y])[functional])
    };
    let (mean, variance) = sums(5.0, 2);
    let torque = variation(5.0, Quantity::Torque)?;
    close("torque", torque, 0.2 * variance.sqrt() / mean.abs(), 1e-4);
    close("torque, quoted", torque, 0.240, 1e-3);
    // the length of a Gaussian force with these moments, by a sum over both components
    let ((mean, along), (_, across)) = (sums(0.1, 0), sums(0.1, 1));
    let (mean, along, across) = (FIELD.0 * mean, FIELD.1 * along.sqrt(), FIELD.1 * across.sqrt());
    let (mut total, mut length) = (0.0, 0.0);
    for (i, j) in (-160..=160).flat_map(|i| (-160..=160).map(move |j| (i, j))) {
        let (u, v) = (0.05 * f64::from(i), 0.05 * f64::from(j));
        let weight = exp(-0.5 * (u * u + v * v));
        total += weight;
        length += weight * ((mean + along * u).powi(2) + (across * v).powi(2)).sqrt();
    }
    let length = length / total;
    let spread = (mean * mean + along * along + across * across - length * length).sqrt();
    let force = variation(0.1, Quantity::ForceNorm)?;
    close("force", force, spread / length, 1e-4);
    close("force, quoted", force, 0.229, 2e-3);
    Ok(())
}

#[test]
fn e24_the_lower_threshold_does_not_hold_for_turning_plates() -> Result<(), AnalysisError> {
    // rho*/a, CV_F and CV_T at l/a = 0.3
    for (radius, force, torque) in [(0.5, 0.0790, 0.0491), (1.0, 0.0515, 0.0641), (2.0, 0.0488, 0.1364)] {
        let twist = Twist { vx: radius, vy: 0.0, omega: 1.0 };
        let sums = |functional: usize| grid_sums([1.0, 1.0], 0.3, |x, y| twist.weights([x, y])[functional]);
        let found = curves(&general(radius))?;
        let (mean, variance) = sums(2);
        let value = found.value(Quantity::Torque, 0.3)?;
        close("torque", value, 0.2 * variance.sqrt() / mean.abs(), 1e-3);
        close("torque, quoted", value, torque, 1e-2);
        // across its mean the force only adds to its length in second order
        let ((mean, along), (_, across)) = (sums(0), sums(1));
        let (along, across) = (0.04 * along / (mean * mean), 0.04 * across / (mean * mean));
        let length = 1.0 + 0.5 * across;
        let value = found.value(Quantity::ForceNorm, 0.3)?;
        close("force", value, (1.0 + along + across - length * length).sqrt() / length, 1e-2);
        close("force, quoted", value, force, 1e-2);
        assert!(force.max(torque) > 0.05, "{radius}");
    }
    Ok(())
}

#[test]
fn e10_the_variance_of_the_torque_falls_beyond_its_maximum() -> Result<(), AnalysisError> {
    // the root of the slope of I0 I1, by central differences of the quadrature
    let slope = |t: f64| {
        let product = |t: f64| torque_variance(1.0, t);
        (8.0 * (product(t + 0.01) - product(t - 0.01)) - product(t + 0.02) + product(t - 0.02)) / 0.12
    };
    close("place", root(0.5, 2.0, slope)?, 1.042_720_047_489_182, 1e-7);
    // at a = 0.5, inside the range of the figure
    let variance =
        |length: f64| Ok::<f64, AnalysisError>(moments(&square(0.5), &Motion::default(), length)?.covariance[2][2]);
    let lengths = [0.3, 0.4, 0.5, 0.521_360, 0.6, 0.7, 0.8, 0.9, 1.0];
    let mut values = Vec::new();
    for length in lengths {
        values.push(variance(length)?);
        close("Var T", values[values.len() - 1], torque_variance(0.5, length), 1e-10);
    }
    assert!(values[..4].windows(2).all(|pair| pair[1] > pair[0]), "{values:?}");
    assert!(values[3..].windows(2).all(|pair| pair[1] < pair[0]), "{values:?}");
    // at l = 1 m two thirds of the maximum are left
    close("at l = 1", values[8] / values[3], 0.655, 1e-3);
    Ok(())
}

#[test]
fn e11_exponents_above_two_give_no_correlation() -> Result<(), AnalysisError> {
    let smallest = |exponent: f64, step: f64| {
        let matrix = Matrix3::from_fn(|i, j| exp(-pow(step * i.abs_diff(j) as f64, exponent)));
        matrix.symmetric_eigenvalues().min()
    };
    let plate = Plate::new(&square(1.0), &general(1.0), 1.0)?;
    for exponent in [3.0, 4.0] {
        // three points in line suffice, however close they are
        for step in [0.3, 0.1, 0.03] {
            assert!(smallest(exponent, step) < 0.0, "{exponent} {step}");
        }
        let (step, form) = three_point_minimum(exponent);
        assert!(form < 0.0 && smallest(exponent, step) <= form / 6.0 + 1e-12, "{exponent}: {form} at {step}");
        let kernel = Kernel::power_exponentials(exponent, vec![(0.01, 1.0)]);
        let covariance = Covariance { mean: 0.5, kernel, stretch: Stretch::NONE };
        assert!(plate.moments(&covariance, NoCovariance::Refuse).is_err());
    }
    for (exponent, step) in [(1.0, 0.3), (2.0, 0.3), (1.0, 0.03), (2.0, 0.1)] {
        assert!(smallest(exponent, step) > 0.0, "{exponent} {step}");
    }
    Ok(())
}

/// Standard deviations of h [-] and τ \[m\] of the paper's slider at a ratio l/a, exactly.
fn slider_deviations(crank: &CrankSlider, ratio: f64) -> Result<(f64, f64), AnalysisError> {
    let a = crank.slider_half_side;
    let plate = Plate::new(&square(a), &Motion::default(), 1.0 / (4.0 * a * a))?;
    let covariance = gaussian(ratio * a, CorrelationOf::GaussianParent);
    let covariance = plate.moments(&covariance, NoCovariance::Refuse)?.covariance;
    Ok((covariance[0][0].sqrt(), covariance[2][2].sqrt()))
}

#[test]
fn e12_the_mean_energy_of_the_bottom_rises_again_beyond_two() -> Result<(), AnalysisError> {
    let crank = CrankSlider::default();
    let (solver, duration) = (Solver::default(), 2.0);
    // the same random numbers at every ratio: differences are far better than each mean
    let ratios = [0.5, 1.0, 1.4, 1.8, 2.2, 3.0, 5.0, 10.0, 30.0, 100.0];
    let count = 6000;
    let mut realisations = Vec::new();
    for ratio in ratios {
        let (level, tilt) = slider_deviations(&crank, ratio)?;
        realisations.extend(moment_matched(FIELD.0, level, tilt, count, 2021));
    }
    let table = table_for(&crank, &realisations, duration, &solver, &Silent)?;
    let rows = energies(&table, &realisations, &Silent)?;
    let mean = |rows| Statistics::of(rows).bottom.map_or(f64::NAN, |bottom| bottom.mean);
    let means: Vec<f64> = rows.chunks_exact(count).map(mean).collect();
    let lowest = (0..ratios.len()).min_by(|&i, &j| means[i].total_cmp(&means[j])).unwrap_or(0);
    assert!((1.4..=2.2).contains(&ratios[lowest]), "{means:?}");
    assert!(means[lowest..].windows(2).all(|pair| pair[1] > pair[0]), "{means:?}");
    let rise = means[ratios.len() - 1] / means[lowest] - 1.0;
    assert!((0.010..0.012).contains(&rise), "{rise} {means:?}");
    // the torque does it: with the same h and no torque the mean only falls
    let untwisted: Vec<Realisation> =
        realisations.iter().map(|realisation| Realisation { torque_coefficient: 0.0, ..*realisation }).collect();
    let rows = energies(&table, &untwisted, &Silent)?;
    let plain: Vec<f64> = rows.chunks_exact(count).map(mean).collect();
    assert!(plain.windows(2).all(|pair| pair[1] < pair[0]), "{plain:?}");
    // realisations of the field itself, in which h and τ depend on each other, rise as much
    let a = crank.slider_half_side;
    let from_field = |ratio: f64, seed: u64| -> Result<(f64, f64), AnalysisError> {
        let sampler = TensorSampler::new([a, a], ratio * a, FIELD.0, FIELD.1, seed)?;
        let samples = Samples::draw(&sampler, &Motion::default().twist(), 1.0, count, Pairing::Independent);
        let pairs = samples.slider_coefficients(1.0, 4.0 * a * a);
        let realisations: Vec<Realisation> =
            pairs.iter().map(|&[h, tau]| Realisation { mean_coefficient: h, torque_coefficient: tau }).collect();
        let bottom = Statistics::of(&energies(&table, &realisations, &Silent)?).bottom;
        Ok(bottom.map_or((f64::NAN, f64::NAN), |found| (found.mean, found.mean_error.unwrap_or(f64::NAN))))
    };
    let ((low, low_error), (high, high_error)) = (from_field(ratios[lowest], 1)?, from_field(100.0, 2)?);
    let error = (low_error * low_error + high_error * high_error).sqrt() / low;
    let difference = high / low - 1.0;
    assert!(difference > 4.0 * error && (difference - rise).abs() < 4.0 * error, "{difference} ± {error}");
    // without samples and without the table: one run for each node of a quadrature over both normal numbers
    let (rule, short) = (Rule::gauss_legendre(24), Rule::gauss_legendre(10));
    let quadrature = |ratio: f64| -> Result<f64, AnalysisError> {
        let (level, tilt) = slider_deviations(&crank, ratio)?;
        let s2 = ln_1p(level * level / (FIELD.0 * FIELD.0));
        let (mut nodes, mut weights) = (Vec::new(), Vec::new());
        for (u, u_weight) in rule.on(-4.5, 4.5) {
            for (v, v_weight) in short.on(0.0, 4.5) {
                let mean_coefficient = FIELD.0 * exp(s2.sqrt() * u - 0.5 * s2);
                nodes.push(Realisation { mean_coefficient, torque_coefficient: tilt * v });
                weights.push(u_weight * v_weight * exp(-0.5 * (u * u + v * v)));
            }
        }
        let rows = direct_energies(&crank, &nodes, duration, &solver, &Silent)?;
        let energy = |row: &Row| row.energies.as_ref().map_or(f64::NAN, |e| e.bottom);
        let sum: f64 = rows.iter().zip(&weights).map(|(row, weight)| weight * energy(row)).sum();
        Ok(sum / weights.iter().sum::<f64>())
    };
    let expected = quadrature(100.0)? / quadrature(ratios[lowest])? - 1.0;
    assert!((rise - expected).abs() < 3e-4, "{rise} instead of {expected}");
    Ok(())
}

#[test]
fn e13_the_torque_has_the_sign_of_the_friction_at_positive_y() -> Result<(), AnalysisError> {
    let twist = Motion::default().twist();
    for [x, y] in [[0.3, 0.7], [-0.8, 0.2], [0.5, -0.9]] {
        // x × f with f = −e_x, by hand
        let (force, [w_x, w_y, w_t]) = ([-1.0, 0.0], twist.weights([x, y]));
        assert_eq!([w_x, w_y], force);
        assert_eq!(w_t, x * force[1] - y * force[0]);
        assert_eq!(w_t, y);
        // and Eq. 29, whose centre of rotation goes to infinity
        let radius = 1e9;
        let limit = -(x * x - radius * y + y * y) / ((radius - y) * (radius - y) + x * x).sqrt();
        assert!((limit - y).abs() < 1e-8);
    }
    // Eq. 10: −∫∫ C y′ is zero by the symmetry of the square, not in general
    let triangle = Polygon { corners: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]], holes: Vec::new() };
    let covariance = |shape: &Shape| moments(shape, &Motion::default(), 0.5).map(|found| found.covariance[0][2]);
    assert!(covariance(&square(1.0))?.abs() < 1e-12);
    let rule = Rule::gauss_legendre(24);
    let mut nodes = Vec::new();
    for (y, u) in rule.on(0.0, 2.0) {
        nodes.extend(rule.on(0.0, 1.0 - 0.5 * y).map(|(x, v)| ([x, y - 2.0 / 3.0], u * v)));
    }
    let mut sum = 0.0;
    for ([x, y], u) in &nodes {
        for ([other, height], v) in &nodes {
            let square = (x - other) * (x - other) + (y - height) * (y - height);
            sum -= u * v * height * FIELD.1 * FIELD.1 * exp(-square / 0.25);
        }
    }
    close("Cov(F_x, T) of a triangle", covariance(&Shape::Polygon(triangle))?, sum, 1e-8);
    assert!(sum.abs() > 1e-5);
    Ok(())
}

#[test]
fn e14_the_recipe_of_the_field_scales_once() -> Result<(), AnalysisError> {
    let sampler = TensorSampler::new([1.0, 1.0], 0.5, FIELD.0, FIELD.1, 14)?;
    let points = &sampler.nodes().points;
    let (first, second) = (0, 3);
    let (mut values, mut scratch) = (vec![0.0; points.len()], Vec::new());
    let count = 8000;
    let s2 = ln_1p(FIELD.1 * FIELD.1 / (FIELD.0 * FIELD.0));
    let middle = ln(FIELD.0) - 0.5 * s2;
    let (mut square, mut product, mut mean, mut spread) = (0.0, 0.0, 0.0, 0.0);
    for index in 0..count {
        sampler.fill(&Germ::new(14, index), &mut values, &mut scratch);
        let (a, b) = (ln(values[first]) - middle, ln(values[second]) - middle);
        (square, product) = (square + a * a, product + a * b);
        (mean, spread) = (mean + values[first], spread + (values[first] - FIELD.0).powi(2));
    }
    let average = |sum: f64| sum / count as f64;
    close("mean of H", average(mean), FIELD.0, 0.01);
    close("standard deviation of H", average(spread).sqrt(), FIELD.1, 0.05);
    close("standard deviation of ln H", average(square).sqrt(), s2.sqrt(), 0.04);
    // with Σ = σ_H² R besides σ = s_h, as printed, it would be ten times smaller
    let printed = FIELD.0 * exp_m1(FIELD.1 * FIELD.1 * s2).sqrt();
    close("as printed", printed, 0.0099, 0.01);
    // the variable of the transformation is the correlated one: white ξ would give a correlation of zero
    let [p, q] = [points[first], points[second]];
    let distance = (p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2);
    let correlation = exp(-distance / 0.25);
    assert!(distance > 0.0 && correlation > 0.3);
    assert!((product / square - correlation).abs() < 0.04, "{} instead of {correlation}", product / square);
    Ok(())
}

#[test]
fn e15_the_length_a_m_is_that_of_a_disc() {
    let rule = Rule::gauss_legendre(40);
    let mut mean_square = 0.0;
    for (x, u) in rule.on(-1.0, 1.0) {
        mean_square += rule.integral(-1.0, 1.0, |y| u * (x * x + y * y)) / 4.0;
    }
    close("mean square distance of a square", mean_square, 2.0 / 3.0, 1e-13);
    let length = |shape: &Shape, name| {
        Outline::of(shape).map_or(f64::NAN, |outline| TorqueLength::Named(name).of(&outline.geometry))
    };
    close("square", length(&square(1.0), NamedLength::Rms), mean_square.sqrt(), 1e-13);
    close("paper", length(&square(1.0), NamedLength::Paper), FRAC_1_SQRT_2, 1e-13);
    close("disc", length(&Shape::Disc(Disc { radius: 1.0 }), NamedLength::Rms), FRAC_1_SQRT_2, 1e-12);
}

#[test]
fn e16_friction_of_a_turning_plate_is_across_the_radius() -> Result<(), AnalysisError> {
    let turning = Motion::Rotation(Rotation::default());
    for point in [[0.3, 0.4], [-0.6, 0.8]] {
        let [w_x, w_y, w_t] = turning.twist().weights(point);
        let r = (point[0] * point[0] + point[1] * point[1]).sqrt();
        // at a right angle to x, against the motion, and with the torque of Eq. 21
        assert!((w_x * point[0] + w_y * point[1]).abs() < 1e-15);
        assert!((w_x - point[1] / r).abs() < 1e-15 && (w_y + point[0] / r).abs() < 1e-15 && (w_t + r).abs() < 1e-15);
    }
    let sides = [1.0, 0.4];
    let found = moments(&Shape::Rectangle(Rectangle { half_length: sides[0], half_width: sides[1] }), &turning, 1.0)?;
    let variance = |weight: &dyn Fn(f64, f64) -> f64| FIELD.1 * FIELD.1 * grid_sums(sides, 1.0, weight).1;
    let (x_over_r, y_over_r) =
        (variance(&|x, y| x / (x * x + y * y).sqrt()), variance(&|x, y| y / (x * x + y * y).sqrt()));
    // Eq. 23 prints the second as the variance of F_x; they differ by more than a factor of ten
    close("Var F_x", found.covariance[0][0], y_over_r, 1e-3);
    close("Var F_y", found.covariance[1][1], x_over_r, 1e-3);
    assert!(x_over_r > 10.0 * y_over_r, "{x_over_r} {y_over_r}");
    // Eq. 24 as printed, y/|y|, is neither
    let sign = variance(&|_, y| y.signum());
    assert!((sign / x_over_r - 1.0).abs() > 0.2 && (sign / y_over_r - 1.0).abs() > 0.2, "{sign}");
    Ok(())
}

#[test]
fn e17_variations_need_an_absolute_mean_and_a_named_spread() -> Result<(), AnalysisError> {
    for radius in [0.5, 1.0, 2.0] {
        let mean = moments(&square(1.0), &general(radius), 1.0)?.mean[2];
        let twist = general(radius).twist();
        close("mean torque", mean, FIELD.0 * grid_sums([1.0, 1.0], 1.0, |x, y| twist.weights([x, y])[2]).0, 1e-3);
        assert!(mean < 0.0 && curves(&general(radius))?.value(Quantity::Torque, 1.0)? > 0.0);
    }
    // rotation: both components have the mean 0 and the same variance, so ‖F‖ follows Rayleigh
    let found = curves(&Motion::Rotation(Rotation::default()))?.at(1.0)?;
    let [norm, vector, component] =
        [found.force_norm, found.force_vector, found.force_component].map(|value| value.unwrap_or(f64::NAN));
    close("vector", vector / component, SQRT_2, 1e-9);
    close("norm", norm / component, (2.0 - 0.5 * PI).sqrt(), 1e-6);
    Ok(())
}

#[test]
fn e18_the_threshold_is_a_ratio_of_lengths() -> Result<(), AnalysisError> {
    let verdict = |half_side: f64, length: f64| {
        let plate = Plate::new(&square(half_side), &Motion::default(), 1.0)?;
        let advice = plate.advice(&gaussian(length, CorrelationOf::Coefficient), Question::default())?;
        Ok::<Verdict, AnalysisError>(advice.verdict)
    };
    // the same l > 10 m, and l < 10 m, with other plates
    assert_eq!(verdict(11.0, 11.0)?, Verdict::RandomField);
    assert_eq!(verdict(0.5, 11.0)?, Verdict::RandomVariable);
    assert_eq!(verdict(0.05, 1.0)?, Verdict::RandomVariable);
    assert_eq!(verdict(1.0, 1.0)?, Verdict::RandomField);
    Ok(())
}

/// A state of the paper's mechanism, with what its equations need.
struct State {
    crank: CrankSlider,
    theta: f64,
    speed: f64,
    phi: f64,
    rate: f64,
}

impl State {
    fn new(theta: f64, speed: f64) -> Self {
        let crank = CrankSlider::default();
        let (r, l) = (crank.crank_radius, crank.rod_length);
        let phi = asin(r / l * sin(theta));
        let rate = r * cos(theta) * speed / (l * cos(phi));
        Self { crank, theta, speed, phi, rate }
    }

    /// θ̈, φ̈, N and the friction for f = e N.
    fn response(&self, e: f64) -> [f64; 4] {
        let found = self.crank.balance(self.theta, self.speed).response(Friction::Proportional(e));
        let (r, l) = (self.crank.crank_radius, self.crank.rod_length);
        let rod = (r * cos(self.theta) * found.acceleration - r * sin(self.theta) * self.speed.powi(2)
            + l * sin(self.phi) * self.rate.powi(2))
            / (l * cos(self.phi));
        [found.acceleration, rod, found.normal_force, found.friction]
    }
}

#[test]
fn e19_the_rod_turns_about_its_centre_of_mass() {
    let state = State::new(0.7, 8.0);
    let CrankSlider { crank_mass: m1, rod_mass: m2, slider_mass: m3, gravity: g, .. } = state.crank;
    let (r, l, w, v) = (state.crank.crank_radius, state.crank.rod_length, state.speed, state.rate);
    let ([s, c], [sp, cp]) = ([sin(state.theta), cos(state.theta)], [sin(state.phi), cos(state.phi)]);
    // the kinetic energy of the rod as the integral over its pieces, from the pin to the slider
    let piece = |u: f64| (r * s * w + u * l * sp * v).powi(2) + (r * c * w - u * l * cp * v).powi(2);
    let rod = 0.5 * m2 * Rule::gauss_legendre(4).integral(0.0, 1.0, piece);
    let slider = 0.5 * m3 * (r * s * w + l * sp * v).powi(2);
    let energy = 0.25 * m1 * r * r * w * w + rod + slider + 0.5 * m2 * g * r * s;
    close("energy", state.crank.energy(state.theta, w), energy, 1e-13);
    // centre of mass and rotation: with J2 = m2 L²/12 the same, with m2 L²/3 too much
    let with = |inertia: f64| 0.5 * inertia * v * v + 0.5 * m2 * piece(0.5);
    close("m2 L²/12", with(m2 * l * l / 12.0), rod, 1e-13);
    assert!(with(m2 * l * l / 3.0) > 1.05 * rod);
    // the second line of B.1 has the right value
    let line = m2 * (l * l * v * v / 6.0 + 0.5 * (r * w * s).powi(2) + 0.5 * r * l * w * v * s * sp);
    close("second line of B.1", line, rod, 1e-13);
}

#[test]
fn e20_the_constraint_has_a_cosine_and_its_multiplier_is_not_the_normal_force() {
    let state = State::new(0.7, 8.0);
    let CrankSlider { crank_mass: m1, rod_mass: m2, slider_mass: m3, gravity: g, drive_torque: kappa, .. } =
        state.crank;
    let (r, l, th, w, ph, v) =
        (state.crank.crank_radius, state.crank.rod_length, state.theta, state.speed, state.phi, state.rate);
    // the slope of Φ = R sin θ − L sin φ along φ
    let constraint = |phi: f64| r * sin(th) - l * sin(phi);
    let slope = (constraint(ph + 1e-5) - constraint(ph - 1e-5)) / 2e-5;
    close("Φ along φ", slope, -l * cos(ph), 1e-9);
    assert!((slope + l * sin(ph)).abs() > 0.1 * l);
    // B.7 with B.9
    let [acceleration, rod, normal_force, f] = state.response(-0.2);
    let b = 0.5 * m2 + m3;
    let off = b * r * l * sin(th) * sin(ph);
    let first = 0.5 * m1 * r * r + (m2 + m3) * (r * sin(th)).powi(2);
    let mass = Matrix2::new(first, off, off, m2 * l * l / 3.0 + m3 * (l * sin(ph)).powi(2));
    let force = Vector2::new(
        (m2 + m3) * r * r * sin(th) * cos(th) * w * w + b * r * l * sin(th) * cos(ph) * v * v,
        b * r * l * cos(th) * sin(ph) * w * w + m3 * l * l * sin(ph) * cos(ph) * v * v + 0.5 * m2 * g * l * cos(ph),
    );
    let missing =
        Vector2::new(kappa - f * r * sin(th), -f * l * sin(ph)) - mass * Vector2::new(acceleration, rod) - force;
    // what is missing is λ Φ_q with the cosine: both rows give the same λ
    let multiplier = missing[0] / (r * cos(th));
    close("λ", missing[1] / slope, multiplier, 1e-10);
    assert!((missing[1] / (-l * sin(ph)) / multiplier - 1.0).abs() > 0.1, "with the sine they do not");
    let corrected = (m2 + m3) * g + 0.5 * m2 * l * (rod * cos(ph) - v * v * sin(ph)) - multiplier;
    close("normal force", corrected, normal_force, 1e-11);
    assert!((multiplier.abs() / normal_force.abs() - 1.0).abs() > 0.1, "{multiplier} {normal_force}");
}

/// F_n of B.5 as printed, and with its signs and sines put right.
fn expressions_of_b5(state: &State, acceleration: f64, rod: f64) -> (f64, f64) {
    let CrankSlider { crank_mass: m1, rod_mass: m2, slider_mass: m3, gravity: g, drive_torque: kappa, .. } =
        state.crank;
    let (r, l, w, v) = (state.crank.crank_radius, state.crank.rod_length, state.speed, state.rate);
    let ([s, c], [sp, cp]) = ([sin(state.theta), cos(state.theta)], [sin(state.phi), cos(state.phi)]);
    let (s3, c3) = (sin(state.theta + state.phi), cos(state.theta + state.phi));
    let (rl, rr, v2) = (m2 * r * l, m2 * r * r, v * v);
    let printed = 3.0 * rl * s * cp * cp * v2 - 6.0 * rl * c * cp * cp * v2 + 3.0 * rl * cp * c * sp * v2
        - 6.0 * rr * c * s * sp * v2
        + 3.0 * rl * s * sp * cp * rod
        - 3.0 * rl * cp * cp * c * rod
        - 6.0 * rl * c * sp * cp * rod
        + 6.0 * rr * c * c * sp * acceleration
        - 3.0 * rl * s * v2
        + 6.0 * rl * c * v2
        + rl * s * rod
        - 6.0 * m2 * g * r * cp * c
        - 12.0 * m2 * g * r * c * sp
        - 6.0 * rr * sp * acceleration
        + 6.0 * m1 * r * r * sp * acceleration
        - 12.0 * sp * kappa;
    let corrected = 3.0 * rl * (v2 * sp * s3 - rod * sp * c3) - 2.0 * rl * rod * s
        + 3.0 * r * r * m1 * acceleration * sp
        - 3.0 * rr * w * w * s * s3
        + 6.0 * rr * acceleration * sp
        + 3.0 * rr * acceleration * s * c3
        + 6.0 * r * g * m2 * sp * c
        + 3.0 * r * g * m2 * s * cp
        - 6.0 * kappa * sp;
    (-printed / (12.0 * r * s3) + m3 * g, corrected / (6.0 * r * s3) + m3 * g)
}

#[test]
fn e21_the_printed_normal_force_diverges_at_dead_centres() {
    let at = |theta: f64| {
        let state = State::new(theta, 10.0);
        let [acceleration, rod, normal_force, _] = state.response(-0.2);
        let (printed, corrected) = expressions_of_b5(&state, acceleration, rod);
        (printed, corrected, normal_force)
    };
    for theta in [-1.05, -0.4, 0.5, 1.0, 2.0] {
        let (printed, corrected, normal_force) = at(theta);
        close("corrected", corrected, normal_force, 1e-9);
        assert!((printed / normal_force - 1.0).abs() > 0.1, "{theta}: {printed} {normal_force}");
    }
    // ten times closer, ten times larger; the normal force itself stays
    let ((far, _, there), (near, _, here)) = (at(1e-4), at(1e-5));
    close("growth", near / far, 10.0, 0.01);
    close("normal force", here, there, 0.01);
    assert!(near.abs() > 1e3 * here.abs(), "{near} {here}");
}

#[test]
fn e22_the_printed_initial_speed_of_the_rod_violates_the_constraint() {
    let crank = CrankSlider::default();
    let (r, l, theta) = (crank.crank_radius, crank.rod_length, crank.initial_angle);
    let phi = |theta: f64| asin(r / l * sin(theta));
    let rate = crank.initial_speed * (phi(theta + 1e-5) - phi(theta - 1e-5)) / 2e-5;
    assert!((phi(theta) - -0.5464).abs() < 5e-5, "the printed angle is right");
    assert!((rate - 3.5112).abs() < 5e-5, "{rate}");
    // the end of the rod would leave the track with 2.6 mm/s
    let leaves = r * cos(theta) * crank.initial_speed - l * cos(phi(theta)) * 3.5172;
    close("speed off the track", leaves.abs(), 0.002_554, 1e-3);
}

#[test]
fn e23_both_walls_rub_and_friction_never_drives() -> Result<(), AnalysisError> {
    let crank = CrankSlider::default();
    let (torque, load, a) = (0.02, 3.0, crank.slider_half_side);
    // forces ±F_NS at the corners (±a, ±a) turn against F_n τ: their couple decides F_NS, friction acts at both
    let wall_force = load * torque / (2.0 * a);
    let couple: f64 = [([a, a], [0.0, wall_force]), ([-a, -a], [0.0, -wall_force])]
        .iter()
        .map(|([x, y], [f_x, f_y])| x * f_y - y * f_x)
        .sum();
    close("couple", couple, load * torque, 1e-14);
    close("two walls", load * crank.side_share(torque), 2.0 * wall_force, 1e-14);
    let go = |policy| {
        let crank = CrankSlider { normal_force_policy: policy, ..CrankSlider::default() };
        run(&crank, FIELD.0, torque, 2.0, &Solver::default())
    };
    let (magnitude, signed) = (go(NormalForcePolicy::Bilateral)?, go(NormalForcePolicy::Signed)?);
    let total = magnitude.bottom_energy + magnitude.side_energy;
    close("all is taken", magnitude.net_work, total, 1e-10);
    close("side", magnitude.side_energy / magnitude.bottom_energy, crank.side_share(torque), 1e-10);
    // P = F_n/S without a magnitude gives back what it took whenever F_n < 0
    assert!(signed.smallest_normal_force.is_some_and(|smallest| smallest < -1.0));
    let given_back = signed.bottom_energy + signed.side_energy - signed.net_work;
    close("given back", given_back, 2.0 * signed.lifted_energy, 1e-9);
    assert!(given_back > 0.1 * signed.net_work, "{given_back}");
    Ok(())
}
