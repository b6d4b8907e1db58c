//! Small oscillations next to a Hopf bifurcation, measured and predicted by the normal form (elmer1997, Eqs. 3 and 4).
//!
//! ```text
//! x − F_K(v₀)/κ = A exp(i ω₀ t) + c.c.,   ω₀ = √(κ/M)
//! dA/dt = −F′/(2M) A − [ κ F‴/(4M²) + (i/6) (F″/M)² ω₀ ] |A|² A
//! cycle:  |A|² = −2 M F′/(κ F‴),   frequency ω₀ [ 1 − (F″/M)² |A|²/6 ]
//! ```
//!
//! The factor 1/6 is missing in the paper (ERRATA.md, E-01).

use super::{Orbits, ReturnMap};
use crate::analysis::{AnalysisError, Budget};
use crate::integrate::Solver;
use crate::system::SpringBlock;

/// A small oscillation, measured and predicted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SmallCycle {
    /// Slope F′ of the kinetic force at the drive speed [N s/m].
    pub slope: f64,
    /// Half the range of the displacement \[m\]: free of the second harmonic.
    pub amplitude: f64,
    /// 2|A| by the normal form \[m\].
    pub predicted_amplitude: f64,
    /// Measured frequency [rad/s].
    pub frequency: f64,
    /// Frequency by the normal form [rad/s].
    pub predicted_frequency: f64,
    /// (ω₀ − ω)/(ω₀ (F″/M)² |A|²) with the measured amplitude [-]: 1/6 in the limit of small cycles.
    pub detuning_coefficient: f64,
    /// Whether it attracts.
    pub stable: bool,
}

/// The smallest oscillation of a block; none if it has none.
///
/// # Errors
/// If the equations of motion cannot be solved or the drive speed is not positive.
pub fn small_cycle(block: &SpringBlock, solver: Solver) -> Result<Option<SmallCycle>, AnalysisError> {
    let budget = Budget::single();
    smallest(&Orbits::without_aging(block, solver)?.within(&budget))
}

impl Orbits<'_> {
    /// The smallest oscillation of the block; none if it has none.
    ///
    /// # Errors
    /// If the equations of motion cannot be solved.
    pub fn small_cycle(&self) -> Result<Option<SmallCycle>, AnalysisError> {
        smallest(self)
    }
}

fn smallest(orbits: &Orbits<'_>) -> Result<Option<SmallCycle>, AnalysisError> {
    let block = orbits.block;
    let graze = orbits.graze()?;
    let map = ReturnMap::of(orbits, &graze)?;
    let Some(&amplitude) = map.cycles(orbits)?.first() else { return Ok(None) };
    let Some(cycle) = orbits.oscillation(map.centre + amplitude)? else { return Ok(None) };
    let [_, slope, second, third] = block.kinetic_force_derivatives(block.drive_speed);
    let natural = (block.stiffness / block.mass).sqrt();
    let amplitude = 0.5 * (cycle.max_displacement - cycle.min_displacement);
    let frequency = std::f64::consts::TAU / cycle.period;
    let bend = second / block.mass;
    let bend2 = bend * bend;
    let predicted_square = -2.0 * block.mass * slope / (block.stiffness * third);
    let measured_square = 0.25 * amplitude * amplitude;
    Ok(Some(SmallCycle {
        slope,
        amplitude,
        predicted_amplitude: 2.0 * predicted_square.sqrt(),
        frequency,
        predicted_frequency: natural * (1.0 - bend2 * predicted_square / 6.0),
        detuning_coefficient: (natural - frequency) / (natural * bend2 * measured_square),
        stable: cycle.stable,
    }))
}
