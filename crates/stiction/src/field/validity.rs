//! Whether a function is a correlation at all, and the proof if it is not.
//!
//! A correlation is positive definite: its spectral density is nowhere negative, and no combination of values of the field
//! has a negative variance. Where this fails there is a certificate: three points, a wave number, a matrix.

use super::generator::PointMatrix;
use super::{Correlation, Family, Marginal};
use crate::num::real::{exp, pow};
use crate::num::roots::{minimum, root};
use std::fmt;

/// The outcome of a check.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Validity {
    /// It is a correlation; why.
    Valid {
        /// The reason, as a phrase.
        reason: String,
    },
    /// It is one up to the errors of its data: the negative part of the spectrum is set to zero and reported.
    Nearly {
        /// Share of the variance that is negative [-]: ∫ |S<0| / ∫ S.
        negative_mass: f64,
    },
    /// It is not one.
    Indefinite(Certificate),
}

/// The proof that a function is no correlation. Distances are in correlation lengths, wave numbers in their inverse.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Certificate {
    /// Points 0, h, 2h on a line: G(0) − 2 G(h) + G(2h) would have the negative variance 6 − 8 R(h) + 2 R(2h).
    ThreePoints {
        /// h where the variance is lowest [correlation lengths].
        step: f64,
        /// The variance there [-].
        form: f64,
    },
    /// The spectral density is negative at a wave number.
    NegativeDensity {
        /// Where it first becomes negative [1/correlation length].
        first: f64,
        /// Where it is lowest [1/correlation length].
        lowest_at: f64,
        /// The lowest density, relative to that at wave number 0 [-].
        lowest: f64,
        /// Share of the variance that is negative [-]: ∫ |S<0| / ∫ S.
        negative_mass: f64,
    },
    /// The correlation matrix of a grid has a negative eigenvalue.
    NegativeEigenvalue {
        /// Points along each side of the square grid.
        side: usize,
        /// Their distance [correlation lengths].
        step: f64,
        /// The smallest eigenvalue [-].
        smallest: f64,
        /// Sum of the sizes of negative eigenvalues over the sum of all [-].
        negative_mass: f64,
    },
    /// The function leaves [−1, 1], or is not 1 at distance 0.
    NotACorrelation {
        /// Distance [correlation lengths].
        distance: f64,
        /// The value there [-].
        value: f64,
    },
    /// The coefficient would have to be correlated more negatively than its marginal allows.
    BelowReach {
        /// Distance [correlation lengths].
        distance: f64,
        /// The correlation that was asked for [-].
        correlation: f64,
        /// The least that is possible [-].
        least: f64,
    },
}

impl fmt::Display for Certificate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Certificate::ThreePoints { step, form } => write!(
                out,
                "at the points 0, h, 2h with h = {step:.6} correlation lengths the sum G(0) - 2 G(h) + G(2h) would have \
                 the variance 6 - 8 R(h) + 2 R(2h) = {form:.6} < 0"
            ),
            Certificate::NegativeDensity { first, lowest_at, lowest, negative_mass } => write!(
                out,
                "the spectral density is negative from wave number k l = {first:.6} on, {lowest:.3e} of its value at 0 \
                 at k l = {lowest_at:.4}; negative mass {negative_mass:.3e} (sum of negative over sum of all)"
            ),
            Certificate::NegativeEigenvalue { side, step, smallest, negative_mass } => write!(
                out,
                "the correlation matrix of a grid of {side} by {side} points with step {step} correlation lengths has \
                 the eigenvalue {smallest:.6e} < 0; negative mass {negative_mass:.3e} (sum of negative over sum of all)"
            ),
            Certificate::NotACorrelation { distance, value } => {
                write!(out, "it is {value} at a distance of {distance} correlation lengths, but a correlation ")?;
                if *distance == 0.0 { write!(out, "is 1 there") } else { write!(out, "lies in [-1, 1]") }
            }
            Certificate::BelowReach { distance, correlation, least } => write!(
                out,
                "it is {correlation:.6} at a distance of {distance:.4} correlation lengths, but the marginal allows no \
                 correlation below {least:.6}"
            ),
        }
    }
}

/// Negative mass below which a function given by a formula is taken as a correlation: errors of the transform.
const FORMULA_TOLERANCE: f64 = 1e-10;
/// The same for a table: its digits and the curve between its entries.
const TABLE_TOLERANCE: f64 = 1e-3;
/// The largest wave number looked at [1/shortest length].
const FARTHEST: f64 = 30.0;
/// The longest tail that is transformed [shortest lengths].
const LONGEST_TAIL: f64 = 60.0;

impl Family {
    /// Whether this is a correlation in the plane.
    pub(crate) fn validity(&self) -> Validity {
        match self {
            Family::PowerExponential { exponent } if *exponent <= 2.0 => {
                valid("exp(-r^n) is positive definite for 0 < n <= 2")
            }
            Family::PowerExponential { exponent } => three_points(*exponent),
            Family::Matern { .. } => valid("Matérn's function is positive definite for every smoothness"),
            Family::Sum(terms) if terms.iter().all(|(_, term)| is_valid(&term.family)) => {
                valid("a sum of correlations with positive weights is a correlation")
            }
            Family::Product(factors) if factors.iter().all(|factor| is_valid(&factor.family)) => {
                valid("a product of correlations is a correlation")
            }
            Family::Parent { coefficient, marginal } => parent_validity(self, coefficient, marginal),
            _ => by_numbers(self),
        }
    }

    /// Whether a table takes part: its numbers have few digits.
    fn has_table(&self) -> bool {
        match self {
            Family::Table(_) => true,
            Family::Sum(terms) => terms.iter().any(|(_, term)| term.family.has_table()),
            Family::Product(factors) => factors.iter().any(|factor| factor.family.has_table()),
            Family::Parent { coefficient, .. } => coefficient.has_table(),
            _ => false,
        }
    }
}

fn valid(reason: &str) -> Validity {
    Validity::Valid { reason: reason.to_owned() }
}

fn is_valid(family: &Family) -> bool {
    matches!(family.validity(), Validity::Valid { .. })
}

/// The lowest value of 6 − 8 R(h) + 2 R(2h) = (8 − 2^(n+1)) hⁿ + …, negative for small h and n > 2.
fn three_points(exponent: f64) -> Validity {
    let form = |h: f64| 6.0 - 8.0 * exp(-pow(h, exponent)) + 2.0 * exp(-pow(2.0 * h, exponent));
    // for n near 2 the dip is flat and close to zero: steps by ratio
    let best = (0..400).map(|k| 1.5 * pow(0.95, f64::from(k))).min_by(|a, b| form(*a).total_cmp(&form(*b)));
    let best = best.unwrap_or(0.5);
    let lowest = minimum(0.9 * best, 1.1 * best, form);
    Validity::Indefinite(Certificate::ThreePoints { step: lowest.at, form: lowest.value })
}

/// The parent of a coefficient whose correlation is prescribed.
fn parent_validity(parent: &Family, coefficient: &Family, marginal: &Marginal) -> Validity {
    let inner = coefficient.validity();
    if matches!(inner, Validity::Indefinite(_)) || matches!(marginal, Marginal::Gaussian(_)) {
        return inner;
    }
    if let (Marginal::Lognormal(_), Some((exponent, length))) = (marginal, coefficient.power_exponential()) {
        let variation = marginal.variation();
        if exponent == 2.0
            && let Some(certificate) = lognormal_bell(variation * variation, length)
        {
            return Validity::Indefinite(certificate);
        }
        if exponent <= 1.0 && variation <= 1.0 {
            return valid(
                "ln(1 + cv^2 R) has an alternating series of falling spectral densities for n <= 1 and cv <= 1",
            );
        }
    }
    by_numbers(parent)
}

/// ln(1 + cv² e^(−r²)): the density is proportional to Σ (−1)^(j+1) cv^(2j)/j² exp(−k²/4j), negative beyond about
/// k = √(8 ln(4/cv²)).
fn lognormal_bell(square_variation: f64, length: f64) -> Option<Certificate> {
    let series = |k: f64| {
        let (mut sum, mut power) = (0.0, 1.0);
        for j in 1..2000 {
            let j = f64::from(j);
            power *= square_variation;
            let term = power / (j * j) * exp(-0.25 * k * k / j);
            sum += if j % 2.0 == 1.0 { term } else { -term };
            if power / (j * j) < 1e-18 * sum.abs() {
                break;
            }
        }
        sum
    };
    // the series needs cv < 1; beyond, the density is large enough for a transform
    let transform = if square_variation < 0.7 {
        None
    } else {
        let function = |r: f64| crate::num::real::ln_1p(square_variation * exp(-r * r));
        let reach = (45.0 + crate::num::real::ln(1.0 + square_variation)).sqrt();
        Some(super::hankel::RadialTransform::new(function, reach, &[], 30.0)?)
    };
    let density = |k: f64| transform.as_ref().map_or_else(|| series(k), |transform| transform.at(k));
    // k² of the first zero is about 8 ln(4/cv²): for tiny cv far out, where exp still has its digits
    let farthest = if transform.is_some() { 30.0 } else { 50.0 };
    scan(density, farthest, 0.02, 0.0).map(|found| found.certificate(length))
}

/// Where a density is negative.
struct Negative {
    first: f64,
    lowest_at: f64,
    lowest: f64,
    mass: f64,
}

impl Negative {
    fn certificate(self, length: f64) -> Certificate {
        Certificate::NegativeDensity {
            first: self.first / length,
            lowest_at: self.lowest_at / length,
            lowest: self.lowest,
            negative_mass: self.mass,
        }
    }
}

/// Looks for values below −`noise` × density(0) from wave number 0 to `farthest`.
fn scan(density: impl Fn(f64) -> f64, farthest: f64, step: f64, noise: f64) -> Option<Negative> {
    let whole = density(0.0);
    let (mut total, mut negative) = (0.0, 0.0);
    let (mut lowest, mut lowest_at, mut first) = (0.0_f64, 0.0, None);
    let mut before = 0.0;
    for k in (1..=(farthest / step) as u32).map(|k| f64::from(k) * step) {
        let here = density(k) / whole;
        total += here * k;
        if here < -noise {
            negative -= here * k;
            first = first.or(Some((before, k)));
            if here < lowest {
                (lowest, lowest_at) = (here, k);
            }
        }
        before = k;
    }
    let (from, to) = first?;
    let first = root(from, to, &density).unwrap_or(to);
    Some(Negative { first, lowest_at, lowest, mass: negative / total.abs().max(f64::MIN_POSITIVE) })
}

/// By the spectral density if the function dies out, else by the eigenvalues of grids.
fn by_numbers(family: &Family) -> Validity {
    if let Some(certificate) = out_of_bounds(family) {
        return Validity::Indefinite(certificate);
    }
    let shortest = family.shortest_length();
    let farthest = FARTHEST / shortest;
    // a long tail costs distances times wave numbers: grids decide then
    let reach = family.reach().filter(|reach| *reach <= LONGEST_TAIL * shortest);
    let transform = reach.and_then(|reach| family.transform(farthest).map(|transform| (reach, transform)));
    let Some((reach, transform)) = transform else { return by_grids(family) };
    // waves of the density have the length 2π/reach
    let step = (0.1 / shortest).min(1.5 / reach);
    let noise = 1e-13 * transform.magnitude() / transform.at(0.0).abs().max(f64::MIN_POSITIVE);
    let tolerance = if family.has_table() { TABLE_TOLERANCE } else { FORMULA_TOLERANCE };
    match scan(|k| transform.at(k), farthest, step, noise) {
        None if transform.at(0.0) < 0.0 => Validity::Indefinite(Certificate::NegativeDensity {
            first: 0.0,
            lowest_at: 0.0,
            lowest: -1.0,
            negative_mass: 1.0,
        }),
        None => valid("its spectral density is not negative at any wave number up to k l = 30"),
        Some(found) if found.mass <= tolerance => Validity::Nearly { negative_mass: found.mass },
        Some(found) => Validity::Indefinite(found.certificate(1.0)),
    }
}

/// Values that no correlation has.
fn out_of_bounds(family: &Family) -> Option<Certificate> {
    let at_zero = family.at(0.0);
    let one = (at_zero - 1.0).abs() <= 1e-12;
    if !one {
        return Some(Certificate::NotACorrelation { distance: 0.0, value: at_zero });
    }
    let far = family.reach().unwrap_or(100.0);
    for distance in (1..2000).map(|k| far * f64::from(k) / 2000.0) {
        if let Family::Parent { coefficient, marginal } = family {
            let (correlation, least) = (coefficient.at(distance), marginal.least_correlation());
            if correlation < least - 1e-12 {
                return Some(Certificate::BelowReach { distance, correlation, least });
            }
        }
        let value = family.at(distance);
        let possible = value.abs() <= 1.0 + 1e-12;
        if !possible {
            return Some(Certificate::NotACorrelation { distance, value });
        }
    }
    None
}

fn by_grids(family: &Family) -> Validity {
    const SIDE: usize = 12;
    let correlation = Correlation::isotropic(family.clone(), 1.0);
    for step in [0.05, 0.15, 0.4, 1.0, 2.5] {
        let step = step * family.shortest_length();
        let points: Vec<[f64; 2]> =
            (0..SIDE * SIDE).map(|k| [(k % SIDE) as f64 * step, (k / SIDE) as f64 * step]).collect();
        let Ok(matrix) = PointMatrix::new(&points, &|x, y| correlation.at(x, y)) else { continue };
        let report = matrix.report();
        if report.smallest < -1e-10 * report.largest {
            return Validity::Indefinite(Certificate::NegativeEigenvalue {
                side: SIDE,
                step,
                smallest: report.smallest,
                negative_mass: report.negative_mass,
            });
        }
    }
    valid("no grid of 12 by 12 points with steps from 0.05 to 2.5 correlation lengths has a negative eigenvalue")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{CorrelationTable, Stretched};
    use crate::num::formula::Formula;
    use std::collections::BTreeMap;

    fn power(exponent: f64) -> Family {
        Family::PowerExponential { exponent }
    }

    fn formula(text: &str) -> Family {
        Family::Expression(Formula::parse(text, &["r"], &BTreeMap::new()).unwrap())
    }

    fn table(function: impl Fn(f64) -> f64, step: f64, last: u32) -> Family {
        let pair = |k| [step * f64::from(k), if k < last { function(step * f64::from(k)) } else { 0.0 }];
        Family::Table(CorrelationTable::new(&(0..=last).map(pair).collect::<Vec<_>>()).unwrap())
    }

    fn parent(coefficient: Family, marginal: Marginal) -> Family {
        Family::Parent { coefficient: Box::new(coefficient), marginal: Box::new(marginal) }
    }

    /// mpmath with 25 digits.
    #[test]
    fn three_points_refuse_every_exponent_above_two() {
        for (exponent, step, form) in [
            (2.01, 0.048_575_297_454, -6.357_017_514_550_47e-5),
            (2.5, 0.353_737_520_980, -0.113_451_471_249_563),
            (3.0, 0.462_639_248_328, -0.340_065_649_847_347),
            (4.0, 0.551_367_355_391, -0.837_918_664_186_626),
        ] {
            let Validity::Indefinite(Certificate::ThreePoints { step: at, form: lowest }) = power(exponent).validity()
            else {
                panic!("{exponent}")
            };
            assert!((at - step).abs() < 1e-6 && (lowest - form).abs() < 1e-12, "{exponent}: {at} {lowest}");
        }
        assert!(is_valid(&power(2.0)) && is_valid(&power(0.3)));
    }

    /// mpmath with 25 digits: the first zero of the parent's spectral density.
    #[test]
    fn no_lognormal_field_has_a_gaussian_correlation() {
        for (variation, first) in [
            (0.05, 7.689_386_820_189_16),
            (0.2, 6.125_023_193_430_55),
            (0.5, 4.946_653_496_364_74),
            (0.8, 4.336_328_683_726_36),
            (1.0, 4.060_104_071_000_06),
            (2.0, 3.314_236_574_904_33),
        ] {
            let marginal = Marginal::lognormal(0.5, 0.5 * variation).unwrap();
            let Validity::Indefinite(certificate) = parent(power(2.0), marginal.clone()).validity() else { panic!() };
            let Certificate::NegativeDensity { first: found, lowest, negative_mass, .. } = certificate else {
                panic!()
            };
            assert!((found - first).abs() < 1e-9, "{variation}: {found} {first}");
            assert!(lowest < 0.0 && negative_mass > 0.0 && negative_mass < 0.1, "{lowest} {negative_mass}");
            // the pointed correlation has a parent
            assert!(variation > 1.0 || is_valid(&parent(power(1.0), marginal)));
        }
    }

    #[test]
    fn formulas_and_tables_are_judged_by_their_spectrum() {
        for good in [
            formula("exp(-r^2)"),
            formula("exp(-r)*cos(r/2)"),
            formula("max(0, 1 - 1.5*r + 0.5*r^3)*(1 - step(r - 1))"),
        ] {
            assert!(!matches!(good.validity(), Validity::Indefinite(_)), "{good:?} {:?}", good.validity());
        }
        // a cone is no correlation in the plane, nor is a plateau
        for bad in [
            formula("max(0, 1 - r)"),
            formula("exp(-r^3)"),
            formula("1/(1 + r^4)"),
            table(|r| exp(-r * r * r), 0.1, 40),
        ] {
            let verdict = bad.validity();
            assert!(
                matches!(
                    verdict,
                    Validity::Indefinite(Certificate::NegativeDensity { .. } | Certificate::NegativeEigenvalue { .. })
                ),
                "{bad:?}: {verdict:?}"
            );
        }
        for (text, distance) in [("0.9*exp(-r)", true), ("exp(r)", false), ("1 + r", false)] {
            let Validity::Indefinite(Certificate::NotACorrelation { distance: at, .. }) = formula(text).validity()
            else {
                panic!("{text}")
            };
            assert_eq!(at == 0.0, distance);
        }
        // no end in sight: eigenvalues of grids
        assert!(is_valid(&formula("1/(1 + r^2)")));
        assert!(matches!(formula("cos(r)").validity(), Validity::Indefinite(Certificate::NegativeEigenvalue { .. })));
        // a table of ten entries per length is a correlation but for its digits
        let verdict = table(|r| (1e4 * exp(-r * r)).round() / 1e4, 0.1, 35).validity();
        assert!(matches!(verdict, Validity::Valid { .. } | Validity::Nearly { .. }), "{verdict:?}");
    }

    /// Parents without a proof of their own are decided by numbers: pointed correlations keep a positive spectrum under a
    /// mild marginal, the bell loses it under every marginal that bends.
    #[test]
    fn other_parents_are_judged_by_their_spectrum() {
        let table = [[0.0, 0.2], [0.3, 0.45], [0.8, 0.6], [1.0, 1.1]];
        for marginal in [
            Marginal::uniform(0.5, 0.1).unwrap(),
            Marginal::truncated_normal(0.5, 0.3).unwrap(),
            Marginal::quantiles(&table).unwrap(),
        ] {
            assert!(is_valid(&parent(power(1.0), marginal.clone())), "{marginal:?}");
            let bell = parent(power(2.0), marginal).validity();
            assert!(matches!(bell, Validity::Indefinite(Certificate::NegativeDensity { .. })), "{bell:?}");
        }
    }

    #[test]
    fn a_sum_with_an_invalid_term_is_judged_as_a_whole() {
        let term = |length, exponent| Stretched { length, family: power(exponent) };
        assert!(is_valid(&Family::Sum(vec![(0.5, term(1.0, 2.0)), (0.5, term(3.0, 1.0))])));
        assert!(!is_valid(&Family::Sum(vec![(0.5, term(1.0, 2.0)), (0.5, term(1.0, 4.0))])));
        // marginals that cannot be as opposed as asked
        let marginal = Marginal::lognormal(1.0, 3.0).unwrap();
        let waves = parent(formula("exp(-r^2/8)*cos(2*r)"), marginal);
        assert!(matches!(waves.validity(), Validity::Indefinite(_)));
    }
}
