//! What a motion is called: names and units of its columns, phases of its contacts, its energy.

use crate::Problem;
use crate::integrate::{Finish, IntegrationError, Sink, Solver, Span};
use crate::system::{Coords, Fault, Phase, System};
use std::borrow::Cow;

/// A name: of a column or a contact.
pub type Name = Cow<'static, str>;

/// A number that a motion shows at every instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name in tables, for example `displacement`.
    pub name: Name,
    /// Its unit, for example `m/s`; empty for a pure number.
    pub unit: &'static str,
    /// What stands at the axis of a picture.
    pub label: Name,
    /// Where it comes from.
    pub role: Role,
}

/// Where a column comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Role {
    /// A coordinate or a velocity: `sign` times this entry of the state. It can be chosen at the start.
    State {
        /// Place in the state.
        index: usize,
        /// 1, or −1 where the equations are written for the mirror image.
        sign: f64,
    },
    /// It follows from the state.
    Derived,
}

impl Column {
    /// A coordinate or a velocity: an entry of the state.
    pub(crate) fn state(index: usize, name: impl Into<Name>, unit: &'static str, label: impl Into<Name>) -> Self {
        Self { name: name.into(), unit, label: label.into(), role: Role::State { index, sign: 1.0 } }
    }

    /// The same with the sign turned round where `mirrored`.
    #[must_use]
    pub(crate) fn mirrored(mut self, mirrored: bool) -> Self {
        if let Role::State { sign, .. } = &mut self.role {
            *sign = if mirrored { -1.0 } else { 1.0 };
        }
        self
    }

    /// A number that follows from the state.
    pub(crate) fn derived(name: impl Into<Name>, unit: &'static str, label: impl Into<Name>) -> Self {
        Self { name: name.into(), unit, label: label.into(), role: Role::Derived }
    }

    /// Place in the state and sign, if it is an entry of the state.
    pub fn entry(&self) -> Option<(usize, f64)> {
        match self.role {
            Role::State { index, sign } => Some((index, sign)),
            Role::Derived => None,
        }
    }
}

/// The energy of a mechanism at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Energy {
    /// Kinetic and potential energy \[J\].
    pub(crate) stored: f64,
    /// Power of drives and forces \[W\].
    pub(crate) supplied: f64,
    /// Power that friction and dampers take \[W\].
    pub(crate) lost: f64,
}

/// A system whose motion can be named: everything above the loop asks through this.
///
/// The defaults show the bare state as `y0`, `y1`, …, without contacts and energy.
pub trait Observe: System {
    /// Whether the loop runs over another variable than time; then [`Observe::time`] and [`Observe::until`] say more.
    const OWN_CLOCK: bool = false;

    /// The columns, in the order of [`Observe::observe`]: coordinates and velocities first.
    fn columns(&self) -> Vec<Column> {
        let size = self.start().1.as_slice().len();
        (0..size).map(|index| Column::state(index, format!("y{index}"), "", format!("y{index}"))).collect()
    }

    /// The value of every column.
    fn observe(&self, _mode: Self::Mode, _t: f64, y: &Self::State, values: &mut [f64]) {
        for (value, y) in values.iter_mut().zip(y.as_slice()) {
            *value = *y;
        }
    }

    /// Names of the contacts that stick and slip.
    fn contacts(&self) -> Vec<Name> {
        Vec::new()
    }

    /// How a contact moves in a mode.
    fn phase(&self, _mode: Self::Mode, _contact: usize) -> Phase {
        Phase::Slip
    }

    /// Friction on a contact at an instant \[N\], positive along the direction that counts as positive; none if it is not known.
    fn friction(&self, _mode: Self::Mode, _contact: usize, _t: f64, _y: &Self::State) -> Option<f64> {
        None
    }

    /// The mode of a motion that starts with this state, which may be put exactly onto its manifold.
    ///
    /// # Errors
    /// A [`Fault`] where the equations do not determine how it moves.
    fn enter(&self, _t: f64, _y: &mut Self::State) -> Result<Self::Mode, Fault> {
        Err(Box::new(Problem::new("start", "this system starts where it says; other starts are not known")))
    }

    /// The mode in which small deviations from a motion with this state move, where that is another one than that of the motion
    /// itself: a mode in closed form may know fewer directions.
    ///
    /// # Errors
    /// As [`Observe::enter`].
    fn deviating(&self, t: f64, y: &mut Self::State) -> Result<Self::Mode, Fault> {
        self.enter(t, y)
    }

    /// Stored energy and powers; none if there is no balance of energy.
    fn energy(&self, _mode: Self::Mode, _t: f64, _y: &Self::State) -> Option<Energy> {
        None
    }

    /// Time \[s\] where the variable of the loop is `t`.
    #[inline]
    fn time(&self, t: f64, _y: &Self::State) -> f64 {
        t
    }

    /// How fast time runs with the variable of the loop [-], from the slopes of the state.
    #[inline]
    fn time_rate(&self, _slopes: &Self::State) -> f64 {
        1.0
    }

    /// The same system, ending at this time \[s\] by itself; only with [`Observe::OWN_CLOCK`].
    #[must_use]
    fn until(&self, _time: f64) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Why there is no motion in this mode and state, or beyond it, for a person; none where it goes on.
    fn ended(&self, _mode: Self::Mode, _y: &Self::State) -> Option<String> {
        None
    }

    /// Derivative of the right-hand side with respect to the state, row by row; by default by differences, extrapolated to
    /// eleven digits or so.
    ///
    /// # Errors
    /// As [`System::rhs`].
    fn jacobian(&self, mode: Self::Mode, t: f64, y: &Self::State) -> Result<Vec<f64>, Fault> {
        let mut sizes = y.clone();
        self.typical(&mut sizes);
        let size = y.as_slice().len();
        let mut jacobian = vec![0.0; size * size];
        let (mut beside, mut slopes) = (y.clone(), y.clone());
        for column in 0..size {
            let centre = y.as_slice()[column];
            let step = 0.02 * sizes.as_slice()[column].abs().max(1e-3 * centre.abs());
            let slopes_at = |offset: f64| -> Result<Vec<f64>, Fault> {
                beside.as_mut_slice()[column] = centre + offset;
                self.rhs(mode, t, &beside, &mut slopes)?;
                Ok(slopes.as_slice().to_vec())
            };
            let derivative = extrapolated(slopes_at, step)?;
            beside.as_mut_slice()[column] = centre;
            for (row, value) in derivative.into_iter().enumerate() {
                jacobian[row * size + column] = value;
            }
        }
        Ok(jacobian)
    }

    /// A typical period \[s\]: scales the step of a method without error control.
    fn natural_period(&self) -> f64 {
        std::f64::consts::TAU * self.typical(&mut self.start().1)
    }

    /// Moves the system by the solver that suits it.
    ///
    /// # Errors
    /// As [`Solver::integrate`].
    fn follow<K: Sink<Self>>(
        &self,
        solver: &Solver,
        span: Span,
        start: (Self::Mode, Self::State),
        sink: &mut K,
    ) -> Result<Finish<Self>, IntegrationError>
    where
        Self: Sized,
    {
        solver.integrate(self, span, start, self.natural_period(), sink)
    }
}

/// Derivative at offset zero of a function of the offset: central differences with ever smaller steps, extrapolated to step
/// zero (Ridders); for each component the value with the least estimated error.
fn extrapolated(mut function: impl FnMut(f64) -> Result<Vec<f64>, Fault>, step: f64) -> Result<Vec<f64>, Fault> {
    const LEVELS: usize = 8;
    const SHRINK: f64 = 2.0;
    let mut difference = |h: f64| -> Result<Vec<f64>, Fault> {
        let (above, below) = (function(h)?, function(-h)?);
        Ok(above.iter().zip(&below).map(|(above, below)| (above - below) / (2.0 * h)).collect())
    };
    let mut h = step;
    let mut row = vec![difference(h)?];
    let mut best = row[0].clone();
    let mut errors = vec![f64::INFINITY; best.len()];
    for level in 1..LEVELS {
        h /= SHRINK;
        let mut next = vec![difference(h)?];
        let mut factor = 1.0;
        for order in 1..=level {
            factor *= SHRINK * SHRINK;
            let (fine, coarse) = (&next[order - 1], &row[order - 1]);
            let improved: Vec<f64> =
                fine.iter().zip(coarse).map(|(fine, coarse)| fine + (fine - coarse) / (factor - 1.0)).collect();
            for (k, value) in improved.iter().enumerate() {
                let error = (value - fine[k]).abs().max((value - coarse[k]).abs());
                if error <= errors[k] {
                    (best[k], errors[k]) = (*value, error);
                }
            }
            next.push(improved);
        }
        row = next;
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::real;

    #[test]
    fn differences_are_extrapolated_to_eleven_digits() {
        let found = extrapolated(|h| Ok(vec![real::exp(1.0 + h), 3.0 * h, real::sin(0.3 + h)]), 0.02).unwrap();
        for (found, exact) in found.into_iter().zip([std::f64::consts::E, 3.0, real::cos(0.3)]) {
            assert!((found - exact).abs() < 1e-11 * exact, "{found} {exact}");
        }
    }
}
