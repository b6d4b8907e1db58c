//! Filippov systems: two smooth vector fields that meet at a switching surface, and what happens on it.
//!
//! ```text
//!        f₊  (h > 0)          L± = ∇h·f±                 region of Σ = {h = 0}
//!   ──────────────── Σ        L₊ < 0 < L₋   sliding      both fields push onto Σ: the motion stays
//!        f₋  (h < 0)          L₋ < 0 < L₊   escaping     both push away: it may stay or leave, at any moment
//!                             one sign      crossing     it passes through
//!   on Σ:  f_s = (L₋ f₊ − L₊ f₋)/(L₋ − L₊)
//! ```
//!
//! A model says what h, its gradient and both fields are ([`Filippov`]); [`Automaton`] makes a hybrid
//! [`System`](super::System) of it, with the modes slip plus, slip minus, sliding and escaping. Further surfaces where the
//! fields have a kink but the motion passes are *sign functions*: their signs are frozen during a phase, so that the fields
//! are smooth inside it. Where the equations do not determine the future, the automaton ends and says so: at a *two-fold*
//! (L₊ = L₋ = 0, see [`TwoFold`]) and at a *corner*, a set of codimension two where the fields have no limit.
//!
//! Borders of the regions are guards on L₊ and L₋, never on the convex weight, which has a pole where L₋ = L₊. During stick
//! the independent variable of the loop is not time: the field is multiplied by |L₋ − L₊|/(|L₋ − L₊| + scale), so that
//! nothing is divided by zero and a two-fold is an ordinary equilibrium that cannot be stepped over. Time is a coordinate of
//! the state like any other.

mod automaton;
mod mode;
mod two_fold;

pub use automaton::{Automaton, AutomatonEvent, guard};
pub(crate) use mode::MAX_SIGNS;
pub use mode::{Mode, Phase, Region, Side, Signs};
pub use two_fold::{Arrival, Case, Folds, Local, TwoFold, Visibility};

use super::Coords;

/// Two smooth vector fields and a switching function.
///
/// The state holds the coordinates of the motion, [`Filippov::DIMENSION`] of them, and after them whatever is integrated
/// along: time first of all, with the derivative one in both fields.
pub trait Filippov {
    /// The coordinates of the motion and what is integrated along.
    type State: Coords + Copy;
    /// How many of the coordinates span the space; the rest are clocks and other integrals that do not act back.
    const DIMENSION: usize;
    /// How many sign functions there are, at most `MAX_SIGNS`.
    const SIGNS: usize = 0;

    /// A state of the right length.
    fn zero(&self) -> Self::State;
    /// The switching function h: positive on the plus side.
    fn switching(&self, y: &Self::State) -> f64;
    /// Gradient of h; entries of clocks are zero.
    fn gradient(&self, y: &Self::State, gradient: &mut Self::State);
    /// The field of one side, with the signs of a phase frozen: smooth also slightly beyond the surfaces. A value that is not
    /// a number says that the continuation ends here; the step is then rejected.
    fn field(&self, side: Side, signs: Signs, y: &Self::State, slope: &mut Self::State);
    /// Limit of the field of one side on the switching surface.
    fn limit_field(&self, side: Side, signs: Signs, y: &Self::State, slope: &mut Self::State) {
        self.field(side, signs, y, slope);
    }

    /// A function whose sign the fields depend on.
    fn sign_function(&self, _index: usize, _y: &Self::State) -> f64 {
        1.0
    }
    /// Whether a sign function matters in stick.
    fn sign_matters_in_stick(&self, _index: usize) -> bool {
        true
    }
    /// Whether a motion in stick passes the zero of a sign function (then its sign flips), or ends there as at a corner.
    fn passes_in_stick(&self, _index: usize, _y: &Self::State) -> bool {
        true
    }

    /// Puts a state that is nearly on the switching surface onto it: by a chart of the surface where there is one, else along
    /// the gradient.
    fn project(&self, y: &mut Self::State) {
        let mut gradient = self.zero();
        for _ in 0..4 {
            let h = self.switching(y);
            self.gradient(y, &mut gradient);
            let size: f64 = gradient.as_slice().iter().map(|g| g * g).sum();
            if h == 0.0 || size == 0.0 || !(h / size).is_finite() {
                return;
            }
            for (y, g) in y.as_mut_slice().iter_mut().zip(gradient.as_slice()) {
                *y -= h / size * g;
            }
        }
    }

    /// Value of |L₋ − L₊| below which stick is slowed down, in the units of L, > 0: some percent of what is usual. Much larger
    /// values cost steps on the way into a two-fold, much smaller ones make it stiff.
    fn scale(&self) -> f64 {
        1.0
    }

    /// Typical sizes of the coordinates and of the independent variable, as [`System::typical`](super::System::typical).
    fn typical(&self, sizes: &mut Self::State) -> f64 {
        sizes.as_mut_slice().fill(1.0);
        1.0
    }
    /// All two-folds with these signs, if they are known; otherwise they are found on the way by Newton's method.
    fn two_folds(&self, _signs: Signs) -> Option<&[Self::State]> {
        None
    }

    /// Square of the distance from the corner.
    fn corner_distance_squared(&self, _y: &Self::State) -> f64 {
        f64::INFINITY
    }
    /// Distance from the corner at which slip ends; zero if there is no corner.
    fn corner_radius(&self) -> f64 {
        0.0
    }

    /// The normal velocities L± on the switching surface.
    fn lie(&self, signs: Signs, y: &Self::State) -> Lie {
        let (mut plus, mut minus, mut gradient) = (self.zero(), self.zero(), self.zero());
        self.limit_field(Side::Plus, signs, y, &mut plus);
        self.limit_field(Side::Minus, signs, y, &mut minus);
        self.gradient(y, &mut gradient);
        let along = |field: &Self::State| -> f64 {
            let terms = gradient.as_slice().iter().zip(field.as_slice()).take(Self::DIMENSION);
            terms.map(|(g, f)| g * f).sum()
        };
        Lie { plus: along(&plus), minus: along(&minus) }
    }

    /// The signs of the sign functions at a state; none if one of them is zero.
    fn signs_at(&self, y: &Self::State) -> Option<Signs> {
        let mut signs = Signs::default();
        for index in 0..Self::SIGNS.min(MAX_SIGNS) {
            let value = self.sign_function(index, y);
            if value == 0.0 || value.is_nan() {
                return None;
            }
            signs = signs.with(index, value > 0.0);
        }
        Some(signs)
    }
}

/// Normal velocities of both fields at a point of the switching surface: L± = ∇h·f±.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lie {
    /// L₊.
    pub plus: f64,
    /// L₋.
    pub minus: f64,
}

impl Lie {
    /// The region that they mean. A border between crossing and the rest counts as crossing.
    pub fn region(self) -> Region {
        let Self { plus, minus } = self;
        if plus < 0.0 && minus > 0.0 {
            Region::Sliding
        } else if minus < 0.0 && plus > 0.0 {
            Region::Escaping
        } else if plus >= 0.0 && minus >= 0.0 && plus + minus > 0.0 {
            Region::CrossingPlus
        } else if plus <= 0.0 && minus <= 0.0 && plus + minus < 0.0 {
            Region::CrossingMinus
        } else {
            Region::Undetermined
        }
    }

    /// L₋ − L₊: positive in sliding, negative in escaping.
    pub fn gap(self) -> f64 {
        self.minus - self.plus
    }

    /// The number between −1 and 1 that mixes both fields to a tangent one, (L₋ + L₊)/(L₋ − L₊): 1 is all f₊.
    pub(crate) fn mix(self) -> f64 {
        (self.minus + self.plus) / self.gap()
    }
}
