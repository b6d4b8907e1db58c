//! Every attractor at one set of parameters, and the unstable states between them.

use super::bifurcation::stability;
use super::check_duration;
use crate::dataset::{Outcome, Table, number};
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::spring_block::{self as blocks, History, Orbits};
use stiction::analysis::{AnalysisError, Budget};
use stiction::integrate::{IntegrationError, Span};
use stiction::system::SpringBlock;
use stiction::system::spring_block::{ContactPolicy, Mode};

/// Every attractor at one set of parameters, and the unstable states between them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attractors {
    /// How long sticks are counted after a release at the static limit \[s\], > 0; by default 100 periods, of stick-slip
    /// motion where it exists, otherwise of the block on its spring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: Option<f64>,
}

/// Most steps for the count of sticks: some seconds of work.
const MOST_STEPS: u64 = 10_000_000;

/// Periods in which sticks are counted by default.
const PERIODS: f64 = 100.0;

impl Study for Attractors {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let given = context.spring_block()?;
        let (block, mirror) = forward(given);
        context.progress.begin("attractors", 1);
        let budget = Budget::of(1, context.progress);
        let found = Orbits::without_aging(&block, context.solver)?.within(&budget).attractors()?;
        let mut outcome = Outcome::default();
        // in the mirror the largest displacement is the smallest with the other sign
        let extremes = |max: f64, min: f64| if mirror { (-min, -max) } else { (max, min) };
        let side = if mirror { -1.0 } else { 1.0 };
        let classes = found.classes();
        outcome.push(
            "attractor_set",
            "",
            if classes.is_empty() { "none".to_owned() } else { classes.join("+") }.as_str(),
        );
        for class in ["CS", "OS", "SS", "through"] {
            outcome.push(&format!("has_{}", class.to_lowercase()), "", classes.contains(&class));
        }
        outcome.push("coexisting", "", found.coexisting());
        outcome.push("attractors", "", classes);
        outcome.push("sliding_displacement", "m", side * found.sliding.displacement);
        outcome.push("sliding_eigenvalues_real", "1/s", found.sliding.eigenvalues_real.to_vec());
        outcome.push("sliding_eigenvalues_imag", "1/s", found.sliding.eigenvalues_imag.to_vec());
        for (stable, prefix) in [(true, ""), (false, "unstable_")] {
            let cycles: Vec<_> = found.oscillations.iter().filter(|cycle| cycle.stable == stable).collect();
            let of =
                |value: fn(&blocks::Oscillation) -> f64| cycles.iter().map(|cycle| value(cycle)).collect::<Vec<f64>>();
            let (max, min): (Vec<f64>, Vec<f64>) =
                cycles.iter().map(|cycle| extremes(cycle.max_displacement, cycle.min_displacement)).unzip();
            outcome.push(&format!("{prefix}oscillation_max"), "m", max);
            outcome.push(&format!("{prefix}oscillation_min"), "m", min);
            outcome.push(&format!("{prefix}oscillation_period"), "s", of(|cycle| cycle.period));
            // one that repels beyond all numbers has none
            let multipliers = of(|cycle| cycle.multiplier).into_iter().map(|value| value.is_finite().then_some(value));
            outcome.push(&format!("{prefix}oscillation_multiplier"), "", multipliers.collect::<Vec<Option<f64>>>());
        }
        let stick_slip = found.stick_slip;
        let range = stick_slip.map(|cycle| extremes(cycle.max_displacement, cycle.min_displacement));
        outcome.push("stick_slip_max", "m", range.map(|range| range.0));
        outcome.push("stick_slip_min", "m", range.map(|range| range.1));
        outcome.push("stick_slip_period", "s", stick_slip.map(|cycle| cycle.period()));
        outcome.push("slip_time", "s", stick_slip.map(|cycle| cycle.slip_time));
        outcome.push("stick_time", "s", stick_slip.map(|cycle| cycle.stick_time));
        outcome.push("first_contact", "m", found.release.first_contact.map(|x| side * x));
        let limit = block.static_force(0.0);
        outcome.push("overshoot", "", found.release.first_contact.map(|x| block.stiffness * x < -limit));
        let through = found.through.map(|cycle| extremes(cycle.max_displacement, cycle.min_displacement).0);
        outcome.push("through_max", "m", through);
        let boundary = found.special_boundary_max().map(|max| extremes(max, found.graze.minimum_before).0);
        outcome.push("special_boundary_max", "m", boundary);
        outcome.push("graze_margin", "m/s", found.release.graze_margin);
        let period = stick_slip.map_or(block.natural_period(), |cycle| cycle.period());
        let duration = self.duration.unwrap_or(PERIODS * period);
        check_duration(duration, &block, "study.attractors.duration")?;
        outcome.push("stick_count", "", stick_count(duration, &block, context)?);
        if found.continuum {
            let message = "kinetic friction does not depend on speed: there is a continuum of undamped oscillations without sticking, \
                           and continuous sliding is neutral";
            outcome.warnings.push(message.to_owned());
        }
        warnings(&mut outcome, &block, &found);
        outcome.tables.push(table(&found));
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::orbits(system)
    }
}

/// The block on a surface that moves forward, and whether that is a mirror image.
pub(super) fn forward(block: &SpringBlock) -> (SpringBlock, bool) {
    if block.drive_speed < 0.0 { (block.mirrored(), true) } else { (block.clone(), false) }
}

/// How often the block sticks within `duration` \[s\], after a release at the static limit.
fn stick_count(duration: f64, block: &SpringBlock, context: &Context<'_>) -> Result<usize, StudyError> {
    let mut history = History::of(block);
    let start = (Mode::SlipBelow, [block.release_displacement(0.0), block.drive_speed, 0.0]);
    let span = Span::until(duration).at_most(MOST_STEPS);
    match history.follow_watched(context.solver, span, start, context.progress) {
        Err(AnalysisError::Integration(IntegrationError::TooManySteps { time, .. })) => {
            let message = format!(
                "{} s: after {MOST_STEPS} steps the motion is only at {} s; give at most that",
                number(duration),
                number(time)
            );
            return Err(StudyError::unsuitable("study.attractors.duration", message));
        }
        other => other?,
    };
    Ok(history.stick_count())
}

fn warnings(outcome: &mut Outcome, block: &SpringBlock, found: &blocks::Attractors) {
    let release = &found.release;
    if let Some(margin) = release.graze_margin.filter(|margin| margin.abs() < 1e-10 * block.drive_speed) {
        outcome.warnings.push(format!(
            "the slip from the static limit misses the velocity of the surface by only {margin:.3e} m/s: this is a type 1 \
             bifurcation, and rounding decides whether it sticks"
        ));
    }
    if found.stick_slip.is_some_and(|cycle| cycle.overshoot) {
        let limit = block.contact_policy.limit_word();
        outcome.warnings.push(format!(
            "the first contact after a release is beyond the {limit} limit; contact_policy decides what it does"
        ));
    }
    let limit = block.contact_limit();
    let at_limit = |x: f64| (block.stiffness * x.abs() - limit).abs() <= 1e-10 * limit;
    if block.contact_policy != ContactPolicy::FirstContact && release.first_contact.is_some_and(at_limit) {
        let limit = block.contact_policy.limit_word();
        outcome.warnings.push(format!(
            "the first contact after a release is at the {limit} limit, within 1e-10 of it: rounding decides between stick-slip \
             motion and passing through; change a coefficient by more than that"
        ));
    }
    if !found.continuum && block.kinetic_force_derivatives(block.drive_speed)[1] == 0.0 {
        let message = "the slope of friction at the drive speed is zero: continuous sliding is neutral, neither stable nor unstable";
        outcome.warnings.push(message.to_owned());
    }
    if found.lacks_oscillation {
        let message = "an oscillation without sticking that must separate the states in this list could not be computed: it repels \
                       too strongly, or is too small; the list is not complete";
        outcome.warnings.push(message.to_owned());
    }
}

fn table(found: &blocks::Attractors) -> Table {
    let mut rows: Vec<(&str, &str, f64, f64, f64, f64)> = Vec::new();
    let sliding = &found.sliding;
    rows.push(("CS", stability(sliding.stable), sliding.displacement, sliding.displacement, f64::NAN, f64::NAN));
    for cycle in &found.oscillations {
        let (max, min) = (cycle.max_displacement, cycle.min_displacement);
        let multiplier = if cycle.multiplier.is_finite() { cycle.multiplier } else { f64::NAN };
        rows.push(("OS", stability(cycle.stable), max, min, cycle.period, multiplier));
    }
    if let Some(cycle) = &found.stick_slip {
        rows.push(("SS", "stable", cycle.max_displacement, cycle.min_displacement, cycle.period(), 0.0));
    }
    if let Some(cycle) = &found.through {
        let stable = stability(cycle.multiplier.abs() < 1.0);
        rows.push(("through", stable, cycle.max_displacement, cycle.min_displacement, cycle.period, cycle.multiplier));
    }
    if let Some(max) = found.special_boundary_max() {
        rows.push(("boundary", "boundary", max, f64::NAN, f64::NAN, f64::NAN));
    }
    Table::new("attractors", "long-time motions and what separates their basins")
        .words("kind", "kind", rows.iter().map(|row| row.0.to_owned()).collect())
        .words("stability", "stability", rows.iter().map(|row| row.1.to_owned()).collect())
        .numbers("max_displacement", "m", "largest displacement", rows.iter().map(|row| row.2).collect())
        .numbers("min_displacement", "m", "smallest displacement", rows.iter().map(|row| row.3).collect())
        .numbers("period", "s", "period", rows.iter().map(|row| row.4).collect())
        .numbers("multiplier", "", "multiplier", rows.iter().map(|row| row.5).collect())
}
