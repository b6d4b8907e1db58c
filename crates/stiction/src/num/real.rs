//! Elementary functions, the same bits on every machine.
//!
//! `f64::exp` and its siblings call the platform's maths library, whose last bit differs between systems.
//! Everything in this project calls these instead, so that the same scenario gives the same bytes everywhere.

pub use libm::{
    acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, cos, cosh, erf, erfc, exp, expm1 as exp_m1, hypot, log as ln,
    log1p as ln_1p, log2, log10, pow, sin, sinh, tan, tanh,
};
