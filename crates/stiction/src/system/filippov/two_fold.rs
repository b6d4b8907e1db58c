//! Two-folds: points of the switching surface where both fields are tangent to it.
//!
//! ```text
//! h = L₊ = L₋ = 0,   K^ab = ∇L_a · f_b,   D = K⁻⁺ K⁺⁻ − K⁺⁺ K⁻⁻ ≠ 0
//! u = L₊, w = L₋, own time z:   d/dz (u, w) = [[−K⁺⁻, K⁺⁺], [−K⁻⁻, K⁻⁺]] (u, w),   dτ/dz = w − u
//! plus fold invisible for K⁺⁺ < 0, minus fold invisible for K⁻⁻ > 0; both: a Teixeira singularity
//! ```
//!
//! In the closure of the sliding region L₊ ≤ 0 ≤ L₋, so that L₋ − L₊ → 0 alone proves that both vanish: that is the
//! certificate by which a two-fold is detected.

use super::{Filippov, Lie, Side, Signs};
use crate::num::dense::solve;
use crate::system::Coords;
use nalgebra::DMatrix;
use serde::Serialize;

/// Second derivatives of h at a two-fold: K^ab = ∇(∇h·f_a)·f_b.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Folds {
    /// K⁺⁺.
    pub plus_plus: f64,
    /// K⁺⁻.
    pub plus_minus: f64,
    /// K⁻⁺.
    pub minus_plus: f64,
    /// K⁻⁻.
    pub minus_minus: f64,
}

/// Which of the two fields curve away from the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Both fields curve back to the surface: a Teixeira singularity.
    Teixeira,
    /// f₊ curves away, f₋ back.
    VisibleInvisible,
    /// f₊ curves back, f₋ away.
    InvisibleVisible,
    /// Both fields curve away.
    VisibleVisible,
    /// A fold is degenerate.
    Degenerate,
}

impl Visibility {
    /// `teixeira`, `visible_invisible`, `invisible_visible`, `visible_visible`, `degenerate`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Teixeira => "teixeira",
            Self::VisibleInvisible => "visible_invisible",
            Self::InvisibleVisible => "invisible_visible",
            Self::VisibleVisible => "visible_visible",
            Self::Degenerate => "degenerate",
        }
    }
}

/// What sticking motion near a Teixeira singularity does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Case {
    /// J₁, J₂ < 0 and J₁J₂ > 1: sliding motion flows into it, then into the escaping region. Determinism is lost.
    #[serde(rename = "1")]
    Through,
    /// J₁, J₂ > 0 and J₁J₂ > 1: sliding motion flows away from it, escaping motion into it.
    #[serde(rename = "2")]
    Reverse,
    /// J₁J₂ < 1: a saddle.
    #[serde(rename = "3")]
    Saddle,
}

impl Case {
    /// 1, 2 or 3.
    pub fn number(self) -> u8 {
        match self {
            Self::Through => 1,
            Self::Reverse => 2,
            Self::Saddle => 3,
        }
    }
}

/// The kind of the equilibrium that a two-fold is for the slowed-down sticking flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Local {
    /// Real eigenvalues of one sign.
    Node,
    /// Real eigenvalues of both signs.
    Saddle,
    /// Complex eigenvalues.
    Focus,
    /// A zero eigenvalue, or values that are not numbers.
    Degenerate,
}

impl Folds {
    /// D = K⁻⁺ K⁺⁻ − K⁺⁺ K⁻⁻: zero where the folds touch instead of crossing.
    pub fn determinant(&self) -> f64 {
        self.minus_plus * self.plus_minus - self.plus_plus * self.minus_minus
    }

    /// Which fields curve away.
    pub fn visibility(&self) -> Visibility {
        let (plus, minus) = (self.plus_plus, self.minus_minus);
        if plus < 0.0 && minus > 0.0 {
            Visibility::Teixeira
        } else if plus > 0.0 && minus > 0.0 {
            Visibility::VisibleInvisible
        } else if plus < 0.0 && minus < 0.0 {
            Visibility::InvisibleVisible
        } else if plus > 0.0 && minus < 0.0 {
            Visibility::VisibleVisible
        } else {
            Visibility::Degenerate
        }
    }

    /// √|K⁺⁺ K⁻⁻|: what rates at the two-fold are measured by.
    pub(crate) fn size(&self) -> f64 {
        (self.plus_plus * self.minus_minus).abs().sqrt()
    }

    /// Kn = √(−K⁺⁺ K⁻⁻), if it is real and not zero.
    pub fn norm(&self) -> Option<f64> {
        let square = -self.plus_plus * self.minus_minus;
        (square > 0.0).then(|| square.sqrt())
    }

    /// J₁ = K⁻⁺/Kn and J₂ = −K⁺⁻/Kn, where Kn is real.
    pub fn j(&self) -> Option<(f64, f64)> {
        self.norm().map(|norm| (self.minus_plus / norm, -self.plus_minus / norm))
    }

    /// J₁J₂ = K⁻⁺ K⁺⁻/(K⁺⁺ K⁻⁻), also where J₁ and J₂ are not real.
    pub fn j_product(&self) -> f64 {
        self.minus_plus * self.plus_minus / (self.plus_plus * self.minus_minus)
    }

    /// The case of a Teixeira singularity; none for other two-folds.
    pub fn case(&self) -> Option<Case> {
        if self.visibility() != Visibility::Teixeira {
            return None;
        }
        let (j1, j2) = self.j()?;
        let product = self.j_product();
        if product > 1.0 {
            Some(if j1 < 0.0 && j2 < 0.0 { Case::Through } else { Case::Reverse })
        } else {
            (product < 1.0).then_some(Case::Saddle)
        }
    }

    /// Real eigenvalues of the slowed-down sticking flow in (L₊, L₋), by size of their modulus: weak and strong.
    pub fn eigenvalues(&self) -> Option<(f64, f64)> {
        let half = 0.5 * (self.minus_plus - self.plus_minus);
        let mean = 0.5 * (self.minus_plus + self.plus_minus);
        // (trace/2)² − det without the difference of large terms: ((K⁻⁺ + K⁺⁻)/2)² − K⁺⁺ K⁻⁻
        let discriminant = mean * mean - self.plus_plus * self.minus_minus;
        if discriminant.is_nan() || discriminant < 0.0 {
            return None;
        }
        let strong = if half < 0.0 { half - discriminant.sqrt() } else { half + discriminant.sqrt() };
        let weak = if strong == 0.0 { 0.0 } else { -self.determinant() / strong };
        Some((weak, strong))
    }

    /// Node, saddle or focus.
    pub(crate) fn local(&self) -> Local {
        match self.eigenvalues() {
            None if self.determinant().is_nan() => Local::Degenerate,
            None => Local::Focus,
            Some((weak, strong)) if weak * strong > 0.0 => Local::Node,
            Some((weak, strong)) if weak * strong < 0.0 => Local::Saddle,
            Some(_) => Local::Degenerate,
        }
    }

    /// The weight of f₊ and f₋ in the limit of the sticking field along an eigendirection of this eigenvalue, and the ratio
    /// L₊/L₋ on it.
    pub fn direction(&self, eigenvalue: f64) -> Direction {
        // (−K⁺⁻ − λ) u + K⁺⁺ w = 0, or −K⁻⁻ u + (K⁻⁺ − λ) w = 0: the row with the larger entries
        let (first, second) = (self.plus_minus + eigenvalue, self.minus_plus - eigenvalue);
        let (u, w) = if first.abs() + self.plus_plus.abs() >= second.abs() + self.minus_minus.abs() {
            (self.plus_plus, first)
        } else {
            (second, self.minus_minus)
        };
        Direction { plus: u, minus: w }
    }

    /// Scaled coordinates (ξ, η) of a point next to a Teixeira singularity with these normal velocities, in which the sticking
    /// flow has the matrix [[J₁, 1], [1, J₂]]: L₊ = b η D/(2μ), L₋ = −ξ D/(2μ), b = √(−K⁺⁺/K⁻⁻). `mu` is the size of the mixed
    /// quantity on both sides.
    pub fn scaled(&self, lie: Lie, mu: f64) -> Option<(f64, f64)> {
        self.norm()?;
        let factor = 2.0 * mu / self.determinant();
        let b = (-self.plus_plus / self.minus_minus).sqrt();
        Some((-lie.minus * factor, lie.plus * factor / b))
    }

    /// The normal velocities at scaled coordinates: the inverse of [`Folds::scaled`].
    pub fn unscaled(&self, (xi, eta): (f64, f64), mu: f64) -> Option<Lie> {
        self.norm()?;
        let factor = self.determinant() / (2.0 * mu);
        let b = (-self.plus_plus / self.minus_minus).sqrt();
        Some(Lie { plus: b * eta * factor, minus: -xi * factor })
    }

    /// Where a slip along f₊ comes back to leading order: (u, w) with u > 0 goes to (−u, w − 2u K⁻⁺/K⁺⁺).
    pub fn returned_along_plus(&self, u: f64, w: f64) -> (f64, f64) {
        (-u, w - 2.0 * u * self.minus_plus / self.plus_plus)
    }
}

/// A direction in the plane of L₊ and L₋.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Direction {
    /// Share of L₊.
    pub(crate) plus: f64,
    /// Share of L₋.
    pub(crate) minus: f64,
}

impl Direction {
    /// The mix of both fields on it, (L₋ + L₊)/(L₋ − L₊): 1 is all f₊.
    pub fn mix(self) -> f64 {
        (self.minus + self.plus) / (self.minus - self.plus)
    }
}

/// A two-fold of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoFold<Y> {
    /// Where.
    pub state: Y,
    /// Its second derivatives.
    pub folds: Folds,
}

impl<Y: Coords + Copy> TwoFold<Y> {
    /// The two-fold nearest to a state, with its second derivatives from differences along the fields (about nine digits).
    pub fn near<F: Filippov<State = Y>>(model: &F, signs: Signs, y: &Y) -> Option<Self> {
        let state = nearest_two_fold(model, signs, y)?;
        let folds = Folds {
            plus_plus: second_derivative(model, signs, &state, Side::Plus, Side::Plus),
            plus_minus: second_derivative(model, signs, &state, Side::Plus, Side::Minus),
            minus_plus: second_derivative(model, signs, &state, Side::Minus, Side::Plus),
            minus_minus: second_derivative(model, signs, &state, Side::Minus, Side::Minus),
        };
        Some(Self { state, folds })
    }

    /// When a sticking motion that stands at `y` reaches the two-fold: distance over mean speed.
    pub fn arrival<F: Filippov<State = Y>>(&self, model: &F, signs: Signs, y: &Y) -> Option<Arrival> {
        let (weak, _) = self.folds.eigenvalues()?;
        let limit = self.folds.direction(weak).mix();
        let speed = |place: &Y, mix: f64| -> f64 {
            let (mut plus, mut minus) = (model.zero(), model.zero());
            model.limit_field(Side::Plus, signs, place, &mut plus);
            model.limit_field(Side::Minus, signs, place, &mut minus);
            let pairs = plus.as_slice().iter().zip(minus.as_slice()).take(F::DIMENSION);
            let square: f64 = pairs.map(|(p, m)| 0.5 * ((1.0 + mix) * p + (1.0 - mix) * m)).map(|f| f * f).sum();
            square.sqrt()
        };
        let pairs = self.state.as_slice().iter().zip(y.as_slice()).take(F::DIMENSION);
        let distance = pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        let (at, here) = (speed(&self.state, limit), speed(y, model.lie(signs, y).mix()));
        let remaining = 0.5 * distance * (1.0 / at + 1.0 / here);
        // the mean of both speeds differs from either by its own error, and the mean is one order better
        let error = 0.5 * distance * (1.0 / at - 1.0 / here).abs();
        (remaining.is_finite() && error.is_finite()).then_some(Arrival { remaining, error, distance })
    }
}

/// How far a two-fold is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrival {
    /// Time until it is reached, in the time of the fields.
    pub remaining: f64,
    /// Bound of the error of that time.
    pub error: f64,
    /// Distance, in the units of the state.
    pub distance: f64,
}

/// The point nearest to `y` where h, L₊ and L₋ vanish: Newton's method with the smallest step. None if it does not converge.
pub(crate) fn nearest_two_fold<F: Filippov>(model: &F, signs: Signs, y: &F::State) -> Option<F::State> {
    let mut place = *y;
    let values = |y: &F::State| {
        let lie = model.lie(signs, y);
        [model.switching(y), lie.plus, lie.minus]
    };
    for _ in 0..30 {
        let now = values(&place);
        let mut rows = [model.zero(), model.zero(), model.zero()];
        for i in 0..F::DIMENSION {
            let kept = place.as_slice()[i];
            let step = 1e-5 * (1.0 + kept.abs());
            place.as_mut_slice()[i] = kept + step;
            let ahead = values(&place);
            place.as_mut_slice()[i] = kept - step;
            let behind = values(&place);
            place.as_mut_slice()[i] = kept;
            for (row, (a, b)) in rows.iter_mut().zip(ahead.iter().zip(behind)) {
                row.as_mut_slice()[i] = (a - b) / (2.0 * step);
            }
        }
        // smallest step with J δ = −values: δ = Jᵀ c, J Jᵀ c = −values
        let product = |a: &F::State, b: &F::State| -> f64 {
            a.as_slice().iter().zip(b.as_slice()).take(F::DIMENSION).map(|(a, b)| a * b).sum()
        };
        let matrix = DMatrix::from_fn(rows.len(), rows.len(), |i, j| product(&rows[i], &rows[j]));
        let right = solve(matrix, now.iter().map(|value| -value))?;
        let (mut length, mut size) = (0.0, 0.0);
        for i in 0..F::DIMENSION {
            let step: f64 = rows.iter().zip(&right).map(|(row, c)| row.as_slice()[i] * c).sum();
            place.as_mut_slice()[i] += step;
            length += step * step;
            size += place.as_slice()[i] * place.as_slice()[i];
        }
        if !length.is_finite() {
            return None;
        }
        if length.sqrt() <= 1e-13 * (1.0 + size.sqrt()) {
            return Some(place);
        }
    }
    None
}

/// K^ab = derivative of ∇h·f_a along f_b, by central differences extrapolated twice.
fn second_derivative<F: Filippov>(model: &F, signs: Signs, at: &F::State, a: Side, b: Side) -> f64 {
    let mut along = model.zero();
    model.limit_field(b, signs, at, &mut along);
    let size = along.as_slice().iter().take(F::DIMENSION).map(|f| f * f).sum::<f64>().sqrt();
    let value = |step: f64| {
        let mut place = *at;
        for (y, f) in place.as_mut_slice().iter_mut().zip(along.as_slice()).take(F::DIMENSION) {
            *y += step * f;
        }
        let lie = model.lie(signs, &place);
        if a == Side::Plus { lie.plus } else { lie.minus }
    };
    if size == 0.0 {
        return 0.0;
    }
    let step = 4e-3 / size;
    let difference = |step: f64| (value(step) - value(-step)) / (2.0 * step);
    let [coarse, middle, fine] = [step, 0.5 * step, 0.25 * step].map(difference);
    let (low, high) = (middle + (middle - coarse) / 3.0, fine + (fine - middle) / 3.0);
    high + (high - low) / 15.0
}
