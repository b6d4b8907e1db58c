//! Finished items in files that can be trusted, so that a large study can be resumed, split over machines and watched.
//!
//! | file | holds |
//! |---|---|
//! | `shard`, `index`, `store` | finished items in files |
//! | `home`, `difference` | the folder `.campaign`: what was asked, and whether this is the same |
//! | `resolved` | what was asked: the text of a scenario and its hash |
//! | `status`, `worker`, `slurm` | splitting over machines, and how far they are |
//! | `folder_error` | why a folder could not be written |

mod difference;
mod folder_error;
mod home;
mod index;
mod pace;
mod resolved;
mod shard;
mod slurm;
mod status;
mod store;
mod worker;

pub use difference::Difference;
pub use folder_error::FolderError;
pub use home::{Asked, HOME, Home, HomeError, Plan};
pub use resolved::Resolved;
pub use slurm::slurm_script;
pub use status::{Status, told_ranges};
pub(crate) use store::Unkept;
pub use store::{Role, Shell, Store};
pub use worker::Worker;
