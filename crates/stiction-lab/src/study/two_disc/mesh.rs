//! How much the mesh of the contact face matters to a motion.

use crate::dataset::{Outcome, Table, number};
use crate::study::offer::FINE;
use crate::study::{AnySystem, Context, Offer, Study, StudyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::analysis::two_disc::{MeshError, mesh_errors};

const STUDY: &str = "mesh_convergence";

/// Error of the rotation over a run for several meshes of the contact face, against a fine one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MeshConvergence {
    /// Rings of the meshes: n rings have 6 n² cells of the size R_c/n.
    pub rings: Vec<usize>,
    /// Rings of the mesh that the others are compared with.
    #[schemars(range(min = 1, max = 200))]
    pub reference: usize,
    /// Length of the run \[s\].
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
}

impl Default for MeshConvergence {
    fn default() -> Self {
        Self { rings: vec![1, 2, 3, 4, 5, 7, 10, 15], reference: 30, duration: 30.0 }
    }
}

impl Study for MeshConvergence {
    fn run(&self, context: &Context<'_>) -> Result<Outcome, StudyError> {
        let discs = context.two_disc()?;
        if let Some((index, rings)) = self.rings.iter().enumerate().find(|(_, rings)| !(1..=200).contains(*rings)) {
            let message = format!("is {rings}, but a mesh has from 1 to 200 rings");
            return Err(super::wrong(STUDY, &format!("rings[{index}]"), message));
        }
        if self.rings.is_empty() {
            return Err(super::wrong(STUDY, "rings", "is empty: give at least one number of rings"));
        }
        if discs.contact.radius == 0.0 {
            let message = "is 0: a point contact has no mesh";
            return Err(StudyError::unsuitable("system.two_disc.contact.radius", message));
        }
        if !discs.contact.cells.is_empty() {
            let message = "is a mesh of its own: this study compares meshes of rings; leave it out";
            return Err(StudyError::unsuitable("system.two_disc.contact.cells", message));
        }
        super::runs::transient(STUDY, self.duration, (None, None), context.solver)?;
        let errors = mesh_errors(discs, &self.rings, self.reference, self.duration, context.solver, context.progress)?;
        let mut outcome = Outcome::default();
        let size = |one: &MeshError| 1.0 / one.rings as f64;
        outcome.push("errors", "", errors.iter().map(|one| one.error).collect::<Vec<f64>>());
        if let Some(finest) = errors.iter().map(|one| one.rings).max()
            && finest >= self.reference
        {
            outcome.warnings.push(format!(
                "the reference has {} rings, not more than the finest mesh with {}: errors are told too small",
                number(self.reference as f64),
                number(finest as f64)
            ));
        }
        outcome.tables.push(
            Table::new("meshes", "error of each mesh")
                .integers("rings", "rings n", errors.iter().map(|one| one.rings as i64).collect())
                .numbers("mesh_size", "", "mesh size h/R_c", errors.iter().map(size).collect())
                .numbers("error", "", "error Err(h)", errors.iter().map(|one| one.error).collect()),
        );
        Ok(outcome)
    }

    fn solver(&self, system: &AnySystem) -> Option<Offer> {
        super::motions(system, FINE)
    }
}
