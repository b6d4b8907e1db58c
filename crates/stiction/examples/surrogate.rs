//! Would a cheap model of one degree of freedom help the Monte Carlo of the disc as a control variate? It feels the mean
//! coefficient under the disc along the belt, in the same realisation, and neither turns nor leaves the line.
//!
//! ```text
//! estimate   mean(full) + β (mean of many cheap runs − mean(cheap)),   β by regression
//! its cost   for the same error, relative to plain Monte Carlo: (√(1 − ρ²) + √(r ρ²))²
//! ρ          correlation of both answers over realisations;   r = cost of a cheap run / cost of a full run
//! ```
//! `cargo run --release -p stiction --example surrogate [realisations]`: it pays where the last column is well below one.

use rayon::prelude::*;
use std::time::{Duration, Instant};
use stiction::analysis::belt_disc::{Model, PeakToValley, Setting, StickMeasure};
use stiction::field::{Germ, LengthChoice};
use stiction::system::BeltDisc;

/// Places on the belt per radius at which the mean under the disc is known.
const PER_RADIUS: f64 = 10.0;
const STEP: f64 = 5e-3;

fn main() {
    let realisations = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(200);
    println!("{:>6} {:>14} {:>8} {:>8} {:>14}", "l/R", "quantity", "ρ", "r", "relative cost");
    for ratio in [0.2, 1.0, 5.0, 25.0] {
        let mut disc = BeltDisc::default();
        disc.field.correlation_length = Some(LengthChoice::Isotropic(ratio * disc.radius));
        report(ratio, &disc, realisations);
    }
}

fn report(ratio: f64, disc: &BeltDisc, realisations: u64) {
    let setting = Setting::default();
    let model = Model::new(disc, None, setting.duration).expect("a model");
    let pairs: Vec<_> = (0..realisations)
        .into_par_iter()
        .filter_map(|index| {
            let germ = Germ::new(1, index);
            let (run, full_time) = timed(|| model.run(&germ, &setting).ok());
            let (cheap, cheap_time) = timed(|| cheap(&model, disc, &germ, setting.duration));
            let run = run?;
            let displacement = mean(&run.peak_to_valley_displacement(PeakToValley::default()))?;
            let stick = run.stick_fraction(StickMeasure::default())?;
            let (cheap_displacement, cheap_stick) = cheap?;
            Some(([displacement, stick], [cheap_displacement, cheap_stick], [full_time, cheap_time]))
        })
        .collect();
    let cost = |which: usize| pairs.iter().map(|pair| pair.2[which].as_secs_f64()).sum::<f64>();
    let r = cost(1) / cost(0);
    for (which, name) in ["displacement", "stick fraction"].into_iter().enumerate() {
        let both: Vec<(f64, f64)> = pairs.iter().map(|pair| (pair.0[which], pair.1[which])).collect();
        let rho = correlation(&both);
        let relative = ((1.0 - rho * rho).sqrt() + (r * rho * rho).sqrt()).powi(2);
        println!("{ratio:>6} {name:>14} {rho:>8.3} {r:>8.3} {relative:>14.2}");
    }
}

#[allow(clippy::disallowed_methods, reason = "a measurement of time needs a clock")]
fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let began = Instant::now();
    let result = work();
    (result, began.elapsed())
}

/// Mean of max x − min x of a cycle \[m\] and the share of time in stick after the first breakaway.
fn cheap(model: &Model, disc: &BeltDisc, germ: &Germ, duration: f64) -> Option<(f64, f64)> {
    let along = track(model, disc, germ, duration)?;
    let weight = disc.mass * disc.gravity;
    let spacing = disc.radius / PER_RADIUS;
    let friction = |place: f64| {
        let at = (-place / spacing + PER_RADIUS * 4.0).clamp(0.0, along.len() as f64 - 2.0);
        let (low, share) = (at.floor() as usize, at - at.floor());
        weight * (along[low] + share * (along[low + 1] - along[low]))
    };
    let acceleration =
        |t: f64, x: f64| (disc.kinetic_ratio * friction(x - disc.belt_speed * t) - disc.stiffness * x) / disc.mass;
    let (mut t, mut x, mut v, mut sticks) = (0.0, 0.0, disc.belt_speed, true);
    let (mut widths, mut stuck, mut from) = (Vec::new(), 0.0, None);
    let mut extremes = [f64::INFINITY, f64::NEG_INFINITY];
    while t < duration {
        if sticks {
            let limit = friction(x - disc.belt_speed * t) / disc.stiffness;
            let wait = ((limit - x) / disc.belt_speed).max(0.0).min(duration - t);
            if from.is_some() {
                stuck += wait;
                widths.push(limit - extremes[0]);
            }
            (t, x) = (t + wait, limit);
            from = from.or(Some(t));
            extremes = [x, x];
            // just below the speed of the belt
            v = disc.belt_speed - 1e-9;
        }
        let middle = v + 0.5 * STEP * acceleration(t, x);
        x += STEP * middle;
        v = middle + 0.5 * STEP * acceleration(t + STEP, x);
        t += STEP;
        extremes = [extremes[0].min(x), extremes[1].max(x)];
        sticks = v >= disc.belt_speed;
    }
    let from = from?;
    Some((mean(&widths)?, stuck / (duration - from)))
}

/// Mean coefficient under the disc at places along the belt, from four radii behind the start.
fn track(model: &Model, disc: &BeltDisc, germ: &Germ, duration: f64) -> Option<Vec<f64>> {
    let spacing = disc.radius / PER_RADIUS;
    let places = ((disc.belt_speed * duration + 8.0 * disc.radius) / spacing) as i64;
    let half = PER_RADIUS as i64;
    let rows: Vec<f64> = (-half..=half).map(|row| row as f64 * spacing).collect();
    let line = |i: i64, y: f64| [4.0 * disc.radius - i as f64 * spacing, y];
    let points: Vec<[f64; 2]> = (-half..places + half).flat_map(|i| rows.iter().map(move |y| line(i, *y))).collect();
    let values = model.coefficients(germ, &points).ok()?;
    let inside = |i: i64, y: f64| (i as f64 * spacing).powi(2) + y * y <= disc.radius * disc.radius;
    let under = |place: i64| {
        let (mut sum, mut count) = (0.0, 0.0);
        for i in -half..=half {
            let start = (place + i + half) as usize * rows.len();
            for (_, value) in rows.iter().zip(&values[start..]).filter(|(y, _)| inside(i, **y)) {
                sum += value;
                count += 1.0;
            }
        }
        sum / count
    };
    Some((0..places - half).map(under).collect())
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let count = pairs.len() as f64;
    let (a, b) = pairs.iter().fold((0.0, 0.0), |(a, b), pair| (a + pair.0 / count, b + pair.1 / count));
    let sum = |of: fn((f64, f64)) -> f64| pairs.iter().map(|pair| of((pair.0 - a, pair.1 - b))).sum::<f64>();
    sum(|(x, y)| x * y) / (sum(|(x, _)| x * x) * sum(|(_, y)| y * y)).sqrt()
}
