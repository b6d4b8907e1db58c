//! One test for every entry of ERRATA.md on the crank-slider of hu2021: what is printed and does not hold, shown by a second
//! method.

use crate::inside::planar_sliding::plain::{self, sampler};
use nalgebra::{Matrix2, Vector2};
use stiction::analysis::crank_slider::{
    CrankRow, Realisation, Statistics, direct_energies, energies, moment_matched, run, table_for,
};
use stiction::analysis::planar_sliding::{Covariance, Motion, NoCovariance, Pairing, Plate, Samples};
use stiction::analysis::{AnalysisError, Silent};
use stiction::field::{Correlation, CorrelationOf};
use stiction::integrate::Solver;
use stiction::num::gauss::Rule;
use stiction::num::real::{asin, cos, exp, ln_1p, sin};
use stiction::patch::{Shape, Square};
use stiction::system::CrankSlider;
use stiction::system::crank_slider::{Friction, NormalForcePolicy};

/// Mean and standard deviation of the coefficient in the paper.
const FIELD: (f64, f64) = (0.5, 0.1);

fn square(half_side: f64) -> Shape {
    Shape::Square(Square { half_side })
}

fn gaussian(length: f64, of: CorrelationOf) -> Covariance {
    plain::covariance(FIELD.0, FIELD.1, &Correlation::gaussian(length), of)
}

fn close(name: &str, found: f64, expected: f64, tolerance: f64) {
    let off = (found - expected).abs() / expected.abs().max(1e-300);
    assert!(off <= tolerance, "{name}: {found} instead of {expected}, off by {off:e}");
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
        let sampler = sampler([a, a], ratio * a, FIELD.0, FIELD.1, seed);
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
        let energy = |row: &CrankRow| row.energies.as_ref().map_or(f64::NAN, |e| e.bottom);
        let sum: f64 = rows.iter().zip(&weights).map(|(row, weight)| weight * energy(row)).sum();
        Ok(sum / weights.iter().sum::<f64>())
    };
    let expected = quadrature(100.0)? / quadrature(ratios[lowest])? - 1.0;
    assert!((rise - expected).abs() < 3e-4, "{rise} instead of {expected}");
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
