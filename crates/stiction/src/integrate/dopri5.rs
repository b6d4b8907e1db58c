//! The explicit method of Dormand and Prince of order 5, with step control by an embedded estimate of order 4 and a dense
//! output of order 4 that costs no evaluation (Hairer, Nørsett, Wanner I, section II.5 and II.6).
//!
//! The right one for equations whose right-hand side is smooth in pieces only, as splines are: a higher order would end at
//! every knot.

use super::Tolerance;
use super::explicit::{Explicit, Scheme, StageRow};
use crate::num::real;
use crate::system::System;

/// The method of order 5 and its workspace.
pub type Dopri5<S> = Explicit<S, Order5, 7, 4>;

/// Coefficients of [`Dopri5`].
#[derive(Debug, Clone, Copy)]
pub struct Order5;

impl Scheme for Order5 {
    const STAGES: usize = 6;
    const NODES: &'static [f64] = &[0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0];
    const ROWS: &'static [StageRow] = &[
        &[],
        &[(0, 0.2)],
        &[(0, 3.0 / 40.0), (1, 9.0 / 40.0)],
        &[(0, 44.0 / 45.0), (1, -56.0 / 15.0), (2, 32.0 / 9.0)],
        &[(0, 19_372.0 / 6561.0), (1, -25_360.0 / 2187.0), (2, 64_448.0 / 6561.0), (3, -212.0 / 729.0)],
        &[(0, 9017.0 / 3168.0), (1, -355.0 / 33.0), (2, 46_732.0 / 5247.0), (3, 49.0 / 176.0), (4, -5103.0 / 18_656.0)],
        &[(0, 35.0 / 384.0), (2, 500.0 / 1113.0), (3, 125.0 / 192.0), (4, -2187.0 / 6784.0), (5, 11.0 / 84.0)],
    ];
    const ERROR: [StageRow; 2] = [
        &[
            (0, 71.0 / 57_600.0),
            (2, -71.0 / 16_695.0),
            (3, 71.0 / 1920.0),
            (4, -17_253.0 / 339_200.0),
            (5, 22.0 / 525.0),
            (6, -1.0 / 40.0),
        ],
        &[],
    ];
    const DENSE: &'static [StageRow] = &[&[
        (0, -12_715_105_075.0 / 11_282_082_432.0),
        (2, 87_487_479_700.0 / 32_700_410_799.0),
        (3, -10_690_763_975.0 / 1_880_347_072.0),
        (4, 701_980_252_875.0 / 199_316_789_632.0),
        (5, -1_453_857_185.0 / 822_651_844.0),
        (6, 69_997_945.0 / 29_380_423.0),
    ]];
    const LOCATES_EVENTS: bool = true;
    const GROWTH: (f64, f64) = (0.2, 10.0);

    fn root(x: f64) -> f64 {
        real::pow(x, 0.2)
    }

    // no memory of earlier errors: where these jump with the knots of a field, it costs more than it smooths
    fn growth(error: f64, _last: Option<f64>) -> f64 {
        real::pow(error, -0.2)
    }
}

impl<S: System> Dopri5<S> {
    /// A method for `system` with the given tolerances and no limit of the step.
    pub fn new(system: &S, tolerance: Tolerance) -> Self {
        Self::with_tolerance(system, tolerance)
    }
}
