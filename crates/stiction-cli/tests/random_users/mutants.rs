//! Scenarios that people start from: a built-in one, made small, with some of its parameters changed by orders of magnitude,
//! set to zero, to each other's value, or to the other sign.

use super::draw::Draw;
use stiction_lab::scenario::{Size, builtin, read};
use toml::{Table, Value};

/// A built-in scenario, and the settings that make it small.
const BUILT_IN: &[(&str, &[&str])] = &[
    ("elmer1997/stick_time_map", &["study.stick_slip_map.turns=1000"]),
    ("elmer1997/chaos", &["study.stick_slip_map.turns=1000"]),
    ("elmer1997/hopf_normal_form", &[]),
    ("elmer1997/overdamped", &[]),
    ("elmer1997/random_friction", &["campaign.realisations=5"]),
    ("elmer1997/oscillations", &["study.bifurcation.points=8"]),
    ("hu2021/crank", &[]),
    ("hu2021/fig14", &["study.crank_energies.points=3", "study.crank_energies.realisations=20"]),
    ("hu2021/fig3", &["study.field.maps=1", "study.field.realisations=10"]),
    ("hu2023_belt/deterministic", &["study.deterministic.samples=101"]),
    ("hu2023_belt/realisation", &["study.realisation.duration=20.0", "study.realisation.map_length=1.0"]),
    ("hu2023_belt/monte_carlo", &["study.monte_carlo.duration=20.0", "study.monte_carlo.realisations=2"]),
    ("hu2023_belt/limits", &["study.limits.points=20"]),
    ("hu2023_belt/limit_surface", &["study.limit_surface.parallels=2", "study.limit_surface.meridians=8"]),
    ("hu2023_belt/sensitivity", &["study.sensitivity.duration=20.0", "study.sensitivity.realisations=1"]),
    ("hu2023_disc/equilibrium", &[]),
    ("hu2023_disc/hopf", &["study.hopf.points=30", "study.hopf.curve={parameter=\"drive_speed\",from=3.5,to=4.5}"]),
    ("hu2023_disc/transient", &["study.transient.duration=20.0", "study.transient.sample_times=[1.0,20.0]"]),
    ("hu2023_disc/fig5", &["study.stability_map.x.points=4", "study.stability_map.y.points=4"]),
    ("szalai2014/two_fold", &[]),
    ("szalai2014/two_folds", &[]),
    ("szalai2014/evaluate", &[]),
    ("szalai2014/itinerary", &[]),
    ("szalai2014/run", &["study.itinerary.duration_tau=20.0"]),
    ("szalai2014/line_structure", &[]),
    ("szalai2014/return_map", &[]),
    ("szalai2014/tyre", &[]),
    ("szalai2014/smooth", &["study.smooth.realisations=2", "study.smooth.duration_tau=1.0"]),
    ("szalai2014/random_cases", &["campaign.realisations=5"]),
];

/// A changed built-in scenario.
pub(crate) fn mutant(draw: &mut Draw) -> String {
    let (name, settings) = draw.pick(BUILT_IN);
    let mut scenario = small(name, settings);
    if let Some(Value::Table(system)) = scenario.get_mut("system") {
        let rate = draw.pick(&[0.0, 0.1, 0.1, 0.3]);
        let mut numbers = Vec::new();
        collect(&Value::Table(system.clone()), &mut numbers);
        for (_, value) in system.iter_mut() {
            change(value, draw, rate, &numbers);
        }
        let moves = !system.contains_key("planar_sliding");
        if moves && draw.chance(GENERAL) {
            scenario.insert("study".to_owned(), general(draw));
        }
    }
    scenario.to_string()
}

/// Part of the mechanisms that are asked a question that suits all of them.
const GENERAL: f64 = 0.3;

/// A study of anything that moves.
fn general(draw: &mut Draw) -> Value {
    let study = if draw.chance(0.7) {
        format!("trajectory = {{ duration = {:e}, samples = 51 }}", draw.log(0.1, 100.0))
    } else {
        "equilibrium = {}".to_owned()
    };
    Value::Table(study.parse().expect("TOML"))
}

/// The resolved scenario of a built-in, small, without pictures and claims.
fn small(name: &str, settings: &[&str]) -> Table {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let source = builtin(name).expect("the name of a built-in scenario").source();
    let scenario = read(source, &settings, Size::Quick).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    let resolved = scenario.resolved().expect("what was read can be written");
    let mut table: Table = resolved.text.parse().expect("TOML");
    // the solver has defaults of its own; in other units they are others
    for part in ["solver", "figure", "claim", "reduced"] {
        table.remove(part);
    }
    table
}

fn collect(value: &Value, numbers: &mut Vec<f64>) {
    match value {
        Value::Float(number) => numbers.push(*number),
        Value::Array(items) => items.iter().for_each(|item| collect(item, numbers)),
        Value::Table(table) => table.values().for_each(|value| collect(value, numbers)),
        _ => {}
    }
}

fn change(value: &mut Value, draw: &mut Draw, rate: f64, others: &[f64]) {
    match value {
        Value::Float(number) if draw.chance(rate) => {
            *number = match draw.below(10) {
                0 => 0.0,
                1 => -*number,
                2 => draw.pick(others),
                3 => *number * draw.log(1e-12, 1e12),
                4..7 => *number * draw.log(1e-3, 1e3),
                _ => *number * draw.log(0.3, 3.0),
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| change(item, draw, rate, others)),
        Value::Table(table) => table.iter_mut().for_each(|(_, value)| change(value, draw, rate, others)),
        _ => {}
    }
}
