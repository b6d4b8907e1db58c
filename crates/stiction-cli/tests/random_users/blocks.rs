//! Blocks on a belt that people bring: any size, any law, with the equalities and zeros that people like.

use super::draw::Draw;
use std::fmt::Write;

/// The scales of one block: everything else is a ratio to them.
struct Scales {
    /// Time of a radian of its free oscillation \[s\].
    time: f64,
    /// Elongation of the spring under the normal load \[m\].
    length: f64,
}

/// A block with a study.
pub(crate) fn block(draw: &mut Draw) -> String {
    let mass = draw.log(1e-6, 1e6);
    let scales = Scales { time: draw.log(1e-5, 1e3), length: draw.log(1e-8, 1e2) };
    let stiffness = mass / (scales.time * scales.time);
    let speed = scales.length / scales.time * draw.log(1e-3, 1e2);
    let mut text = format!("title = \"A block\"\n[system.spring_block]\nmass = {mass:e}\nstiffness = {stiffness:e}\n");
    let _ = writeln!(text, "drive_speed = {speed:e}\nnormal_load = {:e}", stiffness * scales.length);
    let (law, name) = law(draw, speed);
    text += &law;
    let aging = draw.chance(0.15);
    if aging {
        let increment = draw.pick(&[0.0, 0.1, 1.0]);
        let time = scales.time * draw.log(1e-2, 1e2);
        let kind = draw.pick(&["exponential", "logarithmic", "hill"]);
        let exponent = if kind == "hill" { ", exponent = 2.0" } else { "" };
        let _ = writeln!(text, "aging.{kind} = {{ increment = {increment:e}, time_constant = {time:e}{exponent} }}");
    }
    if draw.chance(0.2) {
        text += "contact_policy = \"first_contact\"\n";
    }
    if draw.chance(0.2) {
        let (x, v) = (scales.length * draw.even(-2.0, 2.0), speed * draw.even(-2.0, 2.0));
        let _ = writeln!(text, "start = {{ displacement = {x:e}, velocity = {v:e} }}");
    }
    let question = question(draw, &scales, speed, name, aging);
    text += if draw.chance(0.05) { "[study.equilibrium]\n" } else { &question };
    text
}

/// A law, and its name.
fn law(draw: &mut Draw, speed: f64) -> (String, &'static str) {
    let held = draw.log(0.02, 2.0);
    let kinetic = match draw.below(5) {
        0 => held,
        1 => 0.0,
        2 => held * (1.0 - 1e-9),
        _ => held * draw.even(0.05, 1.0),
    };
    let per_speed = draw.log(1e-3, 10.0) * held / speed;
    let slope = if draw.chance(0.2) { 0.0 } else { per_speed };
    let near = speed * draw.log(1e-2, 1e2);
    match draw.below(7) {
        0 => (coefficients("coulomb", held, kinetic, ""), "coulomb"),
        1 => (coefficients("linear", held, kinetic, &format!(", slope = {slope:e}")), "linear"),
        2 | 3 => {
            let exponent = draw.pick(&[0.5, 1.0, 1.0, 2.0, 2.0, 5.0, 50.0]);
            let rest = format!(", stribeck_speed = {near:e}, exponent = {exponent:e}, viscous = {slope:e}");
            (coefficients("stribeck", held, kinetic, &rest), "stribeck")
        }
        4 => {
            let (low, high) = (held / near * draw.log(0.3, 30.0), held / near * draw.log(0.01, 1.0));
            let width = near * draw.log(0.05, 1.0);
            let text = format!(
                "law.two_slope = {{ static_coefficient = {held:e}, low_speed_slope = {low:e}, high_speed_slope = {high:e}, \
                 crossover_speed = {near:e}, crossover_width = {width:e} }}\n"
            );
            (text, "two_slope")
        }
        5 => {
            let (f1, f3) = (-held / speed * draw.log(1e-3, 0.1), held / (speed * speed * speed) * draw.log(0.1, 1.0));
            let text =
                format!("law.cubic = {{ value = {held:e}, f1 = {f1:e}, f2 = 0.0, f3 = {f3:e}, speed = {speed:e} }}\n");
            (text, "cubic")
        }
        _ => {
            let formula = format!("{kinetic:e} + {:e}*exp(-v/{near:e}) + {slope:e}*v", held - kinetic);
            (format!("law.expression = {{ static_coefficient = {held:e}, formula = \"{formula}\" }}\n"), "expression")
        }
    }
}

fn coefficients(name: &str, held: f64, kinetic: f64, rest: &str) -> String {
    format!("law.{name} = {{ static_coefficient = {held:e}, kinetic_coefficient = {kinetic:e}{rest} }}\n")
}

fn question(draw: &mut Draw, scales: &Scales, speed: f64, law: &str, aging: bool) -> String {
    let duration = scales.time * draw.log(1.0, 1e3);
    let (from, to) = (speed * draw.log(0.05, 0.9), speed * draw.log(1.1, 20.0));
    let points = 8 + draw.below(16);
    match draw.below(if aging { 12 } else { 10 }) {
        0 | 1 => format!("[study.trajectory]\nduration = {duration:e}\nsamples = 101\n"),
        2 => "[study.attractors]\n".to_owned(),
        3 | 4 => format!("[study.bifurcation]\nfrom = {from:e}\nto = {to:e}\npoints = {points}\nbranches = false\n"),
        5 => format!("[study.bifurcation]\nfrom = {from:e}\nto = {to:e}\npoints = 8\n"),
        6 if law == "linear" => "[study.critical_speed]\n".to_owned(),
        6 | 7 => {
            let search = format!("{{ from = {from:e}, to = {to:e}, points = {points}, scale = \"log\" }}");
            format!("[study.critical_speed]\nsearch = {search}\n")
        }
        8 if law == "two_slope" => "[study.overdamped]\nperiods = 2.0\n".to_owned(),
        8 => "[study.basin]\ncolumns = 5\nrows = 5\n".to_owned(),
        9 => format!("[study.friction_curve]\nlargest_speed = {to:e}\npoints = 50\n"),
        _ => "[study.stick_slip_map]\ncount = 20\ntransient = 20\nturns = 200\npoints = 20\n".to_owned(),
    }
}
