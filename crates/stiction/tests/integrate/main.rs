//! The event loop and its methods, on systems with known motions.

#[path = "../support/mod.rs"]
mod support;

mod conformance;
mod convergence;
mod events;
mod filippov;
mod record;
mod rosenbrock;
