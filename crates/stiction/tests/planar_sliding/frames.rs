//! One frame for a shape and the field over it; areas between circles; one formula for the force near a pure rotation.

use stiction::analysis::planar_sliding::{
    Covariance, Motion, NoCovariance, Pairing, PlanarSliding, Plate, PlateSampler, Samples,
};
use stiction::field::{CorrelationOf, FieldDescription, GeneratorChoice, Grid, InterpolationChoice, Lattice, Surface};
use stiction::num::real::{cos, exp};
use stiction::patch::{Annulus, Disc, Mask, Polygon, Rectangle, Shape};

fn expression(text: &str) -> FieldDescription {
    let text = format!(r#"{{"field": {{"expression": "{text}"}}}}"#);
    let sliding: PlanarSliding = serde_json::from_str(&text).unwrap();
    sliding.description(CorrelationOf::Coefficient).unwrap()
}

fn wrench(shape: &Shape, motion: &Motion, field: &FieldDescription, map: Option<&Surface>) -> [f64; 3] {
    let plate = Plate::new(shape, motion, 1.0).unwrap();
    let sampler = PlateSampler::new(&plate, field, map, GeneratorChoice::Auto, 0, &|| false).unwrap();
    Samples::draw(&sampler, &plate.functionals.twist, 1.0, 1, Pairing::Independent).rows[0]
}

fn triangle(at: [f64; 2]) -> Shape {
    let corners = [[0.0, 0.0], [0.3, 0.0], [0.0, 0.6]].map(|[x, y]| [at[0] + x, at[1] + y]);
    Shape::Polygon(Polygon { corners: corners.to_vec(), holes: vec![] })
}

fn motion(text: &str) -> Motion {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_formula_has_the_coordinates_of_the_corners_of_a_polygon() {
    // ∫x dS over the triangle is area × x of its centroid: 0.09 × (10 + 0.1); the force is against the motion along x
    let [x, y, torque] = wrench(&triangle([10.0, 5.0]), &Motion::default(), &expression("x"), None);
    assert!((x + 0.09 * 10.1).abs() < 1e-12 && y.abs() < 1e-15, "{x} {y}");
    // T = ∫H (y − ȳ) dS with H = x: the second moment I_xy about the centroid, −b²h²/72
    let wanted = -0.3_f64.powi(2) * 0.6_f64.powi(2) / 72.0;
    assert!((torque - wanted).abs() < 1e-12, "{torque} not {wanted}");
}

#[test]
fn moving_shape_formula_and_map_together_changes_nothing() {
    let general = motion(r#"{"general": {"rotation_radius": 0.17}}"#);
    let map = |at: [f64; 2]| {
        let grid = Grid::new([at[0] - 0.1, at[1] - 0.1], [0.05, 0.1], [11, 9]).unwrap();
        let value = |place: usize| 0.5 + 0.01 * ((place * 7) % 13) as f64;
        let lattice = Lattice::new(grid, (0..99).map(value).collect()).unwrap();
        Surface::positive(&lattice, InterpolationChoice::Cubic).unwrap()
    };
    let file = FieldDescription::File("map.csv".to_owned());
    let at_origin = wrench(&triangle([0.0, 0.0]), &general, &expression("0.5 + 0.3*sin(4*x)*cos(3*y)"), None);
    let on_map = wrench(&triangle([0.0, 0.0]), &general, &file, Some(&map([0.0, 0.0])));
    for at in [[2.0, -3.0], [40.0, 17.5]] {
        let text = format!("0.5 + 0.3*sin(4*(x - ({})))*cos(3*(y - ({})))", at[0], at[1]);
        let moved = wrench(&triangle(at), &general, &expression(&text), None);
        let moved_map = wrench(&triangle(at), &general, &file, Some(&map(at)));
        // a size that is rounded differently may change the number of nodes, whose rule is good to 1e-8 of the force of 0.05 N;
        // a frame that did not move along would change it by 1e-2 N
        for (a, b) in moved.iter().zip(at_origin).chain(moved_map.iter().zip(on_map)) {
            assert!((a - b).abs() < 5e-10, "{at:?}: {a} not {b}");
        }
    }
}

#[test]
fn a_mask_lies_about_the_middle_of_its_grid() {
    let mask =
        |rows: &[&str]| Shape::Mask(Mask { cell: 0.5, rows: rows.iter().map(|row| (*row).to_owned()).collect() });
    // the lower right cell of a grid of 2 by 2: ∫(1 + x + 2y) dS = 0.25 (1 + 0.25 − 0.5)
    let [x, ..] = wrench(&mask(&["..", ".#"]), &Motion::default(), &expression("1 + x + 2*y"), None);
    assert!((x + 0.25 * 0.75).abs() < 1e-13, "{x}");
}

fn moments(shape: &Shape, motion: &Motion, length: f64) -> stiction::analysis::planar_sliding::Moments {
    let text = format!(r#"{{"field": {{"correlation_length": {length}}}}}"#);
    let sliding: PlanarSliding = serde_json::from_str(&text).unwrap();
    let covariance: Covariance = sliding.covariance(CorrelationOf::Coefficient).unwrap();
    Plate::new(shape, motion, 1.0).unwrap().moments(&covariance, NoCovariance::Refuse).unwrap()
}

#[test]
fn an_annulus_has_its_closed_mean_torque_and_the_variance_of_double_sums() {
    let annulus = Shape::Annulus(Annulus { inner_radius: 0.4, outer_radius: 1.0 });
    let turning = moments(&annulus, &motion(r#""rotation""#), 0.7);
    // E[T] = −P μ (2π/3)(R³ − r³)
    let wanted = -0.5 * 2.0 / 3.0 * std::f64::consts::PI * (1.0 - 0.4_f64.powi(3));
    assert!((turning.mean[2] - wanted).abs() < 1e-14, "{} not {wanted}", turning.mean[2]);
    // ∬ over rings by Gauss in the radius and trapezoids in the angle, an independent sum
    let (ring, spokes) = (rings(0.4, 1.0, 16), 48);
    let turn = std::f64::consts::TAU / f64::from(spokes);
    let (mut force, mut torque) = (0.0, 0.0);
    for (r, w) in &ring {
        for (s, v) in &ring {
            for k in 0..spokes {
                let angle = f64::from(k) * turn;
                let square = r * r + s * s - 2.0 * r * s * cos(angle);
                let pair = w * r * v * s * turn * std::f64::consts::TAU * exp(-square / 0.49);
                force += pair;
                torque += pair * r * s;
            }
        }
    }
    let sliding = moments(&annulus, &Motion::default(), 0.7);
    // the sums converge faster than any power: 1e-10 with these numbers of points
    assert!((sliding.covariance[0][0] / (0.01 * force) - 1.0).abs() < 1e-8, "{:?}", sliding.covariance[0][0]);
    assert!((turning.covariance[2][2] / (0.01 * torque) - 1.0).abs() < 1e-8, "{:?}", turning.covariance[2][2]);
}

/// Gauss–Legendre nodes with five points on equal panels.
fn rings(low: f64, high: f64, panels: u32) -> Vec<(f64, f64)> {
    let (a, b) =
        ((5.0 - 2.0 * (10.0_f64 / 7.0).sqrt()).sqrt() / 3.0, (5.0 + 2.0 * (10.0_f64 / 7.0).sqrt()).sqrt() / 3.0);
    let (u, v) = ((322.0 + 13.0 * 70.0_f64.sqrt()) / 900.0, (322.0 - 13.0 * 70.0_f64.sqrt()) / 900.0);
    let rule = [(-b, v), (-a, u), (0.0, 128.0 / 225.0), (a, u), (b, v)];
    let half = 0.5 * (high - low) / f64::from(panels);
    let middle = |panel: u32| low + half * f64::from(2 * panel + 1);
    (0..panels).flat_map(|panel| rule.map(|(t, w)| (middle(panel) + half * t, half * w))).collect()
}

#[test]
fn a_tiny_hole_changes_nothing_and_short_lengths_follow_the_area() {
    let disc = Shape::Disc(Disc { radius: 1.0 });
    let tiny = Shape::Annulus(Annulus { inner_radius: 1e-6, outer_radius: 1.0 });
    for motion in [Motion::default(), motion(r#"{"general": {"rotation_radius": 0.3}}"#)] {
        let (a, b) = (moments(&disc, &motion, 0.5), moments(&tiny, &motion, 0.5));
        // a hole of 1e-12 of the area; the sums themselves have errors of 1e-9
        assert!((a.covariance[0][0] / b.covariance[0][0] - 1.0).abs() < 1e-8);
    }
    // K → π l² ∫w² dS: the next term is l × outline/(2√π × area) = 0.0017 × 2.3
    let annulus = Shape::Annulus(Annulus { inner_radius: 0.5, outer_radius: 1.0 });
    let short = moments(&annulus, &Motion::default(), 1e-3).covariance[0][0];
    let area = std::f64::consts::PI * 0.75;
    let rim = 3.0 * std::f64::consts::PI;
    let wanted = 0.01 * std::f64::consts::PI * 1e-6 * (area - 1e-3 / (2.0 * std::f64::consts::PI.sqrt()) * rim);
    // what is left is of the order (l/width)² = 4e-6
    assert!((short / wanted - 1.0).abs() < 1e-5, "{short} not {wanted}");
}

#[test]
fn the_spread_of_the_force_does_not_jump_as_the_rotation_radius_tends_to_zero() {
    let shape = Shape::Disc(Disc { radius: 1.0 });
    let cv = |radius: f64| {
        let motion = motion(&format!(r#"{{"general": {{"rotation_radius": {radius}}}}}"#));
        let plate = Plate::new(&shape, &motion, 1.0).unwrap();
        let found = plate.variations(&moments(&shape, &motion, 1.0), 0.5, Default::default());
        assert!(!found.scales.force_scaled);
        found.force_norm.unwrap()
    };
    // means are of second order in the radius: E‖F‖ changes by less than radius²
    let limit = cv(0.0);
    for radius in [1e-15, 1e-13, 1e-12, 1e-9, 1e-6] {
        assert!((cv(radius) / limit - 1.0).abs() < 1e-8, "{radius}: {} not {limit}", cv(radius));
    }
}

#[test]
fn samples_do_not_depend_on_the_unit_of_length() {
    let disc = |radius: f64| Shape::Disc(Disc { radius });
    let rectangle = |side: f64| Shape::Rectangle(Rectangle { half_length: side, half_width: 0.3 * side });
    let draw = |shape: &Shape, keys: &str, unit: f64| {
        let text =
            format!(r#"{{"field": {{{keys}}}, "motion": {{"general": {{"rotation_radius": {}}}}}}}"#, 0.1 * unit);
        let mut sliding: PlanarSliding = serde_json::from_str(&text).unwrap();
        let mut model = sliding.field_model();
        model.correlation_length =
            model.correlation_length.map(|_| stiction::field::LengthChoice::Isotropic(0.3 * unit));
        sliding.field = model;
        let plate = Plate::new(shape, &sliding.motion, 1.0).unwrap();
        let field = sliding.description(CorrelationOf::GaussianParent).unwrap();
        let sampler = PlateSampler::new(&plate, &field, None, GeneratorChoice::Auto, 3, &|| false).unwrap();
        Samples::draw(&sampler, &plate.functionals.twist, 1.0, 6, Pairing::Antithetic).rows
    };
    for (shape, keys) in [
        (&rectangle as &dyn Fn(f64) -> Shape, ""),
        (&rectangle, r#""correlation_exponent": 1.5"#),
        (&disc, ""),
        (&disc, r#""correlation_exponent": 1.0"#),
    ] {
        let metres = draw(&shape(1.0), keys, 1.0);
        for unit in [4.0, 0.0625] {
            let other = draw(&shape(unit), keys, unit);
            for (a, b) in metres.iter().zip(&other) {
                let back = [b[0] / (unit * unit), b[1] / (unit * unit), b[2] / (unit * unit * unit)];
                for (a, b) in a.iter().zip(back) {
                    assert!((a - b).abs() <= 1e-12 * a.abs().max(1e-3), "{keys} {unit}: {a} not {b}");
                }
            }
        }
    }
}
