//! Energies that friction takes at the bottom and at the sides, over realisations of the field.

use crate::dataset::{Outcome, Table, Value};
use crate::study::field::{Map, wrong};
use crate::study::{AnySystem, ClosedForm, Context, Offer, Spacing, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::crank_slider::{
    CrankRow, Realisation, Statistics, direct_row, energies, moment_matched, run_with_progress, table_for,
};
use stiction::analysis::planar_sliding::{
    Covariance, Motion, Moving, NoCovariance, Pairing, Plate, PlateSampler, Samples,
};
use stiction::field::{CorrelationOf, FieldDescription, Germ, LengthChoice, Purpose};
use stiction::keys::Key;
use stiction::memory::Need;
use stiction::num::statistics::{Moments, mean};
use stiction::patch::{Shape, Square};
use stiction::system::CrankSlider;

const KEY: &str = "study.crank_energies";

/// Energies dissipated by bottom and side friction over realisations of the field, against the ratio l/a of correlation
/// length and half side of the slider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CrankEnergies {
    /// Smallest ratio l/a [-].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub from: f64,
    /// Largest ratio l/a [-].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub to: f64,
    /// Number of ratios, evenly spaced in their logarithm.
    #[schemars(range(min = 2, max = 1000))]
    pub points: usize,
    /// Realisations at each ratio. Realisation i is the same whatever their number.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub realisations: usize,
    /// How long a motion is followed \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Where mean and torque coefficient of a realisation come from.
    pub sampling: Sampling,
    /// Where the friction coefficient of the side walls comes from.
    pub side_friction: SideFriction,
    /// Whether every realisation is integrated, instead of all sharing one function of the total coefficient.
    pub direct: bool,
    /// Other shape of the slider's bottom; the side walls stay `slider_half_side` away from the middle line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottom: Option<Shape>,
}

/// Where mean and torque coefficient of a realisation come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// From realisations of the field.
    #[default]
    Field,
    /// From a lognormal and a normal number with the exact variances, independent: an approximation.
    MomentMatched,
}

/// Where the friction coefficient of the side walls comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideFriction {
    /// The coefficient of the system, the same in all realisations.
    #[default]
    Fixed,
    /// A number of the marginal distribution of the field for every realisation. The table then shows the torque coefficient
    /// times the drawn over the fixed coefficient, which is what acts.
    Sampled,
}

impl Default for CrankEnergies {
    fn default() -> Self {
        Self {
            from: 0.1,
            to: 100.0,
            points: 16,
            realisations: 50,
            duration: 2.0,
            sampling: Sampling::default(),
            side_friction: SideFriction::default(),
            direct: false,
            bottom: None,
        }
    }
}

/// The realisations at one ratio and their energies.
struct Point {
    ratio: f64,
    rows: Vec<CrankRow>,
    statistics: Statistics,
}

impl Study for CrankEnergies {
    fn has_items(&self) -> bool {
        true
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let crank = context.crank_slider()?;
        let sweep =
            Sweep { parameter: String::new(), from: self.from, to: self.to, points: self.points, scale: Spacing::Log };
        let ratios = sweep.values(KEY)?;
        let draw = |_: &Context<'_>, ratio: &f64| {
            let mut realisations = self.realisations(crank, *ratio, context)?;
            if self.side_friction == SideFriction::Sampled {
                draw_sides(&mut realisations, crank, self.sampling, context)?;
            }
            Ok(realisations)
        };
        let samples = context.all_items("fields", &ratios, draw, |_| false)?;
        let all: Vec<Realisation> = samples.iter().flatten().copied().collect();
        let rows = if self.direct {
            let run = |here: &Context<'_>, one: &Realisation| {
                Ok(direct_row(crank, *one, self.duration, &here.solver, here.progress).unless_interrupted()?)
            };
            context.all_items("realisations", &all, run, |row: &CrankRow| row.energies.is_err())?
        } else {
            let table = table_for(crank, &all, self.duration, &context.solver, context.progress)?;
            energies(&table, &all, context.progress)?
        };
        let mut rows = rows.into_iter();
        let points: Vec<Point> = ratios
            .iter()
            .zip(&samples)
            .map(|(ratio, samples)| {
                let rows: Vec<CrankRow> = rows.by_ref().take(samples.len()).collect();
                Point { ratio: *ratio, statistics: Statistics::of(&rows), rows }
            })
            .collect();
        // a given function has no mean of its own: its mean over the bottom is that of every realisation
        let over_bottom = || all.first().map(|first| first.mean_coefficient);
        let mean = crank.mean_coefficient().or_else(over_bottom).unwrap_or(0.0);
        let deterministic = run_with_progress(crank, (mean, 0.0), self.duration, &context.solver, context.progress)?;
        context.progress.worked(deterministic.effort);
        let mut outcome = Outcome::default();
        if !deterministic.status.is_whole() {
            outcome.warnings.extend(super::run::warning(&deterministic.status));
        }
        let reference = if deterministic.status.is_whole() { deterministic.bottom_energy } else { f64::NAN };
        self.push(&mut outcome, crank, &points, reference);
        outcome.tables.push(energy_table(&points, reference));
        outcome.tables.push(realisation_table(&points));
        Ok(outcome)
    }

    fn solver(&self, _: &AnySystem) -> Option<Offer> {
        Some(Offer::explicit(ClosedForm::Nothing))
    }
}

impl CrankEnergies {
    /// Mean and torque coefficient of all realisations at one ratio.
    fn realisations(
        &self,
        crank: &CrankSlider,
        ratio: f64,
        context: &Context<'_>,
    ) -> Result<Vec<Realisation>, StudyError> {
        let count = self.realisations as f64;
        let need = Need::new(Key::study("realisations"), count, count, "realisations", 128.0);
        context.progress.memory().admit(&need)?;
        let a = crank.slider_half_side;
        let mut model = crank.field.clone();
        let given = model.constant.is_some() || model.expression.is_some() || model.file.is_some();
        if !given {
            model.correlation_length = Some(LengthChoice::Isotropic(ratio * a));
        }
        let field = model.prepared(CorrelationOf::GaussianParent).map_err(|error| wrong("crank_slider", &error))?;
        let shape = self.bottom.clone().unwrap_or(Shape::Square(Square { half_side: a }));
        let plate = Plate::new(&shape, &Motion::default(), 1.0)?;
        let area = plate.functionals.outline.geometry.area;
        if let (Sampling::MomentMatched, FieldDescription::Random(random)) = (self.sampling, &field) {
            let exact = plate.moments_unless(context.progress, &Covariance::of(random), NoCovariance::Refuse)?;
            let spread = |i: usize| exact.covariance[i][i].max(0.0).sqrt() / area;
            let mean = random.marginal.mean();
            return Ok(moment_matched(mean, spread(0), spread(2), self.realisations, context.seed));
        }
        let map = Map::of(&model, "crank_slider", context.progress)?;
        let stop = || context.progress.cancelled();
        let sampler = PlateSampler::new(&plate, &field, map.surface(), model.generator, context.seed, &stop);
        let moving = [Moving { twist: plate.functionals.twist, pressure: 1.0 }];
        let pairing = Pairing::Independent;
        let drawn = Samples::draw_many(&sampler?, &moving, self.realisations, pairing, context.progress)?;
        let pairs = drawn.first().map(|samples| samples.slider_coefficients(1.0, area)).unwrap_or_default();
        Ok(pairs
            .into_iter()
            .map(|[mean, torque]| Realisation { mean_coefficient: mean, torque_coefficient: torque })
            .collect())
    }

    fn push(&self, outcome: &mut Outcome, crank: &CrankSlider, points: &[Point], deterministic: f64) {
        let list = |of: &dyn Fn(&Statistics) -> Option<f64>| {
            Value::List(points.iter().map(|point| of(&point.statistics).into()).collect())
        };
        outcome.push("length_ratios", "", points.iter().map(|point| point.ratio).collect::<Vec<f64>>());
        outcome.push("deterministic_bottom_energy", "J", Some(deterministic).filter(|energy| energy.is_finite()));
        type Pick = fn(&Statistics) -> Option<&Moments>;
        let kinds: [(&str, &str, Pick); 3] = [
            ("bottom_energy", "J", |found| found.bottom.as_ref()),
            ("side_energy", "J", |found| found.side.as_ref()),
            ("side_share", "", |found| found.share.as_ref()),
        ];
        for (name, unit, pick) in kinds {
            outcome.push(&format!("{name}_mean"), unit, list(&|found| pick(found).map(|one| one.mean)));
            outcome.push(&format!("{name}_se"), unit, list(&|found| pick(found).and_then(|one| one.mean_error)));
            outcome.push(
                &format!("{name}_std"),
                unit,
                list(&|found| pick(found).and_then(|one| one.standard_deviation)),
            );
            let error = list(&|found| pick(found).and_then(|one| one.standard_deviation_error));
            outcome.push(&format!("{name}_std_se"), unit, error);
        }
        let shares = points.iter().filter_map(|point| point.statistics.share.as_ref()).map(Moments::largest);
        outcome.push("side_share_max", "", shares.reduce(f64::max));
        // a maximum grows with the number of realisations: the mean over sets of as many as in the paper does not
        let of_sets = points.iter().filter_map(|point| mean(Statistics::largest_shares(&point.rows, 50)));
        outcome.push("side_share_max_of_50", "", of_sets.reduce(f64::max));
        let count = |of: fn(&Statistics) -> usize| points.iter().map(|point| of(&point.statistics)).sum::<usize>();
        outcome.push("realisations", "", count(|found| found.count));
        outcome.push("stuck", "", count(|found| found.stuck_times.len()));
        outcome.push("lift_off", "", count(|found| found.lift_off_times.len()));
        outcome.push("indeterminate", "", count(|found| found.indeterminate_times.len()));
        outcome.push("failed", "", count(|found| found.failed));
        outcome.push("policy", "", crank.normal_force_policy.name());
        outcome.push("side_friction_coefficient", "", crank.side_coefficient());
        outcome.push("side_contacts", "", usize::from(crank.side_contacts));
        outcome.push("gravity", "m/s²", crank.gravity);
        for (name, number) in [
            ("lift off", count(|found| found.lift_off_times.len())),
            ("become indeterminate", count(|found| found.indeterminate_times.len())),
            ("could not be followed", count(|found| found.failed)),
        ] {
            if number > 0 {
                outcome
                    .warnings
                    .push(format!("{number} runs {name}: they are rows of the table, not part of the means"));
            }
        }
    }
}

/// Gives every realisation a coefficient of the side walls of its own: only the product with the torque coefficient acts.
fn draw_sides(
    realisations: &mut [Realisation],
    crank: &CrankSlider,
    sampling: Sampling,
    context: &Context<'_>,
) -> Result<(), StudyError> {
    let field = crank.field.prepared(CorrelationOf::GaussianParent).map_err(|error| wrong("crank_slider", &error))?;
    let fixed = crank.side_coefficient().filter(|fixed| *fixed > 0.0);
    let (FieldDescription::Random(random), Some(fixed)) = (field, fixed) else {
        let message = "is sampled, but the field is not random or the fixed coefficient of the walls is 0";
        return Err(StudyError::unsuitable(format!("{KEY}.side_friction"), message));
    };
    // coefficients without a field are parameters 0 and 1 themselves, and the walls are independent of them
    let purpose = Purpose::Parameter(if let Sampling::MomentMatched = sampling { 2 } else { 0 });
    for (index, realisation) in realisations.iter_mut().enumerate() {
        let normal = Germ::new(context.seed, index as u64).stream(purpose).normal();
        realisation.torque_coefficient *= random.marginal.value(normal) / fixed;
    }
    Ok(())
}

fn energy_table(points: &[Point], deterministic: f64) -> Table {
    type Pick = fn(&Statistics) -> Option<&Moments>;
    let column = |pick: Pick, of: &dyn Fn(&Moments) -> Option<f64>| -> Vec<f64> {
        points.iter().map(|point| pick(&point.statistics).and_then(of).unwrap_or(f64::NAN)).collect()
    };
    let bottom: Pick = |found| found.bottom.as_ref();
    let side: Pick = |found| found.side.as_ref();
    let spread = |pick: Pick, sign: f64| {
        column(pick, &|one| one.standard_deviation.map(|deviation| one.mean + sign * deviation))
    };
    Table::new("energies", "energies over realisations, one row a ratio of correlation length and half side")
        .numbers("length_ratio", "", "l/a", points.iter().map(|point| point.ratio).collect())
        .numbers("bottom_energy_mean", "J", "bottom energy E_b", column(bottom, &|one| Some(one.mean)))
        .numbers("bottom_energy_se", "J", "standard error", column(bottom, &|one| one.mean_error))
        .numbers("bottom_energy_std", "J", "standard deviation", column(bottom, &|one| one.standard_deviation))
        .numbers("bottom_energy_low", "J", "mean − standard deviation", spread(bottom, -1.0))
        .numbers("bottom_energy_high", "J", "mean + standard deviation", spread(bottom, 1.0))
        .numbers("side_energy_mean", "J", "side energy E_s", column(side, &|one| Some(one.mean)))
        .numbers("side_energy_se", "J", "standard error", column(side, &|one| one.mean_error))
        .numbers("side_energy_std", "J", "standard deviation", column(side, &|one| one.standard_deviation))
        .numbers("side_energy_low", "J", "mean − standard deviation", spread(side, -1.0))
        .numbers("side_energy_high", "J", "mean + standard deviation", spread(side, 1.0))
        .numbers("side_energy_quantile_95", "J", "95 % quantile of E_s", column(side, &|one| Some(one.quantile(0.95))))
        .numbers("deterministic_bottom_energy", "J", "bottom energy E_b", vec![deterministic; points.len()])
        .numbers("deterministic_side_energy", "J", "side energy E_s", vec![0.0; points.len()])
}

fn realisation_table(points: &[Point]) -> Table {
    let rows = || points.iter().flat_map(|point| point.rows.iter().map(move |row| (point.ratio, row)));
    let energy = |of: fn(&stiction::analysis::crank_slider::Energies) -> f64| -> Vec<f64> {
        rows().map(|(_, row)| row.energies.as_ref().map_or(f64::NAN, of)).collect()
    };
    let indices = points.iter().flat_map(|point| 0..point.rows.len() as i64).collect();
    let reason = |row: &CrankRow| row.energies.as_ref().err().map(ToString::to_string).unwrap_or_default();
    Table::new("realisations", "one row a realisation; those that fail have a status and a reason")
        .numbers("length_ratio", "", "l/a", rows().map(|(ratio, _)| ratio).collect())
        .integers("realisation", "realisation", indices)
        .numbers(
            "mean_coefficient",
            "",
            "mean coefficient h",
            rows().map(|(_, row)| row.realisation.mean_coefficient).collect(),
        )
        .numbers(
            "torque_coefficient",
            "m",
            "torque coefficient τ",
            rows().map(|(_, row)| row.realisation.torque_coefficient).collect(),
        )
        .numbers("bottom_energy", "J", "bottom energy E_b", energy(|found| found.bottom))
        .numbers("side_energy", "J", "side energy E_s", energy(|found| found.side))
        .words("status", "status", rows().map(|(_, row)| row.status().to_owned()).collect())
        .words("reason", "reason", rows().map(|(_, row)| reason(row)).collect())
}
