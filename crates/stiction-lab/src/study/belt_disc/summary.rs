//! What many realisations of one disc say, as ratios to the uniform belt.

use super::{mean_coefficient, model};
use crate::study::{Context, StudyError};
use std::ops::ControlFlow;
use stiction::analysis::AnalysisError;
use stiction::analysis::belt_disc::{
    BeltModel, BeltRow, BeltRun, Estimate, PeakToValley, Pooling, Setting, StickMeasure,
};
use stiction::analysis::campaign::{Watched, looks, told_means};
use stiction::field::Germ;
use stiction::num::statistics::mean;
use stiction::system::BeltDisc;

/// The ratios of a realisation to the uniform belt.
pub(super) const RATIOS: [&str; 4] = ["displacement_ratio", "force_ratio", "stick_ratio", "steady_stick_ratio"];

/// How quantities are taken from a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measures {
    pub(super) peak_to_valley: PeakToValley,
    pub(super) stick_measure: StickMeasure,
    pub(super) pooling: Pooling,
}

/// The quantities of the uniform belt, by the same definitions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reference {
    pub(super) displacement: f64,
    pub(super) force: f64,
    /// None if the uniform belt never sticks.
    pub(super) stick: Option<f64>,
    /// The same after the first breakaway.
    pub(super) steady_stick: Option<f64>,
    /// Time that the disc sticks within the run \[s\].
    pub(super) total_stick_time: Option<f64>,
}

/// Realisations of one or several discs, beside the uniform belts.
pub(super) struct Ensemble<'a> {
    models: Vec<BeltModel>,
    campaigns: Vec<Campaign>,
    setting: Setting<'a>,
    measures: Measures,
}

impl<'a> Ensemble<'a> {
    pub(super) fn new(discs: &[BeltDisc], setting: Setting<'a>, measures: Measures) -> Result<Self, StudyError> {
        let models =
            discs.iter().map(|disc| model(disc, setting.duration, setting.progress)).collect::<Result<Vec<_>, _>>()?;
        let campaign = |shared: &BeltModel| {
            let reference = Reference::of(shared.disc(), &setting, measures)?;
            Ok(Campaign::new(reference, shared.step()))
        };
        let campaigns = models.iter().map(campaign).collect::<Result<Vec<_>, StudyError>>()?;
        Ok(Self { models, campaigns, setting, measures })
    }

    /// Runs so many realisations of every disc, or as many as the scenario's rule asks for, and gives what they say, one disc
    /// after the other. All discs are asked about a realisation before the next one.
    pub(super) fn run(self, context: &Context<'_>, realisations: usize) -> Result<Vec<Campaign>, StudyError> {
        let Self { models, mut campaigns, setting, measures } = self;
        let quantities = RATIOS.map(|name| Watched::new(name, ""));
        let ending = context.ending(&RATIOS)?;
        let discs = models.len() as u64;
        let make = |here: &Context<'_>, number: u64| {
            let setting = Setting { progress: here.progress, ..setting };
            let (model, index) = (&models[(number % discs) as usize], number / discs);
            Ok(BeltRow::of(index, model.run(&Germ::new(here.seed, index), &setting))?)
        };
        let failed = |row: &BeltRow| row.run.is_err();
        context.items("realisations", discs * realisations as u64, make, failed, |number, row| {
            context.keep("realisations", &row, ((number + 1) as usize, (discs * realisations as u64) as usize))?;
            campaigns[(number % discs) as usize].add(row, measures);
            let complete = (number + 1).is_multiple_of(discs) && looks((number + 1) / discs);
            if !complete || (discs > 1 && ending.is_none()) {
                return Ok(ControlFlow::Continue(()));
            }
            let spreads =
                |campaign: &Campaign| campaign.estimates(measures.pooling).map(|one| Estimate::spread(one.as_ref()));
            let seen: Vec<_> = campaigns.iter().map(spreads).collect();
            if let [only] = &seen[..] {
                context.progress.tell(&told_means(quantities.iter().zip(only.iter().copied())));
            }
            let enough = ending.as_ref().is_some_and(|ending| seen.iter().all(|point| ending.holds(point)));
            Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(campaigns)
    }
}

/// The realisations of one disc.
pub(super) struct Campaign {
    pub(super) rows: Vec<BeltRow>,
    pub(super) reference: Reference,
    /// Ratios of peak-to-valley displacements, one list a realisation.
    pub(super) displacement: Vec<Vec<f64>>,
    /// Ratios of peak-to-valley forces.
    pub(super) force: Vec<Vec<f64>>,
    /// Ratio of the stick fractions, at most one each.
    pub(super) stick: Vec<Vec<f64>>,
    /// The same after the first breakaway.
    pub(super) steady_stick: Vec<Vec<f64>>,
    /// Duration of each stick after the transient \[s\].
    pub(super) stick_times: Vec<Vec<f64>>,
    /// Time that the disc sticks within the run \[s\], at most one each.
    pub(super) total_stick_time: Vec<Vec<f64>>,
    pub(super) failed: usize,
    pub(super) flagged: usize,
    /// Step of the lattice \[m\].
    pub(super) step: Option<f64>,
}

impl Campaign {
    fn new(reference: Reference, step: Option<f64>) -> Self {
        Self {
            rows: Vec::new(),
            reference,
            displacement: Vec::new(),
            force: Vec::new(),
            stick: Vec::new(),
            steady_stick: Vec::new(),
            stick_times: Vec::new(),
            total_stick_time: Vec::new(),
            failed: 0,
            flagged: 0,
            step,
        }
    }

    fn add(&mut self, row: BeltRow, measures: Measures) {
        let run = row.run.as_ref().ok();
        // runs with fewer than two breakaways have no end of the transient
        let steady = run.filter(|run| !run.transient().flagged);
        let over = |unit: f64, values: Vec<f64>| values.into_iter().map(|value| value / unit).collect::<Vec<f64>>();
        let Reference { displacement, force, stick, steady_stick, .. } = self.reference;
        let samples = |of: &dyn Fn(&BeltRun) -> Vec<f64>| steady.map_or_else(Vec::new, of);
        self.displacement
            .push(samples(&|run| over(displacement, run.peak_to_valley_displacement(measures.peak_to_valley))));
        self.force.push(samples(&|run| over(force, run.peak_to_valley_force(measures.peak_to_valley))));
        self.stick_times.push(samples(&BeltRun::stick_times));
        self.total_stick_time.push(run.and_then(total_stick_time).into_iter().collect());
        let stuck = |measure: StickMeasure, unit: Option<f64>| {
            let share = run.and_then(|run| run.stick_fraction(measure));
            share.zip(unit).map(|(share, unit)| share / unit).into_iter().collect::<Vec<f64>>()
        };
        self.stick.push(stuck(measures.stick_measure, stick));
        self.steady_stick.push(stuck(StickMeasure::AfterFirstBreakaway, steady_stick));
        self.failed += usize::from(run.is_none());
        self.flagged += usize::from(run.is_some() && steady.is_none());
        self.rows.push(row);
    }

    /// The estimates of the ratios, in their order.
    pub(super) fn estimates(&self, pooling: Pooling) -> [Option<Estimate>; 4] {
        [
            Estimate::of(&self.displacement, pooling),
            Estimate::of(&self.force, pooling),
            Estimate::of(&self.stick, pooling),
            Estimate::of(&self.steady_stick, pooling),
        ]
    }

    /// Why the first failed realisation failed.
    pub(super) fn first_failure(&self) -> Option<&AnalysisError> {
        self.rows.iter().find_map(|row| row.run.as_ref().err())
    }
}

/// Time that the disc sticks within a run \[s\].
fn total_stick_time(run: &BeltRun) -> Option<f64> {
    run.stick_fraction(StickMeasure::Raw).map(|share| share * run.duration)
}

impl Reference {
    /// The uniform belt with the mean coefficient, simulated by the same definitions.
    fn of(disc: &BeltDisc, setting: &Setting<'_>, measures: Measures) -> Result<Self, StudyError> {
        let uniform = disc.uniform(mean_coefficient(disc)?);
        let run = model(&uniform, setting.duration, setting.progress)?.run(&Germ::new(0, 0), setting)?;
        let mean = |values: Vec<f64>| {
            mean(values).filter(|mean| *mean > 0.0).ok_or_else(|| {
                let message = format!(
                    "is {} s, too short: the uniform belt has no complete cycle to compare with",
                    crate::dataset::number(setting.duration)
                );
                StudyError::unsuitable("study.monte_carlo.duration", message)
            })
        };
        Ok(Self {
            displacement: mean(run.peak_to_valley_displacement(measures.peak_to_valley))?,
            force: mean(run.peak_to_valley_force(measures.peak_to_valley))?,
            stick: run.stick_fraction(measures.stick_measure).filter(|stick| *stick > 0.0),
            steady_stick: run.stick_fraction(StickMeasure::AfterFirstBreakaway).filter(|stick| *stick > 0.0),
            total_stick_time: total_stick_time(&run),
        })
    }
}
