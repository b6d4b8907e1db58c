//! `stiction merge`: the results of all tasks, put together.

use super::answer::{Delivery, unusable};
use super::work::planned;
use crate::args;
use crate::failure::Failure;
use crate::progress;
use stiction_lab::keep::{Home, Role, Status, told_numbers};

pub(crate) fn merge(arguments: &args::Merge) -> Result<(), Failure> {
    let args::Merge { folder, telling, .. } = arguments;
    let home = Home::of(folder);
    let (job, format) = planned(&home)?;
    let plan = home.plan().map_err(unusable)?;
    // a rule may end the study before the items that are missing
    let may_end_early = job.scenario.campaign.as_ref().is_some_and(|campaign| campaign.stop_when.is_some());
    if !may_end_early {
        progress::phase("looking for finished items");
        let status = Status::of(&home).map_err(unusable)?;
        let tasks = status.tasks_missing();
        if !tasks.is_empty() {
            let damaged: String =
                status.damaged.iter().map(|(file, reason)| format!("\n{file} cannot be used: {reason}")).collect();
            let message = format!(
                "{} of {} {} are missing, in the tasks {}{damaged}",
                status.items_missing(),
                plan.items,
                plan.stage,
                told_numbers(&tasks)
            );
            let hint = format!("`stiction work {} --task {}` makes the first of them", folder.display(), tasks[0]);
            return Err(Failure::run(message, hint));
        }
    }
    let role = Role::Merge { plan };
    job.answer(&Delivery { folder: Some(folder.clone()), format, telling: *telling, role })
}
