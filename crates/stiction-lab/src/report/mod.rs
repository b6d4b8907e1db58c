//! What a run leaves behind: the folder with its files and its page.

mod finished;
mod folder;
mod number;
mod page;
mod record;
mod summary;
mod terminal;
mod write;

pub use finished::{Finished, FinishedError};
pub use folder::{FolderError, replace_file};
pub use number::{readable, readable_value};
pub use page::html;
pub use record::{CheckedClaim, Provenance, RunRecord};
pub use terminal::human_summary;
pub use write::{ReportError, TableFormat, Written, write_run};
