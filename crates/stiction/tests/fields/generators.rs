//! Generators with a fixed domain: what their embeddings and factors are, without sampling.

use stiction::field::generator::{
    Circulant, Cutoff, DEFAULT_MEMORY, Embedding, Gaussian, GeneratorError, Negative, PointFactor, Projected,
    Separable, WHOLE,
};
use stiction::field::{Correlation, Family, Germ, Grid, Purpose};
use stiction::num::real::exp;

fn grid(step: [f64; 2], count: [usize; 2]) -> Grid {
    Grid::new([0.0; 2], step, count).unwrap()
}

fn gaussian(x: f64, y: f64) -> f64 {
    exp(-x * x - y * y)
}

fn exponential(x: f64, y: f64) -> f64 {
    exp(-(x * x + y * y).sqrt())
}

/// exp(−r³): no correlation in any domain.
fn invalid(x: f64, y: f64) -> f64 {
    let square = x * x + y * y;
    exp(-square * square.sqrt())
}

fn largest_deviation(covariance: &[f64], grid: &Grid, correlation: &dyn Fn(f64, f64) -> f64) -> f64 {
    let origin = grid.origin();
    covariance.iter().enumerate().fold(0.0, |worst, (place, found)| {
        let [x, y] = grid.position(place);
        f64::max(worst, (found - correlation(x - origin[0], y - origin[1])).abs())
    })
}

#[test]
fn the_negative_mass_of_a_gaussian_falls_as_known_with_the_half_period() {
    // eigenvalues in 40 digits, four points per length: half period in lengths, negative mass, smallest eigenvalue
    for (c, mass, smallest) in [
        (3.0, 3.621_146_507_04e-5, -6.666_027_361_72e-4),
        (4.0, 2.781_983_875_25e-8, -6.444_051_112_28e-7),
        (5.0, 1.781_373_482_22e-12, -8.425_139_751_12e-11),
    ] {
        // what is tolerated is reported
        let embedding = Embedding { tolerance: 1e-4, ..Embedding::new(1.0, c) };
        let report = *Circulant::new(&grid([0.25; 2], [5, 4]), &gaussian, &embedding).unwrap().report();
        assert!((report.negative_mass / mass - 1.0).abs() < 1e-4, "{report:?}");
        // the transform is good to about 1e-15 of the largest eigenvalue, 50
        assert!((report.smallest - smallest).abs() < 1e-13 + 1e-9 * smallest.abs(), "{report:?}");
        assert_eq!((report.half_period, report.clipped_mass), ([c; 2], report.negative_mass));
    }
    let report = *Circulant::new(&grid([0.25; 2], [5, 4]), &gaussian, &Embedding::new(1.0, 6.0)).unwrap().report();
    assert!(report.negative_mass < 1e-14 && report.clipped_mass == report.negative_mass);
}

#[test]
fn adaptive_padding_gives_the_covariance_to_its_tolerance() {
    let turned = Correlation { family: Family::PowerExponential { exponent: 2.0 }, length: [1.0, 0.4], angle: 0.5 };
    let rough = Correlation::isotropic(Family::PowerExponential { exponent: 1.0 }, 0.3);
    let middle = Correlation::isotropic(Family::PowerExponential { exponent: 1.5 }, 0.5);
    for (correlation, reach) in [(Correlation::gaussian(1.0), 5.0), (turned, 5.0), (rough, 8.0), (middle, 8.0)] {
        for grid in [grid([0.2, 0.25], [40, 7]), grid([0.2; 2], [6, 60]), grid([0.25; 2], [1, 50])] {
            let length = correlation.length[0];
            let function = |x: f64, y: f64| correlation.at(x, y);
            let circulant = Circulant::new(&grid, &function, &Embedding::new(length, reach)).unwrap();
            let report = circulant.report();
            assert!(report.negative_mass <= 1e-12 && report.covariance_error <= 1e-12, "{report:?}");
            let deviation = largest_deviation(&circulant.covariance(), &grid, &function);
            assert!(deviation < 2e-12, "{correlation:?} {grid:?}: {deviation:e}");
        }
    }
}

#[test]
fn the_torus_is_only_as_large_as_needed() {
    // 512 points of 0.2 l: the correlation is gone after 5.3 l, 27 points; the next smooth size is 540
    let report = *Circulant::new(&grid([0.2; 2], [512, 100]), &gaussian, &Embedding::new(1.0, 5.0)).unwrap().report();
    assert_eq!(report.size, [540, 128]);
}

#[test]
fn long_correlations_end_at_the_limit_of_memory_with_advice() {
    let long = |x: f64, y: f64| exponential(x / 1e4, y / 1e4);
    let embedding = Embedding::new(1e4, 8.0);
    let message = Circulant::new(&grid([0.1; 2], [100, 50]), &long, &embedding).unwrap_err().to_string();
    for part in ["9.9", "4.9", "10000 m", "1024 MiB", "low_rank"] {
        assert!(message.contains(part), "{message}");
    }
    assert!(Circulant::new(&grid([0.1; 2], [4, 4]), &|_, _| f64::NAN, &embedding).is_err());
    assert!(Circulant::new(&grid([0.1; 2], [4, 4]), &|_, _| 0.5, &embedding).is_err());
    assert!(Circulant::new(&grid([0.1; 2], [4, 4]), &gaussian, &Embedding::new(f64::NAN, 8.0)).is_err());
    assert!(Circulant::new(&grid([0.1; 2], [4, 4]), &gaussian, &Embedding::new(1.0, 1e300)).is_err());
}

#[test]
fn the_limit_of_memory_is_the_one_that_is_given_below_and_above_a_gibibyte() {
    let (less, more) = (1_u64 << 19, 3_u64 << 30);
    // 1000 points whose factor has 400 columns or so: 3 MiB
    let points: Vec<[f64; 2]> = (0..1000).map(|k| [f64::from(k % 40), f64::from(k / 40)]).collect();
    let factor =
        |memory: u64| PointFactor::unless(&|| false, memory, &points, &exponential, 0.2).map(|made| made.rank());
    let told = factor(less).unwrap_err().to_string();
    assert!(told.contains("above the limit of 0 MiB") && told.contains("larger `memory`"), "{told}");
    assert!(factor(1 << 24).unwrap() > 100);
    let cutoff = |memory: u64, points: usize| {
        let grid = grid([1e-4; 2], [points; 2]);
        Cutoff::unless(&|| false, memory, &grid, 10.0).map(|_| ()).unwrap_err().to_string()
    };
    for (memory, points, limit) in [(less, 200, "limit of 0 MiB"), (more, 5000, "limit of 3072 MiB")] {
        let told = cutoff(memory, points);
        assert!(told.contains(limit) && told.contains("larger `memory`"), "{told}");
    }
    let field = Separable::isotropic(1e-3).unwrap();
    let over = |memory: u64, side: f64| field.within(memory).over(&Germ::new(1, 0), [0.0; 2], [side; 2]).map(|_| ());
    for (memory, side, limit) in [(less, 0.3, "limit of 0 MiB"), (more, 8.0, "limit of 3072 MiB")] {
        let told = over(memory, side).unwrap_err().to_string();
        assert!(told.contains(limit) && told.contains("larger `memory`"), "{told}");
    }
    over(1 << 24, 0.3).unwrap();
}

#[test]
fn an_invalid_correlation_is_refused_and_projected_on_request_only() {
    let grid = grid([0.2; 2], [30, 20]);
    let embedding = Embedding { memory: 1 << 24, ..Embedding::new(1.0, 5.0) };
    assert!(Circulant::new(&grid, &invalid, &embedding).is_err());
    let projected = Embedding { negative: Negative::Project, ..embedding };
    let circulant = Circulant::new(&grid, &invalid, &projected).unwrap();
    let report = circulant.report();
    // numpy, on the same torus
    assert_eq!((report.size, report.negative_count), ([50, 50], 2179));
    assert!((report.smallest + 2.054_402_249_540).abs() < 1e-11, "{report:?}");
    assert!((report.negative_mass - 0.128_462_628_070_964).abs() < 1e-12, "{report:?}");
    assert!((report.projection_change - 0.124_316_841_784_666).abs() < 1e-12, "{report:?}");
    assert_eq!(report.clipped_mass, report.negative_mass);
    let covariance = circulant.covariance();
    assert!((covariance[0] - 1.0).abs() < 1e-12);
    let change = largest_deviation(&covariance, &grid, &invalid);
    assert!((change - report.projection_change).abs() < 1e-12, "{change}");
}

#[test]
fn cutoff_is_exact_up_to_two_lengths_and_refuses_more() {
    for (count, length) in [([20, 20], 1.0), ([20, 20], 30.0), ([60, 5], 2.1), ([3, 3], 1e4), ([1, 9], 1.0)] {
        let grid = grid([0.06, 0.05], count);
        let cutoff = Cutoff::new(&grid, length).unwrap();
        let report = cutoff.report();
        assert!(report.smallest >= -1e-15 * report.largest, "{report:?}");
        let function = |x: f64, y: f64| exponential(x / length, y / length);
        assert!(largest_deviation(&cutoff.covariance(), &grid, &function) < 1e-12);
    }
    // 3-4-5: a largest lag of 5, at the limit and beyond
    let square = grid([3.0, 4.0], [2, 2]);
    assert_eq!(Cutoff::new(&square, 2.5).unwrap().constant(), 0.0);
    assert_eq!(Cutoff::new(&square, 2.49).unwrap_err(), GeneratorError::Cutoff { lag: 5.0, length: 2.49 });
    assert!(Cutoff::new(&square, f64::NAN).is_err());
}

fn scattered(count: usize) -> Vec<[f64; 2]> {
    let mut stream = Germ::new(9, 0).stream(Purpose::Parameter(0));
    (0..count).map(|_| [2.0 * stream.uniform(), stream.uniform()]).collect()
}

#[test]
fn factors_reconstruct_the_matrix_to_what_they_drop() {
    let points = scattered(150);
    for (correlation, tolerance) in [(gaussian as fn(f64, f64) -> f64, 1e-12), (gaussian, 1e-5), (exponential, 1e-12)] {
        let factor = PointFactor::unless(&|| false, DEFAULT_MEMORY, &points, &correlation, tolerance).unwrap();
        assert!(factor.dropped() <= tolerance);
        // an entry of what remains is at most the trace
        let bound = factor.dropped() * 150.0 + 1e-13;
        for (i, a) in points.iter().enumerate() {
            for (j, b) in points.iter().enumerate() {
                let error = factor.covariance(i, j) - correlation(a[0] - b[0], a[1] - b[1]);
                assert!(error.abs() <= bound, "{error:e} above {bound:e}");
            }
        }
    }
    let rank =
        |tolerance| PointFactor::unless(&|| false, DEFAULT_MEMORY, &points, &gaussian, tolerance).unwrap().rank();
    assert!(rank(1e-12) < 100 && rank(1e-5) < 40, "{} {}", rank(1e-12), rank(1e-5));
    assert_eq!(PointFactor::unless(&|| false, DEFAULT_MEMORY, &points, &exponential, WHOLE).unwrap().rank(), 150);
    // a domain far shorter than the length has few degrees of freedom
    let long = |x: f64, y: f64| gaussian(x / 1e3, y / 1e3);
    assert!(PointFactor::unless(&|| false, DEFAULT_MEMORY, &points, &long, 1e-12).unwrap().rank() <= 6);
    // a point twice is no second degree of freedom
    let twice: Vec<[f64; 2]> = points[..20].iter().chain(&points[..20]).copied().collect();
    let factor = PointFactor::unless(&|| false, DEFAULT_MEMORY, &twice, &exponential, WHOLE).unwrap();
    assert_eq!(factor.rank(), 20);
    let mut values = vec![0.0; 40];
    factor.fill(&Germ::new(1, 0), &Gaussian, &mut values).unwrap();
    assert!((0..20).all(|i| (values[i] - values[i + 20]).abs() < 1e-7));
    assert_eq!(PointFactor::unless(&|| false, DEFAULT_MEMORY, &[], &exponential, WHOLE).unwrap().rank(), 0);
    assert!(matches!(
        PointFactor::unless(&|| true, DEFAULT_MEMORY, &twice, &exponential, WHOLE),
        Err(GeneratorError::Stopped)
    ));
}

#[test]
fn indefinite_matrices_are_refused() {
    let line: Vec<[f64; 2]> = (0..40).map(|i| [0.1 * f64::from(i), 0.0]).collect();
    for tolerance in [1e-12, 1e-3] {
        let error = PointFactor::unless(&|| false, DEFAULT_MEMORY, &line, &invalid, tolerance).unwrap_err();
        assert!(matches!(error, GeneratorError::Indefinite { remaining, .. } if remaining < 0.0), "{error}");
    }
    // three points, 1 and 2 alike, 2 and 3 alike, 1 and 3 not
    let three = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]];
    let broken = |x: f64, _: f64| if x.abs() < 1.5 { 1.0 } else { 0.0 };
    assert!(PointFactor::unless(&|| false, DEFAULT_MEMORY, &three, &broken, WHOLE).is_err());
    assert!(PointFactor::unless(&|| false, DEFAULT_MEMORY, &three, &|_, _| f64::NAN, WHOLE).is_err());
}

#[test]
fn the_projected_matrix_has_unit_variances_and_a_report() {
    let line: Vec<[f64; 2]> = (0..30).map(|i| [0.2 * f64::from(i), 0.0]).collect();
    let projected = Projected::new(&line, &invalid).unwrap();
    assert!((0..30).all(|i| (projected.factor.covariance(i, i) - 1.0).abs() < 1e-14));
    let report = projected.matrix;
    // numpy
    assert_eq!(report.negative_count, 22);
    assert!((report.smallest + 0.440_077_774_346_340).abs() < 1e-12, "{report:?}");
    assert!((report.largest - 8.567_863_005_082_93).abs() < 1e-12, "{report:?}");
    assert!((report.negative_mass - 0.055_950_162_447_826_8).abs() < 1e-13, "{report:?}");
    assert!((projected.largest_change - 0.102_833_242_136_034).abs() < 1e-12, "{projected:?}");
    // numpy, on 8 by 8 points of the unit square
    let square: Vec<[f64; 2]> = (0..64).map(|k| [f64::from(k % 8) / 7.0, f64::from(k / 8) / 7.0]).collect();
    let on_square = Projected::new(&square, &|x, y| invalid(2.0 * x, 2.0 * y)).unwrap();
    assert_eq!(on_square.matrix.negative_count, 51);
    assert!((on_square.matrix.negative_mass - 0.085_173_201_643_464_23).abs() < 1e-13);
    assert!((on_square.largest_change - 0.108_184_060_246_376_61).abs() < 1e-12);
    // a valid correlation is left alone
    let valid = Projected::new(&scattered(40), &exponential).unwrap();
    assert!(valid.largest_change < 1e-13 && valid.matrix.negative_count == 0);
    // two points that cannot be: eigenvalues 1 ± 2 of [[1, 2], [2, 1]] are refused as no correlation
    assert!(Projected::new(&[[0.0, 0.0], [1.0, 0.0]], &|x, _| 1.0 + x.abs()).is_err());
}

#[test]
fn an_embedding_stops_within_a_torus() {
    let grid = grid([0.25; 2], [40, 40]);
    let embedding = Embedding::new(1.0, 8.0);
    let calls = std::cell::Cell::new(0);
    let stop_after = |most: usize| {
        calls.set(0);
        let stop = || {
            calls.set(calls.get() + 1);
            calls.get() > most
        };
        let cutoff =
            Cutoff::unless(&stop, DEFAULT_MEMORY, &Grid::new([0.0; 2], [0.02; 2], [40, 40]).unwrap(), 1.0).map(|_| ());
        let calls_of_cutoff = calls.replace(0);
        (cutoff, calls_of_cutoff, Circulant::unless(&stop, &grid, &exponential, &embedding).map(|_| ()))
    };
    // one size is enough here, and stopping is asked for many times on the way
    let (cutoff, asked, circulant) = stop_after(usize::MAX);
    assert!(cutoff.is_ok() && circulant.is_ok() && asked > 8 && calls.get() > 8, "{asked} {}", calls.get());
    let (cutoff, asked, circulant) = stop_after(3);
    assert!(matches!(cutoff, Err(GeneratorError::Stopped)) && asked == 4);
    assert!(matches!(circulant, Err(GeneratorError::Stopped)) && calls.get() == 4);
}
