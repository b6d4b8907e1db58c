//! How a study works on many items: kept, resumed, split over machines and watched, by one call.

use super::tally::Tally;
use super::upkeep::{LongTables, Replay};
use super::{Context, StudyError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::ControlFlow;
use stiction::analysis::campaign::{
    Ending, Forgetful, Halt, Keeper, Stage, StopRule, Watch, Watched, Work, WrongRule, ordered, weight,
};
use stiction::analysis::{Cancelled, Quiet};
use stiction::integrate::Effort;
use stiction::memory::shown;

/// What is done with the items of a study beyond making them.
#[derive(Clone, Copy)]
pub struct Upkeep<'a> {
    /// Keeps finished items.
    pub keeper: &'a dyn Keeper,
    /// The one item that is asked for, instead of all.
    pub replay: Option<&'a Replay>,
    /// When enough has been seen.
    pub stop: Option<&'a StopRule>,
    /// Where tables grow that are too long for the memory.
    pub tables: Option<&'a LongTables>,
}

impl Upkeep<'_> {
    /// Nothing is kept.
    pub const NONE: Upkeep<'static> = Upkeep { keeper: &Forgetful, replay: None, stop: None, tables: None };
}

impl Context<'_> {
    /// Makes `count` items in parallel, or finds them kept from an earlier run or another machine, and hands the results to
    /// `reduce` in the order of their numbers. An item depends on its number (and the scenario) alone; it works with a context
    /// of its own, which counts what it costs.
    ///
    /// A realisation that fails is a result, not an error: `failed` tells those apart. An error of `item` ends the study. See
    /// [`ordered`].
    ///
    /// # Errors
    /// Those of `item` and `reduce`; [`StudyError::Halted`] if the rest is not to be made here.
    pub fn items<T>(
        &self,
        name: &str,
        count: u64,
        item: impl Fn(&Context<'_>, u64) -> Result<T, StudyError> + Sync,
        failed: impl Fn(&T) -> bool + Sync,
        mut reduce: impl FnMut(u64, T) -> Result<ControlFlow<()>, StudyError>,
    ) -> Result<(), StudyError>
    where
        T: Serialize + DeserializeOwned + Send,
    {
        let stage = Stage::new(name, count);
        if let Some(replay) = self.upkeep.replay {
            return Err(replay.found(&stage, &|number| item(self, number))?.into());
        }
        let work = Work { stage, keeper: self.upkeep.keeper, progress: self.progress };
        let quiet = Quiet(self.progress);
        let here = Context { progress: &quiet, ..*self };
        let counted = |number: u64| here.counted(|here| item(here, number));
        ordered(
            &work,
            counted,
            |(made, _)| failed(made),
            |number, (made, effort)| {
                self.progress.worked(effort);
                reduce(number, made)
            },
        )
    }

    /// Makes something in a context of its own, and its cost.
    fn counted<T>(&self, make: impl Fn(&Context<'_>) -> Result<T, StudyError>) -> Result<(T, Effort), StudyError> {
        let tally = Tally::new(self.progress);
        let made = make(&Context { progress: &tally, ..*self })?;
        Ok((made, tally.effort()))
    }

    /// As [`Context::items`], one item for each place of a list, for a study that needs all results together.
    ///
    /// # Errors
    /// Those of `item`; [`StudyError::Halted`] if the rest is not to be made here.
    pub fn all_items<P, T>(
        &self,
        name: &str,
        places: &[P],
        item: impl Fn(&Context<'_>, &P) -> Result<T, StudyError> + Sync,
        failed: impl Fn(&T) -> bool + Sync,
    ) -> Result<Vec<T>, StudyError>
    where
        P: Sync,
        T: Serialize + DeserializeOwned + Send,
    {
        let mut all = Vec::with_capacity(places.len());
        let count = places.len();
        self.items(
            name,
            places.len() as u64,
            |here, number| match places.get(number as usize) {
                Some(place) => item(here, place),
                // there are as many items as places
                None => Err(Cancelled.into()),
            },
            failed,
            |_, result| {
                self.keep(name, &result, (all.len() + 1, count))?;
                all.push(result);
                Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok(all)
    }

    /// Counts a result that the study keeps until its end, of which `(these, all)` there are so far and in the end.
    ///
    /// # Errors
    /// [`StudyError::Memory`] if the memory is full.
    pub(crate) fn keep<T: Serialize>(
        &self,
        name: &str,
        result: &T,
        (these, all): (usize, usize),
    ) -> Result<(), StudyError> {
        let memory = self.progress.memory();
        if memory.keep(weight(result)) {
            return Ok(());
        }
        let limit = shown(memory.limit() as f64);
        let message = format!(
            "is {limit}, and the results of {these} of {all} {name} fill it; raise it, or ask for fewer {name}"
        );
        Err(StudyError::Memory { key: "memory".into(), message })
    }

    /// The rule that ends the study early, over these quantities, if the scenario has one.
    ///
    /// # Errors
    /// If the rule names another quantity.
    pub fn ending(&self, quantities: &[&str]) -> Result<Option<Ending>, StudyError> {
        let ending = self.upkeep.stop.map(|rule| Ending::new(rule, quantities));
        ending.transpose().map_err(wrong_rule)
    }

    /// Something that takes a while and that every part of the study needs: made once, and kept.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn once<T>(
        &self,
        name: &str,
        make: impl Fn(&Context<'_>) -> Result<T, StudyError> + Sync,
    ) -> Result<T, StudyError>
    where
        T: Serialize + DeserializeOwned + Send,
    {
        let mut made = None;
        let work = Work { stage: Stage::shared(name, 1), keeper: self.upkeep.keeper, progress: self.progress };
        ordered(
            &work,
            |_| self.counted(&make),
            |_| false,
            |_, (result, effort)| {
                self.progress.worked(effort);
                made = Some(result);
                Ok::<_, StudyError>(ControlFlow::Break(()))
            },
        )?;
        made.ok_or_else(|| StudyError::Cancelled(Cancelled))
    }

    /// Running means of these quantities at so many points, which end the study when the scenario's rule says so.
    ///
    /// # Errors
    /// If the rule names another quantity.
    pub fn watch(&self, quantities: Vec<Watched>, points: usize) -> Result<Watch, StudyError> {
        Watch::new(quantities, points, self.upkeep.stop).map_err(wrong_rule)
    }
}

#[allow(clippy::needless_pass_by_value)] // for map_err
fn wrong_rule(wrong: WrongRule) -> StudyError {
    StudyError::unsuitable("campaign.stop_when", wrong.to_string())
}

impl From<Halt> for StudyError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Cancelled(cancelled) => cancelled.into(),
            other => StudyError::Halted(other),
        }
    }
}
