//! A guard that dips to a given depth below zero and comes back: (1 − depth) − sin t, lowest at t = π/2.
//!
//! ```text
//! roots at π/2 ± arccos(1 − depth)
//! ```

use stiction::num::real;
use stiction::system::{Fault, Guard, Jump, System};

#[derive(Debug, Clone, Copy)]
pub struct Dip {
    /// How far the guard goes below zero; negative: by how much it stays above.
    pub depth: f64,
    pub kind: Guard,
}

impl Dip {
    pub fn roots(&self) -> [f64; 2] {
        // arccos(1 − d) = 2 arcsin √(d/2), without cancellation
        let half = 2.0 * real::asin((0.5 * self.depth).sqrt());
        [std::f64::consts::FRAC_PI_2 - half, std::f64::consts::FRAC_PI_2 + half]
    }
}

impl System for Dip {
    type State = [f64; 2];
    type Guards = [f64; 1];
    type Mode = ();

    fn start(&self) -> ((), [f64; 2]) {
        ((), [0.0, 1.0])
    }
    fn rhs(&self, _mode: (), _t: f64, y: &[f64; 2], dy: &mut [f64; 2]) -> Result<(), Fault> {
        *dy = [y[1], -y[0]];
        Ok(())
    }
    fn guard(&self, _mode: (), _guard: usize) -> Guard {
        self.kind
    }
    fn guards(&self, _mode: (), _t: f64, y: &[f64; 2], guards: &mut [f64; 1]) {
        guards[0] = (1.0 - self.depth) - y[0];
    }
    fn jump(&self, _mode: (), _guard: usize, _t: f64, _y: &mut [f64; 2]) -> Result<Jump<()>, Fault> {
        Ok(Jump::End)
    }
}
