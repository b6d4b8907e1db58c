//! The classical Runge-Kutta method of order 4 with a fixed step: a second opinion for checks. Its dense output is the cubic
//! through both ends of a step with their slopes.

use super::Tolerance;
use super::explicit::{Explicit, Scheme, StageRow};
use crate::system::System;

/// The classical method and its workspace.
pub type Rk4<S> = Explicit<S, Order4, 5, 3>;

/// Coefficients of [`Rk4`].
#[derive(Debug, Clone, Copy)]
pub struct Order4;

impl Scheme for Order4 {
    const STAGES: usize = 4;
    const NODES: &'static [f64] = &[0.0, 0.5, 0.5, 1.0];
    const ROWS: &'static [StageRow] = &[
        &[],
        &[(0, 0.5)],
        &[(1, 0.5)],
        &[(2, 1.0)],
        &[(0, 1.0 / 6.0), (1, 1.0 / 3.0), (2, 1.0 / 3.0), (3, 1.0 / 6.0)],
    ];
    const ERROR: [StageRow; 2] = [&[], &[]];
    const DENSE: &'static [StageRow] = &[];
    const FIXED: bool = true;
    const GROWTH: (f64, f64) = (1.0, 1.0);

    fn root(x: f64) -> f64 {
        x
    }

    fn growth(_error: f64, _last: Option<f64>) -> f64 {
        1.0
    }
}

impl<S: System> Rk4<S> {
    /// A method for `system` with the fixed step `step` \[s\], > 0.
    pub fn new(system: &S, step: f64) -> Self {
        Self::with_tolerance(system, Tolerance::default()).with_longest_step(step)
    }
}
