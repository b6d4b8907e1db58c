//! `stiction merge`: the results of all tasks, put together.

use super::answer::{Delivery, unusable};
use super::work::planned;
use crate::args;
use crate::failure::Failure;
use crate::{progress, terminal};
use stiction_lab::keep::{Home, Role, Status, told_ranges};

/// Most damaged files that are named.
const MOST_DAMAGED: usize = 10;

pub(crate) fn merge(arguments: &args::Merge) -> Result<(), Failure> {
    let args::Merge { folder, limit, telling, .. } = arguments;
    let home = Home::of(folder);
    let (job, format) = planned(&home, *limit)?;
    let plan = home.plan().map_err(unusable)?;
    // a rule may end the study before the items that are missing
    let may_end_early = job.scenario.campaign.as_ref().is_some_and(|campaign| campaign.stop_when.is_some());
    if !may_end_early {
        progress::phase("looking for finished items");
        let status = Status::of(&home).map_err(unusable)?;
        let tasks = status.tasks_missing();
        if !tasks.is_empty() {
            for (file, reason) in status.damaged.iter().take(MOST_DAMAGED) {
                terminal::say(&format!("warning: {file} cannot be used: {reason}"));
            }
            let message = format!(
                "{} of {} {} are missing, in the tasks {}",
                status.items_missing(),
                plan.items,
                plan.stage,
                told_ranges(&tasks)
            );
            let hint =
                format!("`stiction work {} --task {}` makes the first of them", folder.display(), tasks[0].start);
            return Err(Failure::run(message, hint));
        }
    }
    let role = Role::Merge { plan };
    job.answer(&Delivery { folder: Some(folder.clone()), format, telling: *telling, role, restart: false })
}
