//! The cells of the contact in blocks of eight, and how the discs stand and move as the cells see it.

use super::face::Face;
use super::law::Lugre;
use super::surface::DiscSurface;
use crate::num::lanes::{Eight, Lanes, Simd, WIDTH};
use crate::num::real::{cos, sin};

/// Eight cells: places in the body frame, load, share of the load. The last block is filled up with copies of the last cell
/// that carry no load.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    pub(crate) x: Eight,
    pub(crate) y: Eight,
    pub(crate) load: Eight,
    pub(crate) weight: Eight,
}

/// All cells with their law and the coefficient below them.
#[derive(Debug, Clone)]
pub(crate) struct Cells {
    pub(crate) blocks: Vec<Block>,
    pub(crate) count: usize,
    pub(crate) law: Lugre,
    /// τ
    pub(crate) tau: f64,
    /// σ₁/σ₀ \[s\]
    pub(crate) relaxation: f64,
    pub(crate) surface: Option<DiscSurface>,
    /// Smallest circle about the mean of the cells that holds them all: centre and radius \[m\].
    pub(crate) circle: ([f64; 2], f64),
}

impl Cells {
    pub(crate) fn new(face: &Face, normal_load: f64, law: Lugre, surface: Option<DiscSurface>) -> Self {
        let count = face.len();
        let block = |first: usize| {
            let eight = |value: &dyn Fn(usize) -> f64| Eight(std::array::from_fn(|k| value(first + k)));
            let last = count.saturating_sub(1);
            let at = |list: &[f64], i: usize| list.get(i.min(last)).copied().unwrap_or(0.0);
            let share = |i: usize| if i < count { at(&face.weights, i) } else { 0.0 };
            Block {
                x: eight(&|i| at(&face.x, i)),
                y: eight(&|i| at(&face.y, i)),
                load: eight(&|i| normal_load * share(i)),
                weight: eight(&share),
            }
        };
        let mean = |list: &[f64]| list.iter().sum::<f64>() / count.max(1) as f64;
        let centre = [mean(&face.x), mean(&face.y)];
        let radius = face.x.iter().zip(&face.y).fold(0.0_f64, |radius, (x, y)| {
            let (dx, dy) = (x - centre[0], y - centre[1]);
            radius.max((dx * dx + dy * dy).sqrt())
        });
        Self {
            blocks: (0..count.div_ceil(WIDTH)).map(|i| block(i * WIDTH)).collect(),
            count,
            tau: law.ratio(),
            relaxation: law.bristle_damping / law.bristle_stiffness,
            law,
            surface,
            circle: (centre, radius),
        }
    }

    /// The same cells under another load with another law.
    pub(crate) fn refit(&mut self, normal_load: f64, law: Lugre) {
        for block in &mut self.blocks {
            block.load = Eight(block.weight.0.map(|weight| normal_load * weight));
        }
        self.tau = law.ratio();
        self.relaxation = law.bristle_damping / law.bristle_stiffness;
        self.law = law;
    }

    /// Largest static coefficient [-].
    pub(crate) fn largest_coefficient(&self) -> f64 {
        self.surface.as_ref().map_or(self.law.static_coefficient, DiscSurface::largest)
    }
}

/// How the discs stand and move.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pose {
    /// cos Θ, sin Θ
    pub(crate) turn: (f64, f64),
    /// From O₂ to O₁ \[m\].
    pub(crate) offset: [f64; 2],
    /// Relative velocity at O₁ [m/s].
    pub(crate) velocity: [f64; 2],
    /// Relative spin Θ̇ − W [rad/s].
    pub(crate) spin: f64,
    /// W = Ω + Φ̇: how fast the lower disc turns [rad/s].
    pub(crate) disc_rate: f64,
    /// cos ψ, sin ψ of the absolute angle of the lower disc.
    pub(crate) disc_turn: (f64, f64),
}

impl Pose {
    /// From coordinates, velocities and the angle of the drive.
    #[inline]
    pub(crate) fn new(q: &[f64; 6], v: &[f64; 6], drive: (f64, f64), with_field: bool) -> Self {
        let (speed, angle) = drive;
        let disc_rate = speed + v[5];
        let offset = [q[0] - q[3], q[1] - q[4]];
        let psi = angle + q[5];
        Self {
            turn: (cos(q[2]), sin(q[2])),
            offset,
            velocity: [v[0] - v[3] + disc_rate * offset[1], v[1] - v[4] - disc_rate * offset[0]],
            spin: v[2] - disc_rate,
            disc_rate,
            disc_turn: if with_field { (cos(psi), sin(psi)) } else { (1.0, 0.0) },
        }
    }

    /// Arms from O₁ to the cells of a block \[m\], in fixed axes.
    #[inline(always)]
    pub(crate) fn arms<S: Simd>(&self, simd: S, block: &Block) -> (Lanes<S>, Lanes<S>) {
        let (c, s) = self.turn;
        let (x, y) = (Lanes::of(simd, &block.x), Lanes::of(simd, &block.y));
        (x.scaled(c) - y.scaled(s), x.scaled(s) + y.scaled(c))
    }

    /// Relative velocities of cells with these arms [m/s].
    #[inline(always)]
    pub(crate) fn velocities<S: Simd>(&self, arms: (Lanes<S>, Lanes<S>)) -> (Lanes<S>, Lanes<S>) {
        let [vx, vy] = self.velocity;
        (arms.1.scaled(-self.spin).shifted(vx), arms.0.scaled(self.spin).shifted(vy))
    }

    /// The coefficient below cells with these arms and, if `GRADIENT`, its gradient in fixed axes.
    #[inline(always)]
    pub(crate) fn coefficients<const GRADIENT: bool, S: Simd>(
        &self,
        simd: S,
        surface: &DiscSurface,
        arms: (Lanes<S>, Lanes<S>),
    ) -> (Lanes<S>, (Lanes<S>, Lanes<S>)) {
        let (c, s) = self.disc_turn;
        let (ex, ey) = (arms.0.shifted(self.offset[0]), arms.1.shifted(self.offset[1]));
        let (x, y) = (ex.scaled(c) + ey.scaled(s), ey.scaled(c) - ex.scaled(s));
        let corners = surface.corners(&x.eight(), &y.eight());
        let along = splines(Lanes::of(simd, &corners.fraction.0));
        let across = splines(Lanes::of(simd, &corners.fraction.1));
        let [first, second, third] = &corners.values;
        let rows = [weigh(simd, &across.0, first), weigh(simd, &across.0, second), weigh(simd, &across.0, third)];
        let value = along.0[0] * rows[0] + along.0[1] * rows[1] + along.0[2] * rows[2];
        if !GRADIENT {
            let zero = Lanes::all(simd, 0.0);
            return (value, (zero, zero));
        }
        let slopes = [weigh(simd, &across.1, first), weigh(simd, &across.1, second), weigh(simd, &across.1, third)];
        let dx = along.1[0] * rows[0] + along.1[1] * rows[1] + along.1[2] * rows[2];
        let dy = along.0[0] * slopes[0] + along.0[1] * slopes[1] + along.0[2] * slopes[2];
        let (dx, dy) = (dx * Lanes::of(simd, &corners.rate.0), dy * Lanes::of(simd, &corners.rate.1));
        (value, (dx.scaled(c) - dy.scaled(s), dx.scaled(s) + dy.scaled(c)))
    }
}

/// Values and slopes of the three quadratic splines at a fraction u of their cell.
#[inline(always)]
fn splines<S: Simd>(u: Lanes<S>) -> ([Lanes<S>; 3], [Lanes<S>; 3]) {
    let rest = (-u).shifted(1.0);
    let square = u * u;
    ([(rest * rest).scaled(0.5), (u - square).shifted(0.5), square.scaled(0.5)], [-rest, rest - u, u])
}

#[inline(always)]
fn weigh<S: Simd>(simd: S, weights: &[Lanes<S>; 3], [p, q, r]: &[Eight; 3]) -> Lanes<S> {
    weights[0] * Lanes::of(simd, p) + weights[1] * Lanes::of(simd, q) + weights[2] * Lanes::of(simd, r)
}
