//! Two elastically held discs with a bar between them that rubs through bristles (hu2023_disc).
//!
//! ```text
//!   top view at Θ = 0                             side view
//!          .------------------.                             | F_N
//!        .'     .--------.     '.                    +------v------+
//!       /     .'          '.     \                   |     O₁      |   upper disc: held by springs in x, y and Θ
//!      |     |      O₁   (##)     |  ---> X          +-----------+-+
//!       \     '.          .'     /                               |#|   bar of radius R_c, flush with the rim
//!        '.     '--------'     .'                +---------------+-+-------+
//!          '------------------'                  |           O₂            |   lower disc: held in x and y
//!                                                +------------+------------+
//!                                                   spring and damper, drive turns at Ω
//! ```
//!
//! Coordinates q = (X₁, Y₁, Θ, X₂, Y₂, Φ); Φ is the rotation of the lower disc relative to the drive. The contact face is cut
//! into cells; each carries a two-dimensional LuGre bristle in fixed axes. [`TwoDisc`] holds the keys; [`Discs`] is what
//! moves.

mod balance;
mod cell_derivative;
mod cells;
mod condensed;
mod contact;
mod equilibrium;
mod face;
mod keys;
mod law;
mod linear;
mod motion;
mod pressure;
mod pull;
mod surface;

pub(crate) use balance::{ContactPlace, DiscBalance};
pub use equilibrium::{ContactState, Equilibria, Equilibrium};
pub use face::Face;
pub use keys::{Contact, DiscStart, LowerDisc, Perturbation, Quadrature, TwoDisc, UpperDisc};
pub use law::{BristleLaw, Lugre};
pub use linear::DiscLinear;
pub use motion::{Discs, LEADING, LOWER_ROTATION, LOWER_X, LOWER_Y, RATES, Running, UPPER_ROTATION, UPPER_X, UPPER_Y};
pub use pressure::Pressure;
pub use surface::{CoordinateChoice, DiscSurface, IntervalField, NamedCoordinates};

/// Why a pair of discs cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TwoDiscError {
    /// Parameters that make no sense.
    #[error("{key}: {message}")]
    Unsuitable {
        /// The parameter to change.
        key: crate::keys::KeyPath,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// They are to start from an equilibrium, and there is none.
    #[error("start: is `equilibrium`, but {reason}; use `turning` or `at_rest`")]
    NoEquilibrium {
        /// Why there is none.
        reason: &'static str,
    },
}

impl TwoDiscError {
    /// What is wrong, with its key.
    pub(crate) fn into_problem(self) -> crate::Problem {
        match self {
            Self::Unsuitable { key, message } => crate::Problem::new(key, message),
            Self::NoEquilibrium { reason } => {
                crate::Problem::new("start", format!("is `equilibrium`, but {reason}; use `turning` or `at_rest`"))
            }
        }
    }

    pub(crate) fn unsuitable(key: impl Into<crate::keys::KeyPath>, message: impl Into<String>) -> Self {
        Self::Unsuitable { key: key.into(), message: message.into() }
    }
}

impl From<crate::Problem> for TwoDiscError {
    fn from(problem: crate::Problem) -> Self {
        Self::Unsuitable { key: problem.key, message: problem.message }
    }
}
