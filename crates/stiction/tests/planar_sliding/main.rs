//! A plate on a surface with random friction (hu2021).

mod errata;
mod moments;
mod variation;
