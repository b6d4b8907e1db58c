//! The laboratory: scenarios in; datasets, figures and reports out.
//!
//! Each module uses only those above it (a test keeps the order):
//!
//! | module | holds |
//! |---|---|
//! | [`safe_text`] | text that others wrote, made safe to show |
//! | [`files`] | how files are opened and written |
//! | [`dataset`] | answers: quantities with units, tables, events, warnings |
//! | [`figure`] | pictures, drawn from tables and nothing else |
//! | [`keep`] | finished items of large studies in files: resumed, split over machines |
//! | [`study`] | the questions; each turns a system into an [`Outcome`](dataset::Outcome) |
//! | [`campaign`] | a study over values of any keys and over realisations |
//! | [`scenario`] | the TOML file a person writes: read, checked against its schema, every problem named with its place |
//! | [`run`](mod@run) | the answer of a scenario |
//! | [`audit`] | whether the claims of a scenario can fail, and whether they depend on the seed |
//! | [`answer`] | the answer for a person: one sentence, and the quantities that matter most |
//! | [`report`] | what a run leaves behind: the folder with its files and its page |
//! | [`gallery`] | every figure of every paper on one page, with the verdict on every statement |

pub mod answer;
pub mod audit;
pub mod campaign;
pub mod dataset;
pub mod figure;
pub mod files;
pub mod gallery;
pub mod keep;
mod parallel;
pub mod report;
pub mod run;
pub mod safe_text;
pub mod scenario;
pub mod study;

/// The Rust example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
