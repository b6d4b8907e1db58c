//! The line where both sliding velocities vanish: the wheel is at rest on the turntable.
//!
//! Force and moment depend on the *angle* of (h, g) and have no limit there. The rule is an angular blow-up: with
//! h = ρ sin θ, g = ρ cos θ and everything else frozen,
//!
//! ```text
//! A = (v − dΩ)' = q (p₁ + F(θ) sin γ)        B = (rΩ)'
//! W_h = −A sin γ − B cos γ    W_g = −A cos γ + B sin γ
//! ρ' = W_ρ = W_h sin θ + W_g cos θ           ρ θ' = W_θ = W_h cos θ − W_g sin θ
//! ```
//!
//! A zero of W_θ is a *ray*: a motion straight into the line or out of it. Motions out of the line are listed, never
//! silently chosen. The same holds on the second line r = 0, v = dΩ, which is left at once.

mod passage;

pub(crate) use passage::Passage;

use super::{Dynamics, Friction};
use crate::num::real::{atan2, cos, sin};
use crate::num::roots::{minimum, root};
use crate::system::filippov::{Lie, Region, Side};
use serde::Serialize;
use std::f64::consts::PI;

/// Where the wheel is at rest on the turntable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// v = 0, ω = ω₀, at this displacement of the slider \[m\].
    Rest {
        /// r \[m\].
        r: f64,
    },
    /// r = 0, v = dΩ, at this speed of the disc [rad/s].
    Axis {
        /// ω [rad/s].
        omega: f64,
    },
}

/// How a motion leaves the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MotionKind {
    /// Slip with h > 0.
    SlipPlus,
    /// Slip with h < 0.
    SlipMinus,
    /// Stick in the sliding region.
    Stick,
    /// Stick in the escaping region.
    Escape,
    /// Rest on the line.
    Stay,
}

/// A motion out of the line, or rest on it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Motion {
    /// How.
    pub kind: MotionKind,
    /// The angle θ of (h, g) \[rad\], in (−π, π]; zero for rest.
    pub angle: f64,
    /// The speed ρ' with which the sliding velocity grows.
    pub rate: f64,
    /// Whether it carries a one-parameter family of motions, instead of being isolated.
    pub family: bool,
}

/// A zero of W_θ in slip.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ray {
    /// The angle θ \[rad\].
    pub angle: f64,
    /// The speed ρ': positive out of the line, negative into it.
    pub rate: f64,
    /// Whether neighbouring angles come closer.
    pub attracting: bool,
}

/// A sticking motion along the line's ends of the circle: θ = 0 for s = +1, θ = π for s = −1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StickRay {
    /// The sign s of g.
    pub sign: f64,
    /// Sliding, escaping or crossing.
    pub region: Region,
    /// The speed ρ' of the sticking motion: positive out of the line; zero in a crossing region.
    pub rate: f64,
}

impl StickRay {
    /// θ \[rad\].
    pub fn angle(&self) -> f64 {
        if self.sign > 0.0 { 0.0 } else { PI }
    }
}

/// Sine, cosine and friction at the angles of the upper half circle, clustered at its ends. Depends on the law alone.
#[derive(Debug, Clone, Default)]
pub(super) struct AngleTable(Vec<(f64, f64, f64, Friction)>);

/// Cells per half circle.
const CELLS: u32 = 640;

impl AngleTable {
    pub(super) fn of(dynamics: &Dynamics) -> Self {
        // rays can lie very close to the ends
        let tiny = || (0..7).map(|k| 1e-12 * f64::from(10_u32.pow(k)));
        let even = (1..CELLS).map(|k| 0.5 * PI * (1.0 - cos(PI * f64::from(k) / f64::from(CELLS))));
        let mut angles: Vec<f64> = tiny().chain(even).chain(tiny().map(|angle| PI - angle)).collect();
        angles.sort_by(f64::total_cmp);
        angles.dedup();
        let entry = |angle: f64| (angle, sin(angle), cos(angle), dynamics.circle_friction(angle));
        Self(angles.into_iter().map(entry).collect())
    }
}

impl Dynamics {
    /// Friction in slip at an angle θ of (h, g) \[rad\].
    pub fn circle_friction(&self, angle: f64) -> Friction {
        let (sine, cosine) = (sin(angle), cos(angle));
        let sign = |x: f64| if x < 0.0 { -1.0 } else { 1.0 };
        if self.slip_law == super::SlipLaw::Constant {
            return self.slip_friction(sign(sine), sign(cosine), sine, cosine);
        }
        self.friction_at_angle(sign(sine), sign(cosine), atan2(sine.abs(), cosine.abs()))
    }

    /// The blow-up at a place of a line.
    pub(crate) fn blow_up(&self, place: Place) -> BlowUp<'_> {
        let Self { m, beta, d, si, co, .. } = *self;
        match place {
            Place::Rest { r } => {
                let (q, p1) = (self.q(r), self.p1(r, 0.0, self.omega0));
                let turn = d * p1 - self.c1 * (self.omega0 - self.damping_speed);
                BlowUp { dynamics: self, place, a: [q * p1, q * si], b: [r * turn, r * r * co, r] }
            }
            Place::Axis { omega } => {
                let (slip, q) = (omega - self.omega0, beta * beta);
                let p1 = self.k2 * self.r0 - self.c2 * d * slip;
                BlowUp { dynamics: self, place, a: [q * p1, q * si], b: [m * q * d * slip * slip, 0.0, 0.0] }
            }
        }
    }

    /// Force and moment that would hold the wheel at rest at r, if they are within the limits of friction.
    pub(crate) fn lock(&self, r: f64) -> Option<Friction> {
        let p1 = self.p1(r, 0.0, self.omega0);
        if self.si == 0.0 {
            return None;
        }
        let force = -p1 / self.si;
        let moment = self.c1 * (self.omega0 - self.damping_speed) - self.d * p1 - force * r * self.co;
        let friction = Friction { force, moment };
        (self.lock_margin(friction) >= 0.0).then_some(friction)
    }

    /// How far force and moment are inside the limits of friction \[N\]: the convex hull of all values in slip. Negative
    /// outside.
    pub(crate) fn lock_margin(&self, Friction { force, moment }: Friction) -> f64 {
        let (mu, scaled) = (self.mu, moment / self.kappa);
        let limit = 4.0 / 3.0 * mu;
        if self.slip_law == super::SlipLaw::Constant {
            // all values lie on M = κF, |F| ≤ μ
            return if (scaled - force).abs() <= 1e-12 * mu { mu - force.abs() } else { -(scaled - force).abs() };
        }
        if self.signed {
            (mu - scaled.abs()).min(limit - force.abs() - scaled.abs() / 3.0)
        } else {
            (limit - (force + scaled / 3.0).abs()).min(limit - (force - 7.0 / 3.0 * scaled).abs())
        }
    }
}

/// The frozen motion around a place of a line: A = a·(1, F), B = b·(1, F, M).
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlowUp<'a> {
    dynamics: &'a Dynamics,
    /// The place.
    pub(crate) place: Place,
    a: [f64; 2],
    b: [f64; 3],
}

impl BlowUp<'_> {
    /// (W_h, W_g) under a friction.
    pub(crate) fn sliding_rates(&self, Friction { force, moment }: Friction) -> (f64, f64) {
        let Dynamics { si, co, .. } = *self.dynamics;
        let a = self.a[0] + self.a[1] * force;
        let b = self.b[0] + self.b[1] * force + self.b[2] * moment;
        (-si * a - co * b, -co * a + si * b)
    }

    /// (W_ρ, W_θ) at an angle \[rad\].
    pub(crate) fn polar_rates(&self, angle: f64) -> (f64, f64) {
        self.polar(sin(angle), cos(angle), self.dynamics.circle_friction(angle))
    }

    fn polar(&self, sine: f64, cosine: f64, friction: Friction) -> (f64, f64) {
        let (h, g) = self.sliding_rates(friction);
        (h * sine + g * cosine, h * cosine - g * sine)
    }

    /// L± on the switching surface next to the line, for the sign s of g.
    pub(crate) fn lie(&self, sign: f64) -> Lie {
        let rate = |side: Side| self.sliding_rates(self.dynamics.limit_friction(side, sign)).0;
        Lie { plus: rate(Side::Plus), minus: rate(Side::Minus) }
    }

    /// The sticking motion at θ = 0 (s = +1) or θ = π (s = −1).
    pub(crate) fn stick_ray(&self, sign: f64) -> StickRay {
        let lie = self.lie(sign);
        let region = lie.region();
        let rate = match region {
            Region::Sliding | Region::Escaping => {
                let force = self.dynamics.mu * lie.mix();
                let moment = self.dynamics.stick_sign(sign) * self.dynamics.kappa * force;
                sign * self.sliding_rates(Friction { force, moment }).1
            }
            _ => 0.0,
        };
        StickRay { sign, region, rate }
    }

    /// All rays of one half circle, by ascending angle.
    pub(crate) fn rays(&self, side: Side) -> Vec<Ray> {
        // the lower half is the mirror image: sin, F and M change their signs
        let sign = side.sign();
        let table = &self.dynamics.table.0;
        let swirl = |entry: &(f64, f64, f64, Friction)| {
            let &(_, sine, cosine, Friction { force, moment }) = entry;
            self.polar(sign * sine, cosine, Friction { force: sign * force, moment: sign * moment }).1
        };
        let exact = |angle: f64| self.polar_rates(sign * angle).1;
        let mut rays = Vec::new();
        let mut push = |low: (f64, f64), high: (f64, f64)| {
            let outcome = root(low.0, high.0, exact);
            let angle = outcome.unwrap_or(if low.1.abs() < high.1.abs() { low.0 } else { high.0 });
            // seen by growing θ, the mirror image turns the direction round
            let attracting = (high.1 < low.1) == (sign > 0.0);
            rays.push(Ray { angle: sign * angle, rate: self.polar_rates(sign * angle).0, attracting });
        };
        let values: Vec<f64> = table.iter().map(swirl).collect();
        for (cell, pair) in values.windows(2).enumerate() {
            let &[y0, y1] = pair else { continue };
            let (x0, x1) = (table[cell].0, table[cell + 1].0);
            if (y0 < 0.0) != (y1 < 0.0) {
                push((x0, y0), (x1, y1));
                continue;
            }
            // two rays in one cell: a turning point that comes towards zero
            let Some(&y2) = values.get(cell + 2) else { continue };
            let turns = y1.abs() <= y0.abs() && y1.abs() <= y2.abs() && (y2 < 0.0) == (y1 < 0.0);
            if turns {
                let x2 = table[cell + 2].0;
                let towards = y1.signum();
                let turn = minimum(x0, x2, |x| towards * exact(x));
                if turn.value < 0.0 {
                    let turned = (turn.at, towards * turn.value);
                    push((x0, y0), turned);
                    push(turned, (x2, y2));
                }
            }
        }
        rays.sort_by(|a, b| a.angle.total_cmp(&b.angle));
        rays
    }

    /// Every motion out of the line, and rest where friction can hold the wheel.
    pub(crate) fn outgoing(&self) -> Vec<Motion> {
        let mut motions = Vec::new();
        for (side, kind) in [(Side::Minus, MotionKind::SlipMinus), (Side::Plus, MotionKind::SlipPlus)] {
            for ray in self.rays(side).into_iter().filter(|ray| ray.rate > 0.0) {
                motions.push(Motion { kind, angle: ray.angle, rate: ray.rate, family: !ray.attracting });
            }
        }
        for sign in [1.0, -1.0] {
            let ray = self.stick_ray(sign);
            let kind = match ray.region {
                Region::Sliding => MotionKind::Stick,
                Region::Escaping => MotionKind::Escape,
                _ => continue,
            };
            if ray.rate > 0.0 {
                let family = kind == MotionKind::Escape;
                motions.push(Motion { kind, angle: ray.angle(), rate: ray.rate, family });
            }
        }
        if let Place::Rest { r } = self.place
            && self.dynamics.lock(r).is_some()
        {
            motions.push(Motion { kind: MotionKind::Stay, angle: 0.0, rate: 0.0, family: false });
        }
        motions
    }

    /// Integral of W_ρ/|W_θ| over a full turn without rays: its sign tells whether the motion spirals out.
    fn growth_of_a_turn(&self) -> f64 {
        let mut growth = 0.0;
        for sign in [1.0, -1.0] {
            let ratio = |&(angle, sine, cosine, Friction { force, moment }): &(f64, f64, f64, Friction)| {
                let friction = Friction { force: sign * force, moment: sign * moment };
                let (radial, angular) = self.polar(sign * sine, cosine, friction);
                (angle, radial / angular.abs())
            };
            let values: Vec<(f64, f64)> = self.dynamics.table.0.iter().map(ratio).collect();
            for pair in values.windows(2) {
                if let &[(x0, y0), (x1, y1)] = pair {
                    growth += 0.5 * (x1 - x0) * (y0 + y1);
                }
            }
        }
        growth
    }
}
