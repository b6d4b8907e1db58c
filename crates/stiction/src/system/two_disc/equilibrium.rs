//! Equilibria with slip: two unknowns, the centre of rotation as the upper disc sees it.
//!
//! At rest the lower disc turns at Ω below a face that stands still. Let s be the place of O₂ in the body frame of the upper
//! disc: the centre of the relative rotation. Forces then depend on s alone,
//!
//! ```text
//! e_i = p_i − s,   f_i = N_i (G(Ω|e_i|) + σ₂ Ω |e_i|),   F(s) = Σ f_i J e_i/|e_i|,   g(s) = s + c F(s) = 0,   c = 1/K_p + 1/K_d
//! ```
//!
//! and everything else follows. Where s sits on the centroid of a cell, that cell sticks and takes any force up to its static
//! limit: a *captured* equilibrium. It is no less an equilibrium, but it has no linearisation.

use super::TwoDiscError;
use super::balance::DiscBalance;
use super::keys::TwoDisc;
use serde::{Deserialize, Serialize};

/// What kind of equilibrium it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum ContactState {
    /// All cells slip.
    Smooth,
    /// The centre of rotation sits on the centroid of a cell, which sticks.
    Captured {
        /// The cell.
        cell: usize,
        /// Its bristle's deflection times σ₀, in fixed axes [-].
        deflection: [f64; 2],
    },
}

/// An equilibrium.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Equilibrium {
    /// What kind.
    pub kind: ContactState,
    /// X₁, Y₁, Θ, X₂, Y₂, Φ [m, rad].
    pub coordinates: [f64; 6],
    /// The centre of rotation in the body frame of the upper disc \[m\].
    pub pole: [f64; 2],
    /// Distance from the centre of rotation to the nearest cell \[m\].
    pub clearance: f64,
    /// What is left of the balance of forces \[N\].
    pub residual: f64,
}

impl Equilibrium {
    /// Whether a cell sticks.
    pub fn is_captured(&self) -> bool {
        self.kind != ContactState::Smooth
    }
}

/// All equilibria that were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibria {
    /// The equilibria; the one that continues from small loads first, if it exists.
    pub all: Vec<Equilibrium>,
    /// Whether the first one continues from small loads.
    pub is_followed: bool,
}

impl TwoDisc {
    /// The equilibrium that continues from small loads; none if there is none.
    ///
    /// # Errors
    /// If a parameter makes no sense, or the drive does not turn.
    pub fn equilibrium(&self) -> Result<Option<Equilibrium>, TwoDiscError> {
        let balance = DiscBalance::new(self, None)?;
        Ok(balance.followed(self.normal_load).map(|spot| balance.equilibrium(self.normal_load, spot)))
    }

    /// Every equilibrium that a search from many places finds: smooth ones and captured ones.
    ///
    /// # Errors
    /// If a parameter makes no sense, or the drive does not turn.
    pub fn equilibria(&self) -> Result<Equilibria, TwoDiscError> {
        let balance = DiscBalance::new(self, None)?;
        Ok(balance.all(self.normal_load))
    }
}
