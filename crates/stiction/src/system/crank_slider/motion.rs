//! The motion of the crank: its modes, guards and jumps.
//!
//! A mode keeps what must not be read off rounded numbers: in which half turn the crank is, which way it turns, and whether
//! the track pushes or pulls. The direction of the slider follows from the first two.

use super::balance::{Constants, CrankBalance, Friction, Response};
use super::{CrankSlider, NormalForcePolicy};
use crate::num::jet::Jet;
use crate::system::{ClosedForm, Fault, Guard, Jump, System};
use std::f64::consts::PI;

/// Which way the crank turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// θ̇ > 0, counter-clockwise.
    Forward,
    /// θ̇ < 0.
    Backward,
}

impl Direction {
    fn sign(self) -> f64 {
        match self {
            Direction::Forward => 1.0,
            Direction::Backward => -1.0,
        }
    }
}

/// Which way the track acts on the slider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Load {
    /// F_n > 0: it pushes the slider up.
    Pressed,
    /// F_n < 0: it would have to pull the slider down.
    Lifted,
}

impl Load {
    fn sign(self) -> f64 {
        match self {
            Load::Pressed => 1.0,
            Load::Lifted => -1.0,
        }
    }

    fn other(self) -> Self {
        match self {
            Load::Pressed => Load::Lifted,
            Load::Lifted => Load::Pressed,
        }
    }
}

/// Why the crank moves no more, or the model knows no more of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ending {
    /// Friction holds the slider: it stays, since torque and coefficient are constant.
    Stuck,
    /// The track would have to pull (policy `unilateral`).
    LiftOff,
    /// No motion or more than one satisfies the equations (Painlevé).
    Indeterminate {
        /// Determinant of the linear system divided by that without friction [-]; positive where both directions of a slider
        /// at rest are possible.
        determinant: f64,
    },
}

/// How the crank moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mode {
    /// It turns.
    Turning {
        /// The half turn: θ is between this and the next multiple of π.
        piece: i64,
        /// Which way.
        direction: Direction,
        /// The sign of the normal force.
        load: Load,
        /// What the located zero of the normal force left \[N\]: the guard counts from there.
        residue: f64,
    },
    /// It moves no more, since this time \[s\]; the state is held.
    Over {
        /// When \[s\].
        since: f64,
        /// Why.
        ending: Ending,
    },
}

/// Angle θ \[rad\], speed θ̇ [rad/s], ∫ |f/c| |ẋ₃| dt \[J\], and the part of it with F_n < 0 \[J\].
pub type State = [f64; 4];

/// Index of the angle in a [`State`].
pub(crate) const ANGLE: usize = 0;
/// Index of the speed in a [`State`].
pub(crate) const SPEED: usize = 1;
/// Index of the work per coefficient, all of it, in a [`State`].
pub(crate) const WORK: usize = 2;
/// Index of the work per coefficient while F_n < 0 in a [`State`].
pub(crate) const LIFTED_WORK: usize = 3;

/// Guard: the dead centre ahead.
pub(crate) const DEAD_CENTRE: usize = 0;
/// Guard: the crank stops between dead centres.
pub(crate) const STOP: usize = 1;
/// Guard: the normal force vanishes.
pub(crate) const LOAD_SIGN: usize = 2;
/// Guard: the equations cease to have exactly one solution.
pub(crate) const EXISTENCE: usize = 3;
/// Section: the normal force has an extremum. Watched only by [`CrankMotion::with_extrema`].
pub(crate) const EXTREMUM: usize = 4;

/// Determinant below which forces that grow like its inverse end the motion [-]: what is left until the pole is 1e-8 of the
/// way that the determinant takes from 1 to 0.
const SMALLEST_DETERMINANT: f64 = 1e-8;

/// The crank with a given total coefficient c: what is integrated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CrankMotion {
    constants: Constants,
    policy: NormalForcePolicy,
    coefficient: f64,
    start: [f64; 2],
    extrema: bool,
}

impl CrankMotion {
    /// The motion of `crank` with the total coefficient c [-], >= 0.
    pub(crate) fn new(crank: &CrankSlider, coefficient: f64) -> Self {
        Self {
            constants: Constants::of(crank),
            policy: crank.normal_force_policy,
            coefficient,
            start: [crank.initial_angle, crank.initial_speed],
            extrema: false,
        }
    }

    /// The same with a section at the extrema of the normal force.
    #[must_use]
    pub(crate) fn with_extrema(mut self) -> Self {
        self.extrema = true;
        self
    }

    /// Torque κ on the crank [N m].
    pub(crate) fn drive_torque(&self) -> f64 {
        self.constants.drive_torque
    }

    /// The total coefficient c [-].
    pub(crate) fn coefficient(&self) -> f64 {
        self.coefficient
    }

    /// Place x₃ of the slider \[m\].
    pub(crate) fn place(&self, y: &State) -> f64 {
        self.constants.place(y[ANGLE])
    }

    /// Velocity ẋ₃ of the slider [m/s].
    pub(crate) fn velocity(&self, y: &State) -> f64 {
        -self.balance(y).lever * y[SPEED]
    }

    /// Kinetic and potential energy \[J\].
    pub(crate) fn energy(&self, y: &State) -> f64 {
        self.constants.energy(y[ANGLE], y[SPEED])
    }

    /// Acceleration, normal force and friction in a mode. Friction that holds the slider is what balances the torque; where
    /// it has no lever, and where the model has no answer, it is left out.
    pub(crate) fn response(&self, mode: Mode, y: &State) -> Response {
        let balance = self.balance(y);
        balance.response(match mode {
            Mode::Turning { piece, direction, load, .. } => self.friction(slide(piece, direction), load),
            Mode::Over { ending: Ending::Stuck, .. } => {
                let held = balance.torque / balance.lever;
                Friction::Constant(if held.is_finite() { held } else { 0.0 })
            }
            Mode::Over { .. } => Friction::Constant(0.0),
        })
    }

    /// The mode of a crank with this angle and speed at a time \[s\]; an angle that rounds to a dead centre is put onto it.
    pub(crate) fn mode_at(&self, t: f64, y: &mut State) -> Mode {
        let (angle, speed) = (y[ANGLE], y[SPEED]);
        let nearest = (angle / PI).round();
        let at_dead_centre = (angle - nearest * PI).abs() <= 2.0 * f64::EPSILON * angle.abs();
        let half_turns = nearest as i64;
        if at_dead_centre {
            y[ANGLE] = dead_centre(half_turns);
        }
        let (forward, backward) = if at_dead_centre {
            (half_turns, half_turns.saturating_sub(1))
        } else {
            let piece = (angle / PI).floor() as i64;
            (piece, piece)
        };
        if speed > 0.0 {
            self.turning(t, forward, Direction::Forward, y)
        } else if speed < 0.0 {
            self.turning(t, backward, Direction::Backward, y)
        } else if at_dead_centre {
            self.rest_at_dead_centre(t, half_turns, y)
        } else {
            self.rest_between(t, forward, y)
        }
    }

    fn balance(&self, y: &State) -> CrankBalance {
        self.constants.balance(y[ANGLE], y[SPEED])
    }

    /// Friction of a slider that moves in direction `slide` (±1).
    #[inline]
    fn friction(&self, slide: f64, load: Load) -> Friction {
        let against = -slide * self.coefficient;
        match (self.policy, load) {
            (NormalForcePolicy::Bilateral, _) => Friction::Proportional(against * load.sign()),
            (NormalForcePolicy::Clip, Load::Lifted) => Friction::Proportional(0.0),
            (NormalForcePolicy::ConstantLoad, _) => Friction::Constant(against * self.constants.constant_load()),
            _ => Friction::Proportional(against),
        }
    }

    /// A number with the sign of the normal force: that without friction, since friction does not change its sign; with a
    /// constant friction the normal force itself.
    #[inline]
    fn load_signal(&self, balance: &CrankBalance, slide: f64) -> f64 {
        match self.friction(slide, Load::Pressed) {
            Friction::Proportional(_) => balance.load,
            Friction::Constant(force) => balance.load + balance.gain * force,
        }
    }

    /// Determinants, divided by that without friction, of the friction forces that could act: positive where the equations
    /// have exactly one solution. For ±c the normal force N₀/(1 ± c k) has the assumed sign either for one of them
    /// (|c k| < 1), or for both or none.
    #[inline]
    fn determinant(&self, balance: &CrankBalance, slide: f64) -> f64 {
        let share = self.coefficient * balance.gain;
        match self.policy {
            NormalForcePolicy::Bilateral => 1.0 - share * share,
            NormalForcePolicy::ConstantLoad => 1.0,
            _ => 1.0 + slide * share,
        }
    }

    /// The smallest determinant that any friction at this place could have [-], divided by that without friction.
    pub(crate) fn least_determinant(&self, y: &State) -> f64 {
        let balance = self.balance(y);
        self.determinant(&balance, 1.0).min(self.determinant(&balance, -1.0))
    }

    /// Guard of the determinant. Where the one of the force that acts goes to zero, all forces grow beyond bounds, and the
    /// motion ends at [`SMALLEST_DETERMINANT`]; where the other one does, nothing is felt and the zero itself is the end.
    #[inline]
    fn existence(&self, balance: &CrankBalance, slide: f64, load: Load) -> f64 {
        let Friction::Proportional(e) = self.friction(slide, load) else { return 1.0 };
        let acting = balance.determinant(e);
        match (self.policy, load) {
            (NormalForcePolicy::Bilateral, _) => (acting - SMALLEST_DETERMINANT) * balance.determinant(-e),
            (NormalForcePolicy::Clip, Load::Lifted) => self.determinant(balance, slide),
            _ => acting - SMALLEST_DETERMINANT,
        }
    }

    /// The sign of the normal force of a slider that moves on; at a zero of it the sign that it gets.
    fn load(&self, y: &State, slide: f64) -> Load {
        let balance = self.balance(y);
        let signal = self.load_signal(&balance, slide);
        let sign = if signal == 0.0 {
            let acceleration = balance.response(self.friction(slide, Load::Pressed)).acceleration;
            self.load_slope(y, acceleration, self.friction(slide, Load::Pressed))
        } else {
            signal
        };
        if sign < 0.0 { Load::Lifted } else { Load::Pressed }
    }

    /// Time derivative of the normal force [N/s], exactly: the equations with numbers that carry their derivative.
    fn load_slope(&self, y: &State, acceleration: f64, friction: Friction) -> f64 {
        let angle = Jet::from_coefficients([y[ANGLE], y[SPEED]]);
        let speed = Jet::from_coefficients([y[SPEED], acceleration]);
        let [_, slope] = self.constants.balance::<Jet<2>>(angle, speed).response(friction).normal_force.coefficients();
        slope
    }

    /// The mode of a crank that turns, in a half turn and a direction that are known.
    fn turning(&self, t: f64, piece: i64, direction: Direction, y: &State) -> Mode {
        let slide = slide(piece, direction);
        let determinant = self.determinant(&self.balance(y), slide);
        // written so that what is not a number is no solution either
        if determinant.is_nan() || determinant <= SMALLEST_DETERMINANT {
            return over(t, Ending::Indeterminate { determinant });
        }
        match self.load(y, slide) {
            Load::Lifted if self.policy == NormalForcePolicy::Unilateral => over(t, Ending::LiftOff),
            load => Mode::Turning { piece, direction, load, residue: 0.0 },
        }
    }

    /// What a crank does that stands at a dead centre: friction has no lever there, the torque decides.
    fn rest_at_dead_centre(&self, t: f64, half_turns: i64, y: &State) -> Mode {
        let torque = self.balance(y).torque;
        if torque > 0.0 {
            self.turning(t, half_turns, Direction::Forward, y)
        } else if torque < 0.0 {
            self.turning(t, half_turns.saturating_sub(1), Direction::Backward, y)
        } else {
            over(t, Ending::Stuck)
        }
    }

    /// What a crank does that stands between dead centres: it moves where its friction lets it, if that is one direction.
    fn rest_between(&self, t: f64, piece: i64, y: &State) -> Mode {
        let balance = self.balance(y);
        let mut found = None;
        let mut least = f64::INFINITY;
        for direction in [Direction::Forward, Direction::Backward] {
            let mode = self.turning(t, piece, direction, y);
            let Mode::Turning { load, .. } = mode else { return mode };
            let slide = slide(piece, direction);
            least = least.min(self.determinant(&balance, slide));
            let response = balance.response(self.friction(slide, load));
            if response.acceleration * direction.sign() > 0.0 {
                if found.is_some() {
                    return over(t, Ending::Indeterminate { determinant: least });
                }
                found = Some(mode);
            }
        }
        found.unwrap_or(over(t, Ending::Stuck))
    }
}

/// Direction of the slider: +1 outward, −1 toward the crank. ẋ₃ has the sign of −θ̇ sin θ for R < L.
#[inline]
fn slide(piece: i64, direction: Direction) -> f64 {
    if piece % 2 == 0 { -direction.sign() } else { direction.sign() }
}

fn over(since: f64, ending: Ending) -> Mode {
    Mode::Over { since, ending }
}

/// The angle of a dead centre \[rad\].
#[inline]
fn dead_centre(half_turns: i64) -> f64 {
    half_turns as f64 * PI
}

/// The dead centre that the crank comes to next, in half turns.
#[inline]
fn ahead(piece: i64, direction: Direction) -> i64 {
    match direction {
        Direction::Forward => piece.saturating_add(1),
        Direction::Backward => piece,
    }
}

impl System for CrankMotion {
    type State = State;
    type Guards = [f64; 5];
    type Mode = Mode;

    fn start(&self) -> (Mode, State) {
        let [angle, speed] = self.start;
        let mut y = [angle, speed, 0.0, 0.0];
        (self.mode_at(0.0, &mut y), y)
    }

    #[inline]
    fn rhs(&self, mode: Mode, _t: f64, y: &State, dy: &mut State) -> Result<(), Fault> {
        let Mode::Turning { piece, direction, load, .. } = mode else {
            *dy = [0.0; 4];
            return Ok(());
        };
        let slide = slide(piece, direction);
        let balance = self.balance(y);
        let response = balance.response(self.friction(slide, load));
        let pressing = match (self.policy, load) {
            (NormalForcePolicy::ConstantLoad, _) => self.constants.constant_load(),
            (NormalForcePolicy::Clip, Load::Lifted) => 0.0,
            _ => load.sign() * response.normal_force,
        };
        // |ẋ₃|, smooth also beyond the end of the mode
        let power = pressing * -slide * balance.lever * y[SPEED];
        let lifted = if load == Load::Lifted { power } else { 0.0 };
        *dy = [y[SPEED], response.acceleration, power, lifted];
        Ok(())
    }

    fn guard(&self, mode: Mode, guard: usize) -> Guard {
        match (mode, guard) {
            (Mode::Over { .. }, _) => Guard::Unused,
            (_, EXTREMUM) if self.extrema => Guard::Section("extremum of the normal force"),
            (_, EXTREMUM) => Guard::Unused,
            (_, EXISTENCE) if self.policy == NormalForcePolicy::ConstantLoad => Guard::Unused,
            (_, DEAD_CENTRE) => Guard::Boundary("dead centre"),
            (_, STOP) => Guard::Boundary("stop"),
            (_, LOAD_SIGN) => Guard::Boundary("zero of the normal force"),
            _ => Guard::Boundary("loss of existence"),
        }
    }

    #[inline]
    fn guards(&self, mode: Mode, _t: f64, y: &State, guards: &mut [f64; 5]) {
        let Mode::Turning { piece, direction, load, residue } = mode else { return };
        let (turning, slide) = (direction.sign(), slide(piece, direction));
        let balance = self.balance(y);
        guards[DEAD_CENTRE] = turning * (dead_centre(ahead(piece, direction)) - y[ANGLE]);
        guards[STOP] = turning * y[SPEED];
        guards[LOAD_SIGN] = load.sign() * (self.load_signal(&balance, slide) - residue);
        guards[EXISTENCE] = self.existence(&balance, slide, load);
        if self.extrema {
            let friction = self.friction(slide, load);
            guards[EXTREMUM] = self.load_slope(y, balance.response(friction).acceleration, friction);
        }
    }

    fn jump(&self, mode: Mode, guard: usize, t: f64, y: &mut State) -> Result<Jump<Mode>, Fault> {
        let Mode::Turning { piece, direction, load, .. } = mode else { return Ok(Jump::End) };
        Ok(Jump::To(match guard {
            DEAD_CENTRE => {
                let half_turns = ahead(piece, direction);
                y[ANGLE] = dead_centre(half_turns);
                let next = match direction {
                    Direction::Forward => half_turns,
                    Direction::Backward => half_turns.saturating_sub(1),
                };
                if direction.sign() * y[SPEED] > 0.0 {
                    self.turning(t, next, direction, y)
                } else {
                    y[SPEED] = 0.0;
                    self.rest_at_dead_centre(t, half_turns, y)
                }
            }
            STOP => {
                y[SPEED] = 0.0;
                self.rest_between(t, piece, y)
            }
            LOAD_SIGN if self.policy == NormalForcePolicy::Unilateral => over(t, Ending::LiftOff),
            LOAD_SIGN => {
                // the guard of the new mode starts exactly at zero and rises
                let residue = self.load_signal(&self.balance(y), slide(piece, direction));
                Mode::Turning { piece, direction, load: load.other(), residue }
            }
            _ => {
                let determinant = self.determinant(&self.balance(y), slide(piece, direction));
                over(t, Ending::Indeterminate { determinant })
            }
        }))
    }

    /// Reversals that follow each other ever faster end at rest.
    fn rest(&self, _mode: Mode, _guard: usize, t: f64, y: &mut State) -> Option<Mode> {
        y[SPEED] = 0.0;
        Some(over(t, Ending::Stuck))
    }

    fn closed_form(&self, mode: Mode) -> ClosedForm {
        if matches!(mode, Mode::Over { .. }) { ClosedForm::Offered } else { ClosedForm::Never }
    }
}
