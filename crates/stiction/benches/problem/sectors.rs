//! The face of two discs as others divide it.

use stiction::num::real::{cos, sin};
use stiction::system::two_disc::Face;

/// Sectors of equal area: 4 n² cells of a face of radius 0.1 m whose centre is 0.9 m off.
pub(crate) fn sectors(rings: u32) -> Face {
    let radius = 0.1;
    let mut cells = Vec::new();
    for k in 0..rings {
        let (inner, outer) = (radius * f64::from(k) / f64::from(rings), radius * f64::from(k + 1) / f64::from(rings));
        let count = 4 * (2 * k + 1);
        let half = std::f64::consts::PI / f64::from(count);
        let mean = 2.0 / 3.0 * (outer.powi(3) - inner.powi(3)) / (outer.powi(2) - inner.powi(2)) * sin(half) / half;
        for j in 0..count {
            let angle = (2.0 * f64::from(j) + 1.0) * half;
            cells.push((0.9 + mean * cos(angle), mean * sin(angle), 1.0));
        }
    }
    Face::from_cells(cells)
}
