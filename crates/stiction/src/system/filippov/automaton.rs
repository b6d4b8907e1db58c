//! The hybrid system: modes, guards and jumps of a Filippov system.

use super::{Filippov, MAX_SIGNS, Mode, Phase, Region, Side, Signs, two_fold::nearest_two_fold};
use crate::system::{Coords, Fault, Guard, Jump, System};

/// Numbers of the guards, in the order in which simultaneous ones fire.
pub mod guard {
    /// h returns to zero (slip).
    pub const SURFACE: usize = 0;
    /// L₊ reaches zero (stick).
    pub const LIMIT_PLUS: usize = 1;
    /// L₋ reaches zero (stick).
    pub const LIMIT_MINUS: usize = 2;
    /// A two-fold is reached (stick).
    pub const TWO_FOLD: usize = 3;
    /// The corner is reached (slip).
    pub const CORNER: usize = 4;
    /// The deadline is reached.
    pub const DEADLINE: usize = 5;
    /// The alarm is reached.
    pub const ALARM: usize = 6;
    /// h stops growing after a tangential departure (slip).
    pub const DEPARTED: usize = 7;
    /// The first sign function reaches zero; the others follow.
    pub const SIGN: usize = 8;
    /// L₋ − L₊ vanishes where no two-fold is known (stick).
    pub const DEGENERATE: usize = SIGN + super::MAX_SIGNS;
    /// Number of guards.
    pub const COUNT: usize = DEGENERATE + 1;
}

/// The zone around the corner, in corner radii, in which any event counts as reaching it.
const ZONE: f64 = 10.0;
/// How far a motion must be from the corner that it has left before it is watched again, in corner radii.
const REARMED: f64 = 20.0;

/// Value of |L₋ − L₊|, in units of the model's scale, at which it has vanished: in slowed-down time it only tends to zero.
const VANISHED: f64 = 1e-10;

/// What happened at an event of the automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AutomatonEvent {
    /// The surface was crossed.
    Crossing,
    /// The motion came onto the surface and stays there.
    Landing,
    /// Stick has ended because the field of this side became tangent.
    Limit(Side),
    /// A sign function changed its sign in slip.
    SignChange(usize),
    /// A sign function changed its sign in stick.
    StickSignChange(usize),
    /// The corner is reached: the fields have no limit there, and the caller decides.
    Corner,
    /// A two-fold is reached: the equations do not determine what follows.
    TwoFold,
    /// The deadline is reached.
    Deadline,
    /// The alarm is reached: a moment that the caller has chosen, for instance to leave the escaping region.
    Alarm,
    /// L₋ and L₊ become equal in stick where no two-fold is known, for instance where two switching surfaces meet: the sticking
    /// field has no limit.
    Degenerate,
    /// The surface is met where both fields push away, which no motion does: the model contradicts itself.
    Impossible,
    /// Nothing has happened to the motion: the automaton looks at other guards from here on.
    Internal,
}

/// A Filippov system as a hybrid system. The independent variable is time in slip, and slowed-down time in stick.
#[derive(Debug)]
pub struct Automaton<'a, F: Filippov> {
    model: &'a F,
    start: (Mode, F::State),
    deadline: Option<(usize, f64)>,
    alarm: Option<(usize, f64)>,
    two_fold_radius: f64,
}

// derived ones would ask the model to be a copy, too
impl<F: Filippov> Clone for Automaton<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Filippov> Copy for Automaton<'_, F> {}

/// Distance from a two-fold at which a motion has arrived, unless told otherwise.
const TWO_FOLD_RADIUS: f64 = 1e-5;

impl<'a, F: Filippov> Automaton<'a, F> {
    /// The automaton of a model, with a start in a mode.
    pub fn new(model: &'a F, start: (Mode, F::State)) -> Self {
        Self { model, start, deadline: None, alarm: None, two_fold_radius: TWO_FOLD_RADIUS }
    }

    /// The model.
    pub(crate) fn model(&self) -> &'a F {
        self.model
    }

    /// The automaton of a model that starts where it says: off the surface in slip; on it as its region demands. None on the
    /// escaping region, where the future is not determined, and where a sign function is zero.
    pub fn at(model: &'a F, y: F::State) -> Option<Self> {
        let signs = model.signs_at(&y)?;
        let h = model.switching(&y);
        let phase = if h == 0.0 {
            match model.lie(signs, &y).region() {
                Region::Sliding => Phase::Sliding,
                Region::CrossingPlus => Phase::Slip(Side::Plus),
                Region::CrossingMinus => Phase::Slip(Side::Minus),
                Region::Escaping | Region::Undetermined => return None,
            }
        } else {
            Phase::Slip(if h > 0.0 { Side::Plus } else { Side::Minus })
        };
        Some(Self::new(model, (Self::mode(model, phase, signs, &y), y)))
    }

    /// A mode for a phase that begins at a state. Where it begins on the surface, or on the zero of a sign function, it leaves it.
    pub fn mode(model: &F, phase: Phase, signs: Signs, y: &F::State) -> Mode {
        let mut sign_offsets = [0.0; MAX_SIGNS];
        for (index, offset) in sign_offsets.iter_mut().enumerate().take(F::SIGNS) {
            *offset = rounding(model.sign_function(index, y));
        }
        let (offset, level) = match phase {
            Phase::Slip(_) => (rounding(model.switching(y)), 0.0),
            _ => (0.0, 1e-3 * model.lie(signs, y).gap().abs()),
        };
        Mode { phase, signs, departing: false, armed: true, offset, sign_offsets, level }
    }

    /// The same mode with the corner not watched until the motion is clear of it.
    #[must_use]
    pub(crate) fn leaving_corner(mode: Mode) -> Mode {
        Mode { armed: false, ..mode }
    }

    /// The same with an end where this coordinate reaches a value from below.
    #[must_use]
    pub fn until(mut self, coordinate: usize, value: f64) -> Self {
        self.deadline = Some((coordinate, value));
        self
    }

    /// The same with a second end, told apart from the first.
    #[must_use]
    pub(crate) fn with_alarm(mut self, coordinate: usize, value: f64) -> Self {
        self.alarm = Some((coordinate, value));
        self
    }

    /// The same with this distance from a two-fold at which a motion has arrived, > 0.
    #[must_use]
    pub(crate) fn with_two_fold_radius(mut self, radius: f64) -> Self {
        self.two_fold_radius = radius;
        self
    }

    /// What an event means: from the mode before, the guard, and the mode after (none if the automaton ended).
    pub fn kind(&self, before: Mode, guard: usize, after: Option<Mode>, y: &F::State) -> AutomatonEvent {
        let Some(after) = after else {
            return match guard {
                guard::TWO_FOLD => AutomatonEvent::TwoFold,
                guard::DEADLINE => AutomatonEvent::Deadline,
                guard::ALARM => AutomatonEvent::Alarm,
                guard::DEGENERATE => AutomatonEvent::Degenerate,
                guard::SURFACE if !self.in_zone(before, y) => AutomatonEvent::Impossible,
                guard::LIMIT_PLUS | guard::LIMIT_MINUS => AutomatonEvent::TwoFold,
                _ => AutomatonEvent::Corner,
            };
        };
        match guard {
            guard::SURFACE if after.phase.is_stick() => AutomatonEvent::Landing,
            guard::SURFACE => AutomatonEvent::Crossing,
            guard::LIMIT_PLUS => AutomatonEvent::Limit(Side::Plus),
            guard::LIMIT_MINUS => AutomatonEvent::Limit(Side::Minus),
            guard::TWO_FOLD | guard::CORNER | guard::DEADLINE | guard::ALARM | guard::DEPARTED | guard::DEGENERATE => {
                AutomatonEvent::Internal
            }
            sign if before.phase.is_stick() => AutomatonEvent::StickSignChange(sign - guard::SIGN),
            sign => AutomatonEvent::SignChange(sign - guard::SIGN),
        }
    }

    /// Whether a state in slip is so close to the corner that an event there counts as reaching it.
    fn in_zone(&self, mode: Mode, y: &F::State) -> bool {
        let zone = ZONE * self.model.corner_radius();
        mode.armed && zone > 0.0 && self.model.corner_distance_squared(y) <= zone * zone
    }

    /// Stick: both limit fields mixed to a tangent one, slowed down where their normal velocities are close.
    fn stick_slope(&self, sign: f64, signs: Signs, y: &F::State, slope: &mut F::State) {
        let model = self.model;
        let (mut on, mut minus, mut gradient) = (*y, model.zero(), model.zero());
        model.project(&mut on);
        model.limit_field(Side::Plus, signs, &on, slope);
        model.limit_field(Side::Minus, signs, &on, &mut minus);
        model.gradient(&on, &mut gradient);
        let (mut lie_plus, mut lie_minus) = (0.0, 0.0);
        for (i, g) in gradient.as_slice().iter().enumerate().take(F::DIMENSION) {
            lie_plus += g * slope.as_slice()[i];
            lie_minus += g * minus.as_slice()[i];
        }
        let factor = sign / ((lie_minus - lie_plus).abs() + model.scale());
        for (plus, minus) in slope.as_mut_slice().iter_mut().zip(minus.as_slice()) {
            *plus = factor * (lie_minus * *plus - lie_plus * minus);
        }
    }

    /// Zero where the distance from one of the known two-folds is the radius; positive farther away.
    fn clear_of(&self, two_folds: &[F::State], y: &F::State) -> f64 {
        let radius = self.two_fold_radius * self.two_fold_radius;
        let mut clear = 1.0;
        for two_fold in two_folds {
            let distance = distance_squared::<F>(two_fold, y);
            // a product is smooth where the nearest two-fold changes
            clear *= (distance - radius) / (distance + 1.0);
        }
        clear
    }

    /// Where an unknown two-fold is due: arrived, or the level of the next look.
    fn look_for_two_fold(&self, mode: Mode, y: &F::State) -> Option<f64> {
        let gap = self.model.lie(mode.signs, y).gap().abs();
        let found = nearest_two_fold(self.model, mode.signs, y);
        let ratio = match found {
            Some(two_fold) => self.two_fold_radius / distance_squared::<F>(&two_fold, y).sqrt(),
            None if gap <= 1e-12 * self.model.scale() => return None,
            None => 0.1,
        };
        // the gap falls in proportion to the distance: the last look is a little closer than the radius
        (ratio < 1.0).then(|| gap * (0.9 * ratio).clamp(1e-3, 0.5))
    }

    /// The signs of a phase that begins here: those that stick does not keep are read from the state.
    fn refreshed(&self, mut signs: Signs, y: &F::State) -> Signs {
        for index in 0..F::SIGNS.min(MAX_SIGNS) {
            let value = self.model.sign_function(index, y);
            if !self.model.sign_matters_in_stick(index) && value != 0.0 {
                signs = signs.with(index, value > 0.0);
            }
        }
        signs
    }

    fn landed(&self, signs: Signs, y: &F::State) -> Option<Mode> {
        let phase = match self.model.lie(signs, y).region() {
            Region::Sliding => Phase::Sliding,
            Region::Escaping => Phase::Escaping,
            Region::CrossingPlus => Phase::Slip(Side::Plus),
            Region::CrossingMinus => Phase::Slip(Side::Minus),
            Region::Undetermined => return None,
        };
        Some(Self::mode(self.model, phase, signs, y))
    }

    /// Slip on a side, begun on the surface.
    fn slip(&self, side: Side, signs: Signs, y: &F::State) -> Mode {
        Self::mode(self.model, Phase::Slip(side), signs, y)
    }

    /// Derivative of h along the field of a side.
    fn normal_velocity(&self, side: Side, signs: Signs, y: &F::State) -> f64 {
        let (mut slope, mut gradient) = (self.model.zero(), self.model.zero());
        self.model.field(side, signs, y, &mut slope);
        self.model.gradient(y, &mut gradient);
        let terms = gradient.as_slice().iter().zip(slope.as_slice()).take(F::DIMENSION);
        terms.map(|(g, f)| g * f).sum()
    }
}

/// The value of a guard at the start of a phase if it is rounding, else zero.
fn rounding(value: f64) -> f64 {
    const ROUNDING: f64 = 1e-12;
    if value.abs() <= ROUNDING { value } else { 0.0 }
}

fn distance_squared<F: Filippov>(a: &F::State, b: &F::State) -> f64 {
    let pairs = a.as_slice().iter().zip(b.as_slice()).take(F::DIMENSION);
    pairs.map(|(a, b)| (a - b) * (a - b)).sum()
}

impl<F: Filippov> System for Automaton<'_, F> {
    type State = F::State;
    type Guards = [f64; guard::COUNT];
    type Mode = Mode;

    fn start(&self) -> (Mode, F::State) {
        self.start
    }

    #[inline]
    fn rhs(&self, mode: Mode, _t: f64, y: &F::State, dy: &mut F::State) -> Result<(), Fault> {
        match mode.phase {
            Phase::Slip(side) => self.model.field(side, mode.signs, y, dy),
            Phase::Sliding => self.stick_slope(1.0, mode.signs, y, dy),
            Phase::Escaping => self.stick_slope(-1.0, mode.signs, y, dy),
        }
        Ok(())
    }

    fn typical(&self, sizes: &mut F::State) -> f64 {
        self.model.typical(sizes)
    }

    fn guard(&self, mode: Mode, guard: usize) -> Guard {
        let stick = mode.phase.is_stick();
        let (used, name) = match guard {
            guard::SURFACE => (!stick && !mode.departing, "surface"),
            guard::DEPARTED => (!stick && mode.departing, "departure"),
            guard::LIMIT_PLUS => (stick, "limit of stick, positive side"),
            guard::LIMIT_MINUS => (stick, "limit of stick, negative side"),
            guard::TWO_FOLD => {
                (stick && self.model.two_folds(mode.signs).is_none_or(|known| !known.is_empty()), "two-fold")
            }
            guard::CORNER => (!stick && self.model.corner_radius() > 0.0, "corner"),
            guard::DEADLINE => (self.deadline.is_some(), "deadline"),
            guard::ALARM => (self.alarm.is_some(), "alarm"),
            guard::DEGENERATE => (stick && self.model.two_folds(mode.signs).is_some(), "equal fields"),
            sign => {
                let index = sign - guard::SIGN;
                (index < F::SIGNS && (!stick || self.model.sign_matters_in_stick(index)), "sign")
            }
        };
        if used { Guard::Boundary(name) } else { Guard::Unused }
    }

    fn guards(&self, mode: Mode, _t: f64, y: &F::State, guards: &mut Self::Guards) {
        let model = self.model;
        let mut place = *y;
        match mode.phase {
            Phase::Slip(side) => {
                if mode.departing {
                    guards[guard::DEPARTED] = side.sign() * (self.normal_velocity(side, mode.signs, y) - mode.offset);
                } else {
                    guards[guard::SURFACE] = side.sign() * (model.switching(y) - mode.offset);
                }
                let radius = model.corner_radius();
                if radius > 0.0 {
                    let distance = model.corner_distance_squared(y) / (radius * radius);
                    guards[guard::CORNER] = if mode.armed { distance - 1.0 } else { REARMED * REARMED - distance };
                }
            }
            stick => {
                let sign = if stick == Phase::Sliding { 1.0 } else { -1.0 };
                model.project(&mut place);
                let lie = model.lie(mode.signs, &place);
                guards[guard::LIMIT_PLUS] = -sign * lie.plus;
                guards[guard::LIMIT_MINUS] = sign * lie.minus;
                guards[guard::DEGENERATE] = sign * lie.gap() - VANISHED * model.scale();
                guards[guard::TWO_FOLD] = match model.two_folds(mode.signs) {
                    Some(known) => self.clear_of(known, &place),
                    None => sign * lie.gap() - mode.level,
                };
            }
        }
        for (guard, end) in [(guard::DEADLINE, self.deadline), (guard::ALARM, self.alarm)] {
            if let Some((coordinate, end)) = end {
                guards[guard] = end - y.as_slice().get(coordinate).copied().unwrap_or(end);
            }
        }
        for index in 0..F::SIGNS.min(MAX_SIGNS) {
            let value = model.sign_function(index, &place) - mode.sign_offsets[index];
            guards[guard::SIGN + index] = mode.signs.sign(index) * value;
        }
    }

    fn jump(&self, mode: Mode, guard: usize, _t: f64, y: &mut F::State) -> Result<Jump<Mode>, Fault> {
        let model = self.model;
        if mode.phase.is_stick() {
            model.project(y);
        }
        let next = match (guard, mode.phase) {
            (guard::SURFACE, _) if self.in_zone(mode, y) => None,
            (guard::SURFACE, _) => {
                let before = *y;
                model.project(y);
                let next = self.landed(mode.signs, y).filter(|next| next.phase != Phase::Escaping);
                if next.is_none() {
                    *y = before;
                }
                next
            }
            (guard::LIMIT_PLUS | guard::LIMIT_MINUS, phase) => {
                let signs = self.refreshed(mode.signs, y);
                let tangent = if guard == guard::LIMIT_PLUS { Side::Plus } else { Side::Minus };
                if phase == Phase::Sliding {
                    // the tangent field is visible here: h, h' = 0 and h'' leads away
                    let offset = self.normal_velocity(tangent, signs, y);
                    Some(Mode { departing: true, offset, ..self.slip(tangent, signs, y) })
                } else {
                    // on the border of the escaping region the tangent field is invisible: the other side takes over
                    Some(self.slip(tangent.other(), signs, y))
                }
            }
            (guard::DEPARTED, _) => Some(Mode { departing: false, offset: 0.0, ..mode }),
            (guard::TWO_FOLD, _) if model.two_folds(mode.signs).is_some() => None,
            (guard::TWO_FOLD, _) => self.look_for_two_fold(mode, y).map(|level| mode.at_level(level)),
            (guard::CORNER, _) if mode.armed => None,
            (guard::CORNER, _) => Some(Mode { armed: true, ..mode }),
            (guard::DEADLINE | guard::ALARM | guard::DEGENERATE, _) => None,
            (sign, phase) => {
                let index = sign - guard::SIGN;
                let signs = mode.signs.flipped(index);
                if phase.is_stick() {
                    if model.passes_in_stick(index, y) { self.landed(signs, y) } else { None }
                } else if self.in_zone(mode, y) {
                    None
                } else {
                    let mut sign_offsets = mode.sign_offsets;
                    sign_offsets[index] = rounding(model.sign_function(index, y));
                    Some(Mode { signs, sign_offsets, ..mode })
                }
            }
        };
        Ok(next.map_or(Jump::End, Jump::To))
    }
}
