//! Realisations of a field, drawn and counted.

use super::{Map, Region, wrong};
use crate::dataset::{Outcome, Table};
use crate::study::{Context, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::Cancelled;
use stiction::field::{
    CorrelationOf, FieldDescription, FieldModel, GeneratorReport, Germ, Grid, GridPurpose, RandomField, Realisations,
};
use stiction::keys::Key;
use stiction::memory::{Need, WORD};
use stiction::num::real::hypot;
use stiction::num::statistics::{mean, standard_error};

const KEY: &str = "study.field";
/// Most points of a grid that is drawn or counted.
const MOST_POINTS: f64 = 4e6;
/// Realisations whose sums are put together at a time.
const TOGETHER: usize = 1024;

/// Realisations of the friction coefficient over the surface of the mechanism: maps of some, statistics of many.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Field {
    /// How many realisations are kept as maps.
    #[schemars(range(min = 1, max = 1000))]
    pub maps: usize,
    /// Grid points along the longer side of a map.
    #[schemars(range(min = 2, max = 4000))]
    pub points: usize,
    /// Correlation lengths \[m\], one map for each; by default that of the field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lengths: Vec<f64>,
    /// How many realisations the statistics are made of; 0 for none.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub realisations: usize,
}

impl Default for Field {
    fn default() -> Self {
        Self { maps: 2, points: 128, lengths: Vec::new(), realisations: 0 }
    }
}

impl Study for Field {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let region = context.region()?;
        let map = Map::of(&region.model, region.system, context.progress)?;
        let mut outcome = Outcome::default();
        let [low, high] = region.corners;
        map.warn_of_units((high[0] - low[0]).max(high[1] - low[1]), &mut outcome);
        map.estimate(&mut outcome);
        context.progress.begin("maps", (self.maps * self.lengths.len().max(1)) as u64);
        let mut drawn = Drawn::default();
        let own = [None];
        let lengths: Vec<Option<f64>> = self.lengths.iter().copied().map(Some).collect();
        for (index, length) in if lengths.is_empty() { &own[..] } else { &lengths }.iter().enumerate() {
            let mut region = region.clone();
            if let Some(length) = length {
                let FieldModel { constant, expression, file, .. } = &region.model;
                if constant.is_some() || expression.is_some() || file.is_some() {
                    let message = "asks for correlation lengths, but the friction coefficient is a given function, which has none; \
                                   leave them out with --set study.field.lengths=[]";
                    return Err(StudyError::unsuitable(format!("{KEY}.lengths"), message));
                }
                if !(length.is_finite() && *length > 0.0) {
                    let message = format!("is {length}, but must be a finite number > 0");
                    return Err(StudyError::unsuitable(format!("{KEY}.lengths.{index}"), message));
                }
                region.model.correlation_length = Some(stiction::field::LengthChoice::Isotropic(*length));
            }
            // what is wrong with a length of the list is told about the list
            let blame = |error: StudyError| match (length, error) {
                (Some(length), StudyError::Unsuitable { message, .. }) => {
                    let message = format!("{}: {message}", crate::dataset::number(*length));
                    StudyError::unsuitable(format!("{KEY}.lengths[{index}]"), message)
                }
                (_, error) => error,
            };
            let field = prepared(&region).map_err(blame)?;
            let grid = self.grid(&region)?;
            if let Some(surface) = map.surface() {
                let [low, high] = region.corners;
                let remedy = "bring a larger map, or make or place the contact so that it lies on the map";
                let key = format!("system.{}.field.file", region.system);
                surface
                    .check_covers(low, high)
                    .map_err(|message| StudyError::unsuitable(key, format!("{message}; {remedy}")))?;
            }
            let made = made(&field, &map, &region, &grid, context).map_err(blame)?;
            for realisation in 0..self.maps {
                if context.progress.cancelled() {
                    return Err(Cancelled.into());
                }
                let mut values = vec![0.0; grid.points()];
                made.fill(&Germ::new(context.seed, realisation as u64), &mut values)
                    .map_err(|error| wrong(region.system, &error))?;
                drawn.add(&grid, &values, index * self.maps + realisation + 1, *length);
                context.progress.advance(1);
            }
            if index == 0 {
                describe(&mut outcome, &field, &made);
            }
        }
        drawn.finish(&mut outcome);
        if self.realisations > 0 {
            self.statistics(&mut outcome, &region, &map, context)?;
        }
        Ok(outcome)
    }

    fn needs(&self) -> Vec<Need> {
        let maps = (self.maps * self.lengths.len().max(1)) as f64;
        let points = self.points as f64;
        // a word and three numbers, and the word again where it is longer than most
        vec![
            Need::new(Key::study("points"), points, maps * points * points, "points of maps", WORD + 32.0)
                .squared()
                .or("maps", self.maps as f64),
        ]
    }
}

/// The generator of a grid, unless the user asks to stop.
fn made(
    field: &FieldDescription,
    map: &Map,
    region: &Region,
    grid: &Grid,
    context: &Context<'_>,
) -> Result<Realisations, StudyError> {
    let stop = || context.progress.cancelled();
    Realisations::on_grid_unless(&stop, field, map.surface(), region.model.generator, grid)
        .map_err(|error| if stop() { Cancelled.into() } else { wrong(region.system, &error) })
}

impl Field {
    /// The grid of a map.
    fn grid(&self, region: &Region) -> Result<Grid, StudyError> {
        let [low, high] = region.corners;
        let sides = [high[0] - low[0], high[1] - low[1]];
        let step = sides[0].max(sides[1]) / (self.points - 1) as f64;
        let count = sides.map(|side| (side / step).round() as usize + 1);
        let steps = [sides[0] / (count[0].max(2) - 1) as f64, sides[1] / (count[1].max(2) - 1) as f64];
        Grid::new(low, steps, count.map(|count| count.max(2)))
            .map_err(|error| StudyError::unsuitable(format!("{KEY}.points"), error.to_string()))
    }

    /// Mean, variance and covariance at some lags over many realisations, beside what they should be. The grid of the
    /// statistics has the step that the field needs.
    fn statistics(
        &self,
        outcome: &mut Outcome,
        region: &Region,
        map: &Map,
        context: &Context<'_>,
    ) -> Result<(), StudyError> {
        let FieldDescription::Random(field) = prepared(region)? else {
            outcome.warnings.push("the field is a given function: there are no statistics".to_owned());
            return Ok(());
        };
        let accepted = field
            .prescribed
            .accepted_step(region.model.grid_step, GridPurpose::Statistics, None, region.model.allow_coarse)
            .map_err(|error| wrong(region.system, &error))?;
        outcome.warnings.extend(accepted.warning.clone());
        let [low, high] = region.corners;
        let sides = [high[0] - low[0], high[1] - low[1]];
        let points = sides.iter().map(|side| (side / accepted.step).ceil() + 1.0).product::<f64>();
        if points > MOST_POINTS {
            let message = format!(
                "needs a grid of {points:.1e} points with a step of {} m, more than {MOST_POINTS:.0e}: take a smaller surface",
                accepted.step
            );
            return Err(StudyError::unsuitable(format!("system.{}.field.correlation_length", region.system), message));
        }
        let grid = Grid::covering(low, high, [accepted.step; 2])
            .map_err(|error| StudyError::unsuitable(format!("{KEY}.realisations"), error.to_string()))?;
        let description = FieldDescription::Random(field.clone());
        let made = made(&description, map, region, &grid, context)?;
        let lags = lags(&field, &grid);
        context.progress.begin("realisations", self.realisations as u64);
        let need = Need::new(
            Key::study("realisations"),
            self.realisations as f64,
            self.realisations as f64,
            "realisations",
            8.0 * (lags.len() + 2) as f64,
        );
        context.progress.memory().admit(&need)?;
        // for each quantity its values in all realisations: the mean, then the covariances
        let mut sums: Vec<Vec<f64>> = vec![Vec::with_capacity(self.realisations); lags.len() + 1];
        let indices: Vec<u64> = (0..self.realisations as u64).collect();
        for some in indices.chunks(TOGETHER) {
            let found = crate::parallel::map(some, |&index| {
                if context.progress.cancelled() {
                    return Err(StudyError::from(Cancelled));
                }
                let mut values = vec![0.0; grid.points()];
                made.fill(&Germ::new(context.seed, index), &mut values)
                    .map_err(|error| wrong(region.system, &error))?;
                context.progress.advance(1);
                Ok(products(&grid, &values, field.marginal.mean(), &lags))
            })?;
            for one in found {
                let values = [one.mean].into_iter().chain(one.covariances);
                sums.iter_mut().zip(values).for_each(|(sum, value)| sum.push(value));
            }
        }
        let mean =
            |found: &Vec<f64>| (mean(found.iter().copied()).unwrap_or(f64::NAN), standard_error(found).unwrap_or(0.0));
        let (level, level_error) = mean(&sums[0]);
        let (variance, variance_error) = mean(&sums[1]);
        outcome.push("mean", "", field.marginal.mean());
        outcome.push("mean_sampled", "", level);
        outcome.push("mean_sampled_se", "", level_error);
        let deviation = field.marginal.standard_deviation();
        outcome.push("variance", "", deviation * deviation);
        outcome.push("variance_sampled", "", variance);
        outcome.push("variance_sampled_se", "", variance_error);
        let found: Vec<(f64, f64)> = sums[1..].iter().map(mean).collect();
        let [dx, dy] = grid.step();
        let lag = |of: &dyn Fn(&Lag) -> f64| lags.iter().map(of).collect::<Vec<f64>>();
        let expected = lag(&|lag| field.covariance(lag.cells[0] as f64 * dx, lag.cells[1] as f64 * dy));
        let worst = found.iter().zip(&expected).map(|((value, error), wanted)| (value - wanted).abs() / error);
        outcome.push("covariance_worst_in_errors", "", worst.fold(0.0, f64::max));
        outcome.push("grid_step", "m", accepted.step);
        outcome.push("realisations", "", self.realisations);
        let table =
            Table::new("covariance", "covariance of the coefficient at some lags: sampled, and as it should be")
                .words("direction", "direction", lags.iter().map(|lag| lag.direction.to_owned()).collect())
                .numbers("lag", "m", "distance", lag(&|lag| hypot(lag.cells[0] as f64 * dx, lag.cells[1] as f64 * dy)))
                .numbers("covariance_sampled", "", "covariance", found.iter().map(|found| found.0).collect())
                .numbers("covariance_se", "", "standard error", found.iter().map(|found| found.1).collect())
                .numbers("covariance", "", "covariance", expected);
        outcome.tables.push(table);
        Ok(())
    }
}

fn prepared(region: &Region) -> Result<FieldDescription, StudyError> {
    region.model.prepared(CorrelationOf::GaussianParent).map_err(|error| wrong(region.system, &error))
}

/// What kind of field it is, and how it was made.
fn describe(outcome: &mut Outcome, field: &FieldDescription, made: &Realisations) {
    outcome.push("generator", "", made.decision().kind.name());
    outcome.push("generator_reason", "", made.decision().reason.as_str());
    match made.report() {
        GeneratorReport::Exact { covariance_error } => outcome.push("covariance_error", "", covariance_error),
        GeneratorReport::Embedding(report) => {
            outcome.push("embedding_size", "", report.size.to_vec());
            outcome.push("half_periods", "m", report.half_period.to_vec());
            outcome.push("smallest_eigenvalue", "", report.smallest);
            outcome.push("negative_eigenvalues", "", report.negative_count);
            outcome.push("negative_mass", "", report.negative_mass);
            outcome.push("clipped_mass", "", report.clipped_mass);
            outcome.push("projection_change", "", report.projection_change);
        }
        GeneratorReport::Factor { rank, dropped } => {
            outcome.push("rank", "", rank);
            outcome.push("dropped_variance", "", dropped);
        }
        GeneratorReport::Projection { matrix, largest_change } => {
            outcome.push("smallest_eigenvalue", "", matrix.smallest);
            outcome.push("negative_eigenvalues", "", matrix.negative_count);
            outcome.push("negative_mass", "", matrix.negative_mass);
            outcome.push("projection_change", "", largest_change);
        }
    }
    if let Some(defect) = made.defect() {
        outcome.warnings.push(format!("{}: {}", defect.label(), defect.certificate));
    }
    if let FieldDescription::Random(field) = field {
        outcome.push("convention", "", field.convention().to_string().as_str());
        outcome.push("distortion", "", field.distortion().largest);
        outcome.push("integral_scale", "m", field.prescribed.integral_scale().map(|scale| scale.to_vec()));
        outcome.push("correlation_area", "m²", field.prescribed.area());
        outcome.push("smoothness", "", field.prescribed.family.smoothness_in_words().as_str());
    }
}

/// Maps, one after the other.
#[derive(Default)]
struct Drawn {
    realisation: Vec<String>,
    x: Vec<f64>,
    y: Vec<f64>,
    coefficient: Vec<f64>,
}

impl Drawn {
    fn add(&mut self, grid: &Grid, values: &[f64], number: usize, length: Option<f64>) {
        let word = match length {
            Some(length) => format!("l = {} m, {number}", crate::dataset::number(length)),
            None => number.to_string(),
        };
        for (place, value) in values.iter().enumerate() {
            let [x, y] = grid.position(place);
            self.realisation.push(word.clone());
            self.x.push(x);
            self.y.push(y);
            self.coefficient.push(*value);
        }
    }

    fn finish(self, outcome: &mut Outcome) {
        let ends = self.coefficient.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &h| (low.min(h), high.max(h)));
        outcome.push("smallest_coefficient", "", ends.0);
        outcome.push("largest_coefficient", "", ends.1);
        let table = Table::new("field", "realisations of the coefficient, one row a point of a map")
            .words("realisation", "realisation", self.realisation)
            .numbers("x", "m", "x", self.x)
            .numbers("y", "m", "y", self.y)
            .numbers("coefficient", "", "coefficient H", self.coefficient);
        outcome.tables.push(table);
    }
}

/// A lag in cells of the grid.
struct Lag {
    direction: &'static str,
    cells: [usize; 2],
}

/// Lag 0, then about a quarter, a half, one and two correlation lengths along x, y and the diagonal, as far as the grid goes.
fn lags(field: &RandomField, grid: &Grid) -> Vec<Lag> {
    let mut lags = vec![Lag { direction: "none", cells: [0, 0] }];
    let (step, count) = (grid.step(), grid.count());
    let length = field.prescribed.shortest_length();
    for part in [0.25, 0.5, 1.0, 2.0] {
        for (direction, along) in [("x", [1.0, 0.0]), ("y", [0.0, 1.0]), ("diagonal", [0.5_f64.sqrt(), 0.5_f64.sqrt()])]
        {
            let cells = [0, 1].map(|axis| (part * length * along[axis] / step[axis]).round() as usize);
            let fresh = lags.iter().all(|lag| lag.cells != cells);
            if cells[0] < count[0] && cells[1] < count[1] && fresh {
                lags.push(Lag { direction, cells });
            }
        }
    }
    lags
}

/// What one realisation adds to the statistics.
struct Sums {
    mean: f64,
    covariances: Vec<f64>,
}

fn products(grid: &Grid, values: &[f64], mean: f64, lags: &[Lag]) -> Sums {
    let [columns, rows] = grid.count();
    let covariance = |lag: &Lag| {
        let [di, dj] = lag.cells;
        let (mut sum, mut count) = (0.0, 0_usize);
        for i in 0..columns - di {
            let (one, other) = (&values[i * rows..(i + 1) * rows], &values[(i + di) * rows..(i + di + 1) * rows]);
            for (a, b) in one.iter().zip(&other[dj..]) {
                sum += (a - mean) * (b - mean);
                count += 1;
            }
        }
        sum / count as f64
    };
    Sums { mean: values.iter().sum::<f64>() / values.len() as f64, covariances: lags.iter().map(covariance).collect() }
}
