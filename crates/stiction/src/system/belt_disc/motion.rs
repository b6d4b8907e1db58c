//! The motion of the disc: its modes, guards and jumps, in the frame in which the belt runs toward +x.
//!
//! Stick is known in closed form: the patch is frozen and the force grows linearly until it leaves the limit body. Slip is
//! integrated; near its end the three components of the slip vanish together in finite time, and the rest is a bridge. A
//! slip that starts from rest relative to the belt has no direction yet: its first instants are a bridge, too. On a uniform
//! belt a disc that moves straight ahead is a damped-free oscillator, and slip is known in closed form as well.

use super::balance::{ANGLE, BELT_WORK, DISSIPATED, SPIN, VX, VY, X, Y};
use super::{
    BeltBalance, BeltDisc, BreakawayRule, Contact, ContactPlan, ContactPolicy, LandingRule, OnsetRule, Policy, Rules,
    State, transition,
};
use crate::field::Germ;
use crate::patch::limit_body::{breakaway, gauge};
use crate::patch::{FrozenPatch, Twist};
use crate::system::oscillator::{Oscillator, Rate};
use crate::system::{ClosedForm, Fault, Guard, Jump, System, Upcoming, field_fault};
use std::cell::RefCell;

/// Section: the disc turns, ẋ = 0.
pub(crate) const TURNING: usize = 0;
/// Boundary: the slip has fallen to the speed at which a landing is tried.
pub(crate) const SLOW: usize = 1;
/// Boundary: the slip has risen again to the speed from which on a landing may be tried.
pub(crate) const FAST: usize = 2;
/// Boundary: static friction can hold a disc that is slow enough.
pub(crate) const HELD: usize = 3;
/// Boundary: static friction gives way.
pub(crate) const BREAKAWAY: usize = 4;
/// Boundary: a bridge ends.
pub(crate) const END: usize = 5;
/// Boundary: a disc that moves straight ahead has the velocity of the belt.
pub(crate) const CONTACT: usize = 6;
const GUARDS: usize = 7;

/// Part of the slip speed at which a landing that failed is tried again.
const AGAIN: f64 = 0.25;
/// A slip whose rotation and velocity across the belt are below this part of that along it is on a line: rounding leaves less.
const LINE: f64 = 1e-9;
/// How far above the threshold a slip has to rise before a landing may be tried.
const CLEAR: f64 = 1.0 + 1e-6;

/// How the disc moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mode {
    /// With the belt.
    Stick,
    /// Over the belt; a landing is tried where λ² falls to `floor`, and where it has risen to `ceiling` the mode begins anew.
    Slip {
        /// λ² at which a landing is tried; 0 if none is.
        floor: f64,
        /// λ² from which on the threshold counts again; infinite above it.
        ceiling: f64,
        /// Whether the disc lands as soon as static friction can hold it.
        waits: bool,
    },
    /// Over the belt until a state that is known, with velocities that change linearly.
    Bridge {
        /// When it starts and ends \[s\].
        span: [f64; 2],
        /// The state at its end.
        target: State,
        /// f_x where the disc is at rest relative to the belt \[N\]: at the end of a landing, at the start of a slip.
        friction: f64,
        /// Whether the disc sticks then.
        lands: bool,
    },
    /// Over a uniform belt, straight ahead: faster than the belt, or slower.
    Straight {
        /// Whether the disc is faster than the belt.
        faster: bool,
    },
}

impl Mode {
    /// Whether the disc moves with the belt.
    pub(crate) fn is_stick(self) -> bool {
        self == Mode::Stick
    }
}

/// One realisation of a disc on its belt.
#[derive(Debug)]
pub(crate) struct BeltMotion<'a> {
    pub(crate) balance: BeltBalance,
    contact: RefCell<Contact<'a>>,
    pub(crate) rules: Rules,
    contact_policy: ContactPolicy,
    /// λ below which a landing is tried [-].
    pub(crate) threshold: f64,
    /// Time that the start of a slip bridges \[s\].
    pub(crate) onset_step: f64,
    /// The coefficient of a uniform belt.
    uniform: Option<f64>,
    /// Whether the belt of the keys runs toward −x.
    pub(crate) mirrored: bool,
    start: (Mode, State),
}

impl<'a> BeltMotion<'a> {
    /// The motion of a disc on a realisation of its belt.
    ///
    /// # Errors
    /// If the field is not known at the start, or not positive.
    pub(crate) fn new(disc: &BeltDisc, plan: &'a ContactPlan, germ: Germ) -> Result<Self, Fault> {
        let (place, resting) = disc.start_state();
        let mut state: State = [0.0; 8];
        for (index, value) in [X, Y, ANGLE, VX, VY, SPIN].into_iter().zip(place) {
            state[index] = value;
        }
        let mut motion = Self {
            balance: BeltBalance::of(disc),
            contact: RefCell::new(plan.contact(germ)),
            rules: disc.rules(),
            contact_policy: disc.contact_policy,
            threshold: disc.landing_threshold,
            onset_step: disc.onset_step,
            uniform: plan.uniform(),
            mirrored: disc.belt_speed < 0.0,
            start: (Mode::Stick, state),
        };
        let mode = if resting { motion.rest_at(0.0, &mut state)? } else { motion.slip_from(&state) };
        motion.start = (mode, state);
        Ok(motion)
    }

    /// The mode of a disc with the velocity of the belt.
    fn rest_at(&self, t: f64, y: &mut State) -> Result<Mode, Fault> {
        if self.overload(t, y, 1.0)? <= 0.0 { Ok(Mode::Stick) } else { self.breakaway(t, y) }
    }

    /// The mode of a disc with this state at a time \[s\].
    pub(crate) fn mode_at(&self, t: f64, y: &mut State) -> Result<Mode, Fault> {
        if self.balance.twist(y) == [0.0; 3] { self.rest_at(t, y) } else { Ok(self.slip_from(y)) }
    }

    /// A question about the patch under the disc.
    pub(super) fn patch<R>(&self, t: f64, y: &State, question: impl FnOnce(&dyn FrozenPatch) -> R) -> Result<R, Fault> {
        let mut contact = self.contact.borrow_mut();
        let patch = contact.frozen(self.balance.place(t, y)).map_err(|error| field_fault(&error))?;
        Ok(question(&patch))
    }

    /// Time derivative of the state in slip.
    fn slopes(&self, t: f64, y: &State) -> Result<State, Fault> {
        let twist = self.balance.twist(y);
        let gradient = self.contact.borrow_mut().gradient(self.balance.place(t, y), twist);
        gradient.map(|gradient| self.balance.slopes(y, &gradient)).map_err(|error| field_fault(&error))
    }

    /// Friction f_x on the disc \[N\].
    ///
    /// # Errors
    /// If the field is not known there, or not positive.
    pub(crate) fn friction(&self, mode: Mode, t: f64, y: &State) -> Result<f64, Fault> {
        let mut slopes = [0.0; 8];
        match mode {
            Mode::Stick => return Ok(self.balance.stiffness * y[X]),
            Mode::Bridge { span: [_, until], friction, lands: true, .. } if t >= until => return Ok(friction),
            Mode::Bridge { span: [since, _], friction, lands: false, .. } if t <= since => return Ok(friction),
            _ => self.rhs(mode, t, y, &mut slopes)?,
        }
        Ok(self.balance.friction_of(y, &slopes))
    }

    /// By how much the holding force exceeds `ratio` times static friction, relative to the latter [-].
    fn overload(&self, t: f64, y: &State, ratio: f64) -> Result<f64, Fault> {
        self.patch(t, y, |patch| self.overload_of(patch, y, ratio))
    }

    fn overload_of(&self, patch: &dyn FrozenPatch, y: &State, ratio: f64) -> f64 {
        let holding = self.balance.holding(y);
        let force = match self.rules.breakaway {
            BreakawayRule::Section => gauge(patch, holding),
            BreakawayRule::Circle => (holding[0] * holding[0] + holding[1] * holding[1]).sqrt() / patch.moments().mean,
        };
        force - ratio
    }

    /// The largest spring force along the belt that static friction holds, over m g [-]; none if the transverse one is too
    /// large by itself.
    fn largest_holding(&self, t: f64, y: &State) -> Result<Option<f64>, Fault> {
        let across = self.balance.holding(y)[1];
        match (self.uniform, self.rules.breakaway) {
            (Some(coefficient), _) if across == 0.0 => Ok(Some(coefficient)),
            (_, BreakawayRule::Section) => self.patch(t, y, |patch| breakaway(patch, across).map(|at| at.force)),
            (_, BreakawayRule::Circle) => self.patch(t, y, |patch| transition::on_circle(patch, across)),
        }
    }

    /// The coefficient of a uniform belt under a disc that moves straight ahead by the exact rules.
    fn straight(&self, y: &State) -> Option<f64> {
        let straight = [y[Y], y[VY], y[SPIN]] == [0.0; 3] && self.rules == Policy::Exact.rules();
        self.uniform.filter(|_| straight)
    }

    /// The mode of a disc that slips with this state.
    fn slip_from(&self, y: &State) -> Mode {
        if self.straight(y).is_some() {
            let slip = y[VX] - self.balance.belt_speed;
            // from rest relative to the belt the spring decides
            return Mode::Straight { faster: if slip == 0.0 { y[X] < 0.0 } else { slip > 0.0 } };
        }
        let square = self.balance.lambda_square(y, &[0.0; 8])[0];
        let unit = self.threshold * self.threshold;
        if square > unit {
            Mode::Slip { floor: unit, ceiling: f64::INFINITY, waits: false }
        } else {
            self.slow_slip(square)
        }
    }

    /// The mode of a slip below the threshold.
    fn slow_slip(&self, square: f64) -> Mode {
        let ceiling = CLEAR * self.threshold * self.threshold;
        let floor = match self.rules.landing {
            LandingRule::Extrapolate => AGAIN * AGAIN * square,
            LandingRule::Threshold => 0.0,
        };
        Mode::Slip { floor, ceiling, waits: false }
    }

    /// Starts a slip from rest relative to the belt.
    fn breakaway(&self, t: f64, y: &mut State) -> Result<Mode, Fault> {
        if self.straight(y).is_some() {
            return Ok(self.slip_from(y));
        }
        match self.rules.onset {
            OnsetRule::VelocityJump => {
                *y = transition::velocity_jump(&self.balance, self.threshold, y);
                Ok(self.slip_from(y))
            }
            OnsetRule::ZeroStart => {
                let target = transition::without_friction(&self.balance, y, self.onset_step);
                Ok(Mode::Bridge { span: [t, t + self.onset_step], target, friction: 0.0, lands: false })
            }
            OnsetRule::Exact => {
                let onset = self
                    .patch(t, y, |patch| transition::onset(&self.balance, patch, y, self.onset_step, self.threshold))?;
                let transition::Onset { target, delay, friction } = onset;
                Ok(Mode::Bridge { span: [t, t + delay], target, friction, lands: false })
            }
        }
    }

    /// What becomes of a slip that has fallen to the speed at which a landing is tried.
    fn land(&self, t: f64, y: &mut State) -> Result<Mode, Fault> {
        let square = self.balance.lambda_square(y, &[0.0; 8])[0];
        if self.rules.landing == LandingRule::Threshold {
            if self.overload(t, y, 1.0)? < 0.0 {
                self.balance.stop(y);
                return Ok(Mode::Stick);
            }
            let ceiling = CLEAR * self.threshold * self.threshold;
            return Ok(Mode::Slip { floor: 0.0, ceiling, waits: true });
        }
        let slopes = self.slopes(t, y)?;
        let Some((target, rest)) = transition::landing(&self.balance, y, &slopes) else {
            return Ok(self.slow_slip(square));
        };
        let slip = self.balance.twist(y);
        let line = on_a_line(slip);
        let last = self.patch(t + rest, &target, |patch| {
            let held = self.holds(patch, &target, line.then_some(slip[0] < 0.0));
            held.then(|| transition::last_friction(&self.balance, patch, &target, slip))
        })?;
        let span = [t, t + rest];
        Ok(match last {
            Some(friction) => Mode::Bridge { span, target, friction, lands: true },
            // on a line the disc comes to rest, and leaves again at once
            None if line => Mode::Bridge { span, target, friction: self.balance.friction_of(y, &slopes), lands: false },
            None => self.slow_slip(square),
        })
    }

    /// Whether friction holds a disc that comes to rest on the belt; `behind`: on a line, from a slower or a faster motion.
    fn holds(&self, patch: &dyn FrozenPatch, y: &State, behind: Option<bool>) -> bool {
        let Some(behind) = behind else { return self.overload_of(patch, y, self.balance.ratio) < 0.0 };
        let pull = (self.overload_of(patch, y, 0.0)).copysign(y[X]);
        self.contact_policy.sticks(pull, self.contact_policy.limit(1.0, self.balance.ratio), behind)
    }

    /// The slip of a disc that moves straight ahead over a uniform belt, as an oscillator.
    fn oscillator(&self, faster: bool, from: &State) -> Oscillator {
        let BeltBalance { stiffness, mass, .. } = self.balance;
        Oscillator::new(self.straight_friction(faster) / stiffness, 0.0, stiffness / mass, from[X], from[VX])
    }

    /// Kinetic friction of a disc that moves straight ahead over a uniform belt \[N\].
    fn straight_friction(&self, faster: bool) -> f64 {
        let kinetic = self.balance.ratio * self.balance.weight() * self.uniform.unwrap_or(0.0);
        if faster { -kinetic } else { kinetic }
    }

    /// What becomes of a disc that moves straight ahead where it has the velocity of the belt.
    fn straight_contact(&self, faster: bool, y: &mut State) -> Mode {
        y[VX] = self.balance.belt_speed;
        let kinetic = self.straight_friction(false);
        let limit = self.contact_policy.limit(kinetic / self.balance.ratio, kinetic);
        let sticks = self.contact_policy.sticks(self.balance.stiffness * y[X], limit, !faster);
        if sticks { Mode::Stick } else { self.slip_from(y) }
    }
}

/// Whether a slip is on a line along the belt.
fn on_a_line([along, across, turn]: Twist) -> bool {
    across.abs().max(turn.abs()) <= LINE * along.abs()
}

impl System for BeltMotion<'_> {
    type State = State;
    type Guards = [f64; GUARDS];
    type Mode = Mode;

    fn start(&self) -> (Mode, State) {
        self.start
    }

    fn rhs(&self, mode: Mode, t: f64, y: &State, slopes: &mut State) -> Result<(), Fault> {
        *slopes = match mode {
            Mode::Slip { .. } => self.slopes(t, y)?,
            Mode::Stick => self.balance.slopes_of(y, [0.0; 3], self.balance.stiffness * y[X], 0.0),
            Mode::Straight { faster } => {
                let force = self.straight_friction(faster);
                let loss = -force * (y[VX] - self.balance.belt_speed);
                let rate = (force - self.balance.stiffness * y[X]) / self.balance.mass;
                self.balance.slopes_of(y, [rate, 0.0, 0.0], force, loss)
            }
            Mode::Bridge { span: [_, until], target, .. } => {
                let rest = until - t;
                let rate = |k: usize| if rest > 0.0 { (target[k] - y[k]) / rest } else { 0.0 };
                let mut slopes = self.balance.slopes_of(y, [VX, VY, SPIN].map(rate), 0.0, 0.0);
                (slopes[BELT_WORK], slopes[DISSIPATED]) = (rate(BELT_WORK), rate(DISSIPATED));
                slopes
            }
        };
        Ok(())
    }

    fn guard(&self, mode: Mode, guard: usize) -> Guard {
        match (mode, guard) {
            (Mode::Slip { .. } | Mode::Straight { .. }, TURNING) => Guard::Section("turning point"),
            (Mode::Slip { floor, .. }, SLOW) if floor > 0.0 => Guard::Boundary("landing"),
            (Mode::Slip { ceiling, .. }, FAST) if ceiling.is_finite() => Guard::Boundary("rise above the threshold"),
            (Mode::Slip { waits: true, .. }, HELD) => Guard::Boundary("static friction holds"),
            (Mode::Stick, BREAKAWAY) => Guard::Boundary("breakaway"),
            (Mode::Bridge { .. }, END) => Guard::Boundary("end of the bridge"),
            (Mode::Straight { .. }, CONTACT) => Guard::Boundary("contact"),
            _ => Guard::Unused,
        }
    }

    fn guards(&self, mode: Mode, t: f64, y: &State, guards: &mut [f64; GUARDS]) {
        *guards = [0.0; GUARDS];
        guards[TURNING] = y[VX];
        if let Mode::Straight { faster } = mode {
            let slip = y[VX] - self.balance.belt_speed;
            guards[CONTACT] = if faster { slip } else { -slip };
        }
        if let Mode::Slip { floor, ceiling, waits } = mode {
            let square = self.balance.lambda_square(y, &[0.0; 8])[0];
            // in units of the larger speed, as numbers near one
            guards[SLOW] = square / floor - 1.0;
            guards[FAST] = 1.0 - square / ceiling;
            if waits {
                guards[HELD] = self.overload(t, y, 1.0).unwrap_or(f64::NAN);
            }
        }
    }

    fn jump(&self, mode: Mode, guard: usize, t: f64, y: &mut State) -> Result<Jump<Mode>, Fault> {
        Ok(Jump::To(match (mode, guard) {
            (Mode::Stick, _) => {
                if let Some(largest) = self.largest_holding(t, y)?.filter(|_| self.straight(y).is_some()) {
                    y[X] = largest * self.balance.weight() / self.balance.stiffness;
                }
                self.breakaway(t, y)?
            }
            (Mode::Bridge { target, lands, .. }, _) => {
                *y = target;
                match lands {
                    true => Mode::Stick,
                    false if self.balance.twist(y) == [0.0; 3] => self.breakaway(t, y)?,
                    false => self.slip_from(y),
                }
            }
            (Mode::Straight { faster }, _) => self.straight_contact(faster, y),
            (Mode::Slip { .. }, HELD) => {
                self.balance.stop(y);
                Mode::Stick
            }
            (Mode::Slip { .. }, FAST) => {
                Mode::Slip { floor: self.threshold * self.threshold, ceiling: f64::INFINITY, waits: false }
            }
            (Mode::Slip { .. }, _) => self.land(t, y)?,
        }))
    }

    /// Toward a landing all times shrink with the one that is left: λ² falls to zero like its square.
    #[inline]
    fn time_left(&self, mode: Mode, _t: f64, y: &State, slopes: &State) -> f64 {
        let Mode::Slip { .. } = mode else { return f64::INFINITY };
        let [square, slope] = self.balance.lambda_square(y, slopes);
        if slope < 0.0 { 2.0 * square / -slope } else { f64::INFINITY }
    }

    /// Radius and natural frequency are the units.
    fn typical(&self, sizes: &mut State) -> f64 {
        let BeltBalance { radius, frequency, .. } = self.balance;
        sizes.fill(1.0);
        [sizes[X], sizes[Y], sizes[VX], sizes[VY], sizes[SPIN]] =
            [radius, radius, radius * frequency, radius * frequency, frequency];
        1.0 / frequency
    }

    fn controlled(&self) -> usize {
        // x, y and the velocities; the rest follows along
        5
    }

    fn closed_form(&self, mode: Mode) -> ClosedForm {
        match mode {
            Mode::Stick | Mode::Bridge { .. } => ClosedForm::Always,
            Mode::Straight { .. } => ClosedForm::Offered,
            Mode::Slip { .. } => ClosedForm::Never,
        }
    }

    fn flow(&self, mode: Mode, since: f64, from: &State, t: f64, y: &mut State) {
        *y = *from;
        let (elapsed, belt) = (t - since, self.balance.belt_speed);
        match mode {
            Mode::Stick => {
                y[X] += belt * elapsed;
                y[BELT_WORK] += 0.5 * self.balance.stiffness * (y[X] * y[X] - from[X] * from[X]);
            }
            Mode::Straight { faster } => {
                (y[X], y[VX]) = self.oscillator(faster, from).at(elapsed);
                let force = self.straight_friction(faster);
                y[BELT_WORK] += belt * force * elapsed;
                y[DISSIPATED] -= force * (y[X] - from[X] - belt * elapsed);
            }
            Mode::Bridge { span: [_, until], target, .. } => {
                transition::bridge(from, &target, until - since, elapsed, y);
            }
            Mode::Slip { .. } => {}
        }
    }

    fn next_event(
        &self,
        mode: Mode,
        since: f64,
        from: &State,
        after: f64,
        sections: bool,
    ) -> Result<Option<Upcoming>, Fault> {
        let balance = &self.balance;
        let boundary = |time, guard| Some(Upcoming { time, guard, rising: false });
        Ok(match mode {
            Mode::Bridge { span: [_, until], .. } => boundary(until.max(since), END),
            Mode::Slip { .. } => None,
            Mode::Stick if balance.belt_speed == 0.0 => None,
            Mode::Stick => {
                let holding = balance.holding(from)[0];
                // without a largest force the transverse one is too large by itself: no stick
                let wait = self.largest_holding(since, from)?.map_or(0.0, |largest| {
                    (largest - holding) * balance.weight() / (balance.stiffness * balance.belt_speed)
                });
                boundary(since + wait.max(0.0), BREAKAWAY)
            }
            Mode::Straight { faster } => {
                let oscillator = self.oscillator(faster, from);
                let contact = if faster {
                    oscillator.mirrored().first_rise(-balance.belt_speed)
                } else {
                    oscillator.first_rise(balance.belt_speed)
                };
                let contact = contact.and_then(|elapsed| boundary(since + elapsed, CONTACT));
                let turning = oscillator.next_zero(Rate::Velocity, after - since).filter(|_| sections);
                let turning =
                    turning.map(|(elapsed, rising)| Upcoming { time: since + elapsed, guard: TURNING, rising });
                let next = [contact, turning.filter(|turning| turning.time > after)];
                next.into_iter().flatten().min_by(|a, b| a.time.total_cmp(&b.time))
            }
        })
    }
}
