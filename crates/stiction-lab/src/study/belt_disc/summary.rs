//! What many realisations of one disc say, as ratios to the uniform belt.

use super::{mean_coefficient, model};
use crate::study::StudyError;
use stiction::analysis::belt_disc::{Estimate, PeakToValley, Pooling, Row, Run, Setting, StickMeasure, ensemble};
use stiction::analysis::{AnalysisError, Progress};
use stiction::field::Germ;
use stiction::system::BeltDisc;

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
}

/// The realisations of one disc.
pub(super) struct Campaign {
    pub(super) rows: Vec<Row>,
    pub(super) reference: Reference,
    /// Ratios of peak-to-valley displacements, one list a realisation.
    pub(super) displacement: Vec<Vec<f64>>,
    /// Ratios of peak-to-valley forces.
    pub(super) force: Vec<Vec<f64>>,
    /// Ratio of the stick fractions, at most one each.
    pub(super) stick: Vec<Vec<f64>>,
    /// Duration of each stick after the transient \[s\].
    pub(super) stick_times: Vec<Vec<f64>>,
    pub(super) failed: usize,
    pub(super) flagged: usize,
    /// Step of the lattice \[m\].
    pub(super) step: Option<f64>,
}

impl Campaign {
    /// Runs `count` realisations and their reference.
    pub(super) fn run(
        disc: &BeltDisc,
        seed: u64,
        count: usize,
        setting: &Setting,
        measures: Measures,
        progress: &dyn Progress,
    ) -> Result<Self, StudyError> {
        let shared = model(disc, setting.duration)?;
        let reference = Reference::of(disc, setting, measures)?;
        let rows = ensemble(&shared, seed, 0..count as u64, setting, progress)?;
        let runs = || rows.iter().map(|row| row.run.as_ref().ok());
        // runs with fewer than two breakaways have no end of the transient
        let steady = |run: Option<&Run>| run.is_some_and(|run| !run.transient().flagged);
        let over = |unit: f64, values: Vec<f64>| values.into_iter().map(|value| value / unit).collect::<Vec<f64>>();
        let displacement = runs()
            .map(|run| match run.filter(|run| steady(Some(run))) {
                Some(run) => over(reference.displacement, run.peak_to_valley_displacement(measures.peak_to_valley)),
                None => Vec::new(),
            })
            .collect();
        let force = runs()
            .map(|run| match run.filter(|run| steady(Some(run))) {
                Some(run) => over(reference.force, run.peak_to_valley_force(measures.peak_to_valley)),
                None => Vec::new(),
            })
            .collect();
        let stick = runs()
            .map(|run| {
                let share = run.and_then(|run| run.stick_fraction(measures.stick_measure));
                share.zip(reference.stick).map(|(share, unit)| share / unit).into_iter().collect()
            })
            .collect();
        let stick_times =
            runs().map(|run| run.filter(|run| steady(Some(run))).map_or_else(Vec::new, Run::stick_times)).collect();
        let failed = rows.iter().filter(|row| row.run.is_err()).count();
        let flagged = runs().flatten().filter(|run| run.transient().flagged).count();
        let step = shared.step();
        Ok(Self { displacement, force, stick, stick_times, failed, flagged, step, reference, rows })
    }

    /// The estimates of the three ratios, in the order displacement, force, stick.
    pub(super) fn estimates(&self, pooling: Pooling) -> [Option<Estimate>; 3] {
        [
            Estimate::of(&self.displacement, pooling),
            Estimate::of(&self.force, pooling),
            Estimate::of(&self.stick, pooling),
        ]
    }

    /// Why the first failed realisation failed.
    pub(super) fn first_failure(&self) -> Option<&AnalysisError> {
        self.rows.iter().find_map(|row| row.run.as_ref().err())
    }
}

impl Reference {
    /// The uniform belt with the mean coefficient, simulated by the same definitions.
    fn of(disc: &BeltDisc, setting: &Setting, measures: Measures) -> Result<Self, StudyError> {
        let uniform = disc.uniform(mean_coefficient(disc)?);
        let run = model(&uniform, setting.duration)?.run(&Germ::new(0, 0), setting)?;
        let mean = |values: Vec<f64>| {
            let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
            mean.filter(|mean| *mean > 0.0).ok_or_else(|| {
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
        })
    }
}
