//! Mean and spread of numbers that come one after the other.

use super::Seen;

/// Count, mean and sum of squared deviations of the numbers so far, by Welford's recurrence: one number at a time, without
/// the cancellation of Σx² − (Σx)²/n.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Running {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Running {
    /// Adds a number; one that is not finite is left out.
    pub fn add(&mut self, number: f64) {
        if !number.is_finite() {
            return;
        }
        self.count += 1;
        let before = number - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (number - self.mean);
    }
}

impl Seen for Running {
    fn count(&self) -> u64 {
        self.count
    }

    fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// With n − 1; none for fewer than two numbers.
    fn deviation(&self) -> Option<f64> {
        (self.count > 1).then(|| (self.squares / (self.count - 1) as f64).sqrt())
    }

    /// None for fewer than two numbers.
    fn error(&self) -> Option<f64> {
        self.deviation().map(|deviation| deviation / (self.count as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_by_hand_also_far_from_zero() {
        for shift in [0.0, 1e9] {
            let mut running = Running::default();
            [1.0, 2.0, f64::NAN, 3.0, 6.0].iter().for_each(|number| running.add(number + shift));
            assert_eq!((running.count(), running.mean()), (4, Some(3.0 + shift)));
            assert!((running.deviation().unwrap() - (14.0_f64 / 3.0).sqrt()).abs() < 1e-15);
            assert!((running.error().unwrap() - (14.0_f64 / 12.0).sqrt()).abs() < 1e-15);
        }
        let mut one = Running::default();
        assert_eq!((one.mean(), one.deviation(), one.error()), (None, None, None));
        one.add(2.0);
        assert_eq!((one.mean(), one.deviation(), one.error()), (Some(2.0), None, None));
    }
}
