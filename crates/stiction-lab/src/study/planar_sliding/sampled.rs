//! Sampled variances beside the exact ones, over sizes and correlation lengths, and against the number of samples.

use super::draw;
use crate::dataset::{Outcome, Table, Value};
use crate::study::{Context, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::Progress;
use stiction::analysis::planar_sliding::{Pairing, PlanarSliding};
use stiction::field::{CorrelationOf, LengthChoice};
use stiction::patch::{Shape, Square};

const KEY: &str = "study.sampled_moments";

/// Variances of F_x and T of a square in translation: sampled, exact, and the relative error between them, over correlation
/// lengths and sizes; and against the number of samples at the parameters of the system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SampledMoments {
    /// Half sides of the square \[m\], if they vary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_sides: Option<Values>,
    /// Correlation lengths \[m\], if they vary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lengths: Option<Values>,
    /// Numbers of samples after which the error is looked at, at the parameters of the system.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<usize>,
}

/// Evenly spaced values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Values {
    /// First value.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub from: f64,
    /// Last value.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub to: f64,
    /// Number of values, both ends included.
    #[schemars(range(min = 2, max = 1000))]
    pub points: usize,
}

/// Variances at one size and length.
#[derive(Serialize, Deserialize)]
struct Cell {
    half_side: f64,
    length: f64,
    /// Of F_x and T.
    exact: [f64; 2],
    sampled: [f64; 2],
    /// Standard errors of the sampled ones.
    errors: [f64; 2],
    /// Under the convention of the closed form (A).
    closed: [f64; 2],
}

impl Study for SampledMoments {
    fn has_items(&self) -> bool {
        self.half_sides.is_some() || self.lengths.is_some()
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let sliding = context.planar_sliding()?;
        let mut outcome = Outcome::default();
        if self.has_items() {
            self.map(&mut outcome, sliding, context)?;
        }
        if !self.counts.is_empty() {
            self.convergence(&mut outcome, sliding, context)?;
        }
        if outcome.tables.is_empty() {
            let message = "asks for nothing: give `half_sides` and `lengths`, or `counts`";
            return Err(StudyError::unsuitable(KEY, message));
        }
        Ok(outcome)
    }
}

impl SampledMoments {
    fn map(&self, outcome: &mut Outcome, sliding: &PlanarSliding, context: &Context<'_>) -> Result<(), StudyError> {
        let values = |values: &Option<Values>, own: f64, key: &str| match values {
            Some(Values { from, to, points }) => Sweep::even("", *from, *to, *points).values(&format!("{KEY}.{key}")),
            None => Ok(vec![own]),
        };
        let Shape::Square(Square { half_side }) = sliding.shape else {
            let message = "must be a square, whose half side the study varies";
            return Err(StudyError::unsuitable("system.planar_sliding.shape", message));
        };
        let half_sides = values(&self.half_sides, half_side, "half_sides")?;
        let lengths = values(&self.lengths, sliding.correlation_length(), "lengths")?;
        let plates = half_sides.iter().flat_map(|half_side| lengths.iter().map(|length| (*half_side, *length)));
        let plates: Vec<(u64, (f64, f64))> = (0..).zip(plates).collect();
        let make = |here: &Context<'_>, (index, place): &(u64, (f64, f64))| {
            // realisations of its own for each cell: with the same ones, cells of equal l/a would err alike
            cell(sliding, *place, context.seed.wrapping_add(*index), here.progress)
        };
        let cells = context.all_items("plates", &plates, make, |_| false)?;
        push_quality(outcome, &cells, sliding.samples);
        push_trends(outcome, &cells, half_sides.len(), lengths.len());
        outcome.tables.push(cell_table(&cells));
        Ok(())
    }

    /// How the error falls with the number of samples.
    fn convergence(
        &self,
        outcome: &mut Outcome,
        sliding: &PlanarSliding,
        context: &Context<'_>,
    ) -> Result<(), StudyError> {
        let most = self.counts.iter().copied().max().unwrap_or(2);
        if self.counts.iter().any(|count| *count < 2) || most > 10_000_000 {
            let message = "must lie between 2 and 10000000: a variance needs two samples";
            return Err(StudyError::unsuitable(format!("{KEY}.counts"), message));
        }
        let plate = sliding.plate()?;
        let samples = draw(sliding, &plate, most, Pairing::Independent, context.seed, context.progress)?;
        let covariance = sliding.covariance(CorrelationOf::GaussianParent)?;
        let exact = plate.moments_unless(context.progress, &covariance, sliding.policy())?;
        let mut table = Table::new("convergence", "relative error of a sampled variance against the number of samples")
            .numbers("samples", "", "number of samples", self.counts.iter().map(|count| *count as f64).collect());
        for (i, name, label) in [(0, "force_x", "F_x"), (2, "torque", "T")] {
            let truth = exact.covariance[i][i];
            let errors: Vec<f64> = samples
                .running_variance(i, &self.counts)
                .into_iter()
                .map(|variance| variance.map_or(f64::NAN, |variance| (variance / truth - 1.0).abs()))
                .collect();
            let expected: Vec<f64> = self.counts.iter().map(|count| (2.0 / (*count as f64 - 1.0)).sqrt()).collect();
            outcome.push(&format!("relative_error_{name}_first"), "", errors.first().copied());
            outcome.push(&format!("relative_error_{name}_last"), "", errors.last().copied());
            outcome.push(&format!("expected_error_{name}_last"), "", expected.last().copied());
            table = table
                .numbers(&format!("error_{name}"), "", &format!("relative error of Var {label}"), errors)
                .numbers(&format!("expected_{name}"), "", "expected, √(2/(n − 1))", expected);
        }
        outcome.tables.push(table);
        Ok(())
    }
}

fn cell(
    sliding: &PlanarSliding,
    (half_side, length): (f64, f64),
    seed: u64,
    progress: &dyn Progress,
) -> Result<Cell, StudyError> {
    let mut here = sliding.clone();
    here.shape = Shape::Square(Square { half_side });
    here.field.correlation_length = Some(LengthChoice::Isotropic(length));
    let plate = here.plate()?;
    let samples = draw(&here, &plate, here.samples, Pairing::Independent, seed, progress)?;
    let exact = plate.moments_unless(progress, &here.covariance(CorrelationOf::GaussianParent)?, here.policy())?;
    here.field.correlation_of = Some(CorrelationOf::Coefficient);
    let closed = plate.moments_unless(progress, &here.covariance(CorrelationOf::Coefficient)?, here.policy())?;
    let found = samples.moments(&exact);
    let pick = |matrix: &[[f64; 3]; 3]| [matrix[0][0], matrix[2][2]];
    Ok(Cell {
        half_side,
        length,
        exact: pick(&exact.covariance),
        sampled: [found.variance[0].value, found.variance[2].value],
        errors: [found.variance[0].standard_error, found.variance[2].standard_error],
        closed: pick(&closed.covariance),
    })
}

fn push_quality(outcome: &mut Outcome, cells: &[Cell], samples: usize) {
    for (i, name) in ["force_x", "torque"].into_iter().enumerate() {
        let relative = |cell: &Cell| (cell.sampled[i] / cell.closed[i] - 1.0).abs();
        let worst = cells.iter().map(relative).fold(0.0, f64::max);
        let within = |cell: &&Cell| (cell.sampled[i] - cell.exact[i]).abs() <= 3.0 * cell.errors[i];
        let share = cells.iter().filter(within).count() as f64 / cells.len() as f64;
        let shift = cells.iter().map(|cell| (cell.exact[i] / cell.closed[i] - 1.0).abs()).fold(0.0, f64::max);
        outcome.push(&format!("relative_error_{name}_max"), "", worst);
        outcome.push(&format!("within_three_errors_{name}"), "", share);
        outcome.push(&format!("convention_shift_{name}_max"), "", shift);
    }
    outcome.push("expected_relative_error", "", (2.0 / samples as f64).sqrt());
    outcome.push("samples", "", samples);
}

/// Whether the exact variances grow with the length at every size, and with the size at every length.
fn push_trends(outcome: &mut Outcome, cells: &[Cell], sizes: usize, lengths: usize) {
    for (i, name) in ["force_x", "torque"].into_iter().enumerate() {
        let at =
            |size: usize, length: usize| cells.get(size * lengths + length).map_or(f64::NAN, |cell| cell.closed[i]);
        let with_length = (0..sizes).all(|size| (1..lengths).all(|length| at(size, length) > at(size, length - 1)));
        let with_size = (0..lengths).all(|length| (1..sizes).all(|size| at(size, length) > at(size - 1, length)));
        outcome.push(&format!("var_{name}_grows_with_length"), "", Value::Flag(with_length));
        outcome.push(&format!("var_{name}_grows_with_size"), "", Value::Flag(with_size));
    }
}

fn cell_table(cells: &[Cell]) -> Table {
    let column = |of: &dyn Fn(&Cell) -> f64| cells.iter().map(of).collect::<Vec<f64>>();
    let mut table = Table::new("variances", "sampled and exact variances, one row a plate")
        .numbers("half_side", "m", "half side a", column(&|cell| cell.half_side))
        .numbers("correlation_length", "m", "correlation length l", column(&|cell| cell.length));
    for (i, (name, label, unit)) in [("force_x", "Var F_x", "N²"), ("torque", "Var T", "N² m²")].into_iter().enumerate()
    {
        table = table
            .numbers(&format!("var_{name}_sampled"), unit, label, column(&|cell| cell.sampled[i]))
            .numbers(&format!("var_{name}_se"), unit, "standard error", column(&|cell| cell.errors[i]))
            .numbers(&format!("var_{name}_closed"), unit, label, column(&|cell| cell.closed[i]))
            .numbers(&format!("var_{name}_parent"), unit, label, column(&|cell| cell.exact[i]))
            .numbers(
                &format!("error_{name}"),
                "",
                "relative error",
                column(&|cell| (cell.sampled[i] / cell.closed[i] - 1.0).abs()),
            );
    }
    table
}
