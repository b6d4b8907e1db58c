//! How wrong a result must be for the verdict on a claim to change.

use super::claim::{Band, Claim, Kind};
use super::decisive::{Expression, Function, Operator};
use super::evaluate::{combined, evaluate, number};
use crate::dataset::{Outcome, Value};

/// The smallest error of a result that changes the verdict on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sharpness {
    /// 5 % of one of its values.
    FivePercent,
    /// 25 % of one of its values.
    Quarter,
    /// A factor of 2 in one of its values.
    Two,
    /// A factor of 10 in one of its values; tried for bounds only.
    Ten,
    /// The order of its values is reversed; tried for trends only.
    Reversed,
    /// Its values are zero. Another value changes the verdict; whether the model enforces the zero, a person must judge.
    Zero,
    /// It asks for a word, a flag or the absence of a value. Another one changes the verdict; nothing can be moved by a factor.
    Word,
    /// None of the errors that are tried: the claim cannot fail.
    Never,
}

/// The errors that are tried for every number, and the factors of each.
const ERRORS: [(Sharpness, [f64; 2]); 4] = [
    (Sharpness::FivePercent, [0.95, 1.05]),
    (Sharpness::Quarter, [0.75, 1.25]),
    (Sharpness::Two, [0.5, 2.0]),
    (Sharpness::Ten, [0.1, 10.0]),
];

/// Values below this size are results that should be zero: they are moved by a part of one, since a factor would leave them.
const ZERO: f64 = 1e-6;

impl Sharpness {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Sharpness::FivePercent => "5 %",
            Sharpness::Quarter => "25 %",
            Sharpness::Two => "factor 2",
            Sharpness::Ten => "factor 10",
            Sharpness::Reversed => "reversed",
            Sharpness::Zero => "zero",
            Sharpness::Word => "word",
            Sharpness::Never => "never",
        }
    }
}

impl Claim {
    /// The smallest error of a result that changes the verdict: each value of the expression is moved alone.
    pub fn sharpness(&self, outcome: &Outcome) -> Sharpness {
        let Some(expression) = Expression::parse(&self.quantity) else { return Sharpness::Never };
        let holds = self.judge(outcome).holds;
        let changes = |value: Result<Value, String>| value.is_ok_and(|value| self.band.holds(&value) != holds);
        let ordered = matches!(expression, Expression::Reduced(Function::Rises | Function::Falls, _));
        if ordered || self.kind == Kind::Trend {
            let reversed = self.reversed(&expression).map(|reversed| evaluate(&reversed, outcome));
            return if reversed.is_some_and(changes) { Sharpness::Reversed } else { Sharpness::Never };
        }
        match self.band {
            Band::Between(_) | Band::AtLeast(_) | Band::AtMost(_) => {
                let tried = if self.kind == Kind::Bound { ERRORS.len() } else { ERRORS.len() - 1 };
                Leaves::of(&expression, outcome).noticed(&ERRORS[..tried], &|value| changes(Ok(value)))
            }
            _ => Sharpness::Word,
        }
    }

    /// What decides the claim, with its order reversed; the sign of a value where that is compared with zero.
    pub(super) fn reversed<'a>(&self, expression: &Expression<'a>) -> Option<Expression<'a>> {
        let sign = matches!(self.band, Band::AtLeast(0.0) | Band::AtMost(0.0));
        let negated = || {
            let zero = Box::new(Expression::Number(0.0));
            Expression::Combined(zero, Operator::Minus, Box::new(expression.clone()))
        };
        expression.reversed().or_else(|| sign.then(negated))
    }
}

/// An expression and the values that it combines.
struct Leaves<'e, 'a> {
    expression: &'e Expression<'a>,
    values: Vec<(&'e Expression<'a>, Value)>,
}

impl<'e, 'a> Leaves<'e, 'a> {
    fn of(expression: &'e Expression<'a>, outcome: &Outcome) -> Self {
        let value = |leaf: &Expression<'_>| evaluate(leaf, outcome).unwrap_or(Value::Missing);
        Self { expression, values: expression.leaves().into_iter().map(|leaf| (leaf, value(leaf))).collect() }
    }

    /// The first of some errors that `changes` the verdict. Zeros beside other values are not moved: their size is unknown.
    fn noticed(&self, errors: &[(Sharpness, [f64; 2])], changes: &dyn Fn(Value) -> bool) -> Sharpness {
        let numbers: Vec<(usize, f64)> =
            self.values.iter().enumerate().filter_map(|(place, (_, value))| Some((place, number(value)?))).collect();
        let is_zero = |number: f64| number.abs() < ZERO;
        let all_zero = numbers.iter().all(|(_, number)| is_zero(*number));
        let movable = || numbers.iter().filter(|(_, number)| all_zero || !is_zero(*number));
        let moved = |number: f64, factor: f64| if is_zero(number) { factor - 1.0 } else { number * factor };
        let notices = |factor: &f64| {
            movable().any(|(place, number)| self.with(*place, moved(*number, *factor)).is_ok_and(changes))
        };
        match errors.iter().find(|(_, factors)| factors.iter().any(notices)) {
            Some(_) if all_zero => Sharpness::Zero,
            Some((sharpness, _)) => *sharpness,
            None => Sharpness::Never,
        }
    }

    /// The value of the expression with one of its values replaced.
    fn with(&self, place: usize, number: f64) -> Result<Value, String> {
        combined(self.expression, &|leaf| {
            let found = self.values.iter().position(|(known, _)| *known == leaf);
            Ok(match found {
                Some(found) if found == place => Value::Number(number),
                found => {
                    found.and_then(|found| self.values.get(found)).map_or(Value::Missing, |(_, value)| value.clone())
                }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Table;

    fn outcome() -> Outcome {
        let mut outcome = Outcome::default();
        outcome.push("period", "s", 2.0);
        outcome.push("growth", "1/s", -0.3);
        outcome.push("failed", "", 0_usize);
        outcome.push("residual", "", 1e-13);
        outcome.push("kind", "", "CS");
        let table = Table::new("curve", "")
            .numbers("load", "N", "", vec![1.0, 2.0, 3.0])
            .numbers("force", "N", "", vec![5.0, 5.2, 11.0])
            .numbers("wavy", "N", "", vec![5.0, 4.0, 11.0]);
        outcome.tables.push(table);
        outcome
    }

    fn sharpness(quantity: &str, band: Band, kind: Kind) -> Sharpness {
        Claim { kind, ..Claim::new(quantity, band) }.sharpness(&outcome())
    }

    #[test]
    fn a_number_is_as_sharp_as_its_band() {
        for (quantity, band, expected) in [
            ("period", Band::Between([1.95, 2.05]), Sharpness::FivePercent),
            ("period", Band::Between([1.8, 2.2]), Sharpness::Quarter),
            ("period", Band::AtMost(3.0), Sharpness::Two),
            ("period", Band::AtMost(4.5), Sharpness::Never),
            // the verdict changes to "holds"
            ("period", Band::Between([2.05, 2.5]), Sharpness::FivePercent),
            ("growth", Band::AtMost(0.0), Sharpness::Never),
            // one side at a time: both together leave the quotient as it is
            ("curve.force[load = 2] / curve.force[load = 1]", Band::Between([1.0, 1.08]), Sharpness::FivePercent),
            ("max(curve.force) - curve.force[load = 1]", Band::AtLeast(0.0), Sharpness::Never),
            // the same value in two places is moved in both
            ("(curve.force[load = 3] - period) / curve.force[load = 3]", Band::AtLeast(0.5), Sharpness::Never),
            ("failed", Band::Between([0.0, 0.0]), Sharpness::Zero),
            ("residual", Band::AtMost(1e-6), Sharpness::Zero),
            ("residual", Band::AtMost(2.0), Sharpness::Never),
            ("kind", Band::Word("CS".to_owned()), Sharpness::Word),
            // undecided claims do not depend on numbers
            ("kind", Band::AtLeast(0.0), Sharpness::Never),
        ] {
            assert_eq!(sharpness(quantity, band.clone(), Kind::Number), expected, "{quantity} {band:?}");
        }
    }

    #[test]
    fn a_trend_fails_if_its_order_is_reversed() {
        for (quantity, band, expected) in [
            ("rises(curve.force)", Band::Flag(true), Sharpness::Reversed),
            ("falls(curve.wavy)", Band::Flag(false), Sharpness::Never),
            ("max(curve.force) - curve.force[load = 1]", Band::AtLeast(0.0), Sharpness::Reversed),
            ("2 * (curve.force[load = 2] / curve.force[load = 1] - 1)", Band::AtLeast(0.0), Sharpness::Reversed),
            ("curve.force[load = 2] - curve.force[load = 1]", Band::AtLeast(-0.3), Sharpness::Never),
            ("growth", Band::AtMost(0.0), Sharpness::Reversed),
            ("residual - residual", Band::AtLeast(0.0), Sharpness::Never),
        ] {
            assert_eq!(sharpness(quantity, band.clone(), Kind::Trend), expected, "{quantity} {band:?}");
        }
    }

    #[test]
    fn a_bound_is_no_further_than_a_factor_of_ten() {
        assert_eq!(sharpness("period", Band::AtMost(4.5), Kind::Bound), Sharpness::Ten);
        assert_eq!(sharpness("period", Band::AtMost(2.01), Kind::Bound), Sharpness::FivePercent);
        assert_eq!(sharpness("period", Band::AtMost(21.0), Kind::Bound), Sharpness::Never);
    }

    #[test]
    fn a_kind_that_does_not_fit_is_a_problem() {
        let problems = |quantity, band, kind| Claim { kind, ..Claim::new(quantity, band) }.problems().len();
        assert_eq!(problems("period", Band::AtLeast(1.0), Kind::Trend), 1);
        assert_eq!(problems("period", Band::AtLeast(0.0), Kind::Trend), 0);
        assert_eq!(problems("period / growth", Band::AtLeast(1.0), Kind::Trend), 0);
        assert_eq!(problems("period", Band::Between([1.0, 3.0]), Kind::Bound), 1);
        assert_eq!(problems("period", Band::AtMost(3.0), Kind::Bound), 0);
    }
}
