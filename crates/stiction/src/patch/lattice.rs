//! A patch on a lattice that is aligned with the grid of its field: same step, same axes.
//!
//! The lattice moves with the patch and keeps its axes; a node sits at the centroid. Where the centroid is at a part (u, v) of
//! a grid cell, every node is at that part of its own cell.

use super::dissipation::{Cell, Cells, Twist, Wrench};
use super::kernel::Evaluation;
use super::number::Number;
use super::outline::Outline;
use super::packed::{Packed, Weights};
use super::weights::{QuadratureWeights, nodes};
use crate::Problem;
use crate::field::interpolation::spline;
use crate::field::track::{Block, Numbers};
use crate::field::{GeneratorError, InterpolationChoice};
use crate::num::lanes::vectorised;

/// Most nodes of a lattice: beyond, one evaluation takes a hundredth of a second.
const MOST_NODES: f64 = 4e6;

/// A cut cell whose lever arm is not at its node.
#[derive(Debug, Clone, Copy, PartialEq)]
struct CutCell {
    corner: [usize; 2],
    weight: f64,
    place: [f64; 2],
    spread: f64,
}

/// The nodes of a patch with their weights.
#[derive(Debug, Clone, PartialEq)]
pub struct CellLattice {
    step: f64,
    /// Index of the corner, counted from the node at the centroid.
    corner: [i64; 2],
    /// Distance between nodes in units of the length of the patch.
    ratio: f64,
    columns: Vec<Weights>,
    double: Packed<f64, 8>,
    single: Packed<f32, 16>,
    cut: Vec<CutCell>,
    spread: f64,
    count: usize,
    reach: [[i64; 2]; 2],
}

impl CellLattice {
    /// The lattice of a patch with this `step` \[m\]; `length` \[m\] is the unit of lever arms, for a disc its radius.
    ///
    /// # Errors
    /// If the step is not positive, or so small that there would be millions of nodes.
    pub fn new(outline: &Outline, length: f64, step: f64, rule: QuadratureWeights) -> Result<Self, Problem> {
        let [low, high] = outline.geometry.bounds;
        let estimate = (high[0] - low[0]) / step * ((high[1] - low[1]) / step);
        if !(step.is_finite() && step > 0.0 && length > 0.0 && estimate <= MOST_NODES) {
            let message =
                format!("is {step} m, but must be > 0 and give at most {MOST_NODES:.0} nodes below the contact");
            return Err(Problem::new("grid_step", message));
        }
        let found = nodes(outline, step, rule);
        let total: f64 = found.iter().map(|node| node.weight).sum();
        let ratio = step / length;
        let corner = [0, 1].map(|axis| found.iter().map(|node| node.index[axis]).min().unwrap_or(0));
        let top = found.iter().map(|node| node.index[1]).max().unwrap_or(0);
        let at = |index: [i32; 2]| [0, 1].map(|axis| (index[axis] - corner[axis]).max(0) as usize);
        let (mut columns, mut cut) = (Vec::new(), Vec::new());
        for column in found.chunk_by(|a, b| a.index[0] == b.index[0]) {
            let whole: Vec<_> = column.iter().filter(|node| node.whole).collect();
            if let (Some(first), Some(last)) = (whole.first(), whole.last()) {
                let rows = (last.index[1] - first.index[1] + 1) as usize;
                let mut weights = vec![0.0; rows];
                for node in &whole {
                    weights[(node.index[1] - first.index[1]) as usize] = node.weight / total;
                }
                columns.push(Weights { corner: at(first.index), index: first.index, weights });
            }
            cut.extend(column.iter().filter(|node| !node.whole).map(|node| CutCell {
                corner: at(node.index),
                weight: node.weight / total,
                place: node.place.map(|x| x * ratio),
                spread: node.spread * ratio * ratio,
            }));
        }
        let right = found.iter().map(|node| node.index[0]).max().unwrap_or(0);
        Ok(Self {
            step,
            corner: corner.map(i64::from),
            ratio,
            double: Packed::new(&columns, ratio),
            single: Packed::new(&columns, ratio),
            columns,
            cut,
            spread: ratio * ratio * found.iter().find(|node| node.whole).map_or(1.0 / 12.0, |node| node.spread),
            count: found.len(),
            // the highest band reads beyond; a block has room for that
            reach: [[corner[0] - 1, right + 2], [corner[1] - 1, top + 2]].map(|ends| ends.map(i64::from)),
        })
    }

    /// Distance between nodes \[m\].
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Number of nodes.
    pub fn count(&self) -> usize {
        self.count
    }

    /// First and last column and row of the field's nodes that are read, counted from the node left of and below the centroid.
    pub fn reach(&self) -> [[i64; 2]; 2] {
        self.reach
    }

    /// ∇d of a twist where the centroid is at the part `part` of the grid cell whose lower left node is `node`.
    ///
    /// # Errors
    /// If the block does not hold all nodes that are needed.
    pub fn gradient(
        &self,
        block: &Block,
        node: [i64; 2],
        part: [f64; 2],
        twist: Twist,
    ) -> Result<Wrench, GeneratorError> {
        let size = twist.iter().fold(0.0_f64, |size, w| size.max(w.abs()));
        if !(size > 0.0 && size.is_finite()) {
            return Ok([0.0; 3]);
        }
        let twist = twist.map(|w| w / size);
        let start = block.place(node, self.corner, self.reach())?;
        let mut gradient = match (block.interpolation(), block.numbers()) {
            (InterpolationChoice::Cubic, Numbers::Single(numbers)) => swept(
                (&self.single, self.spread),
                (&numbers[start..], block.stride()),
                part.map(|u| spline(u).0),
                twist,
            ),
            (InterpolationChoice::Cubic, Numbers::Double(numbers)) => swept(
                (&self.double, self.spread),
                (&numbers[start..], block.stride()),
                part.map(|u| spline(u).0),
                twist,
            ),
            (InterpolationChoice::Bilinear, Numbers::Single(numbers)) => swept(
                (&self.single, self.spread),
                (&numbers[start..], block.stride()),
                part.map(|u| [1.0 - u, u]),
                twist,
            ),
            (InterpolationChoice::Bilinear, Numbers::Double(numbers)) => swept(
                (&self.double, self.spread),
                (&numbers[start..], block.stride()),
                part.map(|u| [1.0 - u, u]),
                twist,
            ),
        };
        let [a, b, c] = twist;
        let taps = block.taps(part);
        for cell in &self.cut {
            let [xi, eta] = cell.place;
            let (p, r) = (a - c * eta, b + c * xi);
            let tau = xi * r - eta * p + cell.spread * c;
            let q = cell.weight * block.value(start, cell.corner, &taps)
                / (p * p + r * r + cell.spread * c * c).max(f64::MIN_POSITIVE).sqrt();
            gradient[0] += q * p;
            gradient[1] += q * r;
            gradient[2] += q * tau;
        }
        Ok(gradient)
    }

    /// The patch where it is, for the questions of a patch at rest.
    ///
    /// # Errors
    /// As [`CellLattice::gradient`].
    pub fn frozen(&self, block: &Block, node: [i64; 2], part: [f64; 2]) -> Result<Cells, GeneratorError> {
        let start = block.place(node, self.corner, self.reach())?;
        let taps = block.taps(part);
        let mut cells = Vec::with_capacity(self.count);
        let (mut line, mut values) = (Vec::new(), Vec::new());
        for Weights { corner, index, weights } in &self.columns {
            values.resize(weights.len(), 0.0);
            block.column(start, *corner, &taps, &mut line, &mut values);
            for (row, (weight, value)) in (index[1]..).zip(weights.iter().zip(&values)) {
                if *weight != 0.0 {
                    let place = [index[0], row].map(|index| f64::from(index) * self.ratio);
                    cells.push(Cell { strength: weight * value, place, spread: self.spread });
                }
            }
        }
        for cell in &self.cut {
            let strength = cell.weight * block.value(start, cell.corner, &taps);
            cells.push(Cell { strength, place: cell.place, spread: cell.spread });
        }
        Ok(cells.into_iter().collect())
    }
}

fn swept<T: Number, const N: usize, const TAPS: usize>(
    (lattice, spread): (&Packed<T, N>, f64),
    (numbers, stride): (&[T], usize),
    [across, along]: [[f64; TAPS]; 2],
    twist: Twist,
) -> Wrench {
    vectorised(Evaluation { lattice, numbers, stride, across, along, twist, spread })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::track::{TrackPlan, TrackSetting};
    use crate::field::{CorrelationOf, FieldModel, Germ};
    use crate::patch::{Disc, FrozenPatch, Mask, Shape};

    #[test]
    fn the_fast_sums_are_those_over_the_cells_for_every_rule_shape_and_precision() {
        let model = FieldModel { expression: Some("0.5 + 0.2*sin(3*x)*cos(2*y)".to_owned()), ..FieldModel::default() };
        let field = model.prepared(CorrelationOf::GaussianParent).unwrap();
        let mask = Mask { cell: 0.21, rows: vec!["##..".into(), "#.##".into(), "####".into()] };
        for shape in [Shape::Disc(Disc { radius: 0.5 }), Shape::Mask(mask)] {
            let outline = Outline::of(&shape).unwrap();
            for rule in [QuadratureWeights::Kernel, QuadratureWeights::Moment, QuadratureWeights::Area] {
                let lattice = CellLattice::new(&outline, 0.5, 0.043, rule).unwrap();
                for interpolation in [InterpolationChoice::Cubic, InterpolationChoice::Bilinear] {
                    for (single, tolerance) in [(false, 1e-14), (true, 2e-7)] {
                        let (extent, rims) = ([-2.0, 1.0], [-0.8, 0.8]);
                        let setting = TrackSetting {
                            step: 0.043,
                            parts: 1,
                            interpolation,
                            single,
                            mirrored: false,
                            extent,
                            rims,
                        };
                        let plan = TrackPlan::new(&field, None, Default::default(), setting).unwrap();
                        let mut track = plan.track(Germ::new(1, 0));
                        let [columns, rows] = lattice.reach();
                        let block = track.covering([columns[0] - 9, columns[1] - 7], rows).unwrap();
                        let (node, part) = ([-8, 0], [0.3, 0.8]);
                        let cells = lattice.frozen(block, node, part).unwrap();
                        for twist in [[-0.2, 0.01, 0.03], [0.1, 0.2, -0.9], [1e-9, 0.0, 0.0]] {
                            let fast = lattice.gradient(block, node, part, twist).unwrap();
                            let wanted = cells.dissipation(twist).gradient;
                            for (fast, wanted) in fast.into_iter().zip(wanted) {
                                assert!((fast - wanted).abs() < tolerance, "{rule:?} {single}: {fast} not {wanted}");
                            }
                        }
                        assert!(lattice.gradient(block, [500, 0], part, [1.0, 0.0, 0.0]).is_err());
                    }
                }
            }
        }
    }
}
