//! The equations of the crank against three other ways to write them: the full linear system, one degree of freedom with
//! the energy, and the form of the paper (hu2021, B.7 and B.9) with what is misprinted there put right.

use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};
use stiction::num::random::Stream;
use stiction::num::real::{asin, cos, sin};
use stiction::system::CrankSlider;
use stiction::system::crank_slider::Friction;

/// A mechanism, its state and a friction coefficient e with f = e N.
struct Case {
    crank: CrankSlider,
    theta: f64,
    speed: f64,
    e: f64,
}

impl Case {
    fn random(index: u64) -> Self {
        let mut stream = Stream::new(17, index, 0);
        let mut between = |low: f64, high: f64| low + (high - low) * stream.uniform();
        let length = between(0.2, 1.0);
        let crank = CrankSlider {
            crank_mass: between(0.05, 1.0),
            rod_mass: between(0.0, 1.0),
            slider_mass: between(0.0, 1.0),
            rod_length: length,
            crank_radius: length * between(0.1, 0.8),
            drive_torque: between(-1.0, 1.0),
            gravity: between(-10.0, 10.0),
            ..CrankSlider::default()
        };
        Self { crank, theta: between(-7.0, 7.0), speed: between(-10.0, 10.0), e: between(-0.3, 0.3) }
    }

    /// θ̈, N and f of the library.
    fn ours(&self) -> [f64; 3] {
        let response = self.crank.balance(self.theta, self.speed).response(Friction::Proportional(self.e));
        [response.acceleration, response.normal_force, response.friction]
    }

    /// φ and φ̇.
    fn rod(&self) -> (f64, f64) {
        let phi = asin(self.crank.crank_radius / self.crank.rod_length * sin(self.theta));
        (phi, self.crank.crank_radius * cos(self.theta) * self.speed / (self.crank.rod_length * cos(phi)))
    }

    /// φ̈ that belongs to θ̈, from the second derivative of R sin θ = L sin φ.
    fn rod_acceleration(&self, acceleration: f64) -> f64 {
        let (r, l) = (self.crank.crank_radius, self.crank.rod_length);
        let (phi, rate) = self.rod();
        (r * cos(self.theta) * acceleration - r * sin(self.theta) * self.speed.powi(2) + l * sin(phi) * rate.powi(2))
            / (l * cos(phi))
    }
}

/// Matrix and right-hand side of the full system, unknowns (θ̈, φ̈, N), f = e N.
fn full_system(case: &Case) -> (Matrix3<f64>, Vector3<f64>) {
    let CrankSlider { crank_mass: m1, rod_mass: m2, slider_mass: m3, gravity: g, drive_torque: kappa, .. } = case.crank;
    let (r, l, th, w, e) = (case.crank.crank_radius, case.crank.rod_length, case.theta, case.speed, case.e);
    let (ph, v) = case.rod();
    let b = m2 / 2.0 + m3;
    let off = -b * r * l * cos(th + ph);
    let matrix = Matrix3::new(
        m1 * r * r / 2.0 + (m2 + m3) * r * r,
        off,
        -r * cos(th) + e * r * sin(th),
        off,
        m2 * l * l / 12.0 + m2 * l * l / 4.0 + m3 * l * l,
        l * cos(ph) + e * l * sin(ph),
        r * cos(th),
        -l * cos(ph),
        0.0,
    );
    let right = Vector3::new(
        kappa - b * r * l * sin(th + ph) * v * v - (m2 + m3) * g * r * cos(th),
        -b * r * l * sin(th + ph) * w * w + b * g * l * cos(ph),
        r * sin(th) * w * w - l * sin(ph) * v * v,
    );
    (matrix, right)
}

fn close(found: f64, expected: f64, size: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * size.max(1.0), "{found} instead of {expected}");
}

#[test]
fn the_elimination_solves_the_full_linear_system() {
    for index in 0..2000 {
        let case = Case::random(index);
        let (matrix, right) = full_system(&case);
        // rows scaled to one, so that masses and lengths do not decide about the pivots
        let scale = Matrix3::from_diagonal(&Vector3::from_fn(|row, _| 1.0 / matrix.row(row).amax()));
        let solved = (scale * matrix).lu().solve(&(scale * right)).unwrap();
        let [acceleration, normal_force, _] = case.ours();
        close(acceleration, solved[0], solved[0].abs(), 1e-10);
        close(case.rod_acceleration(acceleration), solved[1], solved[1].abs(), 1e-10);
        close(normal_force, solved[2], solved[2].abs(), 1e-10);
        // the reported determinant is that of the matrix, divided by the one without friction
        let determinant = case.crank.balance(case.theta, case.speed).determinant(case.e);
        let frictionless = full_system(&Case { e: 0.0, ..case }).0.determinant();
        close(determinant, matrix.determinant() / frictionless, 1.0, 1e-10);
    }
}

#[test]
fn one_degree_of_freedom_with_the_energy_gives_the_same_acceleration() {
    for index in 0..2000 {
        let case = Case::random(index);
        let CrankSlider { crank_mass: m1, rod_mass: m2, slider_mass: m3, gravity: g, drive_torque: kappa, .. } =
            case.crank;
        let (r, l) = (case.crank.crank_radius, case.crank.rod_length);
        let inertia = |th: f64| {
            let ph = asin(r / l * sin(th));
            let q = r * cos(th) / (l * cos(ph));
            m1 * r * r / 2.0
                + (m2 + m3) * (r * sin(th)).powi(2)
                + (m2 * l * l / 3.0 + m3 * (l * sin(ph)).powi(2)) * q * q
                + 2.0 * (m2 / 2.0 + m3) * r * l * sin(th) * sin(ph) * q
        };
        // slope by eighth-order differences, good to 1e-11
        let h = 1e-2;
        let difference = |k: f64| inertia(case.theta + k * h) - inertia(case.theta - k * h);
        let slope = (672.0 * difference(1.0) - 168.0 * difference(2.0) + 32.0 * difference(3.0)
            - 3.0 * difference(4.0))
            / (840.0 * h);
        let [acceleration, _, friction] = case.ours();
        let (ph, _) = case.rod();
        let right = kappa
            - friction * r * sin(case.theta + ph) / cos(ph)
            - 0.5 * slope * case.speed.powi(2)
            - 0.5 * m2 * g * r * cos(case.theta);
        close(inertia(case.theta) * acceleration, right, case.speed.powi(2), 1e-10);
        let energy = 0.5 * inertia(case.theta) * case.speed.powi(2) + 0.5 * m2 * g * r * sin(case.theta);
        close(case.crank.energy(case.theta, case.speed), energy, energy.abs(), 1e-13);
    }
}

#[test]
fn the_form_of_the_paper_agrees_once_its_constraint_is_put_right() {
    for index in 0..2000 {
        let case = Case::random(index);
        let CrankSlider { crank_mass: m1, rod_mass: m2, slider_mass: m3, gravity: g, drive_torque: kappa, .. } =
            case.crank;
        let (r, l, th, w) = (case.crank.crank_radius, case.crank.rod_length, case.theta, case.speed);
        let (ph, v) = case.rod();
        let b = m2 / 2.0 + m3;
        let [acceleration, normal_force, f] = case.ours();
        // B.9
        let off = b * r * l * sin(th) * sin(ph);
        let mass = Matrix2::new(
            m1 * r * r / 2.0 + (m2 + m3) * (r * sin(th)).powi(2),
            off,
            off,
            m2 * l * l / 3.0 + m3 * (l * sin(ph)).powi(2),
        );
        let force = Vector2::new(
            (m2 + m3) * r * r * sin(th) * cos(th) * w * w + b * r * l * sin(th) * cos(ph) * v * v,
            b * r * l * cos(th) * sin(ph) * w * w + m3 * l * l * sin(ph) * cos(ph) * v * v + 0.5 * m2 * g * l * cos(ph),
        );
        let applied = Vector2::new(kappa - f * r * sin(th), -f * l * sin(ph));
        // λ and θ̈ from B.7 and the constraint, with Φ_q = (R cos θ, −L cos φ)
        let gradient = Vector2::new(r * cos(th), -l * cos(ph));
        let inverse = mass.try_inverse().unwrap();
        let free = inverse * (applied - force);
        let drift = r * sin(th) * w * w - l * sin(ph) * v * v;
        let multiplier = (gradient.dot(&free) - drift) / gradient.dot(&(inverse * gradient));
        let solved = free - inverse * gradient * multiplier;
        // the mass matrix of the paper is singular at dead centres where the crank is light: compare what it resolves
        let size = (inverse.norm() * mass.norm()).max(1.0) * (1.0 + solved.norm());
        close(acceleration, solved[0], size, 1e-13);
        close(case.rod_acceleration(acceleration), solved[1], size, 1e-13);
        // the multiplier alone is not the normal force, because the constraint was used inside T and V
        let load = (m2 + m3) * g + 0.5 * m2 * l * (solved[1] * cos(ph) - v * v * sin(ph)) - multiplier;
        close(normal_force, load, size + multiplier.abs(), 1e-12);
    }
}

#[test]
fn the_corrected_expression_for_the_normal_force_agrees_away_from_dead_centres() {
    let mut compared = 0;
    for index in 0..2000 {
        let case = Case::random(index);
        let CrankSlider { crank_mass: m1, rod_mass: m2, slider_mass: m3, gravity: g, drive_torque: kappa, .. } =
            case.crank;
        let (r, l, th, w) = (case.crank.crank_radius, case.crank.rod_length, case.theta, case.speed);
        if sin(th).abs() < 0.05 {
            continue;
        }
        compared += 1;
        let (ph, v) = case.rod();
        let [acceleration, normal_force, _] = case.ours();
        let swing = case.rod_acceleration(acceleration);
        let (s3, c3) = (sin(th + ph), cos(th + ph));
        // hu2021, B.5, with its signs and sines put right
        let numerator = 3.0 * r * l * m2 * (v * v * sin(ph) * s3 - swing * sin(ph) * c3)
            - 2.0 * r * l * m2 * swing * sin(th)
            + 3.0 * r * r * m1 * acceleration * sin(ph)
            - 3.0 * r * r * m2 * w * w * sin(th) * s3
            + 6.0 * r * r * m2 * acceleration * sin(ph)
            + 3.0 * r * r * m2 * acceleration * sin(th) * c3
            + 6.0 * r * g * m2 * sin(ph) * cos(th)
            + 3.0 * r * g * m2 * sin(th) * cos(ph)
            - 6.0 * kappa * sin(ph);
        close(numerator / (6.0 * r * s3) + m3 * g, normal_force, normal_force.abs(), 1e-8);
    }
    assert!(compared > 1800);
}
