//! The laboratory: scenarios in; datasets, figures and reports out.
//!
//! | module | holds |
//! |---|---|
//! | [`scenario`] | the TOML file a person writes: read, checked against its schema, every problem named with its place |
//! | [`study`] | the questions; each turns a system into an [`Outcome`](dataset::Outcome) |
//! | [`campaign`] | large studies: kept, resumed, split over machines |
//! | [`dataset`] | answers: quantities with units, tables, events, warnings |
//! | [`figure`] | pictures, drawn from tables and nothing else |
//! | [`report`] | what a run leaves behind: the folder with its files and its page |
//! | [`files`] | how files are opened and written |
//! | [`gallery`] | every figure of every paper on one page, with the verdict on every statement |

pub mod campaign;
pub mod dataset;
pub mod figure;
pub mod files;
pub mod gallery;
mod parallel;
pub mod report;
pub mod scenario;
pub mod study;

/// The Rust example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
