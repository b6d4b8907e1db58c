//! Measured maps: what they tell about the field behind them, and maps that are loops.

use stiction::field::{
    CorrelationOf, FieldModel, GeneratorChoice, Germ, Grid, InterpolationChoice, Lattice, MapStatistics, Realisations,
    Surface,
};
use stiction::num::real::cos;

fn synthetic(keys: &str, grid: &Grid, seed: u64) -> Lattice {
    let text = format!(r#"{{"mean": 0.5, "standard_deviation": 0.1, {keys}}}"#);
    let model: FieldModel = serde_json::from_str(&text).unwrap();
    let field = model.prepared(CorrelationOf::GaussianParent).unwrap();
    let made = Realisations::on_grid(&field, None, GeneratorChoice::Auto, grid).unwrap();
    let mut values = vec![0.0; grid.points()];
    made.fill(&Germ::new(seed, 0), &mut values).unwrap();
    Lattice::new(*grid, values).unwrap()
}

#[test]
fn estimates_of_synthetic_maps_are_right_within_their_errors() {
    let grid = Grid::new([3.0, -1.0], [0.1, 0.1], [90, 110]).unwrap();
    for (keys, lengths, exponent) in [
        (r#""correlation_length": 0.5"#, [0.5, 0.5], 2.0),
        (r#""correlation_length": [0.9, 0.35], "angle": 0.6"#, [0.9, 0.35], 2.0),
        (r#""correlation_length": 0.4, "correlation_exponent": 1.0"#, [0.4, 0.4], 1.0),
    ] {
        let (mut sum, mut size, mut square) = (0.0, 0.0, 0.0);
        let wanted = f64::sqrt(lengths[0] * lengths[1]);
        for seed in 0..6 {
            let found = MapStatistics::of(&synthetic(keys, &grid, seed)).unwrap();
            // the maps never change; 4.5 errors, which are known to a tenth, and the distortion of 1 % by the lognormal marginal
            let near = |found: f64, error: f64, wanted: f64| (found - wanted).abs() < 4.5 * error + 0.01 * wanted;
            assert!(near(found.mean.value, found.mean.error, 0.5), "{keys} {:?}", found.mean);
            let deviation = found.standard_deviation;
            assert!(near(deviation.value, deviation.error, 0.1), "{keys} {deviation:?}");
            assert!(near(found.length.value, found.length.error, wanted), "{keys} {:?}", found.length);
            assert!(near(found.exponent.value, found.exponent.error, exponent), "{keys} {:?}", found.exponent);
            if lengths[0] != lengths[1] {
                assert!(!found.isotropic && near(found.angle.value, found.angle.error, 0.6), "{:?}", found.angle);
                assert!(near(found.lengths[0].value, found.lengths[0].error, lengths[0]), "{:?}", found.lengths);
            }
            sum += found.length.value / wanted - 1.0;
            size += found.length.error / wanted;
            square += ((found.length.value - wanted) / found.length.error).powi(2);
        }
        // errors are neither too small nor too large: the sum of six squares is outside with a probability of 0.2 %
        assert!((0.38..22.5).contains(&square), "{keys}: {square}");
        // the bias is small against the error of one map: the mean of six has 0.41 of it, three times that is 1.2
        assert!((sum / 6.0).abs() < 1.2 * size / 6.0 + 0.01, "{keys}: {} {}", sum / 6.0, size / 6.0);
    }
}

#[test]
fn small_maps_and_coarse_maps_are_warned_about_and_flat_ones_refused() {
    let grid = Grid::new([0.0, 0.0], [0.1, 0.1], [30, 30]).unwrap();
    let small = MapStatistics::of(&synthetic(r#""correlation_length": 0.6"#, &grid, 1)).unwrap();
    assert!(small.warnings.iter().any(|warning| warning.contains("larger area")), "{:?}", small.warnings);
    assert!(small.patches < 40.0);
    let coarse = MapStatistics::of(&synthetic(r#""correlation_length": 0.15"#, &grid, 1)).unwrap();
    assert!(coarse.warnings.iter().any(|warning| warning.contains("finer step")), "{:?}", coarse.warnings);
    let flat = Lattice::new(grid, vec![0.5; 900]).unwrap();
    assert!(MapStatistics::of(&flat).is_err());
}

#[test]
fn a_loop_goes_on_smoothly_behind_its_last_column() {
    let length = 2.0;
    let wave = |x: f64, y: f64| 0.5 + 0.1 * cos(std::f64::consts::TAU * x / length) + 0.02 * y;
    let map = |columns: usize| {
        let grid = Grid::new([0.3, 0.0], [length / 80.0, 0.1], [columns, 6]).unwrap();
        let values = (0..grid.points()).map(|place| {
            let [x, y] = grid.position(place);
            wave(x, y)
        });
        Lattice::new(grid, values.collect()).unwrap()
    };
    for (kind, tolerance) in [
        // errors of interpolation: h⁴ × 0.1 (2π/L)⁴ × 7/1920 and h² × 0.1 (2π/L)²/8 with h = 0.025
        (InterpolationChoice::Cubic, 2e-8),
        (InterpolationChoice::Bilinear, 8e-5),
    ] {
        // without and with the first column once more at the end
        for columns in [80, 81] {
            let surface = Surface::periodic(&map(columns), kind).unwrap();
            assert!((surface.period().unwrap() - length).abs() < 1e-12);
            for k in -500..500 {
                let x = 0.0137 * f64::from(k);
                let value = surface.positive_at(x, 0.25).unwrap().value;
                assert!((value - wave(x, 0.25)).abs() < tolerance, "{kind:?} {columns} {x}: {value}");
            }
            assert!(surface.positive_at(0.0, 0.7).is_err());
        }
    }
}

#[test]
fn a_map_in_millimetres_is_noticed() {
    let grid = Grid::new([0.0, 0.0], [1.0, 1.0], [41, 21]).unwrap();
    let surface =
        Surface::positive(&Lattice::new(grid, vec![0.5; 861]).unwrap(), InterpolationChoice::Bilinear).unwrap();
    assert!(surface.unit_warning(0.02).unwrap().contains("larger") && surface.unit_warning(0.5).is_none());
    assert!(surface.unit_warning(5e4).unwrap().contains("smaller"));
    let told = surface.check_covers([-1.0, 0.0], [3.0, 4.0]).unwrap_err();
    assert!(told.contains("-1.000000 .. 3.000000") && told.contains("0.000000 .. 40.000000"), "{told}");
}
