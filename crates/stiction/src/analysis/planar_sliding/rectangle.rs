//! Covariances on a rectangle: most nodes lie on a grid, which is spread to the lattice along one axis at a time.
//!
//! The lines of the grid keep a block about the centre of rotation free. In the block, where the direction of sliding jumps,
//! the nodes are those of a fan; outside, the weight is smooth over each panel.

use super::functionals::{Functionals, Matrix};
use super::lattice::Lattice;
use super::motion::Twist;
use crate::num::bulk::{Loop, vectorised};
use crate::num::gauss::Rule;
use crate::patch::{Nodes, Outline, Piece, Point, Rectangle, Resolution, Shape};

/// Half the size of the block in units of the correlation length.
const BLOCK: f64 = 4.0;

/// Longest panel in units of the correlation length.
const LONGEST_PANEL: f64 = 5.0;

/// A panel of a line: its ends \[m\], and whether it belongs to the block.
struct Panel {
    ends: [f64; 2],
    in_block: bool,
}

/// Half sides \[m\] of an area that is a rectangle along the axes.
pub(crate) fn half_sides(outline: &Outline) -> Option<[f64; 2]> {
    let [low, high] = outline.geometry.bounds;
    let half = [0.5 * (high[0] - low[0]), 0.5 * (high[1] - low[1])];
    let on_axes = outline.pieces.iter().all(|piece| match piece {
        Piece::Edge { from, to } => from[0] == to[0] || from[1] == to[1],
        Piece::Circle { .. } => false,
    });
    let full = (outline.geometry.area / (4.0 * half[0] * half[1]) - 1.0).abs() < 1e-13;
    (outline.pieces.len() == 4 && on_axes && full).then_some(half)
}

/// K/P² for unit variance and the kernel exp(−r²/l²) on a rectangle with these half sides \[m\]; none where a fan over the
/// whole rectangle is as fast.
pub(crate) fn gaussian(functionals: &Functionals, half_sides: [f64; 2], length: f64, extra: i32) -> Option<Matrix> {
    let centre = functionals.twist.centre();
    let block = centre.and_then(|centre| block(half_sides, centre, BLOCK * length));
    let area = |[[left, right], [bottom, top]]: [[f64; 2]; 2]| (right - left) * (top - bottom);
    if block.is_some_and(|block| area(block) > 2.0 * half_sides[0] * half_sides[1]) {
        return None;
    }
    // distance over which the weight changes, outside the block
    let bend = centre.map_or(f64::INFINITY, |centre| {
        let beyond = [0, 1].map(|axis| centre[axis].abs() - half_sides[axis]);
        beyond[0].max(beyond[1]).max(BLOCK * length)
    });
    let lines =
        [0, 1].map(|axis| line(half_sides[axis], block.map(|block| block[axis]), centre.map(|c| c[axis]), length));
    let nodes = [0, 1].map(|axis| {
        let of_panel = |panel: &Panel| {
            let size = panel.ends[1] - panel.ends[0];
            let away = centre.map_or(0.0, |c| (panel.ends[0] - c[axis]).max(c[axis] - panel.ends[1]));
            // 1e-9 of the scale
            let wanted = 3.2 + 2.8 * size / length + 3.5 * size / bend.max(away);
            let rule = Rule::gauss_legendre((wanted.ceil() as i32 + extra).max(1) as usize);
            rule.on(panel.ends[0], panel.ends[1]).map(|(x, w)| (x, w, panel.in_block)).collect::<Vec<_>>()
        };
        lines[axis].iter().flat_map(of_panel).collect::<Vec<_>>()
    });
    let [xs, ys] = &nodes;
    let mut loads = [0, 1, 2].map(|_| vec![0.0; xs.len() * ys.len()]);
    let rows = Rows::of(ys);
    for (column, (x, x_weight, in_block)) in xs.iter().enumerate() {
        let part = column * ys.len()..(column + 1) * ys.len();
        let loads = loads.each_mut().map(|loads| &mut loads[part.clone()]);
        let weights = if *in_block { &rows.outside } else { &rows.weights };
        vectorised(Column { twist: functionals.twist, x: *x, x_weight: *x_weight, ys: &rows.places, weights, loads });
    }
    let inside =
        block.zip(centre).and_then(|(block, centre)| fan(block, centre, Resolution { length, extra: extra - 1 }));
    let points = inside.as_ref().map_or(&[][..], |nodes| &nodes.points);
    // a fan about a centre outside leaves the rectangle
    let (mut low, mut high) = (half_sides.map(|side| -side), half_sides);
    for point in points {
        for axis in 0..2 {
            (low[axis], high[axis]) = (low[axis].min(point[axis]), high[axis].max(point[axis]));
        }
    }
    let mut lattice = Lattice::new(low, high, length);
    let columns: Vec<f64> = xs.iter().map(|(place, ..)| *place).collect();
    lattice.spread_grid(&columns, &rows.places, &loads);
    if let Some(nodes) = &inside {
        let loads: Vec<[f64; 3]> = nodes
            .points
            .iter()
            .zip(&nodes.weights)
            .map(|(point, area)| functionals.twist.weights(*point).map(|weight| area * weight))
            .collect();
        lattice.spread(&nodes.points, &loads);
    }
    Some(lattice.covariance())
}

/// Nodes along y: places, weights, and weights with zeros in the block.
struct Rows {
    places: Vec<f64>,
    weights: Vec<f64>,
    outside: Vec<f64>,
}

impl Rows {
    fn of(nodes: &[(f64, f64, bool)]) -> Self {
        Self {
            places: nodes.iter().map(|(place, ..)| *place).collect(),
            weights: nodes.iter().map(|(_, weight, _)| *weight).collect(),
            outside: nodes.iter().map(|(_, weight, in_block)| if *in_block { 0.0 } else { *weight }).collect(),
        }
    }
}

/// The loads of the nodes with the same x: [`Twist::weights`] for many points at once.
struct Column<'a> {
    twist: Twist,
    x: f64,
    x_weight: f64,
    ys: &'a [f64],
    weights: &'a [f64],
    loads: [&'a mut [f64]; 3],
}

impl Loop for Column<'_> {
    #[inline(always)]
    fn run(self) {
        let Twist { vx, vy, omega } = self.twist;
        let v = vy + omega * self.x;
        let [to_x, to_y, to_torque] = self.loads;
        let targets = to_x.iter_mut().zip(to_y).zip(to_torque);
        for (((load_x, load_y), load_torque), (y, weight)) in targets.zip(self.ys.iter().zip(self.weights)) {
            let u = vx - omega * y;
            let speed = (u * u + v * v).sqrt();
            let factor = if speed > 0.0 { -self.x_weight * weight / speed } else { 0.0 };
            (*load_x, *load_y) = (factor * u, factor * v);
            *load_torque = factor * (self.x * v - y * u);
        }
    }
}

/// The part of the rectangle near the centre of rotation; none if that is far outside.
fn block(half_sides: [f64; 2], centre: Point, reach: f64) -> Option<[[f64; 2]; 2]> {
    let part = [0, 1].map(|axis| {
        let side = half_sides[axis];
        // no sliver is left beside the block
        let end = |place: f64| if (side - place.abs()) < 0.2 * reach { side.copysign(place) } else { place };
        [end(centre[axis] - reach).max(-side), end(centre[axis] + reach).min(side)]
    });
    part.iter().all(|[low, high]| low < high).then_some(part)
}

/// Panels of one side: those of the block end at the centre of rotation.
fn line(side: f64, block: Option<[f64; 2]>, centre: Option<f64>, length: f64) -> Vec<Panel> {
    let mut breaks = vec![(-side, false)];
    if let Some([low, high]) = block {
        breaks.push((low, true));
        breaks.extend(centre.filter(|centre| *centre > low && *centre < high).map(|centre| (centre, true)));
        breaks.push((high, false));
    }
    breaks.push((side, false));
    let mut panels = Vec::new();
    for pair in breaks.windows(2) {
        let ((low, in_block), (high, _)) = (pair[0], pair[1]);
        if high <= low {
            continue;
        }
        let count = ((high - low) / (LONGEST_PANEL * length)).ceil().max(1.0);
        let width = (high - low) / count;
        panels.extend((0..count as usize).map(|i| {
            let start = low + i as f64 * width;
            Panel { ends: [start, start + width], in_block }
        }));
    }
    panels
}

/// Nodes of a fan about the centre over the block.
fn fan([[left, right], [bottom, top]]: [[f64; 2]; 2], centre: Point, resolution: Resolution) -> Option<Nodes> {
    let middle = [0.5 * (left + right), 0.5 * (bottom + top)];
    let shape = Rectangle { half_length: 0.5 * (right - left), half_width: 0.5 * (top - bottom) };
    let outline = Outline::of(&Shape::Rectangle(shape)).ok()?;
    let mut nodes = Nodes::fan(&outline, [centre[0] - middle[0], centre[1] - middle[1]], resolution);
    for point in &mut nodes.points {
        *point = [point[0] + middle[0], point[1] + middle[1]];
    }
    Some(nodes)
}
