//! Questions about a crank that moves a slider along a track.

mod energies;
mod run;

pub use energies::{CrankEnergies, Sampling, SideFriction};
pub use run::CrankRun;

use super::field::Region;
use super::system::Mechanism;
use stiction::Problem;
use stiction::field::FieldModel;
use stiction::system::CrankSlider;

impl Mechanism for CrankSlider {
    const NAME: &'static str = "crank_slider";

    fn problems(&self) -> Vec<Problem> {
        CrankSlider::problems(self)
    }

    fn field_mut(&mut self) -> Option<&mut FieldModel> {
        Some(&mut self.field)
    }

    fn region(&self) -> Option<Region> {
        let a = self.slider_half_side;
        Some(Region { model: self.field.clone(), corners: [[-a, -a], [a, a]], system: Self::NAME })
    }
}
