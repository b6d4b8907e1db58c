//! The rule at the line of rest: is the passage determined, and if not, what does the policy choose?

use super::{LinePolicy, LineWeights};
use crate::num::random::Stream;
use crate::num::real::atan2;
use crate::system::filippov::{Mode, Phase, Side, guard};
use crate::system::wheel::line::{Motion, MotionKind, Place};
use crate::system::wheel::{CLOCK, Dynamics, OMEGA, R, State, TIME, V};
use std::f64::consts::{FRAC_PI_2, PI};

/// A motion at the line: where, when, and with which angle it came.
pub(super) struct Approach {
    pub(super) place: Place,
    /// The state on the line, with extrapolated clocks.
    pub(super) state: State,
    /// The angle θ of a slip; none for a stick.
    pub(super) angle: Option<f64>,
}

impl Approach {
    /// From the state and the guard at which the automaton stopped.
    pub(super) fn of(dynamics: &Dynamics, mode: Mode, fired: usize, y: &State) -> Self {
        let [r, v, omega, ..] = *y;
        let slip = omega - dynamics.omega0;
        let place = if slip.abs() < r.abs() { Place::Rest { r } } else { Place::Axis { omega } };
        let mut state = *y;
        let mut angle = None;
        if let Phase::Slip(side) = mode.phase {
            let (h, g) = (dynamics.h(r, v, omega), dynamics.g(r, v, omega));
            angle = Some(match fired {
                guard::SURFACE => {
                    if g >= 0.0 {
                        0.0
                    } else {
                        PI
                    }
                }
                guard::CORNER => atan2(h, g),
                _ => side.sign() * FRAC_PI_2,
            });
            let step = time_to_line(dynamics, side, mode, y, (h, g));
            state[CLOCK] += step;
            state[TIME] += step * dynamics.m * dynamics.q(r);
        }
        match place {
            Place::Rest { .. } => (state[V], state[OMEGA]) = (0.0, dynamics.omega0),
            Place::Axis { .. } => (state[R], state[V]) = (0.0, dynamics.d * slip),
        }
        Self { place, state, angle }
    }
}

/// ρ/(−ρ') by the slip field; zero if the motion does not come closer.
fn time_to_line(dynamics: &Dynamics, side: Side, mode: Mode, y: &State, (h, g): (f64, f64)) -> f64 {
    let [r, v, omega, ..] = *y;
    let friction = dynamics.slip_friction(side.sign(), mode.signs.sign(0), h, g);
    let [dr, dv, domega, _] = dynamics.slope(r, v, omega, friction);
    let slip = omega - dynamics.omega0;
    let Dynamics { co, si, d, .. } = *dynamics;
    let [h_r, h_v, h_omega] = dynamics.h_gradient(r, omega);
    let h_rate = h_r * dr + h_v * dv + h_omega * domega;
    let g_rate = slip * si * dr - co * dv + (d * co + r * si) * domega;
    let square = h * h + g * g;
    let step = -square / (h * h_rate + g * g_rate);
    if step.is_finite() && step > 0.0 { step } else { 0.0 }
}

/// The outgoing motion of a kind with the smallest angle; of two sticks the one at θ = 0.
pub(super) fn first_of(outgoing: &[Motion], kind: MotionKind) -> Option<Motion> {
    outgoing.iter().filter(|motion| motion.kind == kind).min_by(|a, b| a.angle.total_cmp(&b.angle)).copied()
}

/// What a policy chooses among outgoing motions after an arrival in a phase; none if nothing is left to choose.
pub(super) fn choose(
    policy: LinePolicy,
    weights: &LineWeights,
    outgoing: &[Motion],
    from: Phase,
    stream: &mut Stream,
) -> Option<Motion> {
    use MotionKind::{SlipMinus, SlipPlus, Stay, Stick};
    let first = |kinds: &[MotionKind]| kinds.iter().find_map(|&kind| first_of(outgoing, kind));
    let usual = [Stick, SlipMinus, SlipPlus, Stay];
    match policy {
        LinePolicy::Continue => match from {
            Phase::Slip(Side::Plus) => first(&[SlipMinus]).or_else(|| first(&usual)),
            Phase::Slip(Side::Minus) => first(&[SlipPlus]).or_else(|| first(&usual)),
            _ => first(&usual),
        },
        LinePolicy::Stick => first(&usual),
        LinePolicy::Lock => first(&[Stay]),
        LinePolicy::Sampled => draw(weights, outgoing, stream),
    }
}

fn draw(weights: &LineWeights, outgoing: &[Motion], stream: &mut Stream) -> Option<Motion> {
    let weight = |motion: &Motion| match motion.kind {
        MotionKind::SlipPlus => weights.slip_plus,
        MotionKind::SlipMinus => weights.slip_minus,
        MotionKind::Stick => weights.stick,
        MotionKind::Escape => weights.escape,
        MotionKind::Stay => weights.stay,
    };
    let total: f64 = outgoing.iter().map(weight).sum();
    let mut left = stream.uniform() * total;
    for motion in outgoing.iter().filter(|motion| weight(motion) > 0.0) {
        left -= weight(motion);
        if left <= 0.0 {
            return Some(*motion);
        }
    }
    // nothing has weight, or rounding: what is possible at all
    outgoing.iter().rfind(|motion| weight(motion) > 0.0).or(outgoing.last()).copied()
}

/// How close the line is here to a change of its structure: the smallest of the normal velocities and of the rates of rays,
/// relative to the largest.
pub(super) fn margin(dynamics: &Dynamics, place: Place) -> f64 {
    let blow_up = dynamics.blow_up(place);
    let mut values = Vec::new();
    for sign in [1.0, -1.0] {
        let lie = blow_up.lie(sign);
        values.extend([lie.plus.abs(), lie.minus.abs()]);
        let ray = blow_up.stick_ray(sign);
        if ray.rate != 0.0 {
            values.push(ray.rate.abs());
        }
    }
    for side in [Side::Plus, Side::Minus] {
        values.extend(blow_up.rays(side).iter().map(|ray| ray.rate.abs()));
    }
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(*value));
    values.iter().fold(f64::INFINITY, |least, value| least.min(*value)) / largest
}
