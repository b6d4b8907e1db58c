//! Which states meet at the bifurcations of the special stick-slip boundary (elmer1997, after Eq. 4).
//!
//! At a bifurcation of type 1 the boundary meets stick-slip motion and both are gone beyond; at one of type 2 it meets an oscillation or
//! continuous sliding, which it annihilates, or an unstable one that takes its place. Both are told by their largest displacements
//! on either side, as near as the diagram is computed. Where static and kinetic force are equal at rest there is no room for the
//! boundary: the graze orbit stands for it.

use stiction::analysis::spring_block::bifurcation::{Bifurcation as Located, Kind, Point};

/// Largest displacement of the boundary on either side \[m\], or of the graze orbit where there is none.
fn boundaries(sides: &[&Point]) -> Vec<f64> {
    let bounded: Vec<f64> = sides.iter().filter_map(|point| point.attractors.special_boundary_max()).collect();
    if !bounded.is_empty() {
        return bounded;
    }
    sides.iter().map(|point| point.attractors.graze.maximum_before).filter(|max| max.is_finite()).collect()
}

/// How far the boundary and stick-slip motion are apart at each bifurcation of type 1 \[m\]; not a number where one of them is missing.
pub(super) fn annihilations(located: &[Located], points: &[Point]) -> Vec<Option<f64>> {
    gaps(located, points, Kind::Type1, |sides| {
        let apart = |point: &&Point| {
            let stick_slip = point.attractors.stick_slip?.max_displacement;
            boundaries(&[*point]).into_iter().map(|max| (max - stick_slip).abs()).reduce(f64::min)
        };
        sides.iter().filter_map(apart).reduce(f64::min)
    })
}

/// How far the boundary is from the nearest state without sticking at each bifurcation of type 2 \[m\].
pub(super) fn replacements(located: &[Located], points: &[Point]) -> Vec<Option<f64>> {
    gaps(located, points, Kind::Type2, |sides| {
        let states: Vec<f64> = sides
            .iter()
            .flat_map(|point| {
                let cycles = point.attractors.oscillations.iter().map(|cycle| cycle.max_displacement);
                cycles.chain([point.attractors.sliding.displacement])
            })
            .collect();
        let apart = boundaries(sides).into_iter().flat_map(|max| states.iter().map(move |state| (max - state).abs()));
        apart.reduce(f64::min)
    })
}

/// A number for each bifurcation of a kind, from the points just below and just above it.
fn gaps(
    located: &[Located],
    points: &[Point],
    kind: Kind,
    apart: impl Fn(&[&Point]) -> Option<f64>,
) -> Vec<Option<f64>> {
    let beside = |value: f64| -> Vec<&Point> {
        let above = points.partition_point(|point| point.value < value);
        points.get(above.saturating_sub(1)..(above + 1).min(points.len())).unwrap_or_default().iter().collect()
    };
    located.iter().filter(|b| b.kind == kind).map(|b| apart(&beside(b.value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_nothing_meets_the_gap_is_unknown() {
        let located = [Kind::Type1, Kind::Type2].map(|kind| Located { kind, value: 0.5, max_displacement: 1.0 });
        assert_eq!(annihilations(&located, &[]), [None]);
        assert_eq!(replacements(&located, &[]), [None]);
    }
}
