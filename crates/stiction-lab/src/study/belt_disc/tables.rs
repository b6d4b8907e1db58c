//! Tables of motions.

use crate::dataset::{Table, Value};
use crate::study::StudyError;
use stiction::analysis::belt_disc::{BeltEvent, BeltRun, Sample, UniformBelt, UniformSample, UniformStart};

/// Samples of a motion, one row a sample.
pub(super) fn motion_table(samples: &[Sample], belt_speed: f64) -> Table {
    let rows = || samples.iter();
    let column = |of: fn(&Sample) -> f64| rows().map(of).collect::<Vec<f64>>();
    let place = rows().map(|sample| sample.displacement - belt_speed * sample.time).collect();
    let sliding = |sample: &Sample| {
        let (along, across) = (sample.velocity - belt_speed, sample.transverse_velocity);
        (along * along + across * across).sqrt()
    };
    Table::new("motion", "the motion: evenly spaced samples, and the states just before and after every transition")
        .numbers("time", "s", "time t", column(|sample| sample.time))
        .words("phase", "phase", rows().map(|sample| sample.phase.name().to_owned()).collect())
        .numbers("displacement", "m", "displacement x", column(|sample| sample.displacement))
        .numbers("transverse_displacement", "m", "transverse displacement y", column(|s| s.transverse_displacement))
        .numbers("rotation", "rad", "rotation φ", column(|sample| sample.rotation))
        .numbers("velocity", "m/s", "velocity ẋ", column(|sample| sample.velocity))
        .numbers("transverse_velocity", "m/s", "transverse velocity ẏ", column(|s| s.transverse_velocity))
        .numbers("angular_velocity", "rad/s", "angular velocity φ̇", column(|s| s.angular_velocity))
        .numbers("force", "N", "friction force F", column(|sample| sample.force))
        .numbers("sliding_speed", "m/s", "sliding speed of the centre", rows().map(sliding).collect())
        .numbers("belt_position", "m", "place on the belt X", place)
        .words("row", "sample or event", rows().map(|sample| row_word(sample.extra)).collect())
}

/// What a row is.
fn row_word(event: bool) -> String {
    if event { "event" } else { "sample" }.to_owned()
}

/// The motion of the uniform belt, on `samples` times.
pub(super) fn uniform_table(
    belt: &UniformBelt,
    belt_speed: f64,
    start: UniformStart,
    duration: f64,
    samples: usize,
) -> Result<Table, StudyError> {
    let mut times: Vec<(f64, bool)> =
        (0..samples).map(|i| (duration * i as f64 / (samples - 1) as f64, false)).collect();
    // both sides of every jump of the force
    let (cycle, first) = (belt.cycle()?, belt.transient(start));
    if let Some(first) = first {
        let mut event = |time: f64| times.extend([(time * (1.0 - 1e-12), true), (time * (1.0 + 1e-12), true)]);
        event(first.landing_time);
        for number in 0..samples {
            let breakaway = first.breakaway_time + number as f64 * cycle.period;
            if breakaway > duration {
                break;
            }
            event(breakaway);
            event(breakaway + cycle.slip_time);
        }
    }
    times.retain(|(time, _)| *time <= duration);
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let rows: Result<Vec<_>, _> = times.iter().map(|(time, _)| belt.at(start, *time)).collect();
    let rows = rows?;
    // a disc that sticks moves with the belt, but for rounding
    let sliding = |row: &UniformSample| if row.sticks { 0.0 } else { (row.velocity - belt_speed).abs() };
    let phase = |sticks: bool| (if sticks { "stick" } else { "slip" }).to_owned();
    let about =
        "the motion on a belt with the mean coefficient everywhere: samples, and both sides of every transition";
    Ok(Table::new("uniform", about)
        .numbers("time", "s", "time t", times.iter().map(|row| row.0).collect())
        .words("phase", "phase", rows.iter().map(|row| phase(row.sticks)).collect())
        .numbers("displacement", "m", "displacement x", rows.iter().map(|row| row.displacement).collect())
        .numbers("velocity", "m/s", "velocity ẋ", rows.iter().map(|row| row.velocity).collect())
        .numbers("force", "N", "friction force F", rows.iter().map(|row| row.force).collect())
        .numbers("sliding_speed", "m/s", "sliding speed", rows.iter().map(sliding).collect())
        .words("row", "sample or event", times.iter().map(|row| row_word(row.1)).collect()))
}

/// Transitions as a table.
pub(super) fn event_table(run: &BeltRun, belt_speed: f64) -> Table {
    let column = |of: fn(&BeltEvent) -> f64| run.events.iter().map(of).collect::<Vec<f64>>();
    let place = run.events.iter().map(|event| event.displacement - belt_speed * event.time).collect();
    Table::new("transitions", "one row a transition: `stick` is a landing, `slip` a breakaway")
        .numbers("time", "s", "time t", column(|event| event.time))
        .words("kind", "transition to", run.events.iter().map(|event| event.kind.name().to_owned()).collect())
        .numbers("displacement", "m", "displacement x", column(|event| event.displacement))
        .numbers("transverse_displacement", "m", "transverse displacement y", column(|e| e.transverse_displacement))
        .numbers("rotation", "rad", "rotation φ", column(|event| event.rotation))
        .numbers("force_before", "N", "force before", column(|event| event.force_before))
        .numbers("force_after", "N", "force after", column(|event| event.force_after))
        .numbers("belt_position", "m", "place on the belt X", place)
}

/// A transition as the summary tells it.
pub(super) fn told(event: &BeltEvent) -> Vec<(String, Value)> {
    let number = |name: &str, value: f64| (name.to_owned(), Value::Number(value));
    vec![
        number("time", event.time),
        ("kind".to_owned(), Value::Word(event.kind.name().to_owned())),
        number("displacement", event.displacement),
        number("transverse_displacement", event.transverse_displacement),
        number("rotation", event.rotation),
        number("velocity", event.velocity),
        number("transverse_velocity", event.transverse_velocity),
        number("angular_velocity", event.angular_velocity),
        number("force_before", event.force_before),
        number("force_after", event.force_after),
    ]
}
