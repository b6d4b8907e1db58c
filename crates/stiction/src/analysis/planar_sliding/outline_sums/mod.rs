//! Covariances for short Gaussian kernels from the outline alone: the work does not grow as the length falls.
//!
//! Without a rim the kernel G = exp(−r²/l²) would turn a weight into its mean over the plane, V_j = ∫G w_j, which is known in
//! closed form (Rice's distribution). What the plane has too much are the pairs of a point inside and a point outside, and each
//! of them crosses the outline:
//!
//! ```text
//! K_ij = ∫w_i V_j dS − ∮ds ∫dθ (n·e) ∫du ∫dv (u + v) exp(−(u+v)²/l²) w_i(b − u e) w_j(b + v e)
//! ```
//! b runs along the outline, e over all directions, n is the outward normal, u over the parts of the ray that lie inside and v
//! from 0 to ∞: of all crossings between a point inside and another, outward ones count +1 and inward ones −1, and one is left if
//! the other is outside, none if it is inside. Nothing is expanded; along the outline everything is smooth over the distance to the
//! centre of rotation, but near corners, which cost the same at every length.

mod modes;
mod pieces;
mod plane;
mod ray;
mod view;

use super::functionals::{Functionals, Matrix, PAIRS};
use super::lengths::matrix;
use crate::num::gauss::Rule;
use crate::num::lanes::{Kernel, Simd, vectorised};
use pieces::{Panels, at, gap};
use ray::{Line, REACH, Ray, Side};
use std::sync::LazyLock;
use view::{Turns, View};

/// What is the same for every area and length.
static RAY: LazyLock<Ray> = LazyLock::new(Ray::new);

/// How many nodes are used.
#[derive(Clone, Copy)]
struct Orders {
    /// Along a panel of the outline.
    along: usize,
    /// Of directions, from break to break.
    turn: usize,
}

/// Nodes that give what [`error`] promises.
const FINE: Orders = Orders { along: 7, turn: 9 };

/// Most pieces of an outline whose gaps are looked up one by one.
const MOST_PIECES: usize = 64;

/// The length \[m\] below which sums along the outline are faster than those over the lattice; none where the distance is
/// measured differently in two directions, and where rays end at circles.
pub(crate) fn fastest_below(functionals: &Functionals) -> Option<f64> {
    let pieces = &functionals.outline.pieces;
    let hole = functionals.outline.radii().is_some_and(|[inner, _]| inner > 0.0);
    if functionals.map != [[1.0, 0.0], [0.0, 1.0]] || pieces.len() > MOST_PIECES || hole {
        return None;
    }
    Some(0.04 * functionals.outline.geometry.half_side())
}

/// The smallest distance between pieces of the outline that do not meet \[m\]; 0 if there are too many to look.
pub(crate) fn smallest_gap(functionals: &Functionals) -> f64 {
    let outline = &functionals.outline;
    if outline.pieces.len() > MOST_PIECES { 0.0 } else { pieces::smallest_gap(outline) }
}

/// A bound of the relative error [-] at a length \[m\]. What is not resolved lies at corners and at the centre of rotation, and
/// matters like the square of the length; a test compares it with twice as many nodes.
pub(crate) fn error(functionals: &Functionals, length: f64) -> f64 {
    2e-9 + 4e-5 * (length / functionals.outline.geometry.half_side()).powi(2)
}

/// K/P² for unit variance and the kernel exp(−r²/l²), l = `length` \[m\].
pub(crate) fn gaussian(functionals: &Functionals, length: f64) -> Matrix {
    with_orders(functionals, length, FINE)
}

fn with_orders(functionals: &Functionals, length: f64, orders: Orders) -> Matrix {
    let inside = plane::covariance(&functionals.outline, &functionals.twist, length);
    let crossing = vectorised(Crossings { functionals, length, orders });
    matrix(|n| {
        let (i, j) = PAIRS[n];
        let part = |sum: &Matrix| 0.5 * (sum[i][j] + sum[j][i]);
        part(&inside) - part(&crossing)
    })
}

/// What pairs across the outline would add.
struct Crossings<'a> {
    functionals: &'a Functionals,
    length: f64,
    orders: Orders,
}

impl Kernel for Crossings<'_> {
    type Output = Matrix;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Matrix {
        let Self { functionals, length, orders } = self;
        let (outline, twist) = (&functionals.outline, &functionals.twist);
        let centre = twist.centre();
        let (rule, turns, ray) = (Rule::gauss_legendre(orders.along), Turns::new(orders.turn), &*RAY);
        let (mut near, mut breaks, mut directions) = (Vec::new(), Vec::new(), Vec::new());
        let (mut ends, mut side) = (Vec::new(), Side::default());
        let mut sum = [[0.0; 3]; 3];
        for panel in (Panels { outline, centre, length, corners: true }).all() {
            let own = &outline.pieces[panel.piece];
            near.clear();
            near.extend(outline.pieces.iter().enumerate().filter_map(|(index, piece)| {
                (index != panel.piece && gap(own, panel.ends, piece) < REACH * length).then_some(*piece)
            }));
            for (place, weight) in panel.nodes(&rule) {
                let view = View::new(at(own, place), own, &near, centre, length);
                view.directions(&turns, &mut breaks, &mut directions);
                for &([outward, along], angle_weight) in &directions {
                    let direction = view.direction([outward, along]);
                    view.parts_inside(direction, outward, &mut ends);
                    if ends.is_empty() {
                        continue;
                    }
                    let line = Line { twist, node: &view.node, direction, length };
                    let part = match view.close(direction, &ends) {
                        Some(to_centre) => ray.close_pair(simd, &line, to_centre, &ends, &mut side),
                        None => ray.pair(simd, &line, &ends),
                    };
                    let factor = weight * angle_weight * outward * length.powi(3);
                    for (sum, part) in sum.iter_mut().flatten().zip(part.iter().flatten()) {
                        *sum += factor * part;
                    }
                }
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::planar_sliding::functionals::difference;
    use crate::analysis::planar_sliding::motion::Twist;
    use crate::analysis::planar_sliding::square::rectangle_translation;
    use crate::patch::{Disc, Outline, Point, Polygon, Rectangle, Resolution, Shape, Square};

    fn turning(shape: &Shape, [x, y]: Point) -> Functionals {
        Functionals::new(Outline::of(shape).unwrap(), Twist { vx: y, vy: -x, omega: 1.0 })
    }

    /// From the middle over the rim to outside, at edges and at corners.
    fn plates() -> Vec<Functionals> {
        let angled = Shape::Polygon(Polygon {
            corners: vec![[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.5], [0.0, 2.0]],
            holes: vec![vec![[0.2, 0.2], [0.8, 0.3], [0.5, 0.7]]],
        });
        let square = Shape::Square(Square { half_side: 1.0 });
        let slender = Shape::Rectangle(Rectangle { half_length: 2.0, half_width: 0.4 });
        let disc = Shape::Disc(Disc { radius: 1.0 });
        let centres: [(Shape, &[Point]); 4] = [
            (
                square,
                &[[0.0, 0.0], [0.0, 0.9], [0.0, 0.97], [0.0, 1.0], [0.3, 1.03], [1.0, 1.0], [0.97, 0.98], [2.0, 0.1]],
            ),
            (slender, &[[0.2, 0.1], [1.95, 0.39]]),
            (disc, &[[0.0, 0.0], [0.1, 0.4], [0.0, 0.98], [0.0, 1.05]]),
            (angled, &[[0.1, 0.2], [-0.7, -0.4], [-0.24, 0.15]]),
        ];
        let plates = centres.iter().flat_map(|(shape, centres)| centres.iter().map(|centre| turning(shape, *centre)));
        plates.collect()
    }

    #[test]
    fn sums_along_the_outline_are_those_over_a_fan() {
        for functionals in plates() {
            let fan = functionals.loads(Resolution { length: 0.06, extra: 0 }).gaussian(0.06);
            let (error, told) = (difference(&fan, &gaussian(&functionals, 0.06)), error(&functionals, 0.06));
            assert!(error < told, "{:?}: {error:e}, told {told:e}", functionals.twist);
        }
    }

    #[test]
    fn both_methods_meet_where_they_change_over() {
        for functionals in plates() {
            let length = fastest_below(&functionals).unwrap();
            let lattice = functionals.gaussian(length, 0).unwrap();
            let (error, told) = (difference(&lattice, &gaussian(&functionals, length)), error(&functionals, length));
            assert!(error < told, "{:?}: {error:e}, told {told:e}", functionals.twist);
        }
    }

    #[test]
    fn twice_as_many_nodes_change_less_than_the_bound() {
        for functionals in plates() {
            let half_side = functionals.outline.geometry.half_side();
            let longest = fastest_below(&functionals).unwrap();
            for length in [0.003, 0.012, 0.025, 0.04].map(|share| share * half_side) {
                if length <= 1.001 * longest {
                    let finer =
                        with_orders(&functionals, length, Orders { along: 2 * FINE.along, turn: 2 * FINE.turn });
                    let (change, told) =
                        (difference(&finer, &gaussian(&functionals, length)), error(&functionals, length));
                    assert!(change < told, "{:?}, {length}: {change:e}, told {told:e}", functionals.twist);
                }
            }
        }
    }

    #[test]
    fn translation_has_its_closed_form_at_every_length() {
        let rectangle = Shape::Rectangle(Rectangle { half_length: 1.3, half_width: 0.7 });
        let functionals = Functionals::new(Outline::of(&rectangle).unwrap(), Twist { vx: 0.6, vy: 0.8, omega: 0.0 });
        for length in [1e-6, 1e-3, 0.01, 0.1] {
            let wanted = rectangle_translation(1.3, 0.7, [0.6, 0.8], length);
            let error = difference(&wanted, &gaussian(&functionals, length));
            assert!(error < 3e-8, "{length}: {error:e}");
        }
    }

    #[test]
    fn a_distant_centre_of_rotation_loses_no_digits() {
        let rectangle = Shape::Rectangle(Rectangle { half_length: 1.3, half_width: 0.7 });
        let outline = Outline::of(&rectangle).unwrap();
        let turning = |omega: f64| Functionals::new(outline.clone(), Twist { vx: 0.6, vy: -0.8, omega });
        // just before and just behind the change of the method, against the fan
        for omega in [0.181, 0.18, -0.1] {
            let fan = turning(omega).loads(Resolution { length: 0.06, extra: 0 }).gaussian(0.06);
            let error = difference(&fan, &gaussian(&turning(omega), 0.06));
            assert!(error < 1e-8, "{omega}: {error:e}");
        }
        let wanted = rectangle_translation(1.3, 0.7, [0.6, -0.8], 0.01);
        let error = difference(&wanted, &gaussian(&turning(1e-12), 0.01));
        assert!(error < 1e-9, "{error:e}");
    }
}
