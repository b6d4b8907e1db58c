//! Two discs: their columns, solved by a stiff method.

use super::{Horizon, Mechanism, Plan, sound};
use crate::Problem;
use crate::field::Germ;
use crate::integrate::{Finish, IntegrationError, Sink, Solver, Span};
use crate::record::{Column, Energy, Motion, Moving, Observe};
use crate::system::two_disc::{Discs, Running, TwoDiscError};
use crate::system::{Fault, TwoDisc};

impl Mechanism for TwoDisc {
    const NAME: &'static str = "two_disc";

    fn problems(&self) -> Vec<Problem> {
        TwoDisc::problems(self)
    }

    fn columns(&self) -> Vec<Column> {
        columns()
    }

    fn prepare(&self, _horizon: &Horizon<'_>) -> Result<Box<dyn Plan + '_>, Fault> {
        sound(self)?;
        Ok(Box::new(self))
    }
}

impl Plan for &TwoDisc {
    fn given(&self, germ: Germ) -> Result<Box<dyn Motion + '_>, Fault> {
        let discs = self.realisation(germ.seed, germ.realisation).map_err(TwoDiscError::into_problem)?;
        Ok(Box::new(Moving::of(discs)))
    }
}

/// Coordinates and their rates: name, unit and label of each.
const COLUMNS: [(&str, &str, &str); 12] = [
    ("upper_x", "m", "X_1"),
    ("upper_y", "m", "Y_1"),
    ("rotation", "rad", "rotation Θ"),
    ("lower_x", "m", "X_2"),
    ("lower_y", "m", "Y_2"),
    ("lower_rotation", "rad", "rotation Φ"),
    ("upper_x_rate", "m/s", "dX_1/dt"),
    ("upper_y_rate", "m/s", "dY_1/dt"),
    ("rotation_rate", "rad/s", "rotation rate dΘ/dt"),
    ("lower_x_rate", "m/s", "dX_2/dt"),
    ("lower_y_rate", "m/s", "dY_2/dt"),
    ("lower_rotation_rate", "rad/s", "rotation rate dΦ/dt"),
];

/// The columns of a motion.
fn columns() -> Vec<Column> {
    let states = COLUMNS.into_iter().enumerate();
    let states = states.map(|(index, (name, unit, label))| Column::state(index, name, unit, label));
    states.chain([Column::derived("relative_spin", "rad/s", "relative spin")]).collect()
}

impl Observe for Discs {
    fn columns(&self) -> Vec<Column> {
        columns()
    }

    fn observe(&self, _mode: Running, _t: f64, y: &Vec<f64>, values: &mut [f64]) {
        for (value, known) in
            values.iter_mut().zip(y.iter().take(COLUMNS.len()).copied().chain([self.relative_spin(y)]))
        {
            *value = known;
        }
    }

    fn enter(&self, _t: f64, _y: &mut Vec<f64>) -> Result<Running, Fault> {
        Ok(Running)
    }

    fn energy(&self, _mode: Running, _t: f64, y: &Vec<f64>) -> Option<Energy> {
        let (stored, [supplied, lost]) = self.energy_and_powers(y);
        Some(Energy { stored, supplied, lost })
    }

    fn follow<K: Sink<Self>>(
        &self,
        solver: &Solver,
        span: Span,
        start: (Running, Vec<f64>),
        sink: &mut K,
    ) -> Result<Finish<Self>, IntegrationError> {
        solver.with_default_step(self.longest_step()).integrate_stiff(self, span, start, sink)
    }
}
