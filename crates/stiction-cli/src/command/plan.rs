//! `stiction plan`: finds out how many items a study has, and splits them into tasks.

use super::answer::{SHELL, unanswered, unusable};
use super::run::asked;
use crate::args;
use crate::failure::Failure;
use crate::progress::{self, Reporter};
use crate::{interrupt, terminal};
use stiction::analysis::campaign::{Halt, Keeper};
use stiction_lab::keep::{Home, Plan, Role, Store};
use stiction_lab::run::run_kept;
use stiction_lab::safe_text;
use stiction_lab::scenario::Scenario;
use stiction_lab::study::{StudyError, Upkeep};

pub(crate) fn plan(arguments: &args::Plan) -> Result<(), Failure> {
    let job = asked(&arguments.question)?;
    if !job.scenario.has_items() {
        return Err(unsplit(&job.scenario));
    }
    let folder = &arguments.out;
    let home = Home::of(folder);
    let _reserved = job.reserve(folder, arguments.format, arguments.restart)?;
    interrupt::keep_in(&home);
    let asked = job.asked(arguments.format);
    let store = Store::open(home.clone(), asked.clone(), job.resolved.clone(), Role::Plan, SHELL).map_err(unusable)?;
    // the same scenario, perhaps by another name or in another format
    home.rename(&asked).map_err(unusable)?;
    interrupt::listen();
    progress::phase(job.scenario.study.name());
    let found = run_kept(&job.scenario, &Reporter, Upkeep { keeper: &store, ..Upkeep::NONE });
    store.settle().map_err(|error| Failure::run(error.to_string(), ""))?;
    let (stage, items) = match found {
        Err(StudyError::Halted(Halt::Parted { stage, items, .. })) => (stage, items),
        Err(error) => return Err(unanswered(error, &job.scenario)),
        Ok(_) => {
            drop(store);
            let _ = home.remove();
            return Err(unsplit(&job.scenario));
        }
    };
    let plan = Plan { stage, items, items_per_task: arguments.items_per_task };
    home.set_plan(&plan).map_err(unusable)?;
    let (tasks, folder) = (plan.tasks(), safe_text::path(folder));
    Ok(terminal::print(&format!(
        "{items} {} in {tasks} tasks, numbered 0 to {}\n\nwork on one:        stiction work {folder} --task 0\n\
         all of them:        stiction slurm {folder} writes a job script for Slurm\nhow far they are:   stiction status {folder}\n\
         at the end:         stiction merge {folder}\n",
        plan.stage,
        tasks.saturating_sub(1),
    ))?)
}

fn unsplit(scenario: &Scenario) -> Failure {
    Failure::arguments(
        format!("the study {} has no items that could be split", scenario.study.name()),
        "run it as it is, or ask it over values of a key: --set campaign.realisations=100",
    )
}
