//! The motion of the spring-block: its modes, guards and jumps.

use super::{SpringBlock, StartContact};
use crate::Problem;
use crate::keys::number_text;
use crate::law::{AgingLaw, FrictionLaw, Law};
use crate::system::oscillator::{Oscillator, Rate};
use crate::system::{ClosedForm, Fault, Guard, Jump, Sections, System, Upcoming};

/// How the block moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mode {
    /// It moves with the surface; at rest on it since this time \[s\].
    Stick {
        /// When the contact came to rest \[s\].
        since: f64,
    },
    /// It is slower than the surface: ẋ < v₀, friction pulls it forward.
    SlipBelow,
    /// It is faster than the surface: ẋ > v₀, friction holds it back.
    SlipAbove,
}

/// Displacement x \[m\], velocity ẋ [m/s], and ∫ F_K′(|v|)/M dt [-], the logarithm of how much a slip contracts areas of
/// the phase plane: with it the slope of any return map is known without a second orbit.
pub type State = [f64; 3];

/// Index of the displacement in a [`State`].
pub const DISPLACEMENT: usize = 0;
/// Index of the velocity in a [`State`].
pub const VELOCITY: usize = 1;
/// Index of the contraction in a [`State`].
pub(crate) const CONTRACTION: usize = 2;

/// Guard: the block has the velocity of the surface.
pub(crate) const CONTACT: usize = 0;
/// Guard: the spring pulls the sticking block back with the static limit, κx = F_S.
pub(crate) const RELEASE_FORWARD: usize = 1;
/// Guard: the spring pushes the sticking block forward with the static limit, κx = −F_S.
pub(crate) const RELEASE_BACKWARD: usize = 2;
/// Section: the block turns, ẋ = 0.
pub(crate) const TURNING: usize = 3;
/// Section: the velocity has an extremum, ẍ = 0. A contact that only grazes shows here.
pub(crate) const EXTREMUM: usize = 4;

impl SpringBlock {
    /// F_K at a sliding speed \[N\].
    pub fn kinetic_force(&self, speed: f64) -> f64 {
        self.normal_load * self.law.kinetic(speed)
    }

    /// F_K and its first three derivatives at a sliding speed: \[N\], [N s/m], [N s²/m²], [N s³/m³].
    pub fn kinetic_force_derivatives(&self, speed: f64) -> [f64; 4] {
        self.law.kinetic_derivatives(speed).map(|value| self.normal_load * value)
    }

    /// F_S after resting for `time` \[s\], in \[N\].
    pub fn static_force(&self, time: f64) -> f64 {
        let growth = self.aging.as_ref().map_or(0.0, |aging| aging.growth(time));
        self.normal_load * (self.law.static_coefficient() + growth)
    }

    /// Elongation of the spring \[m\] at which a contact lets go that rested for `time` \[s\]: F_S/κ.
    ///
    /// A slip never starts forward: where static and kinetic force are equal (μ(0) = μ_s), rounding would decide whether the
    /// spring or friction is the stronger one, so that the spring gets the last bit.
    pub fn release_displacement(&self, time: f64) -> f64 {
        let kinetic = self.kinetic_force(0.0);
        let x = self.static_force(time).max(kinetic) / self.stiffness;
        // one unit in the last place covers the rounding of the quotient and of the product
        if self.stiffness * x < kinetic { x.next_up() } else { x }
    }

    /// Acceleration in a mode [m/s²].
    pub fn acceleration(&self, mode: Mode, x: f64, velocity: f64) -> f64 {
        match mode {
            Mode::Stick { .. } => 0.0,
            Mode::SlipBelow => (self.kinetic_force(self.drive_speed - velocity) - self.stiffness * x) / self.mass,
            Mode::SlipAbove => (-self.kinetic_force(velocity - self.drive_speed) - self.stiffness * x) / self.mass,
        }
    }

    /// Spring force \[N\] up to which a fresh contact sticks, wherever the block came from.
    pub fn contact_limit(&self) -> f64 {
        self.contact_policy.limit(self.static_force(0.0), self.kinetic_force(0.0))
    }

    /// What a contact at displacement `x` at time `t` becomes, the block coming from `mode`.
    pub(crate) fn contact(&self, mode: Mode, x: f64, t: f64) -> Mode {
        let force = self.stiffness * x;
        let pull = if self.drive_speed >= 0.0 { force } else { -force };
        if self.contact_policy.sticks(pull, self.contact_limit(), mode == self.behind()) {
            Mode::Stick { since: t }
        } else if force < 0.0 {
            Mode::SlipAbove
        } else {
            Mode::SlipBelow
        }
    }

    /// The mode of a block that is slower than the surface, seen along the motion of the surface.
    fn behind(&self) -> Mode {
        if self.drive_speed >= 0.0 { Mode::SlipBelow } else { Mode::SlipAbove }
    }

    /// The mode in which a block moves that has this displacement and velocity.
    pub(crate) fn mode_at(&self, x: f64, velocity: f64) -> Mode {
        if velocity < self.drive_speed {
            return Mode::SlipBelow;
        }
        if velocity > self.drive_speed {
            return Mode::SlipAbove;
        }
        let (force, threshold) = (self.stiffness * x, self.kinetic_force(0.0));
        match self.start.contact {
            StartContact::Slip if force > threshold => Mode::SlipBelow,
            StartContact::Slip if force < -threshold => Mode::SlipAbove,
            _ if force.abs() <= self.static_force(0.0) => Mode::Stick { since: 0.0 },
            _ if force > 0.0 => Mode::SlipBelow,
            _ => Mode::SlipAbove,
        }
    }

    /// Why there is no motion at a sliding speed with a negative coefficient: friction would push the block.
    #[cold]
    fn negative_friction(&self, speed: f64, coefficient: f64) -> Fault {
        // a motion meets the very border of such speeds, where the coefficient has no digits: what lies a little beyond tells more
        let beyond = 1.01 * speed;
        let (speed, coefficient) = match self.law.kinetic(beyond) {
            value if value < coefficient => (beyond, value),
            _ => (speed, coefficient),
        };
        let message = format!(
            "gives a friction coefficient of {coefficient:.3e} at a sliding speed of {speed:.6e} m/s: this motion comes to such \
             speeds, and friction must not be negative there; change the law, or lower drive_speed ({} m/s) or start.velocity",
            number_text(self.drive_speed)
        );
        Box::new(Problem::new(self.law.shaping_key(), message))
    }

    /// Constant and slope of the kinetic force \[N\], [N s/m], for a law that is linear in the speed.
    fn linear_kinetic_force(&self) -> Option<(f64, f64)> {
        match &self.law {
            Law::Coulomb(law) => Some((self.normal_load * law.kinetic_coefficient, 0.0)),
            Law::Linear(law) => Some((self.normal_load * law.kinetic_coefficient, self.normal_load * law.slope)),
            _ => None,
        }
    }

    /// The slip as a damped oscillator; none if its law is not linear in the speed.
    fn oscillator(&self, mode: Mode, from: &State) -> Option<Oscillator> {
        let (constant, slope) = self.linear_kinetic_force()?;
        let sign = if mode == Mode::SlipBelow { 1.0 } else { -1.0 };
        let centre = (sign * constant + slope * self.drive_speed) / self.stiffness;
        let (decay, stiffness) = (0.5 * slope / self.mass, self.stiffness / self.mass);
        Some(Oscillator::new(centre, decay, stiffness, from[DISPLACEMENT], from[VELOCITY]))
    }

    /// When a contact that came to rest at `since` with displacement `x` at that time is released, and at which guard.
    fn release(&self, since: f64, x: f64) -> Option<Upcoming> {
        if self.drive_speed == 0.0 {
            return None;
        }
        // seen along the motion of the surface
        let along = x * self.drive_speed.signum();
        let limit = self.static_force(0.0);
        let speed = self.drive_speed.abs();
        let guard = if self.drive_speed > 0.0 { RELEASE_FORWARD } else { RELEASE_BACKWARD };
        let rest = match &self.aging {
            None => ((limit / self.stiffness - along) / speed).max(0.0),
            Some(aging) => {
                let margin = (limit - self.stiffness * along) / self.normal_load;
                aging.holding_time(margin, self.stiffness * speed / self.normal_load)?
            }
        };
        Some(Upcoming { time: since + rest, guard, rising: false })
    }
}

impl System for SpringBlock {
    type State = State;
    type Guards = [f64; 5];
    type Mode = Mode;

    fn start(&self) -> (Mode, State) {
        let x = self.start.displacement;
        let velocity = self.start.velocity.unwrap_or(self.drive_speed);
        (self.mode_at(x, velocity), [x, velocity, 0.0])
    }

    #[inline(always)]
    fn rhs(&self, mode: Mode, _t: f64, y: &State, dy: &mut State) -> Result<(), Fault> {
        let sign = match mode {
            Mode::Stick { .. } => {
                *dy = [self.drive_speed, 0.0, 0.0];
                return Ok(());
            }
            Mode::SlipBelow => 1.0,
            Mode::SlipAbove => -1.0,
        };
        let speed = sign * (self.drive_speed - y[VELOCITY]);
        let (friction, slope) = self.law.kinetic_with_slope(speed);
        if friction < 0.0 && speed >= 0.0 {
            return Err(self.negative_friction(speed, friction));
        }
        let force = sign * self.normal_load * friction - self.stiffness * y[DISPLACEMENT];
        let inverse_mass = 1.0 / self.mass;
        *dy = [y[VELOCITY], force * inverse_mass, self.normal_load * slope * inverse_mass];
        Ok(())
    }

    fn controlled(&self) -> usize {
        // not the contraction: where F_K has an infinite slope at rest (Stribeck, exponent < 1) it has a singularity that
        // the motion does not have
        CONTRACTION
    }

    fn typical(&self, sizes: &mut State) -> f64 {
        // a block without any scale, or with an absurd one, is left to the relative tolerance and to the units
        let usable = |size: f64| if size.is_finite() && size > 0.0 { size } else { 1.0 };
        let time = usable((self.mass / self.stiffness).sqrt());
        // the smaller of the two lengths of a motion, elongation and swing, but not so small that rounding exceeds it
        let (elongation, swing) = (self.static_force(0.0) / self.stiffness, self.drive_speed.abs() * time);
        let length = usable(elongation.min(swing).max(1e-2 * self.length_scale()));
        *sizes = [length, length / time, 1.0];
        time
    }

    fn guard(&self, mode: Mode, guard: usize) -> Guard {
        match (mode, guard) {
            // the surface carries a sticking block away from the limit behind it: that limit is never reached, and a block that
            // sticks at it (or, under `first_contact`, beyond it) stays stuck
            (Mode::Stick { .. }, RELEASE_FORWARD | RELEASE_BACKWARD) => {
                let ahead = if self.drive_speed >= 0.0 { RELEASE_FORWARD } else { RELEASE_BACKWARD };
                if guard == ahead { Guard::Boundary("release") } else { Guard::Unused }
            }
            (Mode::SlipBelow | Mode::SlipAbove, CONTACT) => Guard::Boundary("contact"),
            // on a surface at rest the block turns where it touches
            (Mode::SlipBelow | Mode::SlipAbove, TURNING) if self.drive_speed == 0.0 => Guard::Unused,
            (Mode::SlipBelow | Mode::SlipAbove, TURNING) => Guard::Section("turning point"),
            (Mode::SlipBelow | Mode::SlipAbove, EXTREMUM) => Guard::Section("extremum of the velocity"),
            _ => Guard::Unused,
        }
    }

    #[inline]
    fn guards(&self, mode: Mode, t: f64, y: &State, guards: &mut [f64; 5]) {
        self.guards_with(mode, t, y, Sections::ALL, guards);
    }

    #[inline(always)]
    fn guards_with(&self, mode: Mode, t: f64, y: &State, sections: Sections, guards: &mut [f64; 5]) {
        match mode {
            Mode::Stick { since } => {
                let limit = self.static_force((t - since).max(0.0));
                let force = self.stiffness * y[DISPLACEMENT];
                guards[RELEASE_FORWARD] = limit - force;
                guards[RELEASE_BACKWARD] = limit + force;
            }
            Mode::SlipBelow | Mode::SlipAbove => {
                let sign = if mode == Mode::SlipBelow { 1.0 } else { -1.0 };
                guards[CONTACT] = sign * (self.drive_speed - y[VELOCITY]);
                guards[TURNING] = y[VELOCITY];
                // the only guard that asks the law
                if sections.has(EXTREMUM) {
                    guards[EXTREMUM] = self.acceleration(mode, y[DISPLACEMENT], y[VELOCITY]);
                }
            }
        }
    }

    fn jump(&self, mode: Mode, guard: usize, t: f64, y: &mut State) -> Result<Jump<Mode>, Fault> {
        // land exactly on the velocity of the surface: what the located root leaves would be read as a fresh crossing
        y[VELOCITY] = self.drive_speed;
        Ok(Jump::To(match (mode, guard) {
            (Mode::Stick { since }, RELEASE_FORWARD) => {
                y[DISPLACEMENT] = self.release_displacement(t - since);
                Mode::SlipBelow
            }
            (Mode::Stick { since }, _) => {
                y[DISPLACEMENT] = -self.release_displacement(t - since);
                Mode::SlipAbove
            }
            _ => self.contact(mode, y[DISPLACEMENT], t),
        }))
    }

    fn closed_form(&self, mode: Mode) -> ClosedForm {
        let known = matches!(mode, Mode::Stick { .. }) || self.linear_kinetic_force().is_some();
        if known { ClosedForm::Offered } else { ClosedForm::Never }
    }

    fn flow(&self, mode: Mode, since: f64, from: &State, t: f64, y: &mut State) {
        let elapsed = t - since;
        match (mode, self.oscillator(mode, from)) {
            (Mode::SlipBelow | Mode::SlipAbove, Some(oscillator)) => {
                let slope = self.linear_kinetic_force().map_or(0.0, |(_, slope)| slope);
                let (x, velocity) = oscillator.at(elapsed);
                *y = [x, velocity, from[CONTRACTION] + slope / self.mass * elapsed];
            }
            _ => *y = [from[DISPLACEMENT] + self.drive_speed * elapsed, self.drive_speed, from[CONTRACTION]],
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
        let (Mode::SlipBelow | Mode::SlipAbove, Some(oscillator)) = (mode, self.oscillator(mode, from)) else {
            let Mode::Stick { since: rest_since } = mode else { return Ok(None) };
            let at_rest = from[DISPLACEMENT] - self.drive_speed * (since - rest_since);
            let release = self.release(rest_since, at_rest);
            return Ok(release.filter(|release| release.time > after || release.time >= since));
        };
        let contact = if mode == Mode::SlipBelow {
            oscillator.first_rise(self.drive_speed)
        } else {
            oscillator.mirrored().first_rise(-self.drive_speed)
        };
        let contact = contact.map(|elapsed| Upcoming { time: since + elapsed, guard: CONTACT, rising: false });
        if !sections {
            return Ok(contact);
        }
        let section = |rate, guard| {
            oscillator
                .next_zero(rate, after - since)
                .map(|(elapsed, rising)| Upcoming { time: since + elapsed, guard, rising })
                .filter(|upcoming| upcoming.time > after)
        };
        let turning = if self.drive_speed == 0.0 { None } else { section(Rate::Velocity, TURNING) };
        let next = [contact, turning, section(Rate::Acceleration, EXTREMUM)];
        Ok(next.into_iter().flatten().min_by(|a, b| a.time.total_cmp(&b.time)))
    }
}
