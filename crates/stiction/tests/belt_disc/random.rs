//! The disc on random belts: balance of energy, a second quadrature, measured maps, and the statistics at both ends of the
//! range of correlation lengths.

use stiction::analysis::Silent;
use stiction::analysis::belt_disc::{
    BeltModel, BeltRun, Estimate, LargeLength, PeakToValley, Phase, Pooling, Setting, SmallLength, StickMeasure,
    UniformBelt, UniformStart, ensemble,
};
use stiction::field::{FieldDescription, Germ, Grid, InterpolationChoice, Lattice, RandomField, Surface};
use stiction::integrate::Tolerance;
use stiction::num::real::{cos, sin};
use stiction::patch::limit_body::gauge;
use stiction::system::BeltDisc;

const RADIUS: f64 = 0.5;

fn read(text: &str) -> BeltDisc {
    serde_json::from_str(text).unwrap()
}

/// The disc of Table 1 of the paper with this l/R.
fn disc(ratio: f64, keys: &str) -> BeltDisc {
    let length = RADIUS * ratio;
    let field = format!(r#"{{"mean": 0.5, "standard_deviation": 0.1, "correlation_length": {length}}}"#);
    read(&format!(r#"{{"field": {field}{keys}}}"#))
}

fn belt() -> UniformBelt {
    UniformBelt::new(10.0, 30.0, 0.2, 9.81, 0.5, 0.9).unwrap()
}

fn random_field(disc: &BeltDisc) -> RandomField {
    match disc.description().unwrap() {
        FieldDescription::Random(random) => *random,
        other => panic!("{other:?} is not random"),
    }
}

fn runs(disc: &BeltDisc, count: u64, setting: &Setting) -> Vec<BeltRun> {
    let model = BeltModel::new(disc, None, setting.duration).unwrap();
    let rows = ensemble(&model, 1, 0..count, setting, &Silent).unwrap();
    rows.into_iter().map(|row| row.run.unwrap()).collect()
}

#[test]
fn the_belt_gives_what_friction_takes_and_the_spring_stores() {
    for ratio in [0.02, 0.2, 1.0, 30.0] {
        let tolerance = Tolerance { relative: 1e-7, absolute: 1e-9 };
        let setting = Setting { duration: 25.0, tolerance, ..Setting::default() };
        for run in runs(&disc(ratio, ""), 2, &setting) {
            let [x, y, _, u, v, w] = run.end_state;
            // m R²/2 of a disc
            let stored =
                0.5 * 30.0 * (x * x + y * y) + 0.5 * 10.0 * (u * u + v * v) + 0.25 * 10.0 * RADIUS * RADIUS * w * w;
            let balance = run.belt_work - run.dissipated - stored;
            assert!(balance.abs() < 3e-5 * run.belt_work, "l/R = {ratio}: {balance} of {}", run.belt_work);
            assert!(run.dissipated > 0.0 && run.events.len() > 2);
        }
    }
}

#[test]
fn polar_nodes_and_a_lattice_see_the_same_random_field() {
    let tolerance = Tolerance { relative: 1e-7, absolute: 1e-9 };
    let setting = Setting { duration: 20.0, tolerance, ..Setting::default() };
    let [lattice, polar] = [r#", "cells_per_radius": 60"#, r#", "quadrature": "polar""#]
        .map(|keys| runs(&disc(0.6, keys), 1, &setting).remove(0));
    assert!(lattice.events.len() >= 5);
    assert_eq!(lattice.events.len(), polar.events.len());
    for (a, b) in lattice.events.iter().zip(&polar.events) {
        assert_eq!(a.kind, b.kind);
        assert!((a.time - b.time).abs() < 5e-4 && (a.displacement - b.displacement).abs() < 1e-4, "{a:?} {b:?}");
    }
}

#[test]
fn a_disc_that_starts_stuck_breaks_away_where_its_patch_yields() {
    let disc = disc(0.4, r#", "start": "stuck""#);
    let setting = Setting { duration: 12.0, ..Setting::default() };
    let model = BeltModel::new(&disc, None, setting.duration).unwrap();
    let germ = Germ::new(1, 4);
    let run = model.run(&germ, &setting).unwrap();
    let first = run.events[0];
    assert_eq!((run.start, first.kind), (Phase::Stick, Phase::Slip));
    // it has moved with the belt and stands on the same place of it
    assert!((first.displacement - 0.2 * first.time).abs() < 1e-12);
    // spring over static friction of a unit coefficient
    let pull = |time: f64| 30.0 * 0.2 * time / (10.0 * 9.81);
    let yields = |time: f64| model.patch(&germ, [0.0, 0.0], |patch| gauge(patch, [pull(time), 0.0, 0.0])).unwrap();
    assert!((yields(first.time) - 1.0).abs() < 1e-8, "{}", yields(first.time));
    assert!((yields(0.5 * first.time) - 0.5).abs() < 1e-6);
}

#[test]
fn a_measured_map_moves_the_disc_like_the_formula_that_it_was_taken_from() {
    let step = 0.02;
    let grid = Grid::covering([-5.0, -0.8], [0.9, 0.8], [step; 2]).unwrap();
    let value = |[x, y]: [f64; 2]| 0.5 + 0.1 * cos(3.0 * x) * sin(2.0 * y);
    let values = (0..grid.points()).map(|place| value(grid.position(place))).collect();
    let map = Surface::new(&Lattice::positive(grid, values).unwrap(), InterpolationChoice::Cubic).unwrap();
    let setting = Setting { duration: 16.0, ..Setting::default() };
    let formula = read(r#"{"field": {"expression": "0.5 + 0.1*cos(3*x)*sin(2*y)"}, "cells_per_radius": 25}"#);
    let measured = read(r#"{"field": {"file": "map.csv"}, "cells_per_radius": 25}"#);
    let run = |disc: &BeltDisc, map: Option<&Surface>| {
        BeltModel::new(disc, map, setting.duration).unwrap().run(&Germ::new(0, 0), &setting).unwrap()
    };
    let (a, b) = (run(&formula, None), run(&measured, Some(&map)));
    assert!(a.events.len() >= 5 && a.events.len() == b.events.len(), "{} {}", a.events.len(), b.events.len());
    for (a, b) in a.events.iter().zip(&b.events) {
        assert!((a.time - b.time).abs() < 1e-4 && (a.rotation - b.rotation).abs() < 1e-4, "{a:?} {b:?}");
    }
}

/// What a run has of something, in units of the uniform belt.
type Quantity<'a> = &'a dyn Fn(&BeltRun) -> Option<f64>;

/// Number of standard errors that a false alarm takes: 6e-7 each.
const ALARM: f64 = 5.0;

#[test]
fn long_lengths_have_the_statistics_of_uniform_belts() {
    const COUNT: u64 = 80;
    let (belt, setting) =
        (belt(), Setting { tolerance: Tolerance { relative: 1e-5, absolute: 1e-7 }, ..Setting::default() });
    let disc = disc(2000.0, "");
    let limit = LargeLength::of(&belt, &random_field(&disc).marginal, UniformStart::Rest, setting.duration).unwrap();
    let cycle = belt.cycle().unwrap();
    let share = belt.raw_stick_fraction(UniformStart::Rest, setting.duration).unwrap();
    let found = runs(&disc, COUNT, &setting);
    let last = |list: Vec<f64>| list.last().copied();
    let of: [(Quantity<'_>, _); 3] = [
        (
            &|run| {
                last(run.peak_to_valley_displacement(PeakToValley::default()))
                    .map(|x| x / cycle.peak_to_valley_displacement)
            },
            limit.displacement,
        ),
        (
            &|run| last(run.peak_to_valley_force(PeakToValley::default())).map(|x| x / cycle.peak_to_valley_force),
            limit.force,
        ),
        (&|run| run.stick_fraction(StickMeasure::Raw).map(|x| x / share), limit.stick_raw),
    ];
    for (part, (value, limit)) in of.into_iter().enumerate() {
        let values: Vec<f64> = found.iter().filter_map(value).collect();
        assert_eq!(values.len() as u64, COUNT, "{part}");
        let n = COUNT as f64;
        let mean = values.iter().sum::<f64>() / n;
        let deviation = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
        let sigma = limit.standard_deviation;
        assert!((mean - limit.mean).abs() < ALARM * sigma / n.sqrt(), "{part}: {mean} not {}", limit.mean);
        // the fourth moment of these is at most 4.5 σ⁴
        assert!(
            (deviation - sigma).abs() < ALARM * sigma * (3.5 / (4.0 * n)).sqrt(),
            "{part}: {deviation} not {sigma}"
        );
    }
}

#[test]
fn short_lengths_have_the_spread_of_their_linear_limit() {
    let ratio = 0.01;
    let disc = disc(ratio, r#", "precision": "single""#);
    let tolerance = Tolerance { relative: 1e-5, absolute: 1e-7 };
    let setting = Setting { duration: 60.0, tolerance, ..Setting::default() };
    let limit = SmallLength::of(&belt(), RADIUS, &random_field(&disc)).unwrap();
    let cycle = belt().cycle().unwrap();
    let found = runs(&disc, 4, &setting);
    let spread = |lists: Vec<Vec<f64>>, unit: f64| {
        let estimate = Estimate::of(&lists, Pooling::PooledCycles).unwrap().over(unit);
        let count = lists.iter().map(Vec::len).sum::<usize>() as f64;
        (estimate.mean, estimate.standard_deviation.unwrap(), count)
    };
    let displacements = found.iter().map(|run| run.peak_to_valley_displacement(PeakToValley::default())).collect();
    let forces = found.iter().map(|run| run.peak_to_valley_force(PeakToValley::TurningPoints)).collect();
    for ((mean, found, count), slope) in [
        (spread(displacements, cycle.peak_to_valley_displacement), limit.displacement_slope()),
        (spread(forces, cycle.peak_to_valley_force), limit.force_slope()),
    ] {
        let wanted = slope * ratio;
        assert!(count > 40.0);
        assert!((mean - 1.0).abs() < ALARM * wanted / count.sqrt(), "{mean}");
        // neighbouring cycles share a breakaway: as if there were half of them
        assert!((found / wanted - 1.0).abs() < ALARM / count.sqrt(), "{found} not {wanted}");
    }
}
