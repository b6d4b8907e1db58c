//! What a person says about a field: the keys below `field` of every mechanism whose friction varies over a surface.

use super::KnownMaps;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The friction coefficient over a surface: a random field, or, by `constant`, `expression` or `file`, a given function
/// that replaces all other keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldModel {
    /// Mean of the coefficient [-], > 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub mean: Option<f64>,
    /// Standard deviation of the coefficient [-]; 0 gives a uniform field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub standard_deviation: Option<f64>,
    /// Distribution of the coefficient at one point.
    #[serde(default)]
    pub marginal: MarginalChoice,
    /// Family of the correlation.
    #[serde(default)]
    pub correlation: KernelChoice,
    /// Correlation length \[m\]: one number, or two for the principal axes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_length: Option<LengthChoice>,
    /// Angle from the x axis to the first principal axis \[rad\].
    #[serde(default)]
    pub angle: f64,
    /// Exponent n of `power_exponential` [-]; a correlation for 0 < n ≤ 2 only.
    #[serde(default = "two")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub correlation_exponent: f64,
    /// Smoothness ν of `matern` [-].
    #[serde(default = "three_halves")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub smoothness: f64,
    /// Whose correlation is prescribed; each mechanism has its default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_of: Option<CorrelationOf>,
    /// What to do with a function that is no correlation.
    #[serde(default)]
    pub indefinite: Indefinite,
    /// How realisations are made.
    #[serde(default)]
    pub generator: GeneratorChoice,
    /// Distance between grid points \[m\]; chosen from the correlation length if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub grid_step: Option<f64>,
    /// How values between grid points are found; chosen from the smoothness of the field if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interpolation: Option<InterpolationChoice>,
    /// Whether a grid step that is too coarse for the correlation length is only warned about.
    #[serde(default)]
    pub allow_coarse: bool,
    /// Accepted negative mass of an embedding, relative to the variance [-].
    #[serde(default = "embedding_tolerance")]
    #[schemars(range(min = 0.0))]
    pub embedding_tolerance: f64,
    /// Memory that a generator may use \[bytes\]: that of the run, whose key `memory` owns it.
    #[serde(skip, default = "memory")]
    pub memory: u64,
    /// The measured maps that the run has read.
    #[serde(skip)]
    pub maps: KnownMaps,
    /// A uniform coefficient [-].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub constant: Option<f64>,
    /// A formula in `x` and `y` \[m\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-formula" = { "variables": ["x", "y"] }))]
    pub expression: Option<String>,
    /// A measured map: a CSV or Parquet file with columns `x`, `y` \[m\] and `coefficient` on a regular grid, one row a point
    /// in any order. Or a CSV file without a header whose lines are the rows of the grid: the first line has the largest y, the
    /// first number of a line the smallest x, points are `grid_step` apart, and the middle of the grid is x = y = 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Whether the field repeats along x, as on a belt that is a loop. The loop is as long as the map, from its first column
    /// to the first again; for an `expression` it is `loop_length`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub periodic: bool,
    /// Length of the loop of a periodic `expression` \[m\]; the formula is used for 0 ≤ x < `loop_length`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub loop_length: Option<f64>,
}

crate::keys::keyed!(FieldModel);

/// Distribution of the coefficient at one point.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MarginalChoice {
    /// The exponential of a Gaussian field.
    #[default]
    Lognormal,
    /// A normal distribution cut at zero; mean and standard deviation are those after the cut.
    TruncatedNormal,
    /// All values between two bounds with equal probability.
    Uniform,
    /// A normal distribution, where negative values are practically impossible.
    Gaussian,
    /// A table of pairs (probability, value) with increasing values; replaces `mean` and `standard_deviation`.
    Quantiles(Vec<[f64; 2]>),
}

/// Family of the correlation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KernelChoice {
    /// exp(−(r/l)ⁿ) with n = `correlation_exponent`; n = 2 is the Gaussian.
    #[default]
    PowerExponential,
    /// Matérn's family with `smoothness` ν.
    Matern,
    /// Pairs (distance in correlation lengths, correlation).
    Table(Vec<[f64; 2]>),
    /// A formula in the distance `r`, in correlation lengths.
    Expression(#[schemars(extend("x-formula" = { "variables": ["r"] }))] String),
    /// A sum of correlations with positive weights.
    Sum(Vec<KernelTerm>),
    /// A product of correlations.
    Product(Vec<KernelTerm>),
}

/// One correlation of a sum or a product.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KernelTerm {
    /// Family of the term.
    #[serde(default)]
    pub(crate) correlation: TermChoice,
    /// Weight in a sum, relative to the other terms [-].
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) weight: f64,
    /// Length of the term over `correlation_length` [-].
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) length_ratio: f64,
    /// Exponent n of `power_exponential` [-].
    #[serde(default = "two")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) correlation_exponent: f64,
    /// Smoothness ν of `matern` [-].
    #[serde(default = "three_halves")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub(crate) smoothness: f64,
}

/// Family of one term of a sum or a product.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TermChoice {
    /// exp(−(r/l)ⁿ) with n = `correlation_exponent` of the term.
    #[default]
    PowerExponential,
    /// Matérn's family with the `smoothness` of the term.
    Matern,
    /// Pairs (distance in lengths of the term, correlation).
    Table(Vec<[f64; 2]>),
    /// A formula in the distance `r`, in lengths of the term.
    Expression(#[schemars(extend("x-formula" = { "variables": ["r"] }))] String),
}

/// One correlation length \[m\], or two for the principal axes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum LengthChoice {
    /// The same in all directions.
    Isotropic(#[schemars(extend("exclusiveMinimum" = 0.0))] f64),
    /// Along the first and the second principal axis.
    Anisotropic([f64; 2]),
}

/// Whose correlation is prescribed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CorrelationOf {
    /// That of the coefficient itself (convention A).
    Coefficient,
    /// That of the Gaussian field behind it (convention B).
    GaussianParent,
}

/// What to do with a function that is no correlation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Indefinite {
    /// An error with the certificate.
    #[default]
    Refuse,
    /// Clip negative eigenvalues, restore the variance, sample, and report the change.
    Projected,
    /// Moments by quadrature only, labelled: no such field exists.
    Formal,
}

/// How realisations are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GeneratorChoice {
    /// The best one for the correlation and the domain.
    #[default]
    Auto,
    /// White noise through a separable Gaussian kernel.
    Separable,
    /// Circulant embedding.
    Circulant,
    /// A random constant plus a field with compact support.
    Cutoff,
    /// Cholesky factor of the correlation matrix.
    Cholesky,
    /// Pivoted Cholesky factor of low rank.
    LowRank,
}

/// How values between grid points are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InterpolationChoice {
    /// Interpolating cubic B-spline, twice continuously differentiable.
    Cubic,
    /// Linear along both axes; keeps positivity.
    Bilinear,
}

impl FieldModel {
    /// The same as a part of the run that another field belongs to: memory and maps are no keys, and are lost where a field is
    /// made from its keys.
    #[must_use]
    pub fn in_run_of(self, other: &Self) -> Self {
        Self { memory: other.memory, maps: other.maps.clone(), ..self }
    }
}

impl Default for FieldModel {
    /// No key given.
    fn default() -> Self {
        Self {
            mean: None,
            standard_deviation: None,
            marginal: MarginalChoice::default(),
            correlation: KernelChoice::default(),
            correlation_length: None,
            angle: 0.0,
            correlation_exponent: two(),
            smoothness: three_halves(),
            correlation_of: None,
            indefinite: Indefinite::default(),
            generator: GeneratorChoice::default(),
            grid_step: None,
            interpolation: None,
            allow_coarse: false,
            embedding_tolerance: embedding_tolerance(),
            memory: memory(),
            maps: KnownMaps::default(),
            constant: None,
            expression: None,
            file: None,
            periodic: false,
            loop_length: None,
        }
    }
}

impl Default for KernelTerm {
    fn default() -> Self {
        Self {
            correlation: TermChoice::default(),
            weight: 1.0,
            length_ratio: 1.0,
            correlation_exponent: two(),
            smoothness: three_halves(),
        }
    }
}

fn one() -> f64 {
    1.0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde hands over a reference
fn is_false(value: &bool) -> bool {
    !value
}

fn two() -> f64 {
    2.0
}

fn three_halves() -> f64 {
    1.5
}

fn memory() -> u64 {
    crate::memory::DEFAULT
}

fn embedding_tolerance() -> f64 {
    1e-12
}
