//! E-62: the linearisation that Appendix C of hu2023_disc prints, with and without its misprints, against exact differentiation.

use super::errata::discs;
use stiction::analysis::two_disc::linear_motion;
use stiction::num::real::{cos, exp, sin};
use stiction::system::two_disc::{Equilibrium, Face, TwoDisc};

/// A misprint of Appendix C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Misprint {
    /// C.1 and C.14, row 1 column 2: ∂F_Y for ∂F_X.
    RowOne,
    /// C.4: + ∂F_Y/∂Θ.
    SignOfK33,
    /// C.9: −F_X outside the sum, once instead of for every cell.
    OutsideTheSum,
    /// C.27 to C.51: g_e/(V V_s) for g_e/(V V_s²).
    StribeckSpeed,
    /// C.31: the bracket closes too early, so that C.32 stands without its factor.
    EarlyBracket,
    /// C.33: G_e V_X²/V³ for G_e/V³.
    SquareTooMuch,
    /// C.43: −G_e/V.
    SignOfC43,
    /// C.44: without Ω.
    WithoutSpeed,
}

/// Contact forces of one cell at an equilibrium and their derivatives, as Appendices B and C give them.
struct Cell {
    force: [f64; 2],
    place: [f64; 2],
    arm: [f64; 2],
    /// dF_X and dF_Y by the six coordinates.
    by_place: [[f64; 6]; 2],
    /// dF_X and dF_Y by the six velocities.
    by_velocity: [[f64; 6]; 2],
    /// dF_X/dY_1 as it stands in the first row.
    row_one: [f64; 2],
}

fn cell(discs: &TwoDisc, at: &Equilibrium, arm: [f64; 2], load: f64, misprint: Option<Misprint>) -> Cell {
    let is = |one: Misprint| misprint == Some(one);
    let law = discs.law.lugre();
    let [x1, y1, _, x2, y2, _] = at.coordinates;
    let omega = discs.drive_speed;
    let (lx, ly) = (arm[0], arm[1]);
    let (xe, ye) = (x1 - x2 + lx, y1 - y2 + ly);
    let (vx, vy) = (omega * ye, -omega * xe);
    let v = (vx * vx + vy * vy).sqrt();
    let tau = law.kinetic_coefficient / law.static_coefficient;
    let fall = exp(-(v / law.stribeck_speed) * (v / law.stribeck_speed));
    let g = law.static_coefficient * (tau + (1.0 - tau) * fall);
    let ge = 2.0 * (1.0 - tau) * law.static_coefficient * fall;
    let vs = law.stribeck_speed;
    let a = if is(Misprint::StribeckSpeed) { ge / (v * vs) } else { ge / (v * vs * vs) };
    let b = g / (v * v * v);
    let s2 = law.viscous_coefficient;
    // ρ cos and ρ sin
    let (rc, rs) = (lx, ly);
    let n = load;
    let x_by_x = -n * omega * (a + b) * vx * vy;
    let x_by_y = -n * omega * (g / v - a * vx * vx - b * vx * vx + s2);
    let along = vx * rc + vy * rs;
    let x_by_theta = if is(Misprint::EarlyBracket) {
        -n * omega * (g / v * rc - a * vx * along) - b * vx * along + s2 * rc
    } else {
        -n * omega * (g / v * rc - a * vx * along - b * vx * along + s2 * rc)
    };
    let y_by_x = -n * omega * (-g / v + a * vy * vy + b * vy * vy - s2);
    let y_by_y = -n * omega * (-a - b) * vx * vy;
    let speed = if is(Misprint::WithoutSpeed) { 1.0 } else { omega };
    let y_by_theta = -n * speed * (g / v * rs - (a + b) * vy * along + s2 * rs);
    let x_by_vx = -n * (g / v - a * vx * vx - b * vx * vx + s2);
    let x_by_vy = -n * (-a - b) * vx * vy;
    let square = if is(Misprint::SquareTooMuch) { b * vx * vx } else { b };
    let x_by_spin = -n * (-(g / v - a * vx * vx - b * vx * vx + s2) * rs - (a + square) * vx * vy * rc);
    let across = vx * ye - vy * xe;
    let x_by_disc = -n * (g / v * ye - a * vx * across - b * vx * across + s2 * ye);
    let y_by_vx = x_by_vy;
    let first = if is(Misprint::SignOfC43) { -g / v } else { g / v };
    let y_by_vy = -n * (first - a * vy * vy - b * vy * vy + s2);
    let y_by_spin = -n * ((g / v - a * vy * vy - b * vy * vy + s2) * rc + (a + b) * vx * vy * rs);
    let y_by_disc = -n * (-g / v * xe - a * vy * across - b * vy * across - s2 * xe);
    let plain_vy = -n * (g / v - a * vy * vy - b * vy * vy + s2);
    let row_one = if is(Misprint::RowOne) { [y_by_y, y_by_vy] } else { [x_by_y, x_by_vy] };
    Cell {
        force: [-n * (vx * g / v + s2 * vx), -n * (vy * g / v + s2 * vy)],
        place: [xe, ye],
        arm,
        by_place: [
            [x_by_x, x_by_y, x_by_theta, -x_by_x, -x_by_y, 0.0],
            [y_by_x, y_by_y, y_by_theta, -y_by_x, -y_by_y, 0.0],
        ],
        by_velocity: [
            [x_by_vx, x_by_vy, x_by_spin, -x_by_vx, -x_by_vy, x_by_disc],
            [y_by_vx, y_by_vy, y_by_spin, -y_by_vx, -plain_vy, y_by_disc],
        ],
        row_one,
    }
}

/// K₁ and C₁ side by side, by Appendix C with one misprint or none.
fn appendix_c(discs: &TwoDisc, at: &Equilibrium, misprint: Option<Misprint>) -> [[f64; 12]; 6] {
    let is = |one: Misprint| misprint == Some(one);
    let face = Face::of(discs);
    let (c, s) = (cos(at.coordinates[2]), sin(at.coordinates[2]));
    let mut rows = [[0.0; 12]; 6];
    let mut last_force = 0.0;
    for ((x, y), weight) in face.x.iter().zip(&face.y).zip(&face.weights) {
        let cell = cell(discs, at, [c * x - s * y, s * x + c * y], discs.normal_load * weight, misprint);
        let [lx, ly] = cell.arm;
        let [xe, ye] = cell.place;
        let [fx, fy] = cell.force;
        last_force = fx;
        for (offset, by) in [(0, &cell.by_place), (6, &cell.by_velocity)] {
            for j in 0..6 {
                let (dx, dy) = (by[0][j], by[1][j]);
                let first = if j == 1 { cell.row_one[offset / 6] } else { dx };
                rows[0][offset + j] -= first;
                rows[1][offset + j] -= dy;
                let sign = if is(Misprint::SignOfK33) && offset == 0 && j == 2 { 1.0 } else { -1.0 };
                rows[2][offset + j] += sign * dy * lx + dx * ly;
                rows[3][offset + j] += dx;
                rows[4][offset + j] += dy;
                rows[5][offset + j] += dy * xe - dx * ye;
            }
        }
        rows[2][2] += fy * ly + fx * lx;
        rows[5][0] += fy;
        rows[5][3] -= fy;
        rows[5][2] -= fy * ly + fx * lx;
        if !is(Misprint::OutsideTheSum) {
            rows[5][1] -= fx;
        }
        rows[5][4] += fx;
    }
    if is(Misprint::OutsideTheSum) {
        rows[5][1] -= last_force;
    }
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] += discs.stiffnesses()[i];
        row[6 + i] += discs.dampings()[i];
    }
    rows
}

/// K₁ and C₁ by exact differentiation.
fn exact(discs: &TwoDisc, at: &Equilibrium) -> [[f64; 12]; 6] {
    let motion = linear_motion(discs, at).unwrap();
    let entry = |i: usize, j: usize| if j < 6 { motion.stiffness[i][j] } else { motion.damping[i][j - 6] };
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}

fn largest_difference(a: &[[f64; 12]; 6], b: &[[f64; 12]; 6]) -> f64 {
    let size = b.iter().flatten().fold(0.0_f64, |size, entry| size.max(entry.abs()));
    a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs() / size).fold(0.0, f64::max)
}

#[test]
fn e62_the_printed_linearisation_is_not_the_derivative_of_the_forces() {
    // slow enough for the Stribeck fall to matter, off the axes
    let mut slow = discs(12.0, 1.1e-3, 0.3);
    slow.contact.rings = 2;
    let at = slow.equilibrium().unwrap().unwrap();
    let wanted = exact(&slow, &at);
    let corrected = largest_difference(&appendix_c(&slow, &at, None), &wanted);
    assert!(corrected < 1e-12, "{corrected:e}");
    for misprint in [
        Misprint::RowOne,
        Misprint::SignOfK33,
        Misprint::OutsideTheSum,
        Misprint::StribeckSpeed,
        Misprint::EarlyBracket,
        Misprint::SquareTooMuch,
        Misprint::SignOfC43,
        Misprint::WithoutSpeed,
    ] {
        let difference = largest_difference(&appendix_c(&slow, &at, Some(misprint)), &wanted);
        assert!(difference > 1e-6, "{misprint:?}: {difference:e}");
    }
}
