//! Ageing: how the static coefficient grows with the time at rest.
//!
//! [`Aging`] is the closed choice that a scenario makes by name, [`AgingLaw`] what a mechanism asks of it.
//! [`Aging::holding_time`] answers the question that both the motion and the stick-slip map ask: a contact that is
//! loaded steadily and grows stronger at the same time, when does it break loose?

mod expression;
mod holding;
mod laws;

pub use expression::AgingExpression;
pub use laws::{ExponentialAging, HillAging, LogarithmicAging};

use crate::Problem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a mechanism asks of an ageing law: the growth of the static coefficient since the contact came to rest.
pub trait AgingLaw {
    /// Growth of the static coefficient after resting for `time` \[s\], `time >= 0`; zero at zero [-].
    fn growth(&self, time: f64) -> f64;
    /// Rate of growth after resting for `time` [1/s]; infinite at zero where the law starts vertically.
    fn growth_rate(&self, time: f64) -> f64;
    /// Growth after resting forever [-]; infinite where it never ends.
    fn growth_limit(&self) -> f64;
    /// Times below `until` \[s\] at which the rate of growth turns from rising to falling or back, ascending. Between
    /// two of them, and before the first and after the last, the rate is monotonic.
    fn rate_turns(&self, until: f64) -> Vec<f64>;
    /// What is wrong with the parameters, each with the key below the law (empty if nothing).
    fn problems(&self) -> Vec<Problem> {
        Vec::new()
    }
}

/// How the static coefficient grows with the time at rest, chosen by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aging {
    /// Growth that saturates exponentially.
    Exponential(ExponentialAging),
    /// Growth with the logarithm of the time at rest, without end.
    Logarithmic(LogarithmicAging),
    /// Growth that saturates as a power of time, slowly at first if the exponent is above one.
    Hill(HillAging),
    /// A formula in the time at rest `t`.
    Expression(AgingExpression),
}

macro_rules! each {
    ($aging:expr, $inner:ident => $body:expr) => {
        match $aging {
            Aging::Exponential($inner) => $body,
            Aging::Logarithmic($inner) => $body,
            Aging::Hill($inner) => $body,
            Aging::Expression($inner) => $body,
        }
    };
}

impl Aging {
    /// The name under which a scenario chooses this law.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Aging::Exponential(_) => "exponential",
            Aging::Logarithmic(_) => "logarithmic",
            Aging::Hill(_) => "hill",
            Aging::Expression(_) => "expression",
        }
    }

    /// One or more sensible instances of every law, for tests that hold for all of them.
    pub fn samples() -> Vec<Aging> {
        let hill = |exponent| Aging::Hill(HillAging { increment: 1.5, time_constant: 2.0, exponent });
        let mut samples = vec![
            Aging::Exponential(ExponentialAging { increment: 0.8, time_constant: 1.5 }),
            Aging::Logarithmic(LogarithmicAging { increment: 0.1, time_constant: 0.5 }),
            hill(0.5),
            hill(1.0),
            hill(3.0),
        ];
        let written = AgingExpression::new("D*t/(t + tau)", [("D".to_owned(), 0.7), ("tau".to_owned(), 0.3)].into());
        samples.extend(written.map(Aging::Expression));
        samples
    }
}

impl AgingLaw for Aging {
    #[inline]
    fn growth(&self, time: f64) -> f64 {
        each!(self, law => law.growth(time))
    }
    #[inline]
    fn growth_rate(&self, time: f64) -> f64 {
        each!(self, law => law.growth_rate(time))
    }
    fn growth_limit(&self) -> f64 {
        each!(self, law => law.growth_limit())
    }
    fn rate_turns(&self, until: f64) -> Vec<f64> {
        each!(self, law => law.rate_turns(until))
    }
    fn problems(&self) -> Vec<Problem> {
        let problems = each!(self, law => law.problems());
        problems.into_iter().map(|problem| problem.below(self.name())).collect()
    }
}
