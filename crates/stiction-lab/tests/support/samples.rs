//! Sample figures with the shapes that real runs have, for tests and for looking at them.

#[path = "layer_samples.rs"]
pub(crate) mod layers;

use stiction::num::real::{cos, exp, pow, sin};
use stiction_lab::dataset::Table;
use stiction_lab::figure::Figure;

/// A figure with its tables.
pub(crate) struct Sample {
    /// What it shows.
    pub(crate) name: &'static str,
    /// The entry of the scenario.
    pub(crate) figure: Figure,
    /// The tables of the run.
    pub(crate) tables: Vec<Table>,
    /// The note below the picture.
    pub(crate) note: Option<&'static str>,
}

fn sample(name: &'static str, figure: &str, tables: Vec<Table>, note: Option<&'static str>) -> Sample {
    let mut figure: Figure = toml::from_str(figure).expect("a sample figure is valid");
    figure.name = Some(name.to_owned());
    Sample { name, figure, tables, note }
}

/// All samples.
pub(crate) fn all() -> Vec<Sample> {
    let mut all =
        vec![history(), bifurcation(), portrait(), cobweb(), basin(), convergence(), heat(), panels(), long_history()];
    all.extend(layers::all());
    all
}

/// A stick-slip motion: two lines with different units.
pub(crate) fn history() -> Sample {
    let time: Vec<f64> = (0..=600).map(|i| f64::from(i) * 0.05).collect();
    let phase = |t: f64| t - (t / 6.0).floor() * 6.0;
    let displacement = |t: f64| {
        let p = phase(t);
        if p < 4.0 { -0.4 + 0.2 * p } else { 0.4 * cos((p - 4.0) * std::f64::consts::FRAC_PI_2) }
    };
    let x: Vec<f64> = time.iter().map(|&t| displacement(t)).collect();
    let v = time.iter().map(|&t| (displacement(t + 1e-6) - displacement(t)) * 1e6).collect();
    let table = Table::new("motion", "One row a sample.")
        .numbers("time", "s", "time t", time)
        .numbers("displacement", "m", "displacement x", x)
        .numbers("velocity", "m/s", "velocity v", v);
    sample("history", r#"lines = { x = "time", y = ["displacement", "velocity"] }"#, vec![table], None)
}

/// Branches of three kinds, stable and unstable, with markers some of which are close together.
pub(crate) fn bifurcation() -> Sample {
    let (mut speed, mut amplitude, mut branch, mut kind, mut stability) = (vec![], vec![], vec![], vec![], vec![]);
    let mut add = |id: i64, from: f64, to: f64, word: &str, stable: &str, shape: &dyn Fn(f64) -> f64| {
        for step in 0..=80 {
            let v = from + (to - from) * f64::from(step) / 80.0;
            speed.push(v);
            amplitude.push(shape(v));
            branch.push(id);
            kind.push(word.to_owned());
            stability.push(stable.to_owned());
        }
    };
    add(1, 0.01, 0.059, "CS", "stable", &|v| 0.62 - 0.9 * v);
    add(1, 0.059, 0.162, "CS", "unstable", &|v| 0.62 - 0.9 * v);
    add(1, 0.162, 1.25, "CS", "stable", &|v| 0.4742 + 0.05 * (v - 0.162));
    add(2, 0.059, 0.149, "OS", "stable", &|v| 0.5669 + 0.5 * (v - 0.059).sqrt());
    add(3, 0.082, 0.149, "OS", "unstable", &|v| 0.78 - 0.3 * (v - 0.149).abs().sqrt());
    add(4, 0.156, 0.42, "OS", "unstable", &|v| 0.5 + 0.9 * (v - 0.156).sqrt());
    add(5, 0.42, 0.9, "OS", "stable", &|v| 0.962 + 0.2 * (v - 0.42));
    add(6, 0.01, 0.3, "SS", "stable", &|v| 0.66 + 0.9 * v);
    add(7, 0.3, 1.2, "SS", "stable", &|v| 0.93 + 0.75 * (v - 0.3));
    add(8, 0.1, 1.2, "SS", "boundary", &|v| 0.45 + 0.95 * v);
    let table = Table::new("branches", "One row a point of a branch.")
        .numbers("drive_speed", "m/s", "drive speed v₀", speed)
        .numbers("maximum", "m", "largest displacement max x", amplitude)
        .integers("branch", "branch", branch)
        .words("kind", "kind", kind)
        .words("stability", "stability", stability);
    let marks: Vec<(f64, &str)> = vec![
        (0.059, "hopf"),
        (0.082, "fold"),
        (0.149, "type_1"),
        (0.162, "hopf"),
        (0.156, "type_2"),
        (0.3, "type_1"),
        (0.42, "fold"),
        (0.44, "overshoot"),
        (0.62, "type_1"),
        (0.9, "type_2"),
        (1.1, "overshoot"),
        (1.2, "type_1"),
    ];
    let events = Table::new("bifurcations", "One row a bifurcation.")
        .numbers("drive_speed", "m/s", "drive speed v₀", marks.iter().map(|mark| mark.0).collect())
        .words("kind", "kind", marks.iter().map(|mark| mark.1.to_owned()).collect());
    sample(
        "bifurcation",
        r#"
        title = "Attractors of a block with a two-slope law"
        width = "page"
        aspect = 0.5
        lines = { table = "branches", x = "drive_speed", y = "maximum", split = "branch", color = "kind", style = "stability" }
        markers = { table = "bifurcations", x = "drive_speed", text = "kind" }
        "#,
        vec![table, events],
        Some("quick run: 80 points a branch"),
    )
}

/// A motion that winds onto its limit cycle.
pub(crate) fn portrait() -> Sample {
    let time: Vec<f64> = (0..4000).map(|i| f64::from(i) * 0.01).collect();
    let radius = |t: f64| 0.05 + 0.03 * (1.0 - exp(-0.15 * t));
    let table = Table::new("motion", "One row a sample.")
        .numbers("time", "s", "time t", time.clone())
        .numbers("displacement", "m", "displacement x", time.iter().map(|&t| radius(t) * cos(t)).collect())
        .numbers("velocity", "m/s", "velocity v", time.iter().map(|&t| -radius(t) * sin(t)).collect());
    sample(
        "portrait",
        "equal = true\nhorizontal = [0.0]\nlines = { x = \"displacement\", y = \"velocity\", size = 0.7 }",
        vec![table],
        None,
    )
}

/// A map of an interval with its diagonal and a chaotic orbit.
pub(crate) fn cobweb() -> Sample {
    let map = |x: f64| 3.8 * x * (1.0 - x);
    let x: Vec<f64> = (0..=200).map(|i| f64::from(i) / 200.0).collect();
    let curve = Table::new("map", "One row a point of the map.")
        .numbers("stick_time", "s", "stick time Tₙ", x.clone())
        .numbers("next_stick_time", "s", "next stick time Tₙ₊₁", x.iter().map(|&x| map(x)).collect());
    let (mut a, mut b, mut here) = (vec![0.3], vec![0.0], 0.3);
    for _ in 0..25 {
        let next = map(here);
        a.extend([here, next]);
        b.extend([next, next]);
        here = next;
    }
    let orbit = Table::new("orbit", "Corners of the cobweb.").numbers("stick_time", "s", "stick time Tₙ", a).numbers(
        "next_stick_time",
        "s",
        "next stick time Tₙ₊₁",
        b,
    );
    sample(
        "cobweb",
        r#"
        equal = true
        diagonal = true
        x_axis = { range = [0.0, 1.0] }
        y_axis = { range = [0.0, 1.0] }
        lines = [
            { table = "map", x = "stick_time", y = "next_stick_time", label = "map", size = 1.4 },
            { table = "orbit", x = "stick_time", y = "next_stick_time", label = "orbit", size = 0.6 },
        ]
        "#,
        vec![curve, orbit],
        None,
    )
}

/// Which attractor a start leads to, with two curves above.
pub(crate) fn basin() -> Sample {
    let (mut x, mut v, mut class) = (vec![], vec![], vec![]);
    for row in 0..200 {
        for column in 0..200 {
            let (a, b) = (-1.0 + f64::from(column) * 0.01, -0.8 + f64::from(row) * 0.008);
            let twist = a * a + b * b + 0.25 * sin(7.0 * a + 4.0 * b);
            x.push(a);
            v.push(b);
            class.push(
                if twist < 0.25 {
                    "CS"
                } else if twist < 0.7 {
                    "OS"
                } else {
                    "SS"
                }
                .to_owned(),
            );
        }
    }
    let table = Table::new("basins", "One row a start.")
        .numbers("displacement", "m", "displacement x", x)
        .numbers("velocity", "m/s", "velocity v", v)
        .words("attractor", "attractor", class);
    let circle = |radius: f64| {
        (0..=100).map(move |i| f64::from(i) * 0.062_831_853).map(move |t| (radius * cos(t), radius * sin(t)))
    };
    let cycles: Vec<(f64, f64)> = circle(0.35).chain(circle(0.75)).collect();
    let cycle = Table::new("cycles", "One row a point of a cycle.")
        .numbers("displacement", "m", "displacement x", cycles.iter().map(|p| p.0).collect())
        .numbers("velocity", "m/s", "velocity v", cycles.iter().map(|p| p.1).collect())
        .integers("cycle", "cycle", (0..202).map(|i| i / 101).collect())
        .words(
            "stability",
            "stability",
            (0..202).map(|i| if i < 101 { "unstable" } else { "stable" }.to_owned()).collect(),
        );
    sample(
        "basin",
        r#"
        map = { x = "displacement", y = "velocity", color = "attractor" }
        lines = { table = "cycles", x = "displacement", y = "velocity", split = "cycle", style = "stability", label = "cycle" }
        "#,
        vec![table, cycle],
        None,
    )
}

/// Errors of two methods on logarithmic axes.
pub(crate) fn convergence() -> Sample {
    let step: Vec<f64> = (0..12).map(|i| pow(10.0, -f64::from(i) * 0.25)).collect();
    let table = Table::new("errors", "One row a step size.")
        .numbers("step", "s", "step h", step.clone())
        .numbers("fourth", "m", "order 4", step.iter().map(|&h| 0.1 * pow(h, 4.0)).collect())
        .numbers("eighth", "m", "order 8", step.iter().map(|&h| (0.02 * pow(h, 8.0)).max(2e-16)).collect());
    sample(
        "convergence",
        r#"
        x_axis = { scale = "log" }
        y_axis = { scale = "log", label = "error" }
        lines = { x = "step", y = ["fourth", "eighth"] }
        points = { x = "step", y = ["fourth", "eighth"] }
        "#,
        vec![table],
        None,
    )
}

/// Numbers on a grid with a colour bar.
pub(crate) fn heat() -> Sample {
    let (mut x, mut y, mut z) = (vec![], vec![], vec![]);
    for row in 0..40 {
        for column in 0..60 {
            let (a, b) = (f64::from(column) * 0.02, f64::from(row) * 5.0);
            x.push(a);
            y.push(b);
            z.push(if a + b / 200.0 > 1.9 { f64::NAN } else { 2e-3 * sin(6.0 * a) * exp(-b / 120.0) });
        }
    }
    let table = Table::new("map", "One row a pair of parameters.")
        .numbers("drive_speed", "m/s", "drive speed v₀", x)
        .numbers("load", "N", "normal load N", y)
        .numbers("growth", "1/s", "growth rate σ", z);
    sample("heat", r#"map = { x = "drive_speed", y = "load", color = "growth" }"#, vec![table], None)
}

/// Four panels with headings.
pub(crate) fn panels() -> Sample {
    let mut tables = history().tables;
    tables.extend(portrait().tables.into_iter().map(|mut table| {
        table.name = "cycle".to_owned();
        table
    }));
    sample(
        "panels",
        r#"
        title = "The same motion, four times"
        [[panel]]
        heading = "(a) displacement"
        lines = { x = "time", y = "displacement" }
        [[panel]]
        heading = "(b) velocity"
        lines = { x = "time", y = "velocity" }
        [[panel]]
        heading = "(c) both, for three seconds"
        x_axis = { range = [2.0, 5.0] }
        lines = { x = "time", y = ["displacement", "velocity"] }
        [[panel]]
        heading = "(d) phase plane"
        lines = { table = "cycle", x = "displacement", y = "velocity" }
        "#,
        tables,
        None,
    )
}

/// A hundred thousand samples of a modulated oscillation.
pub(crate) fn long_history() -> Sample {
    let time: Vec<f64> = (0..100_000).map(|i| f64::from(i) * 0.01).collect();
    let x = time.iter().map(|&t| 1e-4 * (1.0 + 0.5 * sin(0.02 * t)) * sin(9.0 * t)).collect();
    let table = Table::new("motion", "One row a sample.").numbers("time", "s", "time t", time).numbers(
        "displacement",
        "m",
        "displacement x",
        x,
    );
    sample("long-history", r#"lines = { x = "time", y = "displacement" }"#, vec![table], None)
}
