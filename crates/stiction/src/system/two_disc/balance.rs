//! The balance of forces as a function of load and centre of rotation: its roots, and how they continue as the load grows.

use super::TwoDiscError;
use super::cells::Cells;
use super::equilibrium::{ContactState, Equilibria, Equilibrium};
use super::face::Face;
use super::keys::{Quadrature, TwoDisc};
use super::pressure::Pressure;
use super::pull::{Balances, Forces, Moments, Sums};
use crate::num::lanes::{NEGLIGIBLE, vectorised};
use crate::num::real::{cos, pow, sin};
use crate::num::roots::roots_on;

/// Where a branch of equilibria stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ContactPlace {
    Slipping([f64; 2]),
    Captured(usize),
}

/// The balance of forces as a function of load and centre of rotation.
#[derive(Debug, Clone)]
pub(crate) struct DiscBalance {
    /// Cells under a load of 1 N.
    cells: Cells,
    is_centred: bool,
    compliance: f64,
    speed: f64,
    is_mirrored: bool,
    /// Distance of the farthest point of the face from the centre of the upper disc \[m\].
    outer: f64,
    radius: f64,
    pressure: Option<Pressure>,
    stiffness: [f64; 6],
}

impl DiscBalance {
    /// The balance of these discs; `face` replaces their mesh if it is at hand.
    pub(crate) fn new(discs: &TwoDisc, face: Option<&Face>) -> Result<Self, TwoDiscError> {
        check(discs)?;
        let is_mirrored = discs.drive_speed < 0.0;
        let mesh = face.cloned().unwrap_or_else(|| Face::of(discs));
        let mesh = if is_mirrored { mesh.mirrored() } else { mesh };
        let mut balance = Self {
            cells: Cells::new(&mesh, 1.0, discs.effective_law(), None),
            is_centred: false,
            compliance: 0.0,
            speed: 0.0,
            is_mirrored,
            outer: 0.0,
            radius: 0.0,
            pressure: None,
            stiffness: [0.0; 6],
        };
        balance.fit(discs);
        Ok(balance)
    }

    /// Takes over everything but the mesh from other discs; they must turn in the same sense.
    pub(crate) fn refit(&mut self, discs: &TwoDisc) -> Result<(), TwoDiscError> {
        check(discs)?;
        self.cells.refit(1.0, discs.effective_law());
        self.fit(discs);
        Ok(())
    }

    fn fit(&mut self, discs: &TwoDisc) {
        self.is_centred = discs.contact.quadrature == Quadrature::Centred && discs.contact.radius > 0.0;
        self.compliance = 1.0 / discs.upper.stiffness + 1.0 / discs.lower.stiffness;
        self.speed = discs.drive_speed.abs();
        self.outer = discs.contact.outer(discs.upper.radius);
        self.radius = discs.contact.radius;
        if self.pressure != discs.contact.pressure {
            self.pressure.clone_from(&discs.contact.pressure);
        }
        self.stiffness = discs.stiffnesses();
    }

    /// Distance over which friction rises towards its static value near the centre of rotation \[m\].
    fn length(&self) -> f64 {
        self.cells.law.stribeck_speed / self.speed
    }

    /// Cells for a centre of rotation: the mesh, or the rule centred there.
    fn with_cells<R>(&self, pole: [f64; 2], body: impl FnOnce(&Cells) -> R) -> R {
        if self.is_centred {
            let face = Face::centred(self.outer, self.radius, pole, self.length());
            let face = face.pressed(self.outer, self.radius, self.pressure.as_ref());
            body(&Cells::new(&face, 1.0, self.cells.law, None))
        } else {
            body(&self.cells)
        }
    }

    fn sums(&self, pole: [f64; 2]) -> Sums {
        self.with_cells(pole, |cells| vectorised(Forces { cells, speed: self.speed, pole }))
    }

    fn residual(&self, load: f64, pole: [f64; 2]) -> ([f64; 2], [[f64; 2]; 2]) {
        let sums = self.sums(pole);
        let scale = self.compliance * load;
        let [xx, xy, yy] = sums.slope.map(|entry| entry * scale);
        let g = [pole[0] + scale * sums.force[0], pole[1] + scale * sums.force[1]];
        (g, [[1.0 + xy, yy], [-xx, 1.0 - xy]])
    }

    /// A place in the body frame as the balance sees it: mirrored if the drive turns backwards.
    pub(crate) fn own(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [x, if self.is_mirrored { -y } else { y }]
    }

    /// What is left of the balance with the centre of rotation at `pole` \[m\]; both in the axes of the upper disc.
    pub(crate) fn left(&self, load: f64, pole: [f64; 2]) -> [f64; 2] {
        self.residual(load, pole).0
    }

    /// The root near `start`, by Newton's method with a line search.
    pub(crate) fn newton(&self, load: f64, start: [f64; 2]) -> Option<[f64; 2]> {
        const ROUNDS: usize = 25;
        let tolerance = 1e-13 * (self.outer + self.compliance * load);
        let size = |g: [f64; 2]| (g[0] * g[0] + g[1] * g[1]).sqrt();
        let mut pole = start;
        let (mut g, mut slope) = self.residual(load, pole);
        for _ in 0..ROUNDS {
            let now = size(g);
            if now.is_nan() {
                return None;
            }
            let [[a, b], [c, d]] = slope;
            let determinant = a * d - b * c;
            let step = [(b * g[1] - d * g[0]) / determinant, (c * g[0] - a * g[1]) / determinant];
            if !(step[0].is_finite() && step[1].is_finite()) {
                return if now <= tolerance { Some(pole) } else { None };
            }
            if now <= tolerance && size(step) <= 1e-12 * self.outer {
                return Some([pole[0] + step[0], pole[1] + step[1]]);
            }
            let mut fraction = 1.0;
            loop {
                let next = [pole[0] + fraction * step[0], pole[1] + fraction * step[1]];
                let (next_g, next_slope) = self.residual(load, next);
                if size(next_g) <= (1.0 - 1e-4 * fraction) * now {
                    (pole, g, slope) = (next, next_g, next_slope);
                    break;
                }
                fraction *= 0.5;
                if fraction < 2e-3 {
                    // rounding keeps the residual from falling further
                    return if now <= 10.0 * tolerance { Some(pole) } else { None };
                }
            }
        }
        None
    }

    fn centroid(&self, cell: usize) -> Option<[f64; 2]> {
        let block = self.cells.blocks.get(cell / 8)?;
        Some([block.x.0[cell % 8], block.y.0[cell % 8]])
    }

    /// The force that cell `cell` must take if the centre of rotation sits on it, divided by what it can take at most, and the
    /// force itself.
    fn demand(&self, load: f64, cell: usize) -> Option<(f64, [f64; 2])> {
        if self.is_centred {
            return None;
        }
        let place = self.centroid(cell)?;
        // its own direction is zero there: the sums leave it out
        let others = self.sums(place).force;
        let force = [-place[0] / self.compliance - load * others[0], -place[1] / self.compliance - load * others[1]];
        let share = self.cells.blocks.get(cell / 8)?.load.0[cell % 8];
        let limit = self.cells.law.static_coefficient * load * share;
        Some(((force[0] * force[0] + force[1] * force[1]).sqrt() / limit, force))
    }

    fn is_captured(&self, load: f64, cell: usize) -> bool {
        self.demand(load, cell).is_some_and(|(demand, _)| demand <= 1.0)
    }

    /// Everything about the equilibrium at a spot.
    pub(crate) fn equilibrium(&self, load: f64, spot: ContactPlace) -> Equilibrium {
        let (pole, held) = match spot {
            ContactPlace::Slipping(pole) => (pole, None),
            ContactPlace::Captured(cell) => {
                (self.centroid(cell).unwrap_or([0.0; 2]), self.demand(load, cell).map(|(_, force)| (cell, force)))
            }
        };
        let Moments { mut force, mut torque, reaction, nearest } =
            self.with_cells(pole, |cells| vectorised(Balances { cells, speed: self.speed, pole })).scaled(load);
        if let Some((_, held)) = held {
            force = [force[0] + held[0], force[1] + held[1]];
            torque += pole[0] * held[1] - pole[1] * held[0];
        }
        let [kp, _, kp_rotation, kd, _, kd_rotation] = self.stiffness;
        let (theta, phi) = (torque / kp_rotation, -reaction / kd_rotation);
        let (c, s) = (cos(theta), sin(theta));
        let turned = [c * force[0] - s * force[1], s * force[0] + c * force[1]];
        let left = [pole[0] + self.compliance * force[0], pole[1] + self.compliance * force[1]];
        let mirror = if self.is_mirrored { -1.0 } else { 1.0 };
        let kind = match held {
            None => ContactState::Smooth,
            Some((cell, held)) => {
                let share = self.cells.blocks.get(cell / 8).map_or(1.0, |block| block.load.0[cell % 8]);
                let scale = -1.0 / (load * share);
                let deflection = [scale * (c * held[0] - s * held[1]), mirror * scale * (s * held[0] + c * held[1])];
                ContactState::Captured { cell, deflection }
            }
        };
        Equilibrium {
            kind,
            coordinates: [
                turned[0] / kp,
                mirror * turned[1] / kp,
                mirror * theta,
                -turned[0] / kd,
                -mirror * turned[1] / kd,
                mirror * phi,
            ],
            pole: [pole[0], mirror * pole[1]],
            clearance: nearest,
            residual: (left[0] * left[0] + left[1] * left[1]).sqrt() / self.compliance,
        }
    }

    /// A load that moves the centre of rotation by about the radius of the disc \[N\].
    fn typical_load(&self) -> f64 {
        self.outer / (self.compliance * self.cells.law.static_coefficient)
    }

    /// The spot at this load that continues from small loads.
    pub(crate) fn followed(&self, load: f64) -> Option<ContactPlace> {
        if self.cells.count == 1 {
            return self.point_spots(load, true).into_iter().next();
        }
        let step = 0.04 * self.typical_load();
        let count = (load / step).ceil().clamp(1.0, 4000.0);
        let mut spot = self.newton(load / count, [0.0; 2]).map(ContactPlace::Slipping)?;
        let mut at = load / count;
        for i in 2..=count as usize {
            let next = load * i as f64 / count;
            spot = self.step(spot, at, next)?;
            at = next;
        }
        Some(spot)
    }

    /// The spot at the same load of discs that have changed a little; none if it is not near.
    pub(crate) fn nearby(&self, spot: ContactPlace, load: f64) -> Option<ContactPlace> {
        match spot {
            _ if self.cells.count == 1 => None,
            ContactPlace::Slipping(pole) => {
                let next = self.newton(load, pole)?;
                let (dx, dy) = (next[0] - pole[0], next[1] - pole[1]);
                ((dx * dx + dy * dy).sqrt() <= 0.05 * self.outer).then_some(ContactPlace::Slipping(next))
            }
            ContactPlace::Captured(cell) => self.is_captured(load, cell).then_some(spot),
        }
    }

    /// The spot at load `to` that continues the one at load `from`.
    pub(crate) fn step(&self, spot: ContactPlace, from: f64, to: f64) -> Option<ContactPlace> {
        if self.cells.count == 1 {
            return self.point_spots(to, true).into_iter().next();
        }
        let near = |a: [f64; 2], b: [f64; 2]| {
            let (dx, dy) = (a[0] - b[0], a[1] - b[1]);
            (dx * dx + dy * dy).sqrt() <= 0.15 * self.outer
        };
        let (mut spot, mut at, mut stride) = (spot, from, to - from);
        for _ in 0..200 {
            let target = if (to - at).abs() <= stride.abs() * (1.0 + 1e-12) { to } else { at + stride };
            let next = match spot {
                ContactPlace::Slipping(pole) => {
                    self.newton(target, pole).filter(|next| near(*next, pole)).map(ContactPlace::Slipping)
                }
                ContactPlace::Captured(cell) if self.is_captured(target, cell) => Some(spot),
                ContactPlace::Captured(cell) => self.release(target, cell),
            };
            match next {
                Some(next) => {
                    (spot, at) = (next, target);
                    if at == to {
                        return Some(spot);
                    }
                }
                None => {
                    let pole = match spot {
                        ContactPlace::Slipping(pole) => pole,
                        ContactPlace::Captured(cell) => self.centroid(cell)?,
                    };
                    let caught = self.capture(target, pole);
                    if caught.is_none() && stride.abs() > 1e-3 * (to - from).abs() {
                        stride *= 0.25;
                        continue;
                    }
                    spot = caught.or_else(|| self.nearest_root(target, pole))?;
                    at = target;
                    stride = to - at;
                    if at == to {
                        return Some(spot);
                    }
                }
            }
        }
        None
    }

    /// The slipping spot that a cell lets go into when the force on it passes its limit.
    fn release(&self, load: f64, cell: usize) -> Option<ContactPlace> {
        let place = self.centroid(cell)?;
        let (_, force) = self.demand(load, cell)?;
        let size = (force[0] * force[0] + force[1] * force[1]).sqrt();
        let away = [-force[1] / size, force[0] / size];
        for factor in [0.003, 0.03, 0.1, 0.3, 1.0, 3.0] {
            let reach = factor * self.length();
            let start = [place[0] + reach * away[0], place[1] + reach * away[1]];
            if let Some(pole) = self.newton(load, start) {
                return Some(ContactPlace::Slipping(pole));
            }
        }
        None
    }

    /// A cell near `pole` that can hold the centre of rotation.
    fn capture(&self, load: f64, pole: [f64; 2]) -> Option<ContactPlace> {
        let mut cells: Vec<(f64, usize)> = (0..self.cells.count)
            .filter_map(|cell| {
                let [x, y] = self.centroid(cell)?;
                Some(((x - pole[0]) * (x - pole[0]) + (y - pole[1]) * (y - pole[1]), cell))
            })
            .collect();
        cells.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        cells
            .into_iter()
            .take(16)
            .find(|(_, cell)| self.is_captured(load, *cell))
            .map(|(_, cell)| ContactPlace::Captured(cell))
    }

    /// The root nearest to `pole` that a coarse search finds.
    fn nearest_root(&self, load: f64, pole: [f64; 2]) -> Option<ContactPlace> {
        let distance = |a: &[f64; 2]| (a[0] - pole[0]) * (a[0] - pole[0]) + (a[1] - pole[1]) * (a[1] - pole[1]);
        self.grid(load, 15)
            .into_iter()
            .filter_map(|start| self.newton(load, start))
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))
            .map(ContactPlace::Slipping)
    }

    /// Places over the disc in which all roots lie.
    fn grid(&self, load: f64, per_axis: usize) -> Vec<[f64; 2]> {
        let law = &self.cells.law;
        let beta = self.compliance * load * law.viscous_coefficient * self.speed;
        let force = law.static_coefficient + law.viscous_coefficient * self.speed * self.outer;
        let radius = self.compliance * load * force / (1.0 + beta * beta).sqrt();
        let place = |i: usize| radius * (2.0 * (i as f64 + 0.5) / per_axis as f64 - 1.0);
        let mut grid = vec![[0.0; 2]];
        for i in 0..per_axis {
            grid.extend((0..per_axis).map(|j| [place(i), place(j)]).filter(|[x, y]| x * x + y * y <= radius * radius));
        }
        grid
    }

    /// All spots of a point contact, the one that continues from small loads first: every root of a scalar equation in the
    /// distance r from the centre of rotation.
    ///
    /// Where the kinetic friction alone moves the centre of rotation by the radius there is no root at all.
    fn point_spots(&self, load: f64, only_first: bool) -> Vec<ContactPlace> {
        let law = &self.cells.law;
        let force = |r: f64| {
            load * (law.static_coefficient * law.shape(self.speed * r).0 + law.viscous_coefficient * self.speed * r)
        };
        let balance = |r: f64| {
            let pull = self.compliance * force(r);
            pull * pull + r * r - self.outer * self.outer
        };
        let place = |r: f64| {
            let pull = self.compliance * force(r);
            ContactPlace::Slipping([pull / self.outer * pull, -pull / self.outer * r])
        };
        // beyond this distance nothing is left of the Stribeck fall, and the balance is a quadratic that grows with r
        let edge = self.length() * pow(NEGLIGIBLE, 1.0 / law.stribeck_exponent);
        let scale = self.compliance * load;
        let (constant, slope) = (scale * law.kinetic_coefficient, scale * law.viscous_coefficient * self.speed);
        let mut spots = Vec::new();
        if constant < self.outer {
            let (a, b, c) = (1.0 + slope * slope, slope * constant, (constant - self.outer) * (constant + self.outer));
            let r = -c / (b + (b * b - a * c).sqrt());
            if r >= edge {
                spots.push(place(r));
                if only_first {
                    return spots;
                }
            }
            // within it, every root down to far below the length over which friction varies, evenly in proportion
            let (smallest, largest) = (1e-6 * self.length(), edge.min(self.outer));
            let ratio = largest / smallest;
            let grid: Vec<f64> =
                (0..=1200).map(|i| (smallest * pow(ratio, f64::from(i) / 1200.0)).min(largest)).collect();
            spots.extend(roots_on(&grid, balance).into_iter().rev().map(place));
        }
        if self.is_captured(load, 0) {
            spots.push(ContactPlace::Captured(0));
        }
        spots
    }

    /// All equilibria that a search from many places finds.
    pub(crate) fn all(&self, load: f64) -> Equilibria {
        let followed = self.followed(load);
        let mut spots: Vec<ContactPlace> = followed.into_iter().collect();
        let same = |a: &ContactPlace, b: &ContactPlace| match (a, b) {
            (ContactPlace::Captured(a), ContactPlace::Captured(b)) => a == b,
            (ContactPlace::Slipping(a), ContactPlace::Slipping(b)) => {
                let limit = 1e-6 * self.length().min(self.outer);
                (a[0] - b[0]).abs() <= limit && (a[1] - b[1]).abs() <= limit
            }
            _ => false,
        };
        let add = |spot: ContactPlace, spots: &mut Vec<ContactPlace>| {
            if !spots.iter().any(|known| same(known, &spot)) {
                spots.push(spot);
            }
        };
        if self.cells.count == 1 {
            for spot in self.point_spots(load, false) {
                add(spot, &mut spots);
            }
        } else {
            let mut starts = self.grid(load, 15);
            if !self.is_centred {
                for cell in 0..self.cells.count {
                    let Some([x, y]) = self.centroid(cell) else { continue };
                    let reach = self.length();
                    starts.extend([[x + reach, y], [x - reach, y], [x, y + reach], [x, y - reach]]);
                }
            }
            for pole in starts.into_iter().filter_map(|start| self.newton(load, start)) {
                add(ContactPlace::Slipping(pole), &mut spots);
            }
            for cell in (0..self.cells.count).filter(|cell| self.is_captured(load, *cell)) {
                add(ContactPlace::Captured(cell), &mut spots);
            }
        }
        Equilibria {
            all: spots.into_iter().map(|spot| self.equilibrium(load, spot)).collect(),
            is_followed: followed.is_some(),
        }
    }
}

fn check(discs: &TwoDisc) -> Result<(), TwoDiscError> {
    if let Some(problem) = discs.problems().into_iter().next() {
        return Err(problem.into());
    }
    if discs.drive_speed == 0.0 {
        let message = "is 0, but an equilibrium with slip needs a drive that turns";
        return Err(TwoDiscError::unsuitable("drive_speed", message));
    }
    Ok(())
}
