//! What a patch can hold: the limit body of static friction, and how sliding starts.
//!
//! ```text
//! limit body  Ω = { Q : Q·w ≤ d(w) for all w },   boundary { ∇d(w) },   Ω = −Ω,   strictly convex
//! shadow      projection along the torque: the disc |F| ≤ ⟨H⟩; its rim carries T₀ = ⟨Hξ⟩ sin ψ − ⟨Hη⟩ cos ψ
//! section     T = 0: support function min_c d(a, b, c), inside the shadow
//! breakaway   F_break(F_y) = max { F_x : (F_x, F_y, 0) ∈ Ω } = min over (b, c) of d(1, b, c) − F_y b
//! gauge       γ(Q) = max_w Q·w/d(w) = d(w*),   w* = argmin d²/2 − Q·w;   Q ∈ Ω ⇔ γ ≤ 1
//! onset       a⁺ = argmin a·M a/2 + κ d(a) − e·a                                    (principle of Gauss)
//! landing     b: M b = κ ∇d(b) − e,   w ~ b (t* − t) just before the slip ends at t*
//! ```
//! All but the last are smooth convex problems in two or three variables: Newton's method with the exact second derivatives.

use super::dissipation::{Dissipation, FrozenPatch, Twist, Wrench};
use crate::num::real::{cos, sin};

/// Newton's decrement at which a minimum is found [-].
const DECREMENT: f64 = 1e-22;
/// Most steps of Newton's method; five to ten are usual.
const MOST_STEPS: usize = 80;

/// Where a growing force F_x starts to move a patch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Breakaway {
    /// The force F_x over the load [-].
    pub force: f64,
    /// Outward normal (1, b, c) of the limit body there: the direction of the first motion against the force.
    pub normal: Twist,
}

/// A value with gradient and second derivatives.
struct Local<const N: usize> {
    value: f64,
    gradient: [f64; N],
    hessian: [[f64; N]; N],
}

/// Minimum of a smooth convex function; none if there is no minimum within reach.
fn minimise<const N: usize>(start: [f64; N], function: impl Fn([f64; N]) -> Local<N>) -> Option<([f64; N], f64)> {
    let mut at = start;
    let mut local = function(at);
    for _ in 0..MOST_STEPS {
        let step = newton_step(&local)?;
        let decrement = -dot(&step, &local.gradient);
        if !decrement.is_finite() {
            return None;
        }
        let scale = local.value.abs().max(1e-300);
        if decrement <= DECREMENT * scale.max(1e-8) {
            return Some((at, local.value));
        }
        let mut length = 1.0;
        let mut found = None;
        for _ in 0..50 {
            let next: [f64; N] = std::array::from_fn(|i| at[i] + length * step[i]);
            let trial = function(next);
            // below the rounding of the value only the step itself can tell
            let falls = trial.value <= local.value - 1e-4 * length * decrement;
            if trial.value.is_finite() && (falls || decrement < 1e-12 * scale) {
                found = Some((next, trial));
                break;
            }
            length *= 0.5;
        }
        let (next, trial) = found?;
        (at, local) = (next, trial);
        if at.iter().any(|x| x.abs() > 1e9) {
            return None;
        }
    }
    None
}

fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// −H⁻¹ g by the factors of Cholesky. Where the weights of a lattice leave H not positive, a multiple of 1 is added.
fn newton_step<const N: usize>(local: &Local<N>) -> Option<[f64; N]> {
    let largest = (0..N).map(|i| local.hessian[i][i].abs()).fold(0.0, f64::max);
    let mut shift = 0.0;
    for _ in 0..40 {
        let mut matrix = local.hessian;
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] += shift;
        }
        if let Some(step) = solve(matrix, &local.gradient) {
            return Some(step);
        }
        shift = if shift == 0.0 { 1e-10 * largest.max(1e-30) } else { 10.0 * shift };
    }
    None
}

fn solve<const N: usize>(mut m: [[f64; N]; N], gradient: &[f64; N]) -> Option<[f64; N]> {
    let mut x = gradient.map(|g| -g);
    for i in 0..N {
        for j in 0..=i {
            let product: f64 = m[i].iter().zip(&m[j]).take(j).map(|(a, b)| a * b).sum();
            let sum = m[i][j] - product;
            if i == j {
                // the pivot of a flat direction is lost in rounding
                if sum <= 1e-15 * m[i][i].abs() || sum.is_nan() {
                    return None;
                }
                m[i][i] = sum.sqrt();
            } else {
                m[i][j] = sum / m[j][j];
            }
        }
    }
    for i in 0..N {
        for k in 0..i {
            x[i] -= m[i][k] * x[k];
        }
        x[i] /= m[i][i];
    }
    for i in (0..N).rev() {
        for k in i + 1..N {
            x[i] -= m[k][i] * x[k];
        }
        x[i] /= m[i][i];
    }
    x.iter().all(|x| x.is_finite()).then_some(x)
}

/// The largest F_x that the patch holds beside F_y without a torque; none if no F_x is held beside this F_y. The patch holds
/// F_x ≥ −`breakaway`(−F_y) too.
pub fn breakaway(patch: &dyn FrozenPatch, force_y: f64) -> Option<Breakaway> {
    let mean = patch.moments().mean;
    let rest = mean * mean - force_y * force_y;
    if rest <= 0.0 || rest.is_nan() {
        return None;
    }
    let function = |[b, c]: [f64; 2]| {
        let Dissipation { value, gradient: g, hessian: h } = patch.dissipation([1.0, b, c]);
        Local {
            value: value - force_y * b,
            gradient: [g[1] - force_y, g[2]],
            hessian: [[h[1][1], h[1][2]], [h[2][1], h[2][2]]],
        }
    };
    let ([b, c], force) = minimise([force_y / rest.sqrt(), 0.0], function)?;
    Some(Breakaway { force, normal: [1.0, b, c] })
}

/// How far a wrench reaches in the limit body [-]: 1 on its surface, less inside. NaN is never returned; a wrench that is not
/// finite is infinitely far outside.
pub fn gauge(patch: &dyn FrozenPatch, wrench: Wrench) -> f64 {
    let size = wrench.iter().fold(0.0_f64, |size, q| size.max(q.abs()));
    if size == 0.0 {
        return 0.0;
    }
    let mean = patch.moments().mean;
    if !(size.is_finite() && mean > 0.0) {
        return f64::INFINITY;
    }
    let unit = wrench.map(|q| q / size);
    let function = |w: Twist| {
        let d = patch.dissipation(w);
        let hessian =
            std::array::from_fn(|i| std::array::from_fn(|j| d.gradient[i] * d.gradient[j] + d.value * d.hessian[i][j]));
        Local {
            value: 0.5 * d.value * d.value - dot(&unit, &w),
            gradient: std::array::from_fn(|i| d.value * d.gradient[i] - unit[i]),
            hessian,
        }
    };
    // exact for a uniform disc without torque, whose torque alone has the factor 2/3
    let start = [unit[0], unit[1], 2.25 * unit[2]].map(|q| q / (mean * mean));
    match minimise(start, function) {
        Some((w, _)) => size * patch.dissipation(w).value,
        None => f64::INFINITY,
    }
}

/// The point of the section T = 0 whose outward normal has this angle \[rad\], and the normal (cos ψ, sin ψ, c) there.
pub fn section(patch: &dyn FrozenPatch, angle: f64) -> Option<(Wrench, Twist)> {
    let (a, b) = (cos(angle), sin(angle));
    let function = |[c]: [f64; 1]| {
        let d = patch.dissipation([a, b, c]);
        Local { value: d.value, gradient: [d.gradient[2]], hessian: [[d.hessian[2][2]]] }
    };
    let ([c], _) = minimise([0.0], function)?;
    let [x, y, _] = patch.dissipation([a, b, c]).gradient;
    Some(([x, y, 0.0], [a, b, c]))
}

/// The support function min_c d(cos ψ, sin ψ, c) of the section T = 0 [-].
pub fn section_support(patch: &dyn FrozenPatch, angle: f64) -> Option<f64> {
    section(patch, angle).map(|(_, normal)| patch.dissipation(normal).value)
}

/// The rim of the shadow at this angle \[rad\]: ⟨H⟩ (cos ψ, sin ψ) with the torque T₀ that it carries.
pub fn shadow(patch: &dyn FrozenPatch, angle: f64) -> Wrench {
    let moments = patch.moments();
    let (c, s) = (cos(angle), sin(angle));
    [moments.mean * c, moments.mean * s, moments.first[0] * s - moments.first[1] * c]
}

/// Acceleration a⁺ = (ẍ, ÿ, R φ̈)/g with which a patch at rest starts to slide under the forces `drive` = e (over the load),
/// with kinetic friction `ratio` times the static one; `inertia` is J/(m R²). Zero where kinetic friction holds the drive.
pub fn onset_acceleration(patch: &dyn FrozenPatch, inertia: f64, ratio: f64, drive: Wrench, toward: Twist) -> Wrench {
    proximal(patch, [1.0, 1.0, inertia], ratio, drive, toward)
}

/// argmin w·M w/2 + κ d(w) − e·w; `toward` is a direction in which the motion may start.
///
/// With M/(g Δt) for M it is one implicit step of the velocity.
pub(crate) fn proximal(patch: &dyn FrozenPatch, masses: [f64; 3], ratio: f64, drive: Wrench, toward: Twist) -> Twist {
    // the best point along a direction in which the drive beats friction
    let along = |n: Twist| {
        let gain = dot(&drive, &n) - ratio * patch.dissipation(n).value;
        let mass: f64 = (0..3).map(|i| masses[i] * n[i] * n[i]).sum();
        (gain > 0.0 && mass > 0.0).then(|| n.map(|n| n * gain / mass))
    };
    let reverse = toward.map(|w| -w);
    let Some(start) = along(toward).or_else(|| along(reverse)).or_else(|| along(drive)).or_else(|| {
        // the normal where the drive leaves the body is a direction of descent whenever there is one
        outward(patch, drive).and_then(along)
    }) else {
        return [0.0; 3];
    };
    let function = |w: Twist| {
        let d = patch.dissipation(w);
        let kinetic: f64 = (0..3).map(|i| 0.5 * masses[i] * w[i] * w[i]).sum();
        Local {
            value: kinetic + ratio * d.value - dot(&drive, &w),
            gradient: std::array::from_fn(|i| masses[i] * w[i] + ratio * d.gradient[i] - drive[i]),
            hessian: std::array::from_fn(|i| {
                std::array::from_fn(|j| ratio * d.hessian[i][j] + if i == j { masses[i] } else { 0.0 })
            }),
        }
    };
    // scaled to a start of size 1, so that the decrement means the same for tiny and large motions
    let size = start.iter().fold(0.0_f64, |size, w| size.max(w.abs()));
    let scaled = |w: Twist| {
        let local = function(w.map(|w| w * size));
        Local {
            value: local.value / size,
            gradient: local.gradient,
            hessian: local.hessian.map(|row| row.map(|entry| entry * size)),
        }
    };
    match minimise(start.map(|w| w / size), scaled) {
        Some((w, _)) => w.map(|w| w * size),
        None => start,
    }
}

/// The rate b at which a slip that ends dies away, w ~ g b (t* − t), from its last direction `slip`; none if it is not near.
///
/// On the way to its end a slip turns into this direction: friction turns it the faster the slower it is.
pub(crate) fn landing_rate(
    patch: &dyn FrozenPatch,
    masses: [f64; 3],
    ratio: f64,
    drive: Wrench,
    slip: Twist,
) -> Option<Twist> {
    // as fast as the slip itself dies away
    let loss = ratio * patch.dissipation(slip).value - dot(&drive, &slip);
    let mass: f64 = (0..3).map(|i| masses[i] * slip[i] * slip[i]).sum();
    let mut rate = slip.map(|w| w * loss / mass);
    for _ in 0..MOST_STEPS {
        let d = patch.dissipation(rate);
        let residual: Twist = std::array::from_fn(|i| ratio * d.gradient[i] - drive[i] - masses[i] * rate[i]);
        let matrix = std::array::from_fn(|i| {
            std::array::from_fn(|j| if i == j { masses[i] } else { 0.0 } - ratio * d.hessian[i][j])
        });
        let step = cramer(&matrix, &residual)?;
        rate = std::array::from_fn(|i| rate[i] + step[i]);
        if dot(&step, &step) <= 1e-20 * dot(&rate, &rate) {
            return (dot(&rate, &slip) > 0.0).then_some(rate);
        }
    }
    None
}

/// x with `matrix` x = `right`, by determinants; none if the matrix is singular.
fn cramer(matrix: &[[f64; 3]; 3], right: &[f64; 3]) -> Option<[f64; 3]> {
    let column = |j: usize| [matrix[0][j], matrix[1][j], matrix[2][j]];
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let determinant = dot(&column(0), &cross(column(1), column(2)));
    let x = [(1, 2), (2, 0), (0, 1)].map(|(j, k)| dot(right, &cross(column(j), column(k))) / determinant);
    x.iter().all(|x| x.is_finite()).then_some(x)
}

/// The normal of the limit body where the ray of a wrench leaves it.
fn outward(patch: &dyn FrozenPatch, wrench: Wrench) -> Option<Twist> {
    let mean = patch.moments().mean;
    let size = wrench.iter().fold(0.0_f64, |size, q| size.max(q.abs()));
    if !(size > 0.0 && mean > 0.0) {
        return None;
    }
    let unit = wrench.map(|q| q / size);
    let function = |w: Twist| {
        let d = patch.dissipation(w);
        Local {
            value: 0.5 * d.value * d.value - dot(&unit, &w),
            gradient: std::array::from_fn(|i| d.value * d.gradient[i] - unit[i]),
            hessian: std::array::from_fn(|i| {
                std::array::from_fn(|j| d.gradient[i] * d.gradient[j] + d.value * d.hessian[i][j])
            }),
        }
    };
    minimise([unit[0], unit[1], 2.25 * unit[2]].map(|q| q / (mean * mean)), function).map(|(w, _)| w)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{Cell, Cells, UniformDisc};

    fn uneven() -> Cells {
        let places = (-6..=6).flat_map(|i| (-6..=6).map(move |j| [f64::from(i) / 6.5, f64::from(j) / 6.5]));
        let inside = places.filter(|[x, y]| x * x + y * y < 1.0).collect::<Vec<_>>();
        let weight = 1.0 / inside.len() as f64;
        let strength = |[x, y]: [f64; 2]| weight * (0.5 + 0.2 * x - 0.15 * y + 0.1 * x * y);
        inside.into_iter().map(|place| Cell { strength: strength(place), place, spread: 1e-3 }).collect()
    }

    #[test]
    fn the_uniform_disc_breaks_away_on_its_circle_without_turning() {
        let disc = UniformDisc { coefficient: 0.5 };
        let at = breakaway(&disc, 0.3).unwrap();
        assert!((at.force - 0.4).abs() < 1e-14 && (at.normal[1] - 0.75).abs() < 1e-10 && at.normal[2] == 0.0);
        assert!(breakaway(&disc, 0.5).is_none() && breakaway(&disc, -0.7).is_none());
        assert!((gauge(&disc, [0.3, 0.0, 0.0]) - 0.6).abs() < 1e-13);
        assert!((gauge(&disc, [0.0, 0.0, 1.0]) - 3.0).abs() < 1e-12);
    }

    #[test]
    fn breakaway_lies_on_the_surface_and_the_gauge_agrees() {
        let patch = uneven();
        for force_y in [0.0, 0.1, -0.3, 0.42] {
            let at = breakaway(&patch, force_y).unwrap();
            let [x, y, torque] = patch.dissipation(at.normal).gradient;
            assert!((x - at.force).abs() < 1e-10 && (y - force_y).abs() < 1e-10 && torque.abs() < 1e-10);
            assert!((gauge(&patch, [at.force, force_y, 0.0]) - 1.0).abs() < 1e-10);
        }
    }

    #[test]
    fn the_section_is_inside_the_shadow_and_support_is_a_minimum() {
        let patch = uneven();
        for k in 0..16 {
            let angle = f64::from(k) * 0.4;
            let support = section_support(&patch, angle).unwrap();
            let rim = shadow(&patch, angle);
            let flat = patch.dissipation([cos(angle), sin(angle), 0.0]);
            assert!((flat.value - patch.moments().mean).abs() < 1e-15);
            assert!((flat.gradient[2] - rim[2]).abs() < 1e-14);
            assert!(support <= patch.moments().mean);
            let ([x, y, _], _) = section(&patch, angle).unwrap();
            assert!((x * cos(angle) + y * sin(angle) - support).abs() < 1e-12);
        }
    }

    #[test]
    fn an_onset_obeys_the_principle_of_gauss_and_stays_at_rest_inside() {
        let patch = uneven();
        let (inertia, ratio) = (0.5, 0.9);
        let at = breakaway(&patch, 0.1).unwrap();
        let drive = [-at.force, -0.1, 0.0];
        let a = onset_acceleration(&patch, inertia, ratio, drive, at.normal.map(|w| -w));
        let friction = patch.dissipation(a).gradient;
        for (i, mass) in [1.0, 1.0, inertia].into_iter().enumerate() {
            assert!((mass * a[i] - drive[i] + ratio * friction[i]).abs() < 1e-12, "{a:?}");
        }
        assert!(a[0] < 0.0 && a[2] != 0.0);
        assert_eq!(onset_acceleration(&patch, inertia, ratio, drive.map(|e| 0.85 * e), at.normal), [0.0; 3]);
    }

    #[test]
    fn a_slip_that_ends_turns_into_the_landing_direction() {
        let patch = uneven();
        let (masses, ratio, drive) = ([1.0, 1.0, 0.5], 0.9, [-0.35, 0.02, 0.0]);
        // followed by itself, in steps of a part of the remaining time
        let mut slip: Twist = [-1.0, 0.1, -0.05];
        for _ in 0..2000 {
            let friction = patch.dissipation(slip).gradient;
            let next: Twist = std::array::from_fn(|i| slip[i] + 0.2 * (drive[i] - ratio * friction[i]) / masses[i]);
            let size = dot(&next, &next).sqrt();
            slip = next.map(|w| w / size);
        }
        let rate = landing_rate(&patch, masses, ratio, drive, [-1.0, 0.1, -0.05]).unwrap();
        let friction = patch.dissipation(rate).gradient;
        for (i, mass) in masses.into_iter().enumerate() {
            assert!((mass * rate[i] - ratio * friction[i] + drive[i]).abs() < 1e-12, "{rate:?}");
            assert!((rate[i] / dot(&rate, &rate).sqrt() - slip[i]).abs() < 1e-9, "{rate:?} is not along {slip:?}");
        }
    }
}
