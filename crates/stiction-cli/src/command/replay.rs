//! `stiction replay`: one item of a study, alone.

use super::answer::{Delivery, Job, reserve, unanswered, unusable};
use crate::args::{self, Format, Telling};
use crate::failure::Failure;
use crate::progress::{self, Teller};
use crate::{interrupt, terminal};
use serde_json::json;
use stiction::analysis::campaign::Halt;
use stiction_lab::campaign::Campaign;
use stiction_lab::files::{OWN_TEXT, read_text};
use stiction_lab::keep::{Home, Role};
use stiction_lab::run::{item_scenario, run_kept};
use stiction_lab::scenario::{Scenario, Size, Source, read};
use stiction_lab::study::Replay;
use stiction_lab::study::{StudyError, Upkeep};

pub(crate) fn replay(arguments: &args::Replay) -> Result<(), Failure> {
    let args::Replay { folder, item, out, restart, json } = arguments;
    let (name, scenario) = scenario_of(arguments)?;
    if scenario.campaign.as_ref().is_some_and(Campaign::repeats) {
        // an item of a campaign is a run of its own, with all that a run has
        let scenario = item_scenario(&scenario, *item)?;
        let command = format!("stiction replay {} {item}", folder.display());
        let job = Job::new(&format!("{name}-item-{item}"), &command, scenario)?;
        if let Some(out) = out {
            reserve(out, &job.resolved, *restart)?;
        }
        let telling = Telling { strict: false, json: *json };
        let delivery = Delivery { folder: out.clone(), format: Format::Parquet, telling, role: Role::Run };
        return job.answer(&delivery);
    }
    if out.is_some() {
        let hint = "its result is printed; only the items of a [campaign] are runs of their own";
        return Err(Failure::arguments("an item of this study leaves no files", hint));
    }
    interrupt::listen();
    let asked = Replay::of(*item);
    progress::phase(scenario.study.name());
    let found = run_kept(&scenario, &Teller, Upkeep { replay: Some(&asked), ..Upkeep::NONE });
    match found {
        Err(StudyError::Halted(Halt::Parted { stage, .. })) => {
            let result = json!({ "scenario": name, "stage": stage, "item": item, "result": asked.result() });
            Ok(terminal::print(&format!("{result:#}\n"))?)
        }
        Err(error) => Err(unanswered(error, &scenario, false)),
        Ok(_) => Err(Failure::arguments(format!("the study {} has no items", scenario.study.name()), "")),
    }
}

/// The scenario of a folder: that of its unfinished work, or that of its results.
fn scenario_of(arguments: &args::Replay) -> Result<(String, Scenario), Failure> {
    progress::phase("reading the scenario");
    let home = Home::of(&arguments.folder);
    let (name, text) = if home.exists() {
        let (asked, text) = home.asked().map_err(unusable)?;
        (asked.name, text)
    } else {
        let path = arguments.folder.join("scenario.toml");
        let text = read_text(&path, OWN_TEXT).map_err(|error| {
            let hint = "give the folder of a run, finished or not";
            Failure::arguments(format!("cannot read {}: {error}", path.display()), hint)
        })?;
        ("replay".to_owned(), text)
    };
    Ok((name, read(Source::new("scenario.toml", text), &[], Size::Full)?))
}
