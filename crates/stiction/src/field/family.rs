//! Shapes of correlation: the value against the distance in correlation lengths, and what follows from it.
//!
//! ```text
//! power exponential   exp(−rⁿ)                         n = 2 is "the Gaussian", exp(−r²), not exp(−r²/2)
//! Matérn              2^(1−ν)/Γ(ν) z^ν K_ν(z),  z = √(2ν) r
//! sum, product        Σ wᵢ Rᵢ(r/lᵢ) with Σ wᵢ = 1,  Π Rᵢ(r/lᵢ)
//! ```

use super::{CorrelationTable, Marginal};
use crate::num::formula::Formula;
use crate::num::jet::Jet;
use crate::num::quadrature::integral;
use crate::num::real::{exp, pow};
use crate::num::special::{gamma, ln_gamma, matern};
use std::f64::consts::{PI, TAU};

/// The shape of a correlation: its value against the distance in units of the correlation length.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Family {
    /// exp(−rⁿ); n = 2 is the Gaussian.
    PowerExponential {
        /// n [-], positive definite for 0 < n ≤ 2 only.
        exponent: f64,
    },
    /// Matérn's family.
    Matern {
        /// ν [-], > 0.
        smoothness: f64,
    },
    /// Pairs (distance, correlation).
    Table(CorrelationTable),
    /// A formula in the distance `r`.
    Expression(Formula),
    /// A sum with positive weights that sum to one.
    Sum(Vec<(f64, Stretched)>),
    /// A product.
    Product(Vec<Stretched>),
    /// The Gaussian parent of a coefficient that has a prescribed correlation: Nataf's inverse of it.
    Parent {
        /// The correlation of the coefficient.
        coefficient: Box<Family>,
        /// The marginal of the coefficient.
        marginal: Box<Marginal>,
    },
}

/// A family with a length of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Stretched {
    /// Its length, relative to the correlation length of the whole [-].
    pub(crate) length: f64,
    /// Its shape.
    pub(crate) family: Family,
}

impl Stretched {
    fn at(&self, r: f64) -> f64 {
        self.family.at(r / self.length)
    }
}

/// Below this a correlation counts as nothing.
const NOTHING: f64 = 1e-17;

impl Family {
    /// The Gaussian, exp(−r²).
    pub const GAUSSIAN: Family = Family::PowerExponential { exponent: 2.0 };

    /// The correlation at a distance of `r` correlation lengths [-].
    pub(crate) fn at(&self, r: f64) -> f64 {
        match self {
            Family::PowerExponential { exponent } if *exponent == 2.0 => exp(-r * r),
            Family::PowerExponential { exponent } if *exponent == 1.0 => exp(-r),
            Family::PowerExponential { exponent } => exp(-pow(r, *exponent)),
            Family::Matern { smoothness } => matern(*smoothness, r),
            Family::Table(table) => table.at(r),
            Family::Expression(formula) => formula.eval(&[r]),
            Family::Sum(terms) => terms.iter().map(|(weight, term)| weight * term.at(r)).sum(),
            Family::Product(factors) => factors.iter().map(|factor| factor.at(r)).product(),
            Family::Parent { coefficient, marginal } => {
                marginal.correlation_of_parent(coefficient.at(r)).unwrap_or(-1.0)
            }
        }
    }

    /// Exponent and length of the power exponential that this family is, if it is one.
    pub(crate) fn power_exponential(&self) -> Option<(f64, f64)> {
        match self {
            Family::PowerExponential { exponent } => Some((*exponent, 1.0)),
            Family::Matern { smoothness } if *smoothness == 0.5 => Some((1.0, 1.0)),
            Family::Sum(terms) => match terms.as_slice() {
                [(_, term)] => term.family.power_exponential().map(|(n, length)| (n, length * term.length)),
                _ => None,
            },
            // the exponents add: Σ (r/lᵢ)ⁿ
            Family::Product(factors) => {
                let mut together: Option<(f64, f64)> = None;
                for factor in factors {
                    let (n, length) = factor.family.power_exponential()?;
                    let rate = pow(length * factor.length, -n);
                    together = match together {
                        None => Some((n, rate)),
                        Some((same, sum)) if same == n => Some((n, sum + rate)),
                        Some(_) => return None,
                    };
                }
                together.map(|(n, rate)| (n, pow(rate, -1.0 / n)))
            }
            Family::Parent { coefficient, marginal } if matches!(**marginal, Marginal::Gaussian(_)) => {
                coefficient.power_exponential()
            }
            _ => None,
        }
    }

    /// Distance [correlation lengths] beyond which the correlation is below 1e-17. None if there is no such distance below
    /// 1e6, or none that values could tell.
    pub(crate) fn reach(&self) -> Option<f64> {
        let reach = match self {
            Family::PowerExponential { exponent } => pow(40.0, 1.0 / exponent),
            Family::Table(table) => table.reach(),
            Family::Matern { .. } => {
                let mut far = 4.0;
                while self.at(far) > NOTHING && far < 1e7 {
                    far *= 1.2;
                }
                far
            }
            Family::Expression(_) => {
                let dead = |r: f64| {
                    let places = [1.0, 1.13, 1.31, 1.57, 1.9, 2.3, 3.1, 4.7, 8.3, 31.0, 1e3];
                    places.iter().all(|factor| self.at(r * factor).abs() < NOTHING)
                };
                (0..40).map(|k| pow(1.4, f64::from(k))).find(|r| dead(*r))?
            }
            Family::Sum(terms) => {
                let mut reach = 0.0_f64;
                for (_, term) in terms {
                    reach = reach.max(term.family.reach()? * term.length);
                }
                reach
            }
            Family::Product(factors) => factors
                .iter()
                .filter_map(|factor| factor.family.reach().map(|reach| reach * factor.length))
                .min_by(f64::total_cmp)?,
            Family::Parent { coefficient, .. } => coefficient.reach()?,
        };
        (reach <= 1e6).then_some(reach)
    }

    /// Places where the function may have corners [correlation lengths].
    pub(super) fn breaks(&self) -> Vec<f64> {
        let stretched =
            |part: &Stretched| part.family.breaks().into_iter().map(|r| r * part.length).collect::<Vec<_>>();
        match self {
            Family::Table(table) => table.distances().collect(),
            Family::Sum(terms) => terms.iter().flat_map(|(_, term)| stretched(term)).collect(),
            Family::Product(factors) => factors.iter().flat_map(stretched).collect(),
            Family::Parent { coefficient, .. } => coefficient.breaks(),
            _ => Vec::new(),
        }
    }

    /// ∫₀^∞ R dr [correlation lengths]. None where it does not converge.
    pub(crate) fn integral_scale(&self) -> Option<f64> {
        match self {
            Family::PowerExponential { exponent } => Some(gamma(1.0 + 1.0 / exponent)).filter(|it| it.is_finite()),
            Family::Matern { smoothness: nu } => {
                let ratio = ln_gamma(nu + 0.5) - ln_gamma(*nu);
                Some((PI / (2.0 * nu)).sqrt() * exp(ratio))
            }
            Family::Sum(terms) => terms
                .iter()
                .map(|(weight, term)| term.family.integral_scale().map(|scale| weight * term.length * scale))
                .sum(),
            _ => self.integral(|r| self.at(r)),
        }
    }

    /// ∫ R dx dy over the plane [correlation lengths²], which is the spectral density at wave number 0.
    pub(crate) fn area(&self) -> Option<f64> {
        match self {
            Family::PowerExponential { exponent } => {
                Some(PI * gamma(1.0 + 2.0 / exponent)).filter(|area| area.is_finite())
            }
            Family::Matern { .. } => Some(TAU),
            Family::Sum(terms) => terms
                .iter()
                .map(|(weight, term)| term.family.area().map(|area| weight * term.length * term.length * area))
                .sum(),
            _ => self.integral(|r| TAU * r * self.at(r)),
        }
    }

    fn integral(&self, function: impl Fn(f64) -> f64) -> Option<f64> {
        let mut edges = self.breaks();
        edges.extend([0.0, self.reach()?]);
        edges.sort_by(f64::total_cmp);
        edges.windows(2).map(|pair| integral(pair[0], pair[1], &function).ok().map(|piece| piece.value)).sum()
    }

    /// −R″(0), the mean square of a derivative of the field in units of its variance and length [-]. None if the field has
    /// no derivative in mean square.
    pub(crate) fn curvature(&self) -> Option<f64> {
        match self {
            Family::PowerExponential { exponent } if *exponent == 2.0 => Some(2.0),
            Family::PowerExponential { exponent } if *exponent > 2.0 => Some(0.0),
            Family::PowerExponential { .. } => None,
            Family::Matern { smoothness } => (*smoothness > 1.0).then(|| smoothness / (smoothness - 1.0)),
            Family::Table(table) => table.curvature(),
            Family::Expression(formula) => {
                let [_, slope, bend] = formula.eval(&[Jet::<3>::variable(0.0)]).derivatives();
                (slope.abs() < 1e-12 && bend.is_finite()).then_some(-bend)
            }
            Family::Sum(terms) => terms
                .iter()
                .map(|(weight, term)| term.family.curvature().map(|it| weight * it / (term.length * term.length)))
                .sum(),
            Family::Product(factors) => factors
                .iter()
                .map(|factor| factor.family.curvature().map(|it| it / (factor.length * factor.length)))
                .sum(),
            Family::Parent { coefficient, marginal } => {
                // dR_G/dR_H at R = 1
                let slope: f64 = marginal.shares().iter().zip(1..).map(|(share, k)| share * f64::from(k)).sum();
                coefficient.curvature().map(|it| it / slope)
            }
        }
    }

    /// Whether a grid can exploit smoothness: n ≥ 2, Matérn with ν ≥ 5/2, tables and formulas that begin with slope zero.
    pub(crate) fn is_smooth(&self) -> bool {
        match self {
            Family::PowerExponential { exponent } => *exponent >= 2.0,
            Family::Matern { smoothness } => *smoothness >= 2.5,
            Family::Table(_) | Family::Expression(_) => self.curvature().is_some(),
            Family::Sum(terms) => terms.iter().all(|(_, term)| term.family.is_smooth()),
            Family::Product(factors) => factors.iter().all(|factor| factor.family.is_smooth()),
            Family::Parent { coefficient, .. } => coefficient.is_smooth(),
        }
    }

    /// The shortest length that the shape has, relative to the correlation length [-].
    pub(crate) fn shortest_length(&self) -> f64 {
        match self {
            Family::Sum(terms) => {
                terms.iter().map(|(_, term)| term.length * term.family.shortest_length()).fold(f64::INFINITY, f64::min)
            }
            Family::Product(factors) => factors
                .iter()
                .map(|factor| factor.length * factor.family.shortest_length())
                .fold(f64::INFINITY, f64::min),
            Family::Parent { coefficient, .. } => coefficient.shortest_length(),
            _ => 1.0,
        }
    }

    /// The name of the family.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Family::PowerExponential { .. } => "power_exponential",
            Family::Matern { .. } => "matern",
            Family::Table(_) => "table",
            Family::Expression(_) => "expression",
            Family::Sum(_) => "sum",
            Family::Product(_) => "product",
            Family::Parent { .. } => "gaussian parent",
        }
    }

    /// One sentence on how smooth such a field is.
    pub fn smoothness_in_words(&self) -> String {
        match self {
            Family::PowerExponential { exponent } if *exponent == 2.0 => {
                "The field is smooth: it has derivatives of every order, with mean square 2/l² along each axis."
                    .to_owned()
            }
            Family::PowerExponential { exponent } if *exponent > 2.0 => {
                format!("No such field exists: exp(-(r/l)^{exponent}) is not a correlation.")
            }
            _ => match self.curvature() {
                Some(curvature) => {
                    format!("The field has a derivative, with mean square {curvature:.6}/l² along each axis.")
                }
                None => "The field is continuous but has no derivative: finer grids show ever more detail.".to_owned(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Correlation, CorrelationTable, Marginal};
    use crate::num::real::ln_1p;
    use std::collections::BTreeMap;
    use std::f64::consts::FRAC_PI_2;

    fn power(exponent: f64) -> Family {
        Family::PowerExponential { exponent }
    }

    fn stretched(length: f64, family: Family) -> Stretched {
        Stretched { length, family }
    }

    #[test]
    fn sums_products_and_stretching_follow_their_rules() {
        let sum = Family::Sum(vec![(0.3, stretched(2.0, power(2.0))), (0.7, stretched(0.5, power(1.0)))]);
        assert!((sum.area().unwrap() - (0.3 * 4.0 * PI + 0.7 * 0.25 * TAU)).abs() < 1e-13);
        assert_eq!(sum.curvature(), None);
        // e^(−r²) e^(−r²/4) = e^(−(r/0.894)²)
        let bells = Family::Product(vec![stretched(1.0, power(2.0)), stretched(2.0, power(2.0))]);
        let (exponent, length) = bells.power_exponential().unwrap();
        assert!(exponent == 2.0 && (length - 0.8_f64.sqrt()).abs() < 1e-15);
        assert!((bells.curvature().unwrap() - 2.5).abs() < 1e-14);
        assert!((bells.area().unwrap() - 0.8 * PI).abs() < 1e-12);
        // turned by a right angle, the axes swap
        let turned = Correlation { family: power(2.0), length: [0.3, 0.1], angle: FRAC_PI_2 };
        let straight = Correlation { family: power(2.0), length: [0.1, 0.3], angle: 0.0 };
        assert!((turned.at(0.05, 0.2) - straight.at(0.05, 0.2)).abs() < 1e-15);
        assert!((turned.area().unwrap() - PI * 0.03).abs() < 1e-15);
        let cube = Correlation::isotropic(power(1.5), 0.2).power(3).unwrap();
        assert!((cube.at(0.1, 0.0) - Correlation::isotropic(power(1.5), 0.2).at(0.1, 0.0).powi(3)).abs() < 1e-15);
    }

    #[test]
    fn scales_and_curvatures_match_quadrature_and_differences() {
        let formula = Formula::parse("exp(-r^2)*(1 - r^2/4)", &["r"], &BTreeMap::new()).unwrap();
        let table: Vec<[f64; 2]> =
            (0..=60).map(|k| f64::from(k) / 10.0).map(|r| [r, if r < 6.0 { exp(-r * r) } else { 0.0 }]).collect();
        let marginal = Marginal::lognormal(0.5, 0.2).unwrap();
        let parent = Family::Parent { coefficient: Box::new(power(2.0)), marginal: Box::new(marginal) };
        for (family, scale, curvature) in [
            (power(2.0), 0.5 * PI.sqrt(), Some(2.0)),
            (power(1.0), 1.0, None),
            (Family::Matern { smoothness: 1.5 }, 2.0 / 3f64.sqrt(), Some(3.0)),
            (Family::Expression(formula), 0.4375 * PI.sqrt(), Some(2.5)),
            (Family::Table(CorrelationTable::new(&table).unwrap()), 0.886_23, None),
            (parent, 0.905_595_593_098_203_6, Some(2.0 * 0.16 / 1.16 / ln_1p(0.16))),
        ] {
            let digits = if family.name() == "table" { 1e-4 } else { 1e-12 };
            assert!(
                (family.integral_scale().unwrap() - scale).abs() < digits,
                "{family:?} {:?}",
                family.integral_scale()
            );
            let Some(curvature) = curvature else { continue };
            assert!((family.curvature().unwrap() - curvature).abs() < 1e-12, "{family:?}");
            let step = 1e-4;
            assert!((2.0 * (1.0 - family.at(step)) / (step * step) / curvature - 1.0).abs() < 2e-4, "{family:?}");
        }
        assert!(power(1.0).smoothness_in_words().contains("no derivative"));
    }
}
