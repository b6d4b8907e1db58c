//! A disc on a belt: its columns in the frame of the keys, also where the belt runs toward −x.

use super::{Horizon, Mechanism, Plan, names, sound};
use crate::Problem;
use crate::field::{FieldModel, Germ};
use crate::num::real;
use crate::record::{Column, Energy, Motion, Moving, Name, Observe, Phase};
use crate::system::belt_disc::balance::{ANGLE, BELT_WORK, DISSIPATED, SPIN, VX, VY, X, Y};
use crate::system::belt_disc::{BeltMotion, ContactPlan, Mode, State};
use crate::system::{BeltDisc, Fault, System, field_fault};

/// Shown part of the belt where only its field is asked for, in radii.
const SHOWN: f64 = 4.0;

impl Mechanism for BeltDisc {
    const NAME: &'static str = "belt_disc";

    fn problems(&self) -> Vec<Problem> {
        BeltDisc::problems(self)
    }

    fn field_mut(&mut self) -> Option<&mut FieldModel> {
        Some(&mut self.field)
    }

    fn region(&self) -> Option<(FieldModel, [[f64; 2]; 2])> {
        let side = SHOWN * self.radius;
        Some((self.field_model(), [[-side, -0.5 * side], [side, 0.5 * side]]))
    }

    fn columns(&self) -> Vec<Column> {
        columns(self.belt_speed < 0.0)
    }

    fn contacts(&self) -> Vec<Name> {
        names(CONTACTS)
    }

    fn prepare(&self, horizon: &Horizon<'_>) -> Result<Box<dyn Plan + '_>, Fault> {
        sound(self)?;
        let contact = ContactPlan::unless(horizon.stop, self, horizon.map, horizon.duration);
        let contact = contact.map_err(|error| field_fault(&error))?;
        Ok(Box::new(BeltPlan { disc: self, contact }))
    }
}

/// What the realisations of a belt share.
struct BeltPlan<'a> {
    disc: &'a BeltDisc,
    contact: ContactPlan,
}

impl Plan for BeltPlan<'_> {
    fn given(&self, germ: Germ) -> Result<Box<dyn Motion + '_>, Fault> {
        Ok(Box::new(Moving::of(BeltMotion::new(self.disc, &self.contact, germ)?)))
    }

    fn warnings(&self) -> Vec<String> {
        self.contact.warning().map(str::to_owned).into_iter().collect()
    }
}

/// The contacts.
const CONTACTS: &[&str] = &["belt"];

/// The columns of a motion.
fn columns(mirrored: bool) -> Vec<Column> {
    vec![
        Column::state(X, "displacement", "m", "displacement x").mirrored(mirrored),
        Column::state(Y, "transverse_displacement", "m", "transverse displacement y"),
        Column::state(ANGLE, "rotation", "rad", "rotation φ").mirrored(mirrored),
        Column::state(VX, "velocity", "m/s", "velocity dx/dt").mirrored(mirrored),
        Column::state(VY, "transverse_velocity", "m/s", "transverse velocity dy/dt"),
        Column::state(SPIN, "angular_velocity", "rad/s", "angular velocity dφ/dt").mirrored(mirrored),
        Column::derived("force", "N", "friction force f_x"),
        Column::derived("sliding_speed", "m/s", "sliding speed of the centre"),
    ]
}

impl Observe for BeltMotion<'_> {
    fn columns(&self) -> Vec<Column> {
        columns(self.mirrored)
    }

    fn observe(&self, mode: Mode, t: f64, y: &State, values: &mut [f64]) {
        let sign = if self.mirrored { -1.0 } else { 1.0 };
        let force = BeltMotion::friction(self, mode, t, y).unwrap_or(f64::NAN);
        let [slide, across, _] = self.balance.twist(y);
        let known = [sign * y[X], y[Y], sign * y[ANGLE], sign * y[VX], y[VY], sign * y[SPIN], sign * force];
        for (value, known) in values.iter_mut().zip(known.into_iter().chain([real::hypot(slide, across)])) {
            // −0 is 0
            *value = known + 0.0;
        }
    }

    fn contacts(&self) -> Vec<Name> {
        names(CONTACTS)
    }

    fn phase(&self, mode: Mode, _contact: usize) -> Phase {
        if mode.is_stick() { Phase::Stick } else { Phase::Slip }
    }

    fn friction(&self, mode: Mode, _contact: usize, t: f64, y: &State) -> Option<f64> {
        let force = BeltMotion::friction(self, mode, t, y).ok()?;
        Some(if self.mirrored { -force } else { force })
    }

    fn enter(&self, t: f64, y: &mut State) -> Result<Mode, Fault> {
        self.mode_at(t, y)
    }

    fn deviating(&self, t: f64, y: &mut State) -> Result<Mode, Fault> {
        Ok(match self.mode_at(t, y)? {
            // a disc that moves straight ahead has no transverse directions
            Mode::Straight { .. } => Mode::Slip { floor: 0.0, ceiling: f64::INFINITY, waits: false },
            mode => mode,
        })
    }

    fn energy(&self, mode: Mode, t: f64, y: &State) -> Option<Energy> {
        let mut slopes = [0.0; 8];
        self.rhs(mode, t, y, &mut slopes).ok()?;
        Some(Energy { stored: self.balance.energy(y), supplied: slopes[BELT_WORK], lost: slopes[DISSIPATED] })
    }
}
