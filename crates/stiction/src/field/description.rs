//! From the keys of a scenario to a field: every contradiction is told, then nothing is left open.

use super::{
    Correlation, CorrelationOf, CorrelationTable, Family, FieldError, FieldModel, GeneratorChoice, Indefinite,
    KernelChoice, KernelTerm, LengthChoice, Marginal, MarginalChoice, RandomField, Stretched, TermChoice,
};
use crate::Problem;
use crate::keys::{Check, outside};
use crate::num::formula::Formula;
use std::collections::BTreeMap;

/// A field that is known as far as its keys say: a given function, or a random field.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FieldDescription {
    /// The same coefficient [-] everywhere.
    Constant(f64),
    /// A formula.
    Expression(FormulaField),
    /// A measured map in a file, by its path.
    File(String),
    /// A random field.
    Random(Box<RandomField>),
}

/// A coefficient given by a formula in x and y \[m\].
#[derive(Debug, Clone, PartialEq)]
pub struct FormulaField {
    formula: Formula,
    /// Length after which it repeats along x \[m\].
    period: Option<f64>,
}

impl FormulaField {
    /// Reads a formula in `x` and `y`.
    ///
    /// # Errors
    /// [`FieldError::Invalid`] with the column of what is wrong.
    pub(crate) fn new(text: &str) -> Result<Self, FieldError> {
        read("expression", text, &["x", "y"])
            .map(|formula| Self { formula, period: None })
            .map_err(|problem| FieldError::Invalid { problems: vec![problem] })
    }

    /// The same formula on a loop of this length \[m\], > 0: x is counted from the start of the loop.
    #[must_use]
    pub(crate) fn repeated(self, period: f64) -> Self {
        Self { period: Some(period), ..self }
    }

    /// The formula.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The coefficient [-] at a point \[m\].
    pub(crate) fn at(&self, x: f64, y: f64) -> f64 {
        let x = self.period.map_or(x, |period| x.rem_euclid(period));
        self.formula.eval(&[x, y])
    }

    /// Checks that the coefficient is positive at the points of a grid over the box from `low` to `high` \[m\], both
    /// included, with at most this `step` \[m\]. A grid of more than a million points is thinned to that.
    ///
    /// # Errors
    /// [`FieldError::NotPositive`] with the first point where it is not.
    pub fn check_positive(&self, low: [f64; 2], high: [f64; 2], step: f64) -> Result<(), FieldError> {
        let cells = |axis: usize| {
            let count = ((high[axis] - low[axis]) / step).abs().ceil();
            if count.is_finite() { count.clamp(1.0, 1000.0) as u32 } else { 1000 }
        };
        let (columns, rows) = (cells(0), cells(1));
        for row in 0..=rows {
            let y = low[1] + (high[1] - low[1]) * f64::from(row) / f64::from(rows);
            for column in 0..=columns {
                let x = low[0] + (high[0] - low[0]) * f64::from(column) / f64::from(columns);
                let value = self.at(x, y);
                if !(value.is_finite() && value > 0.0) {
                    return Err(FieldError::NotPositive { key: "expression".to_owned(), x, y, value });
                }
            }
        }
        Ok(())
    }
}

/// Correlation lengths whose powers are numbers \[m\].
const LENGTHS: std::ops::RangeInclusive<f64> = 1e-30..=1e30;

impl FieldModel {
    /// Everything that is wrong with the keys. Whether a table or a formula is a correlation, and whether a field under
    /// convention A can be sampled, is told by [`FieldModel::prepared`] and [`RandomField::for_sampling`].
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let found = outside(self);
        if found.is_empty() { self.contradictions() } else { found }
    }

    /// What is wrong beyond the range of each key.
    pub(crate) fn contradictions(&self) -> Vec<Problem> {
        let mut check = Check::default();
        let given = self.given_keys();
        if let [first, second, ..] = given.as_slice() {
            check.problem(*second, format!("contradicts `{first}`: both give the whole field; leave one out"));
        }
        if let Some(function) = given.first() {
            for key in self.random_keys() {
                let message =
                    format!("contradicts `{function}`, which gives the whole field; leave out `{key}` or `{function}`");
                check.problem(key, message);
            }
            if let Some(text) = &self.expression
                && let Err(problem) = read("expression", text, &["x", "y"])
            {
                check.problem(&problem.key, problem.message);
            }
            self.check_loop(&mut check);
            if self.file.as_ref().is_some_and(|path| path.trim().is_empty()) {
                check.problem("file", "is empty, but must name a file".to_owned());
            }
        } else {
            self.check_random(&mut check);
            self.check_loop(&mut check);
        }
        check.found()
    }

    /// Whether the keys of a loop fit the field.
    fn check_loop(&self, check: &mut Check) {
        if self.loop_length.is_some() && !(self.periodic && self.expression.is_some()) {
            let message = "belongs to `expression` with `periodic` = true; the loop of a `file` is as long as its map";
            check.problem("loop_length", message.to_owned());
        }
        if self.periodic && self.expression.is_some() && self.loop_length.is_none() {
            check.problem(
                "loop_length",
                "is missing: a periodic `expression` needs the length of the loop [m]".to_owned(),
            );
        }
        if self.periodic && self.expression.is_none() && self.file.is_none() {
            let message = "is true, but only a `file` or an `expression` can be repeated; leave it out";
            check.problem("periodic", message.to_owned());
        }
    }

    /// Keys that give the whole field.
    fn given_keys(&self) -> Vec<&'static str> {
        let keys = [
            ("constant", self.constant.is_some()),
            ("expression", self.expression.is_some()),
            ("file", self.file.is_some()),
        ];
        keys.into_iter().filter(|(_, given)| *given).map(|(key, _)| key).collect()
    }

    /// Keys of a random field that were given.
    fn random_keys(&self) -> Vec<&'static str> {
        let default = Self::default();
        let keys = [
            ("mean", self.mean.is_some()),
            ("standard_deviation", self.standard_deviation.is_some()),
            ("marginal", self.marginal != default.marginal),
            ("correlation", self.correlation != default.correlation),
            ("correlation_length", self.correlation_length.is_some()),
            ("correlation_exponent", self.correlation_exponent != default.correlation_exponent),
            ("smoothness", self.smoothness != default.smoothness),
            ("correlation_of", self.correlation_of.is_some()),
            ("indefinite", self.indefinite != default.indefinite),
            ("generator", self.generator != GeneratorChoice::Auto),
        ];
        keys.into_iter().filter(|(_, given)| *given).map(|(key, _)| key).collect()
    }

    fn check_random(&self, check: &mut Check) {
        if let MarginalChoice::Quantiles(_) = self.marginal {
            for (key, given) in [("mean", self.mean), ("standard_deviation", self.standard_deviation)] {
                if given.is_some() {
                    check.problem(key, "contradicts `marginal.quantiles`, which has its own; leave one out".to_owned());
                }
            }
        }
        match self.marginal() {
            Ok(_) => {}
            Err(problems) => problems.into_iter().for_each(|problem| {
                check.problem(&problem.key, problem.message);
            }),
        }
        let lengths = match self.correlation_length {
            Some(LengthChoice::Isotropic(length)) => vec![length],
            Some(LengthChoice::Anisotropic(lengths)) => lengths.to_vec(),
            None => Vec::new(),
        };
        if let Some(length) =
            lengths.into_iter().find(|length| length.is_finite() && *length > 0.0 && !LENGTHS.contains(length))
        {
            let (least, most) = (LENGTHS.start(), LENGTHS.end());
            let message = format!("is {length:e} m, but can be computed with between {least:e} and {most:e} m only");
            check.problem("correlation_length", message);
        }
        // a field without spread needs no correlation
        match self.correlation_length {
            None if self.standard_deviation != Some(0.0) => {
                check.problem("correlation_length", "is missing: give one length, or two for the axes [m]".to_owned());
            }
            None | Some(LengthChoice::Isotropic(_)) => {}
            Some(LengthChoice::Anisotropic(lengths)) => {
                for length in lengths {
                    check.positive("correlation_length", length);
                }
            }
        }
        for (key, own, default, belongs) in [
            (
                "correlation_exponent",
                self.correlation_exponent,
                2.0,
                matches!(self.correlation, KernelChoice::PowerExponential),
            ),
            ("smoothness", self.smoothness, 1.5, matches!(self.correlation, KernelChoice::Matern)),
        ] {
            if !belongs && own != default {
                check.problem(key, format!("is {own}, but `correlation` is of a family that does not use it"));
            }
        }
        match self.family() {
            Ok(Family::PowerExponential { exponent }) if exponent > 2.0 && self.indefinite == Indefinite::Refuse => {
                let family = Family::PowerExponential { exponent };
                let proof = match family.validity() {
                    super::Validity::Indefinite(certificate) => format!(": {certificate}"),
                    _ => String::new(),
                };
                check.problem(
                    "correlation_exponent",
                    format!(
                        "is {exponent}, but exp(-(r/l)^n) is no correlation for n > 2{proof}. Give 0 < n <= 2, or set \
                         `indefinite` to \"projected\" (sample the nearest field) or \"formal\" (moments only)"
                    ),
                );
            }
            Ok(_) => {}
            Err(problem) => {
                check.problem(&problem.key, problem.message);
            }
        }
    }

    /// The marginal; None for a field without spread.
    fn marginal(&self) -> Result<Option<Marginal>, Vec<Problem>> {
        let one = |outcome: Result<Marginal, Problem>| outcome.map(Some).map_err(|problem| vec![problem]);
        if let MarginalChoice::Quantiles(table) = &self.marginal {
            return one(Marginal::quantiles(table));
        }
        let mut check = Check::default();
        for (key, given) in [("mean", self.mean), ("standard_deviation", self.standard_deviation)] {
            if given.is_none() {
                check.problem(key, "is missing: a random field needs mean and standard deviation [-]".to_owned());
            }
        }
        let problems = check.found();
        let (Some(mean), Some(deviation), true) = (self.mean, self.standard_deviation, problems.is_empty()) else {
            return Err(problems);
        };
        if deviation == 0.0 {
            return Ok(None);
        }
        one(match &self.marginal {
            MarginalChoice::Lognormal => Marginal::lognormal(mean, deviation),
            MarginalChoice::TruncatedNormal => Marginal::truncated_normal(mean, deviation),
            MarginalChoice::Uniform => Marginal::uniform(mean, deviation),
            MarginalChoice::Gaussian => Marginal::gaussian(mean, deviation),
            MarginalChoice::Quantiles(table) => Marginal::quantiles(table),
        })
    }

    /// The family of the correlation.
    fn family(&self) -> Result<Family, Problem> {
        let below = |key: &'static str| move |problem: Problem| Problem::new(key, problem.message);
        match &self.correlation {
            KernelChoice::PowerExponential => Ok(Family::PowerExponential { exponent: self.correlation_exponent }),
            KernelChoice::Matern => Ok(Family::Matern { smoothness: self.smoothness }),
            KernelChoice::Table(pairs) => CorrelationTable::new(pairs).map(Family::Table),
            KernelChoice::Expression(text) => read("correlation.expression", text, &["r"]).map(Family::Expression),
            KernelChoice::Sum(terms) => {
                let parts = parts(terms).map_err(below("correlation.sum"))?;
                let whole: f64 = terms.iter().map(|term| term.weight).sum();
                let possible = terms.iter().all(|term| term.weight > 0.0) && whole.is_finite() && !terms.is_empty();
                if !possible {
                    return Err(Problem::new("correlation.sum", "needs terms whose weights are finite and > 0"));
                }
                Ok(Family::Sum(terms.iter().map(|term| term.weight / whole).zip(parts).collect()))
            }
            KernelChoice::Product(terms) => {
                let parts = parts(terms).map_err(below("correlation.product"))?;
                if parts.is_empty() || terms.iter().any(|term| term.weight != 1.0) {
                    return Err(Problem::new("correlation.product", "needs factors, and these have no `weight`"));
                }
                Ok(Family::Product(parts))
            }
        }
    }

    /// The field that the keys describe; `default` says whose correlation is prescribed if the keys do not.
    ///
    /// # Errors
    /// [`FieldError::Invalid`] with all problems of the keys, [`FieldError::Indefinite`] with the certificate if the
    /// prescribed function is no correlation and the policy is to refuse it.
    pub fn prepared(&self, default: CorrelationOf) -> Result<FieldDescription, FieldError> {
        let problems = self.problems();
        // an exponent above 2 has an error of its own, with the certificate as numbers
        let too_large = self.correlation_exponent > 2.0 && self.correlation_exponent.is_finite();
        if problems.iter().any(|problem| !(too_large && problem.key == "correlation_exponent")) {
            return Err(FieldError::Invalid { problems });
        }
        if let Some(constant) = self.constant {
            return Ok(FieldDescription::Constant(constant));
        }
        if let Some(text) = &self.expression {
            let formula = FormulaField::new(text)?;
            return Ok(FieldDescription::Expression(match self.loop_length {
                Some(period) => formula.repeated(period),
                None => formula,
            }));
        }
        if let Some(path) = &self.file {
            return Ok(FieldDescription::File(path.clone()));
        }
        let marginal = match self.marginal() {
            Ok(Some(marginal)) => marginal,
            Ok(None) => return Ok(FieldDescription::Constant(self.mean.unwrap_or_default())),
            Err(problems) => return Err(FieldError::Invalid { problems }),
        };
        let family = self.family().map_err(|problem| FieldError::Invalid { problems: vec![problem] })?;
        let length = match self.correlation_length {
            Some(LengthChoice::Isotropic(length)) => [length, length],
            Some(LengthChoice::Anisotropic(lengths)) => lengths,
            None => return Err(FieldError::Invalid { problems }),
        };
        let field = RandomField {
            marginal,
            prescribed: Correlation { family, length, angle: self.angle },
            correlation_of: self.correlation_of.unwrap_or(default),
            indefinite: self.indefinite,
            embedding_tolerance: self.embedding_tolerance,
            memory: self.memory,
        };
        field.defect()?;
        if !problems.is_empty() {
            return Err(FieldError::Invalid { problems });
        }
        Ok(FieldDescription::Random(Box::new(field)))
    }
}

/// The terms of a sum or a product.
fn parts(terms: &[KernelTerm]) -> Result<Vec<Stretched>, Problem> {
    let part = |(k, term): (usize, &KernelTerm)| {
        let positive = |name: &str, value: f64| {
            let fine = value.is_finite() && value > 0.0;
            let message = format!("has `{name}` = {value} in term {}, but it must be a finite number > 0", k + 1);
            if fine { Ok(value) } else { Err(Problem::new("", message)) }
        };
        let length = positive("length_ratio", term.length_ratio)?;
        let family = match &term.correlation {
            TermChoice::PowerExponential => {
                Family::PowerExponential { exponent: positive("correlation_exponent", term.correlation_exponent)? }
            }
            TermChoice::Matern => Family::Matern { smoothness: positive("smoothness", term.smoothness)? },
            TermChoice::Table(pairs) => Family::Table(CorrelationTable::new(pairs)?),
            TermChoice::Expression(text) => Family::Expression(read("", text, &["r"])?),
        };
        Ok(Stretched { length, family })
    };
    terms.iter().enumerate().map(part).collect()
}

/// Reads a formula; a problem names the column, counted from 1.
fn read(key: &str, text: &str, variables: &[&str]) -> Result<Formula, Problem> {
    Formula::parse(text, variables, &BTreeMap::new()).map_err(|error| {
        let column = 1 + text.char_indices().take_while(|(start, _)| *start < error.position).count();
        Problem::new(key, format!("cannot be read at column {column}: {error}\n{}", error.render(text)))
    })
}
