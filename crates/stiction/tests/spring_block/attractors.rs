//! Attractors and bifurcations of the spring-block, each checked by a second method.

use super::support::blocks::{paper, stribeck};
use stiction::analysis::continuation::Continuation;
use stiction::analysis::spring_block::bifurcation::{Bifurcation, BifurcationKind, Point, locate, scan, signs};
use stiction::analysis::spring_block::{Attractors, Orbits, attractors, cycle_branches};
use stiction::analysis::{AnalysisError, Silent};
use stiction::integrate::{MethodName, Solver};
use stiction::law::{Expression, FrictionLaw, Law};
use stiction::num::roots;
use stiction::system::SpringBlock;
use stiction::system::spring_block::{ContactPolicy, Mode};

type Family = fn(f64) -> Result<SpringBlock, AnalysisError>;

const PAPER: Family = |speed| Ok(paper(speed));

/// Bifurcations of the law of elmer1997, figure 3. Those that its text gives: type 1 at 0.059, 0.082 and (misprinted) 0.966,
/// type 2 at 0.162 and 0.785.
const EXPECTED: [(BifurcationKind, f64); 13] = [
    (BifurcationKind::Hopf, 0.1625725),
    (BifurcationKind::Hopf, 0.4168818),
    (BifurcationKind::Type1, 0.0585126),
    (BifurcationKind::Type1, 0.0821024),
    (BifurcationKind::Type1, 0.9600452),
    (BifurcationKind::Type2, 0.1620558),
    (BifurcationKind::Type2, 0.7850776),
    (BifurcationKind::Fold, 0.1492599),
    (BifurcationKind::Fold, 1.1572381),
    (BifurcationKind::Overshoot, 0.1976341),
    (BifurcationKind::Overshoot, 0.6995366),
    (BifurcationKind::Through, 0.3346823),
    (BifurcationKind::Through, 0.6288116),
];

/// A grid that is fine where bifurcations are close together: between 0.14 and 0.17 two cycles live side by side.
fn grid() -> Vec<f64> {
    let low = (8..36).map(|k| 0.005 * f64::from(k));
    let high = (9..=62).map(|k| 0.02 * f64::from(k));
    low.chain(high).collect()
}

fn scanned(family: Family, solver: Solver) -> (Vec<Point>, Vec<Bifurcation>) {
    let points = scan(&family, &grid(), solver, &Silent).unwrap();
    let located = locate(&family, &points, solver, &Silent).unwrap();
    (points, located)
}

fn assert_same(found: &[Bifurcation], expected: &[(BifurcationKind, f64)], tolerance: f64) {
    let names: Vec<_> = found.iter().map(|b| (b.kind.name(), b.value)).collect();
    assert_eq!(found.len(), expected.len(), "{names:?}");
    for (found, (kind, value)) in found.iter().zip(expected) {
        assert_eq!(found.kind, *kind, "{names:?}");
        assert!((found.value - value).abs() < tolerance, "{}: {} and {value}", kind.name(), found.value);
    }
}

fn values(located: &[Bifurcation]) -> Vec<(BifurcationKind, f64)> {
    located.iter().map(|b| (b.kind, b.value)).collect()
}

#[test]
fn bifurcation_values_of_the_paper_stand_under_every_change_of_the_numerics() {
    let (_, reference) = scanned(PAPER, Solver::default());
    assert_same(&reference, &EXPECTED, 1e-7);
    let reference = values(&reference);
    let loose = Solver { relative_tolerance: 1e-10, absolute_tolerance: 1e-11, ..Solver::default() };
    assert_same(&scanned(PAPER, loose).1, &reference, 1e-8);
    let short = Solver { max_step: Some(0.5), ..Solver::default() };
    assert_same(&scanned(PAPER, short).1, &reference, 1e-9);
}

#[test]
fn a_second_integrator_gives_the_same_bifurcation_values() {
    // fixed steps of 1/1000 of the natural period: errors (2π/1000)⁴ ≈ 1e-9 and less of what they act on. Only the
    // neighbourhoods of the values are scanned, the rest is covered by the first integrator.
    let rk4 = Solver { method: MethodName::Rk4, max_step: Some(0.04), ..Solver::default() };
    for (kind, value) in EXPECTED {
        let grid = [value - 2e-4, value + 2e-4];
        let points = scan(&PAPER, &grid, rk4, &Silent).unwrap();
        let found = locate(&PAPER, &points, rk4, &Silent).unwrap();
        let nearest = found.iter().filter(|b| b.kind == kind).map(|b| (b.value - value).abs()).fold(f64::MAX, f64::min);
        assert!(nearest < 1e-7, "{} at {value}: off by {nearest:e}", kind.name());
    }
}

/// The paper's block by itself, in slip below: no code of the crate except the law.
fn plain_step([x, v]: [f64; 2], drive: f64, h: f64) -> [f64; 2] {
    let law = paper(drive).law;
    let slope = |[x, v]: [f64; 2]| [v, (law.kinetic(drive - v) - x) / 40.0];
    let moved = |k: [f64; 2], h: f64| [x + h * k[0], v + h * k[1]];
    let k1 = slope([x, v]);
    let k2 = slope(moved(k1, 0.5 * h));
    let k3 = slope(moved(k2, 0.5 * h));
    let k4 = slope(moved(k3, h));
    let mean = |i: usize| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0;
    [x + h * mean(0), v + h * mean(1)]
}

/// Largest velocity of the slip from the static limit, by plain steps and a parabola through the top.
fn plain_fastest(drive: f64) -> f64 {
    let h = 0.01;
    let mut y = [1.0, drive];
    let mut window = [drive; 3];
    let mut turned = false;
    for _ in 0..100_000 {
        y = plain_step(y, drive, h);
        window = [window[1], window[2], y[1]];
        turned |= window[2] > window[1];
        if turned && window[1] > window[0] && window[1] >= window[2] {
            let (rise, fall) = (window[1] - window[0], window[1] - window[2]);
            return window[1] + 0.125 * (rise - fall) * (rise - fall) / (rise + fall);
        }
    }
    f64::NAN
}

#[test]
fn a_plain_loop_confirms_that_stick_slip_ends_at_0_960_and_not_at_0_966() {
    // steps of 0.01 in motions with time scales of seconds: errors far below 1e-9; the parabola adds h⁴
    let margin = |drive: f64| plain_fastest(drive) - drive;
    let ends = roots::root(0.95, 0.97, margin).unwrap();
    assert!((ends - 0.9600452).abs() < 1e-7, "{ends}");
    // at the printed value the slip misses the surface by far more than any error
    assert!(margin(0.966) < -1e-4 && margin(0.955) > 1e-4);
}

#[test]
fn stick_slip_exists_just_inside_and_not_just_outside_of_each_type_1_value() {
    let (_, located) = scanned(PAPER, Solver::default());
    let type_1: Vec<_> = located.iter().filter(|b| b.kind == BifurcationKind::Type1).collect();
    assert_eq!(type_1.len(), 3);
    for (bifurcation, below) in type_1.into_iter().zip([true, false, true]) {
        for (factor, side) in [(1.0 - 1e-9, below), (1.0 + 1e-9, !below)] {
            let found = attractors(&paper(bifurcation.value * factor), Solver::default()).unwrap();
            assert_eq!(found.stick_slip.is_some(), side, "{} · {factor}", bifurcation.value);
        }
    }
}

#[test]
fn hopf_values_are_the_extrema_of_the_law() {
    let (_, located) = scanned(PAPER, Solver::default());
    let extrema: Vec<f64> = paper(0.1).law.extrema(2.0).iter().map(|extremum| extremum.speed).collect();
    let hopf: Vec<f64> = located.iter().filter(|b| b.kind == BifurcationKind::Hopf).map(|b| b.value).collect();
    assert_eq!(hopf.len(), extrema.len());
    for (a, b) in hopf.iter().zip(&extrema) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
}

#[test]
fn bifurcations_are_the_same_from_signs_alone() {
    // fewer digits bracket the roots; the roots themselves have all of them
    let found = signs(&PAPER, &grid(), Solver::default(), &Silent).unwrap();
    let located = locate(&PAPER, &found, Solver::default(), &Silent).unwrap();
    assert_same(&located, &EXPECTED, 1e-7);
}

#[test]
fn folds_are_the_same_by_their_own_function_and_by_continuation() {
    let (points, located) = scanned(PAPER, Solver::default());
    let known: Vec<(f64, &Attractors)> = points.iter().map(|point| (point.value, &point.attractors)).collect();
    let branches = cycle_branches(&PAPER, &known, Continuation::default(), Solver::default(), &Silent).unwrap();
    let mut followed: Vec<f64> = branches.iter().flat_map(|branch| branch.folds.iter().copied()).collect();
    followed.sort_by(f64::total_cmp);
    let own: Vec<f64> = located.iter().filter(|b| b.kind == BifurcationKind::Fold).map(|b| b.value).collect();
    assert_eq!(followed.len(), own.len(), "{followed:?} {own:?}");
    for (a, b) in followed.iter().zip(&own) {
        assert!((a - b).abs() < 1e-8, "{a} {b}");
    }
    // every point of a branch is an oscillation: one more turn comes back to it
    for point in branches.iter().flat_map(|branch| &branch.points).step_by(7) {
        let block = paper(point.value);
        let orbits = Orbits::new(&block, Solver::default()).unwrap();
        let turn = orbits.turn(point.oscillation.max_displacement).unwrap().unwrap();
        assert!((turn.maximum - point.oscillation.max_displacement).abs() < 1e-9, "{point:?}");
    }
}

#[test]
fn multipliers_by_the_integral_are_the_slopes_of_the_return_map() {
    for speed in [0.155, 0.16, 0.2, 0.3, 0.45, 0.6, 0.78, 0.9, 1.1] {
        let block = paper(speed);
        let orbits = Orbits::new(&block, Solver::default()).unwrap();
        let found = attractors(&block, Solver::default()).unwrap();
        for cycle in &found.oscillations {
            let x = cycle.max_displacement;
            let room = (cycle.max_displacement - found.sliding.displacement).min(speed - cycle.fastest);
            let step = 1e-4 * room.max(1e-3);
            let at = |x: f64| orbits.turn(x).unwrap().map(|turn| turn.maximum);
            let (Some(above), Some(below)) = (at(x + step), at(x - step)) else { panic!("{speed}: {cycle:?}") };
            let slope = (above - below) / (2.0 * step);
            assert!((slope - cycle.multiplier).abs() < 1e-5 * slope.abs().max(1.0), "{speed}: {slope} {cycle:?}");
            assert_eq!(cycle.stable, cycle.multiplier < 1.0);
        }
    }
}

#[test]
fn oscillations_are_the_same_by_fixed_steps_and_by_other_tolerances() {
    let reference = Solver::default();
    let others = [
        Solver { relative_tolerance: 1e-11, absolute_tolerance: 1e-12, ..reference },
        Solver { method: MethodName::Rk4, max_step: Some(0.02), ..reference },
    ];
    for speed in [0.155, 0.16, 0.78, 0.9, 1.1] {
        let first = attractors(&paper(speed), reference).unwrap();
        assert!(!first.oscillations.is_empty(), "{speed}");
        for other in others {
            let second = attractors(&paper(speed), other).unwrap();
            assert_eq!(first.classes(), second.classes());
            assert_eq!(first.oscillations.len(), second.oscillations.len(), "{speed}");
            for (a, b) in first.oscillations.iter().zip(&second.oscillations) {
                // an error of a turn is magnified by 1/(1 − multiplier)
                let tolerance = 2e-8 / (1.0 - a.multiplier).abs().min(1.0);
                assert!((a.max_displacement - b.max_displacement).abs() < tolerance, "{speed}: {a:?} {b:?}");
                assert!((a.period - b.period).abs() < 1e2 * tolerance, "{speed}: {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn stick_slip_is_the_same_by_plain_steps() {
    // 0.05: the slip ends with a contact within the static limit
    let block = paper(0.05);
    let cycle = attractors(&block, Solver::default()).unwrap().stick_slip.unwrap();
    let (mut y, h) = ([1.0, 0.05], 1e-3);
    let (mut time, mut highest, mut left) = (0.0, 1.0_f64, false);
    while !left || y[1] < 0.05 {
        let next = plain_step(y, 0.05, h);
        left |= next[1] < 0.05 - 1e-6;
        if left && next[1] >= 0.05 {
            let share = (0.05 - y[1]) / (next[1] - y[1]);
            (time, y) = (time + share * h, [y[0] + share * (next[0] - y[0]), 0.05]);
            break;
        }
        (time, y, highest) = (time + h, next, highest.max(next[0]));
    }
    // linear interpolation in the last step: h² times an acceleration
    assert!((cycle.slip_time - time).abs() < 1e-5 && (cycle.stick_displacement - y[0]).abs() < 1e-6, "{cycle:?}");
    assert!((cycle.max_displacement - highest).abs() < 1e-6);
    assert!((cycle.stick_time - (1.0 - y[0]) / 0.05).abs() < 1e-4);
}

#[test]
fn both_contact_policies_agree_without_overshoot_and_differ_with_it() {
    for speed in [0.05, 0.09, 0.15, 0.3, 0.5, 0.68, 0.75, 0.9] {
        let strict = attractors(&paper(speed), Solver::default()).unwrap();
        let block = SpringBlock { contact_policy: ContactPolicy::FirstContact, ..paper(speed) };
        let first = attractors(&block, Solver::default()).unwrap();
        let first = first.stick_slip.unwrap();
        // every contact sticks: at the place of the first one, whatever the force
        assert_eq!((first.passes, first.stick_displacement), (0, first.first_contact), "{speed}");
        match strict.stick_slip {
            Some(cycle) if !cycle.overshoot => assert_eq!(cycle, first, "{speed}"),
            Some(cycle) => assert!(cycle.passes > 0 && cycle.first_contact == first.first_contact, "{speed}"),
            None => assert!(strict.through.is_some() && first.overshoot, "{speed}"),
        }
        // overshoot between the two located values, through between the inner two
        assert_eq!(first.overshoot, (0.1976341..0.6995366).contains(&speed), "{speed}");
        assert_eq!(strict.through.is_some(), (0.3346823..0.6288116).contains(&speed), "{speed}");
    }
}

#[test]
fn along_a_slip_energy_is_what_the_surface_brings_minus_what_friction_takes() {
    // d/dt (½M ẋ² + ½κ x²) = F ẋ: along the slip from the static limit, by Simpson's rule over plain steps
    for drive in [0.05, 0.3, 0.9] {
        let law = paper(drive).law;
        let (mut y, h) = ([1.0, drive], 0.01);
        let energy = |[x, v]: [f64; 2]| 20.0 * v * v + 0.5 * x * x;
        let power = |[_, v]: [f64; 2]| law.kinetic(drive - v) * v;
        let (start, mut work) = (energy(y), 0.0);
        for _ in 0..500 {
            let middle = plain_step(y, drive, h);
            let end = plain_step(middle, drive, h);
            work += h / 3.0 * (power(y) + 4.0 * power(middle) + power(end));
            y = end;
        }
        assert!((energy(y) - start - work).abs() < 1e-7, "{drive}");
        // and the crate's own slip arrives at the same place
        let block = paper(drive);
        let mut method = stiction::integrate::Dop853::new(&block, stiction::integrate::Tolerance::default());
        let span = stiction::integrate::Span::until(10.0);
        let finish = stiction::integrate::integrate_from(
            &block,
            &mut method,
            span,
            (Mode::SlipBelow, [1.0, drive, 0.0]),
            &mut (),
        )
        .unwrap();
        assert!((finish.state[0] - y[0]).abs() < 1e-7 && (finish.state[1] - y[1]).abs() < 1e-7, "{drive}");
    }
}

#[test]
fn a_formula_equal_to_the_law_gives_the_same_bifurcations() {
    fn written(speed: f64) -> Result<SpringBlock, AnalysisError> {
        let formula = "v*(1.55 - 1.45*(v - 0.2)/sqrt(0.05^2 + (v - 0.2)^2))";
        let law = Expression::new(formula, [].into(), Some(1.0)).unwrap();
        Ok(SpringBlock { law: Law::Expression(law), ..paper(speed) })
    }
    let points = scan(&written, &[0.05, 0.07, 0.09, 0.155, 0.165, 0.19, 0.21], Solver::default(), &Silent).unwrap();
    let found = locate(&written, &points, Solver::default(), &Silent).unwrap();
    let expected: Vec<(BifurcationKind, f64)> =
        EXPECTED.into_iter().filter(|(kind, value)| *value < 0.21 && *kind != BifurcationKind::Fold).collect();
    assert_same(&found, &expected, 1e-7);
}

#[test]
fn a_law_with_one_minimum_has_one_hopf_value_and_ends_stick_slip_beyond_it() {
    let grid: Vec<f64> = (1..=60).map(|k| 0.03 * f64::from(k)).collect();
    let family: Family = |speed| Ok(stribeck(speed));
    let points = scan(&family, &grid, Solver::default(), &Silent).unwrap();
    let located = locate(&family, &points, Solver::default(), &Silent).unwrap();
    let of = |kind: BifurcationKind| located.iter().filter(|b| b.kind == kind).map(|b| b.value).collect::<Vec<_>>();
    // F′ = −(0.6/0.2) e^(−v/0.2) + 0.3 = 0 at v = 0.2 ln 10
    let minimum = 0.2 * stiction::num::real::ln(10.0);
    assert_eq!(of(BifurcationKind::Hopf).len(), 1, "{located:?}");
    assert!((of(BifurcationKind::Hopf)[0] - minimum).abs() < 1e-12);
    let last = *of(BifurcationKind::Type1).last().unwrap();
    assert!(last > minimum, "{located:?}");
    // only continuous sliding is left at large speed, only stick-slip well below the minimum
    assert_eq!(points.last().unwrap().attractors.classes(), ["CS"]);
    assert_eq!(points.first().unwrap().attractors.classes(), ["SS"]);
}

#[test]
fn constant_friction_has_no_isolated_oscillations() {
    // every amplitude below contact is periodic: a continuum, no cycle of its own
    let block = super::support::blocks::coulomb(0.2, 0.5, 0.45);
    for solver in [Solver::default(), Solver::default().integrated()] {
        let found = attractors(&block, solver).unwrap();
        assert_eq!(found.oscillations.len(), 0, "{:?}", found.oscillations.first());
        assert!(found.stick_slip.is_some());
    }
}
