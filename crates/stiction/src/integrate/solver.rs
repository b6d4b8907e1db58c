//! The choice of a method by name, with its tolerances: what a scenario says about how equations are solved.

use super::{
    Dop853, Dopri5, Finish, IntegrationError, Method, RODAS4P, RODAS5P, Rk4, Rosenbrock, Sink, Span, Tolerance,
    integrate_from,
};
use crate::system::{Stiff, System};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// How equations of motion are solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solver {
    /// The method for phases that are integrated.
    pub method: MethodName,
    /// Relative tolerance of a step [-].
    pub relative_tolerance: f64,
    /// Absolute tolerance of a step, a fraction of [`System::typical`].
    pub absolute_tolerance: f64,
    /// Longest step \[s\]; for `Rk4` the fixed step. By default not limited (`Rk4`: 1/2000 of the natural period).
    pub max_step: Option<f64>,
    /// Maximum number of steps of one motion.
    pub max_steps: u64,
    /// Whether phases with a closed-form solution are answered by it.
    pub closed_form: bool,
}

/// A one-step method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MethodName {
    /// Explicit Runge-Kutta method of order 8 with step control and dense output.
    Dop853,
    /// Explicit Runge-Kutta method of order 5 with step control, for fields that are splines.
    Dopri5,
    /// The classical method of order 4 with a fixed step: a second opinion.
    Rk4,
    /// Rosenbrock method of order 4 with six stages, for stiff contacts.
    Rodas4p,
    /// Rosenbrock method of order 5 with eight stages, for stiff contacts and tight tolerances.
    Rodas5p,
}

/// The cost of motions that were followed. Sums do not depend on the order of their terms, and so not on threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Effort {
    /// Steps of the method, rejected ones and those that refine events included.
    pub steps: u64,
    /// Steps that were tried again, shorter.
    pub rejected: u64,
    /// Evaluations of the right-hand side.
    pub evaluations: u64,
    /// Events that were found in closed form.
    pub closed_form: u64,
    /// Steps among these that a stiff method took in place of the chosen one.
    pub stiff: u64,
}

impl Effort {
    /// The same, taken by a stiff method in place of the chosen one.
    #[must_use]
    pub(crate) fn by_stiff_method(self) -> Self {
        Self { stiff: self.steps, ..self }
    }
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.steps += other.steps;
        self.rejected += other.rejected;
        self.evaluations += other.evaluations;
        self.closed_form += other.closed_form;
        self.stiff += other.stiff;
    }
}

impl Default for Solver {
    /// Twelve digits: the limit of what events and cycles can be compared to.
    fn default() -> Self {
        Self {
            method: MethodName::Dop853,
            relative_tolerance: 1e-12,
            absolute_tolerance: 1e-13,
            max_step: None,
            max_steps: 100_000_000,
            closed_form: true,
        }
    }
}

impl Solver {
    /// The default for stiff contacts: six digits. The longest step is that of the system.
    pub fn stiff() -> Self {
        Self {
            method: MethodName::Rodas4p,
            relative_tolerance: 1e-6,
            absolute_tolerance: 1e-8,
            max_step: None,
            max_steps: 2_000_000,
            closed_form: false,
        }
    }

    /// The same with every phase integrated.
    #[must_use]
    pub fn integrated(mut self) -> Self {
        self.closed_form = false;
        self
    }

    /// Sets the relative tolerance [-]; the absolute one keeps its ratio to it.
    #[must_use]
    pub fn with_tolerance(mut self, relative: f64) -> Self {
        self.absolute_tolerance = self.absolute_tolerance / self.relative_tolerance * relative;
        self.relative_tolerance = relative;
        self
    }

    /// Limits steps to `longest` \[s\] where no longest step is given.
    #[must_use]
    pub fn with_default_step(mut self, longest: f64) -> Self {
        self.max_step = self.max_step.or(Some(longest));
        self
    }

    /// Both tolerances of a step.
    pub fn tolerance(&self) -> Tolerance {
        Tolerance { relative: self.relative_tolerance, absolute: self.absolute_tolerance }
    }

    /// Moves `system` through `span` from a mode and a state; `natural_period` \[s\] scales the step of a method without
    /// error control.
    ///
    /// # Errors
    /// [`IntegrationError`] says when, in which mode and in which state the loop gave up, or that the method needs a
    /// Jacobian ([`Solver::integrate_stiff`]).
    pub fn integrate<S: System, K: Sink<S>>(
        &self,
        system: &S,
        span: Span,
        start: (S::Mode, S::State),
        natural_period: f64,
        sink: &mut K,
    ) -> Result<Finish<S>, IntegrationError> {
        let longest = self.max_step.unwrap_or(f64::INFINITY);
        let tolerance = self.tolerance();
        match self.method {
            MethodName::Dop853 => {
                self.follow(system, &mut Dop853::new(system, tolerance).with_longest_step(longest), span, start, sink)
            }
            MethodName::Dopri5 => {
                self.follow(system, &mut Dopri5::new(system, tolerance).with_longest_step(longest), span, start, sink)
            }
            MethodName::Rk4 => {
                let step = self.max_step.unwrap_or(natural_period / 2000.0);
                self.follow(system, &mut Rk4::new(system, step), span, start, sink)
            }
            method => Err(IntegrationError::Unsupported { time: span.start, method }),
        }
    }

    /// Moves a stiff `system` through `span` from a mode and a state by a Rosenbrock method.
    ///
    /// # Errors
    /// As [`Solver::integrate`]; other methods are not supported.
    pub fn integrate_stiff<S: Stiff, K: Sink<S>>(
        &self,
        system: &S,
        span: Span,
        start: (S::Mode, S::State),
        sink: &mut K,
    ) -> Result<Finish<S>, IntegrationError> {
        let tableau = match self.method {
            MethodName::Rodas4p => &RODAS4P,
            MethodName::Rodas5p => &RODAS5P,
            method => return Err(IntegrationError::Unsupported { time: span.start, method }),
        };
        let longest = self.max_step.unwrap_or(f64::INFINITY);
        let mut method = Rosenbrock::new(system, tableau, self.tolerance()).with_longest_step(longest);
        self.follow(system, &mut method, span, start, sink)
    }

    fn follow<S: System, M: Method<S>, K: Sink<S>>(
        &self,
        system: &S,
        method: &mut M,
        span: Span,
        start: (S::Mode, S::State),
        sink: &mut K,
    ) -> Result<Finish<S>, IntegrationError> {
        let (max_steps, closed_form) = (span.max_steps.min(self.max_steps), span.closed_form && self.closed_form);
        integrate_from(system, method, Span { max_steps, closed_form, ..span }, start, sink)
    }
}
