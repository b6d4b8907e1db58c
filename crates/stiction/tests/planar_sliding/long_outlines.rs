//! Outlines of many pieces: masks with hundreds of islands, polygons with thousands of corners.

use super::plain::double_sum;
use std::f64::consts::{PI, TAU};
use stiction::analysis::planar_sliding::covariance::{Covariance, Kernel, Stretch};
use stiction::analysis::planar_sliding::disc::disc_translation;
use stiction::analysis::planar_sliding::functionals::difference;
use stiction::analysis::planar_sliding::motion::{Motion, Twist};
use stiction::analysis::planar_sliding::plate::{NoCovariance, Plate};
use stiction::num::real::{cos, erf, exp, sin};
use stiction::patch::{Mask, Polygon, Shape};

const ALONG_X: Twist = Twist { vx: 1.0, vy: 0.0, omega: 0.0 };

fn plate(shape: &Shape, twist: Twist) -> Plate {
    Plate::new(shape, &Motion::Twist(twist), 1.0).unwrap()
}

fn gaussian(length: f64) -> Covariance {
    Covariance { mean: 1.0, kernel: Kernel::gaussians(vec![(1.0, length)]), stretch: Stretch::NONE }
}

/// Every other cell of every other row.
fn islands(count: usize) -> Shape {
    let line = |mark: char| (0..2 * count - 1).map(|k| if k % 2 == 0 { mark } else { '.' }).collect::<String>();
    let rows = (0..2 * count - 1).map(|k| line(if k % 2 == 0 { '#' } else { '.' })).collect();
    Shape::Mask(Mask { cell: 1.0, rows })
}

fn corners(count: usize) -> Shape {
    let corner = |k: usize| TAU * k as f64 / count as f64;
    let corners = (0..count).map(corner).map(|angle| [cos(angle), sin(angle)]).collect();
    Shape::Polygon(Polygon { corners, holes: vec![] })
}

#[test]
fn hundreds_of_islands_have_their_closed_form_at_every_length() {
    let count = 11;
    let plate = plate(&islands(count), ALONG_X);
    assert_eq!(plate.functionals.outline.pieces.len(), 4 * count * count);
    for length in [0.02, 0.3, 1.0, 4.0, 20.0] {
        // ∫∫exp(−(x − x')²/l²) over two intervals of length 1 whose starts are d apart, by its second antiderivative in d
        let second =
            |z: f64| 0.5 * length * (PI.sqrt() * z * erf(z / length) + length * exp(-z * z / (length * length)));
        let interval = |d: f64| second(d + 1.0) - 2.0 * second(d) + second(d - 1.0);
        let starts = || (0..count).map(|k| 2.0 * k as f64);
        let line: f64 = starts().flat_map(|p| starts().map(move |q| p - q)).map(interval).sum();
        let found = plate.moments(&gaussian(length), NoCovariance::Refuse).unwrap();
        let error = (found.covariance[0][0] / (line * line) - 1.0).abs();
        // rounding of second differences: 1e-16 (20/1)²
        assert!(error <= found.error + 1e-12 && found.error < 1e-5, "{length}: {error:e}, told {:e}", found.error);
    }
}

#[test]
fn a_turning_mask_has_the_moments_of_a_double_sum_to_the_reported_error() {
    let rows = ["..##..#.", ".######.", "##.####.", "######.#", ".##.####", "########", ".#.####.", "..####.."];
    let shape = Shape::Mask(Mask { cell: 0.25, rows: rows.map(str::to_owned).to_vec() });
    let plate = plate(&shape, Twist { vx: 0.3, vy: -0.1, omega: 1.0 });
    assert!(plate.functionals.outline.pieces.len() > 30);
    let found = plate.moments(&gaussian(0.3), NoCovariance::Refuse).unwrap();
    let error = difference(&double_sum(&plate.functionals, 0.3), &found.covariance);
    assert!(error < found.error && found.error < 1e-5, "{error:e}, told {:e}", found.error);
}

#[test]
fn thousands_of_corners_make_a_disc() {
    let count = 5000;
    let plate = plate(&corners(count), ALONG_X);
    // a cell of the lattice has a side of 0.002 to 0.008
    for length in [1e-4, 2e-3, 8e-3, 0.02, 0.1, 1.0] {
        let found = plate.moments(&gaussian(length), NoCovariance::Refuse).unwrap();
        let error = difference(&disc_translation(1.0, [1.0, 0.0], length), &found.covariance);
        // the area lacks 2π²/3n², the second moment twice that
        let corners = 8.0 * PI * PI / (3.0 * (count * count) as f64);
        assert!(error < found.error + corners && found.error < 1e-3, "{length}: {error:e}, told {:e}", found.error);
    }
}

#[test]
fn four_edges_in_hundreds_of_parts_have_the_moments_of_four_edges_to_the_reported_error() {
    let ends = [[-1.0, -0.8], [1.1, -0.3], [0.7, 0.9], [-0.6, 0.7]];
    let part = |k: usize| {
        let ([p, q], t) = ([ends[k / 110], ends[(k / 110 + 1) % 4]], (k % 110) as f64 / 110.0);
        [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]
    };
    let polygon = |corners: Vec<[f64; 2]>| Shape::Polygon(Polygon { corners, holes: vec![] });
    let twist = Twist { vx: 0.4, vy: 0.1, omega: 1.0 };
    // from cells, and by rays: two methods; a cell has a side of 0.002 to 0.008
    let [cells, rays] = [(0..440).map(part).collect(), ends.to_vec()].map(|corners| plate(&polygon(corners), twist));
    for (exponent, length) in [(2.0, 0.012), (2.0, 0.04), (1.0, 6e-3), (0.5, 4e-3)] {
        let kernel = Kernel::power_exponentials(exponent, vec![(1.0, length)]);
        let covariance = Covariance { mean: 1.0, kernel, stretch: Stretch::NONE };
        let [found, wanted] = [&cells, &rays].map(|plate| plate.moments(&covariance, NoCovariance::Refuse).unwrap());
        let error = difference(&wanted.covariance, &found.covariance);
        assert!(error < found.error + wanted.error, "{exponent} {length}: {error:e}, told {:e}", found.error);
        assert!(wanted.error < 1e-6 && found.error < 1e-3, "{:e} {:e}", wanted.error, found.error);
    }
}
