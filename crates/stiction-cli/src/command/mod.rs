//! The commands, one file each.

mod check;
mod completions;
mod explain;
mod gallery;
mod list;
mod man;
mod run;
mod schema;
mod show;

pub(crate) use check::check;
pub(crate) use completions::completions;
pub(crate) use explain::explain;
pub(crate) use gallery::gallery;
pub(crate) use list::list;
pub(crate) use man::man;
pub(crate) use run::run;
pub(crate) use schema::schema;
pub(crate) use show::show;
