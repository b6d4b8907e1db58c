//! When enough realisations have been seen: a rule such as `displacement_ratio_mean.se < 0.005`.

use crate::num::statistics::Spread;
use std::fmt;
use std::str::FromStr;

/// Conditions that must all hold, joined by `and`.
#[derive(Debug, Clone, PartialEq)]
pub struct StopRule {
    /// The conditions.
    pub conditions: Vec<Condition>,
}

/// One condition: a number that the realisations so far give, and its bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The quantity, with or without `_mean` at its end.
    pub quantity: String,
    /// What of it.
    pub measure: Measure,
    /// How it is compared.
    pub comparison: Comparison,
    /// With what, in the unit of the quantity (none for `relative` and `count`).
    pub bound: f64,
}

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// `se`: standard error of the mean.
    Error,
    /// `relative`: standard error divided by the size of the mean.
    RelativeError,
    /// `std`: standard deviation.
    Deviation,
    /// `mean`: the mean.
    Mean,
    /// `count`: number of realisations with an answer.
    Count,
}

/// How two numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
}

/// A text that is no rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is no rule: {reason}; write for instance \"displacement_ratio_mean.se < 0.005\"")]
pub struct WrongRule {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Measure {
    const ALL: [(&'static str, Measure); 5] = [
        ("se", Measure::Error),
        ("relative", Measure::RelativeError),
        ("std", Measure::Deviation),
        ("mean", Measure::Mean),
        ("count", Measure::Count),
    ];

    /// The number that is looked at, if there are enough realisations for it.
    pub(crate) fn of(self, seen: &Spread) -> Option<f64> {
        match self {
            Measure::Error => seen.error,
            Measure::RelativeError => {
                let size = seen.mean?.abs();
                seen.error.map(|error| error / size).filter(|ratio| !ratio.is_nan())
            }
            Measure::Deviation => seen.deviation,
            Measure::Mean => seen.mean,
            Measure::Count => Some(seen.count as f64),
        }
    }
}

impl Comparison {
    // the longer signs first: `<=` begins as `<` does
    const ALL: [(&'static str, Comparison); 4] =
        [("<=", Comparison::AtMost), (">=", Comparison::AtLeast), ("<", Comparison::Below), (">", Comparison::Above)];

    fn holds(self, number: f64, bound: f64) -> bool {
        match self {
            Comparison::Below => number < bound,
            Comparison::AtMost => number <= bound,
            Comparison::Above => number > bound,
            Comparison::AtLeast => number >= bound,
        }
    }
}

impl Condition {
    /// Whether it holds; not before there are enough realisations to say.
    pub(crate) fn holds(&self, seen: &Spread) -> bool {
        self.measure.of(seen).is_some_and(|number| self.comparison.holds(number, self.bound))
    }

    /// The place of its quantity among names: its own name, or that without `_mean`.
    pub(crate) fn place<'n>(&self, mut names: impl Iterator<Item = &'n str> + Clone) -> Option<usize> {
        let short = self.quantity.strip_suffix("_mean");
        names.clone().position(|name| name == self.quantity).or_else(|| names.position(|name| Some(name) == short))
    }
}

/// A rule over the quantities of a study.
#[derive(Debug, Clone)]
pub struct Ending {
    rule: StopRule,
    /// For every condition, which quantity.
    places: Vec<usize>,
}

impl Ending {
    /// The rule, over these quantities.
    ///
    /// # Errors
    /// [`WrongRule`] if it names another one.
    pub fn new(rule: &StopRule, names: &[&str]) -> Result<Self, WrongRule> {
        let place = |condition: &Condition| {
            condition.place(names.iter().copied()).ok_or_else(|| WrongRule {
                text: rule.to_string(),
                reason: format!("there is no quantity `{}`; there are {}", condition.quantity, names.join(", ")),
            })
        };
        let places: Result<Vec<usize>, WrongRule> = rule.conditions.iter().map(place).collect();
        Ok(Self { rule: rule.clone(), places: places? })
    }

    /// Whether enough has been seen of the quantities, at one point of a study.
    pub fn holds(&self, quantities: &[Spread]) -> bool {
        let mut conditions = self.rule.conditions.iter().zip(&self.places);
        conditions.all(|(condition, place)| quantities.get(*place).is_some_and(|here| condition.holds(here)))
    }
}

impl FromStr for StopRule {
    type Err = WrongRule;

    fn from_str(text: &str) -> Result<Self, WrongRule> {
        let wrong = |reason: String| WrongRule { text: text.to_owned(), reason };
        let condition = |part: &str| {
            let found = Comparison::ALL.iter().filter_map(|(sign, kind)| Some((part.find(sign)?, sign.len(), *kind)));
            let Some((at, length, comparison)) = found.min_by_key(|(at, length, _)| (*at, usize::MAX - length)) else {
                return Err(wrong(format!("`{}` has no <, <=, > or >=", part.trim())));
            };
            let (left, right) = (part.get(..at).unwrap_or("").trim(), part.get(at + length..).unwrap_or("").trim());
            let Some((quantity, measure)) = left.rsplit_once('.') else {
                return Err(wrong(format!(
                    "`{left}` does not say what of the quantity: add .se, .relative, .std, .mean or .count"
                )));
            };
            let Some((_, measure)) = Measure::ALL.into_iter().find(|(name, _)| *name == measure) else {
                return Err(wrong(format!("`.{measure}` is none of .se, .relative, .std, .mean, .count")));
            };
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if quantity.is_empty() || !quantity.chars().all(plain) {
                return Err(wrong(format!("`{quantity}` is not the name of a quantity")));
            }
            let bound = right.parse::<f64>().ok().filter(|bound| bound.is_finite());
            let bound = bound.ok_or_else(|| wrong(format!("`{right}` is not a finite number")))?;
            Ok(Condition { quantity: quantity.to_owned(), measure, comparison, bound })
        };
        let conditions: Result<Vec<Condition>, WrongRule> = text.split(" and ").map(condition).collect();
        Ok(Self { conditions: conditions? })
    }
}

impl fmt::Display for StopRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, condition) in self.conditions.iter().enumerate() {
            let and = if index > 0 { " and " } else { "" };
            let measure = Measure::ALL.iter().find(|(_, kind)| *kind == condition.measure).map_or("", |(name, _)| name);
            let sign =
                Comparison::ALL.iter().find(|(_, kind)| *kind == condition.comparison).map_or("", |(sign, _)| sign);
            write!(formatter, "{and}{}.{measure} {sign} {}", condition.quantity, condition.bound)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::statistics::Running;

    #[test]
    fn rules_are_read_and_written() {
        for text in ["displacement_ratio_mean.se < 0.005", "a.relative <= 0.01 and b.count >= 100", "x.mean > -1.5"] {
            assert_eq!(text.parse::<StopRule>().unwrap().to_string(), text);
        }
        for (text, part) in [
            ("", "has no <"),
            ("a.se", "has no <"),
            ("a < 1", "add .se"),
            ("a.sd < 1", "none of .se"),
            ("a b.se < 1", "not the name"),
            ("a.se < much", "not a finite number"),
            ("a.se < NaN", "not a finite number"),
            ("a.se < 1 and", "not a finite number"),
        ] {
            let told = text.parse::<StopRule>().unwrap_err().to_string();
            assert!(told.contains(part), "{told}");
        }
    }

    #[test]
    fn a_condition_holds_only_when_there_is_enough_to_say() {
        let rule: StopRule = "x_mean.se < 0.6".parse().unwrap();
        let names = ["y", "x"];
        assert_eq!(rule.conditions[0].place(names.into_iter()), Some(1));
        assert_eq!(rule.conditions[0].place(["x", "x_mean"].into_iter()), Some(1));
        let mut running = Running::default();
        for (number, holds) in [(1.0, false), (2.0, true), (3.0, true), (9.0, false)] {
            running.add(number);
            assert_eq!(rule.conditions[0].holds(&running.spread()), holds, "{running:?}");
        }
    }
}
