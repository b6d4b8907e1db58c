//! Equations of motion of a slipping disc, as the integration methods see them.

use crate::field::FieldError;
use crate::integrate::{Dopri5, Method, Tolerance};
use crate::system::belt_disc::balance::{SPIN, VX, VY, X, Y};
use crate::system::belt_disc::{Balance, Contact, State};
use crate::system::{GuardKind, Jump, System};
use std::cell::{Cell, RefCell};

/// A disc in slip.
#[derive(Debug)]
pub(super) struct Slipping<'a> {
    pub(super) balance: Balance,
    pub(super) contact: RefCell<Contact<'a>>,
    /// The first error of the field; the slopes are no numbers from then on.
    error: RefCell<Option<FieldError>>,
    evaluations: Cell<u64>,
}

impl<'a> Slipping<'a> {
    pub(super) fn new(balance: Balance, contact: Contact<'a>) -> Self {
        Self { balance, contact: RefCell::new(contact), error: RefCell::new(None), evaluations: Cell::new(0) }
    }

    /// Evaluations for steps so far.
    pub(super) fn evaluations(&self) -> u64 {
        self.evaluations.get()
    }

    /// The error that the last evaluations met.
    pub(super) fn error(&self) -> Result<(), FieldError> {
        self.error.borrow_mut().take().map_or(Ok(()), Err)
    }

    fn slopes(&self, time: f64, state: &State) -> State {
        let twist = self.balance.twist(state);
        match self.contact.borrow_mut().gradient(self.balance.place(time, state), twist) {
            Ok(gradient) => self.balance.slopes(state, &gradient),
            Err(error) => {
                self.error.borrow_mut().get_or_insert(error);
                [f64::NAN; 8]
            }
        }
    }

    /// Friction f_x \[N\] on the slipping disc.
    pub(super) fn force(&self, time: f64, state: &State) -> f64 {
        self.balance.friction_of(state, &self.slopes(time, state))
    }
}

impl System for Slipping<'_> {
    type State = State;
    type Guards = [f64; 0];
    type Mode = ();

    fn start(&self) -> ((), State) {
        ((), [0.0; 8])
    }
    fn new_guards(&self) -> [f64; 0] {
        []
    }
    fn rhs(&self, (): (), time: f64, state: &State, slopes: &mut State) {
        self.evaluations.set(self.evaluations.get() + 1);
        *slopes = self.slopes(time, state);
    }
    fn guard_kind(&self, (): (), _: usize) -> GuardKind {
        GuardKind::Unused
    }
    fn guards(&self, (): (), _: f64, _: &State, _: &mut [f64; 0]) {}
    fn jump(&self, (): (), _: usize, _: f64, _: &mut State) -> Jump<()> {
        Jump::End
    }
    /// Radius and natural frequency are the units.
    fn typical(&self, sizes: &mut State) -> f64 {
        let Balance { radius, frequency, .. } = self.balance;
        sizes.fill(1.0);
        [sizes[X], sizes[Y], sizes[VX], sizes[VY], sizes[SPIN]] =
            [radius, radius, radius * frequency, radius * frequency, frequency];
        1.0 / frequency
    }
    fn controlled(&self) -> usize {
        // x, y and the velocities; the rest follows along
        5
    }
}

/// One accepted step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) time: f64,
    pub(super) length: f64,
    pub(super) start: State,
    pub(super) end: State,
    pub(super) start_slopes: State,
    pub(super) end_slopes: State,
}

impl Step {
    pub(super) fn end_time(&self) -> f64 {
        self.time + self.length
    }
}

/// The method with the dense output of the last step.
///
/// The field is a spline: beyond order 5 its knots, not the method, would set the steps.
pub(super) struct Stepper<'s, 'a> {
    pub(super) system: &'s Slipping<'a>,
    method: Dopri5<Slipping<'a>>,
}

impl<'s, 'a> Stepper<'s, 'a> {
    pub(super) fn new(system: &'s Slipping<'a>, tolerance: Tolerance) -> Self {
        Self { system, method: Dopri5::new(system, tolerance) }
    }

    /// Starts at a state; proposes a step of at most `longest` \[s\].
    pub(super) fn restart(&mut self, time: f64, state: &State, longest: f64) -> f64 {
        self.method.restart(self.system, (), time, state, longest)
    }

    pub(super) fn state(&self) -> &State {
        self.method.start()
    }

    pub(super) fn slopes(&self) -> &State {
        self.method.slope()
    }

    /// Tries a step: the step if it is accepted, and the length to try next.
    pub(super) fn attempt(&mut self, time: f64, length: f64) -> (Option<Step>, f64) {
        let error = self.method.attempt(self.system, (), time, length);
        let next = self.method.next_step(length, error);
        let step = (error <= 1.0).then(|| self.accepted(time, length));
        (step, next)
    }

    /// A step whatever its error.
    pub(super) fn forced(&mut self, time: f64, length: f64) -> Step {
        self.method.attempt(self.system, (), time, length);
        self.accepted(time, length)
    }

    fn accepted(&mut self, time: f64, length: f64) -> Step {
        let (start, start_slopes) = (*self.method.start(), *self.method.slope());
        self.method.prepare_dense(self.system, (), time, length);
        self.method.advance();
        let (end, end_slopes) = (*self.method.start(), *self.method.slope());
        Step { time, length, start, end, start_slopes, end_slopes }
    }

    /// The state at the part `theta` of the last step.
    pub(super) fn at(&self, theta: f64) -> State {
        let mut state = [0.0; 8];
        self.method.at(theta, &mut state);
        state
    }
}
