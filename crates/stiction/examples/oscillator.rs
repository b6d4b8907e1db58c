//! A mechanism and a friction law of one's own: `cargo run -p stiction --example oscillator`.

use stiction::integrate::{IntegrationError, Solver, Span};
use stiction::record::{Cycles, Events, Motion, Moving, Name, Observe, Phase, PhaseChange, StickSlipCycle};
use stiction::system::{Fault, Guard, Jump, System};

/// Two masses of 1 kg on springs, the first one on a belt. State: position and velocity of the first, then of the second.
struct Chain;
const BELT: f64 = 0.2; // m/s
fn friction(speed: f64) -> f64 {
    3.0 + 2.0 / (1.0 + speed.abs() / 0.2)
}
fn pull(y: &[f64; 4]) -> f64 {
    20.0 * (y[2] - y[0]) - 10.0 * y[0]
}
impl System for Chain {
    type State = [f64; 4];
    type Guards = [f64; 1];
    type Mode = Phase;
    fn start(&self) -> (Phase, [f64; 4]) {
        (Phase::Stick, [0.0, BELT, 0.0, 0.0])
    }
    fn rhs(&self, mode: Phase, _t: f64, y: &[f64; 4], dy: &mut [f64; 4]) -> Result<(), Fault> {
        let slip = pull(y) - mode.sign() * friction(y[1] - BELT);
        *dy = [y[1], if mode == Phase::Stick { 0.0 } else { slip }, y[3], 20.0 * (y[0] - y[2]) - 2.0 * y[3]];
        Ok(())
    }
    fn guard(&self, mode: Phase, _guard: usize) -> Guard {
        Guard::Boundary(if mode == Phase::Stick { "release" } else { "contact" })
    }
    fn guards(&self, mode: Phase, _t: f64, y: &[f64; 4], guards: &mut [f64; 1]) {
        let margin = friction(0.0).powi(2) - pull(y).powi(2);
        guards[0] = if mode == Phase::Stick { margin } else { mode.sign() * (y[1] - BELT) };
    }
    fn jump(&self, mode: Phase, _guard: usize, _t: f64, y: &mut [f64; 4]) -> Result<Jump<Phase>, Fault> {
        y[1] = BELT;
        let sticks = mode != Phase::Stick && pull(y).abs() < friction(0.0);
        let slip = if pull(y) > 0.0 { Phase::Forward } else { Phase::Backward };
        Ok(Jump::To(if sticks { Phase::Stick } else { slip }))
    }
}
impl Observe for Chain {
    fn contacts(&self) -> Vec<Name> {
        vec!["belt".into()]
    }
    fn phase(&self, mode: Phase, _contact: usize) -> Phase {
        mode
    }
}
pub(crate) fn report() -> Result<String, IntegrationError> {
    let motion = Moving::of(Chain);
    let mut seen = (Events::of(&motion), Cycles::of(&motion, 0));
    motion.follow(&Solver::default(), Span::until(100.0), None, &mut seen)?;
    let line = |change: &PhaseChange| format!("{:.6} s: {} to {}\n", change.time, change.from, change.to);
    let changes: String = seen.0.changes.iter().take(4).map(line).collect();
    Ok(format!("{changes}period {:.9} s", seen.1.cycles.last().map_or(f64::NAN, StickSlipCycle::period)))
}
fn main() -> Result<(), IntegrationError> {
    report().map(|report| println!("{report}"))
}
