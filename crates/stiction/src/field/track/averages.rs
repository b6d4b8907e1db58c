//! Local averages of a random field that varies faster than the body's velocity does over the contact.
//!
//! The friction of a body is a sum of the coefficient with a factor that varies over the size of the body only: what the
//! coefficient does within a cell much smaller than the body does not matter, only its mean there. So the field is made on the
//! fine grid that its correlation length asks for, averaged over cells, and kept and summed on these. The means serve as
//! coefficients of the spline: every weight is positive, and so is the field.

use crate::field::generator::{GeneratorError, PointMap, Separable};
use crate::field::{Germ, Grid};

/// Most numbers of the fine grid that are held at a time.
const HELD: usize = 1 << 20;

/// Nodes of a coarse grid at the multiples of `step` \[m\], each the mean of `parts` by `parts` nodes of a fine one around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Averages {
    pub(super) parts: usize,
    pub(super) step: f64,
}

impl Averages {
    /// Fills `values`, column by column, from the node `first` on.
    pub(super) fn fill(
        &self,
        (generator, map): (&Separable, &impl PointMap),
        germ: &Germ,
        (first, count): ([i64; 2], [usize; 2]),
        values: &mut [f64],
    ) -> Result<(), GeneratorError> {
        let Self { parts, step } = *self;
        let fine = step / parts as f64;
        // an even number of parts ends with halves, so that the mean is centred
        let reach = parts / 2;
        let mut weights = vec![1.0 / parts as f64; 2 * reach + 1];
        if parts.is_multiple_of(2) {
            weights[0] *= 0.5;
            weights[2 * reach] *= 0.5;
        }
        let start = first.map(|node| node * parts as i64 - reach as i64);
        let height = (count[1].saturating_sub(1)).saturating_mul(parts) + weights.len();
        let at_once = (HELD / (height * parts)).max(1);
        let mut line = vec![0.0; height];
        let mut numbers = Vec::new();
        for (index, chunk) in values.chunks_mut(at_once * count[1]).enumerate() {
            let columns = chunk.len() / count[1];
            let width = (columns - 1) * parts + weights.len();
            let grid = Grid::new([0.0, start[1] as f64 * fine], [fine; 2], [width, height])?;
            let plan = generator.on_shifted(&grid, start[0] + (index * at_once * parts) as i64)?;
            numbers.resize(width * height, 0.0);
            plan.fill(germ, map, &mut numbers)?;
            for (k, out) in chunk.chunks_exact_mut(count[1]).enumerate() {
                line.fill(0.0);
                let own = numbers.chunks_exact(height).skip(k * parts);
                for (weight, column) in weights.iter().zip(own) {
                    for (sum, number) in line.iter_mut().zip(column) {
                        *sum += weight * number;
                    }
                }
                for (out, rows) in out.iter_mut().zip(line.windows(weights.len()).step_by(parts)) {
                    *out = weights.iter().zip(rows).map(|(weight, number)| weight * number).sum();
                }
            }
        }
        Ok(())
    }
}
