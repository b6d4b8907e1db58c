//! `stiction work`: the items of one task.

use super::answer::{Job, SHELL, unanswered, unusable};
use crate::args;
use crate::failure::Failure;
use crate::progress::{self, Reporter};
use crate::{interrupt, terminal};
use stiction::analysis::campaign::Halt;
use stiction_lab::keep::{Home, Role, Store};
use stiction_lab::run::run_kept;
use stiction_lab::scenario::{Size, Source, read};
use stiction_lab::study::{StudyError, Upkeep};

pub(crate) fn work(arguments: &args::Work) -> Result<(), Failure> {
    let home = Home::of(&arguments.folder);
    let (job, format) = planned(&home, arguments.limit)?;
    let plan = home.plan().map_err(unusable)?;
    let task = match arguments.task {
        Some(task) => task,
        None => task_of_slurm()?,
    };
    if task >= plan.tasks() {
        let message = format!("there is no task {task}: the plan has {}, counted from 0", plan.tasks());
        return Err(Failure::arguments(message, ""));
    }
    let role = Role::Work { plan, task };
    home.refuse_foreign().map_err(unusable)?;
    interrupt::keep_in(&home);
    let store = Store::open(home, job.asked(format), job.resolved.clone(), role, SHELL).map_err(unusable)?;
    interrupt::listen();
    progress::phase(job.scenario.study.name());
    let found = run_kept(&job.scenario, &Reporter, Upkeep { keeper: &store, ..Upkeep::NONE });
    match found {
        Err(StudyError::Halted(Halt::Parted { stage, range, .. })) => {
            terminal::say(&format!(
                "task {task}: {stage} {} to {} are finished",
                range.start,
                range.end.saturating_sub(1)
            ));
            Ok(())
        }
        Err(error) => Err(unanswered(error, &job.scenario)),
        Ok(_) => Err(Failure::run("the study has no such items any more", "plan it again")),
    }
}

/// What was planned in a folder.
pub(super) fn planned(home: &Home, limit: args::Limit) -> Result<(Job, args::Format), Failure> {
    progress::phase("reading what is planned");
    let (asked, text) = home.asked().map_err(unusable)?;
    let mut scenario = read(Source::new("scenario.toml", text), &[], Size::Full)?;
    // that of this command, or that of the plan
    args::Limit { memory: limit.memory.or(asked.memory) }.apply(&mut scenario);
    let job = Job::new(&asked.name, &asked.command, scenario)?;
    home.check(&job.resolved).map_err(unusable)?;
    Ok((job, if asked.csv { args::Format::Csv } else { args::Format::Parquet }))
}

fn task_of_slurm() -> Result<u64, Failure> {
    let hint = "give --task K, or start it in a job array of Slurm";
    let text = std::env::var("SLURM_ARRAY_TASK_ID").map_err(|_| Failure::arguments("no task is given", hint))?;
    let wrong = |_| Failure::arguments(format!("SLURM_ARRAY_TASK_ID is `{text}`, not the number of a task"), hint);
    text.trim().parse().map_err(wrong)
}
