//! Special functions: gamma, Bessel, and the normal distribution.

mod bessel;
mod gamma;
mod matern;
mod normal;

pub use bessel::{bessel_j0, bessel_k, bessel_k_scaled, scaled_bessel_i};
pub use gamma::{gamma, ln_gamma};
pub use matern::matern;
pub use normal::{inverse_mills, normal_below, normal_density};
