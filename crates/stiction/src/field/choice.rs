//! Which generator makes a field, and why.

use super::{Correlation, Defect, FieldError, GeneratorChoice, RandomField};
use crate::num::real::{cos, sin};

/// A way of making realisations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GeneratorKind {
    /// A given function needs no generator.
    Given,
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

impl GeneratorKind {
    /// The name under which a scenario chooses it.
    pub fn name(self) -> &'static str {
        match self {
            GeneratorKind::Given => "given",
            GeneratorKind::Separable => "separable",
            GeneratorKind::Circulant => "circulant",
            GeneratorKind::Cutoff => "cutoff",
            GeneratorKind::Cholesky => "cholesky",
            GeneratorKind::LowRank => "low_rank",
        }
    }
}

/// Where a field is needed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Domain {
    /// On a regular grid.
    Grid {
        /// Sides of the rectangle \[m\].
        sides: [f64; 2],
        /// Distance between grid points \[m\].
        step: f64,
    },
    /// At scattered points.
    Points {
        /// How many.
        count: usize,
    },
}

/// The generator that was chosen, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneratorDecision {
    /// The generator.
    pub kind: GeneratorKind,
    /// The reason, as a sentence.
    pub reason: String,
}

/// Memory that a periodic embedding needs for each grid point while it is made [bytes].
const BYTES_PER_POINT: f64 = 24.0;
/// A larger periodic embedding is not chosen \[bytes\]: 1 GiB, whatever the run may keep. The same field must come out under any
/// limit, so that the limit refuses and does not choose.
const LARGEST_EMBEDDING: f64 = (1_u64 << 30) as f64;
/// Most points of a dense matrix.
const LARGEST_MATRIX: f64 = 3000.0;

impl RandomField {
    /// The generator for this field on this domain: the one asked for if it can, or the best one.
    ///
    /// # Errors
    /// [`FieldError::Generator`] if the one asked for cannot make the field, and what [`RandomField::for_sampling`] says.
    pub(crate) fn generator(&self, asked: GeneratorChoice, domain: Domain) -> Result<GeneratorDecision, FieldError> {
        let (parent, defect) = self.for_sampling()?;
        match asked {
            GeneratorChoice::Auto => Ok(best(&parent, defect.as_ref(), domain)),
            _ => named(asked, &parent, defect.as_ref(), domain),
        }
    }
}

fn decision(kind: GeneratorKind, reason: String) -> GeneratorDecision {
    GeneratorDecision { kind, reason }
}

fn best(parent: &Correlation, defect: Option<&Defect>, domain: Domain) -> GeneratorDecision {
    let (sides, step) = match domain {
        Domain::Points { count } if defect.is_some() || count as f64 <= LARGEST_MATRIX => {
            let reason = format!("{count} scattered points: a full factor of their correlation matrix.");
            return decision(GeneratorKind::Cholesky, reason);
        }
        Domain::Points { count } => {
            let reason = format!("{count} scattered points are many: a factor of low rank.");
            return decision(GeneratorKind::LowRank, reason);
        }
        Domain::Grid { sides, step } => (sides, step),
    };
    if defect.is_some() {
        let reason = "No field has this correlation: eigenvalues of a periodic grid can be clipped and counted.";
        return decision(GeneratorKind::Circulant, reason.to_owned());
    }
    let shape = parent.family.power_exponential();
    if shape.is_some_and(|(exponent, _)| exponent == 2.0) {
        let reason =
            "The parent's correlation is Gaussian: white noise through a separable kernel is exact at any length.";
        return decision(GeneratorKind::Separable, reason.to_owned());
    }
    let lag = largest_lag(parent, sides);
    if shape.is_some_and(|(exponent, length)| exponent == 1.0 && lag <= 2.0 * length) {
        let reason = format!(
            "exp(-r/l) on a domain of {lag:.3} correlation lengths, at most 2: a random constant plus a \
                              field with compact support needs no padding with l."
        );
        return decision(GeneratorKind::Cutoff, reason);
    }
    let points = embedding_points(parent, sides, step);
    let cells: f64 = sides.iter().map(|side| (side / step).round() + 1.0).product();
    if factor_work(cells) < embedding_work(points) && cells <= LARGEST_MATRIX {
        let reason = format!(
            "A valid correlation on {cells:.0} points: a factor of their correlation matrix takes less work than a periodic \
             embedding of about {points:.1e} points."
        );
        return decision(GeneratorKind::Cholesky, reason);
    }
    if BYTES_PER_POINT * points <= LARGEST_EMBEDDING {
        let reason = format!("A valid correlation on a regular grid: periodic embedding, about {points:.1e} points.");
        decision(GeneratorKind::Circulant, reason)
    } else {
        let reason = format!(
            "A periodic embedding would need about {points:.1e} points, more than fit into {} MiB: a factor of low rank.",
            LARGEST_EMBEDDING / 1_048_576.0
        );
        decision(GeneratorKind::LowRank, reason)
    }
}

fn named(
    asked: GeneratorChoice,
    parent: &Correlation,
    defect: Option<&Defect>,
    domain: Domain,
) -> Result<GeneratorDecision, FieldError> {
    let refuse = |message: String| Err(FieldError::Generator { message });
    let shape = parent.family.power_exponential();
    let grid = matches!(domain, Domain::Grid { .. });
    let kind = match asked {
        GeneratorChoice::Auto => return Ok(best(parent, defect, domain)),
        GeneratorChoice::Separable if shape.is_none_or(|(exponent, _)| exponent != 2.0) => {
            let family = parent.family.name();
            return refuse(format!(
                "`separable` makes Gaussian correlations (n = 2) only, but the parent's is of the family \
                                   {family}; use `auto`, or `circulant` on a grid"
            ));
        }
        GeneratorChoice::Separable => GeneratorKind::Separable,
        GeneratorChoice::Circulant | GeneratorChoice::Cutoff if !grid => {
            return refuse(
                "`circulant` and `cutoff` need a regular grid; use `cholesky` or `low_rank` for scattered \
                           points"
                    .to_owned(),
            );
        }
        GeneratorChoice::Circulant => GeneratorKind::Circulant,
        GeneratorChoice::Cutoff => {
            let Some((_, length)) = shape.filter(|(exponent, _)| *exponent == 1.0) else {
                return refuse(
                    "`cutoff` makes exp(-r/l) only (correlation_exponent = 1); use `auto`, or `low_rank` for \
                               smoother correlations with a long length"
                        .to_owned(),
                );
            };
            if let Domain::Grid { sides, .. } = domain {
                let lag = largest_lag(parent, sides) / length;
                if lag > 2.0 {
                    return refuse(format!(
                        "`cutoff` needs a domain of at most 2 correlation lengths, but this one has \
                                           {lag:.4}; use `circulant`"
                    ));
                }
            }
            GeneratorKind::Cutoff
        }
        GeneratorChoice::Cholesky => GeneratorKind::Cholesky,
        GeneratorChoice::LowRank if defect.is_some() => {
            return refuse(
                "`low_rank` cannot project a function that is no correlation; use `circulant` on a grid, or \
                           `cholesky` for few points"
                    .to_owned(),
            );
        }
        GeneratorChoice::LowRank => GeneratorKind::LowRank,
    };
    Ok(decision(kind, "It was asked for.".to_owned()))
}

/// Realisations that the work of a generator is compared for. The number that a study draws does not count: a realisation must
/// not depend on how many others there are.
const COMPARED: f64 = 100.0;

/// Work of a factor of the correlation matrix of so many points and of its products with noise [ns].
fn factor_work(points: f64) -> f64 {
    // the factor takes n³/2 products, its use n² for each realisation; they cost about 0.7 ns each
    0.7 * points * points * (0.5 * points + COMPARED)
}

/// Work of a periodic embedding of so many points [ns].
fn embedding_work(points: f64) -> f64 {
    // correlations, transform and enlargements at first; noise and transform for each realisation
    points * (180.0 + 30.0 * COMPARED)
}

/// The largest distance inside a rectangle, in correlation lengths.
fn largest_lag(correlation: &Correlation, sides: [f64; 2]) -> f64 {
    correlation.stretched(sides[0], sides[1]).max(correlation.stretched(sides[0], -sides[1]))
}

/// Points of a periodic embedding with the first padding: half period max(side, c l), c = 5 for n = 2, 8 below, 12 for
/// smooth Matérn fields.
fn embedding_points(correlation: &Correlation, sides: [f64; 2], step: f64) -> f64 {
    let reach = match correlation.family.power_exponential() {
        Some((exponent, _)) if exponent >= 2.0 => 5.0,
        Some(_) => 8.0,
        None => 12.0,
    };
    let (c, s) = (cos(correlation.angle), sin(correlation.angle));
    let [along, across] = correlation.length;
    // extent of the ellipse of one correlation length along each axis
    let extents = [
        ((c * along) * (c * along) + (s * across) * (s * across)).sqrt(),
        ((s * along) * (s * along) + (c * across) * (c * across)).sqrt(),
    ];
    sides.iter().zip(extents).map(|(side, extent)| 2.0 * side.max(reach * extent) / step).product()
}
