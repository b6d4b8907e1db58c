//! Questions about a crank that moves a slider along a track.

mod run;

pub use run::CrankRun;

use super::system::Mechanism;
use stiction::Problem;
use stiction::system::CrankSlider;

impl Mechanism for CrankSlider {
    const NAME: &'static str = "crank_slider";

    fn problems(&self) -> Vec<Problem> {
        CrankSlider::problems(self)
    }
}
