//! What a picture of two classes over a plane looks like, in numbers: shares, quadrants, and the best boundary.

/// A map of yes and no over a plane; `None` where neither holds.
pub(super) struct Plane<'a> {
    pub(super) x: &'a [f64],
    pub(super) y: &'a [f64],
    /// Cells, those of equal y together.
    pub(super) cells: Vec<Option<bool>>,
}

impl Plane<'_> {
    /// Share of cells that say yes among those in a window of both axes, given as fractions of their number.
    pub(super) fn share(&self, (x0, x1): (f64, f64), (y0, y1): (f64, f64)) -> Option<f64> {
        let within = |index: usize, count: usize, (low, high): (f64, f64)| {
            let middle = (index as f64 + 0.5) / count as f64;
            middle >= low && middle <= high
        };
        let (mut yes, mut all) = (0_usize, 0_usize);
        for (j, row) in self.cells.chunks(self.x.len().max(1)).enumerate() {
            for (i, cell) in row.iter().enumerate() {
                if within(i, self.x.len(), (x0, x1)) && within(j, self.y.len(), (y0, y1)) {
                    all += 1;
                    yes += usize::from(*cell == Some(true));
                }
            }
        }
        (all > 0).then(|| yes as f64 / all as f64)
    }

    /// For every x the value of y that separates yes (below) from no (above) with the fewest exceptions, and their number.
    pub(super) fn boundary(&self) -> Vec<(f64, usize)> {
        let below = |j: usize| match (j.checked_sub(1).and_then(|j| self.y.get(j)), self.y.get(j)) {
            (Some(low), Some(high)) => 0.5 * (low + high),
            (Some(last), None) => *last,
            (None, Some(first)) => *first,
            (None, None) => 0.0,
        };
        (0..self.x.len())
            .map(|i| {
                let column = || (0..self.y.len()).map(|j| self.cells.get(j * self.x.len() + i).copied().flatten());
                // exceptions if the boundary lies below everything: every yes
                let mut exceptions = column().filter(|cell| *cell == Some(true)).count();
                let mut best = (below(0), exceptions);
                for (j, cell) in column().enumerate() {
                    match cell {
                        Some(true) => exceptions -= 1,
                        Some(false) => exceptions += 1,
                        None => {}
                    }
                    if exceptions < best.1 {
                        best = (below(j + 1), exceptions);
                    }
                }
                best
            })
            .collect()
    }

    /// For every x the largest y that says yes; the smallest y where none does.
    pub(super) fn highest_yes(&self) -> Vec<f64> {
        let says = |i: usize, j: usize| self.cells.get(j * self.x.len() + i) == Some(&Some(true));
        let top = |i: usize| (0..self.y.len()).rev().find(|j| says(i, *j)).unwrap_or(0);
        (0..self.x.len()).filter_map(|i| self.y.get(top(i)).copied()).collect()
    }

    /// Along the cells of the y nearest to a value: where yes first turns into no, halfway between the two; the first x if it
    /// says no there already, and none if no cell says no.
    pub(super) fn first_no(&self, y: f64) -> Option<f64> {
        let row = self.row(y)?;
        let no = row.iter().position(|cell| *cell == Some(false))?;
        let yes = row.iter().take(no).rposition(|cell| *cell == Some(true));
        let at = |i: usize| self.x.get(i).copied();
        yes.map_or_else(|| at(no), |yes| Some(0.5 * (at(yes)? + at(no)?)))
    }

    /// Share of cells that say yes along the y nearest to a value.
    pub(super) fn share_at(&self, y: f64) -> Option<f64> {
        let row = self.row(y)?;
        let yes = row.iter().filter(|cell| **cell == Some(true)).count();
        (!row.is_empty()).then(|| yes as f64 / row.len() as f64)
    }

    /// The cells of the y nearest to a value.
    fn row(&self, y: f64) -> Option<&[Option<bool>]> {
        let off = |j: &usize| self.y.get(*j).map_or(f64::INFINITY, |other| (other - y).abs());
        let nearest = (0..self.y.len()).min_by(|a, b| off(a).total_cmp(&off(b)))?;
        self.cells.chunks(self.x.len().max(1)).nth(nearest)
    }

    /// Largest x at which some cell says yes.
    pub(super) fn last_yes(&self) -> Option<f64> {
        let says = |i: usize| (0..self.y.len()).any(|j| self.cells.get(j * self.x.len() + i) == Some(&Some(true)));
        (0..self.x.len()).rev().find(|i| says(*i)).and_then(|i| self.x.get(i).copied())
    }
}

/// Mean of the values whose place lies between two fractions of their number.
pub(super) fn mean_between(values: &[f64], low: f64, high: f64) -> Option<f64> {
    let count = values.len() as f64;
    let inside = values.iter().enumerate().filter(|(i, _)| {
        let middle = (*i as f64 + 0.5) / count;
        middle >= low && middle <= high
    });
    let (sum, number) = inside.fold((0.0, 0_usize), |(sum, number), (_, value)| (sum + value, number + 1));
    (number > 0).then(|| sum / number as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_falling_boundary_is_found_with_its_exceptions() {
        let (x, y): (Vec<f64>, Vec<f64>) = ((1..=4).map(f64::from).collect(), (1..=4).map(f64::from).collect());
        // yes below the line x + y = 5.5, with one exception at (4, 4) and one cell that says nothing
        let mut cells: Vec<Option<bool>> = y.iter().flat_map(|y| x.iter().map(move |x| Some(x + y < 5.5))).collect();
        cells[15] = Some(true);
        cells[4] = None;
        let plane = Plane { x: &x, y: &y, cells };
        assert_eq!(plane.boundary(), [(4.0, 0), (3.5, 0), (2.5, 0), (1.5, 1)]);
        assert_eq!(plane.last_yes(), Some(4.0));
        assert_eq!(plane.highest_yes(), [4.0, 3.0, 2.0, 4.0]);
        assert_eq!(plane.share((0.0, 0.5), (0.0, 0.5)), Some(0.75));
        // in the row of y = 2 the first cell says nothing, and yes turns into no between 3 and 4
        assert_eq!((plane.first_no(2.2), plane.share_at(2.2)), (Some(3.5), Some(0.5)));
        // in the row of y = 4 the yes at 1 and the exception at 4 leave the first no at 2
        assert_eq!((plane.first_no(4.0), plane.share_at(9.0)), (Some(1.5), Some(0.5)));
        let silent = Plane { x: &x, y: &y, cells: vec![None; 16] };
        assert_eq!((silent.first_no(1.0), silent.share_at(1.0)), (None, Some(0.0)));
        let never = Plane { x: &x, y: &y, cells: vec![Some(false); 16] };
        assert_eq!(never.first_no(1.0), Some(1.0));
        assert_eq!(mean_between(&[1.0, 2.0, 3.0, 4.0], 0.5, 1.0), Some(3.5));
    }
}
