//! Special functions: gamma, Bessel, the normal distribution, the rule of Gauss.

mod bessel;
mod gamma;
mod matern;
mod normal;

pub(crate) use bessel::bessel_j0;
pub use bessel::scaled_bessel_i;
pub use gamma::gamma;
pub(crate) use gamma::ln_gamma;
pub use matern::matern;
pub(crate) use normal::{inverse_mills, normal_below, normal_density};
