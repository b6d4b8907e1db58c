//! Mean and covariance of force and torque of a plate, exactly: no sampling.

use super::any_kernel::AnyKernel;
use super::covariance::{Covariance, Kernel, Stretch};
use super::disc::disc_translation;
use super::functionals::{Functionals, Matrix, PAIRS};
use super::lengths::{LengthTable, SingleLengths, matrix};
use super::motion::{Kind, Motion};
use super::radial::RadialTable;
use super::square::rectangle_translation;
use crate::analysis::AnalysisError;
use crate::num::real::{exp, pow};
use crate::num::roots::minimum;
use crate::patch::{Outline, Shape};

/// Relative error [-] of one covariance beyond which a table is made.
const WANTED: f64 = 1e-6;

/// A contact area, its motion and its pressure.
#[derive(Debug, Clone)]
pub struct Plate {
    /// Force and torque as functionals of the coefficient.
    pub functionals: Functionals,
    /// Pressure \[Pa\].
    pub pressure: f64,
    /// Which definition of the coefficients of variation fits its motion.
    pub kind: Kind,
    closed: Option<Closed>,
}

/// Areas whose translation has a closed form with the Gaussian kernel.
#[derive(Debug, Clone, Copy)]
enum Closed {
    Rectangle { half_sides: [f64; 2], direction: [f64; 2] },
    Disc { radius: f64, direction: [f64; 2] },
}

impl Closed {
    /// K/P² for unit variance and the kernel exp(−r²/l²), l = `length` \[m\].
    fn gaussian(self, length: f64) -> Matrix {
        match self {
            Closed::Rectangle { half_sides: [a, b], direction } => rectangle_translation(a, b, direction, length),
            Closed::Disc { radius, direction } => disc_translation(radius, direction, length),
        }
    }
}

/// Mean and covariance of (F_x \[N\], F_y \[N\], T [N m]).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// Means \[N, N, N m\].
    pub mean: [f64; 3],
    /// Covariance matrix.
    pub covariance: Matrix,
    /// Estimated relative error of the covariance [-], from two node counts.
    pub error: f64,
    /// Whether no field has the covariance that was asked for: then these are numbers, not statistics.
    pub formal: bool,
}

/// How to treat a function that is no covariance, such as exp(−(r/l)³).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoCovariance {
    /// An error with the certificate.
    Refuse,
    /// The moments by quadrature, marked as formal, if their matrix is at least positive semidefinite.
    Formal,
    /// As `Formal`, but force and torque need to be possible only each for itself: enough for curves of their spreads.
    FormalSeparately,
}

impl Plate {
    /// A plate; keys of errors are relative to the parameters (`shape`, `motion`, `pressure`).
    ///
    /// # Errors
    /// [`AnalysisError::Unsuitable`] with the first problem of shape or motion.
    pub fn new(shape: &Shape, motion: &Motion, pressure: f64) -> Result<Self, AnalysisError> {
        let first = |problems: Vec<crate::Problem>, parent: &str| {
            problems.into_iter().next().map(|problem| {
                let problem = problem.below(parent);
                AnalysisError::unsuitable(problem.key, problem.message)
            })
        };
        if let Some(error) = first(motion.problems(), "motion") {
            return Err(error);
        }
        if !(pressure.is_finite() && pressure > 0.0) {
            return Err(AnalysisError::unsuitable(
                "pressure",
                format!("is {pressure}, but must be a finite number > 0"),
            ));
        }
        let outline = match Outline::of(shape) {
            Ok(outline) => outline,
            Err(problems) => {
                let error = first(problems, "shape");
                return Err(error.unwrap_or_else(|| AnalysisError::unsuitable("shape", "is not usable")));
            }
        };
        let twist = motion.twist();
        let closed = if twist.centre().is_none() {
            let [w_x, w_y, _] = twist.weights([0.0, 0.0]);
            let direction = [-w_x, -w_y];
            match shape {
                Shape::Square(square) => Some(Closed::Rectangle { half_sides: [square.half_side; 2], direction }),
                Shape::Rectangle(sides) => {
                    Some(Closed::Rectangle { half_sides: [sides.half_length, sides.half_width], direction })
                }
                Shape::Disc(disc) => Some(Closed::Disc { radius: disc.radius, direction }),
                Shape::Annulus(_) | Shape::Polygon(_) | Shape::Mask(_) => None,
            }
        } else {
            None
        };
        Ok(Self { functionals: Functionals::new(outline, twist), pressure, kind: motion.kind(), closed })
    }

    /// Half the side of the square with the same area \[m\].
    pub fn half_side(&self) -> f64 {
        self.functionals.outline.geometry.half_side()
    }

    /// Mean and covariance of force and torque for one covariance of the coefficient.
    ///
    /// # Errors
    /// As [`PlateTable::moments`].
    pub fn moments(&self, covariance: &Covariance, policy: NoCovariance) -> Result<Moments, AnalysisError> {
        let few = matches!(&covariance.kernel, Kernel::Gaussians(terms) if terms.len() <= 16);
        if self.closed_form(covariance).is_some() && covariance.kernel.is_mixture() {
            return self.tabulated(covariance)?.moments(covariance, policy);
        }
        if !few {
            return self.of_any_kernel(covariance, policy);
        }
        checked(covariance)?;
        // a few Gaussians cost less than the table
        let unresolved = || {
            let message = "is too short to be resolved over this area; choose a longer one or a smaller area";
            AnalysisError::unsuitable("field.correlation_length", message)
        };
        let functionals = Functionals { map: covariance.stretch.map(), ..self.functionals.clone() };
        let mut terms = covariance.kernel.mixture().unwrap_or_default();
        // what has no weight needs no work
        let largest = terms.iter().map(|(weight, _)| weight.abs()).fold(0.0, f64::max);
        terms.retain(|(weight, _)| weight.abs() > 1e-13 * largest);
        let shortest = terms.iter().map(|(_, length)| *length).fold(f64::INFINITY, f64::min);
        let longest = terms.iter().map(|(_, length)| *length).fold(0.0, f64::max);
        let lengths = SingleLengths::new(&functionals, shortest, longest);
        let (mut sum, mut error) = ([[0.0; 3]; 3], 0.0_f64);
        for (weight, length) in terms {
            let (part, estimate) = lengths.at(length).ok_or_else(unresolved)?;
            error = error.max(estimate);
            add(&mut sum, weight, &part);
        }
        Ok(self.physical(covariance.mean, functionals.integrals(), &sum, error, false))
    }

    /// The moments without a table, or with one where it is better.
    fn of_any_kernel(&self, covariance: &Covariance, policy: NoCovariance) -> Result<Moments, AnalysisError> {
        usable(covariance.stretch)?;
        checked(covariance)?;
        let formal = refusable(covariance, policy)?;
        let functionals = Functionals { map: covariance.stretch.map(), ..self.functionals.clone() };
        let closed = self.closed_form(covariance);
        let value = |length: f64| closed.map_or([[0.0; 3]; 3], |closed| closed.gaussian(length));
        let any = AnyKernel {
            functionals: &functionals,
            closed: closed.is_some().then_some(&value as &dyn Fn(f64) -> Matrix),
        };
        match any.covariance(&covariance.kernel, WANTED) {
            // tables know the error only of functions as smooth as a Gaussian
            Some((unit, error)) if error <= WANTED || matches!(covariance.kernel, Kernel::Function { .. }) => {
                self.judged(covariance.mean, functionals.integrals(), &unit, error, formal, policy)
            }
            _ => self.tabulated(covariance)?.moments(covariance, policy),
        }
    }

    /// Tables for all lengths of covariances with this stretch, for scans and for mixtures.
    ///
    /// # Errors
    /// [`AnalysisError::Unsuitable`] if the stretch is not a finite number > 0.
    pub fn tabulated(&self, covariance: &Covariance) -> Result<PlateTable, AnalysisError> {
        usable(covariance.stretch)?;
        let functionals = Functionals { map: covariance.stretch.map(), ..self.functionals.clone() };
        let closed = self.closed_form(covariance);
        let needs_pairs = !covariance.kernel.is_mixture();
        let lengths = (closed.is_none() || needs_pairs).then(|| LengthTable::new(&functionals));
        let radial = lengths.as_ref().filter(|_| needs_pairs).map(|lengths| RadialTable::new(&functionals, lengths));
        Ok(PlateTable { integrals: functionals.integrals(), plate: self.clone(), closed, lengths, radial })
    }

    fn closed_form(&self, covariance: &Covariance) -> Option<Closed> {
        self.closed.filter(|_| covariance.stretch.ratio == 1.0)
    }

    /// The moments, if their matrix is possible.
    fn judged(
        &self,
        mean: f64,
        integrals: [f64; 3],
        unit: &Matrix,
        error: f64,
        formal: bool,
        policy: NoCovariance,
    ) -> Result<Moments, AnalysisError> {
        let moments = self.physical(mean, integrals, unit, error, formal);
        let possible = match policy {
            NoCovariance::FormalSeparately => {
                let [[xx, xy, _], [yx, yy, _], [_, _, tt]] = moments.covariance;
                positive_semidefinite(&[[xx, xy, 0.0], [yx, yy, 0.0], [0.0, 0.0, tt]])
            }
            NoCovariance::Formal | NoCovariance::Refuse => positive_semidefinite(&moments.covariance),
        };
        if formal && !possible {
            let message = "no field has this covariance, and here even the matrix of the moments is indefinite; \
                           choose an exponent <= 2";
            return Err(AnalysisError::unsuitable("field.correlation_exponent", message));
        }
        Ok(moments)
    }

    fn physical(&self, mean: f64, integrals: [f64; 3], unit: &Matrix, error: f64, formal: bool) -> Moments {
        let p2 = self.pressure * self.pressure;
        Moments {
            mean: integrals.map(|integral| self.pressure * mean * integral + 0.0),
            covariance: unit.map(|row| row.map(|entry| p2 * entry)),
            error,
            formal,
        }
    }
}

/// A plate with its tables: the moments of any covariance in microseconds.
#[derive(Debug, Clone)]
pub struct PlateTable {
    plate: Plate,
    integrals: [f64; 3],
    closed: Option<Closed>,
    lengths: Option<LengthTable>,
    radial: Option<RadialTable>,
}

impl PlateTable {
    /// The plate.
    pub fn plate(&self) -> &Plate {
        &self.plate
    }

    /// ∫w_i dS of the three functionals [m², m², m³].
    pub fn integrals(&self) -> [f64; 3] {
        self.integrals
    }

    /// Mean and covariance of force and torque.
    ///
    /// # Errors
    /// [`AnalysisError::Unsuitable`] if the covariance is none (exponent above 2) and the policy refuses it, if a formal
    /// matrix is indefinite, if a length or weight is not usable, or if the table was made for a mixture of Gaussians and the
    /// covariance is none.
    pub fn moments(&self, covariance: &Covariance, policy: NoCovariance) -> Result<Moments, AnalysisError> {
        checked(covariance)?;
        let formal = refusable(covariance, policy)?;
        let (unit, error) = self.unit(covariance)?;
        self.plate.judged(covariance.mean, self.integrals, &unit, error, formal, policy)
    }

    /// K/P² and its estimated relative error.
    fn unit(&self, covariance: &Covariance) -> Result<(Matrix, f64), AnalysisError> {
        if let Some(mixture) = covariance.kernel.mixture() {
            let (mut sum, mut error) = ([[0.0; 3]; 3], 0.0_f64);
            for (weight, length) in mixture {
                let part = match (self.closed, &self.lengths) {
                    (Some(closed), _) => closed.gaussian(length),
                    (None, Some(table)) => {
                        error = error.max(table.error(length));
                        table.at(length)
                    }
                    (None, None) => [[0.0; 3]; 3],
                };
                add(&mut sum, weight, &part);
            }
            return Ok((sum, error.max(1e-13)));
        }
        let Some(radial) = &self.radial else {
            let message = "the table was made for mixtures of Gaussians; make it for this covariance";
            return Err(AnalysisError::unsuitable("field.correlation", message));
        };
        let length = covariance.kernel.length();
        Ok((radial.at(length, |r| covariance.kernel.at(r)), radial.error(length)))
    }
}

fn add(sum: &mut Matrix, weight: f64, part: &Matrix) {
    let total = matrix(|n| {
        let (i, j) = PAIRS[n];
        sum[i][j] + weight * part[i][j]
    });
    *sum = total;
}

fn usable(stretch: Stretch) -> Result<(), AnalysisError> {
    if stretch.ratio.is_finite() && stretch.ratio > 0.0 && stretch.angle.is_finite() {
        return Ok(());
    }
    Err(AnalysisError::unsuitable("field.correlation_length", "must be finite numbers > 0"))
}

/// Whether no field has this covariance; an error if the policy refuses it.
fn refusable(covariance: &Covariance, policy: NoCovariance) -> Result<bool, AnalysisError> {
    match covariance.kernel {
        Kernel::PowerExponentials { exponent, .. } if exponent > 2.0 => {
            if policy == NoCovariance::Refuse {
                return Err(AnalysisError::unsuitable("field.correlation_exponent", certificate(exponent)));
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

fn checked(covariance: &Covariance) -> Result<(), AnalysisError> {
    if !(covariance.mean.is_finite() && covariance.mean > 0.0) {
        let message = format!("is {}, but must be a finite number > 0", covariance.mean);
        return Err(AnalysisError::unsuitable("field.mean", message));
    }
    let length = covariance.kernel.length();
    if !(length.is_finite() && length > 0.0) {
        let message = format!("is {length}, but must be a finite number > 0");
        return Err(AnalysisError::unsuitable("field.correlation_length", message));
    }
    let variance = covariance.variance();
    if !(variance.is_finite() && variance >= 0.0) {
        let message = format!("gives a variance of {variance}, but it must be a finite number >= 0");
        return Err(AnalysisError::unsuitable("field.standard_deviation", message));
    }
    Ok(())
}

/// Why exp(−(r/l)ⁿ) with n > 2 is no covariance: three equidistant points and the weights (1, −2, 1).
pub fn certificate(exponent: f64) -> String {
    let (h, value) = three_point_minimum(exponent);
    format!(
        "is {exponent}, but exp(-(r/l)^n) is a correlation only for 0 < n <= 2: at three points in line, {h:.6} l apart, \
         with the weights (1, -2, 1), the variance would be {value:.6}; choose n <= 2, or `indefinite = \"formal\"` for \
         moments by quadrature of a field that does not exist"
    )
}

/// Where 6 − 8 R(h) + 2 R(2h), the three-point form, is smallest, and its value; h in correlation lengths.
pub fn three_point_minimum(exponent: f64) -> (f64, f64) {
    let form = |h: f64| 6.0 - 8.0 * exp(-pow(h, exponent)) + 2.0 * exp(-pow(2.0 * h, exponent));
    let found = minimum(1e-6, 1.5, form);
    (found.at, found.value)
}

/// Whether a covariance matrix has no negative eigenvalue beyond round-off; rows are brought to comparable units first.
pub fn positive_semidefinite(covariance: &Matrix) -> bool {
    let scale = [0, 1, 2].map(|i| covariance[i][i].abs().sqrt());
    if (0..3).any(|i| covariance[i][i] < 0.0) {
        return false;
    }
    let entry = |i: usize, j: usize| {
        let size = scale[i] * scale[j];
        if size > 0.0 { covariance[i][j] / size } else { 0.0 }
    };
    let correlation = nalgebra::Matrix3::from_fn(entry);
    correlation.symmetric_eigenvalues().iter().all(|value| *value > -1e-6)
}
