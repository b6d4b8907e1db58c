//! Lines and points at their places in the axes, and as path data.

use super::content::Content;
use super::pen::Dots;
use super::simplify::{Rect, clip, coarse_enough, simplify, thin_strips};
use super::svg::{hundredths, polyline, write_hundredths};

/// Most points of a panel's lines: about 150 kB of SVG.
pub(super) const MOST_POINTS: usize = 20_000;
/// Most points that stand alone: about 300 kB.
pub(super) const MOST_DOTS: usize = 30_000;
/// What of a line nobody can see \[pt\], and what follows where there are too many points.
pub(super) const TOLERANCES: (f64, fn(f64) -> f64) = (0.05, |tolerance| 2.0 * tolerance);
/// The raster of points \[pt\], and what follows where there are too many.
pub(super) const RASTERS: (f64, fn(f64) -> f64) = (0.02, |raster| 1.25 * raster + 0.03);

/// Adds the pieces of a line to path data.
pub(super) fn push_pieces(data: &mut String, pieces: &[Vec<(f64, f64)>]) {
    for piece in pieces {
        if let &[(x, y)] = piece.as_slice() {
            // a branch of one point: a dash as long as the pen is wide
            polyline(data, &[(x - 0.5, y), (x + 0.5, y)]);
        } else {
            polyline(data, piece);
        }
    }
}

/// The visible pieces of all lines; coarser only if there are more points than a file should hold.
pub(super) fn strokes(content: &Content, axes: Rect) -> Vec<Vec<Vec<(f64, f64)>>> {
    let place = |&point: &(f64, f64)| content.place(point, axes);
    let clipped: Vec<Vec<Vec<(f64, f64)>>> = content
        .parts
        .lines
        .iter()
        .map(|line| clip(&line.points.iter().map(place).collect::<Vec<_>>(), axes.grown(4.0)))
        .collect();
    let seen = |tolerance: f64| -> Vec<Vec<Vec<(f64, f64)>>> {
        let thin = |piece: &Vec<(f64, f64)>| {
            let strips = if piece.len() > 2000 { thin_strips(piece, 4.0 * tolerance) } else { None };
            simplify(strips.as_deref().unwrap_or(piece), tolerance)
        };
        clipped.iter().map(|pieces| pieces.iter().map(thin).collect()).collect()
    };
    coarse_enough(TOLERANCES, MOST_POINTS, seen, |seen| seen.iter().flatten().map(Vec::len).sum())
}

/// Neighbouring points of a raster in one row: where they begin, and how long the row of them is \[pt\].
#[derive(Debug, Clone, Copy)]
pub(super) struct Polyline {
    pub(super) start: (f64, f64),
    pub(super) length: f64,
}

/// The visible points on a raster that nobody can see; coarser only if there are more than a file should hold.
pub(super) fn dots(content: &Content, axes: Rect) -> Vec<Vec<Polyline>> {
    let place = |&point: &(f64, f64)| content.place(point, axes);
    let visible = |dots: &Dots| -> Vec<(f64, f64)> {
        dots.points.iter().map(place).filter(|&place| axes.grown(1.0).holds(place)).collect()
    };
    let dots = &content.parts.dots;
    let places: Vec<Vec<(f64, f64)>> = dots.iter().map(visible).collect();
    let seen = |raster: f64| -> Vec<Vec<Polyline>> {
        dots.iter().zip(&places).map(|(dots, places)| runs(places, raster, dots.shape.merges())).collect()
    };
    coarse_enough(RASTERS, MOST_DOTS, seen, |seen| seen.iter().map(Vec::len).sum())
}

/// Points on a raster, neighbours in a row as one run where they merge.
pub(super) fn runs(places: &[(f64, f64)], raster: f64, merge: bool) -> Vec<Polyline> {
    let cell = |&(x, y): &(f64, f64)| ((y / raster).round() as i64, (x / raster).round() as i64);
    let mut cells: Vec<(i64, i64)> = places.iter().map(cell).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
        .chunk_by(|a, b| merge && a.0 == b.0 && a.1 + 1 == b.1)
        .filter_map(|row| row.first().map(|first| (first, row.len() - 1)))
        .map(|(&(y, x), more)| Polyline { start: (x as f64 * raster, y as f64 * raster), length: more as f64 * raster })
        .collect()
}

/// Adds rows of points to path data, to be stroked with round caps.
pub(super) fn push_runs(data: &mut String, runs: &[Polyline]) {
    let mut last = (0, 0);
    for run in runs {
        // relative moves are short; a length of at least 0.01 makes the round cap visible
        let (x, y) = (hundredths(run.start.0), hundredths(run.start.1));
        let length = hundredths(run.length).max(1);
        data.push('m');
        write_hundredths(data, x - last.0);
        data.push_str(if y < last.1 { "" } else { " " });
        write_hundredths(data, y - last.1);
        data.push('h');
        write_hundredths(data, length);
        last = (x + length, y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_on_the_raster_become_one_run() {
        let runs = runs(&[(0.1, 1.0), (0.3, 1.0), (0.2, 1.0), (0.2, 1.001), (5.0, 1.0)], 0.1, true);
        assert_eq!(runs.len(), 2);
        assert!((runs[0].length - 0.2).abs() < 1e-12 && runs[1].length == 0.0);
        let mut data = String::new();
        push_runs(&mut data, &runs);
        assert_eq!(data, "m.1 1h.2m4.7 0h.01");
    }
}
