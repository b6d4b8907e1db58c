//! Correlations that are much shorter along one axis, narrow plates and masks: right to the reported error, or refused.

use super::plain::double_sum;
use std::sync::Arc;
use stiction::analysis::planar_sliding::functionals::difference;
use stiction::analysis::planar_sliding::square::{i0, i1};
use stiction::analysis::planar_sliding::{
    Covariance, Kernel, Motion, NoCovariance, PlanarSliding, Plate, Stretch, Twist,
};
use stiction::field::CorrelationOf;
use stiction::num::random::Stream;
use stiction::num::real::{cos, exp, pow, sin};
use stiction::patch::{Annulus, Disc, Mask, Outline, Point, Polygon, Rectangle, Shape, Square};

fn rectangle([half_length, half_width]: [f64; 2]) -> Shape {
    Shape::Rectangle(Rectangle { half_length, half_width })
}

fn gaussian([along, across]: [f64; 2], angle: f64) -> Covariance {
    let kernel = Kernel::gaussians(vec![(1.0, (along * across).sqrt())]);
    Covariance { mean: 1.0, kernel, stretch: Stretch { ratio: along / across, angle } }
}

#[test]
fn a_translating_rectangle_is_a_product_of_two_lines_however_different_the_lengths_are() {
    // Var F = a² b² I0(l_x/a) I0(l_y/b), Var T = a² b⁴ I0(l_x/a) I1(l_y/b) for motion along x
    for ([a, b], lengths) in [
        ([1.0, 1.0], [0.005, 1.0]),
        ([1.0, 1.0], [3.0, 0.001]),
        ([1.3, 0.7], [1e-4, 0.2]),
        ([1.0, 1e-3], [0.3, 0.02]),
        ([2.0, 0.01], [0.05, 4.0]),
        ([1.0, 1.0], [1e-6, 1e3]),
    ] {
        let plate = Plate::new(&rectangle([a, b]), &Motion::default(), 1.0).unwrap();
        let found = plate.moments(&gaussian(lengths, 0.0), NoCovariance::Refuse).unwrap();
        let (x, y) = (i0(lengths[0] / a), lengths[1] / b);
        let (force, torque) = (a * a * b * b * x * i0(y), a * a * b.powi(4) * x * i1(y));
        for (i, wanted) in [(0, force), (2, torque)] {
            let error = (found.covariance[i][i] / wanted - 1.0).abs();
            assert!(error < found.error, "{lengths:?} {i}: {error:e}, told {:e}", found.error);
            // a narrow plate has next to no torque: its variance is a small difference
            assert!(i == 2 || error < 1e-6, "{lengths:?} {i}: {error:e}");
        }
    }
}

#[test]
fn a_short_axis_keeps_its_moments_in_rotation() {
    // by convolution of cell averages on grids of 1024 to 4096 cells per side, extrapolated: six digits
    let text = r#"{"field": {"correlation_length": [0.005, 1.0]}, "motion": "rotation"}"#;
    let sliding: PlanarSliding = serde_json::from_str(text).unwrap();
    let covariance = sliding.covariance(CorrelationOf::Coefficient).unwrap();
    let found = sliding.plate().unwrap().moments(&covariance, NoCovariance::Refuse).unwrap();
    assert!((found.covariance[0][0] / 9.159_247_1e-5 - 1.0).abs() < 1e-6, "{:?}", found.covariance);
    assert!(found.error < 1e-6, "{:e}", found.error);
}

#[test]
fn still_shorter_axes_never_give_negative_variances() {
    for ratio in [1e-3, 1e-5, 1e-8, 1e8] {
        for angle in [0.0, 0.4] {
            for motion in [Motion::Twist(Twist { vx: 0.2, vy: 0.1, omega: 1.0 }), Motion::default()] {
                let plate = Plate::new(&Shape::Disc(Disc { radius: 1.0 }), &motion, 1.0).unwrap();
                let lengths = [pow(ratio, 0.5), pow(ratio, -0.5)];
                match plate.moments(&gaussian(lengths, angle), NoCovariance::Refuse) {
                    Ok(found) => {
                        assert!((0..3).all(|i| found.covariance[i][i] >= 0.0), "{ratio}: {:?}", found.covariance);
                        assert!(found.error <= 1e-3);
                    }
                    Err(error) => assert!(error.to_string().contains("field.correlation_length"), "{error}"),
                }
            }
        }
    }
}

#[test]
fn narrow_plates_are_right_to_the_reported_error() {
    // a needle: along its length the Gaussian of one dimension, across it everything is the same
    for width in [1e-2, 1e-4, 1e-6] {
        let plate = Plate::new(&rectangle([1.0, width]), &Motion::default(), 1.0).unwrap();
        for exponent in [1.0, 2.0] {
            let kernel = Kernel::power_exponentials(exponent, vec![(1.0, 0.3)]);
            let covariance = Covariance { mean: 1.0, kernel, stretch: Stretch { ratio: 1.0 + 1e-12, angle: 0.0 } };
            let found = plate.moments(&covariance, NoCovariance::Refuse).unwrap();
            // ∫∫exp(−|x − x'|/l) = 2 l (2 − l (1 − exp(−2/l)))
            let line = if exponent == 2.0 { i0(0.3) } else { 0.6 * (2.0 - 0.3 * (1.0 - exp(-2.0 / 0.3))) };
            let error = (found.covariance[0][0] / (4.0 * width * width * line) - 1.0).abs();
            // the width itself matters by less than width/l
            assert!(error < found.error + 4.0 * width, "{width} {exponent}: {error:e}, told {:e}", found.error);
            assert!(error < 1e-6 + 4.0 * width, "{width} {exponent}: {error:e}");
        }
    }
}

#[test]
fn long_rough_correlations_are_right_to_the_reported_error() {
    // exponent 1.5, l/a = 3000: C = 1 − (r/l)^1.5, and the force of a rotating disc is the second term; against l/a = 300,
    // where it is 1000^0.5 × as large but for the next term, which is 1e-4 of it
    let disc = Shape::Disc(Disc { radius: 1.0 });
    let plate = Plate::new(&disc, &Motion::Twist(Twist { vx: 0.0, vy: 0.0, omega: 1.0 }), 1.0).unwrap();
    let force = |length: f64| {
        let kernel = Kernel::power_exponentials(1.5, vec![(1.0, length)]);
        let covariance = Covariance { mean: 1.0, kernel, stretch: Stretch::NONE };
        let found = plate.moments(&covariance, NoCovariance::Refuse).unwrap();
        assert!(found.error < 1e-6, "{length}: {:e}", found.error);
        found.covariance[0][0] * pow(length, 1.5)
    };
    assert!((force(3e3) / force(3e5) - 1.0).abs() < 1e-4);
    assert!((force(3e5) / force(3e7) - 1.0).abs() < 1e-6);
}

/// A random area with a point inside, on the rim, at a corner or outside.
fn area(stream: &mut Stream) -> (Shape, Point) {
    let mut number = |low: f64, high: f64| low + (high - low) * stream.uniform();
    let shape = match number(0.0, 6.0) as usize {
        0 => Shape::Square(Square { half_side: number(0.5, 2.0) }),
        1 => rectangle([number(0.5, 2.0), number(0.01, 0.5)]),
        2 => Shape::Disc(Disc { radius: number(0.5, 2.0) }),
        3 => {
            let outer = number(0.5, 2.0);
            Shape::Annulus(Annulus { inner_radius: number(0.1, 0.95) * outer, outer_radius: outer })
        }
        4 => {
            let (s, t) = (number(0.3, 1.0), number(-0.4, 0.4));
            let corners = vec![[0.0, 0.0], [3.0, 0.2 * t], [3.0, s], [1.0, 1.0], [1.0 + t, 2.5], [0.0, 2.0]];
            Shape::Polygon(Polygon { corners, holes: vec![vec![[0.2, 0.3], [0.8, 0.35], [0.5, 0.7]]] })
        }
        _ => Shape::Mask(Mask { cell: number(0.2, 0.5), rows: vec!["##.".into(), "###".into(), ".##".into()] }),
    };
    let outline = Outline::of(&shape).unwrap();
    let [_, [x, y]] = outline.geometry.bounds;
    let place = match number(0.0, 4.0) as usize {
        0 => [number(-0.9, 0.9) * x, number(-0.9, 0.9) * y],
        1 => [x, number(-0.9, 0.9) * y],
        2 => [(1.0 - 1e-3) * x, y],
        _ => [number(1.0, 9.0) * x, number(-2.0, 2.0) * y],
    };
    (shape, place)
}

/// A random kernel of a length.
fn kernel(stream: &mut Stream, length: f64) -> Kernel {
    let mut number = |low: f64, high: f64| low + (high - low) * stream.uniform();
    match number(0.0, 4.0) as usize {
        0 => Kernel::gaussians(vec![(1.0, length)]),
        1 => Kernel::power_exponentials(number(0.3, 2.0), vec![(1.0, length)]),
        2 => Kernel::matern(1.0, number(0.3, 4.0), length),
        _ => {
            let power = number(0.5, 3.0);
            Kernel::Function { value: Arc::new(move |r| pow(1.0 + (r / length) * (r / length), -power)), length }
        }
    }
}

#[test]
fn the_reported_error_covers_finer_rules_turned_plates_and_other_units() {
    let mut stream = Stream::new(7, 0, 0);
    for case in 0..40 {
        let (shape, [x, y]) = area(&mut stream);
        let (ratio, angle) = (pow(10.0, 4.0 * stream.uniform() - 2.0), 3.0 * stream.uniform());
        let plate = Plate::new(&shape, &Motion::Twist(Twist { vx: y, vy: -x, omega: 1.0 }), 1.0).unwrap();
        let length = plate.half_side() * pow(10.0, 5.0 * stream.uniform() - 2.5);
        let covariance =
            Covariance { mean: 1.0, kernel: kernel(&mut stream, length), stretch: Stretch { ratio, angle } };
        let name = format!("{case}: {shape:?} about ({x}, {y}), {:?}, {:?}", covariance.kernel, covariance.stretch);
        let found = plate.moments(&covariance, NoCovariance::Refuse).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!((0..3).all(|i| found.covariance[i][i] >= 0.0), "{name}");
        let mut finer = plate.clone();
        finer.accuracy = 1e-9;
        let finer = finer.moments(&covariance, NoCovariance::Refuse).unwrap();
        let error = difference(&finer.covariance, &found.covariance);
        assert!(error <= found.error + finer.error, "{name}: {error:e}, told {:e}", found.error);
        // metres in quarters: to the last digit
        let small = scaled(&shape, 4.0);
        let plate = Plate::new(&small, &Motion::Twist(Twist { vx: 4.0 * y, vy: -4.0 * x, omega: 1.0 }), 1.0).unwrap();
        let other = plate.moments(&covariance.scaled(4.0), NoCovariance::Refuse).unwrap();
        let units = [16.0, 16.0, 64.0];
        let back = std::array::from_fn(|i| std::array::from_fn(|j| other.covariance[i][j] / (units[i] * units[j])));
        assert!(difference(&found.covariance, &back) < 1e-12, "{name}");
        // a quarter turn of plate, motion and correlation
        if let Shape::Polygon(polygon) = &shape {
            let turn = |points: &[Point]| points.iter().map(|[x, y]| [-y, *x]).collect::<Vec<Point>>();
            let holes = polygon.holes.iter().map(|hole| turn(hole)).collect();
            let turned = Shape::Polygon(Polygon { corners: turn(&polygon.corners), holes });
            let plate = Plate::new(&turned, &Motion::Twist(Twist { vx: x, vy: y, omega: 1.0 }), 1.0).unwrap();
            let quarter = std::f64::consts::FRAC_PI_2;
            let stretch = Stretch { ratio, angle: angle + quarter };
            let other = plate.moments(&Covariance { stretch, ..covariance.clone() }, NoCovariance::Refuse).unwrap();
            let (a, b) = (&found.covariance, &other.covariance);
            let back = [[b[1][1], -b[0][1], b[1][2]], [-b[0][1], b[0][0], -b[0][2]], [b[1][2], -b[0][2], b[2][2]]];
            assert!(difference(a, &back) <= found.error + other.error, "{name}");
        }
    }
}

fn scaled(shape: &Shape, factor: f64) -> Shape {
    let points = |points: &[Point]| points.iter().map(|[x, y]| [factor * x, factor * y]).collect::<Vec<Point>>();
    match shape {
        Shape::Square(square) => Shape::Square(Square { half_side: factor * square.half_side }),
        Shape::Rectangle(sides) => rectangle([factor * sides.half_length, factor * sides.half_width]),
        Shape::Disc(disc) => Shape::Disc(Disc { radius: factor * disc.radius }),
        Shape::Annulus(ring) => Shape::Annulus(Annulus {
            inner_radius: factor * ring.inner_radius,
            outer_radius: factor * ring.outer_radius,
        }),
        Shape::Polygon(polygon) => Shape::Polygon(Polygon {
            corners: points(&polygon.corners),
            holes: polygon.holes.iter().map(|hole| points(hole)).collect(),
        }),
        Shape::Mask(mask) => Shape::Mask(Mask { cell: factor * mask.cell, rows: mask.rows.clone() }),
    }
}

#[test]
fn a_mask_and_an_annulus_have_the_moments_of_double_sums() {
    let mask = Shape::Mask(Mask { cell: 0.4, rows: vec!["##.#".into(), "####".into(), ".##.".into()] });
    let ring = Shape::Annulus(Annulus { inner_radius: 0.6, outer_radius: 1.0 });
    for (shape, centre) in [(&mask, [0.1, 0.2]), (&ring, [0.3, 0.5]), (&ring, [0.0, 0.9])] {
        let [x, y]: Point = centre;
        let (c, s) = (cos(0.3), sin(0.3));
        let twist = Twist { vx: c * y + s * x, vy: s * y - c * x, omega: 1.0 };
        let plate = Plate::new(shape, &Motion::Twist(twist), 1.0).unwrap();
        for length in [0.15, 0.6] {
            let kernel = Kernel::gaussians(vec![(1.0, length)]);
            let covariance = Covariance { mean: 1.0, kernel, stretch: Stretch::NONE };
            let found = plate.moments(&covariance, NoCovariance::Refuse).unwrap();
            let error = difference(&double_sum(&plate.functionals, length), &found.covariance);
            assert!(error < found.error + 2e-9, "{shape:?}, {length}: {error:e}, told {:e}", found.error);
        }
    }
}
