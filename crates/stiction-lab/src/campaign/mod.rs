//! The table `[campaign]`: any study over values of any keys and over realisations.
//!
//! What finished items are kept in is [`keep`](crate::keep), what makes them is [`run`](mod@crate::run).

mod promise;
mod spec;

pub(crate) use promise::{LONGEST, has_quantity as campaign_quantity, kept_name, tables as campaign_tables};
pub use spec::{Campaign, Combine, Given, RandomKey, Vary};
