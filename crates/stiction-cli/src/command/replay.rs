//! `stiction replay`: one item of a study, alone.

use super::answer::{Delivery, Job, unanswered, unusable};
use crate::args::{self, Format, Telling};
use crate::failure::Failure;
use crate::progress::{self, Reporter};
use crate::{interrupt, terminal};
use serde_json::json;
use stiction::analysis::campaign::Halt;
use stiction_lab::campaign::Campaign;
use stiction_lab::files::{OWN_TEXT, read_text};
use stiction_lab::keep::{HOME, Home, Role, check_inputs};
use stiction_lab::report::same_folder;
use stiction_lab::run::{item_scenario, run_kept};
use stiction_lab::safe_text;
use stiction_lab::scenario::{Scenario, Size, Source, read};
use stiction_lab::study::Replay;
use stiction_lab::study::{StudyError, Upkeep};

pub(crate) fn replay(arguments: &args::Replay) -> Result<(), Failure> {
    let args::Replay { folder, item, out, restart, limit, json } = arguments;
    let (name, mut scenario) = scenario_of(arguments)?;
    limit.apply(&mut scenario);
    if scenario.campaign.as_ref().is_some_and(Campaign::repeats) {
        // an item of a campaign is a run of its own, with all that a run has
        let scenario = item_scenario(&scenario, *item)?;
        let command = format!("stiction replay {} {item}", folder.display());
        let job = Job::new(&format!("{name}-item-{item}"), &command, scenario)?;
        if out.as_ref().is_some_and(|out| same_folder(out, folder)) {
            let message = format!("{} has the whole study: one item would replace its tables", folder.display());
            return Err(Failure::arguments(message, "choose another folder with --out DIR"));
        }
        let telling = Telling { strict: false, all: false, json: *json };
        let delivery =
            Delivery { folder: out.clone(), format: Format::Parquet, telling, role: Role::Run, restart: *restart };
        return job.answer(&delivery);
    }
    let itemless = || Failure::arguments(format!("the study {} has no items", scenario.study.name()), "");
    if !scenario.has_items() {
        return Err(itemless());
    }
    if out.is_some() {
        let hint = "its result is printed; only the items of a [campaign] are runs of their own";
        return Err(Failure::arguments("an item of this study leaves no files", hint));
    }
    interrupt::listen();
    let asked = Replay::of(*item);
    progress::phase(scenario.study.name());
    let found = run_kept(&scenario, &Reporter, Upkeep { replay: Some(&asked), ..Upkeep::NONE });
    check_inputs(&scenario.input).map_err(|error| Failure::run(error.to_string(), ""))?;
    match found {
        Err(StudyError::Halted(Halt::Parted { stage, .. })) => {
            let result = json!({ "scenario": name, "stage": stage, "item": item, "result": asked.result() });
            Ok(terminal::print(&safe_text::json(&result))?)
        }
        Err(error) => Err(unanswered(error, &scenario)),
        Ok(_) => Err(itemless()),
    }
}

/// The scenario of a folder: that of its unfinished work, or that of its results.
fn scenario_of(arguments: &args::Replay) -> Result<(String, Scenario), Failure> {
    progress::phase("reading the scenario");
    let home = Home::of(&arguments.folder);
    let mut path = arguments.folder.join("scenario.toml");
    let (name, text, memory) = if home.exists() {
        let (asked, text) = home.asked().map_err(unusable)?;
        path = arguments.folder.join(HOME).join("scenario.toml");
        (asked.name, text, asked.memory)
    } else {
        let text = read_text(&path, OWN_TEXT).map_err(|error| {
            let hint = "give the folder of a run, finished or not";
            Failure::arguments(format!("cannot read {}: {error}", path.display()), hint)
        })?;
        ("replay".to_owned(), text, None)
    };
    let mut scenario = read(Source::new(path.to_string_lossy(), text), &[], Size::Full)?;
    args::Limit { memory }.apply(&mut scenario);
    Ok((name, scenario))
}
