//! Numbers: elementary functions with reproducible bits, roots, quadrature, formulas and their derivatives.

pub mod dense;
pub mod formula;
pub mod jet;
pub mod lambert;
pub mod quadrature;
pub mod real;
pub mod roots;
pub mod scalar;
