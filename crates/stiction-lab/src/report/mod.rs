//! What a run leaves behind: the folder with its files and its page.

#[cfg(test)]
mod faults;
mod finished;
mod folder;
mod page;
mod record;
mod reserve;
mod summary;
mod terminal;
mod write;

pub use crate::dataset::{readable, readable_value};
pub use crate::keep::FolderError;
pub use finished::{Finished, FinishedError};
pub use folder::{create_files, replace_file};
pub use page::html;
pub use record::{CheckedClaim, Provenance, RunRecord};
pub use reserve::{Reserved, same_folder};
pub use terminal::{full_summary, short_summary};
pub use write::{ReportError, TableFormat, Written, write_run};
