//! Numbers: elementary functions with reproducible bits, roots, quadrature, formulas and their derivatives, random
//! numbers.

pub mod bulk;
pub mod dense;
pub mod distribution;
pub mod eigenvalues;
pub(crate) mod fft;
pub(crate) mod followed_eigenvalues;
pub mod formula;
pub(crate) mod gauss;
pub mod jet;
pub mod lambert;
pub(crate) mod lanes;
pub mod purpose;
pub mod quadrature;
pub mod random;
pub mod real;
pub mod roots;
pub mod scalar;
pub mod special;
pub mod statistics;
