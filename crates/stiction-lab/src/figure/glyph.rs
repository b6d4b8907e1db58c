//! Shapes of points.

use super::layers::Shape;
use super::strokes::{Polyline, push_runs};
use super::svg::{Svg, number, pair};

impl Shape {
    /// The shape in which points of a colour are drawn.
    pub(super) fn of_color(self, color: usize) -> Self {
        const EACH: [Shape; 5] = [Shape::Circle, Shape::Square, Shape::Triangle, Shape::Diamond, Shape::Cross];
        match self {
            Shape::ByColor => EACH.get(color % EACH.len()).copied().unwrap_or(Shape::Circle),
            shape => shape,
        }
    }

    /// Whether a row of such points that touch is drawn as one thick line.
    pub(super) fn merges(self) -> bool {
        matches!(self, Shape::Circle | Shape::ByColor)
    }

    /// Draws points of that diameter \[pt\].
    pub(super) fn draw(self, svg: &mut Svg, runs: &[Polyline], diameter: f64, color: &str) {
        let mut data = String::new();
        if self.merges() {
            push_runs(&mut data, runs);
            svg.path(&data, color, diameter, r#" stroke-linecap="round""#);
            return;
        }
        runs.iter().for_each(|run| data.push_str(&self.outline(run.start, diameter)));
        if self == Shape::Cross {
            svg.path(&data, color, 0.28 * diameter, "");
        } else {
            svg.area(&data, color, "");
        }
    }

    /// Path data of one point; areas are about those of the circle.
    fn outline(self, (x, y): (f64, f64), diameter: f64) -> String {
        let radius = 0.5 * diameter;
        let closed = |corners: &[(f64, f64)]| {
            let mut data = String::new();
            for (index, (dx, dy)) in corners.iter().enumerate() {
                data.push(if index == 0 { 'M' } else { 'L' });
                data.push_str(&pair((x + dx * radius, y + dy * radius)));
            }
            data.push('z');
            data
        };
        match self {
            Shape::Circle | Shape::ByColor => String::new(),
            Shape::Square => closed(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
            Shape::Diamond => closed(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
            Shape::Triangle => closed(&[(0.0, -1.3), (1.13, 0.65), (-1.13, 0.65)]),
            Shape::Cross => {
                let (arm, way) = (0.95 * radius, number(1.9 * radius));
                format!("M{}l{way} {way}M{}l{way} -{way}", pair((x - arm, y - arm)), pair((x - arm, y + arm)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn neighbouring_colours_have_different_shapes() {
        let outlines: BTreeSet<String> =
            (0..5).map(|color| Shape::ByColor.of_color(color).outline((0.0, 0.0), 2.0)).collect();
        assert_eq!(outlines.len(), 5);
        assert_eq!(Shape::Square.of_color(3), Shape::Square);
    }

    #[test]
    fn shapes_stand_around_their_places() {
        assert_eq!(Shape::Square.outline((10.0, 20.0), 2.0), "M9.1 19.1L10.9 19.1L10.9 20.9L9.1 20.9z");
        assert_eq!(Shape::Cross.outline((10.0, 20.0), 2.0), "M9.05 19.05l1.9 1.9M9.05 20.95l1.9 -1.9");
    }
}
