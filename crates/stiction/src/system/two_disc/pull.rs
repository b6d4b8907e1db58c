//! Friction of a face that stands still on a turning disc: forces of cells about a pole, and their sums.

use super::cells::{Block, Cells};
use crate::num::lanes::{Kernel, Lanes, Simd};

/// Resultant of the forces, and how it changes with the pole.
pub(crate) struct Sums {
    pub(crate) force: [f64; 2],
    /// Σ [a I + (f′ − a) n nᵀ]: xx, xy, yy
    pub(crate) slope: [f64; 3],
}

/// Forces of cells about a pole.
pub(crate) struct Forces<'a> {
    pub(crate) cells: &'a Cells,
    pub(crate) speed: f64,
    pub(crate) pole: [f64; 2],
}

/// Direction from the pole, distance, force and its slope against distance, for eight cells.
struct Pull<S: Simd> {
    direction: (Lanes<S>, Lanes<S>),
    distance: Lanes<S>,
    inverse: Lanes<S>,
    force: Lanes<S>,
    rise: Lanes<S>,
}

#[inline(always)]
fn pull<S: Simd>(simd: S, cells: &Cells, block: &Block, speed: f64, pole: [f64; 2]) -> Pull<S> {
    let law = &cells.law;
    let (x, y) = (Lanes::of(simd, &block.x).shifted(-pole[0]), Lanes::of(simd, &block.y).shifted(-pole[1]));
    let square = x * x + y * y;
    let distance = square.sqrt();
    let inverse = distance.inverse_or_zero();
    let velocity = distance.scaled(speed);
    let (shape, slope) = law.shapes::<true, S>(simd, cells.tau, square.scaled(speed * speed), velocity);
    let load = Lanes::of(simd, &block.load);
    let force = load * (shape.scaled(law.static_coefficient) + velocity.scaled(law.viscous_coefficient));
    let rise = slope.scaled(law.static_coefficient).shifted(law.viscous_coefficient);
    Pull { direction: (x * inverse, y * inverse), distance, inverse, force, rise: load * rise.scaled(speed) }
}

impl Kernel for Forces<'_> {
    type Output = Sums;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Sums {
        let [mut fx, mut fy, mut xx, mut xy, mut yy] = [Lanes::all(simd, 0.0); 5];
        for block in &self.cells.blocks {
            let pull = pull(simd, self.cells, block, self.speed, self.pole);
            let (nx, ny) = pull.direction;
            let ratio = pull.force * pull.inverse;
            let excess = pull.rise - ratio;
            fx = fx - pull.force * ny;
            fy = fy + pull.force * nx;
            xx = xx + (ratio + excess * nx * nx);
            xy = xy + excess * nx * ny;
            yy = yy + (ratio + excess * ny * ny);
        }
        Sums { force: [fx.sum(), fy.sum()], slope: [xx.sum(), xy.sum(), yy.sum()] }
    }
}

/// Resultants of the same forces.
pub(crate) struct Balances<'a> {
    pub(crate) cells: &'a Cells,
    pub(crate) speed: f64,
    pub(crate) pole: [f64; 2],
}

pub(crate) struct Moments {
    pub(crate) force: [f64; 2],
    pub(crate) torque: f64,
    pub(crate) reaction: f64,
    pub(crate) nearest: f64,
}

impl Moments {
    pub(crate) fn scaled(self, load: f64) -> Self {
        let force = self.force.map(|force| force * load);
        Self { force, torque: self.torque * load, reaction: self.reaction * load, nearest: self.nearest }
    }
}

impl Kernel for Balances<'_> {
    type Output = Moments;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Moments {
        let [mut fx, mut fy, mut torque, mut reaction] = [Lanes::all(simd, 0.0); 4];
        let mut nearest = f64::INFINITY;
        for block in &self.cells.blocks {
            let pull = pull(simd, self.cells, block, self.speed, self.pole);
            let (nx, ny) = pull.direction;
            fx = fx - pull.force * ny;
            fy = fy + pull.force * nx;
            let lever = Lanes::of(simd, &block.x) * nx + Lanes::of(simd, &block.y) * ny;
            torque = torque + pull.force * lever;
            reaction = reaction + pull.force * pull.distance;
            nearest = nearest.min(pull.distance.smallest());
        }
        Moments { force: [fx.sum(), fy.sum()], torque: torque.sum(), reaction: reaction.sum(), nearest }
    }
}
