//! A job script for Slurm: an array of tasks.

use super::home::Plan;
use std::path::Path;

/// Larger arrays are refused by Slurm as it comes.
const LARGEST_ARRAY: u64 = 1000;

/// A script for `sbatch` that works off all tasks of a plan; `program` is the program, `folder` the folder of results, both as
/// paths that every node can see.
///
/// # Errors
/// What cannot stand in a line of a script: control characters in a path or in the plan, paths that are not UTF-8.
pub fn slurm_script(plan: &Plan, program: &Path, folder: &Path, name: &str) -> Result<String, String> {
    let paths = [("program", program), ("folder", folder)];
    if let Some((what, path)) = paths.iter().find(|(_, path)| path.to_str().is_none()) {
        return Err(format!("the path of the {what} is not UTF-8: {path:?}; rename it"));
    }
    let texts = paths.map(|(what, path)| (what, path.display().to_string()));
    let wrong = texts.iter().find(|(_, text)| text.contains(crate::safe_text::steers));
    if let Some((what, text)) = wrong {
        return Err(format!(
            "the path of the {what} has a control character or a mark of direction: {text:?}; rename it"
        ));
    }
    if let Some(problem) = plan.problem() {
        return Err(format!("plan.json: {problem}"));
    }
    let tasks = plan.tasks().max(1);
    let array = tasks.min(LARGEST_ARRAY);
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let (program, folder) = (quoted(program), quoted(folder));
    let Plan { stage, items, items_per_task } = plan;
    Ok(format!(
        r#"#!/bin/bash
# {items} {stage} in {tasks} tasks of {items_per_task}, written by `stiction slurm`.
#
# Submit:        sbatch {folder}/array.sbatch
# Watch:         stiction status {folder}
# At the end:    stiction merge {folder}
# Or in one go:  id=$(sbatch --parsable {folder}/array.sbatch)
#                sbatch --dependency=afterany:$id --wrap="{program} merge {folder}"
#
# Every task may be run twice, killed at any moment and started again: finished items are kept, and the
# merged result has the same bytes as that of one machine. Change the lines below as your cluster needs
# (partition, account, time); none of them changes the result.

#SBATCH --job-name={name}
#SBATCH --array=0-{last}
# one task uses this many threads:
#SBATCH --cpus-per-task=1
# a task whose node fails is started again:
#SBATCH --requeue
# what the tasks say; %a is the number of the task:
#SBATCH --output={folder}/.campaign/slurm-%a.log
#SBATCH --open-mode=append
# a warning before the time is over, so that the last items are kept too:
#SBATCH --signal=B:TERM@5

# arrays of more than {LARGEST_ARRAY} jobs are refused by most clusters: one job then does several tasks, one after the other
for ((task = SLURM_ARRAY_TASK_ID; task < {tasks}; task += {array})); do
    {program} work {folder} --task "$task" --threads "${{SLURM_CPUS_PER_TASK:-1}}" &
    # in the background, so that a signal reaches this shell, which passes it on and waits until the last items are kept
    worker=$!
    trap 'kill -TERM "$worker" 2>/dev/null' TERM INT
    code=0
    wait "$worker" || code=$?
    while kill -0 "$worker" 2>/dev/null; do wait "$worker" || code=$?; done
    [ "$code" = 0 ] || exit "$code"
done
"#,
        last = array - 1,
    ))
}

fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "-_./+:,".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_in_the_array_or_in_a_stride_of_it() {
        let script = |items| {
            let plan = Plan { stage: "items".into(), items, items_per_task: 10 };
            slurm_script(&plan, Path::new("/opt/stiction"), Path::new("/data/my run"), "hu2021/fig9").unwrap()
        };
        assert!(script(160).contains("#SBATCH --array=0-15\n") && script(160).contains("task < 16; task += 16"));
        assert!(
            script(55_000).contains("#SBATCH --array=0-999\n") && script(55_000).contains("task < 5500; task += 1000")
        );
        assert!(
            script(1).contains("/opt/stiction work '/data/my run' --task")
                && script(1).contains("--job-name=hu2021-fig9")
        );
    }

    #[test]
    fn what_a_plan_or_a_folder_says_never_becomes_a_command() {
        let plan = |stage: &str| Plan { stage: stage.to_owned(), items: 10, items_per_task: 10 };
        let script = |stage: &str, folder: &str| {
            slurm_script(&plan(stage), Path::new("/opt/stiction"), Path::new(folder), "a\nb")
        };
        assert!(script("items\ntouch /tmp/x", "/data").unwrap_err().contains("plan.json"));
        assert!(script("items", "/data/a\nb").unwrap_err().contains("control character"));
        let tricky = script("items", "/data/$(touch x) `y` 'z'").unwrap();
        assert!(tricky.contains(r"work '/data/$(touch x) `y` '\''z'\''' --task"));
    }
}
