//! Blocks whose static and kinetic friction are equal at rest, as under every Stribeck law: the release is the graze orbit.

use super::support::blocks::{block, coulomb, stribeck};
use stiction::analysis::continuation::Continuation;
use stiction::analysis::spring_block::bifurcation::{Bifurcation, BifurcationKind, locate, locate_kind, scan, signs};
use stiction::analysis::spring_block::{CycleEnd, History, Orbits, attractors, cycle_branches};
use stiction::analysis::{AnalysisError, Silent};
use stiction::integrate::{Solver, Span};
use stiction::law::{Expression, FrictionLaw, Law, Stribeck};
use stiction::num::random::Stream;
use stiction::system::spring_block::Mode;
use stiction::system::{SpringBlock, System};

type Family<'a> = &'a (dyn Fn(f64) -> Result<SpringBlock, AnalysisError> + Sync);

/// A brake pad: displacements of a millimetre, a period of nine milliseconds.
fn brake(drive_speed: f64, exponent: f64, viscous: f64) -> SpringBlock {
    let law = Stribeck { static_coefficient: 0.45, kinetic_coefficient: 0.35, stribeck_speed: 0.1, exponent, viscous };
    block(0.4, 2e5, drive_speed, 500.0, Law::Stribeck(law))
}

/// A formula that is 0.6 at rest, with a static coefficient that exceeds it by a fraction.
fn written(drive_speed: f64, excess: f64) -> SpringBlock {
    let formula = "0.3 + 0.3*exp(-(v/0.02)^2) + 0.5*v";
    let law = Expression::new(formula, [].into(), Some(0.6 * (1.0 + excess))).unwrap();
    block(1.0, 100.0, drive_speed, 20.0, Law::Expression(law))
}

fn even(from: f64, to: f64, points: u32) -> Vec<f64> {
    (0..points).map(|k| from + (to - from) * f64::from(k) / f64::from(points - 1)).collect()
}

fn located(family: Family<'_>, values: &[f64]) -> Vec<Bifurcation> {
    let points = scan(family, values, Solver::default(), &Silent).unwrap();
    locate(family, &points, Solver::default(), &Silent).unwrap()
}

fn of(located: &[Bifurcation], kind: BifurcationKind) -> Vec<f64> {
    located.iter().filter(|b| b.kind == kind).map(|b| b.value).collect()
}

/// The speed at which the orbit from the graze point just comes back to the velocity of the surface, by another program: SciPy's
/// DOP853 in scaled units, relative tolerance 1e-13, the maximum of the velocity by event location, Brent's method over the speed.
/// A second run with 1e-11 gave the same 13 digits.
const BRAKE: f64 = 0.144_716_766_869_85;
const WRITTEN: f64 = 0.089_850_511_474_4;
const ONE_MINIMUM: f64 = 0.736_123_817_536;

#[test]
fn stick_slip_ends_where_the_graze_orbit_comes_back_on_every_grid() {
    let brake: Family<'_> = &|speed| Ok(brake(speed, 1.0, 0.3));
    let formula: Family<'_> = &|speed| Ok(written(speed, 0.0));
    let one_minimum: Family<'_> = &|speed| Ok(stribeck(speed));
    let cases = [(brake, (0.01, 0.3), BRAKE), (formula, (0.01, 0.3), WRITTEN), (one_minimum, (0.1, 1.5), ONE_MINIMUM)];
    for (family, (from, to), expected) in cases {
        for points in [12, 25, 61] {
            let found = located(family, &even(from, to, points));
            for kind in [BifurcationKind::Type1, BifurcationKind::Type2] {
                let [value] = of(&found, kind)[..] else { panic!("{points} points: {found:?}") };
                // slips are computed to 1e-12 of their size; the excess of the velocity has a slope of order one over the speed
                assert!((value / expected - 1.0).abs() < 1e-10, "{points} points, {}: {value}", kind.name());
            }
            assert!(found.iter().all(|b| b.max_displacement.is_finite()), "{found:?}");
            assert_eq!(of(&found, BifurcationKind::Hopf).len(), 1);
        }
        // from signs alone, and as the only question
        let values = even(from, to, 40);
        let rough = signs(family, &values, Solver::default(), &Silent).unwrap();
        let found = locate(family, &rough, Solver::default(), &Silent).unwrap();
        let alone = locate_kind(family, &values, BifurcationKind::Type1, Solver::default(), &Silent).unwrap();
        for value in [of(&found, BifurcationKind::Type1), of(&alone, BifurcationKind::Type1)] {
            assert!(value.len() == 1 && (value[0] / expected - 1.0).abs() < 1e-10, "{value:?}");
        }
    }
}

#[test]
fn bifurcations_do_not_jump_when_the_coefficients_become_equal() {
    // a static coefficient larger by the fraction d leaves room of d F_S/κ for the boundary: the values part by its square
    let reference = located(&|speed| Ok(written(speed, 0.0)), &even(0.02, 0.2, 20));
    for excess in [-1e-16, 1e-16, 1e-15, 3e-15, 5e-15, 1e-13, 1e-12, 1e-9] {
        let found = located(&|speed| Ok(written(speed, excess)), &even(0.02, 0.2, 20));
        assert_eq!(found.len(), reference.len(), "{excess:e}: {found:?}");
        for (a, b) in found.iter().zip(&reference) {
            assert_eq!(a.kind, b.kind);
            assert!((a.value - b.value).abs() < 1e-10, "{excess:e}: {a:?} {b:?}");
        }
    }
}

#[test]
fn a_formula_that_is_the_static_coefficient_up_to_rounding_is_accepted() {
    // 0.1 + 0.2 is one unit in the last place above 0.3
    let law = Law::Expression(Expression::new("0.1 + 0.2*exp(-v)", [].into(), Some(0.3)).unwrap());
    assert!(law.kinetic(0.0) > law.static_coefficient());
    assert!(law.problems().is_empty() && law.starts_equal());
    let above = Law::Expression(Expression::new("0.3001*exp(-v)", [].into(), Some(0.3)).unwrap());
    assert!(!above.problems().is_empty());
}

#[test]
fn friction_that_never_rises_has_no_bifurcations() {
    let values = even(0.01, 1.0, 25);
    for exponent in [0.5, 1.0, 2.0, 50.0] {
        let family: Family<'_> = &|speed| Ok(brake(speed, exponent, 0.0));
        let points = scan(family, &values, Solver::default(), &Silent).unwrap();
        let found = locate(family, &points, Solver::default(), &Silent).unwrap();
        assert!(found.is_empty(), "exponent {exponent}: {found:?}");
        // slow slips under the steepest law see one constant coefficient, to all digits
        for point in points.iter().filter(|point| exponent < 50.0 || point.value > 0.06) {
            let Some(cycle) = point.attractors.stick_slip else { panic!("exponent {exponent}: {}", point.value) };
            assert!(cycle.max_displacement.is_finite() && !point.attractors.lacks_oscillation);
            assert!(point.attractors.oscillations.is_empty(), "exponent {exponent}, {}", point.value);
            assert_eq!(point.attractors.special_boundary_max(), None);
        }
    }
    // one coefficient: nothing sticks, nothing grows, nothing shrinks
    let constant = Law::Expression(Expression::new("0.4", [].into(), None).unwrap());
    let same: Family<'_> = &|speed| Ok(coulomb(speed, 0.4, 0.4));
    let formula: Family<'_> = &|speed| Ok(SpringBlock { law: constant.clone(), ..brake(speed, 1.0, 0.0) });
    for family in [same, formula] {
        let points = scan(family, &values, Solver::default(), &Silent).unwrap();
        let found = locate(family, &points, Solver::default(), &Silent).unwrap();
        assert!(found.is_empty(), "{found:?}");
        assert!(points.iter().all(|point| point.attractors.classes().is_empty() && point.attractors.continuum));
        let rough = signs(family, &values, Solver::default(), &Silent).unwrap();
        assert!(locate(family, &rough, Solver::default(), &Silent).unwrap().is_empty());
    }
}

#[test]
fn slips_that_start_with_zero_acceleration_raise_no_alarm() {
    // any sizes over many decades, slow surfaces included: rounding never turns the start of a slip into an event
    let mut stream = Stream::new(16, 0, 0);
    let mut decades = |low: f64, high: f64| stiction::num::real::pow(10.0, low + (high - low) * stream.uniform());
    for _ in 0..60 {
        let (mass, stiffness, load) = (decades(-3.0, 3.0), decades(-1.0, 6.0), decades(-2.0, 4.0));
        let static_coefficient = decades(-1.5, 0.3);
        let kinetic_coefficient = static_coefficient * decades(-1.0, -0.1);
        let unit = static_coefficient * load / (stiffness * mass).sqrt();
        let stribeck_speed = unit * decades(-2.0, 1.0);
        let law = Stribeck { static_coefficient, kinetic_coefficient, stribeck_speed, exponent: 1.0, viscous: 0.0 };
        let block = block(mass, stiffness, unit * decades(-7.0, 0.0), load, Law::Stribeck(law));
        let mut history = History::of(&block).at_most(3);
        // a slip under falling friction takes a few periods at most; the stick a little more than twice the static limit
        let rest = block.release_displacement(0.0) / block.drive_speed;
        let span = Span::until(10.0 * rest + 100.0 * block.natural_period());
        history.follow(Solver::default(), span, block.start()).unwrap_or_else(|error| panic!("{block:?}: {error}"));
        assert_eq!(history.cycles.len(), 3, "{block:?}");
        assert!(history.grazings.is_empty() && history.ties.is_empty(), "{block:?}: {:?}", history.grazings);
        // every release is of this kind: four of them make three cycles
        assert_eq!(history.marginal_releases.len(), 4, "{block:?}");
    }
}

#[test]
fn the_unstable_oscillation_of_a_hard_bifurcation_is_followed_to_its_end() {
    let family: Family<'_> = &|speed| Ok(written(speed, 0.0));
    let points = scan(family, &even(0.01, 0.2, 20), Solver::default(), &Silent).unwrap();
    let known: Vec<_> = points.iter().map(|point| (point.value, &point.attractors)).collect();
    let branches = cycle_branches(family, &known, Continuation::default(), Solver::default(), &Silent).unwrap();
    let [branch] = &branches[..] else { panic!("{} branches", branches.len()) };
    assert_eq!(branch.ends, [CycleEnd::Vanishes, CycleEnd::Grazes]);
    // the steps end at a ten-millionth of the branch
    let last = branch.points.last().unwrap().value;
    assert!((last - WRITTEN).abs() < 1e-6, "{last}");
    assert!(branch.points.iter().all(|point| !point.oscillation.stable && point.oscillation.multiplier > 1.0));
}

#[test]
fn an_oscillation_that_repels_beyond_all_digits_separates_sliding_and_stick_slip() {
    for speed in [0.047, 0.05, 0.06, 0.08, 0.0895] {
        let block = written(speed, 0.0);
        let found = attractors(&block, Solver::default()).unwrap();
        assert_eq!(found.classes(), ["CS", "SS"]);
        assert!(!found.lacks_oscillation, "{speed}");
        let [cycle] = found.oscillations[..] else { panic!("{speed}: {:?}", found.oscillations) };
        assert!(!cycle.stable && cycle.multiplier > 1e3, "{cycle:?}");
        assert!(found.sliding.displacement < cycle.max_displacement);
        assert!(cycle.max_displacement < found.stick_slip.unwrap().max_displacement);
        // backward in time it attracts: from 1 % beside it the motion came from it
        let orbits = Orbits::new(&block, Solver::default()).unwrap();
        let amplitude = cycle.max_displacement - found.sliding.displacement;
        let mut maximum = cycle.max_displacement - 0.01 * amplitude;
        for _ in 0..3 {
            maximum = orbits.turn_before(maximum).unwrap().unwrap().0.maximum;
        }
        assert!((maximum - cycle.max_displacement).abs() < 1e-9 * amplitude, "{speed}: {maximum} {cycle:?}");
        // forward, one side ends in sliding and the other on the surface
        let after = |factor: f64| orbits.turn(found.sliding.displacement + factor * amplitude).unwrap();
        assert!(after(1.0 - 1e-3).is_none_or(|turn| turn.maximum < cycle.max_displacement - 2e-3 * amplitude));
    }
}

/// The same block in other units of mass, length and time.
fn rescaled(block: &SpringBlock, [mass, length, time]: [f64; 3]) -> SpringBlock {
    let Law::Stribeck(law) = block.law else { panic!("a Stribeck law") };
    let speed = length / time;
    let law = Stribeck { stribeck_speed: law.stribeck_speed * speed, viscous: law.viscous / speed, ..law };
    SpringBlock {
        mass: block.mass * mass,
        stiffness: block.stiffness * mass / (time * time),
        drive_speed: block.drive_speed * speed,
        normal_load: block.normal_load * mass * length / (time * time),
        law: Law::Stribeck(law),
        ..block.clone()
    }
}

#[test]
fn answers_do_not_depend_on_the_units() {
    // no power of two among the factors: every number is rounded differently
    for units in [[1e3, 1e-6, 1e-3], [1e-9, 1e3, 10.0], [7.0, 1e6, 1e5], [1e-3, 3e-7, 1e-6]] {
        let [_, length, time] = units;
        let speed = length / time;
        let close = |what: &str, a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{units:?}, {what}: {a} {b}");
        for make in [|speed| brake(speed, 1.0, 0.3), |speed| SpringBlock { normal_load: 1.0, ..stribeck(speed) }] {
            let (from, to) = if make(0.1).stiffness > 10.0 { (0.05, 0.2) } else { (0.3, 0.9) };
            let own = located(&|value| Ok(make(value)), &even(from, to, 9));
            let family: Family<'_> = &|value| Ok(rescaled(&make(value / speed), units));
            let other = located(family, &even(from * speed, to * speed, 9));
            assert_eq!(own.len(), other.len(), "{own:?} {other:?}");
            for (a, b) in own.iter().zip(&other) {
                assert_eq!(a.kind, b.kind);
                close(a.kind.name(), b.value / speed, a.value);
                close("max x", b.max_displacement / length, a.max_displacement);
            }
            let slow = make(0.9 * of(&own, BifurcationKind::Type1)[0]);
            let (a, b) = (rescaled(&slow, units), slow);
            let (first, second) =
                (attractors(&a, Solver::default()).unwrap(), attractors(&b, Solver::default()).unwrap());
            assert_eq!(first.classes(), second.classes());
            let (x, y) = (first.stick_slip.unwrap(), second.stick_slip.unwrap());
            close("stick-slip max", x.max_displacement / length, y.max_displacement);
            close("stick-slip period", x.period() / time, y.period());
            assert_eq!(first.oscillations.len(), second.oscillations.len());
            for (x, y) in first.oscillations.iter().zip(&second.oscillations) {
                close("oscillation max", x.max_displacement / length, y.max_displacement);
                close("oscillation period", x.period / time, y.period);
            }
            let end = |block: &SpringBlock, unit: f64| {
                let mut history = History::of(block);
                let span = Span::until(20.0 * second.stick_slip.unwrap().period() * unit);
                history.follow(Solver::default(), span, block.start()).unwrap();
                (history.cycles.len(), history.cycles.last().unwrap().period())
            };
            let (x, y) = (end(&a, time), end(&b, 1.0));
            assert_eq!(x.0, y.0);
            close("trajectory period", x.1 / time, y.1);
        }
    }
}

#[test]
fn friction_that_becomes_negative_is_refused_with_the_speed() {
    let falling = Law::Expression(Expression::new("0.4 - 2*v", [].into(), None).unwrap());
    let block = SpringBlock { law: falling, ..brake(0.05, 1.0, 0.0) };
    let mut history = History::of(&block);
    let moved = history.follow(Solver::default(), Span::until(1.0), block.start()).unwrap_err();
    let asked = attractors(&block, Solver::default()).unwrap_err();
    for error in [moved, asked] {
        let AnalysisError::Unsuitable { key, message } = error else { panic!("{error}") };
        assert_eq!(key.path, "law.expression.formula");
        // zero at 0.2 m/s; a hundredth beyond it is named
        assert!(message.contains("2.02") && message.contains("-4.0") && message.contains("drive_speed"), "{message}");
    }
    // the same law is accepted where no motion comes to such speeds: continuous sliding just below
    let start = (Mode::SlipBelow, [0.0, 0.0, 0.0]);
    let slow = SpringBlock { drive_speed: 1e-3, mass: 400.0, ..block };
    assert!(History::of(&slow).follow(Solver::default(), Span::until(1e-3), start).is_ok());
}

#[test]
fn a_slip_that_ends_exactly_at_the_static_limit_sticks_and_is_reported() {
    // without kinetic friction the slip from +F_S/κ ends at −F_S/κ, where the model sticks; rounding does not decide
    for k in 1..40 {
        let block = coulomb(0.013 * f64::from(k), 0.5, 0.0);
        let mut history = History::of(&block).at_most(5);
        history.follow(Solver::default(), Span::until(1e4), block.start()).unwrap();
        assert_eq!(history.cycles.len(), 5, "{}", block.drive_speed);
        assert_eq!(history.stick_count(), 5, "{}", block.drive_speed);
        assert_eq!(history.ties.len(), 5);
        assert!(attractors(&block, Solver::default()).unwrap().stick_slip.is_some());
    }
}
