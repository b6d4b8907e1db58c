//! What is recorded of an event.

use super::Certificate;
use crate::system::filippov::{AutomatonEvent, Phase, Side};
use crate::system::wheel::State;
use crate::system::wheel::line::Motion;
use serde::Serialize;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// The wheel begins to roll the other way, in slip.
    RollingReversal,
    /// The lateral slip changes its direction.
    Crossing,
    /// Lateral slip ends.
    Landing,
    /// Stick ends: the friction force has reached +μ.
    StickLimitPlus,
    /// Stick ends: the friction force has reached −μ.
    StickLimitMinus,
    /// The slider passes the middle of the slit in stick: the moment changes its sign.
    StickSignFlip,
    /// The line of rest is passed; what follows is determined.
    LinePass,
    /// The line of rest is reached; what follows is not determined.
    LineArrival,
    /// Stick in the escaping region ends.
    Escape,
    /// A two-fold is reached; what follows is not determined.
    TwoFold,
    /// The end of the run.
    EndTime,
    /// Too many events.
    EventLimit,
}

/// The name of a mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModeName {
    /// Slip with h > 0.
    SlipPlus,
    /// Slip with h < 0.
    SlipMinus,
    /// Stick, held by friction.
    Sliding,
    /// Stick that ends at any moment.
    Escaping,
    /// At rest on the turntable.
    Locked,
    /// The run has ended.
    Stopped,
}

impl From<Phase> for ModeName {
    fn from(phase: Phase) -> Self {
        match phase {
            Phase::Slip(Side::Plus) => Self::SlipPlus,
            Phase::Slip(Side::Minus) => Self::SlipMinus,
            Phase::Sliding => Self::Sliding,
            Phase::Escaping => Self::Escaping,
        }
    }
}

/// The event of an automaton, where it has a name of its own.
pub(super) fn named(kind: AutomatonEvent) -> Option<EventKind> {
    match kind {
        AutomatonEvent::Crossing => Some(EventKind::Crossing),
        AutomatonEvent::Landing => Some(EventKind::Landing),
        AutomatonEvent::Limit(Side::Plus) => Some(EventKind::StickLimitPlus),
        AutomatonEvent::Limit(Side::Minus) => Some(EventKind::StickLimitMinus),
        AutomatonEvent::SignChange(_) => Some(EventKind::RollingReversal),
        AutomatonEvent::StickSignChange(_) => Some(EventKind::StickSignFlip),
        AutomatonEvent::Corner
        | AutomatonEvent::TwoFold
        | AutomatonEvent::Deadline
        | AutomatonEvent::Alarm
        | AutomatonEvent::Degenerate
        | AutomatonEvent::Impossible
        | AutomatonEvent::Internal => None,
    }
}

/// An event of a motion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItineraryEvent {
    /// Number, from 0.
    pub index: usize,
    /// What happened.
    pub kind: EventKind,
    /// Rescaled time τ since the start [s/(kg m²)].
    pub tau: f64,
    /// Time since the start \[s\].
    pub time: f64,
    /// Displacement of the slider \[m\].
    pub r: f64,
    /// Speed of the slider [m/s].
    pub v: f64,
    /// Speed of the disc [rad/s].
    pub omega: f64,
    /// The mode before.
    pub mode_before: ModeName,
    /// The mode after.
    pub mode_after: ModeName,
    /// All motions out of the line of rest, where one is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outgoing: Option<Vec<Motion>>,
    /// What proves a two-fold, where one is reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Box<Certificate>>,
}

impl ItineraryEvent {
    pub(super) fn new(kind: EventKind, y: &State, mode_before: ModeName, mode_after: ModeName) -> Self {
        let [r, v, omega, tau, time] = *y;
        Self { index: 0, kind, tau, time, r, v, omega, mode_before, mode_after, outgoing: None, certificate: None }
    }
}

/// Where a motion started.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StartRecord {
    /// The mode.
    pub(crate) mode: ModeName,
    /// Displacement of the slider \[m\].
    pub(crate) r: f64,
    /// Speed of the slider [m/s].
    pub(crate) v: f64,
    /// Speed of the disc [rad/s].
    pub(crate) omega: f64,
    /// Lateral sliding velocity [m/s].
    pub(crate) h: f64,
    /// Rolling velocity [m/s].
    pub(crate) g: f64,
}
