//! Why a field cannot be made.

use thiserror::Error;

/// Why a generator cannot make the field.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum GeneratorError {
    /// A correlation length that is no positive number.
    #[error("correlation_length is {length} m; a finite number > 0 is needed")]
    Length {
        /// The length \[m\].
        length: f64,
    },
    /// An angle or another argument that is no number.
    #[error("{what} is {value}; a finite number is needed")]
    NotFinite {
        /// Which argument.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A point so far away that its noise has no address.
    #[error(
        "{axis} = {position} m is too far from the origin for a correlation length of {length} m; \
         |{axis}| must be below {limit:.1e} m"
    )]
    TooFar {
        /// The axis.
        axis: char,
        /// Coordinate \[m\].
        position: f64,
        /// Correlation length \[m\].
        length: f64,
        /// Largest coordinate \[m\].
        limit: f64,
    },
    /// A buffer of the wrong size.
    #[error("{found} places were given for {wanted} values")]
    Size {
        /// Places given.
        found: usize,
        /// Values to be stored.
        wanted: usize,
    },
    /// A point outside the region that was made.
    #[error("the field was made for {left} m ≤ x ≤ {right} m, {bottom} m ≤ y ≤ {top} m, not at x = {x} m, y = {y} m")]
    Outside {
        /// Left end \[m\].
        left: f64,
        /// Right end \[m\].
        right: f64,
        /// Lower end \[m\].
        bottom: f64,
        /// Upper end \[m\].
        top: f64,
        /// The point \[m\].
        x: f64,
        /// The point \[m\].
        y: f64,
    },
    /// More memory than allowed.
    #[error(
        "{generator} needs {needed} MiB for a domain of {width} m by {height} m with a correlation length of {length} m, \
         above the limit of {limit} MiB; {alternative}"
    )]
    Memory {
        /// Name of the generator.
        generator: &'static str,
        /// Memory needed \[MiB\].
        needed: u64,
        /// Memory allowed \[MiB\].
        limit: u64,
        /// Domain along x \[m\].
        width: f64,
        /// Domain along y \[m\].
        height: f64,
        /// Correlation length \[m\].
        length: f64,
        /// What to do instead.
        alternative: &'static str,
    },
    /// More memory than allowed for a matrix of points.
    #[error("{generator} needs {needed} MiB for {points} points, above the limit of {limit} MiB; {alternative}")]
    PointMemory {
        /// Name of the generator.
        generator: &'static str,
        /// Number of points.
        points: usize,
        /// Memory needed \[MiB\].
        needed: u64,
        /// Memory allowed \[MiB\].
        limit: u64,
        /// What to do instead.
        alternative: &'static str,
    },
    /// The periodic continuation of the correlation is not positive definite.
    #[error(
        "the embedding with half periods {half_x} m and {half_y} m is too small for a correlation length of {length} m: \
         negative mass {negative_mass:.3e} (sum of |negative eigenvalues| / sum of all), smallest eigenvalue \
         {smallest:.3e}, tolerance {tolerance:.1e}; {alternative}"
    )]
    Embedding {
        /// Half period along x \[m\].
        half_x: f64,
        /// Half period along y \[m\].
        half_y: f64,
        /// Correlation length \[m\].
        length: f64,
        /// Sum of |negative eigenvalues| / sum of all [-].
        negative_mass: f64,
        /// Smallest eigenvalue [-].
        smallest: f64,
        /// Accepted negative mass [-].
        tolerance: f64,
        /// What to do instead.
        alternative: &'static str,
    },
    /// A correlation that is no number or above 1 in magnitude, or not 1 at lag 0.
    #[error(
        "the correlation is {value} at the lag ({x} m, {y} m); it must be 1 at lag 0 and between -1 and 1 elsewhere"
    )]
    Correlation {
        /// Its value [-].
        value: f64,
        /// Lag \[m\].
        x: f64,
        /// Lag \[m\].
        y: f64,
    },
    /// The domain is too large against the correlation length for the cutoff construction.
    #[error(
        "cutoff needs a largest lag of at most two correlation lengths, but it is {lag} m with a correlation length of \
         {length} m; use the generator `circulant`"
    )]
    Cutoff {
        /// Largest lag of the domain \[m\].
        lag: f64,
        /// Correlation length \[m\].
        length: f64,
    },
    /// The correlation matrix of the points has a negative eigenvalue.
    #[error(
        "the correlation matrix of the points is not positive definite: the variance that remains at point {point} \
         (x = {x} m, y = {y} m) is {remaining:.3e}; use a valid correlation, or ask for the `projected` field"
    )]
    Indefinite {
        /// Index of the point, from 0.
        point: usize,
        /// Position \[m\].
        x: f64,
        /// Position \[m\].
        y: f64,
        /// What the elimination left of its variance [-].
        remaining: f64,
    },
    /// An eigenvalue iteration that did not end.
    #[error("the eigenvalues of the correlation matrix of {points} points were not found")]
    Eigenvalues {
        /// Number of points.
        points: usize,
    },
    /// The seam between two tiles or an empty strip.
    #[error("{what} is {found}; it must be {wanted}")]
    Setting {
        /// Which setting.
        what: &'static str,
        /// What was given.
        found: String,
        /// What is possible.
        wanted: &'static str,
    },
    /// A friction coefficient that is not positive, or no number.
    #[error("the field is {value} at x = {x} m, y = {y} m; a friction coefficient must be a finite number > 0")]
    NotPositive {
        /// Position \[m\].
        x: f64,
        /// Position \[m\].
        y: f64,
        /// The value.
        value: f64,
    },
    /// The user asked to stop.
    #[error("was stopped before the field was made")]
    Stopped,
    /// A grid that cannot be.
    #[error(transparent)]
    Lattice(#[from] crate::field::lattice::LatticeError),
}
