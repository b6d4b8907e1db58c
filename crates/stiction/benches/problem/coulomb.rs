//! A block with Coulomb friction whose period is known.

use stiction::law::{Coulomb, Law};
use stiction::num::real;
use stiction::system::SpringBlock;

/// How long it is followed \[s\].
pub(crate) const DURATION: f64 = 1000.0;

/// The block.
pub(crate) fn block() -> SpringBlock {
    let law = Law::Coulomb(Coulomb { static_coefficient: 0.5, kinetic_coefficient: 0.45 });
    SpringBlock { normal_load: 98.1, ..SpringBlock::new(10.0, 30.0, 0.2, law) }
}

/// The period by the formulas of the model [s].
pub(crate) fn period(block: &SpringBlock) -> f64 {
    let drop = block.static_force(0.0) - block.kinetic_force(0.0);
    let (kappa, mass, v0) = (block.stiffness, block.mass, block.drive_speed);
    let slip = 2.0 * (std::f64::consts::PI - real::atan(drop / (v0 * (kappa * mass).sqrt()))) * (mass / kappa).sqrt();
    slip + 2.0 * drop / (kappa * v0)
}
