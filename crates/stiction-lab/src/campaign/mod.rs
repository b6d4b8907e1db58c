//! Large studies that survive anything: resumed, split over machines, watched, and the same to the last byte.
//!
//! | file | holds |
//! |---|---|
//! | `spec`, `grid`, `run`, `tables` | the table `[campaign]`: any study over values of any keys and over realisations |
//! | `extra`, `kept` | lists, tables and warnings of its items |
//! | `promise` | what a campaign will have, for figures and claims that are checked before it runs |
//! | `convergence` | running means: a table and a picture |
//! | `shard`, `index`, `store` | finished items in files that can be trusted |
//! | `home`, `difference` | the folder `.campaign`: what was asked, and whether this is the same |
//! | `status`, `worker`, `slurm` | splitting over machines, and how far they are |
//! | `upkeep` | what a study is given for that, by its context |

mod convergence;
mod difference;
mod extra;
mod grid;
mod home;
mod index;
mod kept;
mod pace;
mod promise;
mod run;
mod shard;
mod slurm;
mod spec;
mod status;
mod store;
mod tables;
mod upkeep;
mod worker;

pub(crate) use convergence::convergence_figure;
pub use difference::Difference;
pub use grid::seed_of;
pub use home::{Asked, HOME, Home, HomeError, Plan};
pub(crate) use promise::{has_quantity as campaign_quantity, tables as campaign_tables};
pub use run::item_scenario;
pub(crate) use run::run;
pub use slurm::slurm_script;
pub use spec::{Campaign, Combine, Given, RandomKey, Spacing, Vary};
pub use status::{Status, told_numbers};
pub(crate) use store::Unkept;
pub use store::{Role, Shell, Store};
pub use upkeep::{LongTables, Replay, StopWish};
pub use worker::Worker;
