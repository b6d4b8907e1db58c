//! Quantities of an outcome that many numbers give together: means, spreads and shares with their standard errors.

use crate::dataset::Outcome;
use stiction::num::statistics::{deviation, mean, standard_error};

/// Adds mean, standard deviation and standard error of the mean as `<name>_mean`, `_std` and `_se`.
pub(super) fn push_moments(outcome: &mut Outcome, name: &str, unit: &str, numbers: &[f64]) {
    outcome.push(&format!("{name}_mean"), unit, mean(numbers.iter().copied()));
    outcome.push(&format!("{name}_std"), unit, deviation(numbers));
    outcome.push(&format!("{name}_se"), unit, standard_error(numbers));
}

/// Adds the share of `hits` among `count` as `name`, and its binomial standard error √(p(1 − p)/n) as `<name>_se`.
pub(super) fn push_share(outcome: &mut Outcome, name: &str, hits: usize, count: usize) {
    let share = (count > 0).then(|| hits as f64 / count as f64);
    let error = share.map(|share| (share * (1.0 - share) / count as f64).sqrt());
    outcome.push(name, "", share);
    outcome.push(&format!("{name}_se"), "", error);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Value;

    #[test]
    fn moments_of_a_few_numbers_are_those_by_hand() {
        let mut outcome = Outcome::default();
        push_moments(&mut outcome, "x", "m", &[1.0, 2.0, 3.0, 6.0]);
        assert_eq!(outcome.quantity("x_mean"), Some(&Value::Number(3.0)));
        assert_eq!(outcome.quantity("x_std"), Some(&Value::Number((14.0_f64 / 3.0).sqrt())));
        assert_eq!(outcome.quantity("x_se"), Some(&Value::Number((14.0_f64 / 3.0).sqrt() / 2.0)));
        push_moments(&mut outcome, "one", "m", &[5.0]);
        assert_eq!(outcome.quantity("one_mean"), Some(&Value::Number(5.0)));
        assert_eq!(outcome.quantity("one_se"), Some(&Value::Missing));
        push_moments(&mut outcome, "none", "m", &[]);
        assert_eq!(outcome.quantity("none_mean"), Some(&Value::Missing));
    }

    #[test]
    fn shares_have_binomial_errors() {
        let mut outcome = Outcome::default();
        push_share(&mut outcome, "p", 20, 100);
        assert_eq!(outcome.quantity("p"), Some(&Value::Number(0.2)));
        let Some(Value::Number(error)) = outcome.quantity("p_se") else { panic!("no error") };
        assert!((error - 0.04).abs() < 1e-15);
        push_share(&mut outcome, "q", 0, 0);
        assert_eq!(outcome.quantity("q"), Some(&Value::Missing));
    }
}
