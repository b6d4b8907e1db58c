//! The program as a person types it.

#[path = "../support/mod.rs"]
mod support;

mod book;
mod cli;
mod folders;
mod hostile;
mod hostile_fields;
mod maps;
mod pictures;
mod readme;
mod run;
mod signals;
mod silence;
