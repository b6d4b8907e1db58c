//! Mechanisms: smooth motion inside a mode, guards that end a mode, jumps between modes.
//!
//! [`System`] is what the integrate loop knows of a mechanism. A mode is a set of smooth equations (the block sticks, or
//! it slips backward); a *guard* is a function of time and state whose zero is an event; a *jump* is what happens there.

pub mod assembly;
pub mod belt_disc;
mod contact_policy;
pub mod crank_slider;
pub mod filippov;
mod oscillator;
mod phase;
mod reversed;
pub mod spring_block;
mod stiff;
pub mod two_disc;
pub mod wheel;

pub use assembly::Assembly;
pub use belt_disc::BeltDisc;
pub use contact_policy::ContactPolicy;
pub use crank_slider::CrankSlider;
pub use phase::Phase;
pub(crate) use reversed::Reversed;
pub use spring_block::SpringBlock;
pub use stiff::{DenseLinear, Stiff};
pub use two_disc::TwoDisc;
pub use wheel::Wheel;

use crate::field::FieldError;
use std::fmt::Debug;

/// A vector of coordinates whose length is fixed when it is made.
pub trait Coords: Clone + Debug {
    /// The coordinates.
    fn as_slice(&self) -> &[f64];
    /// The coordinates, to be changed.
    fn as_mut_slice(&mut self) -> &mut [f64];
}

/// One number for each guard of a system: an array where their number is known to the compiler, a vector where a scenario decides.
pub trait GuardValues: Coords {
    /// Zeros for this number of guards; an array has its own.
    fn zeros(count: usize) -> Self;
}

impl<const N: usize> GuardValues for [f64; N] {
    fn zeros(_: usize) -> Self {
        [0.0; N]
    }
}

impl GuardValues for Vec<f64> {
    fn zeros(count: usize) -> Self {
        vec![0.0; count]
    }
}

impl<const N: usize> Coords for [f64; N] {
    #[inline(always)]
    fn as_slice(&self) -> &[f64] {
        self
    }
    #[inline(always)]
    fn as_mut_slice(&mut self) -> &mut [f64] {
        self
    }
}

impl Coords for Vec<f64> {
    #[inline]
    fn as_slice(&self) -> &[f64] {
        self
    }
    #[inline]
    fn as_mut_slice(&mut self) -> &mut [f64] {
        self
    }
}

/// What the zero of a guard means in a mode, and what it is called in records and messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// The end of the mode: positive inside, and the mode is left where it reaches zero.
    Boundary(&'static str),
    /// A surface that the motion crosses, in either direction, without anything happening to it (a turning point).
    Section(&'static str),
    /// Not used in this mode.
    Unused,
}

impl Guard {
    /// Its name; empty if it is not used.
    pub fn name(self) -> &'static str {
        match self {
            Guard::Boundary(name) | Guard::Section(name) => name,
            Guard::Unused => "",
        }
    }

    /// Whether its zero ends the mode.
    #[inline]
    pub fn is_boundary(self) -> bool {
        matches!(self, Guard::Boundary(_))
    }
}

/// Why equations of motion have no value at a state: the key of the mechanism that is at fault, and what to do.
///
/// Boxed, so that the success of an evaluation is one null pointer.
pub type Fault = Box<crate::Problem>;

/// A problem of the field, seen from the mechanism.
pub(crate) fn field_fault(error: &FieldError) -> Fault {
    let problem = match error.problems().into_iter().next() {
        Some(problem) if problem.key == "strip_margin" => problem,
        Some(problem) => problem.below("field"),
        None => crate::Problem::new("field", error.to_string()),
    };
    Box::new(problem)
}

/// Whether the motion in a mode is known in closed form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClosedForm {
    /// It is integrated.
    Never,
    /// It is answered in closed form, unless every phase that can be integrated is to be.
    Offered,
    /// It is answered in closed form only.
    Always,
}

/// What a system does at a boundary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Jump<M> {
    /// The motion goes on in this mode.
    To(M),
    /// The motion ends here.
    End,
}

/// The next event of a motion that is known in closed form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Upcoming {
    /// When \[s\].
    pub(crate) time: f64,
    /// Which guard.
    pub(crate) guard: usize,
    /// Whether the guard rises through zero.
    pub(crate) rising: bool,
}

/// A set of guards that are sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sections(u64);

impl Sections {
    /// No section.
    pub const NONE: Self = Self(0);
    /// Every section.
    pub const ALL: Self = Self(u64::MAX);

    /// One of the first 64 guards only.
    pub(crate) const fn only(guard: usize) -> Self {
        Self(1 << (guard % 64))
    }

    /// Those of both sets.
    #[must_use]
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a guard belongs to the set; those beyond the first 64 belong to all but the empty one.
    #[inline]
    pub(crate) const fn has(self, guard: usize) -> bool {
        if guard < 64 { self.0 >> guard & 1 == 1 } else { self.0 != 0 }
    }
}

/// Smooth motion inside a mode, jumps at guards.
///
/// After a jump every boundary guard of the new mode must be positive, or zero with the motion leaving it. A boundary
/// that is violated on entry fires at once; the loop bounds how often that may happen at one instant.
pub trait System {
    /// The coordinates of the motion.
    type State: Coords;
    /// One value for each guard, the same number in every mode.
    type Guards: GuardValues;
    /// Which smooth equations hold.
    type Mode: Copy + PartialEq + Debug;

    /// Where the motion starts.
    fn start(&self) -> (Self::Mode, Self::State);
    /// Time derivative of the state. Smooth also slightly beyond a boundary: a step may overshoot it.
    ///
    /// # Errors
    /// A [`Fault`] where the equations have no value, for example where a measured surface ends.
    fn rhs(&self, mode: Self::Mode, t: f64, y: &Self::State, dy: &mut Self::State) -> Result<(), Fault>;
    /// Number of guards, where [`System::Guards`] is not an array.
    fn guard_count(&self) -> usize {
        0
    }
    /// What the zero of a guard means in a mode, and its name.
    fn guard(&self, mode: Self::Mode, guard: usize) -> Guard;
    /// The guards; the value of an unused one is ignored.
    fn guards(&self, mode: Self::Mode, t: f64, y: &Self::State, guards: &mut Self::Guards);
    /// The guards for somebody who looks at these sections only: others need not be filled.
    #[inline]
    fn guards_with(&self, mode: Self::Mode, t: f64, y: &Self::State, _sections: Sections, guards: &mut Self::Guards) {
        self.guards(mode, t, y, guards);
    }
    /// What happens at a boundary; may change the state. Should put the state exactly onto the new mode's manifold.
    ///
    /// # Errors
    /// A [`Fault`] where what happens cannot be evaluated.
    fn jump(&self, mode: Self::Mode, guard: usize, t: f64, y: &mut Self::State) -> Result<Jump<Self::Mode>, Fault>;

    /// Time within which the motion of this mode is expected to end \[s\], from the state and its slope; infinite if it is
    /// not. Steps take at most a part of it, and shrink with it: where a slip dies out in finite time every time scale does.
    #[inline]
    fn time_left(&self, _mode: Self::Mode, _t: f64, _y: &Self::State, _slope: &Self::State) -> f64 {
        f64::INFINITY
    }

    /// How many of the leading coordinates the step control looks at. The rest only follow along: integrals over the motion
    /// that do not act back on it.
    fn controlled(&self) -> usize {
        usize::MAX
    }

    /// Typical sizes of the coordinates, which absolute tolerances are fractions of, and a typical time \[s\], the unit of the
    /// first step; by default one: tolerances are then in the units of the state.
    fn typical(&self, sizes: &mut Self::State) -> f64 {
        sizes.as_mut_slice().fill(1.0);
        1.0
    }

    /// Where infinitely many events in finite time come to rest: the mode and state after them, if the system has one.
    fn rest(&self, _mode: Self::Mode, _guard: usize, _t: f64, _y: &mut Self::State) -> Option<Self::Mode> {
        None
    }

    /// Whether the motion in this mode is known in closed form: then [`System::flow`] and [`System::next_event`] answer
    /// it exactly, and nothing is integrated.
    fn closed_form(&self, _mode: Self::Mode) -> ClosedForm {
        ClosedForm::Never
    }
    /// State at time `t` of the closed-form motion that was at `from` at time `since`.
    fn flow(&self, _mode: Self::Mode, _since: f64, from: &Self::State, _t: f64, y: &mut Self::State) {
        y.clone_from(from);
    }
    /// The first event of the closed-form motion strictly after time `after`; without `sections` only boundaries count.
    ///
    /// # Errors
    /// A [`Fault`] where the event cannot be evaluated.
    fn next_event(
        &self,
        _mode: Self::Mode,
        _since: f64,
        _from: &Self::State,
        _after: f64,
        _sections: bool,
    ) -> Result<Option<Upcoming>, Fault> {
        Ok(None)
    }
}
