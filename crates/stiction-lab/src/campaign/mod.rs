//! Large studies that survive anything: resumed, split over machines, watched, and the same to the last byte.
//!
//! | file | holds |
//! |---|---|
//! | `spec`, `grid`, `run`, `tables` | the table `[campaign]`: any study over values of any keys and over realisations |
//! | `shard`, `index`, `store` | finished items in files that can be trusted |
//! | `home`, `difference` | the folder `.campaign`: what was asked, and whether this is the same |
//! | `status`, `worker`, `slurm` | splitting over machines, and how far they are |
//! | `upkeep` | what a study is given for that, by its context |

mod difference;
mod grid;
mod home;
mod index;
mod pace;
mod run;
mod shard;
mod slurm;
mod spec;
mod status;
mod store;
mod tables;
mod upkeep;
mod worker;

pub use difference::Difference;
pub use grid::seed_of;
pub use home::{Asked, HOME, Home, HomeError, Plan};
pub use run::item_scenario;
pub(crate) use run::run;
pub use slurm::slurm_script;
pub use spec::{Campaign, Combine, Given, Spacing, Vary};
pub use status::{Status, told_numbers};
pub(crate) use store::Unkept;
pub use store::{Role, Shell, Store};
pub(crate) use tables::{convergence_figure, convergence_table};
pub use upkeep::{LongTables, Replay, StopWish};
pub use worker::Worker;
