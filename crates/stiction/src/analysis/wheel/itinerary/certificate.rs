//! What proves that a motion has reached a two-fold, and when it does.

use crate::system::filippov::Visibility;
use crate::system::wheel::{CLOCK, Dynamics, OMEGA, R, State, TIME, V, WheelTwoFold};
use serde::Serialize;

/// A two-fold that a motion has reached.
///
/// In the closure of the sliding region L₊ ≤ 0 ≤ L₋, so that L₋ − L₊ → 0 proves that both vanish.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Certificate {
    /// The two-fold: r \[m\], v [m/s], ω [rad/s].
    pub two_fold: [f64; 3],
    /// The sign s of the rolling velocity that the stick had.
    pub sign: f64,
    /// Whether the rolling velocity at the two-fold has this sign.
    pub sign_consistent: bool,
    /// K⁺⁺.
    pub k_plus_plus: f64,
    /// K⁺⁻.
    pub k_plus_minus: f64,
    /// K⁻⁺.
    pub k_minus_plus: f64,
    /// K⁻⁻.
    pub k_minus_minus: f64,
    /// D = K⁻⁺ K⁺⁻ − K⁺⁺ K⁻⁻.
    pub determinant: f64,
    /// Which fields curve away.
    pub visibility: Visibility,
    /// J₁ of a Teixeira singularity.
    pub j1: Option<f64>,
    /// J₂ of a Teixeira singularity.
    pub j2: Option<f64>,
    /// Case 1, 2 or 3 of a Teixeira singularity.
    pub case: Option<u8>,
    /// Eigenvalue along the stick, divided by √|K⁺⁺ K⁻⁻|; none where that is zero.
    pub eigenvalue_weak: Option<f64>,
    /// Eigenvalue at constant r, divided by the same.
    pub eigenvalue_strong: Option<f64>,
    /// Ratio L₊/L₋ along the direction of stick.
    pub weak_direction: f64,
    /// Limit of (r', v', ω') of the stick.
    pub limit_velocity: [f64; 3],
    /// Limit of the friction force \[N\].
    pub limit_force: f64,
    /// Distance at which the stick was stopped, in the units of (r, v, ω).
    pub distance: f64,
    /// L₊ there.
    pub lie_plus: f64,
    /// L₋ there.
    pub lie_minus: f64,
    /// τ of arrival [s/(kg m²)].
    pub tau: f64,
    /// Bound of its error.
    pub tau_error: f64,
    /// Time of arrival \[s\].
    pub time: f64,
    /// Bound of its error \[s\].
    pub time_error: f64,
}

impl Certificate {
    /// The certificate of a stick that was stopped at `y` next to a two-fold with the sign s.
    pub(super) fn of(dynamics: &Dynamics, y: &State, sign: f64) -> Option<Self> {
        let distance = |fold: &WheelTwoFold| {
            let (dr, dv, domega) = (fold.r - y[R], fold.v - y[V], fold.omega - y[OMEGA]);
            (dr * dr + dv * dv + domega * domega).sqrt()
        };
        let fold = dynamics
            .two_folds()
            .into_iter()
            .filter(|fold| fold.sign_consistent && (fold.sign == sign || !dynamics.signed))
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        let (q, q_fold) = (dynamics.q(y[R]), dynamics.q(fold.r));
        // r' = m q v is the same in both fields: the mean of the slownesses at both ends leaves an error of third order
        let slowness = [1.0 / (dynamics.m * q_fold * fold.v), 1.0 / (dynamics.m * q * y[V])];
        let gap = fold.r - y[R];
        let step = 0.5 * gap * (slowness[0] + slowness[1]);
        let tau_error = 0.5 * (gap * (slowness[0] - slowness[1])).abs() + 4.0 * f64::EPSILON * y[CLOCK].abs();
        let tau = y[CLOCK] + step;
        let time = y[TIME] + step * dynamics.m * 0.5 * (q + q_fold);
        let lie = dynamics.lie(y[R], y[V], y[OMEGA], sign);
        let folds = fold.folds;
        let j = folds.j();
        let scaled = fold.scaled_eigenvalues();
        Some(Self {
            two_fold: [fold.r, fold.v, fold.omega],
            sign,
            sign_consistent: fold.sign_consistent,
            k_plus_plus: folds.plus_plus,
            k_plus_minus: folds.plus_minus,
            k_minus_plus: folds.minus_plus,
            k_minus_minus: folds.minus_minus,
            determinant: folds.determinant(),
            visibility: folds.visibility(),
            j1: j.map(|(j1, _)| j1),
            j2: j.map(|(_, j2)| j2),
            case: folds.case().map(|case| case.number()),
            eigenvalue_weak: scaled.map(|(along, _)| along),
            eigenvalue_strong: scaled.map(|(_, across)| across),
            weak_direction: folds.plus_plus / folds.minus_minus,
            limit_velocity: fold.limit_velocity(dynamics),
            limit_force: fold.limit_force(dynamics.mu),
            distance: distance(&fold),
            lie_plus: lie.plus,
            lie_minus: lie.minus,
            tau,
            tau_error,
            time,
            time_error: tau_error * dynamics.m * q.max(q_fold),
        })
    }

    /// The state at the two-fold, with both clocks.
    pub(super) fn state(&self) -> State {
        let [r, v, omega] = self.two_fold;
        [r, v, omega, self.tau, self.time]
    }
}
