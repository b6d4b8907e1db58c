//! A sliding plate: a motion is given, not computed.

use super::{Horizon, Mechanism, Plan};
use crate::Problem;
use crate::analysis::planar_sliding::PlanarSliding;
use crate::field::FieldModel;
use crate::system::Fault;

impl Mechanism for PlanarSliding {
    const NAME: &'static str = "planar_sliding";

    fn problems(&self) -> Vec<Problem> {
        PlanarSliding::problems(self)
    }

    fn field_mut(&mut self) -> Option<&mut FieldModel> {
        Some(&mut self.field)
    }

    fn region(&self) -> Option<(FieldModel, [[f64; 2]; 2])> {
        let outline = self.plate().ok()?.functionals.outline;
        let corners = outline.geometry.bounds.map(|corner| outline.in_field(corner));
        Some((self.field_model(), corners))
    }

    fn prepare(&self, _horizon: &Horizon<'_>) -> Result<Box<dyn Plan + '_>, Fault> {
        let message = "has no equations of motion: the velocity of the plate is given; ask for `moments`, `distribution` or `advisor`";
        Err(Box::new(Problem::new("", message)))
    }
}
