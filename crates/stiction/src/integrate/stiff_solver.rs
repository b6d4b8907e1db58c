//! The choice of a stiff method by name, with its tolerances.

use super::{Finish, IntegrationError, RODAS4P, RODAS5P, Rosenbrock, Sink, Span, Tableau, Tolerance, integrate_from};
use crate::system::Stiff;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How stiff equations of motion are solved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StiffSolver {
    /// The method.
    pub method: StiffMethod,
    /// Relative tolerance of a step [-]: 1e-4 for maps and many runs, 1e-6 for trajectories, 1e-8 to verify. The absolute
    /// tolerance is a hundredth of it, in the mechanism's own units.
    #[schemars(range(min = 1e-13, max = 0.1))]
    pub relative_tolerance: f64,
    /// Longest step \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub max_step: f64,
    /// Most steps of one run; a run that needs more ends with a status.
    #[schemars(range(min = 1))]
    pub max_steps: u64,
}

/// A stiff method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StiffMethod {
    /// Rosenbrock method of order 4 with six stages.
    #[default]
    Rodas4p,
    /// Rosenbrock method of order 5 with eight stages, for tight tolerances.
    Rodas5p,
}

impl StiffMethod {
    /// Its coefficients.
    pub fn tableau(self) -> &'static Tableau {
        match self {
            StiffMethod::Rodas4p => &RODAS4P,
            StiffMethod::Rodas5p => &RODAS5P,
        }
    }
}

impl Default for StiffSolver {
    fn default() -> Self {
        Self { method: StiffMethod::Rodas4p, relative_tolerance: 1e-6, max_step: 0.2, max_steps: 2_000_000 }
    }
}

impl StiffSolver {
    /// The same with this relative tolerance [-].
    #[must_use]
    pub fn with_tolerance(mut self, relative: f64) -> Self {
        self.relative_tolerance = relative;
        self
    }

    /// The method with its workspace.
    pub fn method<S: Stiff>(&self, system: &S) -> Rosenbrock<S> {
        let tolerance = Tolerance { relative: self.relative_tolerance, absolute: 1e-2 * self.relative_tolerance };
        Rosenbrock::new(system, self.method.tableau(), tolerance).with_longest_step(self.max_step)
    }

    /// Moves `system` from its start until `end` \[s\].
    ///
    /// # Errors
    /// [`IntegrationError`] says when, in which mode and in which state the loop gave up.
    pub fn integrate<S: Stiff, K: Sink<S>>(
        &self,
        system: &S,
        end: f64,
        sink: &mut K,
    ) -> Result<Finish<S>, IntegrationError> {
        let span = Span::until(end).integrated().at_most(self.max_steps);
        integrate_from(system, &mut self.method(system), span, system.start(), sink)
    }
}
