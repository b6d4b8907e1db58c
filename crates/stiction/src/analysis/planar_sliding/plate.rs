//! Mean and covariance of force and torque of a plate, exactly: no sampling.

use super::covariance::{Covariance, Kernel, Stretch};
use super::disc::disc_translation;
use super::functionals::{Functionals, Matrix};
use super::motion::{Kind, Motion, Twist};
use super::pairs::{Estimate, Pairs, Radii};
use super::square::rectangle_translation;
use crate::analysis::{AnalysisError, Progress, Silent};
use crate::field::{Family, Validity};
use crate::patch::{Outline, Shape};

/// Relative error [-] of a covariance that is wanted, and the largest that is reported instead of refused.
const ACCURACY: f64 = 1e-6;
const WORST: f64 = 1e-3;

/// An error that does not matter, in units of the variance for a uniform coefficient [-].
const NEGLIGIBLE: f64 = 1e-10;

/// A contact area, its motion and its pressure.
#[derive(Debug, Clone)]
pub struct Plate {
    /// Force and torque as functionals of the coefficient.
    pub functionals: Functionals,
    /// Pressure \[Pa\].
    pub pressure: f64,
    /// Which definition of the coefficients of variation fits its motion.
    pub kind: Kind,
    /// Relative error [-] of covariances that is wanted: 1e-6 unless it is changed. The error that was reached is reported.
    pub accuracy: f64,
    closed: Option<Closed>,
}

/// Areas whose translation has a closed form with the Gaussian kernel: microseconds instead of milliseconds.
#[derive(Debug, Clone, Copy)]
enum Closed {
    Rectangle([f64; 2]),
    Disc(f64),
}

impl Closed {
    fn of(shape: &Shape) -> Option<Self> {
        match shape {
            Shape::Square(square) => Some(Closed::Rectangle([square.half_side; 2])),
            Shape::Rectangle(sides) => Some(Closed::Rectangle([sides.half_length, sides.half_width])),
            Shape::Disc(disc) => Some(Closed::Disc(disc.radius)),
            Shape::Annulus(_) | Shape::Polygon(_) | Shape::Mask(_) => None,
        }
    }

    /// K/P² for unit variance and the kernel exp(−r²/l²), l = `length` \[m\].
    fn gaussian(self, twist: &Twist, length: f64) -> Matrix {
        let [w_x, w_y, _] = twist.weights([0.0, 0.0]);
        match self {
            Closed::Rectangle([a, b]) => rectangle_translation(a, b, [-w_x, -w_y], length),
            Closed::Disc(radius) => disc_translation(radius, [-w_x, -w_y], length),
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
    /// Estimated relative error of the covariance [-], from two numbers of nodes.
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
            problems.into_iter().next().map(|problem| AnalysisError::from(problem.below(parent)))
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
        let (twist, closed) = (motion.twist(), Closed::of(shape));
        let functionals = Functionals { outline, twist };
        Ok(Self { functionals, pressure, kind: motion.kind(), accuracy: ACCURACY, closed })
    }

    /// The same plate in translation.
    #[must_use]
    pub fn translated(&self) -> Self {
        let motion = Motion::default();
        let functionals = Functionals { twist: motion.twist(), ..self.functionals.clone() };
        Self { functionals, kind: motion.kind(), ..self.clone() }
    }

    /// Half the side of the square with the same area \[m\].
    pub fn half_side(&self) -> f64 {
        self.functionals.outline.geometry.half_side()
    }

    /// Half the sides of a square or rectangle \[m\].
    pub(crate) fn half_sides(&self) -> Option<[f64; 2]> {
        match self.closed {
            Some(Closed::Rectangle(half_sides)) => Some(half_sides),
            _ => None,
        }
    }

    /// Mean and covariance of force and torque for one covariance of the coefficient.
    ///
    /// # Errors
    /// As [`PlateTable::moments`].
    pub fn moments(&self, covariance: &Covariance, policy: NoCovariance) -> Result<Moments, AnalysisError> {
        self.moments_unless(&Silent, covariance, policy)
    }

    /// As [`Plate::moments`], unless the user interrupts: seconds for correlations that are short along one axis.
    ///
    /// # Errors
    /// As [`PlateTable::moments`]; [`AnalysisError::Cancelled`] if the user interrupts.
    pub fn moments_unless(
        &self,
        progress: &dyn Progress,
        covariance: &Covariance,
        policy: NoCovariance,
    ) -> Result<Moments, AnalysisError> {
        let kernel = &covariance.kernel;
        self.check(covariance, policy)?;
        let accurate = |pairs: &Pairs| unit(pairs, kernel).rule <= self.accuracy;
        let radii = |diameter: f64| Radii::of(kernel.length(), diameter, |r| kernel.at(r));
        self.table(covariance, radii, accurate, progress)?.moments(covariance, policy)
    }

    /// A table for covariances of the form of this one with lengths from `shortest` \[m\] on, for scans.
    ///
    /// # Errors
    /// [`AnalysisError::Unsuitable`] if the covariance or the length is not usable; [`AnalysisError::Cancelled`] if the user
    /// interrupts.
    pub fn tabulated(
        &self,
        covariance: &Covariance,
        shortest: f64,
        progress: &dyn Progress,
    ) -> Result<PlateTable, AnalysisError> {
        self.check(covariance, NoCovariance::Formal)?;
        let factor = shortest / covariance.kernel.length();
        if !(factor.is_finite() && factor > 0.0) {
            let message = format!("is {shortest} m, but must be a finite number > 0");
            return Err(AnalysisError::unsuitable("field.correlation_length", message));
        }
        let kernel = &covariance.scaled(factor).kernel;
        let accurate = |pairs: &Pairs| {
            // the shortest, and some up to where all pairs are near to each other
            let mut factor = 1.0;
            while factor * shortest < 4.0 * pairs.diameter() {
                let scaled = covariance.scaled(factor * shortest / covariance.kernel.length());
                if unit(pairs, &scaled.kernel).rule > self.accuracy {
                    return false;
                }
                factor *= 3.0;
            }
            true
        };
        let radii = |diameter: f64| Radii::scan(shortest, diameter, |r| kernel.at(r));
        self.table(covariance, radii, accurate, progress)
    }

    /// Whether no field has this covariance.
    ///
    /// # Errors
    /// The covariance cannot be asked of this plate, or the policy refuses it.
    fn check(&self, covariance: &Covariance, policy: NoCovariance) -> Result<bool, AnalysisError> {
        let unless = |fits: bool, key: &str, message: &dyn Fn() -> String| {
            if fits { Ok(()) } else { Err(AnalysisError::unsuitable(key, message())) }
        };
        let Covariance { mean, kernel, stretch: Stretch { ratio, angle } } = covariance;
        let positive = |number: f64| number.is_finite() && number > 0.0;
        let (length, variance) = (kernel.length(), covariance.variance());
        let fits = positive(*ratio) && angle.is_finite();
        unless(fits, "field.correlation_length", &|| "must be finite numbers > 0".to_owned())?;
        unless(positive(*mean), "field.mean", &|| format!("is {mean}, but must be a finite number > 0"))?;
        unless(positive(length), "field.correlation_length", &|| {
            format!("is {length}, but must be a finite number > 0")
        })?;
        unless(!variance.is_nan(), "field", &|| {
            "has a correlation without a value at a distance of zero: give a larger `correlation_exponent`".to_owned()
        })?;
        unless(variance.is_finite() && variance >= 0.0, "field.standard_deviation", &|| {
            format!("gives a variance of {variance}, but it must be a finite number >= 0")
        })?;
        let pieces = self.functionals.outline.pieces.len();
        let most = Pairs::most_pieces(covariance.stretch.map()).unwrap_or(usize::MAX);
        unless(pieces <= most, "field.correlation_length", &|| {
            format!(
                "are two that differ by a factor of more than 1000, and the outline has {pieces} pieces, more than {most}; use larger \
                 cells, fewer corners, or two lengths that differ by less"
            )
        })?;
        let Kernel::PowerExponentials { exponent, .. } = *kernel else { return Ok(false) };
        if exponent > 2.0
            && policy == NoCovariance::Refuse
            && let Validity::Indefinite(certificate) = (Family::PowerExponential { exponent }).validity()
        {
            let message = format!(
                "is {exponent}, but exp(-(r/l)^n) is a correlation only for 0 < n <= 2: {certificate}; choose n <= 2, or `indefinite = \
                 \"formal\"` for moments by quadrature of a field that does not exist"
            );
            return Err(AnalysisError::unsuitable("field.correlation_exponent", message));
        }
        Ok(exponent > 2.0)
    }

    fn table(
        &self,
        covariance: &Covariance,
        radii: impl FnOnce(f64) -> Radii,
        accurate: impl Fn(&Pairs) -> bool,
        progress: &dyn Progress,
    ) -> Result<PlateTable, AnalysisError> {
        let known = covariance.stretch.ratio == 1.0 && self.functionals.twist.centre().is_none();
        let closed = self.closed.filter(|_| known);
        let needed = closed.is_none() || covariance.kernel.as_gaussians().is_none();
        let integrals = self.functionals.integrals();
        let pairs = || Pairs::new(&self.functionals, integrals, covariance.stretch.map(), radii, accurate, progress);
        let pairs = needed.then(pairs).transpose()?;
        Ok(PlateTable { plate: self.clone(), integrals, closed, pairs })
    }

    /// The moments, if their matrix is possible.
    fn judged(
        &self,
        mean: f64,
        integrals: [f64; 3],
        Estimate { matrix: mut unit, error, share, .. }: Estimate,
        formal: bool,
        policy: NoCovariance,
    ) -> Result<Moments, AnalysisError> {
        let judged = match policy {
            NoCovariance::FormalSeparately => {
                let [[xx, xy, _], [yx, yy, _], [_, _, tt]] = unit;
                [[xx, xy, 0.0], [yx, yy, 0.0], [0.0, 0.0, tt]]
            }
            NoCovariance::Formal | NoCovariance::Refuse => unit,
        };
        // in long waves a functional without mean has next to no variance
        let negligible = share <= NEGLIGIBLE;
        let possible = semidefinite(&judged, error) || (negligible && !formal);
        if formal && !possible {
            let message = "no field has this covariance, and here even the matrix of the moments is indefinite; \
                           choose an exponent <= 2";
            return Err(AnalysisError::unsuitable("field.correlation_exponent", message));
        }
        if !(possible && (error <= WORST || negligible)) {
            let message = format!(
                "gives moments with a relative error of {error:.1e}, more than {WORST:.0e}; choose a longer one, two that differ by \
                 less, or a shape without narrow parts"
            );
            return Err(AnalysisError::unsuitable("field.correlation_length", message));
        }
        // what is left below 0 is within the error
        (0..3).for_each(|i| unit[i][i] = unit[i][i].max(0.0));
        let p2 = self.pressure * self.pressure;
        Ok(Moments {
            mean: integrals.map(|integral| self.pressure * mean * integral + 0.0),
            covariance: unit.map(|row| row.map(|entry| p2 * entry)),
            error,
            formal,
        })
    }
}

/// A plate with its table: the moments of any covariance of a form in microseconds.
#[derive(Debug, Clone)]
pub struct PlateTable {
    plate: Plate,
    integrals: [f64; 3],
    closed: Option<Closed>,
    pairs: Option<Pairs>,
}

impl PlateTable {
    /// The plate.
    pub fn plate(&self) -> &Plate {
        &self.plate
    }

    /// ∫w_i dS of the three functionals [m², m², m³].
    pub(crate) fn integrals(&self) -> [f64; 3] {
        self.integrals
    }

    /// Mean and covariance of force and torque.
    ///
    /// # Errors
    /// [`AnalysisError::Unsuitable`] if the covariance is none (exponent above 2) and the policy refuses it, if a formal
    /// matrix is indefinite, if a length or weight is not usable, or if the moments cannot be computed to 1e-3.
    pub fn moments(&self, covariance: &Covariance, policy: NoCovariance) -> Result<Moments, AnalysisError> {
        let formal = self.plate.check(covariance, policy)?;
        let unit = match (self.closed, covariance.kernel.as_gaussians(), &self.pairs) {
            (Some(closed), Some(terms), _) => {
                let matrix = sum(terms, |length| closed.gaussian(&self.plate.functionals.twist, length));
                Estimate { matrix, error: CLOSED_ERROR, rule: 0.0, share: 0.0 }
            }
            (_, _, Some(pairs)) => unit(pairs, &covariance.kernel),
            (_, _, None) => {
                let message = "the table was made for Gaussian kernels; make it for this covariance";
                return Err(AnalysisError::unsuitable("field.correlation", message));
            }
        };
        self.plate.judged(covariance.mean, self.integrals, unit, formal, policy)
    }
}

/// Relative error of closed forms.
const CLOSED_ERROR: f64 = 1e-13;

/// K/P² of a covariance.
fn unit(pairs: &Pairs, kernel: &Kernel) -> Estimate {
    pairs.covariance(kernel.at(0.0), |r| kernel.drop(r), kernel.rounding())
}

/// Σ weight · part(length).
fn sum(terms: &[(f64, f64)], part: impl Fn(f64) -> Matrix) -> Matrix {
    let mut sum = [[0.0; 3]; 3];
    for (weight, length) in terms {
        for (sum, part) in sum.iter_mut().flatten().zip(part(*length).as_flattened()) {
            *sum += weight * part;
        }
    }
    sum
}

/// Whether a covariance matrix has no negative eigenvalue beyond round-off.
pub fn positive_semidefinite(covariance: &Matrix) -> bool {
    semidefinite(covariance, 0.0)
}

/// Whether a matrix with a relative error has no negative eigenvalue beyond it; rows are brought to comparable units first.
fn semidefinite(covariance: &Matrix, error: f64) -> bool {
    let scale = [0, 1, 2].map(|i| covariance[i][i].abs().sqrt());
    if (0..3).any(|i| covariance[i][i] < 0.0) {
        return false;
    }
    let entry = |i: usize, j: usize| {
        let size = scale[i] * scale[j];
        if size > 0.0 { covariance[i][j] / size } else { 0.0 }
    };
    let correlation = nalgebra::Matrix3::from_fn(entry);
    correlation.symmetric_eigenvalues().iter().all(|value| *value > -(3.0 * error + 1e-6))
}
