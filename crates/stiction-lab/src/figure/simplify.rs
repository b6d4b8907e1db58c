//! Lines as the eye sees them: cut to the axes, and without points that make no visible difference.

type Point = (f64, f64);

/// A rectangle of a picture \[pt\], y downwards.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rect {
    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Larger by `rim` on every side.
    pub(super) fn grown(&self, rim: f64) -> Self {
        Self {
            left: self.left - rim,
            top: self.top - rim,
            width: self.width + 2.0 * rim,
            height: self.height + 2.0 * rim,
        }
    }

    pub(super) fn holds(&self, (x, y): Point) -> bool {
        x >= self.left && x <= self.right() && y >= self.top && y <= self.bottom()
    }

    /// Whether both have a part in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.left < other.right() && other.left < self.right() && self.top < other.bottom() && other.top < self.bottom()
    }

    /// The part of a segment inside (Liang and Barsky), or `None`.
    pub(super) fn cut(&self, a: Point, b: Point) -> Option<(Point, Point)> {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        let edges =
            [(-dx, a.0 - self.left), (dx, self.right() - a.0), (-dy, a.1 - self.top), (dy, self.bottom() - a.1)];
        for (towards, room) in edges {
            if towards == 0.0 {
                if room < 0.0 {
                    return None;
                }
            } else if towards < 0.0 {
                from = from.max(room / towards);
            } else {
                to = to.min(room / towards);
            }
        }
        let at = |share: f64| (a.0 + share * dx, a.1 + share * dy);
        let ends = (if from > 0.0 { at(from) } else { a }, if to < 1.0 { at(to) } else { b });
        (from <= to && (ends.0.0 + ends.0.1 + ends.1.0 + ends.1.1).is_finite()).then_some(ends)
    }
}

/// The pieces of a polyline inside a rectangle. A place that is not finite breaks the line.
pub(super) fn clip(points: &[Point], rect: Rect) -> Vec<Vec<Point>> {
    let mut pieces: Vec<Vec<Point>> = Vec::new();
    let mut open = false;
    for pair in points.windows(2) {
        let &[a, b] = pair else { continue };
        match rect.cut(a, b) {
            Some((from, to)) => {
                if open && let Some(piece) = pieces.last_mut() {
                    piece.push(to);
                } else {
                    pieces.push(vec![from, to]);
                }
                open = to == b;
            }
            None => open = false,
        }
    }
    if let [only] = points
        && rect.holds(*only)
    {
        pieces.push(vec![*only]);
    }
    pieces
}

/// The part of a polygon inside a rectangle (Sutherland and Hodgman). Where it leaves, its outline follows the rectangle.
pub(super) fn clip_area(polygon: &[Point], rect: Rect) -> Vec<Point> {
    let (right, bottom) = (rect.right(), rect.bottom());
    let edges: [&dyn Fn(Point) -> f64; 4] =
        [&|p| p.0 - rect.left, &|p| right - p.0, &|p| p.1 - rect.top, &|p| bottom - p.1];
    let mut inside = polygon.to_vec();
    for room in edges {
        let mut kept = Vec::with_capacity(inside.len());
        for (index, &to) in inside.iter().enumerate() {
            let before = if index == 0 { inside.last() } else { inside.get(index - 1) };
            let Some(&from) = before else { continue };
            let (a, b) = (room(from), room(to));
            if (a < 0.0) != (b < 0.0) {
                let share = a / (a - b);
                kept.push((from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1)));
            }
            if b >= 0.0 {
                kept.push(to);
            }
        }
        inside = kept;
    }
    inside
}

/// Something drawn as coarsely as it must be to have at most `most` points, up to what a reader would notice. `steps` are the
/// first coarseness and the one after each \[pt\].
pub(super) fn coarse_enough<T>(
    (first, next): (f64, fn(f64) -> f64),
    most: usize,
    draw: impl Fn(f64) -> T,
    points: impl Fn(&T) -> usize,
) -> T {
    let mut coarseness = first;
    loop {
        let drawn = draw(coarseness);
        if points(&drawn) <= most || coarseness > 0.6 {
            return drawn;
        }
        coarseness = next(coarseness);
    }
}

/// Fewer points, such that no dropped point is farther than `tolerance` from the line through the kept ones.
///
/// From an anchor, every point narrows the cone of directions that pass it within the tolerance; a point outside the
/// cone, or one that comes back, makes the point before it the next anchor. One pass, whatever the data.
pub(super) fn simplify(points: &[Point], tolerance: f64) -> Vec<Point> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return Vec::new() };
    let mut kept = vec![first];
    let (mut anchor, mut previous) = (first, first);
    let mut cone: Option<(Point, Point)> = None;
    let mut farthest = 0.0_f64;
    for &point in points.iter().skip(1) {
        let (mut dx, mut dy) = (point.0 - anchor.0, point.1 - anchor.1);
        let mut distance = (dx * dx + dy * dy).sqrt();
        let inside = cone.is_none_or(|(right, left)| cross(right, (dx, dy)) >= 0.0 && cross((dx, dy), left) >= 0.0);
        if previous != anchor && (!inside || distance < farthest - tolerance) {
            kept.push(previous);
            anchor = previous;
            (cone, farthest) = (None, 0.0);
            (dx, dy) = (point.0 - anchor.0, point.1 - anchor.1);
            distance = (dx * dx + dy * dy).sqrt();
        }
        farthest = farthest.max(distance);
        if distance > tolerance {
            let sine = tolerance / distance;
            let cosine = (1.0 - sine * sine).sqrt();
            let right = (dx * cosine + dy * sine, dy * cosine - dx * sine);
            let left = (dx * cosine - dy * sine, dy * cosine + dx * sine);
            cone = Some(match cone {
                None => (right, left),
                Some((r, l)) => {
                    (if cross(r, right) > 0.0 { right } else { r }, if cross(left, l) > 0.0 { left } else { l })
                }
            });
        }
        previous = point;
    }
    if kept.last() != Some(&last) || kept.len() == 1 {
        kept.push(last);
    }
    kept
}

fn cross(a: Point, b: Point) -> f64 {
    a.0 * b.1 - a.1 * b.0
}

/// For a line that runs from left to right: first, lowest, highest and last point of every strip of that width.
/// Within a strip narrower than the pen nothing else can be seen. `None` for a line that turns back.
pub(super) fn thin_strips(points: &[Point], strip: f64) -> Option<Vec<Point>> {
    if points.windows(2).any(|pair| matches!(pair, [a, b] if b.0 < a.0)) {
        return None;
    }
    let mut kept: Vec<Point> = Vec::new();
    let mut rest = points;
    while let Some(&start) = rest.first() {
        let end = rest.partition_point(|point| point.0 < start.0 + strip).max(1);
        let (group, after) = rest.split_at(end);
        let mut extremes = [0, 0, 0, group.len() - 1];
        for (index, point) in group.iter().enumerate() {
            if group.get(extremes[1]).is_some_and(|low| point.1 < low.1) {
                extremes[1] = index;
            }
            if group.get(extremes[2]).is_some_and(|high| point.1 > high.1) {
                extremes[2] = index;
            }
        }
        extremes.sort_unstable();
        let mut taken = None;
        for index in extremes {
            if taken != Some(index) {
                kept.extend(group.get(index));
                taken = Some(index);
            }
        }
        rest = after;
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction::num::real::{cos, sin};

    fn distance_to(line: &[Point], point: Point) -> f64 {
        line.windows(2)
            .map(|pair| {
                let (a, b) = (pair[0], pair[1]);
                let (dx, dy) = (b.0 - a.0, b.1 - a.1);
                let length = dx * dx + dy * dy;
                let share = if length == 0.0 {
                    0.0
                } else {
                    (((point.0 - a.0) * dx + (point.1 - a.1) * dy) / length).clamp(0.0, 1.0)
                };
                ((a.0 + share * dx - point.0).powi(2) + (a.1 + share * dy - point.1).powi(2)).sqrt()
            })
            .fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn dropped_points_stay_within_the_tolerance() {
        let spiral: Vec<Point> = (0..5000)
            .map(|i| f64::from(i) * 0.01)
            .map(|t| (100.0 + 2.0 * t * cos(t), 100.0 + 2.0 * t * sin(t)))
            .collect();
        let kept = simplify(&spiral, 0.05);
        assert!(kept.len() < 1200, "{}", kept.len());
        assert!(spiral.iter().all(|&point| distance_to(&kept, point) <= 0.1));
    }

    #[test]
    fn a_line_that_comes_back_keeps_its_turning_point() {
        let there_and_back = [(0.0, 0.0), (5.0, 0.0), (10.0, 0.0), (4.0, 0.0), (2.0, 0.0)];
        assert_eq!(simplify(&there_and_back, 0.05), [(0.0, 0.0), (10.0, 0.0), (2.0, 0.0)]);
    }

    #[test]
    fn strips_keep_the_extremes_of_a_dense_oscillation() {
        let dense: Vec<Point> =
            (0..100_000).map(|i| (f64::from(i) * 0.002, 50.0 + 40.0 * sin(f64::from(i) * 0.7))).collect();
        let kept = thin_strips(&dense, 0.25).unwrap();
        assert!(kept.len() <= 3300, "{}", kept.len());
        assert!(kept.iter().any(|p| p.1 > 89.99) && kept.iter().any(|p| p.1 < 10.01));
        assert!(thin_strips(&[(1.0, 0.0), (0.0, 0.0)], 0.1).is_none());
    }

    #[test]
    fn a_clipped_area_is_the_common_part() {
        let rect = Rect { left: 0.0, top: 0.0, width: 10.0, height: 10.0 };
        let triangle = clip_area(&[(-10.0, 0.0), (10.0, 0.0), (10.0, 20.0)], rect);
        let next = triangle.iter().cycle().skip(1);
        let area: f64 = triangle.iter().zip(next).map(|(&a, &b)| 0.5 * cross(a, b)).sum();
        assert!((area - 100.0).abs() < 1e-12, "{area}");
        assert!(clip_area(&[(20.0, 0.0), (30.0, 0.0), (30.0, 9.0)], rect).is_empty());
        assert!(clip_area(&[], rect).is_empty());
    }

    #[test]
    fn clipping_leaves_only_what_is_inside() {
        let rect = Rect { left: 0.0, top: 0.0, width: 10.0, height: 10.0 };
        let pieces = clip(
            &[(-5.0, 5.0), (5.0, 5.0), (5.0, 50.0), (8.0, 50.0), (8.0, 5.0), (f64::NAN, 1.0), (1.0, 1.0), (2.0, 1e300)],
            rect,
        );
        assert_eq!(pieces[0], [(0.0, 5.0), (5.0, 5.0), (5.0, 10.0)]);
        assert_eq!(pieces[1], [(8.0, 10.0), (8.0, 5.0)]);
        assert!(pieces.iter().flatten().all(|&point| rect.grown(1e-9).holds(point)));
    }
}
