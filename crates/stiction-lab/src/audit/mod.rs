//! Whether the claims of a scenario can fail, and whether they depend on the seed.
//!
//! A scenario runs once for each seed. Each claim is judged on every outcome; on the first one its values are also moved by
//! known errors ([`Sharpness`]). A claim that no error changes says nothing about the result; a claim that holds for some
//! seeds only says something about the seed.

mod table;

pub use table::{json, listing, text, total};

use crate::dataset::{Outcome, Table};
use crate::run::run;
use crate::scenario::{Claim, Scenario, Sharpness, Verdict};
use crate::study::StudyError;
use stiction::analysis::Progress;

/// The claims of a scenario, tested.
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    /// Name of the scenario.
    pub scenario: String,
    /// Whether the run was reduced.
    pub reduced: bool,
    /// Number of seeds; one if nothing is random.
    pub seeds: usize,
    /// The claims in the order of the scenario.
    pub claims: Vec<Audited>,
}

/// A claim, tested.
#[derive(Debug, Clone, PartialEq)]
pub struct Audited {
    /// The claim.
    pub claim: Claim,
    /// The verdict for the seed of the scenario.
    pub verdict: Verdict,
    /// The smallest error of that result that changes the verdict.
    pub sharpness: Sharpness,
    /// Number of seeds for which the claim holds.
    pub held: usize,
    /// What is wrong with the claim.
    pub fault: Option<Fault>,
}

/// What is wrong with a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It holds, and no error of the result changes that.
    CannotFail,
    /// It holds for some seeds only, and has no `seed_share`.
    Flips,
    /// It holds for fewer seeds than its `seed_share` says.
    FewerSeeds,
}

impl Fault {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Fault::CannotFail => "cannot fail",
            Fault::Flips => "flips with the seed",
            Fault::FewerSeeds => "holds for fewer seeds than it says",
        }
    }
}

/// Runs a scenario with its own seed and the `seeds - 1` next ones, and tests its claims. If the second seed changes no number,
/// nothing is random, and the rest are not run.
///
/// # Errors
/// [`StudyError`] if one of the runs has no answer.
pub fn audit(name: &str, scenario: &Scenario, seeds: usize, progress: &dyn Progress) -> Result<Audit, StudyError> {
    let seeded = |index: usize| {
        let seed = scenario.seed.wrapping_add(index as u64);
        progress.begin(&format!("{name}, seed {seed}"), 0);
        run(&Scenario { seed, ..scenario.clone() }, progress)
    };
    let first = seeded(0)?;
    let mut held: Vec<usize> = scenario.claim.iter().map(|claim| usize::from(claim.judge(&first).holds)).collect();
    let mut done = 1;
    while done < seeds {
        let next = seeded(done)?;
        if done == 1 && numbers(&next) == numbers(&first) {
            break;
        }
        for (held, claim) in held.iter_mut().zip(&scenario.claim) {
            *held += usize::from(claim.judge(&next).holds);
        }
        done += 1;
    }
    let tested = scenario.claim.iter().zip(held);
    let claims = tested.map(|(claim, held)| Audited::of(claim, &first, held, done, scenario.reduced)).collect();
    Ok(Audit { scenario: name.to_owned(), reduced: scenario.reduced, seeds: done, claims })
}

/// Everything that an outcome says, but for the seeds themselves.
fn numbers(outcome: &Outcome) -> String {
    let columns = |table: &Table| {
        let answers = table.columns.iter().filter(|column| column.name != "seed");
        answers.map(|column| format!("{:?}", column.data)).collect::<Vec<_>>()
    };
    let tables: Vec<_> = outcome.tables.iter().map(columns).collect();
    format!("{:?} {tables:?}", outcome.quantities)
}

impl Audited {
    fn of(claim: &Claim, outcome: &Outcome, held: usize, seeds: usize, reduced: bool) -> Self {
        let (verdict, sharpness) = (claim.judge(outcome), claim.sharpness(outcome));
        // a reduced run decides nothing about claims that need the full size
        let decided = !(reduced && claim.full_size);
        let fault = || match claim.seed_share {
            _ if verdict.holds && sharpness == Sharpness::Never => Some(Fault::CannotFail),
            None if 0 < held && held < seeds => Some(Fault::Flips),
            Some(share) if (held as f64) < share * seeds as f64 => Some(Fault::FewerSeeds),
            _ => None,
        };
        let fault = decided.then(fault).flatten();
        Self { claim: claim.clone(), verdict, sharpness, held, fault }
    }

    /// Whether the claim holds and would hold for a result that is wrong by 25 % as well.
    pub fn survives_quarter(&self) -> bool {
        self.verdict.holds && matches!(self.sharpness, Sharpness::Two | Sharpness::Never)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Band, Kind, Size, builtin, read};
    use stiction::analysis::Silent;

    fn fault(claim: &Claim, held: usize, seeds: usize) -> Option<Fault> {
        let mut outcome = Outcome::default();
        outcome.push("period", "s", 2.5);
        Audited::of(claim, &outcome, held, seeds, true).fault
    }

    #[test]
    fn claims_that_cannot_fail_or_flip_without_saying_so_are_faults() {
        let sharp = Claim::new("period", Band::Between([2.4, 2.6]));
        let loose = Claim::new("period", Band::AtLeast(0.0));
        let shared = Claim { seed_share: Some(0.7), ..sharp.clone() };
        assert_eq!(fault(&sharp, 10, 10), None);
        assert_eq!(fault(&loose, 10, 10), Some(Fault::CannotFail));
        assert_eq!(fault(&Claim { kind: Kind::Trend, ..loose.clone() }, 10, 10), None);
        assert_eq!(fault(&Claim { full_size: true, ..loose }, 3, 10), None);
        assert_eq!(fault(&sharp, 3, 10), Some(Fault::Flips));
        assert_eq!((fault(&shared, 7, 10), fault(&shared, 6, 10)), (None, Some(Fault::FewerSeeds)));
    }

    #[test]
    fn further_seeds_run_only_where_something_is_random() {
        for (name, seeds) in [("elmer1997/coulomb", 1), ("hu2023_belt/realisation", 3)] {
            let scenario = read(builtin(name).unwrap().source(), &[], Size::Quick).unwrap();
            assert_eq!(audit(name, &scenario, 3, &Silent).unwrap().seeds, seeds, "{name}");
        }
    }
}
