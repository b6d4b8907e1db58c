//! Areas made of the cells of a grid.

use super::outline::Point;
use super::shape::Mask;
use crate::Problem;
use crate::keys::Check;

/// Most cells of a mask.
const MOST_CELLS: usize = 1_000_000;

/// Most straight edges of the outline of a mask.
const MOST_EDGES: usize = 20_000;

impl Mask {
    /// What is wrong with the mask; empty if nothing.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let mut check = Check::default();
        let width = self.rows.first().map_or(0, |row| row.chars().count());
        if self.rows.len().saturating_mul(width) > MOST_CELLS {
            check.problem(
                "rows",
                format!("are {} of {width} cells, but at most {MOST_CELLS} cells are allowed", self.rows.len()),
            );
            return check.found();
        }
        for (i, row) in self.rows.iter().enumerate() {
            let count = row.chars().count();
            if count != width {
                check.problem(format!("rows[{i}]"), format!("has {count} cells, but the first row has {width}"));
            }
            if let Some((k, found)) = row.chars().enumerate().find(|(_, c)| !matches!(c, '#' | '.')) {
                check.problem(
                    format!("rows[{i}]"),
                    format!("has `{found}` at column {k}, but only `#` and `.` are allowed"),
                );
            }
        }
        if !self.rows.iter().any(|row| row.contains('#')) {
            check.problem("rows", "have no cell in contact; mark at least one with `#`".to_owned());
        }
        let found = check.found();
        if found.is_empty() {
            let edges = self.edges().len();
            if edges > MOST_EDGES {
                check.problem(
                    "rows",
                    format!("give an outline of {edges} edges, but at most {MOST_EDGES} are allowed; use larger cells"),
                );
                return check.found();
            }
        }
        found
    }

    /// Whether each cell is in contact, rows from bottom to top, and the number of cells of a row.
    fn cells(&self) -> (Vec<Vec<bool>>, usize) {
        let cells: Vec<Vec<bool>> = self.rows.iter().rev().map(|row| row.chars().map(|c| c == '#').collect()).collect();
        let width = cells.iter().map(Vec::len).max().unwrap_or(0);
        (cells, width)
    }

    /// Edges between cells in contact and others, joined along straight lines, with the area to their left, about the middle of
    /// the grid.
    pub(crate) fn edges(&self) -> Vec<[Point; 2]> {
        let (cells, width) = self.cells();
        let height = cells.len();
        let covered = |row: isize, column: isize| {
            let row = usize::try_from(row).ok().and_then(|row| cells.get(row));
            let column = usize::try_from(column).ok();
            row.zip(column).and_then(|(row, column)| row.get(column)).copied().unwrap_or(false)
        };
        let middle = [0.5 * width as f64, 0.5 * height as f64];
        let corner = |column: f64, row: f64| [self.cell * (column - middle[0]), self.cell * (row - middle[1])];
        let mut edges = Vec::new();
        // along x: the sides of each line between two rows; along y likewise
        for line in 0..=height as isize {
            let side = |k: isize| sign(covered(line, k), covered(line - 1, k));
            edges.extend(runs(width, side).into_iter().map(|(sign, from, to)| {
                let row = line as f64;
                oriented(sign, corner(from as f64, row), corner(to as f64, row))
            }));
        }
        for line in 0..=width as isize {
            let side = |k: isize| sign(covered(k, line - 1), covered(k, line));
            edges.extend(runs(height, side).into_iter().map(|(sign, from, to)| {
                let column = line as f64;
                oriented(sign, corner(column, from as f64), corner(column, to as f64))
            }));
        }
        edges
    }
}

/// +1 if the area lies to the left of the line only, −1 to the right only, 0 if there is no edge.
fn sign(left: bool, right: bool) -> i8 {
    i8::from(left) - i8::from(right)
}

/// Maximal runs of equal sign along a line: (sign, first, one after the last).
fn runs(count: usize, side: impl Fn(isize) -> i8) -> Vec<(i8, usize, usize)> {
    let mut found: Vec<(i8, usize, usize)> = Vec::new();
    for k in 0..count {
        let sign = side(k as isize);
        match found.last_mut() {
            Some(run) if run.0 == sign && run.2 == k => run.2 = k + 1,
            _ if sign != 0 => found.push((sign, k, k + 1)),
            _ => {}
        }
    }
    found
}

fn oriented(sign: i8, from: Point, to: Point) -> [Point; 2] {
    if sign > 0 { [from, to] } else { [to, from] }
}
