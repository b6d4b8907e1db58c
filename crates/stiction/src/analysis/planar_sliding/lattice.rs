//! The lattice on which covariances for Gaussian kernels are summed.
//!
//! ```text
//! exp(−|x−x'|²/l²) = 4/(π l²) ∫exp(−2|x−z|²/l²) exp(−2|x'−z|²/l²) dz ≈ 4/(π l²) h² Σ_z …
//! ```
//! The nodes of a row are spread along it first, and then the row as a whole across: a tenth of the work of spreading them one
//! by one.

use super::functionals::Matrix;
use super::ladder::Smeared;
use super::rows::Rows;
use crate::num::bulk;
use crate::num::lanes::{Eight, Kernel, Lanes, Simd, WIDTH, vectorised};
use crate::num::real::exp;
use crate::patch::Point;

/// Lattice spacing: correlation lengths per step, inverted. An error of 4e-10.
pub(super) const STEPS_PER_LENGTH: f64 = 3.0;

/// Lattice points on each side of a node; beyond, the kernel is below 3e-11.
pub(super) const HALF: usize = 10;

/// Lattice points of a window: blocks of eight that hold all points of any node which begins in the first of them.
const WINDOW: usize = (2 * HALF + WIDTH).next_multiple_of(WIDTH);

/// Blocks of a window.
const BLOCKS: usize = WINDOW / WIDTH;

/// Rows that are spread across together.
const TOGETHER: usize = 16;

/// Blocks of a lattice line that are summed together.
const ABREAST: usize = 4;

/// Sums U_i(z) = Σ_p load_i(p) exp(−2|x_p − z|²/l²) at the points z of a lattice; x runs fastest.
#[derive(Debug)]
pub(crate) struct Lattice {
    /// Corners between which nodes lie \[m\].
    bounds: [Point; 2],
    /// Steps per metre.
    scale: f64,
    origin: Point,
    /// Lattice points along both axes; lines are filled up to whole blocks.
    size: [usize; 2],
    sums: [Vec<f64>; 3],
    /// exp(−2 k²/9) for k from 0.
    fixed: [Eight; BLOCKS],
    nodes: Nodes,
    /// Rows that are spread along themselves, but not yet across.
    waiting: Vec<Line>,
    count: usize,
}

/// Room for the nodes of one row: places in steps from the start of their windows, and what their kernels are made of.
#[derive(Debug, Default)]
struct Nodes {
    windows: Vec<usize>,
    starts: Vec<f64>,
    ratios: Vec<f64>,
}

/// A row, spread along itself.
#[derive(Debug)]
struct Line {
    /// Place across, in steps.
    height: f64,
    /// First and last block that is not zero.
    ends: [usize; 2],
    loads: [Vec<f64>; 3],
}

/// First point, in steps, and numbers of points of a lattice for nodes between two corners; it is centred on them, so that
/// symmetric areas have symmetric sums.
pub(super) fn covering([low, high]: [Point; 2], scale: f64) -> (Point, [usize; 2]) {
    let points = [0, 1].map(|axis| ((high[axis] - low[axis]) * scale).ceil() as usize + 2 * HALF + 3);
    let origin = [0, 1].map(|axis| 0.5 * (low[axis] + high[axis]) * scale - 0.5 * (points[axis] - 1) as f64);
    (origin, points)
}

impl Lattice {
    /// A lattice for nodes between two corners and kernels of this length \[m\].
    pub(crate) fn new(bounds: [Point; 2], length: f64) -> Self {
        let scale = STEPS_PER_LENGTH / length;
        let (origin, points) = covering(bounds, scale);
        let size = [(points[0] + WINDOW).next_multiple_of(WIDTH * ABREAST), points[1]];
        let sums = [0, 1, 2].map(|_| vec![0.0; size[0] * size[1]]);
        let fixed = std::array::from_fn(|block| {
            Eight(std::array::from_fn(|lane| {
                let k = (block * WIDTH + lane) as f64;
                exp(-0.5 * RATE * k * k)
            }))
        });
        let line = || Line { height: 0.0, ends: [0; 2], loads: [0, 1, 2].map(|_| vec![0.0; size[0]]) };
        let waiting = (0..TOGETHER).map(|_| line()).collect();
        Self { bounds, scale, origin, size, sums, fixed, nodes: Nodes::default(), waiting, count: 0 }
    }

    /// Σ_pq load_i(p) load_j(q) exp(−|x_p − x_q|²/l²) over all nodes that were added.
    pub(crate) fn covariance(self) -> Matrix {
        self.smeared().covariance()
    }

    /// The sums over all nodes that were added.
    pub(crate) fn smeared(mut self) -> Smeared {
        self.spread_across();
        Smeared { bounds: self.bounds, scale: self.scale, origin: self.origin, size: self.size, sums: self.sums }
    }

    fn spread_across(&mut self) {
        let lines = &self.waiting[..self.count];
        vectorised(Across { lines, sums: &mut self.sums, size: self.size });
        self.count = 0;
    }
}

impl Rows for Lattice {
    fn add(&mut self, height: f64, places: &[f64], loads: [&[f64]; 3]) {
        if self.count == self.waiting.len() {
            self.spread_across();
        }
        let Some(line) = self.waiting.get_mut(self.count).filter(|_| !places.is_empty()) else { return };
        self.count += 1;
        line.height = height * self.scale - self.origin[1];
        let Nodes { windows, starts, ratios } = &mut self.nodes;
        for list in [&mut *starts, &mut *ratios] {
            list.clear();
            list.resize(places.len(), 0.0);
        }
        windows.clear();
        windows.resize(places.len(), 0);
        for ((place, window), (start, ratio)) in
            places.iter().zip(windows.iter_mut()).zip(starts.iter_mut().zip(ratios.iter_mut()))
        {
            let place = place * self.scale - self.origin[0];
            // nodes are inside, where places are larger than this
            let block = (place - HALF as f64) as usize / WIDTH;
            let offset = place - (block * WIDTH) as f64;
            (*window, *start, *ratio) = (block, -0.5 * RATE * offset * offset, RATE * offset);
        }
        bulk::exp(starts);
        bulk::exp(ratios);
        vectorised(Along { nodes: &self.nodes, line, fixed: &self.fixed, loads });
    }
}

/// exp(−2 (offset − k)²/9) = exp(−2 offset²/9) · exp(4 offset/9)ᵏ · exp(−2 k²/9)
const RATE: f64 = 4.0 / (STEPS_PER_LENGTH * STEPS_PER_LENGTH);

/// Which of r, r² and r⁴ make up the powers of r from 0 to 7.
const HAS: [Eight; 3] = [
    Eight([0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]),
    Eight([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0]),
    Eight([0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]),
];

/// Spreads the nodes of a row along it.
struct Along<'a> {
    nodes: &'a Nodes,
    line: &'a mut Line,
    fixed: &'a [Eight; BLOCKS],
    loads: [&'a [f64]; 3],
}

impl Kernel for Along<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Nodes { windows, starts, ratios } = self.nodes;
        let lines = &mut self.line.loads;
        lines.iter_mut().for_each(|line| line.fill(0.0));
        let (mut left, mut right) = (usize::MAX, 0);
        let has = HAS.each_ref().map(|has| Lanes::of(simd, has));
        let fixed = self.fixed.each_ref().map(|fixed| Lanes::of(simd, fixed));
        let [x, y, torque] = self.loads;
        let mut nodes = windows.iter().zip(starts.iter().zip(ratios)).zip(x.iter().zip(y).zip(torque)).peekable();
        while let Some(&((&window, _), _)) = nodes.peek() {
            // neighbours have the same window: it stays in registers
            let mut sums = [[Lanes::all(simd, 0.0); BLOCKS]; 3];
            while let Some(((_, (start, ratio)), ((x, y), torque))) = nodes.next_if(|node| *node.0.0 == window) {
                let square = ratio * ratio;
                let fourth = square * square;
                let eighth = fourth * fourth;
                let mut powers = has[0].scaled(ratio - 1.0).shifted(1.0).scaled(*start);
                powers = powers * has[1].scaled(square - 1.0).shifted(1.0);
                powers = powers * has[2].scaled(fourth - 1.0).shifted(1.0);
                for block in 0..BLOCKS {
                    let kernel = powers * fixed[block];
                    sums[0][block] = sums[0][block] + kernel.scaled(*x);
                    sums[1][block] = sums[1][block] + kernel.scaled(*y);
                    sums[2][block] = sums[2][block] + kernel.scaled(*torque);
                    powers = powers.scaled(eighth);
                }
            }
            for (line, sums) in lines.iter_mut().zip(sums) {
                for (block, sum) in sums.into_iter().enumerate() {
                    let part = &mut line[(window + block) * WIDTH..];
                    (Lanes::load(simd, part) + sum).store(part);
                }
            }
            (left, right) = (left.min(window), right.max(window + BLOCKS));
        }
        self.line.ends = [left, right];
    }
}

/// Spreads rows across.
struct Across<'a> {
    lines: &'a [Line],
    sums: &'a mut [Vec<f64>; 3],
    size: [usize; 2],
}

impl Kernel for Across<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { lines, sums, size } = self;
        let first = |line: &Line| ((line.height + 0.5) as usize).saturating_sub(HALF);
        let low = lines.iter().map(first).min().unwrap_or(0);
        let high = lines.iter().map(|line| first(line) + 2 * HALF + 1).max().unwrap_or(0).min(size[1]);
        for z in low..high {
            let (mut active, mut count) = ([(0.0, 0); TOGETHER], 0);
            let (mut left, mut right) = (usize::MAX, 0);
            for (index, line) in lines.iter().enumerate() {
                let away = z as f64 - line.height;
                if (first(line)..=first(line) + 2 * HALF).contains(&z) {
                    active[count] = (exp(-0.5 * RATE * away * away), index);
                    count += 1;
                    (left, right) = (left.min(line.ends[0]), right.max(line.ends[1]));
                }
            }
            for (i, sums) in sums.iter_mut().enumerate() {
                let target = &mut sums[z * size[0]..(z + 1) * size[0]];
                // lines are filled up to so many
                for block in (left / ABREAST * ABREAST..right).step_by(ABREAST) {
                    let from = block * WIDTH;
                    let mut found: [Lanes<S>; ABREAST] =
                        std::array::from_fn(|n| Lanes::load(simd, &target[from + n * WIDTH..]));
                    for &(factor, index) in &active[..count] {
                        let line = &lines[index].loads[i][from..];
                        for (n, found) in found.iter_mut().enumerate() {
                            *found = *found + Lanes::load(simd, &line[n * WIDTH..]).scaled(factor);
                        }
                    }
                    for (n, found) in found.into_iter().enumerate() {
                        found.store(&mut target[from + n * WIDTH..]);
                    }
                }
            }
        }
    }
}
