//! The discs as a system that moves: state, start, equations of motion, error norm.
//!
//! The state is (q, q̇, angle of the drive, three zeros) followed by the bristles in blocks of eight, x before y. The angle of the
//! drive is carried along so that the equations do not depend on time; it is integrated without error.

use super::cells::{Cells, Pose};
use super::contact::{BRISTLES, Wrench};
use super::face::Face;
use super::keys::{DiscStart, TwoDisc, longest_step};
use super::linear::DiscLinear;
use super::surface::DiscSurface;
use super::{Equilibrium, TwoDiscError};
use crate::num::lanes::WIDTH;
use crate::system::{Fault, Guard, Jump, Stiff, System};

/// Numbers of the state before the bristles: six coordinates, their rates, the angle of the drive, and padding.
pub const LEADING: usize = 16;
/// Place of X₁ in a state \[m\].
pub const UPPER_X: usize = 0;
/// Place of Y₁ \[m\].
pub const UPPER_Y: usize = 1;
/// Place of Θ \[rad\].
pub const UPPER_ROTATION: usize = 2;
/// Place of X₂ \[m\].
pub const LOWER_X: usize = 3;
/// Place of Y₂ \[m\].
pub const LOWER_Y: usize = 4;
/// Place of Φ \[rad\].
pub const LOWER_ROTATION: usize = 5;
/// Place of the first rate; those of the coordinates follow in their order.
pub const RATES: usize = 6;
/// Place of the angle of the drive \[rad\].
pub(crate) const DRIVE_ANGLE: usize = 12;

/// How much larger a bristle error may be than one of the discs, both relative to their own scales. Bristle errors are forgotten
/// within G/(σ₀ |V|), so that a step that is right for the discs is not spoiled by them.
const BRISTLE_SLACK: f64 = 10.0;

/// Masses, dampings and stiffnesses of the six coordinates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rigid {
    pub(crate) inertia: [f64; 6],
    pub(crate) damping: [f64; 6],
    pub(crate) stiffness: [f64; 6],
}

/// Two discs with a known surface, ready to move.
#[derive(Debug, Clone)]
pub struct Discs {
    pub(crate) cells: Cells,
    pub(crate) rigid: Rigid,
    drive_speed: f64,
    lower_radius: f64,
    /// Radius of the upper disc \[m\].
    pub(crate) upper_radius: f64,
    start: Vec<f64>,
}

/// The only mode of the motion: stick is presliding here, not a mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Running;

impl TwoDisc {
    /// The discs with the same coefficient everywhere: that of the law, or the middle of the field.
    ///
    /// # Errors
    /// If a parameter makes no sense, or the start is an equilibrium that does not exist.
    pub fn uniform(&self) -> Result<Discs, TwoDiscError> {
        self.with(&Face::of(self), None)
    }

    /// The discs with realisation `index` of the field, a function of (`seed`, `index`) alone.
    ///
    /// # Errors
    /// As for [`Self::uniform`].
    pub fn realisation(&self, seed: u64, index: u64) -> Result<Discs, TwoDiscError> {
        match &self.field {
            Some(field) if field.half_width > 0.0 => self.given(&field.draw(self.lower.radius, seed, index)),
            _ => self.uniform(),
        }
    }

    /// The discs with these coordinates of the field.
    ///
    /// # Errors
    /// If there is no field or the coordinates do not fit it, and as for [`Self::uniform`].
    pub(crate) fn given(&self, coordinates: &[f64]) -> Result<Discs, TwoDiscError> {
        let Some(field) = &self.field else {
            return Err(TwoDiscError::unsuitable("field", "is missing, but coordinates of a field were given"));
        };
        self.check()?;
        self.with(&Face::of(self), Some(field.given(self.lower.radius, coordinates)?))
    }

    /// The discs with these cells and this surface.
    ///
    /// # Errors
    /// As for [`Self::uniform`].
    pub fn with(&self, face: &Face, surface: Option<DiscSurface>) -> Result<Discs, TwoDiscError> {
        self.check()?;
        let mut discs = self.assembled(face, surface);
        match self.start {
            DiscStart::Turning => {}
            DiscStart::AtRest => discs.start[RATES + LOWER_ROTATION] = -self.drive_speed,
            DiscStart::Equilibrium => {
                let Some(equilibrium) = self.equilibrium()? else {
                    return Err(TwoDiscError::NoEquilibrium { reason: "none was found" });
                };
                discs.start = self.assembled(face, None).state_at(&equilibrium);
                for (start, change) in discs.start.iter_mut().zip(self.perturbation.values()) {
                    *start += change;
                }
            }
        }
        Ok(discs)
    }

    /// A start that does not exist is told apart from parameters that make no sense: a sweep may pass through it.
    fn check(&self) -> Result<(), TwoDiscError> {
        if self.start == DiscStart::Equilibrium && self.drive_speed == 0.0 {
            return Err(TwoDiscError::NoEquilibrium { reason: "the drive stands still (drive_speed = 0)" });
        }
        self.problems().into_iter().next().map_or(Ok(()), |problem| Err(problem.into()))
    }

    /// Without checks, at the start `turning`.
    pub(crate) fn assembled(&self, face: &Face, surface: Option<DiscSurface>) -> Discs {
        let cells = Cells::new(face, self.normal_load, self.effective_law(), surface);
        let start = vec![0.0; LEADING + BRISTLES * cells.blocks.len()];
        let rigid = Rigid { inertia: self.inertias(), damping: self.dampings(), stiffness: self.stiffnesses() };
        let (upper_radius, lower_radius) = (self.upper.radius, self.lower.radius);
        Discs { cells, rigid, drive_speed: self.drive_speed, lower_radius, upper_radius, start }
    }

    /// Gives a system with the same mesh the load, the speed, the law and the parts of these discs.
    pub(crate) fn refit(&self, system: &mut Discs) {
        system.cells.refit(self.normal_load, self.effective_law());
        system.rigid = Rigid { inertia: self.inertias(), damping: self.dampings(), stiffness: self.stiffnesses() };
        system.drive_speed = self.drive_speed;
        (system.upper_radius, system.lower_radius) = (self.upper.radius, self.lower.radius);
    }

    /// The law with the coefficient in the middle of the field.
    pub(crate) fn effective_law(&self) -> super::Lugre {
        let mut law = *self.law.lugre();
        if let Some(field) = &self.field {
            law.kinetic_coefficient = law.ratio() * field.centre;
            law.static_coefficient = field.centre;
        }
        law
    }
}

impl Discs {
    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.cells.count
    }

    /// Speed of the drive [rad/s].
    pub(crate) fn drive_speed(&self) -> f64 {
        self.drive_speed
    }

    /// Radius of the lower disc \[m\].
    pub(crate) fn lower_radius(&self) -> f64 {
        self.lower_radius
    }

    /// Relative spin Θ̇ − Ω − Φ̇ [rad/s].
    pub(crate) fn relative_spin(&self, y: &[f64]) -> f64 {
        let at = |i: usize| y.get(i).copied().unwrap_or(0.0);
        at(8) - self.drive_speed - at(11)
    }

    /// Largest distance of a cell from the centre of the lower disc \[m\]; a bound of it first, so that most calls are cheap.
    pub(crate) fn reach(&self, y: &[f64], known: f64) -> f64 {
        let pose = self.pose(y);
        if self.cells.reach_bound(&pose) <= known { known } else { self.cells.reach(&pose).max(known) }
    }

    /// Kinetic and elastic energy \[J\], the power that friction feeds into it and the power that dampers take \[W\].
    pub(crate) fn energy_and_powers(&self, y: &[f64]) -> (f64, [f64; 2]) {
        let pose = self.pose(y);
        let mut rates = vec![0.0; y.len()];
        let bristles = y.get(LEADING..).unwrap_or(&[]);
        let wrench = self.cells.slopes(&pose, bristles, rates.get_mut(LEADING..).unwrap_or(&mut []));
        let spread = pose.spread(&wrench);
        let (q, v) = split(y);
        let (mut energy, mut supplied, mut lost) = (0.0, 0.0, 0.0);
        for i in 0..6 {
            energy += 0.5 * (self.rigid.inertia[i] * v[i] * v[i] + self.rigid.stiffness[i] * q[i] * q[i]);
            supplied += v[i] * spread[i];
            lost += self.rigid.damping[i] * v[i] * v[i];
        }
        (energy, [supplied, lost])
    }

    /// The state at an equilibrium, bristles included.
    pub(crate) fn state_at(&self, equilibrium: &Equilibrium) -> Vec<f64> {
        let mut y = vec![0.0; self.start.len()];
        self.write_state_at(equilibrium, &mut y);
        y
    }

    pub(crate) fn write_state_at(&self, equilibrium: &Equilibrium, y: &mut [f64]) {
        y.fill(0.0);
        for (y, q) in y.iter_mut().zip(equilibrium.coordinates) {
            *y = q;
        }
        let pose = self.pose(y);
        self.cells.settle(&pose, y.get_mut(LEADING..).unwrap_or(&mut []));
        if let super::ContactState::Captured { cell, deflection } = equilibrium.kind {
            let first = LEADING + BRISTLES * (cell / WIDTH) + cell % WIDTH;
            for (place, z) in [(first, deflection[0]), (first + WIDTH, deflection[1])] {
                if let Some(bristle) = y.get_mut(place) {
                    *bristle = z;
                }
            }
        }
    }

    pub(crate) fn pose(&self, y: &[f64]) -> Pose {
        let (q, v) = split(y);
        let angle = y.get(12).copied().unwrap_or(0.0);
        Pose::new(&q, &v, (self.drive_speed, angle), self.cells.surface.is_some())
    }

    /// Slopes of everything but the bristles.
    pub(crate) fn rigid_slopes(&self, y: &[f64], pose: &Pose, wrench: Wrench, slope: &mut [f64]) {
        let spread = pose.spread(&wrench);
        let (q, v) = split(y);
        let Some(leading) = slope.first_chunk_mut::<LEADING>() else { return };
        for i in 0..6 {
            leading[i] = v[i];
            leading[6 + i] =
                (spread[i] - self.rigid.damping[i] * v[i] - self.rigid.stiffness[i] * q[i]) / self.rigid.inertia[i];
        }
        leading[DRIVE_ANGLE] = self.drive_speed;
        leading[13..].fill(0.0);
    }
}

/// Coordinates and velocities of a state.
fn split(y: &[f64]) -> ([f64; 6], [f64; 6]) {
    match y.first_chunk::<12>() {
        Some(&[a, b, c, d, e, f, g, h, i, j, k, l]) => ([a, b, c, d, e, f], [g, h, i, j, k, l]),
        None => ([0.0; 6], [0.0; 6]),
    }
}

impl Pose {
    /// Generalised forces of a wrench between the discs: the transpose of the matrix that makes the relative twist.
    #[inline]
    pub(crate) fn spread(&self, wrench: &Wrench) -> [f64; 6] {
        let [x, y] = wrench.force;
        let [dx, dy] = self.offset;
        [x, y, wrench.torque, -x, -y, x * dy - y * dx - wrench.torque]
    }
}

impl Discs {
    /// As [`TwoDisc::longest_step`].
    pub fn longest_step(&self) -> f64 {
        longest_step(self.rigid.inertia[0], self.rigid.stiffness[0])
    }
}

impl System for Discs {
    type State = Vec<f64>;
    type Guards = [f64; 1];
    type Mode = Running;

    fn start(&self) -> (Running, Vec<f64>) {
        (Running, self.start.clone())
    }

    fn rhs(&self, _mode: Running, _t: f64, y: &Vec<f64>, dy: &mut Vec<f64>) -> Result<(), Fault> {
        let pose = self.pose(y);
        let (z, rates) = (y.get(LEADING..).unwrap_or(&[]), dy.get_mut(LEADING..).unwrap_or(&mut []));
        let wrench = self.cells.slopes(&pose, z, rates);
        self.rigid_slopes(y, &pose, wrench, dy);
        Ok(())
    }

    /// Radius and time of a radian of the upper disc on its springs are the units.
    fn typical(&self, sizes: &mut Vec<f64>) -> f64 {
        let (length, time) = (self.upper_radius, (self.rigid.inertia[0] / self.rigid.stiffness[0]).sqrt());
        sizes.fill(1.0);
        for ((size, unit), speed) in
            sizes.iter_mut().zip([length, length, 1.0].into_iter().cycle()).zip([1.0; 6].into_iter().chain([time; 6]))
        {
            *size = unit / speed;
        }
        time
    }

    /// The turning points of Θ are sections.
    fn guard(&self, _mode: Running, _guard: usize) -> Guard {
        Guard::Section("turning point")
    }

    fn guards(&self, _mode: Running, _t: f64, y: &Vec<f64>, guards: &mut [f64; 1]) {
        guards[0] = y.get(8).copied().unwrap_or(0.0);
    }

    fn jump(&self, mode: Running, _guard: usize, _t: f64, _y: &mut Vec<f64>) -> Result<Jump<Running>, Fault> {
        Ok(Jump::To(mode))
    }
}

impl Stiff for Discs {
    type Linear = DiscLinear;

    fn new_linear(&self) -> DiscLinear {
        DiscLinear::new(self.cells.blocks.len())
    }

    fn linearise(
        &self,
        _mode: Running,
        _t: f64,
        y: &Vec<f64>,
        linear: &mut DiscLinear,
        slope: &mut Vec<f64>,
        _time_slope: &mut Vec<f64>,
    ) -> Result<(), Fault> {
        self.linearise_at(y, linear, slope);
        Ok(())
    }

    fn factorise(&self, rate: f64, linear: &mut DiscLinear) -> bool {
        self.factorise_at(rate, linear)
    }

    fn solve(&self, linear: &DiscLinear, right: &mut Vec<f64>) {
        self.solve_at(linear, right);
    }

    fn is_autonomous(&self) -> bool {
        true
    }

    /// The larger of two parts: the root mean square over q and q̇, and that over the bristles, weighted by load and relative to the
    /// largest static coefficient, so that steps do not depend on the number of cells.
    fn error_size(
        &self,
        (relative, absolute): (f64, f64),
        typical: &Vec<f64>,
        start: &Vec<f64>,
        end: &Vec<f64>,
        error: &Vec<f64>,
    ) -> f64 {
        let mut sum = 0.0;
        for (((start, end), error), typical) in start.iter().zip(end).zip(error).zip(typical).take(12) {
            let scaled = error / (absolute * typical + relative * start.abs().max(end.abs()));
            sum += scaled * scaled;
        }
        let rigid = (sum / 12.0).sqrt();
        let bristles = self.cells.bristle_error(error.get(LEADING..).unwrap_or(&[])).sqrt();
        rigid.max(bristles / (BRISTLE_SLACK * relative * self.cells.largest_coefficient()))
    }
}

#[cfg(test)]
impl Discs {
    /// The deflection of a bristle times σ₀, in fixed axes.
    pub(crate) fn bristle(&self, y: &[f64], cell: usize) -> Option<[f64; 2]> {
        let first = LEADING + BRISTLES * (cell / WIDTH) + cell % WIDTH;
        if cell < self.cells.count { Some([*y.get(first)?, *y.get(first + WIDTH)?]) } else { None }
    }
}
