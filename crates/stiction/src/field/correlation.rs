//! Correlation as a function of the lag between two points.

use crate::num::real::{cos, exp, pow, sin};

/// The shape of a correlation: its value against the distance in units of the correlation length.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Family {
    /// exp(−rⁿ); n = 2 is the Gaussian.
    PowerExponential {
        /// n [-], positive definite for 0 < n ≤ 2 only.
        exponent: f64,
    },
}

impl Family {
    /// The correlation at a distance of `r` correlation lengths [-].
    pub fn at(&self, r: f64) -> f64 {
        match self {
            Family::PowerExponential { exponent } if *exponent == 2.0 => exp(-r * r),
            Family::PowerExponential { exponent } => exp(-pow(r, *exponent)),
        }
    }
}

/// Correlation of a homogeneous field: a family, stretched by one or two lengths and turned by an angle.
#[derive(Debug, Clone, PartialEq)]
pub struct Correlation {
    /// Its shape.
    pub family: Family,
    /// Correlation lengths along the two principal axes \[m\]; equal for an isotropic field.
    pub length: [f64; 2],
    /// Angle from the x axis to the first principal axis [rad].
    pub angle: f64,
}

impl Correlation {
    /// An isotropic correlation.
    pub fn isotropic(family: Family, length: f64) -> Self {
        Self { family, length: [length, length], angle: 0.0 }
    }

    /// The Gaussian correlation exp(−r²/l²).
    pub fn gaussian(length: f64) -> Self {
        Self::isotropic(Family::PowerExponential { exponent: 2.0 }, length)
    }

    /// Whether the correlation is the same in all directions.
    pub fn is_isotropic(&self) -> bool {
        self.length[0] == self.length[1]
    }

    /// The correlation [-] of two points that are (`dx`, `dy`) \[m\] apart.
    pub fn at(&self, dx: f64, dy: f64) -> f64 {
        let [along, across] = self.length;
        if self.is_isotropic() {
            return self.family.at((dx * dx + dy * dy).sqrt() / along);
        }
        let (c, s) = (cos(self.angle), sin(self.angle));
        let (u, v) = ((c * dx + s * dy) / along, (c * dy - s * dx) / across);
        self.family.at((u * u + v * v).sqrt())
    }
}
