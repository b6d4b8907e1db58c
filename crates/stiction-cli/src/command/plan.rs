//! `stiction plan`: finds out how many items a study has, and splits them into tasks.

use super::answer::{SHELL, reserve, unanswered, unusable, unwritable};
use super::run::asked;
use crate::args;
use crate::failure::Failure;
use crate::progress::{self, Teller};
use crate::{interrupt, terminal};
use std::fs;
use stiction::analysis::campaign::{Halt, Keeper};
use stiction_lab::keep::{Home, Plan, Role, Store};
use stiction_lab::run::run_kept;
use stiction_lab::study::{StudyError, Upkeep};

pub(crate) fn plan(arguments: &args::Plan) -> Result<(), Failure> {
    let job = asked(&arguments.question)?;
    let folder = &arguments.out;
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let home = Home::of(folder);
    reserve(folder, &job.resolved, arguments.restart)?;
    let asked = job.asked(arguments.format);
    let store = Store::open(home.clone(), asked.clone(), job.resolved.clone(), Role::Plan, SHELL).map_err(unusable)?;
    // the same scenario, perhaps by another name or in another format
    home.rename(&asked).map_err(unusable)?;
    interrupt::listen();
    progress::phase(job.scenario.study.name());
    let found = run_kept(&job.scenario, &Teller, Upkeep { keeper: &store, ..Upkeep::NONE });
    store.settle().map_err(|error| Failure::run(error.to_string(), ""))?;
    let (stage, items) = match found {
        Err(StudyError::Halted(Halt::Parted { stage, items, .. })) => (stage, items),
        Err(error) => return Err(unanswered(error, &job.scenario, false)),
        Ok(_) => {
            drop(store);
            let _ = home.remove();
            return Err(Failure::arguments(
                format!("the study {} has no items that could be split", job.scenario.study.name()),
                "run it as it is, or ask it over values of a key: --set campaign.realisations=100",
            ));
        }
    };
    let plan = Plan { stage, items, items_per_task: arguments.items_per_task };
    home.set_plan(&plan).map_err(unusable)?;
    let (tasks, folder) = (plan.tasks(), folder.display());
    Ok(terminal::print(&format!(
        "{items} {} in {tasks} tasks, numbered 0 to {}\n\nwork on one:        stiction work {folder} --task 0\n\
         all of them:        stiction slurm {folder} writes a job script for Slurm\nhow far they are:   stiction status {folder}\n\
         at the end:         stiction merge {folder}\n",
        plan.stage,
        tasks.saturating_sub(1),
    ))?)
}
