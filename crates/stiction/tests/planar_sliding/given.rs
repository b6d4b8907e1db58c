//! Coefficients that are given: the reported error covers the truth.

use stiction::analysis::planar_sliding::motion::Twist;
use stiction::analysis::planar_sliding::{Given, Motion, PlanarSliding, Plate};
use stiction::field::{CorrelationOf, FieldDescription, Grid, InterpolationChoice, Lattice, Surface};
use stiction::num::real::sin;
use stiction::patch::{Disc, Polygon, Rectangle, Shape};

/// A rough map around the plates of these tests, whose lines are on none of their edges.
fn map(step: f64, kind: InterpolationChoice) -> Surface {
    let count = (3.4 / step) as usize + 2;
    let grid = Grid::new([-1.637, -1.591], [step, 0.9 * step], [count, count + count / 5]).unwrap();
    let value = |place: usize| 0.5 + 0.2 * sin(1.7 * (place * place % 97) as f64);
    let lattice = Lattice::new(grid, (0..grid.points()).map(value).collect()).unwrap();
    Surface::positive(&lattice, kind).unwrap()
}

fn given(shape: &Shape, twist: Twist, field: &FieldDescription, map: Option<&Surface>) -> Given {
    Plate::new(shape, &Motion::Twist(twist), 1.0).unwrap().given(field, map, &|| false).unwrap()
}

/// Midpoints of small squares over the plate, and ∫H|w| dS: 1e-6 with 2000 along a side, because kinks and rims are hit at random.
fn midpoints(shape: &Shape, twist: Twist, coefficient: impl Fn(f64, f64) -> f64) -> ([f64; 3], [f64; 3]) {
    let plate = Plate::new(shape, &Motion::Twist(twist), 1.0).unwrap();
    let outline = &plate.functionals.outline;
    let [low, high] = outline.geometry.bounds;
    let count = 2000;
    let step = [0, 1].map(|axis| (high[axis] - low[axis]) / f64::from(count));
    let (mut sums, mut sizes) = ([0.0; 3], [0.0; 3]);
    for i in 0..count {
        for j in 0..count {
            let point = [low[0] + (f64::from(i) + 0.5) * step[0], low[1] + (f64::from(j) + 0.5) * step[1]];
            if !outline.contains(point) {
                continue;
            }
            let [x, y] = outline.in_field(point);
            let value = coefficient(x, y) * step[0] * step[1];
            for (k, weight) in twist.weights(point).into_iter().enumerate() {
                sums[k] += value * weight;
                sizes[k] += (value * weight).abs();
            }
        }
    }
    (sums, sizes)
}

const TWISTS: [Twist; 3] = [
    Twist { vx: 1.0, vy: 0.2, omega: 0.0 },
    Twist { vx: 0.0, vy: 0.0, omega: 1.0 },
    Twist { vx: 0.31, vy: 0.1, omega: -1.0 },
];

#[test]
fn a_measured_map_is_integrated_to_the_reported_error() {
    let file = FieldDescription::File("map.csv".to_owned());
    let rectangle = Shape::Rectangle(Rectangle { half_length: 1.0, half_width: 0.7 });
    for kind in [InterpolationChoice::Bilinear, InterpolationChoice::Cubic] {
        for step in [0.9, 0.21, 0.034] {
            let map = map(step, kind);
            for twist in TWISTS {
                let found = given(&rectangle, twist, &file, Some(&map));
                let (wanted, sizes) = midpoints(&rectangle, twist, |x, y| map.at(x, y).unwrap().value);
                for i in (0..3).filter(|i| sizes[*i] > 0.0) {
                    let error = (found.mean[i] - wanted[i]).abs() / sizes[i];
                    // the midpoints are off by 1e-6 themselves
                    assert!(
                        error < found.error + 3e-6,
                        "{kind:?} {step} {twist:?} {i}: {error:e}, told {:e}",
                        found.error
                    );
                }
                assert!(found.error < 1e-7, "{kind:?} {step} {twist:?}: {:e}", found.error);
            }
        }
    }
}

#[test]
fn a_bilinear_map_in_translation_is_exact() {
    let map = map(0.21, InterpolationChoice::Bilinear);
    let file = FieldDescription::File("map.csv".to_owned());
    let half = [1.0, 0.7];
    let shape = Shape::Rectangle(Rectangle { half_length: half[0], half_width: half[1] });
    let found = given(&shape, TWISTS[0], &file, Some(&map));
    // ∫ of the hats of the map over the sides of the rectangle, by the second antiderivative of a hat
    let (origin, step) = (map.grid().origin(), map.grid().step());
    let hat = |axis: usize, k: usize| {
        let up = |x: f64| 0.5 * x.max(0.0).powi(2);
        let integral = |x: f64| {
            let t = (x - origin[axis]) / step[axis] - k as f64;
            up(t + 1.0) - 2.0 * up(t) + up(t - 1.0)
        };
        step[axis] * (integral(half[axis]) - integral(-half[axis]))
    };
    let [columns, rows] = map.grid().count();
    let mut total = 0.0;
    for i in 0..columns {
        for j in 0..rows {
            let [x, y] = [origin[0] + i as f64 * step[0], origin[1] + j as f64 * step[1]];
            total += hat(0, i) * hat(1, j) * map.at(x, y).unwrap().value;
        }
    }
    let force = (found.mean[0].powi(2) + found.mean[1].powi(2)).sqrt();
    // rounding of some hundred terms
    assert!((force / total - 1.0).abs() < 1e-13 && found.error < 1e-13, "{force} not {total}, told {:e}", found.error);
}

#[test]
fn kinks_of_a_formula_are_in_the_reported_error() {
    let text = r#"{"field": {"expression": "0.5 + 0.3*abs(x - 0.1234 + 0.4*y)"}}"#;
    let sliding: PlanarSliding = serde_json::from_str(text).unwrap();
    let field = sliding.description(CorrelationOf::Coefficient).unwrap();
    let triangle = Polygon { corners: vec![[-1.0, -0.5], [1.1, -0.4], [0.2, 0.9]], holes: vec![] };
    for shape in [Shape::Disc(Disc { radius: 0.8 }), Shape::Polygon(triangle)] {
        for twist in TWISTS {
            let found = given(&shape, twist, &field, None);
            let (wanted, sizes) = midpoints(&shape, twist, |x, y| 0.5 + 0.3 * (x - 0.1234 + 0.4 * y).abs());
            for i in (0..3).filter(|i| sizes[*i] > 0.0) {
                let error = (found.mean[i] - wanted[i]).abs() / sizes[i];
                // squares that the rim cuts are taken or not: 2000^(-3/2), a few times
                assert!(error < found.error + 1e-4, "{twist:?} {i}: {error:e}, told {:e}", found.error);
            }
            assert!(found.error < 1e-6, "{twist:?}: {:e}", found.error);
        }
    }
}
