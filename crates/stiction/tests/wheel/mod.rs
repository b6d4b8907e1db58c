//! A wheel on a turntable (szalai2014).

mod errata;
mod exits;
mod identities;
mod itineraries;
mod structure;
