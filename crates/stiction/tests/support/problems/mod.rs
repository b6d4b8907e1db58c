//! Problems with exact solutions, one in each file.

mod bouncing_ball;
mod dip;
mod dry_oscillator;
mod logistic_wave;
mod scripted;
mod two_springs;

pub use bouncing_ball::{Ball, BouncingBall};
pub use dip::Dip;
pub use dry_oscillator::{Direction, DryOscillator};
pub use logistic_wave::LogisticWave;
pub use scripted::Scripted;
pub use two_springs::{Side, TwoSprings};
