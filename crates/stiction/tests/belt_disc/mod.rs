//! A disc on a belt with random friction (hu2023_belt).

mod averages;
mod errata;
mod events;
mod field;
mod limits;
mod motion;
mod random;
