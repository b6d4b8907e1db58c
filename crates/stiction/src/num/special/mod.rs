//! Special functions: gamma, Bessel, the normal distribution, the rule of Gauss.

mod bessel;
mod gamma;
mod matern;
mod normal;

pub use bessel::{bessel_j0, scaled_bessel_i};
pub use gamma::{gamma, ln_gamma};
pub use matern::matern;
pub use normal::{inverse_mills, normal_below, normal_density};
