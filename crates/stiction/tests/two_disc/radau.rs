//! Motions of two discs against a second solver that shares nothing with ours but the equations: Radau IIA of order 5, fully
//! implicit, with Newton's iteration on a dense matrix, and steps chosen by comparing one step with two halves.

use nalgebra::{DMatrix, DVector};
use stiction::analysis::two_disc::Transient;
use stiction::integrate::{StiffMethod, StiffSolver};
use stiction::system::two_disc::{DiscLinear, Discs, IntervalField, LEADING, Running, TwoDisc};
use stiction::system::{Stiff, System};

const TIMES: [f64; 4] = [0.25, 0.5, 1.0, 2.0];

struct Radau<'a> {
    system: &'a Discs,
    linear: DiscLinear,
    coefficients: [[f64; 3]; 3],
}

impl<'a> Radau<'a> {
    fn new(system: &'a Discs) -> Self {
        let root = 6f64.sqrt();
        let coefficients = [
            [(88.0 - 7.0 * root) / 360.0, (296.0 - 169.0 * root) / 1800.0, (-2.0 + 3.0 * root) / 225.0],
            [(296.0 + 169.0 * root) / 1800.0, (88.0 + 7.0 * root) / 360.0, (-2.0 - 3.0 * root) / 225.0],
            [(16.0 - root) / 36.0, (16.0 + root) / 36.0, 1.0 / 9.0],
        ];
        Self { system, linear: system.new_linear(), coefficients }
    }

    fn slope(&self, y: &[f64]) -> Vec<f64> {
        let mut slope = vec![0.0; y.len()];
        self.system.rhs(Running, 0.0, &y.to_vec(), &mut slope);
        slope
    }

    fn derivative(&mut self, y: &[f64]) -> DMatrix<f64> {
        let size = y.len();
        let (mut slope, mut column) = (vec![0.0; size], vec![0.0; size]);
        self.system.linearise(Running, 0.0, &y.to_vec(), &mut self.linear, &mut slope, &mut Vec::new());
        let mut matrix = DMatrix::zeros(size, size);
        for j in 0..size {
            let unit: Vec<f64> = (0..size).map(|i| f64::from(u8::from(i == j))).collect();
            self.system.derivative_times(&self.linear, &unit, &mut column);
            matrix.set_column(j, &DVector::from_column_slice(&column));
        }
        matrix
    }

    /// The state after a step; none if the iteration does not converge.
    fn step(&self, y: &[f64], derivative: &DMatrix<f64>, h: f64) -> Option<Vec<f64>> {
        let size = y.len();
        let mut matrix = DMatrix::identity(3 * size, 3 * size);
        for (i, row) in self.coefficients.iter().enumerate() {
            for (j, a) in row.iter().enumerate() {
                let mut block = matrix.view_mut((i * size, j * size), (size, size));
                block -= derivative * (h * a);
            }
        }
        let lu = matrix.lu();
        let mut z = DVector::zeros(3 * size);
        let mut last = f64::INFINITY;
        for _ in 0..15 {
            let slopes: Vec<Vec<f64>> =
                (0..3).map(|j| self.slope(&(0..size).map(|i| y[i] + z[j * size + i]).collect::<Vec<f64>>())).collect();
            let residual = DVector::from_fn(3 * size, |k, _| {
                let (stage, i) = (k / size, k % size);
                (0..3).map(|j| h * self.coefficients[stage][j] * slopes[j][i]).sum::<f64>() - z[k]
            });
            let change = lu.solve(&residual)?;
            z += &change;
            let now = change.amax();
            if now < 1e-13 || (now >= 0.5 * last && last < 1e-11) {
                return Some((0..size).map(|i| y[i] + z[2 * size + i]).collect());
            }
            if now.is_nan() || now > 2.0 * last {
                return None;
            }
            last = now;
        }
        None
    }

    /// Coordinates at [`TIMES`].
    fn run(mut self, tolerance: f64) -> Vec<[f64; 6]> {
        let (_, mut y) = self.system.start();
        let (mut t, mut h) = (0.0_f64, 1e-8_f64);
        let mut samples = Vec::new();
        for until in TIMES {
            while t < until {
                let derivative = self.derivative(&y);
                let length = h.min(until - t);
                let whole = self.step(&y, &derivative, length);
                let halves = self.step(&y, &derivative, 0.5 * length).and_then(|middle| {
                    let derivative = self.derivative(&middle);
                    self.step(&middle, &derivative, 0.5 * length)
                });
                let (Some(whole), Some(halves)) = (whole, halves) else {
                    h = 0.25 * length;
                    assert!(h > 1e-14, "no step at {t} s");
                    continue;
                };
                let error = (0..y.len()).fold(0.0_f64, |error, i| {
                    let scale = if i < LEADING { 1e-2 + y[i].abs() } else { 0.4 };
                    error.max((halves[i] - whole[i]).abs() / (31.0 * tolerance * scale))
                });
                let growth = (0.8 * stiction::num::real::pow(error.max(1e-12), -1.0 / 6.0)).clamp(0.2, 4.0);
                if error <= 1.0 {
                    (t, y) = (if length < h { until } else { t + length }, halves);
                    h = if length < h { h } else { h * growth };
                } else {
                    h = length * growth;
                }
            }
            samples.push(std::array::from_fn(|i| y[i]));
        }
        samples
    }
}

fn by_rosenbrock(system: &Discs, method: StiffMethod, tolerance: f64) -> Vec<[f64; 6]> {
    let solver = StiffSolver { method, ..StiffSolver::default() }.with_tolerance(tolerance);
    let mut transient = Transient::lasting(TIMES[3]).with_solver(solver);
    transient.sample_times = TIMES.to_vec();
    transient.run(system).samples.iter().map(|q| std::array::from_fn(|i| q[i])).collect()
}

/// Largest difference of a coordinate, relative to its largest value.
fn farthest(found: &[[f64; 6]], wanted: &[[f64; 6]]) -> f64 {
    assert_eq!((found.len(), wanted.len()), (TIMES.len(), TIMES.len()));
    (0..6).fold(0.0_f64, |farthest, i| {
        let size = wanted.iter().fold(0.0_f64, |size, q| size.max(q[i].abs()));
        let miss = found.iter().zip(wanted).fold(0.0_f64, |miss, (a, b)| miss.max((a[i] - b[i]).abs()));
        farthest.max(miss / size)
    })
}

/// Motions of faces of six cells and of a point contact, uniform and with a realisation of the field.
fn agree(radius: f64, field: Option<IntervalField>) {
    let mut discs = TwoDisc { field, ..TwoDisc::new(20.0, 1.0) };
    discs.contact.radius = radius;
    discs.contact.rings = 1;
    let system = discs.realisation(3, 0).unwrap();
    let wanted = Radau::new(&system).run(1e-10);
    for (method, tolerance) in [(StiffMethod::Rodas4p, 1e-9), (StiffMethod::Rodas5p, 1e-10)] {
        let miss = farthest(&by_rosenbrock(&system, method, tolerance), &wanted);
        assert!(miss < 1e-7, "{method:?}: {miss:e}");
    }
}

#[test]
fn a_face_on_a_uniform_disc_moves_as_another_solver_says() {
    agree(0.1, None);
}

#[test]
fn a_face_on_an_interval_field_moves_as_another_solver_says() {
    agree(0.1, Some(IntervalField::default()));
}

#[test]
fn a_point_on_a_uniform_disc_moves_as_another_solver_says() {
    agree(0.0, None);
}

#[test]
fn a_point_on_an_interval_field_moves_as_another_solver_says() {
    agree(0.0, Some(IntervalField::default()));
}
