//! Spring-blocks that several tests look at.

use stiction::law::{Coulomb, Law, Linear, Stribeck, TwoSlope};
use stiction::system::SpringBlock;
use stiction::system::spring_block::{ContactPolicy, Start};

/// The block of elmer1997, figure 3.
pub fn paper(drive_speed: f64) -> SpringBlock {
    let law = TwoSlope {
        static_coefficient: 1.0,
        low_speed_slope: 3.0,
        high_speed_slope: 0.1,
        crossover_speed: 0.2,
        crossover_width: 0.05,
    };
    block(40.0, 1.0, drive_speed, 1.0, Law::TwoSlope(law))
}

/// A law with one minimum (elmer1997, figure 1a) on the same block.
pub fn stribeck(drive_speed: f64) -> SpringBlock {
    let law = Stribeck {
        static_coefficient: 1.0,
        kinetic_coefficient: 0.4,
        stribeck_speed: 0.2,
        exponent: 1.0,
        viscous: 0.3,
    };
    block(40.0, 1.0, drive_speed, 1.0, Law::Stribeck(law))
}

pub fn coulomb(drive_speed: f64, static_coefficient: f64, kinetic_coefficient: f64) -> SpringBlock {
    block(10.0, 30.0, drive_speed, 98.1, Law::Coulomb(Coulomb { static_coefficient, kinetic_coefficient }))
}

pub fn linear(drive_speed: f64, slope: f64) -> SpringBlock {
    let law = Linear { static_coefficient: 1.0, kinetic_coefficient: 0.6, slope };
    block(1.0, 1.0, drive_speed, 1.0, Law::Linear(law))
}

pub fn block(mass: f64, stiffness: f64, drive_speed: f64, normal_load: f64, law: Law) -> SpringBlock {
    SpringBlock {
        mass,
        stiffness,
        drive_speed,
        normal_load,
        law,
        aging: None,
        contact_policy: ContactPolicy::Strict,
        microscopic_length: None,
        start: Start::default(),
    }
}

/// The same block, started elsewhere.
pub fn started(mut block: SpringBlock, displacement: f64, velocity: f64) -> SpringBlock {
    block.start.displacement = displacement;
    block.start.velocity = Some(velocity);
    block
}
