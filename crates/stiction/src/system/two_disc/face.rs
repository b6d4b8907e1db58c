//! The contact face cut into cells, each with its centroid and its share of the load.

use super::keys::TwoDisc;
use super::pressure::Pressure;
use crate::num::real::{cos, sin};
use std::f64::consts::TAU;

/// Cells of a contact face: centroids in the body frame of the upper disc, and shares of the load that add up to one.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// x of the centroids \[m\].
    pub(crate) x: Vec<f64>,
    /// y of the centroids \[m\].
    pub(crate) y: Vec<f64>,
    /// Shares of the load [-].
    pub(crate) weights: Vec<f64>,
}

/// Nodes and weights of Gauss and Legendre's rule with ten points on (0, 1): the half next to 0, the other is its mirror.
const GAUSS: [(f64, f64); 5] = [
    (0.013046735741414139, 0.03333567215434407),
    (0.06746831665550774, 0.0747256745752903),
    (0.1602952158504878, 0.10954318125799102),
    (0.2833023029353764, 0.13463335965499818),
    (0.4255628305091844, 0.14776211235737643),
];

/// Rays of the rule that is centred on the centre of rotation.
const RAYS: usize = 96;

/// Rings of the mesh that replaces it where the centre of rotation lies outside the face.
const FINE_RINGS: usize = 40;

impl Face {
    /// The face of these discs, by their own cells or by rings; a point if its radius is zero.
    pub(crate) fn of(discs: &TwoDisc) -> Self {
        let contact = &discs.contact;
        let outer = contact.outer(discs.upper.radius);
        let face = if contact.cells.is_empty() {
            Self::rings(outer, contact.radius, contact.rings, contact.rotation)
        } else {
            Self::own(outer, contact.radius, &contact.cells, contact.rotation)
        };
        face.pressed(outer, contact.radius, contact.pressure.as_ref())
    }

    /// Cells given in units of the `radius` about the centre of the face, turned by `rotation` \[rad\].
    fn own(outer: f64, radius: f64, cells: &[[f64; 3]], rotation: f64) -> Self {
        let (c, s) = (cos(rotation), sin(rotation));
        let placed = |[x, y, area]: [f64; 3]| {
            (outer - radius + radius * (c * x - s * y), radius * (s * x + c * y), area * radius * radius)
        };
        Self::from_cells(cells.iter().copied().map(placed))
    }

    /// The same cells under a pressure that is not even.
    #[must_use]
    pub(crate) fn pressed(self, outer: f64, radius: f64, pressure: Option<&Pressure>) -> Self {
        let Some(pressure) = pressure.filter(|_| radius > 0.0) else { return self };
        let places = self.x.into_iter().zip(self.y).zip(self.weights);
        Self::from_cells(places.map(|((x, y), weight)| {
            let there = pressure.at((x - (outer - radius)) / radius, y / radius);
            // at the rim itself rounding may make a root imaginary
            (x, y, if there > 0.0 { weight * there } else { 0.0 })
        }))
    }

    /// A point at (`x`, `y`) \[m\].
    pub(crate) fn point(x: f64, y: f64) -> Self {
        Self { x: vec![x], y: vec![y], weights: vec![1.0] }
    }

    /// Cells at these places \[m\] with these areas, in any unit.
    pub fn from_cells(cells: impl IntoIterator<Item = (f64, f64, f64)>) -> Self {
        let mut face = Self { x: Vec::new(), y: Vec::new(), weights: Vec::new() };
        for (x, y, area) in cells {
            face.x.push(x);
            face.y.push(y);
            face.weights.push(area);
        }
        // a polygon is smaller than its circle: the load is shared among what there is
        let total: f64 = face.weights.iter().sum();
        for weight in &mut face.weights {
            *weight /= total;
        }
        face
    }

    /// Triangles between `count` concentric rings of a bar of this `radius`, flush with the rim of a disc of radius
    /// `outer` \[m\]; the mesh is turned by `rotation` \[rad\] about the centre of the face.
    pub(crate) fn rings(outer: f64, radius: f64, count: usize, rotation: f64) -> Self {
        if radius == 0.0 || count == 0 {
            return Self::point(outer, 0.0);
        }
        let centre = outer - radius;
        let node = |ring: usize, index: usize| {
            if ring == 0 {
                return (0.0, 0.0);
            }
            let r = radius * ring as f64 / count as f64;
            let angle = rotation + TAU * (index % (6 * ring)) as f64 / (6 * ring) as f64;
            (r * cos(angle), r * sin(angle))
        };
        let triangle = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| {
            let area = 0.5 * ((b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)).abs();
            (centre + (a.0 + b.0 + c.0) / 3.0, (a.1 + b.1 + c.1) / 3.0, area)
        };
        let mut cells = Vec::with_capacity(6 * count * count);
        for ring in 1..=count {
            for sector in 0..6 {
                for j in 0..ring {
                    let (a, b) = (sector * ring + j, sector * (ring - 1) + j);
                    cells.push(triangle(node(ring, a), node(ring, a + 1), node(ring - 1, b)));
                    if j + 1 < ring {
                        cells.push(triangle(node(ring, a + 1), node(ring - 1, b + 1), node(ring - 1, b)));
                    }
                }
            }
        }
        Self::from_cells(cells)
    }

    /// Rays from `pole` (the centre of rotation) to the rim of the face, three Gauss panels on each: finest within a few
    /// `length` \[m\] of the pole, where friction turns its direction and rises to its static value. A fine mesh of rings if the
    /// pole is outside the face, the point if there is none.
    pub(crate) fn centred(outer: f64, radius: f64, pole: [f64; 2], length: f64) -> Self {
        if radius == 0.0 {
            return Self::point(outer, 0.0);
        }
        let centre = outer - radius;
        let (dx, dy) = (pole[0] - centre, pole[1]);
        let distance = (dx * dx + dy * dy).sqrt();
        if distance > radius * (1.0 + 1e-9) {
            return Self::rings(outer, radius, FINE_RINGS, 0.0);
        }
        let mut cells = Vec::with_capacity(30 * RAYS);
        for ray in 0..RAYS {
            let angle = TAU * ray as f64 / RAYS as f64;
            let (ux, uy) = (cos(angle), sin(angle));
            let along = dx * ux + dy * uy;
            let reach = (along * along + (radius * radius - distance * distance).max(0.0)).sqrt() - along;
            let breaks = [0.0, (3.0 * length).min(reach), (15.0 * length).min(reach), reach];
            for panel in breaks.windows(2) {
                let (from, width) = (panel[0], panel[1] - panel[0]);
                if width <= 0.0 {
                    continue;
                }
                let both = GAUSS.iter().copied().chain(GAUSS.iter().rev().map(|(u, w)| (1.0 - u, *w)));
                for (u, w) in both {
                    let r = from + u * width;
                    cells.push((pole[0] + r * ux, pole[1] + r * uy, r * w * width));
                }
            }
        }
        Self::from_cells(cells)
    }

    /// Number of cells.
    pub(crate) fn len(&self) -> usize {
        self.x.len()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// The same face in a mirror, y → −y.
    #[must_use]
    pub(crate) fn mirrored(mut self) -> Self {
        for y in &mut self.y {
            *y = -*y;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rings_have_the_right_cells_weights_and_centroid() {
        for (count, rotation) in [(1, 0.0), (2, 0.3), (5, 0.0), (5, 1.0), (9, 0.0)] {
            let face = Face::rings(1.0, 0.1, count, rotation);
            assert_eq!(face.len(), 6 * count * count);
            let sum = |f: &dyn Fn(usize) -> f64| (0..face.len()).map(|i| face.weights[i] * f(i)).sum::<f64>();
            assert!((sum(&|_| 1.0) - 1.0).abs() < 1e-14);
            assert!((sum(&|i| face.x[i]) - 0.9).abs() < 1e-14 && sum(&|i| face.y[i]).abs() < 1e-14);
        }
        // all corners of the outer ring lie on the circle: a hexagon for one ring
        let hexagon = Face::rings(1.0, 0.1, 1, 0.0);
        assert!(hexagon.weights.iter().all(|w| (w - 1.0 / 6.0).abs() < 1e-15));
    }

    #[test]
    fn the_mesh_is_symmetric_in_a_mirror() {
        let face = Face::rings(1.0, 0.3, 5, 0.0);
        for i in 0..face.len() {
            let found = (0..face.len()).any(|j| {
                (face.x[i] - face.x[j]).abs() < 1e-14
                    && (face.y[i] + face.y[j]).abs() < 1e-14
                    && (face.weights[i] - face.weights[j]).abs() < 1e-14
            });
            assert!(found, "cell {i}");
        }
    }

    #[test]
    fn the_centred_rule_integrates_over_the_circle() {
        for pole in [[0.9, 0.0], [0.95, 0.03], [0.83, -0.07], [1.0, 0.0]] {
            let face = Face::centred(1.0, 0.1, pole, 1e-3);
            let sum = |f: &dyn Fn(f64, f64) -> f64| {
                (0..face.len()).map(|i| face.weights[i] * f(face.x[i] - 0.9, face.y[i])).sum::<f64>()
            };
            assert!(sum(&|x, _| x).abs() < 2e-5 && sum(&|_, y| y).abs() < 2e-5, "{pole:?}");
            assert!((sum(&|x, y| x * x + y * y) - 0.005).abs() < 5e-6, "{pole:?}");
        }
        assert_eq!(Face::centred(1.0, 0.1, [0.5, 0.0], 1e-3).len(), 9600);
        assert_eq!(Face::centred(1.0, 0.0, [0.5, 0.0], 1e-3), Face::point(1.0, 0.0));
    }

    #[test]
    fn own_cells_are_placed_as_the_rings_are() {
        let mut discs = TwoDisc::new(20.0, 1.0);
        let rings = Face::of(&discs);
        let cell = |i: usize| [(rings.x[i] - 0.9) / 0.1, rings.y[i] / 0.1, rings.weights[i]];
        discs.contact.cells = (0..rings.len()).map(cell).collect();
        let close = |a: &Face, b: &Face| {
            let all = |f: fn(&Face) -> &Vec<f64>| f(a).iter().zip(f(b)).all(|(a, b)| (a - b).abs() < 1e-14);
            a.len() == b.len() && all(|face| &face.x) && all(|face| &face.y) && all(|face| &face.weights)
        };
        assert!(close(&Face::of(&discs), &rings));
        // a bar further in, and a mesh that is turned
        (discs.contact.position, discs.contact.rotation) = (Some(0.6), 0.3);
        let mut turned = TwoDisc::new(20.0, 1.0);
        (turned.contact.position, turned.contact.rotation) = (Some(0.6), 0.3);
        assert!(close(&Face::of(&discs), &Face::of(&turned)));
        assert!(Face::of(&discs).x.iter().all(|x| (x - 0.6).abs() < 0.1));
    }

    #[test]
    fn pressure_weights_the_cells() {
        let mut discs = TwoDisc::new(20.0, 1.0);
        discs.contact.rings = 20;
        let second = |face: &Face| -> f64 {
            (0..face.len())
                .map(|i| face.weights[i] * ((face.x[i] - 0.9) * (face.x[i] - 0.9) + face.y[i] * face.y[i]))
                .sum()
        };
        discs.contact.pressure = Pressure::new("1").ok();
        assert!((second(&Face::of(&discs)) - 0.005).abs() < 2e-5);
        // Hertz: the mean of r² is 2/5 R_c²
        discs.contact.pressure = Pressure::new("sqrt(1 - r^2)").ok();
        assert!((second(&Face::of(&discs)) - 0.004).abs() < 4e-5);
        assert!(discs.problems().is_empty());
        discs.contact.pressure = Pressure::new("x").ok();
        assert_eq!(discs.problems()[0].key, "contact.pressure");
    }

    #[test]
    fn meshes_that_cannot_be_are_refused() {
        let problem = |cells: &[[f64; 3]], radius: f64| {
            let mut discs = TwoDisc::new(20.0, 1.0);
            (discs.contact.cells, discs.contact.radius) = (cells.to_vec(), radius);
            discs.problems().first().map(|problem| problem.key.to_string())
        };
        let pair = [[0.5, 0.0, 1.0], [-0.5, 0.0, 1.0]];
        assert_eq!(problem(&pair, 0.1), None);
        assert_eq!(problem(&pair, 0.0).as_deref(), Some("contact.cells"));
        assert_eq!(problem(&pair[..1], 0.1).as_deref(), Some("contact.cells"));
        assert_eq!(problem(&[pair[0], [2.0, 0.0, 1.0]], 0.1).as_deref(), Some("contact.cells[1]"));
        assert_eq!(problem(&[pair[0], [0.0, 0.0, -1.0]], 0.1).as_deref(), Some("contact.cells[1]"));
    }
}
