//! What is seen of an area from the points of its outline.

use super::line::{Digits, Rough};
use super::radii::{NODES, Radii};
use super::side::{Metric, Side};
use super::{Entries, PAIRS, total};
use crate::analysis::{Cancelled, Progress};
use crate::num::bulk::{Loop, vectorised};
use crate::patch::Point;
use crate::patch::outline::{cross, dot, length};
use rayon::prelude::*;

/// The distance from which on a kernel changes, in first panels.
const GRAIN: f64 = 10.0;

/// Tasks that share the points of the outline: fixed, so that the order of summation does not depend on the threads.
const TASKS: usize = 64;

/// Directions of sliding as seen from the origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sliding {
    /// Of the origin.
    pub(super) velocity: Point,
    pub(super) omega: f64,
    /// Places are multiplied by this first.
    pub(super) sigma: f64,
}

impl Sliding {
    /// Weights of both forces and of the torque about the origin.
    #[inline(always)]
    fn weights(&self, [x, y]: Point) -> [f64; 3] {
        let (x, y) = (self.sigma * x, self.sigma * y);
        let (u, v) = (self.velocity[0] - self.omega * y, self.velocity[1] + self.omega * x);
        let speed = (u * u + v * v).sqrt();
        let factor = if speed > 0.0 { -1.0 / speed } else { 0.0 };
        [factor * u, factor * v, factor * (x * v - y * u)]
    }
}

/// An area as seen from the origin of its motion.
#[derive(Clone)]
pub(super) struct Scene<'a> {
    pub(super) sides: Vec<Side>,
    pub(super) metric: Metric,
    pub(super) sliding: Sliding,
    /// Whether directions jump at the origin.
    pub(super) centred: bool,
    pub(super) reach: f64,
    pub(super) radii: &'a Radii,
    pub(super) digits: Digits,
    /// What the nodes of a panel of distances resolve.
    pub(super) axis: f64,
}

/// A point of the outline: its side, its place there, and its weight.
type Node = (usize, f64, f64);

impl Scene<'_> {
    /// Weights of Ĉ at all radii.
    pub(super) fn outline(&self, progress: &dyn Progress) -> Result<Vec<Entries>, Cancelled> {
        let nodes = self.nodes();
        let parts: Vec<Result<Vec<Entries>, Cancelled>> = nodes
            .par_chunks(nodes.len().div_ceil(TASKS).max(1))
            .map(|nodes| {
                let mut sums = vec![[0.0; 6]; self.radii.places.len()];
                let mut view = View::new(self.radii.places.len());
                for node in nodes {
                    if progress.cancelled() {
                        return Err(Cancelled);
                    }
                    self.add(*node, &mut view, &mut sums);
                }
                Ok(sums)
            })
            .collect();
        total(parts, self.radii)
    }

    /// The distance from which on kernels change \[m\].
    fn grain(&self) -> f64 {
        GRAIN * self.radii.ends.get(1).copied().unwrap_or(0.0)
    }

    /// Points of the outline.
    fn nodes(&self) -> Vec<Node> {
        let (mut nodes, mut roughs, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let grain = self.grain();
        for (index, side) in self.sides.iter().enumerate() {
            if let Side::Line { from, to } = side
                && cross(*from, *to).abs() <= 1e-14 * self.reach * length([to[0] - from[0], to[1] - from[1]])
            {
                continue;
            }
            roughs.clear();
            if self.centred {
                side.roughs(&self.metric, [0.0; 2], grain, &mut roughs);
                side.roughs(&Metric::PLAIN, [0.0; 2], grain, &mut roughs);
            }
            side.own_roughs(&self.metric, &mut roughs);
            if let Side::Line { .. } = side {
                for other in &self.sides {
                    if let Side::Line { from, .. } = other {
                        side.roughs(&self.metric, *from, grain, &mut roughs);
                    }
                }
                for rough in &mut roughs {
                    // own corners, to the last digit
                    if rough.beside < 1e-12 && (rough.at.abs() < 1e-12 || (rough.at - 1.0).abs() < 1e-12) {
                        *rough = Rough { at: rough.at.round(), beside: 0.0, ..*rough };
                    }
                }
            }
            places.clear();
            self.digits.nodes([0.0, 1.0], &roughs, &mut places);
            nodes.extend(places.iter().map(|(t, weight)| (index, *t, *weight)));
        }
        nodes
    }

    /// Adds what one point of the outline and all points inside count.
    fn add(&self, (index, t, weight): Node, view: &mut View, sums: &mut [Entries]) {
        let [x, along] = self.sides[index].at(t);
        view.sums.iter_mut().for_each(|sums| sums.fill(0.0));
        for (other, side) in self.sides.iter().enumerate() {
            if other == index && matches!(side, Side::Line { .. }) {
                continue;
            }
            view.roughs.clear();
            side.roughs(&self.metric, x, self.grain(), &mut view.roughs);
            if self.centred {
                side.roughs(&Metric::PLAIN, [0.0; 2], f64::INFINITY, &mut view.roughs);
                side.behind(x, [0.0; 2], &mut view.roughs);
            }
            let mut rays = std::mem::take(&mut view.rays);
            rays.clear();
            self.digits.nodes([0.0, 1.0], &view.roughs, &mut rays);
            for (t, weight) in &rays {
                let [z, turning] = side.at(*t);
                self.ray(x, [z[0] - x[0], z[1] - x[1]], turning, *weight, view);
            }
            view.rays = rays;
        }
        let own = self.sliding.weights(x);
        let factor = weight * cross(x, along);
        for (n, sum) in sums.iter_mut().enumerate() {
            for (sum, (i, j)) in sum.iter_mut().zip(PAIRS) {
                *sum += factor * (own[i] * view.sums[j][n] + own[j] * view.sums[i][n]);
            }
        }
    }

    /// Adds one ray of the triangle from x to a side.
    fn ray(&self, x: Point, chord: Point, turning: Point, weight: f64, view: &mut View) {
        let far = self.metric.length(chord);
        let factor = weight * cross(chord, turning) / (far * far);
        if !factor.is_finite() || factor == 0.0 {
            return;
        }
        let along = chord.map(|part| part / far);
        let radii = self.radii;
        let full = radii.ends.partition_point(|end| *end <= far * (1.0 + 1e-13)).saturating_sub(1);
        let rough = self.centred.then(|| {
            let square = dot(along, along);
            Rough { at: -dot(x, along) / square, beside: cross(x, along).abs() / square, grain: f64::INFINITY }
        });
        let resolved = |panel: &usize| {
            let ends = [radii.ends[*panel], radii.ends[panel + 1]];
            rough.is_none_or(|rough| Digits::resolves(ends, rough, self.axis))
        };
        let first = (0..full).find(|panel| !resolved(panel)).unwrap_or(full);
        let last = (first..full).rfind(|panel| !resolved(panel)).map_or(first, |panel| panel + 1);
        for panels in [0..first, last..full] {
            let nodes = panels.start * NODES..panels.end * NODES;
            vectorised(Straight {
                sliding: self.sliding,
                ray: [x, along],
                factor,
                places: &radii.places[nodes.clone()],
                weights: &radii.weights[nodes.clone()],
                sums: view.sums.each_mut().map(|sums| &mut sums[nodes.clone()]),
            });
        }
        for panel in first..last {
            self.part(panel, radii.ends[panel + 1], [x, along], factor, rough, view);
        }
        if full < radii.panels() {
            self.part(full, far, [x, along], factor, rough, view);
        }
    }

    /// Adds the part of a ray that lies in a panel, up to an end.
    fn part(&self, panel: usize, end: f64, [x, along]: [Point; 2], factor: f64, rough: Option<Rough>, view: &mut View) {
        let start = self.radii.ends[panel];
        // the polynomials of the panel are as rough as a pole that is as far away as this
        let pole = Rough { at: start - 0.5 * (end - start), beside: 0.0, grain: f64::INFINITY };
        view.roughs.clear();
        view.roughs.push(pole);
        view.roughs.extend(rough);
        view.parts.clear();
        self.digits.nodes([start, end], &view.roughs, &mut view.parts);
        let sums = view.sums.each_mut().map(|sums| &mut sums[panel * NODES..(panel + 1) * NODES]);
        let (radii, sliding, parts) = (self.radii, self.sliding, &view.parts);
        vectorised(Bent { radii, panel, sliding, ray: [x, along], factor, parts, sums });
    }
}

/// What is seen from one point of the outline, and room for it.
struct View {
    /// ∫dφ r w dr at all radii.
    sums: [Vec<f64>; 3],
    roughs: Vec<Rough>,
    rays: Vec<(f64, f64)>,
    parts: Vec<(f64, f64)>,
}

impl View {
    fn new(count: usize) -> Self {
        let sums = [0, 1, 2].map(|_| vec![0.0; count]);
        Self { sums, roughs: Vec::new(), rays: Vec::new(), parts: Vec::new() }
    }
}

/// The nodes of whole panels along a ray.
struct Straight<'a> {
    sliding: Sliding,
    ray: [Point; 2],
    factor: f64,
    places: &'a [f64],
    weights: &'a [f64],
    sums: [&'a mut [f64]; 3],
}

impl Loop for Straight<'_> {
    #[inline(always)]
    fn run(self) {
        let [x, along] = self.ray;
        let [first, second, third] = self.sums;
        let targets = first.iter_mut().zip(second).zip(third);
        for (((first, second), third), (r, weight)) in targets.zip(self.places.iter().zip(self.weights)) {
            let weights = self.sliding.weights([x[0] + r * along[0], x[1] + r * along[1]]);
            let factor = self.factor * weight * r;
            *first += factor * weights[0];
            *second += factor * weights[1];
            *third += factor * weights[2];
        }
    }
}

/// Nodes between those of a panel.
struct Bent<'a> {
    radii: &'a Radii,
    panel: usize,
    sliding: Sliding,
    ray: [Point; 2],
    factor: f64,
    parts: &'a [(f64, f64)],
    sums: [&'a mut [f64]; 3],
}

impl Loop for Bent<'_> {
    #[inline(always)]
    fn run(self) {
        let [x, along] = self.ray;
        let mut values = [[0.0; NODES]; 3];
        for (r, weight) in self.parts {
            let weights = self.sliding.weights([x[0] + r * along[0], x[1] + r * along[1]]);
            let basis = self.radii.falling_basis(self.panel, *r);
            for (values, load) in values.iter_mut().zip(weights) {
                let load = self.factor * weight * r * load;
                for (value, basis) in values.iter_mut().zip(&basis) {
                    *value += load * basis;
                }
            }
        }
        for (sums, values) in self.sums.into_iter().zip(&values) {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value;
            }
        }
    }
}
