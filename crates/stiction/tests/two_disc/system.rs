//! Two discs with bristles: equations, derivative, solve, invariants and trajectories.

use stiction::analysis::two_disc::TransientRequest;
use stiction::integrate::{MethodName, RODAS4P, RODAS5P, Rosenbrock, Solver, Tolerance};
use stiction::num::jet::{Jet, Scalar};
use stiction::num::random::Stream;
use stiction::system::two_disc::{DiscStart, DiscSurface, Discs, Face, IntervalField, LEADING, Running, TwoDisc};
use stiction::system::{Sections, Stiff, System};

/// The slope of the state as the equations say it, for any kind of number, cell by cell: a second opinion.
fn slope<T: Scalar>(discs: &TwoDisc, face: &Face, surface: Option<&DiscSurface>, y: &[T]) -> Vec<T> {
    let law = *discs.law.lugre();
    let number = T::constant;
    let (q, v) = (&y[..6], &y[6..12]);
    let (c, s) = (q[2].cos(), q[2].sin());
    let turning = v[5].shifted(discs.drive_speed);
    let (dx, dy) = (q[0] - q[3], q[1] - q[4]);
    let psi = y[12] + q[5];
    let mut out = vec![number(0.0); y.len()];
    let mut b = [number(0.0); 6];
    for cell in 0..face.len() {
        let (px, py) = (face.x[cell], face.y[cell]);
        let (lx, ly) = (c.scaled(px) - s.scaled(py), s.scaled(px) + c.scaled(py));
        let (ex, ey) = (dx + lx, dy + ly);
        let vx = v[0] - v[3] + dy * turning - ly * (v[2] - turning);
        let vy = v[1] - v[4] - dx * turning + lx * (v[2] - turning);
        let speed = (vx * vx + vy * vy).sqrt();
        let ratio = speed.divided(law.stribeck_speed);
        let tau = law.kinetic_coefficient / law.static_coefficient;
        let shape = (-(ratio * ratio)).exp().scaled(1.0 - tau).shifted(tau);
        let coefficient = match surface {
            None => number(law.static_coefficient),
            Some(surface) => {
                // the surface is known with its gradient: one Taylor term carries the derivative exactly
                let (cp, sp) = (psi.cos(), psi.sin());
                let (x, y) = (cp * ex + sp * ey, cp * ey - sp * ex);
                let (value, gradient) = surface.at(x.value(), y.value());
                (x.shifted(-x.value())).scaled(gradient[0])
                    + (y.shifted(-y.value())).scaled(gradient[1])
                    + number(value)
            }
        };
        let g = coefficient * shape;
        let place = LEADING + 16 * (cell / 8) + cell % 8;
        let (zx, zy) = (y[place], y[place + 8]);
        let rate = speed.scaled(law.bristle_stiffness) / g;
        let (rx, ry) = (vx.scaled(law.bristle_stiffness) - rate * zx, vy.scaled(law.bristle_stiffness) - rate * zy);
        (out[place], out[place + 8]) = (rx, ry);
        let load = discs.normal_load * face.weights[cell];
        let k = law.bristle_damping / law.bristle_stiffness;
        let fx = (zx + rx.scaled(k) + vx.scaled(law.viscous_coefficient)).scaled(-load);
        let fy = (zy + ry.scaled(k) + vy.scaled(law.viscous_coefficient)).scaled(-load);
        let parts = [fx, fy, fy * lx - fx * ly, -fx, -fy, fx * ey - fy * ex];
        for (b, part) in b.iter_mut().zip(parts) {
            *b = *b + part;
        }
    }
    for i in 0..6 {
        out[i] = v[i];
        let held = v[i].scaled(discs.dampings()[i]) + q[i].scaled(discs.stiffnesses()[i]);
        out[6 + i] = (b[i] - held).divided(discs.inertias()[i]);
    }
    out[12] = number(discs.drive_speed);
    out
}

/// A state in the middle of things, bristles of padding cells at zero.
fn some_state(system: &Discs, seed: u64) -> Vec<f64> {
    let mut y = system.start().1;
    let mut stream = Stream::new(seed, 0, 0);
    for y in y.iter_mut().take(13) {
        *y = stream.uniform() - 0.5;
    }
    for cell in 0..system.cells() {
        let place = LEADING + 16 * (cell / 8) + cell % 8;
        y[place] = 0.5 * (stream.uniform() - 0.5);
        y[place + 8] = 0.5 * (stream.uniform() - 0.5);
    }
    y
}

fn with_field(discs: &TwoDisc) -> (TwoDisc, DiscSurface, Discs) {
    let discs = TwoDisc { field: Some(IntervalField::default()), ..discs.clone() };
    let field = discs.field.clone().unwrap();
    let coordinates = field.draw(discs.lower.radius, 5, 1);
    let surface = field.given(discs.lower.radius, &coordinates).unwrap();
    let system = discs.given(&coordinates).unwrap();
    (discs, surface, system)
}

#[test]
fn slope_and_derivative_are_those_of_the_equations() {
    for (case, (load, speed, radius)) in [(20.0, 1.0, 0.1), (50.0, 1e-3, 0.3), (3.0, -2.0, 0.0)].into_iter().enumerate()
    {
        let mut discs = TwoDisc::new(load, speed);
        discs.contact.radius = radius;
        discs.contact.rings = 2;
        let face = Face::of(&discs);
        let uniform = discs.uniform().unwrap();
        let (_, surface, varied) = with_field(&discs);
        for (system, surface) in [(&uniform, None), (&varied, Some(&surface))] {
            let mut y = some_state(system, case as u64);
            if case == 1 {
                // slow enough for the Stribeck fall to matter
                y[6..12].iter_mut().for_each(|v| *v *= 2e-3);
            }
            let mut linear = system.new_linear();
            let (mut found, mut time) = (y.clone(), y.clone());
            system.linearise(Running, 0.0, &y, &mut linear, &mut found, &mut time).unwrap();
            let wanted = slope(&discs, &face, surface, &y);
            let mut plain = y.clone();
            system.rhs(Running, 0.0, &y, &mut plain).unwrap();
            let real =
                |place: usize| place < 13 || place >= LEADING && (place - LEADING) / 16 * 8 + place % 8 < face.len();
            let places: Vec<usize> = (0..y.len()).filter(|&place| real(place)).collect();
            for &i in &places {
                let scale = wanted[i].abs().max(1.0);
                assert!((found[i] - wanted[i]).abs() < 1e-12 * scale, "{case}, {i}: {} {}", found[i], wanted[i]);
                assert!((plain[i] - found[i]).abs() < 1e-13 * scale);
            }
            let (mut x, mut column) = (vec![0.0; y.len()], vec![0.0; y.len()]);
            let mut largest = vec![1e-300_f64; y.len()];
            let mut columns = Vec::new();
            for &place in &places {
                let jets: Vec<Jet<2>> = y
                    .iter()
                    .enumerate()
                    .map(|(i, &y)| if i == place { Jet::variable(y) } else { Jet::constant(y) })
                    .collect();
                let wanted: Vec<f64> =
                    slope(&discs, &face, surface, &jets).iter().map(|j| j.derivatives()[1]).collect();
                for &i in &places {
                    largest[i] = largest[i].max(wanted[i].abs());
                }
                columns.push(wanted);
            }
            for (wanted, &place) in columns.iter().zip(&places) {
                x[place] = 1.0;
                system.derivative_times(&linear, &x, &mut column);
                x[place] = 0.0;
                for &i in &places {
                    let miss = (column[i] - wanted[i]).abs() / largest[i];
                    assert!(miss < 1e-12, "{case}, {i} by {place}: {} {}", column[i], wanted[i]);
                }
            }
        }
    }
}

#[test]
fn the_structured_solve_inverts_the_derivative() {
    let discs = TwoDisc::new(35.0, 2.0);
    let uniform = discs.uniform().unwrap();
    let (_, _, varied) = with_field(&discs);
    for system in [&uniform, &varied] {
        let y = some_state(system, 3);
        let right = some_state(system, 4);
        let mut linear = system.new_linear();
        let (mut slope, mut time) = (y.clone(), y.clone());
        system.linearise(Running, 0.0, &y, &mut linear, &mut slope, &mut time).unwrap();
        for rate in [3.0, 40.0, 1e3, 1e6] {
            assert!(system.factorise(rate, &mut linear));
            let mut x = right.clone();
            system.solve(&linear, &mut x);
            let mut product = vec![0.0; x.len()];
            system.derivative_times(&linear, &x, &mut product);
            for i in 0..x.len() {
                let (left, scale) = (rate * x[i] - product[i], rate * x[i].abs() + product[i].abs() + right[i].abs());
                assert!((left - right[i]).abs() <= 1e-10 * scale.max(1.0), "{rate}, {i}: {left} {}", right[i]);
            }
        }
    }
}

fn rotations(discs: &TwoDisc, times: &[f64], solver: Solver) -> Vec<[f64; 3]> {
    let mut transient = TransientRequest::lasting(*times.last().unwrap()).with_solver(solver);
    transient.sample_times = times.to_vec();
    let outcome = transient.run(&discs.uniform().unwrap());
    outcome.samples.iter().map(|y| [y[2], y[0], y[5]]).collect()
}

#[test]
fn a_mirrored_drive_gives_the_mirrored_motion() {
    let times = [0.5, 1.0, 3.0];
    let solver = Solver::stiff().with_tolerance(1e-8);
    let there = rotations(&TwoDisc::new(20.0, 1.0), &times, solver);
    let back = rotations(&TwoDisc::new(20.0, -1.0), &times, solver);
    for (a, b) in there.iter().zip(&back) {
        assert!((a[0] + b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9 && (a[2] + b[2]).abs() < 1e-9, "{a:?} {b:?}");
    }
}

#[test]
fn both_methods_and_any_tolerance_agree_about_the_motion() {
    let times: Vec<f64> = (1..=10).map(f64::from).collect();
    let discs = TwoDisc::new(20.0, 1.0);
    let fine = Solver { method: MethodName::Rodas5p, ..Solver::stiff() }.with_tolerance(1e-9);
    let reference = rotations(&discs, &times, fine);
    for (method, tolerance, limit) in
        [(MethodName::Rodas4p, 1e-6, 2e-6), (MethodName::Rodas4p, 1e-8, 1e-7), (MethodName::Rodas5p, 1e-6, 2e-6)]
    {
        let solver = Solver { method, ..Solver::stiff() }.with_tolerance(tolerance);
        for (a, b) in rotations(&discs, &times, solver).iter().zip(&reference) {
            for k in 0..3 {
                assert!((a[k] - b[k]).abs() < limit, "{method:?} {tolerance:e}: {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn energy_changes_by_the_power_of_friction_dampers_and_drive() {
    use stiction::integrate::{Flow, Sink, Span, Stretch, integrate};
    struct Power<'a> {
        discs: &'a Discs,
        work: f64,
        largest: f64,
    }
    impl Sink<Discs> for Power<'_> {
        const SECTIONS: Sections = Sections::NONE;
        fn stretch(&mut self, stretch: &Stretch<'_, Discs>) -> Flow {
            let mut y = self.discs.start().1;
            // Simpson's rule twice per step
            for half in 0..2 {
                let step = 0.5 * (stretch.to - stretch.from);
                let from = stretch.from + f64::from(half) * step;
                let mut power = |t: f64| {
                    (stretch.at)(t, &mut y);
                    {
                        let (_, [supplied, lost]) = self.discs.energy_and_powers(&y);
                        supplied - lost
                    }
                };
                self.work += step / 6.0 * (power(from) + 4.0 * power(from + 0.5 * step) + power(from + step));
            }
            for cell in 0..self.discs.cells() {
                let [x, z] = self.discs.bristle(&y, cell).unwrap();
                self.largest = self.largest.max((x * x + z * z).sqrt());
            }
            Flow::Continue
        }
    }
    let discs = TwoDisc::new(20.0, 1.0).uniform().unwrap();
    let mut method = Rosenbrock::new(&discs, &RODAS5P, Tolerance { relative: 1e-9, absolute: 1e-11 });
    let mut power = Power { discs: &discs, work: 0.0, largest: 0.0 };
    let finish = integrate(&discs, &mut method, Span::until(6.0).integrated(), &mut power).unwrap();
    let energy = discs.energy_and_powers(&finish.state).0 - discs.energy_and_powers(&discs.start().1).0;
    assert!(energy > 1.0 && (power.work - energy).abs() < 2e-5 * energy, "{} {energy}", power.work);
    assert!(power.largest <= 0.4 * (1.0 + 1e-6) && power.largest > 0.3, "{}", power.largest);
}

#[test]
fn at_rest_differs_from_turning_by_the_speed_of_the_lower_disc() {
    let discs = TwoDisc { start: DiscStart::AtRest, ..TwoDisc::new(20.0, 1.5) };
    assert_eq!(discs.uniform().unwrap().start().1[11], -1.5);
    assert_eq!(discs.uniform().unwrap().relative_spin(&discs.uniform().unwrap().start().1), 0.0);
}

#[test]
fn mistakes_are_named() {
    let mut discs = TwoDisc::new(20.0, 1.0);
    discs.contact.radius = 1.5;
    assert!(discs.uniform().unwrap_err().to_string().contains("contact.radius"));
    assert!(TwoDisc::new(20.0, 0.0).equilibrium().unwrap_err().to_string().contains("drive_speed"));
    assert!(TwoDisc::new(0.0, 1.0).uniform().unwrap_err().to_string().contains("normal_load"));
    assert!(TwoDisc::new(f64::NAN, 1.0).uniform().is_err());
    assert!(TwoDisc::new(20.0, 1.0).given(&[0.0]).unwrap_err().to_string().contains("field"));
    let varied = TwoDisc { field: Some(IntervalField::default()), ..TwoDisc::new(20.0, 1.0) };
    assert!(varied.given(&[0.0; 9]).unwrap_err().to_string().contains("62 x 62"));
    let equilibrium = TwoDisc { start: DiscStart::Equilibrium, ..TwoDisc::new(20.0, 0.0) };
    assert!(equilibrium.uniform().unwrap_err().to_string().contains("drive_speed"));
}

#[test]
fn a_scenario_gives_what_it_leaves_out_by_the_paper() {
    let text = r#"{ "normal_load": 20, "drive_speed": 1, "lower": { "mass": 5 }, "law": { "lugre": { "stribeck_exponent": 1 } } }"#;
    let discs: TwoDisc = serde_json::from_str(text).unwrap();
    assert_eq!((discs.lower.mass, discs.lower.inertia, discs.upper.mass), (5.0, 8.0, 1.0));
    assert_eq!((discs.law.lugre().stribeck_exponent, discs.law.lugre().bristle_stiffness), (1.0, 1e5));
    assert!(serde_json::from_str::<TwoDisc>(r#"{ "normal_load": 1, "drive_speed": 1, "loda": 2 }"#).is_err());
}

#[test]
fn the_loop_allocates_nothing_per_step() {
    use stiction::integrate::{Method, Span, integrate_from};
    let discs = TwoDisc::new(20.0, 1.0);
    let (_, _, varied) = with_field(&discs);
    for system in [discs.uniform().unwrap(), varied] {
        let mut method = Rosenbrock::new(&system, &RODAS4P, Solver::stiff().tolerance()).with_longest_step(0.2);
        let mut count = |end: f64| {
            let start = system.start();
            let mut steps = 0;
            let counted = allocation_counter::measure(|| {
                let span = Span::until(end).integrated();
                steps = integrate_from(&system, &mut method, span, start, &mut ()).map_or(0, |finish| finish.steps);
            });
            (counted.count_total, steps)
        };
        let (short, long) = (count(0.5), count(3.0));
        assert!(long.1 > short.1 + 100 && long.0 == short.0, "{short:?} {long:?}");
        assert!(method.longest_step() == 0.2);
    }
}

#[test]
fn an_exponent_of_one_is_the_law_as_printed() {
    // Eqs. 4 and 9: exp(−|V|/V_s); the slope at rest is that of the exponential
    let mut discs = TwoDisc::new(20.0, 1e-3);
    discs.law.lugre_mut().stribeck_exponent = 1.0;
    let (shape, slope) = discs.law.lugre().shape(1e-3);
    assert!(
        (shape - (0.8 + 0.2 * 0.36787944117144233)).abs() < 1e-15
            && (slope + 200.0 * 0.36787944117144233).abs() < 1e-10
    );
    let (rest, steepest) = discs.law.lugre().shape(0.0);
    assert!(rest == 1.0 && (steepest + 200.0).abs() < 1e-12);
    // the kernels agree with it: an equilibrium balances, and the derivative is that of differences
    let equilibrium = discs.equilibrium().unwrap().unwrap();
    let system = discs.uniform().unwrap();
    let mut y = system.state_at(&equilibrium);
    let mut slope = y.clone();
    system.rhs(Running, 0.0, &y, &mut slope).unwrap();
    assert!(slope.iter().enumerate().all(|(i, slope)| i == 12 || slope.abs() < 1e-8), "{slope:?}");
    // slow enough to be in the middle of the fall
    y[6..12].copy_from_slice(&[1e-4, -2e-4, 1e-4, 0.0, 1e-4, 5e-5]);
    let mut linear = system.new_linear();
    system.linearise(Running, 0.0, &y, &mut linear, &mut slope, &mut Vec::new()).unwrap();
    for place in 0..12 {
        let (mut x, mut product) = (vec![0.0; y.len()], vec![0.0; y.len()]);
        x[place] = 1.0;
        system.derivative_times(&linear, &x, &mut product);
        let step = 1e-8;
        let at = |sign: f64| {
            let (mut moved, mut slope) = (y.clone(), y.clone());
            moved[place] += sign * step;
            system.rhs(Running, 0.0, &moved, &mut slope).unwrap();
            slope
        };
        let (above, below) = (at(1.0), at(-1.0));
        let scale = product.iter().fold(0.0_f64, |scale, entry| scale.max(entry.abs()));
        for i in (0..13).chain(LEADING..y.len() - 16) {
            let difference = (above[i] - below[i]) / (2.0 * step);
            assert!((difference - product[i]).abs() < 1e-6 * scale, "{i} by {place}: {difference} {}", product[i]);
        }
    }
}
