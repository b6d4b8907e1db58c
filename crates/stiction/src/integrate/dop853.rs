//! The explicit method of Dormand and Prince of order 8, with step control by two embedded estimates and a dense output of
//! order 7 (Hairer, Nørsett, Wanner I, section II.10).

use super::Tolerance;
use super::control::{rough_exp2, rough_log2};
use super::dop853_tableau::{DENSE, ERROR_3, ERROR_5, NODES, ROWS, STAGES, STAGES_DENSE};
use super::explicit::{Explicit, Scheme, StageRow};
use crate::system::System;

/// The method of order 8 and its workspace.
pub type Dop853<S> = Explicit<S, Order8, STAGES_DENSE, 7>;

/// Coefficients of [`Dop853`].
#[derive(Debug, Clone, Copy)]
pub struct Order8;

impl Scheme for Order8 {
    const STAGES: usize = STAGES;
    const NODES: &'static [f64] = &NODES;
    const ROWS: &'static [StageRow] = &ROWS;
    const ERROR: [StageRow; 2] = [ERROR_5, ERROR_3];
    const DENSE: &'static [StageRow] = &DENSE;
    const GROWTH: (f64, f64) = (0.2, 6.0);

    #[inline]
    fn root(x: f64) -> f64 {
        rough_exp2(rough_log2(x) / 8.0)
    }

    #[inline]
    fn growth(error: f64, last: Option<f64>) -> f64 {
        rough_exp2(match last {
            Some(last) => 0.05 * rough_log2(last) - 0.0875 * rough_log2(error),
            None => -rough_log2(error) / 8.0,
        })
    }
}

impl<S: System> Dop853<S> {
    /// A method for `system` with the given tolerances and no limit of the step.
    pub fn new(system: &S, tolerance: Tolerance) -> Self {
        Self::with_tolerance(system, tolerance)
    }
}
