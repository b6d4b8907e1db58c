//! The separable generator: its covariance without sampling, and the same bytes wherever a point is made.

use stiction::field::generator::{Gaussian, Lognormal, Sample, Separable};
use stiction::field::{Germ, Grid, InterpolationChoice, Lattice, Surface};
use stiction::num::real;

const LOGNORMAL: Lognormal = Lognormal { location: -0.712_757_545_355_186_5, scale: 0.198_042_200_435_365_4 };

fn values(generator: &Separable, grid: &Grid, germ: &Germ) -> Vec<f64> {
    let mut values = vec![0.0; grid.points()];
    generator.on(grid).unwrap().fill(germ, &Gaussian, &mut values).unwrap();
    values
}

fn grid(origin: [f64; 2], step: [f64; 2], count: [usize; 2]) -> Grid {
    Grid::new(origin, step, count).unwrap()
}

#[test]
fn a_node_has_the_same_bytes_on_every_grid_and_part_of_it() {
    let generator = Separable::new([0.31, 0.17], 0.0).unwrap();
    let germ = Germ::new(7, 3);
    let (step, count) = ([0.0625, 0.03125], [300, 70]);
    let coarse = grid([-2.0, -1.0], step, count);
    let whole = values(&generator, &coarse, &germ);

    // twice as fine, wider and longer, with an origin elsewhere
    let fine = grid([-3.0, -1.5], [0.03125, 0.015625], [700, 200]);
    let finer = values(&generator, &fine, &germ);
    for i in 0..count[0] {
        for j in 0..count[1] {
            assert_eq!(whole[i * count[1] + j], finer[(32 + 2 * i) * 200 + 32 + 2 * j], "{i} {j}");
        }
    }
    // any part, in any order
    let plan = generator.on(&coarse).unwrap();
    for range in [290..300, 0..1, 17..203, 100..101] {
        let mut part = vec![0.0; range.len() * count[1]];
        plan.columns(&germ, range.clone(), &Gaussian, &mut part).unwrap();
        assert_eq!(part, whole[range.start * count[1]..range.end * count[1]], "{range:?}");
    }
    // one row, and single points
    for j in [0, 31, 69] {
        let row = values(&generator, &grid([-2.0, coarse.y(j)], step, [300, 1]), &germ);
        assert!((0..300).all(|i| row[i] == whole[i * count[1] + j]));
    }
    let field = generator.over(&germ, coarse.origin(), coarse.end()).unwrap();
    for (place, value) in whole.iter().enumerate() {
        let [x, y] = coarse.position(place);
        assert_eq!(field.at(x, y).unwrap().value, *value, "{x} {y}");
    }
    assert!(field.at(-2.1, 0.0).is_err() && field.at(0.0, f64::NAN).is_err());
    // a coarse grid, where most of the noise is not needed
    let sparse = grid([-2.0, -1.0], [0.0625 * 80.0, 0.03125 * 60.0], [4, 2]);
    let few = values(&generator, &sparse, &germ);
    for (i, j) in [(0, 0), (1, 1), (3, 1), (2, 0)] {
        assert_eq!(few[i * 2 + j], whole[80 * i * count[1] + 60 * j]);
    }
}

#[test]
fn the_covariance_is_gaussian_within_the_stated_error() {
    for (lengths, angle) in [([0.3, 0.3], 0.0), ([0.5, 0.1], 0.0), ([0.5, 0.1], 0.7), ([1e3, 1e-3], 0.0)] {
        let generator = Separable::new(lengths, angle).unwrap();
        let (c, s) = (real::cos(angle), real::sin(angle));
        let mut worst = 0.0_f64;
        for i in 0..40 {
            for j in 0..40 {
                let at = [0.013 * f64::from(i) * lengths[0], 0.7 - 0.017 * f64::from(j) * lengths[1]];
                let lag = [0.05 * f64::from(j) * lengths[0], 0.05 * f64::from(i) * lengths[1] - 0.4 * lengths[1]];
                let (u, v) = ((c * lag[0] + s * lag[1]) / lengths[0], (c * lag[1] - s * lag[0]) / lengths[1]);
                let error =
                    generator.covariance(at, [at[0] + lag[0], at[1] + lag[1]]).unwrap() - real::exp(-u * u - v * v);
                worst = worst.max(error.abs());
            }
        }
        assert!(worst < Separable::covariance_error(), "{lengths:?} {angle}: {worst:e}");
    }
}

#[test]
fn gradients_are_those_of_differences() {
    for angle in [0.0, 0.6] {
        let generator = Separable::new([0.4, 0.2], angle).unwrap();
        let field = generator.over(&Germ::new(1, 1), [-1.0, -1.0], [1.0, 1.0]).unwrap();
        let at = |x, y| field.at(x, y).unwrap();
        for i in 0..50 {
            let (x, y, h) = (-0.9 + 0.035 * f64::from(i), 0.9 - 0.03 * f64::from(i), 1e-4);
            let Sample { gradient, .. } = at(x, y);
            // fourth order: the error is h⁴/30 times the fifth derivative, some 1e3/l⁵
            let slope = |d: &dyn Fn(f64) -> f64| (8.0 * (d(h) - d(-h)) - (d(2.0 * h) - d(-2.0 * h))) / (12.0 * h);
            assert!((slope(&|h| at(x + h, y).value) - gradient[0]).abs() < 1e-9);
            assert!((slope(&|h| at(x, y + h).value) - gradient[1]).abs() < 1e-9);
        }
    }
}

#[test]
fn a_turned_grid_has_the_bytes_of_its_points() {
    let generator = Separable::new([0.4, 0.1], 0.5).unwrap();
    let grid = grid([-0.5, 0.1], [0.05, 0.04], [150, 12]);
    let field = generator.over(&Germ::new(2, 9), grid.origin(), grid.end()).unwrap();
    for (place, value) in values(&generator, &grid, &Germ::new(2, 9)).iter().enumerate() {
        let [x, y] = grid.position(place);
        assert_eq!(field.at(x, y).unwrap().value, *value);
    }
}

#[test]
fn the_same_noise_at_another_length_is_the_field_stretched() {
    let short = values(&Separable::isotropic(0.25).unwrap(), &grid([0.0; 2], [0.125; 2], [20, 20]), &Germ::new(1, 0));
    let long = values(&Separable::isotropic(0.5).unwrap(), &grid([0.0; 2], [0.25; 2], [20, 20]), &Germ::new(1, 0));
    assert_eq!(short, long);
}

#[test]
fn any_length_works_and_antithetic_partners_are_opposite() {
    for length in [1e-6, 0.01, 0.1, 1.0, 10.0, 1e3, 1e9] {
        let generator = Separable::isotropic(length).unwrap();
        let grid = grid([-1.0; 2], [0.1; 2], [21, 21]);
        let field = values(&generator, &grid, &Germ::antithetic(5, 4));
        assert!(field.iter().all(|value| value.is_finite() && value.abs() < 6.0), "{length}");
        let opposite = values(&generator, &grid, &Germ::antithetic(5, 5));
        assert!(field.iter().zip(&opposite).all(|(a, b)| *a == -*b));
        let spread = field.iter().fold(0.0_f64, |worst, value| worst.max((value - field[0]).abs()));
        // across a domain far shorter than l the field is a plane of slope √2/l
        assert!(if length >= 1e3 { spread < 20.0 / length } else { spread > 1e-3 }, "{length}: {spread}");
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320] {
        assert!(Separable::isotropic(bad).is_err());
    }
    let far = grid([1e30, 0.0], [1.0; 2], [2, 2]);
    assert!(Separable::isotropic(1.0).unwrap().on(&far).is_err());
    let tiny = Separable::isotropic(1e-6).unwrap();
    let message = tiny.over(&Germ::new(1, 0), [0.0; 2], [1.0; 2]).unwrap_err().to_string();
    assert!(message.contains("above the limit of 1024 MiB"), "{message}");
}

#[test]
fn golden_values() {
    let found = values(&Separable::isotropic(1.0).unwrap(), &grid([0.0, -1.0], [0.5, 1.0], [2, 3]), &Germ::new(1, 0));
    assert_eq!(found, GOLDEN);
}

/// An independent implementation of cipher, inverse normal distribution and sum, in 25 digits, gives the same to 1e-15.
const GOLDEN: [f64; 6] = [
    0.023_558_061_608_301_917,
    1.522_829_418_434_532_8,
    0.915_187_597_125_465_5,
    0.868_257_211_792_536_3,
    1.466_322_705_906_956_3,
    1.001_995_306_783_045_2,
];

#[test]
fn a_cubic_surface_is_the_field_between_its_nodes() {
    let generator = Separable::isotropic(0.2).unwrap();
    let field = generator.over(&Germ::new(3, 1), [-3.0, -0.5], [3.0, 0.5]).unwrap();
    let grid = grid([-3.0, -0.54], [0.06, 0.06], [101, 19]);
    let mut values = vec![0.0; grid.points()];
    generator.on(&grid).unwrap().fill(&Germ::new(3, 1), &LOGNORMAL, &mut values).unwrap();
    let surface = Surface::positive(&Lattice::positive(grid, values).unwrap(), InterpolationChoice::Cubic).unwrap();
    for i in 0..300 {
        let (x, y) = (-2.0 + 0.013 * f64::from(i), 0.4 * real::sin(f64::from(i)));
        let exact = real::exp(LOGNORMAL.location + LOGNORMAL.scale * field.at(x, y).unwrap().value);
        // h = 0.3 l: h⁴/384 times the fourth derivative of ln H, a normal number of deviation s √1680/l⁴, six of them for
        // each axis
        let bound = 2.0 * 6.0 * 0.3_f64.powi(4) / 384.0 * LOGNORMAL.scale * 1680.0_f64.sqrt();
        assert!((surface.at(x, y).unwrap().value / exact - 1.0).abs() < bound);
    }
    assert!(generator.on_shifted(&grid, i64::MAX).is_err());
}
