//! The switching surface: its regions, their borders as curves, and the sticking motion on it (szalai2014, Fig. 5).

use super::itinerary::Path;
use crate::analysis::AnalysisError;
use crate::memory::Memory;
use crate::system::filippov::{Phase, Region};
use crate::system::wheel::{Dynamics, Friction, State, singular};
use std::collections::BTreeMap;

/// A point of the switching surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// Displacement \[m\].
    pub r: f64,
    /// Speed of the slider [m/s].
    pub v: f64,
    /// Speed of the disc [rad/s].
    pub omega: f64,
    /// The sign s of the rolling velocity.
    pub sign: f64,
    /// What the surface does there.
    pub region: Region,
    /// L₀.
    pub lie0: f64,
    /// L₁.
    pub lie1: f64,
    /// L₊.
    pub lie_plus: f64,
    /// L₋.
    pub lie_minus: f64,
    /// Friction force of the stick \[N\]; none in a crossing region.
    pub lambda: Option<f64>,
    /// Sticking field (r', v', ω'); none in a crossing region.
    pub field: Option<[f64; 3]>,
}

/// A state off the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlipPoint {
    /// Lateral sliding velocity [m/s].
    pub h: f64,
    /// Rolling velocity [m/s].
    pub g: f64,
    /// Force \[N\].
    pub force: f64,
    /// Moment [N m].
    pub moment: f64,
    /// (r', v', ω') without friction.
    pub free: [f64; 3],
    /// (r', v', ω').
    pub field: [f64; 3],
}

/// The point of the surface over (r, ω). A rolling velocity of exactly zero counts as positive.
///
/// # Errors
/// If the surface has no chart over (r, ω).
pub fn surface_point(dynamics: &Dynamics, r: f64, omega: f64) -> Result<SurfacePoint, AnalysisError> {
    if !dynamics.has_chart() {
        let message = "makes a surface that is no graph over (r, omega); its sine must not be 0";
        return Err(AnalysisError::unsuitable("wheel_angle", message));
    }
    let v = dynamics.surface_v(r, omega);
    let sign = if r * (omega - dynamics.omega0) * dynamics.si < 0.0 { -1.0 } else { 1.0 };
    let lie = dynamics.lie(r, v, omega, sign);
    let rounding = rounding_of_lie(dynamics, r, v, omega);
    // where both are nothing but rounding, their signs say nothing
    let two_fold = lie.plus.abs() <= rounding && lie.minus.abs() <= rounding;
    let region = if two_fold { Region::Undetermined } else { lie.region() };
    let lambda = matches!(region, Region::Sliding | Region::Escaping).then(|| dynamics.mu * lie.mix());
    let field = lambda.map(|force| {
        let moment = if dynamics.signed { sign } else { 1.0 } * dynamics.kappa * force;
        let [r, v, omega, _] = dynamics.slope(r, v, omega, Friction { force, moment });
        [r, v, omega]
    });
    let (lie0, lie1) = (dynamics.lie0(r, v, omega), dynamics.lie1(r, sign));
    Ok(SurfacePoint { r, v, omega, sign, region, lie0, lie1, lie_plus: lie.plus, lie_minus: lie.minus, lambda, field })
}

/// What rounding can make of L₊ and L₋: some units of the last place of their largest terms.
fn rounding_of_lie(dynamics: &Dynamics, r: f64, v: f64, omega: f64) -> f64 {
    let Dynamics { m, beta, d, k2, r0, c1, c2, mu, kappa, co, si, .. } = *dynamics;
    let q = beta * beta + r * r;
    let pull = k2 * (r0.abs() + r.abs()) + c2 * v.abs() + m * r.abs() * omega * omega;
    let lever = d.abs() * (r * co).abs() + q * si.abs();
    let turn = co.abs()
        * (m * (omega - dynamics.omega0).abs() * v.abs() * q + r.abs() * (c1 + 2.0 * m * (r * v).abs()) * omega.abs());
    let force = mu * (r * r + (beta * si) * (beta * si) + kappa * (r * co).abs());
    16.0 * f64::EPSILON * (pull * lever + turn + force)
}

/// Friction and motion at a state off the surface.
pub fn slip_point(dynamics: &Dynamics, r: f64, v: f64, omega: f64) -> SlipPoint {
    let friction = dynamics.friction(r, v, omega);
    let three = |[r, v, omega, _]: [f64; 4]| [r, v, omega];
    SlipPoint {
        h: dynamics.h(r, v, omega),
        g: dynamics.g(r, v, omega),
        force: friction.force,
        moment: friction.moment,
        free: three(dynamics.slope(r, v, omega, Friction { force: 0.0, moment: 0.0 })),
        field: three(dynamics.slope(r, v, omega, friction)),
    }
}

/// What borders two regions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// L₊ = 0.
    Plus,
    /// L₋ = 0.
    Minus,
}

/// The borders of the regions as curves over a range of r with so many points each: for each edge, sign and branch of the
/// quadratic, unbroken pieces of points (r, ω).
pub fn region_border_curves(dynamics: &Dynamics, positions: (f64, f64), points: usize) -> Vec<(Edge, Vec<(f64, f64)>)> {
    let mut curves = Vec::new();
    let signs: &[f64] = if dynamics.signed { &[1.0, -1.0] } else { &[1.0] };
    for &sign in signs {
        for edge in [Edge::Plus, Edge::Minus] {
            for branch in 0..2 {
                let mut piece: Vec<(f64, f64)> = Vec::new();
                for k in 0..points {
                    let r = positions.0 + (positions.1 - positions.0) * k as f64 / (points.max(2) - 1) as f64;
                    let [a0, a1, a2] = dynamics.surface_quadratic(r);
                    let force = dynamics.mu * dynamics.lie1(r, sign);
                    let shift = if edge == Edge::Plus { force } else { -force };
                    let slip = singular::real_roots([a0 + shift, a1, a2]).get(branch).copied();
                    let here = slip.filter(|slip| !dynamics.signed || slip * r * dynamics.si * sign >= 0.0);
                    match here {
                        Some(slip) => piece.push((r, dynamics.omega0 + slip)),
                        None if piece.len() > 1 => curves.push((edge, std::mem::take(&mut piece))),
                        None => piece.clear(),
                    }
                }
                if piece.len() > 1 {
                    curves.push((edge, piece));
                }
            }
        }
    }
    curves
}

/// Keeps the path of a motion, with its phase, at steps of at most `spacing` in τ and at the ends of phases.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    /// Largest step in τ between points, > 0; zero keeps the ends of the solver's steps only.
    pub spacing: f64,
    /// The states (r, v, ω, τ, t) with their phases.
    pub points: Vec<(Phase, State)>,
}

impl Path for Trace {
    fn stretch(&mut self, phase: Phase, from: f64, to: f64, at: &dyn Fn(f64, &mut State)) {
        const MOST: f64 = 10_000.0;
        let (mut first, mut last) = ([0.0; 5], [0.0; 5]);
        at(from, &mut first);
        at(to, &mut last);
        if self.points.last().is_none_or(|(before, _)| *before != phase) {
            self.points.push((phase, first));
        }
        let length = last[3] - first[3];
        let pieces = if self.spacing > 0.0 { (length / self.spacing).ceil().clamp(1.0, MOST) } else { 1.0 };
        for k in 1..=pieces as u32 {
            let mut y = [0.0; 5];
            at(from + (to - from) * f64::from(k) / pieces, &mut y);
            self.points.push((phase, y));
        }
    }
}

/// A [`Trace`] that ends where the memory is full.
#[derive(Debug, Clone)]
pub struct BoundedTrace<'m> {
    /// What was kept.
    pub trace: Trace,
    memory: &'m Memory<'m>,
    full: bool,
}

/// Bytes of a point of a trace: there, among the rows of all motions, and in the table.
const POINT: u64 = 200;

impl<'m> BoundedTrace<'m> {
    /// With steps of at most `spacing`.
    pub fn new(spacing: f64, memory: &'m Memory<'m>) -> Self {
        Self { trace: Trace { spacing, points: Vec::new() }, memory, full: false }
    }
}

impl Path for BoundedTrace<'_> {
    fn stretch(&mut self, phase: Phase, from: f64, to: f64, at: &dyn Fn(f64, &mut State)) {
        if self.full {
            return;
        }
        let before = self.trace.points.len();
        self.trace.stretch(phase, from, to, at);
        self.full = !self.memory.keep((self.trace.points.len() - before) as u64 * POINT);
    }

    fn is_full(&self) -> bool {
        self.full
    }
}

/// Joins segments that share their ends to polylines, in the order of the segments.
pub(super) fn chained(segments: &[[(f64, f64); 2]]) -> Vec<Vec<(f64, f64)>> {
    let key = |(x, y): (f64, f64)| (x.to_bits(), y.to_bits());
    let mut ends: BTreeMap<(u64, u64), Vec<usize>> = BTreeMap::new();
    for (index, segment) in segments.iter().enumerate() {
        for end in segment {
            ends.entry(key(*end)).or_default().push(index);
        }
    }
    let mut used = vec![false; segments.len()];
    let mut lines = Vec::new();
    for first in 0..segments.len() {
        if used[first] {
            continue;
        }
        used[first] = true;
        let [from, to] = segments[first];
        let mut forward = vec![from, to];
        let mut backward = Vec::new();
        for (line, start) in [(&mut forward, to), (&mut backward, from)] {
            let mut end = start;
            while let Some(next) = ends.get(&key(end)).and_then(|list| list.iter().copied().find(|i| !used[*i])) {
                used[next] = true;
                let [a, b] = segments[next];
                end = if key(a) == key(end) { b } else { a };
                line.push(end);
            }
        }
        backward.reverse();
        backward.extend(forward);
        lines.push(backward);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Wheel;

    #[test]
    fn regions_change_exactly_at_their_borders() {
        let dynamics = Wheel::default().dynamics().unwrap();
        let curves = region_border_curves(&dynamics, (0.12, 0.25), 14);
        assert!(curves.len() >= 2);
        for (r, omega) in curves.into_iter().flat_map(|(_, points)| points) {
            let point = |omega| surface_point(&dynamics, r, omega).unwrap();
            assert_ne!(point(omega - 1e-7).region, point(omega + 1e-7).region, "r = {r}, omega = {omega}");
        }
    }

    #[test]
    fn at_a_two_fold_the_region_is_not_decided_by_rounding() {
        let dynamics = Wheel::default().dynamics().unwrap();
        let two_fold = surface_point(&dynamics, 0.1859, -1.037).unwrap();
        assert_eq!((two_fold.region, two_fold.lambda), (Region::Undetermined, None));
        let beside = surface_point(&dynamics, 0.1859 + 1e-9, -1.037).unwrap();
        assert_ne!(beside.region, Region::Undetermined);
    }

    #[test]
    fn segments_are_joined_to_one_line() {
        let line = chained(&[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (2.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)]]);
        assert_eq!(line, vec![vec![(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]]);
    }
}
