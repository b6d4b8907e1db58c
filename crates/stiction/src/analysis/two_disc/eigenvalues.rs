//! Eigenvalues at an equilibrium: of the reduced motion, whose bristles follow at once, and of the full one.
//!
//! A full eigenvalue λ is a root of det(λ − A(λ)), where A(λ) is the 12 × 12 matrix that is left when the bristles are eliminated
//! at the rate λ. Each costs a few sums over the cells from a reduced one.

use crate::analysis::AnalysisError;
use crate::num::eigenvalues::{eigenvalues, eigenvalues_of};
use crate::num::followed_eigenvalues::Follower;
use crate::system::Stiff;
use crate::system::two_disc::{DiscLinear, Discs, Equilibrium, Face, LEADING, Quadrature, Running, TwoDisc};
use nalgebra::{Complex, DMatrix, SMatrix};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which linearisation decides about stability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Linearisation {
    /// Bristles follow at once: twelve eigenvalues.
    #[default]
    Reduced,
    /// With the motion of the bristles: the twelve leading eigenvalues.
    Full,
}

impl Linearisation {
    /// The eigenvalues that decide; none if they do not converge.
    pub(crate) fn spectrum(self, system: &Discs, linear: &DiscLinear) -> Option<Spectrum> {
        self.followed(system, linear, &mut Follower::default())
    }

    /// The same for discs that have changed a little since `follower` was asked.
    pub(crate) fn followed(self, system: &Discs, linear: &DiscLinear, follower: &mut Follower<12>) -> Option<Spectrum> {
        let reduced = Spectrum::new(follower.eigenvalues(system.reduced(linear)?)?.to_vec());
        match self {
            Linearisation::Reduced => Some(reduced),
            Linearisation::Full => full_spectrum(system, linear, &reduced),
        }
    }
}

/// Eigenvalues [1/s], sorted by falling real part, a pair with its positive frequency first.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    /// The eigenvalues.
    pub values: Vec<Complex<f64>>,
}

/// Eigenvalues of both linearisations.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectra {
    /// With bristles that follow at once.
    pub reduced: Spectrum,
    /// With bristles that move: the leading twelve.
    pub full: Spectrum,
}

impl Spectrum {
    fn new(mut values: Vec<Complex<f64>>) -> Self {
        // conjugates have real parts that differ by rounding: they are put together first
        values.sort_by(|a, b| b.re.total_cmp(&a.re));
        let mut i = 0;
        while i + 1 < values.len() {
            let (a, b) = (values[i], values[i + 1]);
            if a.im != 0.0 && (a.re - b.re).abs() <= 1e-9 * a.norm() && (a.im + b.im).abs() <= 1e-6 * a.norm() {
                let mean = Complex::new(0.5 * (a.re + b.re), 0.5 * (a.im.abs() + b.im.abs()));
                values[i] = mean;
                values[i + 1] = mean.conj();
                i += 2;
            } else {
                i += 1;
            }
        }
        Self { values }
    }

    /// The largest real part [1/s].
    pub fn growth(&self) -> f64 {
        self.values.first().map_or(f64::NAN, |value| value.re)
    }

    /// Angular frequency of the leading eigenvalue [rad/s].
    pub fn frequency(&self) -> f64 {
        self.values.first().map_or(f64::NAN, |value| value.im.abs())
    }
}

/// The discs and their derivative at an equilibrium; none at a captured one, where there is no derivative.
pub(crate) fn linearised(
    discs: &TwoDisc,
    equilibrium: &Equilibrium,
    face: Option<&Face>,
) -> Option<(Discs, DiscLinear)> {
    if equilibrium.is_captured() {
        return None;
    }
    let system = match (discs.contact.quadrature, face) {
        (Quadrature::Centred, _) if discs.contact.radius > 0.0 => {
            let length = discs.law.lugre().stribeck_speed / discs.drive_speed.abs();
            let contact = &discs.contact;
            let outer = contact.outer(discs.upper.radius);
            let face = Face::centred(outer, contact.radius, equilibrium.pole, length);
            discs.assembled(&face.pressed(outer, contact.radius, contact.pressure.as_ref()), None)
        }
        (_, Some(face)) => discs.assembled(face, None),
        _ => discs.assembled(&Face::of(discs), None),
    };
    let y = system.state_at(equilibrium);
    let mut linear = system.new_linear();
    let (mut slope, mut time_slope) = (y.clone(), Vec::new());
    system.linearise(Running, 0.0, &y, &mut linear, &mut slope, &mut time_slope).ok()?;
    Some((system, linear))
}

/// Eigenvalues of the reduced motion.
pub(crate) fn reduced_spectrum(system: &Discs, linear: &DiscLinear) -> Option<Spectrum> {
    let values = eigenvalues(system.reduced(linear)?)?;
    Some(Spectrum::new(values.to_vec()))
}

/// Eigenvalues of the full motion near those of the reduced one.
pub(crate) fn full_spectrum(system: &Discs, linear: &DiscLinear, reduced: &Spectrum) -> Option<Spectrum> {
    let mut found: Vec<Complex<f64>> = Vec::with_capacity(12);
    for &start in reduced.values.iter().filter(|value| value.im >= 0.0) {
        let root = root_near(system, linear, start, &found)?;
        let is_real = root.im.abs() <= 1e-9 * root.norm();
        let root = if is_real { Complex::new(root.re, 0.0) } else { Complex::new(root.re, root.im.abs()) };
        found.push(root);
        if !is_real {
            found.push(root.conj());
        }
    }
    Some(Spectrum::new(found))
}

/// det(λ − A(λ)), scaled so that products of twelve rates stay within range, with known roots divided out.
fn determinant(system: &Discs, linear: &DiscLinear, at: Complex<f64>, known: &[Complex<f64>]) -> Option<Complex<f64>> {
    let rows = system.condensed(linear, at)?;
    let zero = Complex::new(0.0, 0.0);
    let matrix = SMatrix::<Complex<f64>, 12, 12>::from_fn(|i, j| (if i == j { at } else { zero }) - rows[i][j]);
    let mut value = matrix.determinant();
    for root in known {
        let distance = at - root;
        value /= if distance.norm_sqr() == 0.0 { Complex::new(f64::EPSILON, 0.0) } else { distance };
    }
    value.is_finite().then_some(value)
}

/// Muller's method: parabolas through three points.
fn root_near(system: &Discs, linear: &DiscLinear, start: Complex<f64>, known: &[Complex<f64>]) -> Option<Complex<f64>> {
    let spread = 1e-3 * start.norm().max(1e-3);
    let mut points = [start + spread, start - spread, start];
    let value = |at: Complex<f64>| determinant(system, linear, at, known);
    let mut values = [value(points[0])?, value(points[1])?, value(points[2])?];
    for _ in 0..80 {
        let [x0, x1, x2] = points;
        let [f0, f1, f2] = values;
        if f2.norm_sqr() == 0.0 {
            return Some(x2);
        }
        let (d1, d2) = ((f1 - f0) / (x1 - x0), (f2 - f1) / (x2 - x1));
        let curvature = (d2 - d1) / (x2 - x0);
        let slope = d2 + curvature * (x2 - x1);
        let root = (slope * slope - curvature * f2 * 4.0).sqrt();
        let (plus, minus) = (slope + root, slope - root);
        let denominator = if plus.norm_sqr() >= minus.norm_sqr() { plus } else { minus };
        let step = f2 * -2.0 / denominator;
        if !step.is_finite() {
            return None;
        }
        let next = x2 + step;
        if step.norm() <= 1e-12 * next.norm().max(1e-6) {
            return Some(next);
        }
        points = [x1, x2, next];
        values = [f1, f2, value(next)?];
    }
    None
}

/// Eigenvalues of both linearisations at an equilibrium; none at a captured one.
///
/// # Errors
/// If eigenvalues do not converge.
pub fn spectra(discs: &TwoDisc, equilibrium: &Equilibrium) -> Result<Option<Spectra>, AnalysisError> {
    let Some((system, linear)) = linearised(discs, equilibrium, None) else { return Ok(None) };
    let lost = || AnalysisError::unsuitable("normal_load", "the eigenvalues of this equilibrium do not converge");
    let reduced = reduced_spectrum(&system, &linear).ok_or_else(lost)?;
    let full = match full_spectrum(&system, &linear, &reduced) {
        Some(full) => full,
        None => {
            let mut full = dense_spectrum(&system, &linear).ok_or_else(lost)?;
            full.values.truncate(12);
            full
        }
    };
    Ok(Some(Spectra { reduced, full }))
}

fn dense_spectrum(system: &Discs, linear: &DiscLinear) -> Option<Spectrum> {
    // twelve rigid states and the bristles of real cells: the angle of the drive and the padding are left out
    let places: Vec<usize> = (0..12).chain((0..system.cells()).flat_map(bristle_places)).collect();
    let size = places.iter().max()? + 1;
    let size = LEADING + (size - LEADING).div_ceil(16) * 16;
    let (mut x, mut column) = (vec![0.0; size], vec![0.0; size]);
    let mut matrix = DMatrix::zeros(places.len(), places.len());
    for (j, &place) in places.iter().enumerate() {
        x[place] = 1.0;
        system.derivative_times(linear, &x, &mut column);
        x[place] = 0.0;
        for (i, &row) in places.iter().enumerate() {
            matrix[(i, j)] = column[row];
        }
    }
    eigenvalues_of(matrix).map(Spectrum::new)
}

fn bristle_places(cell: usize) -> [usize; 2] {
    let first = LEADING + 16 * (cell / 8) + cell % 8;
    [first, first + 8]
}

/// All eigenvalues of the full motion by a dense solver: the check of [`spectra`].
///
/// # Errors
/// If the equilibrium has no linearisation, or eigenvalues do not converge.
#[cfg(test)]
pub(crate) fn full_spectrum_dense(discs: &TwoDisc, equilibrium: &Equilibrium) -> Result<Spectrum, AnalysisError> {
    let lost = || AnalysisError::unsuitable("normal_load", "this equilibrium has no eigenvalues");
    let (system, linear) = linearised(discs, equilibrium, None).ok_or_else(lost)?;
    dense_spectrum(&system, &linear).ok_or_else(lost)
}
