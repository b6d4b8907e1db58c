//! What the studies that follow motions share: durations, windows and the columns of their tables.

use crate::dataset::number;
use crate::study::StudyError;
use stiction::analysis::two_disc::{Status, StickSlipRule, TransientOutcome, TransientRequest};
use stiction::integrate::Solver;

/// Longest run \[s\].
const LONGEST: f64 = 1e6;
/// Most samples of the relative spin in a run.
const MOST_SAMPLES: f64 = 1e8;

/// A run of this length \[s\] with this window \[s\], by default its last third.
pub(super) fn transient(
    study: &str,
    duration: f64,
    window: (Option<f64>, Option<f64>),
    solver: Solver,
) -> Result<TransientRequest, StudyError> {
    if duration > LONGEST {
        let message = format!("is {} s, but at most {} s can be followed", number(duration), number(LONGEST));
        return Err(super::wrong(study, "duration", message));
    }
    let (from, to) = (window.0.unwrap_or(duration * 2.0 / 3.0), window.1.unwrap_or(duration));
    if !(0.0..duration).contains(&from) {
        let message = format!(
            "is {} s, but must lie before the end of the run, which lasts {} s",
            number(from),
            number(duration)
        );
        return Err(super::wrong(study, "window_start", message));
    }
    if to <= from || to > duration {
        let message = format!(
            "is {} s, but must lie after `window_start` ({} s) and at most at the end of the run ({} s)",
            number(to),
            number(from),
            number(duration)
        );
        return Err(super::wrong(study, "window_end", message));
    }
    let mut transient = TransientRequest::lasting(duration).with_solver(solver);
    transient.window = (from, to);
    Ok(transient)
}

/// Refuses a rule that would sample a run for ever.
pub(super) fn check_rule(study: &str, rule: &StickSlipRule, duration: f64) -> Result<(), StudyError> {
    if duration / rule.sample_interval <= MOST_SAMPLES {
        return Ok(());
    }
    let message = format!(
        "is {} s: a run of {} s would have more than {} samples",
        number(rule.sample_interval),
        number(duration),
        number(MOST_SAMPLES)
    );
    Err(super::wrong(study, "stick_slip.sample_interval", message))
}

/// Smallest and largest rotation in the window \[rad\]; none of a run that did not reach its end.
pub(super) fn extremes(run: &TransientOutcome) -> Option<(f64, f64)> {
    run.rotation.map(|report| (report.extremes.smallest, report.extremes.largest))
}

/// Largest minus smallest rotation in the window \[rad\].
pub(super) fn peak_to_peak(run: &TransientOutcome) -> Option<f64> {
    extremes(run).map(|(low, high)| high - low).filter(|size| size.is_finite())
}

/// Largest distance of the contact from the centre of the lower disc \[m\]; none of a run that never began.
pub(super) fn reach(run: &TransientOutcome) -> Option<f64> {
    (!matches!(run.status, Status::NoStart { .. })).then_some(run.reach)
}

/// How the rotation changes in the window.
pub(super) fn trend(run: &TransientOutcome) -> &'static str {
    run.rotation.map_or(run.status.name(), |report| report.trend.name())
}

/// What a person should know before trusting runs: how many did not end well, and how many left the lower disc.
#[allow(clippy::needless_pass_by_value, reason = "an iterator is handed over, not kept")]
pub(super) fn warnings<'a>(runs: impl Iterator<Item = &'a TransientOutcome> + Clone, lower_radius: f64) -> Vec<String> {
    let count = |is: &dyn Fn(&TransientOutcome) -> bool| runs.clone().filter(|run| is(run)).count();
    let all = count(&|_| true);
    let mut warnings = Vec::new();
    for (name, what) in [
        ("no_start", "have no equilibrium to start from"),
        ("unbounded", "have no bound: the discs fly apart"),
        ("out_of_steps", "used up `solver.max_steps` before their end"),
        ("failed", "could not be followed"),
    ] {
        let found = count(&|run| run.status.name() == name);
        if found > 0 {
            warnings.push(format!("{found} of {all} runs {what}; they are rows with a status, without extremes"));
        }
    }
    let left = count(&|run| run.left_disc_at.is_some());
    if left > 0 {
        let reach = runs.clone().map(|run| run.reach).fold(0.0, f64::max);
        let first = runs.clone().filter_map(|run| run.left_disc_at).reduce(f64::min);
        warnings.push(format!(
            "in {left} of {all} runs the contact leaves the lower disc (radius {} m; it gets as far as {} m, first at {} s): from \
             there on the equations describe no real mechanism",
            number(lower_radius),
            number(round(reach)),
            first.map_or_else(String::new, |time| number(round(time)))
        ));
    }
    warnings
}

/// A number for a sentence: four digits.
fn round(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
