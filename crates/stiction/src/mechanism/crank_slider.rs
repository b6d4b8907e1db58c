//! A crank and its slider: its field as two numbers, its columns.

use super::{Horizon, Mechanism, Plan, names, sound};
use crate::Problem;
use crate::analysis::AnalysisError;
use crate::analysis::planar_sliding::{Plate, PlateSampler};
use crate::field::{CorrelationOf, FieldModel, Germ};
use crate::patch::{Shape, Square};
use crate::record::{Column, Energy, Motion, Moving, Name, Observe, Phase};
use crate::system::crank_slider::motion::{ANGLE, SPEED, WORK};
use crate::system::crank_slider::{CrankMotion, Direction, Ending, Mode, State};
use crate::system::{CrankSlider, Fault, System};

impl Mechanism for CrankSlider {
    const NAME: &'static str = "crank_slider";

    fn problems(&self) -> Vec<Problem> {
        CrankSlider::problems(self)
    }

    fn field_mut(&mut self) -> Option<&mut FieldModel> {
        Some(&mut self.field)
    }

    fn region(&self) -> Option<(FieldModel, [[f64; 2]; 2])> {
        let a = self.slider_half_side;
        Some((self.field.clone(), [[-a, -a], [a, a]]))
    }

    fn columns(&self) -> Vec<Column> {
        columns()
    }

    fn contacts(&self) -> Vec<Name> {
        names(CONTACTS)
    }

    fn prepare(&self, horizon: &Horizon<'_>) -> Result<Box<dyn Plan + '_>, Fault> {
        sound(self)?;
        let shape = Shape::Square(Square { half_side: self.slider_half_side });
        let field =
            self.field.prepared(CorrelationOf::GaussianParent).map_err(|error| crate::system::field_fault(&error))?;
        let fault = |error: AnalysisError| Box::new(error.into_problem("field"));
        let plate = Plate::new(&shape, &crate::analysis::planar_sliding::Motion::default(), 1.0).map_err(fault)?;
        let sampler =
            PlateSampler::new(&plate, &field, horizon.map, self.field.generator, 0, horizon.stop).map_err(fault)?;
        let loads = sampler.loads(&plate.functionals.twist);
        Ok(Box::new(CrankPlan { crank: self, area: plate.functionals.outline.geometry.area, sampler, loads }))
    }
}

/// What the realisations of a slider share.
struct CrankPlan<'a> {
    crank: &'a CrankSlider,
    area: f64,
    sampler: PlateSampler,
    loads: [Vec<f64>; 3],
}

impl Plan for CrankPlan<'_> {
    /// The motion knows its field by the mean coefficient h and the torque coefficient τ over the bottom.
    fn given(&self, germ: Germ) -> Result<Box<dyn Motion + '_>, Fault> {
        let mut values = vec![0.0; self.sampler.count()];
        self.sampler.fill(&germ, &mut values, &mut Vec::new());
        let over_area =
            |load: &[f64]| load.iter().zip(&values).map(|(load, value)| load * value).sum::<f64>() / self.area;
        let (mean, torque) = (-over_area(&self.loads[0]), over_area(&self.loads[2]));
        let unknown = || Box::new(Problem::new("side_friction_coefficient", "is not known"));
        let coefficient = self.crank.total_coefficient(mean, torque).ok_or_else(unknown)?;
        Ok(Box::new(Moving::of(CrankMotion::new(self.crank, coefficient))))
    }
}

/// The contacts.
const CONTACTS: &[&str] = &["track"];

/// The columns of a motion.
fn columns() -> Vec<Column> {
    vec![
        Column::state(ANGLE, "angle", "rad", "crank angle θ"),
        Column::state(SPEED, "speed", "rad/s", "crank speed θ̇"),
        Column::derived("slider_position", "m", "slider position x₃"),
        Column::derived("slider_velocity", "m/s", "slider velocity ẋ₃"),
        Column::derived("normal_force", "N", "normal force F_n"),
        Column::derived("friction_force", "N", "friction f_b + f_s"),
        Column::derived("sliding_work", "J", "∫ |F_n ẋ₃| dt"),
    ]
}

impl Observe for CrankMotion {
    fn columns(&self) -> Vec<Column> {
        columns()
    }

    fn observe(&self, mode: Mode, _t: f64, y: &State, values: &mut [f64]) {
        let response = self.response(mode, y);
        let (place, velocity, work) = (self.place(y), self.velocity(y), y[WORK]);
        let known = [y[ANGLE], y[SPEED], place, velocity, response.normal_force, response.friction, work];
        for (value, known) in values.iter_mut().zip(known) {
            *value = known;
        }
    }

    fn contacts(&self) -> Vec<Name> {
        names(CONTACTS)
    }

    /// Forward is a slider that moves away from the crank.
    fn phase(&self, mode: Mode, _contact: usize) -> Phase {
        match mode {
            Mode::Over { .. } => Phase::Stick,
            // ẋ₃ has the sign of −θ̇ sin θ
            Mode::Turning { piece, direction, .. } => match (piece.rem_euclid(2), direction) {
                (0, Direction::Backward) | (1, Direction::Forward) => Phase::Forward,
                _ => Phase::Backward,
            },
        }
    }

    fn friction(&self, mode: Mode, _contact: usize, _t: f64, y: &State) -> Option<f64> {
        Some(self.response(mode, y).friction)
    }

    fn enter(&self, t: f64, y: &mut State) -> Result<Mode, Fault> {
        Ok(self.mode_at(t, y))
    }

    fn energy(&self, mode: Mode, _t: f64, y: &State) -> Option<Energy> {
        let lost = -self.response(mode, y).friction * self.velocity(y);
        Some(Energy { stored: CrankMotion::energy(self, y), supplied: self.drive_torque() * y[SPEED], lost })
    }

    fn ended(&self, mode: Mode, _y: &State) -> Option<String> {
        match mode {
            Mode::Turning { .. } | Mode::Over { ending: Ending::Stuck, .. } => None,
            Mode::Over { ending: Ending::LiftOff, .. } => Some(
                "the track would have to hold the slider down, and the model has no flight (system.crank_slider.normal_force_policy \
                 has other choices)"
                    .to_owned(),
            ),
            Mode::Over { ending: Ending::Indeterminate { determinant }, .. } => Some(format!(
                "the accelerations are not determined: with the coefficient {} the equations have no solution or several \
                 (determinant relative to that without friction: {determinant:.3e})",
                self.coefficient()
            )),
        }
    }

    /// A turn at the initial speed, or a second: only for methods without step control.
    fn natural_period(&self) -> f64 {
        std::f64::consts::TAU / self.start().1[SPEED].abs().max(1.0)
    }
}
