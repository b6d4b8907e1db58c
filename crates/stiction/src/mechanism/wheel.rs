//! A wheel on a turntable: its columns, its own clock, and where the equations end.

use super::{Horizon, Mechanism, Plan, names, sound};
use crate::Problem;
use crate::field::Germ;
use crate::num::real;
use crate::record::{Column, Energy, Motion, Moving, Name, Observe, Phase};
use crate::system::filippov::{Automaton, Filippov, Mode, Phase as FilippovPhase, Side, Signs};
use crate::system::wheel::{Dynamics, Friction, OMEGA, R, State, TIME, V};
use crate::system::{Fault, Wheel};

impl Mechanism for Wheel {
    const NAME: &'static str = "wheel";

    fn problems(&self) -> Vec<Problem> {
        Wheel::problems(self)
    }

    fn columns(&self) -> Vec<Column> {
        columns()
    }

    fn contacts(&self) -> Vec<Name> {
        names(CONTACTS)
    }

    fn prepare(&self, _horizon: &Horizon<'_>) -> Result<Box<dyn Plan + '_>, Fault> {
        sound(self)?;
        if self.regularisation.is_some() {
            let message = "makes another system, without stick: leave it out, or ask for the study `smooth`";
            return Err(Box::new(Problem::new("regularisation", message)));
        }
        let unsound =
            |problems: Vec<Problem>| problems.into_iter().next().unwrap_or_else(|| Problem::new("", "cannot be made"));
        Ok(Box::new(self.dynamics().map_err(unsound)?))
    }
}

/// Where a motion starts if nothing is said: position \[m\] and speed of the disc [rad/s], on the switching surface.
const START: [f64; 2] = [0.27, -1.25];

/// How far beside the switching surface it starts where the motion on it is not determined [m/s].
const BESIDE: f64 = 0.1;

impl Plan for Dynamics {
    fn given(&self, _germ: Germ) -> Result<Box<dyn Motion + '_>, Fault> {
        let [r, omega] = START;
        let v = self.surface_v(r, omega);
        let v = if v.is_finite() { v } else { 0.0 };
        let at = |v: f64| Automaton::at(self, [r, v, omega, 0.0, 0.0]);
        let start = at(v).or_else(|| at(v + BESIDE)).unwrap_or_else(|| {
            let state = [r, v + BESIDE, omega, 0.0, 0.0];
            let mode = Automaton::mode(self, FilippovPhase::Slip(Side::Plus), Signs::default(), &state);
            Automaton::new(self, (mode, state))
        });
        Ok(Box::new(Moving::of(start)))
    }
}

/// Force and moment on the wheel in a mode.
fn friction(dynamics: &Dynamics, mode: Mode, y: &State) -> Friction {
    match mode.phase {
        FilippovPhase::Slip(side) => {
            let (h, g) = (dynamics.h(y[R], y[V], y[OMEGA]), dynamics.g(y[R], y[V], y[OMEGA]));
            dynamics.slip_friction(side.sign(), mode.signs.sign(0), h, g)
        }
        FilippovPhase::Sliding | FilippovPhase::Escaping => {
            let force = dynamics.mu * Filippov::lie(dynamics, mode.signs, y).mix();
            let sign = if dynamics.signed { mode.signs.sign(0) } else { 1.0 };
            Friction { force, moment: sign * dynamics.kappa * force }
        }
    }
}

/// The contacts.
const CONTACTS: &[&str] = &["turntable"];

/// The columns of a motion.
fn columns() -> Vec<Column> {
    vec![
        Column::state(R, "r", "m", "displacement r"),
        Column::state(V, "v", "m/s", "speed of the slider v"),
        Column::state(OMEGA, "omega", "rad/s", "speed of the disc ω"),
        Column::derived("h", "m/s", "lateral sliding velocity h"),
        Column::derived("g", "m/s", "rolling velocity g"),
        Column::derived("friction_force", "N", "lateral friction force F"),
        Column::derived("moment", "N m", "moment M of the contact"),
    ]
}

impl Observe for Automaton<'_, Dynamics> {
    const OWN_CLOCK: bool = true;

    fn columns(&self) -> Vec<Column> {
        columns()
    }

    fn observe(&self, mode: Mode, _t: f64, y: &State, values: &mut [f64]) {
        let (dynamics, [r, v, omega, ..]) = (self.model(), *y);
        let Friction { force, moment } = friction(dynamics, mode, y);
        let known = [r, v, omega, dynamics.h(r, v, omega), dynamics.g(r, v, omega), force, moment];
        for (value, known) in values.iter_mut().zip(known) {
            *value = known;
        }
    }

    fn contacts(&self) -> Vec<Name> {
        names(CONTACTS)
    }

    /// Forward is a lateral sliding velocity h > 0.
    fn phase(&self, mode: Mode, _contact: usize) -> Phase {
        match mode.phase {
            FilippovPhase::Slip(Side::Plus) => Phase::Forward,
            FilippovPhase::Slip(Side::Minus) => Phase::Backward,
            FilippovPhase::Sliding | FilippovPhase::Escaping => Phase::Stick,
        }
    }

    fn friction(&self, mode: Mode, _contact: usize, _t: f64, y: &State) -> Option<f64> {
        Some(friction(self.model(), mode, y).force)
    }

    fn enter(&self, _t: f64, y: &mut State) -> Result<Mode, Fault> {
        let start =
            |y: State| Automaton::at(self.model(), y).map(|automaton| crate::system::System::start(&automaton).0);
        start(*y).ok_or_else(|| {
            let message = "lies where the equations do not determine the motion (in the escaping region, on a two-fold, or without \
                           rolling velocity); start beside it, or choose with the study `itinerary`";
            Box::new(Problem::new("start", message))
        })
    }

    fn energy(&self, mode: Mode, _t: f64, y: &State) -> Option<Energy> {
        let (dynamics, [r, v, omega, ..]) = (self.model(), *y);
        let power = dynamics.power(r, v, omega, friction(dynamics, mode, y));
        // the turntable drives and friction brakes at the same point: only their sum is told apart from what is stored
        Some(Energy { stored: dynamics.energy(r, v, omega), supplied: power, lost: 0.0 })
    }

    fn time(&self, _t: f64, y: &State) -> f64 {
        y[TIME]
    }

    fn time_rate(&self, slopes: &State) -> f64 {
        slopes[TIME]
    }

    fn until(&self, time: f64) -> Option<Self> {
        Some(Automaton::until(*self, TIME, time))
    }

    fn ended(&self, mode: Mode, y: &State) -> Option<String> {
        let (dynamics, [r, v, omega, ..]) = (self.model(), *y);
        let near_line = real::hypot(dynamics.h(r, v, omega), dynamics.g(r, v, omega)) <= 2.0 * dynamics.line_radius;
        if near_line {
            return Some("the wheel comes to rest on the turntable (the line v = 0, ω = ω₀), where its equations have no limit; the \
                         study `itinerary` goes on by a rule (line_policy)".to_owned());
        }
        let stuck = matches!(mode.phase, FilippovPhase::Sliding | FilippovPhase::Escaping);
        let close = |fold: &State| (0..3).map(|k| (fold[k] - y[k]) * (fold[k] - y[k])).sum::<f64>().sqrt() < 1e-4;
        let at_fold = stuck && Filippov::two_folds(dynamics, mode.signs).is_some_and(|folds| folds.iter().any(close));
        at_fold.then(|| {
            "the motion reaches a two-fold, beyond which the equations do not determine it; the study `itinerary` goes \
                         on by a choice (exit)"
                .to_owned()
        })
    }
}
