//! A strip without end: a random field along x, made tile by tile on demand.
//!
//! Only one tile is held. Values do not depend on the length of tiles or on the order in which they are asked for: each is
//! a function of the germ and of its place alone, and the spline between them of its neighbours within
//! [`REACH`] nodes. Positions along x are counted in nodes from x = 0, also to the left.

use super::generator::{GeneratorError, PointMap, Sample, Separable, SeparablePlan};
use super::interpolation::{REACH, Surface, cell as row};
use super::lattice::Grid;
use super::model::InterpolationChoice;
use super::purpose::{Germ, Purpose};

/// What a strip is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StripSetting {
    /// Lower and upper rim \[m\].
    pub rims: [f64; 2],
    /// Distances between nodes along x and y \[m\].
    pub step: [f64; 2],
    /// Nodes of a tile along x, at least 2.
    pub tile: usize,
    /// How values between nodes are found.
    pub interpolation: InterpolationChoice,
    /// Memory that a tile may use \[bytes\].
    pub memory: usize,
}

/// One realisation of a positive field on a strip without end.
#[derive(Debug)]
pub struct Strip<M> {
    generator: Separable,
    germ: Germ,
    purpose: Purpose,
    map: M,
    setting: StripSetting,
    rows: usize,
    /// Number of the tile that is held, and the tile.
    held: Option<(i64, Surface)>,
}

impl<M: PointMap> Strip<M> {
    /// A strip; nothing is made until a value is asked for.
    ///
    /// # Errors
    /// If a number of the setting is impossible, or a tile needs more memory than allowed.
    pub fn new(
        generator: Separable,
        germ: Germ,
        purpose: Purpose,
        map: M,
        setting: StripSetting,
    ) -> Result<Self, GeneratorError> {
        let [bottom, top] = setting.rims;
        let rows = Grid::covering([0.0, bottom], [0.0, top], setting.step)?.count()[1].max(2);
        let columns = setting.tile.saturating_add(2 * REACH + 3);
        if setting.tile < 2 {
            let found = setting.tile.to_string();
            return Err(GeneratorError::Setting { what: "tile", found, wanted: "at least 2 nodes" });
        }
        // values, their continuation, and coefficients of both passes
        let needed = columns.saturating_mul(rows + 2 * REACH + 2).saturating_mul(4 * 8);
        if needed > setting.memory {
            return Err(GeneratorError::Memory {
                generator: "a tile",
                needed: (needed >> 20) as u64 + 1,
                limit: (setting.memory >> 20) as u64,
                width: setting.tile as f64 * setting.step[0],
                height: top - bottom,
                length: generator.shortest_length(),
                alternative: "choose shorter tiles or a coarser grid",
            });
        }
        Ok(Self { generator, germ, purpose, map, setting, rows, held: None })
    }

    /// Value and gradient at a point \[m\].
    ///
    /// # Errors
    /// If the point is beyond the rims or too far away, or the value is not positive.
    pub fn at(&mut self, x: f64, y: f64) -> Result<Sample, GeneratorError> {
        let [bottom, top] = self.setting.rims;
        if !(y >= bottom && y <= top && x.is_finite()) {
            let (left, right) = (f64::NEG_INFINITY, f64::INFINITY);
            return Err(GeneratorError::Outside { left, right, bottom, top, x, y });
        }
        let place = x / self.setting.step[0];
        // farther away, the place within a cell has few digits left
        if place.abs() > 1e12 {
            let (limit, length) = (1e12 * self.setting.step[0], self.generator.shortest_length());
            return Err(GeneratorError::TooFar { axis: 'x', position: x, length, limit });
        }
        // cell and place within it are counted from x = 0, whatever the tile
        let node = place.floor();
        let cells = self.setting.tile as i64 - 1;
        let number = (node as i64).div_euclid(cells);
        let held = match self.held.take() {
            Some(held) if held.0 == number => held,
            _ => (number, self.tile(number)?),
        };
        let surface = &self.held.insert(held).1;
        let (j, v) = row((y - bottom) / self.setting.step[1], self.rows);
        let sample = surface.cell((node as i64).rem_euclid(cells) as usize, j, place - node, v);
        if sample.value > 0.0 { Ok(sample) } else { Err(GeneratorError::NotPositive { x, y, value: sample.value }) }
    }

    /// A tile; it shares its first and last nodes with its neighbours.
    fn tile(&self, number: i64) -> Result<Surface, GeneratorError> {
        let StripSetting { rims, step, tile, interpolation, .. } = self.setting;
        let first = number * (tile as i64 - 1);
        let margin = match interpolation {
            InterpolationChoice::Cubic => REACH + 1,
            InterpolationChoice::Bilinear => 0,
        };
        let columns = tile + 2 * margin;
        let strip = Grid::new([0.0, rims[0]], step, [columns, self.rows])?;
        let plan = self.generator.on_shifted(&strip, first - margin as i64)?;
        let mut values = vec![0.0; columns * self.rows];
        plan.fill(&self.germ, self.purpose, &self.map, &mut values)?;
        self.check(&plan, &values)?;
        let grid = Grid::new([first as f64 * step[0], rims[0]], step, [tile, self.rows])?;
        let surface = Surface::tile(grid, interpolation, &values);
        if interpolation == InterpolationChoice::Cubic {
            surface.check_between()?;
        }
        Ok(surface)
    }

    fn check(&self, plan: &SeparablePlan, values: &[f64]) -> Result<(), GeneratorError> {
        match values.iter().position(|value| !(value.is_finite() && *value > 0.0)) {
            None => Ok(()),
            Some(place) => {
                let [x, y] = [plan.x(place / self.rows), plan.grid().y(place % self.rows)];
                Err(GeneratorError::NotPositive { x, y, value: values[place] })
            }
        }
    }
}
