//! Correlation as a function of the lag between two points.

pub use super::family::{Family, Stretched};
use crate::num::real::{cos, sin};

/// Correlation of a homogeneous field: a family, stretched by one or two lengths and turned by an angle.
#[derive(Debug, Clone, PartialEq)]
pub struct Correlation {
    /// Its shape.
    pub family: Family,
    /// Correlation lengths along the two principal axes \[m\]; equal for an isotropic field.
    pub length: [f64; 2],
    /// Angle from the x axis to the first principal axis \[rad\].
    pub angle: f64,
}

impl Correlation {
    /// An isotropic correlation.
    pub(crate) fn isotropic(family: Family, length: f64) -> Self {
        Self { family, length: [length, length], angle: 0.0 }
    }

    /// The Gaussian correlation exp(−r²/l²).
    pub fn gaussian(length: f64) -> Self {
        Self::isotropic(Family::GAUSSIAN, length)
    }

    /// Whether the correlation is the same in all directions.
    pub(crate) fn is_isotropic(&self) -> bool {
        self.length[0] == self.length[1]
    }

    /// The correlation [-] of two points that are (`dx`, `dy`) \[m\] apart.
    pub(crate) fn at(&self, dx: f64, dy: f64) -> f64 {
        self.family.at(self.stretched(dx, dy))
    }

    /// The distance of two points that are (`dx`, `dy`) \[m\] apart, in correlation lengths.
    pub(crate) fn stretched(&self, dx: f64, dy: f64) -> f64 {
        let [along, across] = self.length;
        if self.is_isotropic() {
            return (dx * dx + dy * dy).sqrt() / along;
        }
        let (c, s) = (cos(self.angle), sin(self.angle));
        let (u, v) = ((c * dx + s * dy) / along, (c * dy - s * dx) / across);
        (u * u + v * v).sqrt()
    }

    /// ∫₀^∞ R dr along the two principal axes \[m\]. None where it does not converge.
    pub fn integral_scale(&self) -> Option<[f64; 2]> {
        self.family.integral_scale().map(|scale| self.length.map(|length| scale * length))
    }

    /// ∫ R dx dy over the plane \[m²\], which sets every limit of small correlation length. None where it does not converge.
    pub fn area(&self) -> Option<f64> {
        self.family.area().map(|area| area * self.length[0] * self.length[1])
    }

    /// The shortest correlation length \[m\], over axes and terms.
    pub fn shortest_length(&self) -> f64 {
        self.length[0].min(self.length[1]) * self.family.shortest_length()
    }
}

#[cfg(test)]
impl Correlation {
    /// The correlation Rᵏ, which is the same family with l/k^(1/n) if R is a power exponential; None if it is not one.
    pub(crate) fn power(&self, k: u32) -> Option<Self> {
        let (exponent, length) = self.family.power_exponential()?;
        let shorter = length * crate::num::real::pow(f64::from(k), -1.0 / exponent);
        let family = Family::PowerExponential { exponent };
        Some(Self { family, length: self.length.map(|it| it * shorter), angle: self.angle })
    }
}
