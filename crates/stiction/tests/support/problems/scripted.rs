//! A clock, y = t, with guards and jumps written in the test: events whose times are known because the test chose them.

use stiction::system::{Fault, Guard, Jump, System};

/// Most guards of a test.
const MOST_GUARDS: usize = 32;

/// The value of a guard: mode, instant, state.
pub type Value = fn(u32, f64, f64) -> f64;

#[derive(Debug, Clone)]
pub struct Scripted {
    pub guards: Vec<(Guard, Value)>,
    /// What happens at a boundary: mode, guard, state.
    pub jump: fn(u32, usize, &mut f64) -> Jump<u32>,
    /// Slope of the state: mode, instant, state.
    pub slope: fn(u32, f64, f64) -> f64,
    pub start: f64,
}

impl Scripted {
    /// Sections only.
    pub fn sections(guards: &[Value]) -> Self {
        Self {
            guards: guards.iter().map(|&guard| (Guard::Section("section"), guard)).collect(),
            jump: |_, _, _| Jump::End,
            slope: |_, _, _| 1.0,
            start: 0.0,
        }
    }

    /// Boundaries only.
    pub fn boundaries(guards: &[Value], jump: fn(u32, usize, &mut f64) -> Jump<u32>) -> Self {
        let guards = guards.iter().map(|&guard| (Guard::Boundary("boundary"), guard)).collect();
        Self { guards, jump, ..Self::sections(&[]) }
    }
}

impl System for Scripted {
    type State = [f64; 1];
    type Guards = [f64; MOST_GUARDS];
    type Mode = u32;

    fn start(&self) -> (u32, [f64; 1]) {
        (0, [self.start])
    }
    fn rhs(&self, mode: u32, t: f64, y: &[f64; 1], dy: &mut [f64; 1]) -> Result<(), Fault> {
        *dy = [(self.slope)(mode, t, y[0])];
        Ok(())
    }
    fn guard(&self, _mode: u32, guard: usize) -> Guard {
        self.guards.get(guard).map_or(Guard::Unused, |guard| guard.0)
    }
    fn guards(&self, mode: u32, t: f64, y: &[f64; 1], guards: &mut [f64; MOST_GUARDS]) {
        for (out, (_, guard)) in guards.iter_mut().zip(&self.guards) {
            *out = guard(mode, t, y[0]);
        }
    }
    fn jump(&self, mode: u32, guard: usize, _t: f64, y: &mut [f64; 1]) -> Result<Jump<u32>, Fault> {
        Ok((self.jump)(mode, guard, &mut y[0]))
    }
}
