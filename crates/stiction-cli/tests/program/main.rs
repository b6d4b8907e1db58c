//! The program as a person types it.

#[path = "../support/mod.rs"]
mod support;

mod book;
mod claims;
mod cli;
mod escapes;
mod folders;
mod hostile;
mod hostile_fields;
mod inputs;
mod maps;
mod memory;
mod pictures;
mod readme;
mod run;
mod signals;
mod silence;
mod strangers;
