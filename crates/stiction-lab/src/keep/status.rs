//! How far a campaign is: what is done, failed, running and missing.

use super::home::{Home, HomeError, Plan};
use super::index::{Index, missing};
use super::worker::Worker;
use crate::safe_text::line;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::ops::Range;

/// Most numbers of tasks or items in the status for a program.
const MOST_LISTED: usize = 1000;

/// How far a campaign is.
#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    /// Name of the run.
    pub name: String,
    /// The plan, if the work is split.
    pub plan: Option<Plan>,
    /// Kept items of each stage.
    pub done: Vec<(String, u64)>,
    /// Items of the planned stage that are missing.
    pub missing: Vec<Range<u64>>,
    /// Numbers of the kept items of the planned stage (or of all stages) that failed.
    pub failed: Vec<u64>,
    /// Those who are at work.
    pub running: Vec<Worker>,
    /// How many stopped without a word: killed, or too far away to be heard.
    pub silent: u64,
    /// Files that cannot be trusted, and why.
    pub damaged: Vec<(String, String)>,
}

impl Status {
    /// Looks at a folder of results; verifies every checksum, but does not ask who is at work.
    ///
    /// # Errors
    /// If there is no unfinished work, or it cannot be read.
    pub fn of(home: &Home) -> Result<Self, HomeError> {
        let (asked, _) = home.asked()?;
        let plan = match home.plan() {
            Ok(plan) => Some(plan),
            Err(HomeError::Unplanned { .. }) => None,
            Err(error) => return Err(error),
        };
        let folder = home.items();
        let index =
            Index::of(&folder, &asked.scenario_sha256).map_err(|error| super::FolderError::new(&folder, error))?;
        let count = |stage: &str| index.ranges(stage).iter().map(|range| range.end - range.start).sum();
        let done = index.stages().map(|stage| (stage.to_owned(), count(stage))).collect();
        let failed = match &plan {
            Some(plan) => index.failed(&plan.stage).to_vec(),
            None => index.stages().flat_map(|stage| index.failed(stage).to_vec()).collect(),
        };
        let missing = plan.as_ref().map(|plan| missing(0..plan.items, &index.ranges(&plan.stage))).unwrap_or_default();
        let damaged = index.damaged.iter().map(|(path, reason)| (path.display().to_string(), reason.clone())).collect();
        Ok(Self { name: asked.name, plan, done, missing, failed, running: Vec::new(), silent: 0, damaged })
    }

    /// With those who are at work; takes a few seconds if some of them are silent.
    #[must_use]
    pub fn with_workers(mut self, home: &Home) -> Self {
        (self.running, self.silent) = Worker::all(&home.workers());
        self
    }

    /// Number of items that are missing.
    pub fn items_missing(&self) -> u64 {
        self.missing.iter().map(|range| range.end - range.start).sum()
    }

    /// Numbers of the tasks of which something is missing, as ranges that do not touch: there may be any number of them.
    pub fn tasks_missing(&self) -> Vec<Range<u64>> {
        let Some(plan) = &self.plan else { return Vec::new() };
        let size = plan.items_per_task.max(1);
        let mut tasks: Vec<Range<u64>> = Vec::new();
        for range in self.missing.iter().filter(|range| !range.is_empty()) {
            let (first, end) = (range.start / size, (range.end - 1) / size + 1);
            match tasks.last_mut() {
                Some(last) if first <= last.end => last.end = last.end.max(end),
                _ => tasks.push(first..end),
            }
        }
        tasks
    }

    /// About how long it still takes \[s\], if somebody is at work.
    pub fn seconds_left(&self) -> Option<f64> {
        let rate: f64 = self.running.iter().filter_map(Worker::rate).sum();
        (rate > 0.0 && self.plan.is_some()).then(|| self.items_missing() as f64 / rate)
    }

    /// The status for a program.
    pub fn json(&self) -> Json {
        let plan = self.plan.as_ref().map(|plan| {
            json!({
                "stage": plan.stage, "items": plan.items, "items_per_task": plan.items_per_task, "tasks": plan.tasks(),
            })
        });
        let done: serde_json::Map<String, Json> =
            self.done.iter().map(|(stage, items)| (stage.clone(), Json::from(*items))).collect();
        let damaged: Vec<Json> =
            self.damaged.iter().map(|(file, reason)| json!({ "file": file, "reason": reason })).collect();
        json!({
            "scenario": self.name,
            "finished": false,
            "plan": plan,
            "done": done,
            "missing": if self.plan.is_some() { Json::from(self.items_missing()) } else { Json::Null },
            "tasks_missing": self.tasks_missing().into_iter().flatten().take(MOST_LISTED).collect::<Vec<u64>>(),
            "tasks_missing_count": length(&self.tasks_missing()),
            "failed": self.failed.len(),
            "failed_items": self.failed.iter().take(MOST_LISTED).collect::<Vec<_>>(),
            "running": self.running,
            "silent": self.silent,
            "seconds_left": self.seconds_left(),
            "damaged": damaged,
        })
    }

    /// The status for a person.
    pub fn text(&self) -> String {
        // writing to a string cannot fail
        let mut text = String::new();
        let _ = writeln!(text, "{}", line(&self.name));
        for (stage, items) in &self.done {
            let of = self.plan.as_ref().filter(|plan| plan.stage == *stage).map(|plan| format!(" of {}", plan.items));
            let _ = writeln!(text, "  done      {items}{} {}", of.unwrap_or_default(), line(stage));
        }
        if let Some(plan) = &self.plan {
            let tasks = self.tasks_missing();
            let _ = writeln!(
                text,
                "  missing   {} {} in {} of {} tasks",
                self.items_missing(),
                line(&plan.stage),
                length(&tasks),
                plan.tasks()
            );
            if !tasks.is_empty() {
                let _ = writeln!(text, "  tasks     {}", told_ranges(&tasks));
            }
        }
        if !self.failed.is_empty() {
            let _ = writeln!(text, "  failed    {}: items {}", self.failed.len(), told_numbers(&self.failed));
        }
        for worker in &self.running {
            let task = worker.task.map_or("all items".to_owned(), |task| format!("task {task}"));
            let _ = writeln!(
                text,
                "  running   {task} on {}, process {}, {} made",
                line(&worker.machine),
                worker.process,
                worker.made
            );
        }
        if self.silent > 0 {
            let _ = writeln!(text, "  silent    {} without a heartbeat; probably killed", self.silent);
        }
        if let Some(seconds) = self.seconds_left() {
            let _ = writeln!(text, "  time left about {seconds:.0} s");
        }
        for (file, reason) in &self.damaged {
            let _ = writeln!(text, "  damaged   {}: {}", line(file), line(reason));
        }
        text
    }
}

/// Numbers as a person (and Slurm) writes them: `0-3,7,9-12`; the first few.
fn told_numbers(numbers: &[u64]) -> String {
    let mut runs: Vec<Range<u64>> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(last) if last.end == *number => last.end += 1,
            _ => runs.push(*number..number.saturating_add(1)),
        }
    }
    told_ranges(&runs)
}

/// Ranges as a person (and Slurm) writes them: `0-3,7,9-12`; the first few.
pub fn told_ranges(ranges: &[Range<u64>]) -> String {
    let told = |range: &Range<u64>| match range.end.saturating_sub(1) {
        last if last <= range.start => range.start.to_string(),
        last => format!("{}-{last}", range.start),
    };
    let few: Vec<String> = ranges.iter().take(20).map(told).collect();
    few.join(",") + if ranges.len() > 20 { ",..." } else { "" }
}

/// How many numbers ranges have.
fn length(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().map(|range| range.end - range.start).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_as_ranges() {
        assert_eq!(told_numbers(&[0, 1, 2, 3, 7, 9, 10]), "0-3,7,9-10");
        assert_eq!(told_numbers(&[]), "");
    }

    #[test]
    fn missing_items_name_their_tasks() {
        let plan = Plan { stage: "items".into(), items: 25, items_per_task: 10 };
        assert_eq!((plan.tasks(), plan.range(2), plan.range(3)), (3, 20..25, 25..25));
        let status = Status {
            name: String::new(),
            plan: Some(plan),
            done: Vec::new(),
            missing: vec![3..4, 5..6, 24..25],
            failed: Vec::new(),
            running: Vec::new(),
            silent: 0,
            damaged: Vec::new(),
        };
        assert_eq!((status.tasks_missing(), status.items_missing()), (vec![0..1, 2..3], 3));
        // as many as a stranger may write
        let plan = Plan { stage: "items".into(), items: u64::MAX, items_per_task: 1 };
        let status = Status { plan: Some(plan), missing: vec![0..u64::MAX; 1], ..status };
        assert_eq!(told_ranges(&status.tasks_missing()), format!("0-{}", u64::MAX - 1));
        assert_eq!(status.json()["tasks_missing"].as_array().unwrap().len(), MOST_LISTED);
    }
}
