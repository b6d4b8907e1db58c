//! Where a motion of the wheel starts.

use super::{ExitSide, ModeName, StartRecord};
use crate::analysis::AnalysisError;
use crate::analysis::wheel::EscapingRegion;
use crate::system::filippov::{Automaton, Mode, Phase, Region, Side, Signs};
use crate::system::wheel::line::{Motion, MotionKind, Place};
use crate::system::wheel::{Dynamics, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a motion starts: exactly one of these.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum WheelStart {
    /// A state in slip.
    State {
        /// Displacement of the slider \[m\].
        r: f64,
        /// Speed of the slider [m/s].
        v: f64,
        /// Speed of the disc [rad/s].
        omega: f64,
    },
    /// A point of the switching surface.
    Surface {
        /// Displacement of the slider \[m\].
        r: f64,
        /// Speed of the disc [rad/s].
        omega: f64,
        /// How the motion goes on from there.
        #[serde(default)]
        go: Go,
    },
    /// A point of the line of rest.
    Line {
        /// Displacement of the slider \[m\].
        r: f64,
        /// The motion that leaves it.
        ray: LineRay,
    },
    /// A point of the escaping region next to the two-fold.
    Exit {
        /// Fraction of the range of r [-], in (0, 1).
        #[schemars(extend("exclusiveMinimum" = 0.0, "exclusiveMaximum" = 1.0))]
        position_fraction: f64,
        /// Fraction of the range of ω at that r [-], in (0, 1).
        #[schemars(extend("exclusiveMinimum" = 0.0, "exclusiveMaximum" = 1.0))]
        height_fraction: f64,
        /// The side to which it is left.
        side: ExitSide,
    },
}

impl Default for WheelStart {
    fn default() -> Self {
        Self::Surface { r: 0.27, omega: -1.25, go: Go::Stick }
    }
}

/// How a motion goes on from a point of the switching surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Go {
    /// In stick: sliding or escaping.
    Stick,
    /// In slip with h > 0.
    Plus,
    /// In slip with h < 0.
    Minus,
    /// As the region demands; an error in the escaping region, where nothing is demanded.
    #[default]
    Auto,
}

/// A motion out of the line of rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineRay {
    /// Slip with h > 0.
    Plus,
    /// Slip with h < 0.
    Minus,
    /// Stick in the sliding region.
    Stick,
    /// Stick in the escaping region.
    Escape,
    /// Rest.
    Stay,
}

impl From<LineRay> for MotionKind {
    fn from(ray: LineRay) -> Self {
        match ray {
            LineRay::Plus => Self::SlipPlus,
            LineRay::Minus => Self::SlipMinus,
            LineRay::Stick => Self::Stick,
            LineRay::Escape => Self::Escape,
            LineRay::Stay => Self::Stay,
        }
    }
}

/// Smallest |h| of a start in slip [m/s].
const SMALLEST_SLIP: f64 = 1e-12;

/// A start, ready to go; no mode means at rest.
pub(super) struct Prepared {
    pub(super) record: StartRecord,
    pub(super) mode: Option<Mode>,
    pub(super) state: State,
}

impl WheelStart {
    pub(super) fn prepare(&self, dynamics: &Dynamics) -> Result<Prepared, AnalysisError> {
        match *self {
            Self::State { r, v, omega } => in_slip(dynamics, [r, v, omega, 0.0, 0.0]),
            Self::Surface { r, omega, go } => on_surface(dynamics, r, omega, go),
            Self::Line { r, ray } => on_line(dynamics, r, ray),
            Self::Exit { position_fraction, height_fraction, side } => {
                let region = EscapingRegion::next_to_two_fold(dynamics)?;
                let (r, omega) = region.point(dynamics, position_fraction, height_fraction)?;
                let go = if side == ExitSide::Plus { Go::Plus } else { Go::Minus };
                on_surface(dynamics, r, omega, go)
            }
        }
    }
}

fn prepared(dynamics: &Dynamics, phase: Phase, signs: Signs, state: State) -> Prepared {
    let mode = Automaton::mode(dynamics, phase, signs, &state);
    Prepared { record: record(dynamics, phase.into(), &state), mode: Some(mode), state }
}

fn record(dynamics: &Dynamics, mode: ModeName, &[r, v, omega, ..]: &State) -> StartRecord {
    StartRecord { mode, r, v, omega, h: dynamics.h(r, v, omega), g: dynamics.g(r, v, omega) }
}

fn in_slip(dynamics: &Dynamics, state: State) -> Result<Prepared, AnalysisError> {
    let [r, v, omega, ..] = state;
    let (h, mut g) = (dynamics.h(r, v, omega), dynamics.g(r, v, omega));
    if h.abs() <= SMALLEST_SLIP {
        return Err(AnalysisError::question(
            "start.state",
            format!("has the lateral velocity {h} m/s, but must be off the switching surface; use `start.surface`"),
        ));
    }
    let side = if h > 0.0 { Side::Plus } else { Side::Minus };
    if g == 0.0 {
        // the sign that it is heading to
        let [dr, dv, domega, _] = dynamics.slope(r, v, omega, dynamics.friction(r, v, omega));
        let slip = omega - dynamics.omega0;
        let Dynamics { co, si, d, .. } = *dynamics;
        g = dr * slip * si - dv * co + domega * (d * co + r * si);
    }
    Ok(prepared(dynamics, Phase::Slip(side), Signs::default().with(0, g >= 0.0), state))
}

/// A point of the switching surface with the region that it lies in.
fn on_surface(dynamics: &Dynamics, r: f64, omega: f64, go: Go) -> Result<Prepared, AnalysisError> {
    let key = "start.surface";
    if !dynamics.has_chart() {
        let message =
            "needs a wheel that is not along the slit: the surface has no chart over (r, omega); use `start.state`";
        return Err(AnalysisError::question(key, message));
    }
    let v = dynamics.surface_v(r, omega);
    let g = r * (omega - dynamics.omega0) / dynamics.si;
    if g == 0.0 && dynamics.signed {
        let message = format!("r = {r}, omega = {omega} has no rolling velocity; use `start.line`, or another point");
        return Err(AnalysisError::question(key, message));
    }
    let signs = Signs::default().with(0, g >= 0.0);
    let region = dynamics.lie(r, v, omega, signs.sign(0)).region();
    let phase = match (go, region) {
        (Go::Stick | Go::Auto, Region::Sliding) => Phase::Sliding,
        (Go::Stick, Region::Escaping) => Phase::Escaping,
        (Go::Plus, Region::Escaping) | (Go::Plus | Go::Auto, Region::CrossingPlus) => Phase::Slip(Side::Plus),
        (Go::Minus, Region::Escaping) | (Go::Minus | Go::Auto, Region::CrossingMinus) => Phase::Slip(Side::Minus),
        _ => {
            let go = match go {
                Go::Stick => "stick",
                Go::Plus => "plus",
                Go::Minus => "minus",
                Go::Auto => "auto",
            };
            let message =
                format!("go = \"{go}\" is not possible at r = {r}, omega = {omega}: the region is {}", region.name());
            return Err(AnalysisError::question(key, message));
        }
    };
    Ok(prepared(dynamics, phase, signs, [r, v, omega, 0.0, 0.0]))
}

fn on_line(dynamics: &Dynamics, r: f64, ray: LineRay) -> Result<Prepared, AnalysisError> {
    if r == 0.0 {
        return Err(AnalysisError::question("start.line.r", "is 0, where two lines of rest meet; choose another"));
    }
    let place = Place::Rest { r };
    let outgoing = dynamics.blow_up(place).outgoing();
    let Some(motion) = super::line_rule::first_of(&outgoing, ray.into()) else {
        let kinds: Vec<String> = outgoing.iter().map(|motion| format!("{:?}", motion.kind)).collect();
        let message = format!("is not a motion out of the line at r = {r}; there are: {}", kinds.join(", "));
        return Err(AnalysisError::question("start.line.ray", message));
    };
    let at_rest = [r, 0.0, dynamics.omega0, 0.0, 0.0];
    let Some((mode, state)) = leave(dynamics, place, &motion, &at_rest) else {
        return Ok(Prepared { record: record(dynamics, ModeName::Locked, &at_rest), mode: None, state: at_rest });
    };
    Ok(Prepared { record: record(dynamics, mode.phase.into(), &at_rest), mode: Some(mode), state })
}

/// The mode and the state in which a motion leaves the line; none for rest. A slip begins a little away from the line, on its
/// ray, a little later.
pub(super) fn leave(dynamics: &Dynamics, place: Place, motion: &Motion, at: &State) -> Option<(Mode, State)> {
    use crate::num::real::{cos, sin};
    use crate::system::wheel::{CLOCK, OMEGA, R, TIME, V};
    let mut state = *at;
    let side = match motion.kind {
        MotionKind::SlipPlus => Side::Plus,
        MotionKind::SlipMinus => Side::Minus,
        MotionKind::Stay => return None,
        MotionKind::Stick | MotionKind::Escape => {
            let phase = if motion.kind == MotionKind::Stick { Phase::Sliding } else { Phase::Escaping };
            let signs = Signs::default().with(0, motion.angle == 0.0);
            return Some((Automaton::mode(dynamics, phase, signs, &state), state));
        }
    };
    let distance = 2.0 * dynamics.line_radius;
    let (h, g) = (distance * sin(motion.angle), distance * cos(motion.angle));
    let Dynamics { co, si, d, omega0, .. } = *dynamics;
    match place {
        Place::Rest { r } => {
            let (v, omega) = dynamics.of_sliding(r, h, g);
            (state[R], state[V], state[OMEGA]) = (r, v, omega);
        }
        Place::Axis { omega } => {
            let slip = omega - omega0;
            state[R] = (si * g - co * h) / slip;
            state[V] = d * slip - (si * h + co * g);
        }
    }
    let step = distance / motion.rate;
    state[CLOCK] += step;
    state[TIME] += step * dynamics.m * dynamics.q(state[R]);
    let mode = Automaton::mode(dynamics, Phase::Slip(side), Signs::default().with(0, g >= 0.0), &state);
    Some((Automaton::<Dynamics>::leaving_corner(mode), state))
}
