//! The files that a scenario needs, looked at before it runs.

use crate::campaign::Given;
use crate::scenario::Scenario;
use crate::study::{Tally, check_map};
use stiction::analysis::Progress;

/// The input files of a scenario that cannot be used: each with the key that names it, and why. Files that the items of a
/// campaign use are among them.
pub fn unusable_inputs(scenario: &Scenario, progress: &dyn Progress) -> Vec<String> {
    let (mut system, name) = (scenario.system.clone(), scenario.system.name());
    let Some(model) = system.field_mut() else { return Vec::new() };
    let key = format!("system.{name}.field.file");
    let axes = scenario.campaign.iter().flat_map(|campaign| &campaign.vary);
    let varied: Vec<String> = axes
        .filter(|axis| axis.key == key)
        .flat_map(|axis| &axis.values)
        .filter_map(|value| if let Given::Word(file) = value { Some(file.clone()) } else { None })
        .collect();
    // the files of a list take the place of the one in the system
    let files = if varied.is_empty() { model.file.iter().cloned().collect() } else { varied };
    let unusable = |file: String| {
        model.file = Some(file);
        // the maps of a campaign are read one after the other, each for itself
        let tally = Tally::within(scenario.memory.limit(), progress);
        check_map(model, name, &tally).err().map(|error| error.to_string())
    };
    files.into_iter().filter_map(unusable).collect()
}
