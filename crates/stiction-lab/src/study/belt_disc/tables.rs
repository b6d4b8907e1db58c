//! Tables of motions.

use crate::dataset::{Table, Value};
use crate::study::StudyError;
use stiction::analysis::belt_disc::{Event, Run, Sample, UniformBelt, UniformStart};

/// A motion with a name, of several that are compared.
pub(super) struct Named<'a> {
    pub(super) name: &'a str,
    pub(super) samples: &'a [Sample],
}

/// Samples of one or several motions, one row a sample; `label` is the column that tells them apart.
pub(super) fn motion_table(label: &str, motions: &[Named<'_>], belt_speed: f64) -> Table {
    let rows = || motions.iter().flat_map(|motion| motion.samples.iter());
    let column = |of: fn(&Sample) -> f64| rows().map(of).collect::<Vec<f64>>();
    let names = motions.iter().flat_map(|motion| motion.samples.iter().map(|_| motion.name.to_owned())).collect();
    let place = rows().map(|sample| sample.displacement - belt_speed * sample.time).collect();
    Table::new("motion", "the motion, one row a sample")
        .words(label, label, names)
        .numbers("time", "s", "time t", column(|sample| sample.time))
        .words("phase", "phase", rows().map(|sample| sample.phase.name().to_owned()).collect())
        .numbers("displacement", "m", "displacement x", column(|sample| sample.displacement))
        .numbers("transverse_displacement", "m", "transverse displacement y", column(|s| s.transverse_displacement))
        .numbers("rotation", "rad", "rotation φ", column(|sample| sample.rotation))
        .numbers("velocity", "m/s", "velocity ẋ", column(|sample| sample.velocity))
        .numbers("transverse_velocity", "m/s", "transverse velocity ẏ", column(|s| s.transverse_velocity))
        .numbers("angular_velocity", "rad/s", "angular velocity φ̇", column(|s| s.angular_velocity))
        .numbers("force", "N", "friction force F", column(|sample| sample.force))
        .numbers("belt_position", "m", "place on the belt X", place)
}

/// The motion of the uniform belt, on `samples` times.
pub(super) fn uniform_table(
    belt: &UniformBelt,
    start: UniformStart,
    duration: f64,
    samples: usize,
) -> Result<Table, StudyError> {
    let mut times: Vec<f64> = (0..samples).map(|i| duration * i as f64 / (samples - 1) as f64).collect();
    // both sides of every jump of the force
    let (cycle, first) = (belt.cycle()?, belt.transient(start));
    if let Some(first) = first {
        let mut event = |time: f64| times.extend([time * (1.0 - 1e-12), time * (1.0 + 1e-12)]);
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
    times.retain(|time| *time <= duration);
    times.sort_by(f64::total_cmp);
    let rows: Result<Vec<_>, _> = times.iter().map(|time| belt.at(start, *time)).collect();
    let rows = rows?;
    let phase = |sticks: bool| (if sticks { "stick" } else { "slip" }).to_owned();
    Ok(Table::new("uniform", "the motion on a belt with the mean coefficient everywhere, one row a sample")
        .numbers("time", "s", "time t", times)
        .words("phase", "phase", rows.iter().map(|row| phase(row.sticks)).collect())
        .numbers("displacement", "m", "displacement x", rows.iter().map(|row| row.displacement).collect())
        .numbers("velocity", "m/s", "velocity ẋ", rows.iter().map(|row| row.velocity).collect())
        .numbers("force", "N", "friction force F", rows.iter().map(|row| row.force).collect()))
}

/// Transitions as a table.
pub(super) fn event_table(run: &Run, belt_speed: f64) -> Table {
    let column = |of: fn(&Event) -> f64| run.events.iter().map(of).collect::<Vec<f64>>();
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
pub(super) fn told(event: &Event) -> Vec<(String, Value)> {
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
