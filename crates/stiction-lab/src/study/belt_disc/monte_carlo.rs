//! Statistics over realisations, at one set of parameters or along a sweep.

use super::summary::{Campaign, Ensemble, Measures, RATIOS};
use super::swept::{Swept, swept};
use super::{length_ratio, setting};
use crate::dataset::{Outcome, Table};
use crate::study::{AnySystem, Context, Offer, Study, StudyError, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::belt_disc::{
    BeltRow, BeltRun, Estimate, PeakToValley, Phase, Pooling, StickMeasure, convergence,
};
use stiction::keys::Key;
use stiction::memory::{Memory, Need};
use stiction::num::statistics::{Histogram, mean};
use stiction::system::BeltDisc;

const KEY: &str = "study.monte_carlo";
const NAMES: [&str; 4] = ["displacement", "force", "stick", "steady_stick"];

/// Means and standard deviations of the peak-to-valley values and of the stick fraction over realisations, as ratios to the
/// uniform belt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MonteCarlo {
    /// Number of realisations, at each value of a sweep. Realisation i is the same whatever their number.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub realisations: usize,
    /// How long a motion is followed \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// How samples of peak-to-valley values are taken.
    pub peak_to_valley: PeakToValley,
    /// How the stick fraction is measured.
    pub stick_measure: StickMeasure,
    /// How samples of many realisations are put together.
    pub pooling: Pooling,
    /// Bins of the histograms, without a sweep.
    #[schemars(range(min = 1, max = 10_000))]
    pub bins: usize,
    /// A parameter that is varied: a key below the system, `length_ratio` (l/R), or `mean_coefficient` (the mean of the field at
    /// its coefficient of variation).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Sweep>,
}

impl Default for MonteCarlo {
    fn default() -> Self {
        Self {
            realisations: 100,
            duration: 100.0,
            peak_to_valley: PeakToValley::default(),
            stick_measure: StickMeasure::default(),
            pooling: Pooling::default(),
            bins: 40,
            sweep: None,
        }
    }
}

/// The realisations at one value.
struct Point {
    value: f64,
    disc: BeltDisc,
    campaign: Campaign,
    estimates: [Option<Estimate>; 4],
    stick_time: Option<Estimate>,
    total_stick_time: Option<Estimate>,
}

impl Study for MonteCarlo {
    fn has_items(&self) -> bool {
        true
    }

    fn ending_quantities(&self) -> &'static [&'static str] {
        &RATIOS
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let disc = context.belt_disc()?;
        let discs = match &self.sweep {
            Some(sweep) => swept(disc, sweep, &format!("{KEY}.sweep"))?,
            None => vec![Swept { value: length_ratio(disc).unwrap_or(f64::NAN), disc: disc.clone() }],
        };
        if context.upkeep.stop.is_none() {
            let count = self.realisations as f64;
            let need = Need::new(Key::study("realisations"), count, count * discs.len() as f64, "runs", 600.0);
            let need = if self.sweep.is_some() { need.or("sweep.points", discs.len() as f64) } else { need };
            // what they really take is counted while they come
            Memory::of(context.progress.memory().limit()).admit(&need)?;
        }
        let setting = setting(context, self.duration);
        let measures =
            Measures { peak_to_valley: self.peak_to_valley, stick_measure: self.stick_measure, pooling: self.pooling };
        let (values, discs): (Vec<f64>, Vec<BeltDisc>) =
            discs.into_iter().map(|Swept { value, disc }| (value, disc)).unzip();
        let campaigns = Ensemble::new(&discs, setting, measures)?.run(context, self.realisations)?;
        let mut points = Vec::with_capacity(discs.len());
        for ((value, disc), campaign) in values.into_iter().zip(discs).zip(campaigns) {
            let estimates = campaign.estimates(measures.pooling);
            let stick_time = Estimate::of(&campaign.stick_times, measures.pooling);
            let total_stick_time = Estimate::of(&campaign.total_stick_time, measures.pooling);
            points.push(Point { value, disc, campaign, estimates, stick_time, total_stick_time });
        }
        let mut outcome = Outcome::default();
        self.push(&mut outcome, &points);
        outcome.tables.push(realisation_table(&points, measures));
        if let ([point], None) = (points.as_slice(), &self.sweep) {
            self.single(&mut outcome, point);
        }
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::motions(system, false)
    }
}

impl MonteCarlo {
    fn push(&self, outcome: &mut Outcome, points: &[Point]) {
        let mut table = Table::new("statistics", "ratios to the uniform belt over realisations, one row a value");
        for Statistic { name, unit, label, of } in statistics() {
            let values: Vec<Option<f64>> = points.iter().map(of).collect();
            table = table.numbers(&name, unit, &label, values.iter().map(|value| value.unwrap_or(f64::NAN)).collect());
            match values[..] {
                [value] if self.sweep.is_none() => outcome.push(&name, unit, value),
                _ => outcome.push(&name, unit, values),
            }
        }
        outcome.tables.push(table);
        let sum = |of: fn(&Campaign) -> usize| points.iter().map(|point| of(&point.campaign)).sum::<usize>();
        outcome.push("realisations", "", sum(|campaign| campaign.rows.len()));
        outcome.push("failed", "", sum(|campaign| campaign.failed));
        outcome.push("flagged", "", sum(|campaign| campaign.flagged));
        let worst = points.iter().flat_map(|point| &point.campaign.rows).filter_map(|row| row.run.as_ref().ok());
        let residual = worst.map(|run| (run.energy_residual / run.belt_work).abs()).filter(|it| it.is_finite());
        outcome.push("energy_residual_relative", "", residual.reduce(f64::max));
        for point in points {
            if let Some(error) = point.campaign.first_failure() {
                let failed = point.campaign.failed;
                outcome.warnings.push(format!("{failed} realisations failed and are left out; the first: {error}"));
            }
            if point.campaign.flagged > 0 {
                let flagged = point.campaign.flagged;
                outcome.warnings.push(format!(
                    "{flagged} realisations have fewer than two breakaways and give no peak-to-valley samples"
                ));
            }
        }
        // one warning of a kind is enough
        outcome.warnings.dedup();
    }

    /// Convergence and histograms of one set of parameters.
    fn single(&self, outcome: &mut Outcome, point: &Point) {
        let rows = convergence(&point.campaign.displacement, self.pooling);
        let column = |of: &dyn Fn(&Estimate) -> Option<f64>| -> Vec<f64> {
            rows.iter().map(|row| row.estimate.as_ref().and_then(of).unwrap_or(f64::NAN)).collect()
        };
        let edge = |sign: f64| column(&|found| found.mean_error.map(|error| found.mean + sign * error));
        outcome.tables.push(
            Table::new("convergence", "what the first realisations say, one row a number of realisations")
                .integers("count", "number of realisations", rows.iter().map(|row| row.realisations as i64).collect())
                .numbers("displacement_ratio_mean", "", "mean of Δx_s/Δx_d", column(&|found| Some(found.mean)))
                .numbers("displacement_ratio_se", "", "standard error", column(&|found| found.mean_error))
                .numbers("low", "", "mean − standard error", edge(-1.0))
                .numbers("high", "", "mean + standard error", edge(1.0)),
        );
        let (mut quantity, mut centre, mut density) = (Vec::new(), Vec::new(), Vec::new());
        let lists =
            [&point.campaign.displacement, &point.campaign.force, &point.campaign.stick, &point.campaign.steady_stick];
        for (name, lists) in NAMES.iter().zip(lists) {
            if let Some(found) = Histogram::of(lists, self.bins) {
                quantity.extend(vec![(*name).to_owned(); found.counts.len()]);
                centre.extend(found.centres());
                density.extend(found.density());
            }
        }
        outcome.tables.push(
            Table::new("histogram", "distribution of the ratios, one row a bin")
                .words("quantity", "quantity", quantity)
                .numbers("ratio", "", "ratio to the uniform belt", centre)
                .numbers("density", "", "probability density", density),
        );
    }
}

/// The share of the variance that lies between realisations: about one over the number of samples of a realisation where each of them
/// sees all there is, one where a realisation says nothing about another.
fn between_share(lists: &[Vec<f64>]) -> Option<f64> {
    let whole = mean(lists.iter().flatten().copied())?;
    let square = |value: f64| (value - whole) * (value - whole);
    let total: f64 = lists.iter().flatten().copied().map(square).sum();
    let own = |list: &Vec<f64>| Some(list.len() as f64 * square(mean(list.iter().copied())?));
    let between: f64 = lists.iter().filter_map(own).sum();
    let share = between / total;
    share.is_finite().then_some(share)
}

/// What a point says.
type Of = Box<dyn Fn(&Point) -> Option<f64>>;

/// A number that realisations say together.
struct Statistic {
    name: String,
    unit: &'static str,
    label: String,
    of: Of,
}

/// Everything that the realisations at one value say together.
fn statistics() -> Vec<Statistic> {
    type Pick = fn(&Estimate) -> Option<f64>;
    let low: Pick = |found| found.standard_deviation.map(|deviation| found.mean - deviation);
    let high: Pick = |found| found.standard_deviation.map(|deviation| found.mean + deviation);
    let mut all = Vec::new();
    let mut add = |name: String, unit: &'static str, label: &str, of: Of| {
        all.push(Statistic { name, unit, label: label.to_owned(), of });
    };
    add(
        "value".to_owned(),
        "",
        "value of the parameter",
        Box::new(|point| Some(point.value).filter(|value| value.is_finite())),
    );
    add("length_ratio".to_owned(), "", "l/R", Box::new(|point| length_ratio(&point.disc)));
    add("belt_speed".to_owned(), "m/s", "belt speed v_b", Box::new(|point| Some(point.disc.belt_speed)));
    let mean = |point: &Point| point.disc.mean_coefficient();
    add("mean_coefficient".to_owned(), "", "mean coefficient μ_Hs", Box::new(mean));
    let labels = ["Δx_s/Δx_d", "ΔF_s/ΔF_d", "T_s/T_d", "T_s/T_d after the first breakaway"];
    for (index, (name, label)) in NAMES.iter().zip(labels).enumerate() {
        let parts: [(String, &str, Pick); 7] = [
            (format!("{name}_ratio_mean"), label, |found| Some(found.mean)),
            (format!("{name}_ratio_mean_se"), "standard error", |found| found.mean_error),
            (format!("{name}_ratio_se"), "standard error", |found| found.mean_error),
            (format!("{name}_ratio_std"), "standard deviation", |found| found.standard_deviation),
            (format!("{name}_ratio_std_se"), "its standard error", |found| found.standard_deviation_error),
            (format!("{name}_low"), "mean − standard deviation", low),
            (format!("{name}_high"), "mean + standard deviation", high),
        ];
        for (name, label, pick) in parts {
            add(name, "", label, Box::new(move |point| point.estimates[index].as_ref().and_then(pick)));
        }
    }
    let between = |point: &Point| between_share(&point.campaign.displacement);
    add("displacement_ratio_between_share".to_owned(), "", "variance between realisations", Box::new(between));
    type Times = fn(&Point) -> &Option<Estimate>;
    let (single, total): (Times, Times) = (|point| &point.stick_time, |point| &point.total_stick_time);
    let times: [(&str, &str, Times, Pick); 5] = [
        ("stick_time_mean", "duration of a stick", single, |found| Some(found.mean)),
        ("stick_time_std", "standard deviation", single, |found| found.standard_deviation),
        ("total_stick_time_mean", "stick time of the run t_sk", total, |found| Some(found.mean)),
        ("total_stick_time_low", "mean − standard deviation", total, low),
        ("total_stick_time_high", "mean + standard deviation", total, high),
    ];
    for (name, label, times, pick) in times {
        add(name.to_owned(), "s", label, Box::new(move |point| times(point).as_ref().and_then(pick)));
    }
    type Known = fn(&Campaign) -> Option<f64>;
    let known: [(&str, &'static str, &str, Known); 5] = [
        ("uniform_peak_to_valley_displacement", "m", "Δx_d", |campaign| Some(campaign.reference.displacement)),
        ("uniform_peak_to_valley_force", "N", "ΔF_d", |campaign| Some(campaign.reference.force)),
        ("uniform_stick_fraction", "", "T_d", |campaign| campaign.reference.stick),
        ("uniform_total_stick_time", "s", "stick time of the run t_sk", |campaign| campaign.reference.total_stick_time),
        ("grid_step", "m", "step of the lattice", |campaign| campaign.step),
    ];
    for (name, unit, label, of) in known {
        add(name.to_owned(), unit, label, Box::new(move |point| of(&point.campaign)));
    }
    all
}

fn realisation_table(points: &[Point], measures: Measures) -> Table {
    let rows = || points.iter().flat_map(|point| point.campaign.rows.iter().map(move |row| (point, row)));
    let column = |of: &dyn Fn(&Point, &BeltRun) -> Option<f64>| -> Vec<f64> {
        rows().map(|(point, row)| row.run.as_ref().ok().and_then(|run| of(point, run)).unwrap_or(f64::NAN)).collect()
    };
    let status = |row: &BeltRow| match &row.run {
        Err(_) => "failed",
        Ok(run) if run.transient().flagged => "flagged",
        Ok(_) => "done",
    };
    let reason = |row: &BeltRow| row.run.as_ref().err().map(ToString::to_string).unwrap_or_default();
    let landings = |run: &BeltRun| run.events.iter().filter(|event| event.kind == Phase::Stick).count() as f64;
    Table::new("realisations", "one row a realisation; those that fail have a status and a reason")
        .numbers("value", "", "value of the parameter", rows().map(|(point, _)| point.value).collect())
        .integers("realisation", "realisation", rows().map(|(_, row)| row.index as i64).collect())
        .words("status", "status", rows().map(|(_, row)| status(row).to_owned()).collect())
        .words("reason", "reason", rows().map(|(_, row)| reason(row)).collect())
        .numbers(
            "displacement_ratio",
            "",
            "mean of Δx_s/Δx_d",
            column(&|point, run| {
                mean(run.peak_to_valley_displacement(measures.peak_to_valley))
                    .map(|value| value / point.campaign.reference.displacement)
            }),
        )
        .numbers(
            "force_ratio",
            "",
            "mean of ΔF_s/ΔF_d",
            column(&|point, run| {
                mean(run.peak_to_valley_force(measures.peak_to_valley))
                    .map(|value| value / point.campaign.reference.force)
            }),
        )
        .numbers("stick_fraction", "", "stick fraction", column(&|_, run| run.stick_fraction(measures.stick_measure)))
        .numbers("landings", "", "landings", column(&|_, run| Some(landings(run))))
        .numbers("near_landings", "", "near landings", column(&|_, run| Some(run.near_landings.len() as f64)))
        .numbers(
            "largest_transverse_displacement",
            "m",
            "largest |y|",
            column(&|_, run| Some(run.largest_transverse_displacement)),
        )
        .numbers(
            "largest_angular_velocity",
            "rad/s",
            "largest |φ̇|",
            column(&|_, run| Some(run.largest_angular_velocity)),
        )
        .numbers(
            "rotation_share",
            "",
            "share with the centre of rotation inside",
            column(&|_, run| Some(run.rotation_share)),
        )
        .numbers("energy_residual", "J", "energy residual", column(&|_, run| Some(run.energy_residual)))
        .numbers("evaluations", "", "evaluations", column(&|_, run| Some(run.effort.evaluations as f64)))
}

#[cfg(test)]
mod tests {
    use super::between_share;

    #[test]
    fn the_share_between_realisations_tells_what_one_of_them_misses() {
        let each_its_own = [vec![1.0, 1.0], vec![2.0, 2.0, 2.0], vec![]];
        assert!((between_share(&each_its_own).unwrap() - 1.0).abs() < 1e-12);
        let all_the_same = [vec![1.0, 2.0], vec![2.0, 1.0]];
        assert!(between_share(&all_the_same).unwrap().abs() < 1e-12);
        assert_eq!(between_share(&[vec![], vec![]]), None);
    }
}
