//! A crank-slider with random friction (hu2021).

mod energies;
mod equations;
mod errata;
mod motion;
