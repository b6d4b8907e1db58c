//! A random field as it was asked for: marginal, correlation, and whose correlation it is.
//!
//! ```text
//! A, coefficient       C_H = σ² R                              the parent has Nataf's inverse of R
//! B, Gaussian parent   C_H = σ² Σ shareₖ Rᵏ                    lognormal: mean² (e^(s² R) − 1)
//! ```

use super::{Certificate, Correlation, CorrelationOf, Distortion, Family, FieldError, Indefinite, Marginal, Validity};
use crate::num::real::pow;

/// A homogeneous random field H = F⁻¹[Φ(G)].
#[derive(Debug, Clone, PartialEq)]
pub struct RandomField {
    /// Distribution of the coefficient at one point.
    pub marginal: Marginal,
    /// The correlation that was prescribed.
    pub prescribed: Correlation,
    /// Whose correlation it is.
    pub correlation_of: CorrelationOf,
    /// What to do if no such field exists.
    pub indefinite: Indefinite,
    /// Accepted negative mass of an embedding, relative to the variance [-].
    pub embedding_tolerance: f64,
    /// Memory that a generator may use \[bytes\].
    pub memory: u64,
}

/// What was done about a function that is no correlation.
#[derive(Debug, Clone, PartialEq)]
pub struct Defect {
    /// How it is treated: `projected` or `formal`.
    pub policy: Indefinite,
    /// The proof that it is none.
    pub certificate: Certificate,
}

impl Defect {
    /// The label that every table and figure of such a field carries.
    pub fn label(&self) -> &'static str {
        match self.policy {
            Indefinite::Formal => "no such field exists",
            _ => "projected onto the nearest field",
        }
    }
}

/// Terms (weight [-], length \[m\]) of a covariance Σ weight exp(−(r/length)ⁿ).
pub(crate) type Mixture = Vec<(f64, f64)>;

impl RandomField {
    /// Letter of the convention, A or B, that every result carries.
    pub fn convention(&self) -> char {
        match self.correlation_of {
            CorrelationOf::Coefficient => 'A',
            CorrelationOf::GaussianParent => 'B',
        }
    }

    /// Correlation of the Gaussian parent: as prescribed (B), or Nataf's inverse of it (A).
    pub(crate) fn parent(&self) -> Correlation {
        match (self.correlation_of, &self.marginal) {
            (CorrelationOf::GaussianParent, _) | (_, Marginal::Gaussian(_)) => self.prescribed.clone(),
            (CorrelationOf::Coefficient, _) => Correlation {
                family: Family::Parent {
                    coefficient: Box::new(self.prescribed.family.clone()),
                    marginal: Box::new(self.marginal.clone()),
                },
                ..self.prescribed.clone()
            },
        }
    }

    /// Correlation [-] of the coefficients at two points that are (`dx`, `dy`) \[m\] apart.
    pub(crate) fn correlation(&self, dx: f64, dy: f64) -> f64 {
        let prescribed = self.prescribed.at(dx, dy);
        match self.correlation_of {
            CorrelationOf::Coefficient => prescribed,
            CorrelationOf::GaussianParent => self.marginal.correlation_of_coefficient(prescribed),
        }
    }

    /// Covariance [-] of the coefficients at two points that are (`dx`, `dy`) \[m\] apart.
    pub fn covariance(&self, dx: f64, dy: f64) -> f64 {
        let deviation = self.marginal.standard_deviation();
        deviation * deviation * self.correlation(dx, dy)
    }

    /// The covariance of the coefficient as a sum weight · exp(−(r/length)ⁿ), with its exponent n, if it is exactly one: the
    /// correlation is an isotropic power exponential (or, under A, a sum of such with one exponent).
    ///
    /// Under B the weights are the variance times the shares of the powers Rᵏ, until they fall below 1e-18 of it. None for
    /// marginals whose series does not end that soon.
    pub(crate) fn power_exponential_mixture(&self) -> Option<(f64, Mixture)> {
        if !self.prescribed.is_isotropic() {
            return None;
        }
        let [scale, _] = self.prescribed.length;
        let deviation = self.marginal.standard_deviation();
        let variance = deviation * deviation;
        if self.correlation_of == CorrelationOf::Coefficient || matches!(self.marginal, Marginal::Gaussian(_)) {
            if let Some((exponent, length)) = self.prescribed.family.power_exponential() {
                return Some((exponent, vec![(variance, length * scale)]));
            }
            let Family::Sum(terms) = &self.prescribed.family else { return None };
            let mut mixture = Vec::new();
            let mut common = None;
            for (weight, term) in terms {
                let (exponent, length) = term.family.power_exponential()?;
                if *common.get_or_insert(exponent) != exponent {
                    return None;
                }
                mixture.push((variance * weight, length * term.length * scale));
            }
            return common.map(|exponent| (exponent, mixture));
        }
        let (exponent, length) = self.prescribed.family.power_exponential()?;
        let shares = self.marginal.shares();
        // the last share of a table stands for all that follow: not exact
        let ended = shares.last().is_none_or(|last| *last < 1e-14);
        if !ended {
            return None;
        }
        let mixture = shares
            .iter()
            .zip(1..)
            .filter(|(share, _)| **share > 1e-18)
            .map(|(share, k)| (variance * share, scale * length * pow(f64::from(k), -1.0 / exponent)))
            .collect();
        Some((exponent, mixture))
    }

    /// How much the marginal lowers the prescribed correlation at most; none under A.
    pub fn distortion(&self) -> Distortion {
        match self.correlation_of {
            CorrelationOf::Coefficient => Distortion { largest: 0.0, at: 0.5 },
            CorrelationOf::GaussianParent => self.marginal.distortion(),
        }
    }

    /// What is wrong with the prescribed correlation itself; moments need no more than this.
    ///
    /// # Errors
    /// [`FieldError::Indefinite`] if it is no correlation and the policy is to refuse it.
    pub fn defect(&self) -> Result<Option<Defect>, FieldError> {
        match self.prescribed.family.validity() {
            Validity::Valid { .. } | Validity::Nearly { .. } => Ok(None),
            Validity::Indefinite(certificate) => self.treated(certificate),
        }
    }

    /// The correlation that a generator receives, and what is wrong with it.
    ///
    /// # Errors
    /// [`FieldError::Indefinite`] if no Gaussian field has it and the policy is to refuse; [`FieldError::FormalOnly`] if the
    /// policy is `formal`.
    pub fn for_sampling(&self) -> Result<(Correlation, Option<Defect>), FieldError> {
        let parent = self.parent();
        let certificate = match parent.family.validity() {
            Validity::Valid { .. } | Validity::Nearly { .. } => return Ok((parent, None)),
            Validity::Indefinite(certificate) => certificate,
        };
        if self.indefinite == Indefinite::Formal {
            return Err(FieldError::FormalOnly { certificate, alternatives: self.alternatives() });
        }
        self.treated(certificate).map(|defect| (parent, defect))
    }

    fn treated(&self, certificate: Certificate) -> Result<Option<Defect>, FieldError> {
        match self.indefinite {
            Indefinite::Refuse => Err(FieldError::Indefinite {
                key: self.offending_key(&certificate).to_owned(),
                certificate,
                alternatives: self.alternatives(),
            }),
            policy => Ok(Some(Defect { policy, certificate })),
        }
    }

    fn offending_key(&self, certificate: &Certificate) -> &'static str {
        match (certificate, &self.prescribed.family) {
            (Certificate::ThreePoints { .. }, _) => "correlation_exponent",
            (_, Family::PowerExponential { .. } | Family::Matern { .. }) => "correlation_of",
            _ => "correlation",
        }
    }

    fn alternatives(&self) -> String {
        let mut ways = Vec::new();
        match &self.prescribed.family {
            Family::PowerExponential { exponent } if *exponent > 2.0 => {
                ways.push("give 0 < `correlation_exponent` <= 2");
            }
            _ if self.correlation_of == CorrelationOf::Coefficient => {
                ways.push("give the correlation to the Gaussian parent (`correlation_of` = \"gaussian_parent\")");
                ways.push("use `correlation_exponent` = 1 with a coefficient of variation of at most 1");
            }
            _ => ways.push("choose another `correlation`"),
        }
        if self.indefinite != Indefinite::Projected {
            ways.push("sample the nearest field (`indefinite` = \"projected\")");
        }
        if self.indefinite == Indefinite::Refuse {
            ways.push("or compute moments only (`indefinite` = \"formal\")");
        }
        format!("Alternatives: {}", ways.join("; "))
    }

    /// Accepted negative mass of an embedding [-]: the key, or what the data of a table already have.
    pub(crate) fn accepted_negative_mass(&self) -> f64 {
        match self.parent().family.validity() {
            Validity::Nearly { negative_mass } => self.embedding_tolerance.max(4.0 * negative_mass),
            _ => self.embedding_tolerance,
        }
    }
}

#[cfg(test)]
impl RandomField {
    /// The covariance of the coefficient as a sum of Gaussians, weight · exp(−r²/length²), if it is exactly one.
    pub(crate) fn gaussian_mixture(&self) -> Option<Mixture> {
        self.power_exponential_mixture().filter(|(exponent, _)| *exponent == 2.0).map(|(_, terms)| terms)
    }
}
