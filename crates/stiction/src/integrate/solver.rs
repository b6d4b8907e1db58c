//! The choice of a method by name, with its tolerances: what a scenario says about how equations are solved.

use super::{Dop853, Finish, IntegrationError, Rk4, Sink, Span, Tolerance, integrate_from};
use crate::system::System;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How equations of motion are solved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Solver {
    /// The method for phases that are integrated.
    pub method: MethodName,
    /// Relative tolerance of a step [-].
    #[schemars(range(min = 1e-15, max = 0.1))]
    pub relative_tolerance: f64,
    /// Absolute tolerance of a step: for `spring_block` and `belt_disc` a fraction of the length and speed of their motions, for
    /// other mechanisms in the units of the state.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub absolute_tolerance: f64,
    /// Longest step \[s\]; for `rk4` the fixed step. By default not limited (`rk4`: 1/2000 of the natural period).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub max_step: Option<f64>,
    /// Whether phases with a closed-form solution are answered by it.
    pub closed_form: bool,
}

/// A one-step method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MethodName {
    /// Explicit Runge-Kutta method of order 8 with step control and dense output.
    #[default]
    Dop853,
    /// The classical method of order 4 with a fixed step: a second opinion.
    Rk4,
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            method: MethodName::Dop853,
            relative_tolerance: 1e-12,
            absolute_tolerance: 1e-13,
            max_step: None,
            closed_form: true,
        }
    }
}

impl Solver {
    /// The same with every phase integrated.
    #[must_use]
    pub fn integrated(mut self) -> Self {
        self.closed_form = false;
        self
    }

    /// Moves `system` through `span` from a mode and a state; `natural_period` \[s\] scales the step of a method without
    /// error control.
    ///
    /// # Errors
    /// [`IntegrationError`] says when, in which mode and in which state the loop gave up.
    pub fn integrate<S: System, K: Sink<S>>(
        &self,
        system: &S,
        span: Span,
        start: (S::Mode, S::State),
        natural_period: f64,
        sink: &mut K,
    ) -> Result<Finish<S>, IntegrationError> {
        let span = Span { closed_form: span.closed_form && self.closed_form, ..span };
        match self.method {
            MethodName::Dop853 => {
                let tolerance = Tolerance { relative: self.relative_tolerance, absolute: self.absolute_tolerance };
                let longest = self.max_step.unwrap_or(f64::INFINITY);
                let mut method = Dop853::new(system, tolerance).with_longest_step(longest);
                integrate_from(system, &mut method, span, start, sink)
            }
            MethodName::Rk4 => {
                let step = self.max_step.unwrap_or(natural_period / 2000.0);
                let mut method = Rk4::new(system, step);
                integrate_from(system, &mut method, span, start, sink)
            }
        }
    }
}
