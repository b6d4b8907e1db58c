//! Plates that people bring: any shape, motion and surface.

use super::draw::Draw;

/// A plate with a study.
pub(crate) fn plate(draw: &mut Draw) -> String {
    let size = draw.log(1e-5, 1e3);
    let (mean, spread) = (draw.log(0.02, 1.5), draw.pick(&[0.0, 1e-6, 0.01, 0.1, 0.5]));
    let length = size * draw.log(0.03, 1e3);
    let text = format!(
        "title = \"A plate\"\n[system.planar_sliding]\n{}pressure = {:e}\n{}samples = 200\nfield = {{ mean = {mean:e}, \
         standard_deviation = {:e}, {} }}\n",
        shape(draw, size),
        draw.log(1.0, 1e7),
        motion(draw, size),
        mean * spread,
        correlation(draw, length),
    );
    let question = match draw.below(8) {
        0..4 => "[study.moments]\n".to_owned(),
        4 => "[study.moments]\nsampled = true\n".to_owned(),
        5 | 6 => "[study.advisor]\n".to_owned(),
        _ => format!("[study.distribution]\nlength_ratios = [{:e}]\n", draw.log(0.1, 100.0)),
    };
    text + &question
}

fn shape(draw: &mut Draw, size: f64) -> String {
    let side = size * draw.log(0.05, 1.0);
    match draw.below(4) {
        0 => format!("shape.square.half_side = {size:e}\n"),
        1 => format!("shape.rectangle = {{ half_length = {size:e}, half_width = {side:e} }}\n"),
        2 => format!("shape.disc.radius = {size:e}\n"),
        _ => {
            // a triangle away from the origin
            let (x, y) = (size * draw.even(-3.0, 3.0), size * draw.even(-3.0, 3.0));
            let corners = [(x, y), (x + 2.0 * size, y), (x + side, y + size)];
            let corners = corners.map(|(x, y)| format!("[{x:e}, {y:e}]")).join(", ");
            format!("shape.polygon.corners = [{corners}]\n")
        }
    }
}

fn motion(draw: &mut Draw, size: f64) -> String {
    match draw.below(4) {
        0 => format!("motion.translation.direction = {:e}\n", draw.pick(&[0.0, 0.3, 1.5])),
        1 => "motion.rotation = {}\n".to_owned(),
        _ => {
            format!("motion.general.rotation_radius = {:e}\n", size * draw.pick(&[0.0, 1e-9, 1e-3, 0.1, 0.7, 3.0, 1e4]))
        }
    }
}

fn correlation(draw: &mut Draw, length: f64) -> String {
    match draw.below(4) {
        0 => format!("correlation_length = {length:e}, correlation_exponent = {:e}", draw.pick(&[0.7, 1.0, 1.5])),
        1 => format!(
            "correlation_length = {length:e}, correlation = \"matern\", smoothness = {:e}",
            draw.pick(&[0.5, 1.5, 2.5])
        ),
        2 => {
            let other = length * draw.log(0.2, 5.0);
            format!("correlation_length = [{length:e}, {other:e}], angle = {:e}", draw.even(0.0, 1.5))
        }
        _ => format!("correlation_length = {length:e}"),
    }
}
