//! A smooth problem that is neither linear nor autonomous: ẏ = y² cos t, y = 1/(2 − sin t).

use stiction::num::real;
use stiction::system::{Fault, Guard, Jump, System};

#[derive(Debug, Clone, Copy)]
pub struct LogisticWave;

impl LogisticWave {
    pub fn exact(t: f64) -> f64 {
        1.0 / (2.0 - real::sin(t))
    }
}

impl System for LogisticWave {
    type State = [f64; 1];
    type Guards = [f64; 0];
    type Mode = ();

    fn start(&self) -> ((), [f64; 1]) {
        ((), [0.5])
    }
    fn rhs(&self, _mode: (), t: f64, y: &[f64; 1], dy: &mut [f64; 1]) -> Result<(), Fault> {
        *dy = [y[0] * y[0] * real::cos(t)];
        Ok(())
    }
    fn guard(&self, _mode: (), _guard: usize) -> Guard {
        Guard::Unused
    }
    fn guards(&self, _mode: (), _t: f64, _y: &[f64; 1], _guards: &mut [f64; 0]) {}
    fn jump(&self, _mode: (), _guard: usize, _t: f64, _y: &mut [f64; 1]) -> Result<Jump<()>, Fault> {
        Ok(Jump::End)
    }
}
