//! The commands, one file each.

mod answer;
mod check;
mod completions;
mod explain;
mod gallery;
mod list;
mod man;
mod merge;
mod plan;
mod plot;
mod replay;
mod rerun;
mod run;
mod schema;
mod show;
mod slurm;
mod status;
mod work;

pub(crate) use check::check;
pub(crate) use completions::completions;
pub(crate) use explain::explain;
pub(crate) use gallery::gallery;
pub(crate) use list::list;
pub(crate) use man::man;
pub(crate) use merge::merge;
pub(crate) use plan::plan;
pub(crate) use plot::plot;
pub(crate) use replay::replay;
pub(crate) use rerun::rerun;
pub(crate) use run::run;
pub(crate) use schema::schema;
pub(crate) use show::show;
pub(crate) use slurm::slurm;
pub(crate) use status::status;
pub(crate) use work::work;
