//! Fields that vary faster than the contact resolves: means over cells stand for them.

use stiction::analysis::belt_disc::{BeltModel, Setting};
use stiction::field::Germ;
use stiction::patch::FrozenPatch;
use stiction::system::BeltDisc;

const REALISATIONS: u64 = 150;

fn disc(length: f64, keys: &str) -> BeltDisc {
    let field = format!(r#"{{"mean": 0.5, "standard_deviation": 0.1, "correlation_length": {length}}}"#);
    serde_json::from_str(&format!(r#"{{"field": {field}{keys}}}"#)).unwrap()
}

/// Force along x of a translation, and torque of a turn about the rim, of each realisation.
fn wrenches(model: &BeltModel) -> Vec<[f64; 2]> {
    (0..REALISATIONS)
        .map(|index| {
            let wrench = |patch: &dyn FrozenPatch| {
                [patch.dissipation([1.0, 0.0, 0.0]).gradient[0], patch.dissipation([1.0, 0.0, 1.0]).gradient[2]]
            };
            model.patch(&Germ::new(3, index), [0.013, -0.007], wrench).unwrap()
        })
        .collect()
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.sum::<f64>() / REALISATIONS as f64
}

/// The rim is smeared over a cell: of order √(H/R) of the fluctuation changes, and of order H/R of its size.
#[test]
fn means_over_cells_leave_the_friction_and_its_spread() {
    let coarse = BeltModel::new(&disc(0.01, ""), None, 0.1).unwrap();
    let fine = BeltModel::new(&disc(0.01, r#", "cells_per_radius": 150"#), None, 0.1).unwrap();
    assert!(coarse.points() < 13_000 && fine.points() > 70_000, "{} and {}", coarse.points(), fine.points());
    let (coarse, fine) = (wrenches(&coarse), wrenches(&fine));
    for part in 0..2 {
        let level = mean(fine.iter().map(|wrench| wrench[part]));
        let spread = |of: &[[f64; 2]]| mean(of.iter().map(|wrench| (wrench[part] - level).powi(2))).sqrt();
        let difference = mean(coarse.iter().zip(&fine).map(|(a, b)| (a[part] - b[part]).powi(2))).sqrt();
        let bias = mean(coarse.iter().zip(&fine).map(|(a, b)| a[part] - b[part]));
        assert!(difference < 0.15 * spread(&fine), "{part}: {difference} of {}", spread(&fine));
        assert!(bias.abs() < 0.02 * spread(&fine), "{part}: {bias} of {}", spread(&fine));
        assert!((spread(&coarse) / spread(&fine) - 1.0).abs() < 0.02, "{part}");
    }
}

#[test]
fn the_field_itself_is_shown_and_not_its_means() {
    let points: Vec<[f64; 2]> = (0..40).map(|k| [-0.31 + 0.017 * f64::from(k), 0.01 * f64::from(k % 7)]).collect();
    let shown = |keys: &str| BeltModel::new(&disc(0.005, keys), None, 0.1).unwrap();
    let [averaged, plain] =
        ["", r#", "cells_per_radius": 400"#].map(|keys| shown(keys).coefficients(&Germ::new(3, 1), &points));
    for ((point, a), b) in points.iter().zip(averaged.unwrap()).zip(plain.unwrap()) {
        assert!((a - b).abs() < 2e-3, "{point:?}: {a} and {b}");
    }
}

#[test]
fn a_field_that_needs_too_many_nodes_is_refused() {
    // a sixtieth of the radius is at most sixty steps of a third of the length
    assert!(BeltModel::new(&disc(0.000_42, ""), None, 0.1).is_ok());
    let message = BeltModel::new(&disc(0.000_41, ""), None, 0.1).unwrap_err().to_string();
    assert!(message.contains("grid_step") && message.contains("at most 4000000 nodes"), "{message}");
}

#[test]
fn a_mirrored_belt_and_an_even_number_of_parts_are_as_good() {
    let setting = Setting { duration: 6.0, ..Setting::default() };
    for length in [0.01, 0.013] {
        let run = |keys: &str| {
            let model = BeltModel::new(&disc(length, keys), None, setting.duration).unwrap();
            let run = model.run(&Germ::new(5, 2), &setting).unwrap();
            let last = *run.turning_points.last().unwrap();
            [last.time, last.displacement]
        };
        for speed in [0.6, -0.6] {
            let averaged = run(&format!(r#", "belt_speed": {speed}"#));
            let plain = run(&format!(r#", "belt_speed": {speed}, "cells_per_radius": {}"#, 1.5 / length));
            for (a, b) in averaged.iter().zip(plain) {
                assert!((a - b).abs() < 3e-3 * (1.0 + b.abs()), "l = {length} m, {speed} m/s: {a} and {b}");
            }
        }
    }
}
