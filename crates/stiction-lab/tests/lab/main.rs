//! Scenarios, studies, claims, pictures and what a run leaves behind.

#[path = "../support/built_in.rs"]
mod built_in;
#[path = "../support/golden.rs"]
mod golden;
#[path = "../support/record.rs"]
mod record;
#[path = "../support/samples.rs"]
mod samples;

mod answers;
mod audit;
mod campaigns;
mod claims;
mod figures;
mod random_keys;
mod report;
mod scenario_mistakes;
mod scenario_properties;
mod spring_block;
mod two_disc;
mod users;
