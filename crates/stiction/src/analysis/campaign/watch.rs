//! Running means of a study and their history, and whether enough has been seen.

use super::{Ending, StopRule, WrongRule};
use crate::num::statistics::{Running, Spread};
use std::fmt;
use std::ops::ControlFlow;

/// A quantity that is watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// Its name.
    pub name: String,
    /// Its unit, `""` if it has none.
    pub unit: String,
}

impl Watched {
    /// A quantity with its unit.
    pub fn new(name: &str, unit: &str) -> Self {
        Self { name: name.to_owned(), unit: unit.to_owned() }
    }
}

/// Running means after some number of realisations.
#[derive(Debug, Clone, PartialEq)]
pub struct Milestone {
    /// So many realisations.
    pub realisations: u64,
    /// For every point, for every quantity: the means so far.
    pub running: Vec<Running>,
}

/// Running means of several quantities at one or several points of a parameter study, in the order of realisations.
#[derive(Debug, Clone)]
pub struct Watch {
    quantities: Vec<Watched>,
    running: Vec<Running>,
    realisations: u64,
    history: Vec<Milestone>,
    ending: Option<Ending>,
}

impl Watch {
    /// Watches these quantities at so many points, until the rule holds at every point.
    ///
    /// # Errors
    /// [`WrongRule`] if the rule names a quantity that is not watched.
    pub fn new(quantities: Vec<Watched>, points: usize, rule: Option<&StopRule>) -> Result<Self, WrongRule> {
        let names: Vec<&str> = quantities.iter().map(|quantity| quantity.name.as_str()).collect();
        let ending = rule.map(|rule| Ending::new(rule, &names)).transpose()?;
        let running = vec![Running::default(); quantities.len().saturating_mul(points)];
        Ok(Self { quantities, running, realisations: 0, history: Vec::new(), ending })
    }

    /// Adds the values of one realisation at one point, in the order of the quantities; what is not finite is left out.
    pub fn add(&mut self, point: usize, values: &[f64]) {
        let width = self.quantities.len();
        let start = point.saturating_mul(width);
        for (running, value) in self.running.iter_mut().skip(start).take(width).zip(values) {
            running.add(*value);
        }
    }

    /// A realisation is finished at all points: goes on, or has seen enough.
    pub fn finish_realisation(&mut self) -> ControlFlow<()> {
        self.realisations += 1;
        if is_round(self.realisations, 1) && self.running.len() <= LARGEST_HISTORY {
            self.history.push(self.milestone());
        }
        let enough = self.looks()
            && self.ending.as_ref().is_some_and(|ending| {
                let spreads: Vec<Spread> = self.running.iter().map(Running::spread).collect();
                spreads.chunks_exact(self.quantities.len().max(1)).all(|point| ending.holds(point))
            });
        if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether the rule is looked at after the present number of realisations, see [`looks`].
    pub fn looks(&self) -> bool {
        looks(self.realisations)
    }

    /// The first few means of the first point with their standard errors, for a person who waits.
    pub fn words(&self) -> String {
        told_means(self.quantities.iter().zip(self.at(0).iter().map(Running::spread)))
    }

    /// The quantities.
    pub fn quantities(&self) -> &[Watched] {
        &self.quantities
    }

    /// How many realisations are finished.
    pub fn realisations(&self) -> u64 {
        self.realisations
    }

    /// The means of all quantities at a point.
    pub fn at(&self, point: usize) -> &[Running] {
        let width = self.quantities.len();
        self.running.get(point.saturating_mul(width)..).and_then(|rest| rest.get(..width)).unwrap_or(&[])
    }

    /// The history, at realisations 1, 2, ..., 9, 10, 20, ..., 90, 100, 200, ... and the last.
    pub fn history(&self) -> Vec<Milestone> {
        let mut history = self.history.clone();
        let small = self.running.len() <= LARGEST_HISTORY;
        if small && self.realisations > 0 && history.last().is_none_or(|last| last.realisations != self.realisations) {
            history.push(self.milestone());
        }
        history
    }

    fn milestone(&self) -> Milestone {
        Milestone { realisations: self.realisations, running: self.running.clone() }
    }
}

/// The first few means with their standard errors, for a person who waits.
pub fn told_means<'a>(seen: impl Iterator<Item = (&'a Watched, Spread)>) -> String {
    let means = seen.filter_map(|(quantity, seen)| {
        let unit = if quantity.unit.is_empty() { String::new() } else { format!(" {}", quantity.unit) };
        Some(format!("{} {:.5} ± {:.2}{unit}", quantity.name, Short(seen.mean?), Short(seen.error?)))
    });
    means.take(3).collect::<Vec<_>>().join(", ")
}

/// Whether a rule is looked at after so many realisations: 10, 11, ..., 99, 100, 110, ... Only now and then, so that a lucky
/// moment counts less; the numbers are the same for everyone.
pub fn looks(realisations: u64) -> bool {
    realisations >= FEWEST && is_round(realisations, 2)
}

/// Fewer realisations than this never end a study: their spread says too little.
const FEWEST: u64 = 10;

/// With more running means than this there is no history.
const LARGEST_HISTORY: usize = 20_000;

/// A number with so many significant digits.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = formatter.precision().unwrap_or(5).max(1);
        let size = self.0.abs();
        if size == 0.0 || !(1e-4..1e6).contains(&size) {
            return write!(formatter, "{:.*e}", digits - 1, self.0);
        }
        let before = crate::num::real::log10(size).floor() as i32 + 1;
        write!(formatter, "{:.*}", (digits as i32 - before).max(0) as usize, self.0)
    }
}

/// Whether a number has only zeros behind its first digits.
fn is_round(number: u64, digits: u32) -> bool {
    let zeros = number.checked_ilog10().unwrap_or(0).saturating_sub(digits - 1);
    number.is_multiple_of(10_u64.pow(zeros))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers_are_round() {
        let round = |digits: u32| (1..1300).filter(|n| is_round(*n, digits)).collect::<Vec<u64>>();
        assert_eq!(
            round(1),
            [
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300, 400, 500, 600, 700, 800,
                900, 1000
            ]
        );
        assert_eq!(round(2).len(), 9 + 90 + 90 + 3);
        assert!(!is_round(u64::MAX, 2));
    }

    #[test]
    fn a_study_ends_at_the_first_round_number_where_the_rule_holds_everywhere() {
        let rule: StopRule = "x_mean.se < 0.1".parse().unwrap();
        let mut watch = Watch::new(vec![Watched::new("y", ""), Watched::new("x", "m")], 2, Some(&rule)).unwrap();
        let mut ended = None;
        for n in 0..1000_u64 {
            // the second point has four times the variance of the first
            let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
            watch.add(0, &[f64::NAN, sign * 0.5]);
            watch.add(1, &[n as f64, sign]);
            if watch.finish_realisation().is_break() {
                ended = Some(n + 1);
                break;
            }
        }
        // se = sqrt(n/(n-1))/sqrt(n) < 0.1 from n = 102 on; the next number that is looked at is 110
        assert_eq!(ended, Some(110));
        assert_eq!(watch.at(0)[0].spread().count, 0);
        assert_eq!(watch.at(1)[0].spread().mean, Some(54.5));
        assert_eq!(watch.history().last().unwrap().realisations, 110);
        assert!(watch.at(2).is_empty());
        // y has no number at this point; the mean of x is zero but for rounding
        let words = watch.words();
        assert!(words.starts_with("x ") && words.ends_with(" ± 0.048 m") && !words.contains('y'), "{words}");
        assert_eq!(format!("{:.3} {:.5} {:.2}", Short(0.0), Short(-12.34567), Short(1.26e-7)), "0.00e0 -12.346 1.3e-7");
        let wrong = Watch::new(vec![Watched::new("y", "")], 1, Some(&rule)).unwrap_err().to_string();
        assert!(wrong.contains("no quantity `x_mean`; there are y"), "{wrong}");
    }
}
