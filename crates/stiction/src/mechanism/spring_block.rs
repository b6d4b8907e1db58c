//! A block on a moving surface: its columns, and how its slips are solved.

use super::{Horizon, Mechanism, Plan, names, sound};
use crate::Problem;
use crate::analysis::spring_block::follow;
use crate::field::Germ;
use crate::integrate::{Finish, IntegrationError, Sink, Solver, Span};
use crate::record::{Column, Energy, Motion, Moving, Name, Observe, Phase};
use crate::system::spring_block::motion::{DISPLACEMENT, VELOCITY};
use crate::system::spring_block::{Mode, State};
use crate::system::{Fault, SpringBlock};

impl Mechanism for SpringBlock {
    const NAME: &'static str = "spring_block";

    fn problems(&self) -> Vec<Problem> {
        SpringBlock::problems(self)
    }

    fn columns(&self) -> Vec<Column> {
        columns()
    }

    fn contacts(&self) -> Vec<Name> {
        names(CONTACTS)
    }

    fn prepare(&self, _horizon: &Horizon<'_>) -> Result<Box<dyn Plan + '_>, Fault> {
        sound(self)?;
        Ok(Box::new(self))
    }
}

impl Plan for &SpringBlock {
    fn given(&self, _germ: Germ) -> Result<Box<dyn Motion + '_>, Fault> {
        Ok(Box::new(Moving::of(SpringBlock::clone(self))))
    }
}

impl SpringBlock {
    /// Friction force on the block \[N\]; in stick what balances the spring.
    fn friction_force(&self, mode: Mode, y: &State) -> f64 {
        match mode {
            Mode::Stick { .. } => self.stiffness * y[DISPLACEMENT],
            Mode::SlipBelow => self.kinetic_force(self.drive_speed - y[VELOCITY]),
            Mode::SlipAbove => -self.kinetic_force(y[VELOCITY] - self.drive_speed),
        }
    }
}

/// The contacts.
const CONTACTS: &[&str] = &["surface"];

/// The columns of a motion.
fn columns() -> Vec<Column> {
    vec![
        Column::state(DISPLACEMENT, "displacement", "m", "displacement x"),
        Column::state(VELOCITY, "velocity", "m/s", "velocity dx/dt"),
        Column::derived("spring_force", "N", "spring force κx"),
        Column::derived("friction_force", "N", "friction force F"),
        Column::derived("sliding_speed", "m/s", "sliding speed |v₀ − ẋ|"),
    ]
}

impl Observe for SpringBlock {
    fn columns(&self) -> Vec<Column> {
        columns()
    }

    fn observe(&self, mode: Mode, _t: f64, y: &State, values: &mut [f64]) {
        let [x, velocity, _] = *y;
        let derived = [self.stiffness * x, self.friction_force(mode, y), (self.drive_speed - velocity).abs()];
        for (value, known) in values.iter_mut().zip([x, velocity].into_iter().chain(derived)) {
            *value = known;
        }
    }

    fn contacts(&self) -> Vec<Name> {
        names(CONTACTS)
    }

    /// Forward is a block that is faster than the surface.
    fn phase(&self, mode: Mode, _contact: usize) -> Phase {
        match mode {
            Mode::Stick { .. } => Phase::Stick,
            Mode::SlipAbove => Phase::Forward,
            Mode::SlipBelow => Phase::Backward,
        }
    }

    fn friction(&self, mode: Mode, _contact: usize, _t: f64, y: &State) -> Option<f64> {
        Some(self.friction_force(mode, y))
    }

    fn enter(&self, t: f64, y: &mut State) -> Result<Mode, Fault> {
        Ok(match self.mode_at(y[DISPLACEMENT], y[VELOCITY]) {
            Mode::Stick { .. } => Mode::Stick { since: t },
            slip => slip,
        })
    }

    fn energy(&self, mode: Mode, _t: f64, y: &State) -> Option<Energy> {
        let [x, velocity, _] = *y;
        let friction = self.friction_force(mode, y);
        Some(Energy {
            stored: 0.5 * (self.mass * velocity * velocity + self.stiffness * x * x),
            supplied: friction * self.drive_speed,
            lost: friction * (self.drive_speed - velocity),
        })
    }

    fn jacobian(&self, mode: Mode, _t: f64, y: &State) -> Result<Vec<f64>, Fault> {
        Ok(self.derivative(mode, y).to_vec())
    }

    fn follow<K: Sink<Self>>(
        &self,
        solver: &Solver,
        span: Span,
        start: (Mode, State),
        sink: &mut K,
    ) -> Result<Finish<Self>, IntegrationError> {
        follow(self, solver, span, start, sink)
    }
}
