//! Sample figures with areas, error bars, arrows and views of space.

use super::{Sample, sample};
use std::f64::consts::FRAC_PI_2;
use stiction::num::real::{cos, exp, pow, sin};
use stiction_lab::dataset::Table;

/// All samples of this file.
pub(crate) fn all() -> Vec<Sample> {
    vec![histogram(), ensemble(), measurements(), disc_flow(), log_map(), attractor(), cloud()]
}

/// A small generator of numbers between 0 and 1, the same on every machine.
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A histogram with the density that it should have.
pub(crate) fn histogram() -> Sample {
    let mut random = noise(7);
    let mut counts = [0.0; 24];
    for _ in 0..1500 {
        let sum: f64 = (0..12).map(|_| random()).sum::<f64>() - 6.0;
        let bin = ((0.3 + 0.05 * sum - 0.12) / 0.015).floor();
        if (0.0..24.0).contains(&bin) {
            counts[bin as usize] += 1.0 / 1500.0 / 0.015;
        }
    }
    let low: Vec<f64> = (0..24).map(|i| 0.12 + 0.015 * f64::from(i)).collect();
    let bins = Table::new("bins", "One row a bin.")
        .numbers("low", "m", "lower edge", low.clone())
        .numbers("high", "m", "upper edge", low.iter().map(|x| x + 0.015).collect())
        .numbers("density", "1/m", "probability density", counts.to_vec());
    let x: Vec<f64> = (0..=200).map(|i| 0.12 + 0.0018 * f64::from(i)).collect();
    let normal = |x: f64| exp(-0.5 * ((x - 0.3) / 0.05).powi(2)) / (0.05 * 2.506_628_274_631);
    let density = Table::new("density", "One row a place.")
        .numbers("amplitude", "m", "amplitude A", x.clone())
        .numbers("density", "1/m", "probability density", x.iter().map(|&x| normal(x)).collect());
    sample(
        "histogram",
        r#"
        bars = { table = "bins", low = "low", high = "high", y = "density", label = "1500 samples" }
        lines = { table = "density", x = "amplitude", y = "density", label = "normal density" }
        "#,
        vec![bins, density],
        None,
    )
}

/// Mean, standard deviation and extremes of two ensembles; a column of centres gives the second panel its bins.
pub(crate) fn ensemble() -> Sample {
    let (mut time, mut mean, mut low, mut high, mut least, mut most, mut kind) =
        (vec![], vec![], vec![], vec![], vec![], vec![], vec![]);
    for (word, shift) in [("rough", 0.0), ("polished", 0.8)] {
        for i in 0..=120 {
            let t = 0.1 * f64::from(i);
            let (m, s) = (sin(t + shift) * exp(-0.08 * t) + 1.5 * shift, 0.08 + 0.02 * t);
            time.push(t);
            mean.push(m);
            low.push(m - s);
            high.push(m + s);
            least.push(m - 2.2 * s);
            most.push(m + 2.6 * s);
            kind.push(word.to_owned());
        }
    }
    let table = Table::new("ensemble", "One row a time.")
        .numbers("time", "s", "time t", time)
        .numbers("mean", "mm", "mean displacement", mean)
        .numbers("low", "mm", "mean − deviation", low)
        .numbers("high", "mm", "mean + deviation", high)
        .numbers("least", "mm", "smallest", least)
        .numbers("most", "mm", "largest", most)
        .words("surface", "surface", kind);
    let centres: Vec<f64> = (0..12).map(|i| f64::from(i % 6) * 0.5).collect();
    let shares = [0.05, 0.2, 0.4, 0.25, 0.08, 0.02, 0.01, 0.09, 0.2, 0.3, 0.3, 0.1].to_vec();
    let words = (0..12).map(|i| if i < 6 { "rough" } else { "polished" }.to_owned()).collect();
    let shares = Table::new("shares", "One row a bin.")
        .numbers("time", "s", "stick time", centres)
        .numbers("share", "", "share of events", shares)
        .words("surface", "surface", words);
    sample(
        "ensemble",
        r#"
        [[panel]]
        heading = "(a) both ensembles"
        bands = { x = "time", low = "low", high = "high", color = "surface" }
        lines = { x = "time", y = "mean", color = "surface" }
        [[panel]]
        heading = "(b) one of them"
        bands = [
            { x = "time", low = "least", high = "most", only = { surface = "rough" }, label = "mean, deviation, extremes" },
            { x = "time", low = "low", high = "high", only = { surface = "rough" }, label = "mean, deviation, extremes" },
        ]
        lines = { x = "time", y = "mean", only = { surface = "rough" }, label = "mean, deviation, extremes" }
        [[panel]]
        heading = "(c) shares"
        bars = { table = "shares", x = "time", y = "share", color = "surface" }
        [[panel]]
        heading = "(d) logarithmic"
        y_axis = { scale = "log" }
        bars = { table = "shares", x = "time", y = "share", only = { surface = "polished" } }
        "#,
        vec![table, shares],
        None,
    )
}

/// Points with error bars and the curve of a model through them.
pub(crate) fn measurements() -> Sample {
    let speed: Vec<f64> = (0..9).map(|i| pow(10.0, -3.0 + 0.375 * f64::from(i))).collect();
    let law = |v: f64| 0.2 + 0.15 / (1.0 + v / 0.03);
    let mut random = noise(3);
    let friction: Vec<f64> = speed.iter().map(|&v| law(v) + 0.02 * (random() - 0.5)).collect();
    let spread: Vec<f64> = speed.iter().map(|_| 0.008 + 0.012 * random()).collect();
    let measured = Table::new("measured", "One row a speed.")
        .numbers("speed", "m/s", "sliding speed v", speed.clone())
        .numbers("friction", "", "friction coefficient µ", friction.clone())
        .numbers("spread", "", "standard deviation", spread.clone())
        .numbers("rest", "", "friction coefficient µ", speed.iter().map(|&v| 0.85 * law(v)).collect());
    let fine: Vec<f64> = (0..=100).map(|i| pow(10.0, -3.1 + 0.032 * f64::from(i))).collect();
    let curve = Table::new("law", "One row a speed.").numbers("speed", "m/s", "sliding speed v", fine.clone()).numbers(
        "friction",
        "",
        "friction coefficient µ",
        fine.iter().map(|&v| law(v)).collect(),
    );
    sample(
        "measurements",
        r#"
        x_axis = { scale = "log" }
        points = { table = "measured", x = "speed", y = "friction", error = "spread", label = "measured" }
        lines = [
            { table = "law", x = "speed", y = "friction", label = "law" },
            { table = "measured", x = "speed", y = "rest", error = "spread", label = "wet" },
        ]
        "#,
        vec![measured, curve],
        None,
    )
}

/// Pressure below a disc with its outline, and the sliding velocity of a disc that spins and slides.
pub(crate) fn disc_flow() -> Sample {
    let (mut x, mut y, mut pressure) = (vec![], vec![], vec![]);
    for row in 0..61 {
        for column in 0..61 {
            let (a, b) = (-30.0 + f64::from(column), -30.0 + f64::from(row));
            let radius = (a * a + b * b).sqrt();
            x.push(a);
            y.push(b);
            pressure.push(if radius > 30.0 { f64::NAN } else { 2.0 + 0.04 * a + 1.5 * exp(-radius / 12.0) });
        }
    }
    let map = Table::new("pressure", "One row a cell.").numbers("x", "mm", "x", x).numbers("y", "mm", "y", y).numbers(
        "pressure",
        "MPa",
        "pressure p",
        pressure,
    );
    let angle: Vec<f64> = (0..=120).map(|i| f64::from(i) * 0.052_359_877_56).collect();
    let rim = Table::new("rim", "One row a point of the rim.")
        .numbers("x", "mm", "x", angle.iter().map(|&t| 30.0 * cos(t)).collect())
        .numbers("y", "mm", "y", angle.iter().map(|&t| 30.0 * sin(t)).collect());
    let (mut a, mut b, mut u, mut v) = (vec![], vec![], vec![], vec![]);
    for row in -4..=4 {
        for column in -4..=4 {
            let (p, q) = (6.5 * f64::from(column), 6.5 * f64::from(row));
            if p * p + q * q < 28.0 * 28.0 {
                a.push(p);
                b.push(q);
                u.push(-2.0 * q);
                v.push(2.0 * p + 18.0);
            }
        }
    }
    let flow = Table::new("flow", "One row an arrow.")
        .numbers("x", "mm", "x", a)
        .numbers("y", "mm", "y", b)
        .numbers("u", "mm/s", "sliding velocity u", u)
        .numbers("v", "mm/s", "sliding velocity v", v);
    sample(
        "disc-flow",
        r#"
        equal = true
        map = { x = "x", y = "y", color = "pressure" }
        lines = { table = "rim", x = "x", y = "y", label = "rim" }
        arrows = { table = "flow", x = "x", y = "y", dx = "u", dy = "v", label = "sliding" }
        "#,
        vec![map, rim, flow],
        None,
    )
}

/// Numbers over three decades on logarithmic axes.
pub(crate) fn log_map() -> Sample {
    let (mut x, mut y, mut z) = (vec![], vec![], vec![]);
    for row in 0..45 {
        for column in 0..61 {
            let (a, b) = (-2.0 + 0.05 * f64::from(column), 0.05 * f64::from(row));
            x.push(pow(10.0, a));
            y.push(pow(10.0, b));
            z.push(pow(10.0, a - 0.5 * b + 0.4 * sin(3.0 * a) * cos(2.0 * b)));
        }
    }
    let table = Table::new("map", "One row a pair of parameters.")
        .numbers("speed", "m/s", "drive speed v₀", x)
        .numbers("stiffness", "N/m", "stiffness k", y)
        .numbers("time", "s", "time to rest", z);
    sample(
        "log-map",
        r#"
        x_axis = { scale = "log" }
        y_axis = { scale = "log" }
        map = { x = "speed", y = "stiffness", color = "time", scale = "log" }
        "#,
        vec![table],
        None,
    )
}

/// A curve on a torus from two directions, with the points at which it crosses a plane.
pub(crate) fn attractor() -> Sample {
    let at = |t: f64| {
        let radius = 1.0 + 0.4 * cos(1.618 * t);
        [radius * cos(t), radius * sin(t), 0.4 * sin(1.618 * t)]
    };
    let path: Vec<[f64; 3]> = (0..3000).map(|i| at(0.03 * f64::from(i))).collect();
    let column = |path: &[[f64; 3]], index: usize| path.iter().map(|p| p[index]).collect::<Vec<_>>();
    let table = Table::new("motion", "One row a sample.")
        .numbers("x", "m", "displacement x", column(&path, 0))
        .numbers("v", "m/s", "velocity v", column(&path, 1))
        .numbers("theta", "s", "state θ", column(&path, 2));
    let crossings: Vec<[f64; 3]> = (0..14).map(|i| at(FRAC_PI_2 * (2.0 * f64::from(i) + 1.0))).collect();
    let words = crossings.iter().map(|p| if p[1] > 0.0 { "upwards" } else { "downwards" }.to_owned()).collect();
    let section = Table::new("section", "One row a crossing.")
        .numbers("x", "m", "displacement x", column(&crossings, 0))
        .numbers("v", "m/s", "velocity v", column(&crossings, 1))
        .numbers("theta", "s", "state θ", column(&crossings, 2))
        .words("crossing", "crossing", words);
    sample(
        "attractor",
        r#"
        [[panel]]
        heading = "(a) from the front"
        [panel.space]
        lines = { x = "x", y = "v", z = "theta", label = "motion", size = 0.7 }
        points = { table = "section", x = "x", y = "v", z = "theta", color = "crossing" }
        [[panel]]
        heading = "(b) from above, equal units"
        equal = true
        [panel.space]
        azimuth = 30.0
        elevation = 60.0
        lines = { x = "x", y = "v", z = "theta", size = 0.7 }
        "#,
        vec![table, section],
        None,
    )
}

/// Few curves of two kinds, for a small file.
pub(crate) fn cloud() -> Sample {
    let (mut x, mut y, mut z, mut id, mut kind) = (vec![], vec![], vec![], vec![], vec![]);
    for branch in 0..4_i64 {
        for i in 0..=40 {
            let t = 0.15 * f64::from(i);
            let size = 0.5 + 0.25 * branch as f64;
            x.push(size * cos(t));
            y.push(size * sin(t));
            z.push(100.0 * t);
            id.push(branch);
            kind.push(if i < 20 { "stick" } else { "slip" }.to_owned());
        }
    }
    let table = Table::new("branches", "One row a point of a branch.")
        .numbers("x", "m", "x", x)
        .numbers("y", "m", "y", y)
        .numbers("force", "N", "force F", z)
        .integers("branch", "branch", id)
        .words("kind", "kind", kind);
    sample(
        "cloud",
        r#"
        [space]
        azimuth = -50.0
        lines = { x = "x", y = "y", z = "force", split = "branch", color = "kind" }
        "#,
        vec![table],
        None,
    )
}
