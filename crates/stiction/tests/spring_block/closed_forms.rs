//! The spring-block against its closed forms: phases answered by formulas, phases integrated, and the formulas of the model.

use super::support::blocks::{self, started};
use proptest::prelude::*;
use stiction::analysis::spring_block::{ContactChange, History};
use stiction::integrate::{Dop853, Event, Flow, Sink, Span, Tolerance, integrate, integrate_from};
use stiction::law::{Aging, Coulomb, Law, Linear};
use stiction::num::real;
use stiction::system::spring_block::Mode;
use stiction::system::{Sections, SpringBlock};

fn history(block: &SpringBlock, span: Span) -> History<'_> {
    let mut history = History::of(block);
    let mut method = Dop853::new(block, Tolerance { relative: 1e-13, absolute: 1e-15 });
    integrate(block, &mut method, span, &mut history).unwrap();
    history
}

fn assert_close(what: &str, a: f64, b: f64, scale: f64, tolerance: f64) -> Result<(), TestCaseError> {
    prop_assert!(
        (a - b).abs() <= tolerance * scale,
        "{}: {:e} and {:e} differ by {:e}",
        what,
        a,
        b,
        (a - b).abs() / scale
    );
    Ok(())
}

/// Coulomb stick-slip by the formulas of the model: t_slip, t_stick, x_max, x_restick.
fn coulomb_cycle(block: &SpringBlock) -> [f64; 4] {
    let (f_s, f_k) = (block.static_force(0.0), block.kinetic_force(0.0));
    let (kappa, mass, v0) = (block.stiffness, block.mass, block.drive_speed);
    let drop = f_s - f_k;
    let t_slip = 2.0 * (std::f64::consts::PI - real::atan(drop / (v0 * (kappa * mass).sqrt()))) * (mass / kappa).sqrt();
    let x_max = f_k / kappa + ((drop / kappa) * (drop / kappa) + v0 * v0 * mass / kappa).sqrt();
    [t_slip, 2.0 * drop / (kappa * v0), x_max, (2.0 * f_k - f_s) / kappa]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn coulomb_cycles_follow_the_formulas_both_in_closed_form_and_integrated(
        mass in 0.1..100.0_f64, stiffness in 0.1..100.0_f64, load in 0.1..100.0_f64,
        static_coefficient in 0.2..1.5_f64, ratio in 0.3..0.95_f64, speed in 0.05..2.0_f64,
    ) {
        // speed in units of the speed that a slip reaches
        let kinetic_coefficient = ratio * static_coefficient;
        let law = Law::Coulomb(Coulomb { static_coefficient, kinetic_coefficient });
        let reached = (static_coefficient - kinetic_coefficient) * load / (stiffness * mass).sqrt();
        let block = blocks::block(mass, stiffness, speed * reached, load, law);
        let [t_slip, t_stick, x_max, x_restick] = coulomb_cycle(&block);
        let span = Span::until(static_coefficient * load / stiffness / block.drive_speed + 4.5 * (t_slip + t_stick));
        for (name, span, tolerance) in [("closed form", span, 2e-13), ("integrated", span.integrated(), 2e-11)] {
            let history = history(&block, span);
            prop_assert_eq!(history.cycles.len(), 4, "{}", name);
            for cycle in &history.cycles {
                // the instants are differences of times up to the end of the span: rounding 1e-16 of that
                let period = span.end;
                assert_close("t_slip", cycle.slip_time, t_slip, period, tolerance)?;
                assert_close("t_stick", cycle.stick_time, t_stick, period, tolerance)?;
                assert_close("x_max", cycle.max_displacement, x_max, x_max, tolerance)?;
                assert_close("x_restick", cycle.stick_displacement, x_restick, x_max, 10.0 * tolerance)?;
            }
        }
    }

    #[test]
    fn phases_in_closed_form_equal_integrated_ones_for_any_linear_law_and_start(
        slope in prop_oneof![Just(0.0), 0.01..1.9_f64, Just(2.0), 2.1..8.0_f64],
        speed in prop_oneof![-1.5..-0.05_f64, Just(0.0), 0.05..1.5_f64],
        kinetic_coefficient in 0.0..1.0_f64,
        x in -4.0..4.0_f64, velocity in -4.0..4.0_f64,
    ) {
        // mass and stiffness one: slope 2 is critical damping
        let law = if slope == 0.0 {
            Law::Coulomb(Coulomb { static_coefficient: 1.0, kinetic_coefficient })
        } else {
            Law::Linear(Linear { static_coefficient: 1.0, kinetic_coefficient, slope })
        };
        let block = started(blocks::block(1.0, 1.0, speed, 1.0, law), x, velocity);
        let span = Span::until(12.0);
        let (exact, integrated) = (history(&block, span), history(&block, span.integrated()));
        // a contact within rounding of the static limit may go either way; so may one that grazes
        let doubtful = exact.contacts.iter().any(|contact| (contact.displacement.abs() - 1.0).abs() < 1e-9)
            && exact.contacts.len() != integrated.contacts.len();
        prop_assume!(!doubtful);
        prop_assert_eq!(exact.contacts.len(), integrated.contacts.len());
        for (a, b) in exact.contacts.iter().zip(&integrated.contacts) {
            prop_assert_eq!(a.change, b.change);
            // errors of the integrated motion (1e-13 a step, fifty steps), magnified where the contact is nearly tangent
            let approach = (block.acceleration(Mode::SlipBelow, a.displacement, speed).abs())
                .min(block.acceleration(Mode::SlipAbove, a.displacement, speed).abs()).max(1e-4);
            assert_close("time", a.time, b.time, 1.0, 5e-12 / approach)?;
            assert_close("place", a.displacement, b.displacement, 1.0, 5e-12 / approach)?;
        }
        let turns = |history: &History<'_>| history.maxima.len() + history.minima.len();
        prop_assert_eq!(turns(&exact), turns(&integrated));
        for (a, b) in exact.maxima.iter().chain(&exact.minima).zip(integrated.maxima.iter().chain(&integrated.minima)) {
            assert_close("turning point", a.1, b.1, 1.0, 1e-10)?;
        }
    }

    #[test]
    fn a_surface_that_moves_backward_gives_the_mirror_image_exactly(
        index in 0..Law::samples().len(), speed in 0.05..1.0_f64, x in -2.0..2.0_f64, velocity in -1.0..1.0_f64,
        integrated in any::<bool>(), aged in any::<bool>(),
    ) {
        let mut block = started(blocks::block(2.0, 1.0, speed, 1.0, Law::samples()[index].clone()), x, velocity);
        if aged {
            block.aging = Aging::samples().into_iter().next();
        }
        let span = if integrated { Span::until(30.0).integrated() } else { Span::until(30.0) };
        let mirrored = block.mirrored();
        let (a, b) = (history(&block, span), history(&mirrored, span));
        prop_assert_eq!(a.contacts.len(), b.contacts.len());
        for (a, b) in a.contacts.iter().zip(&b.contacts) {
            prop_assert_eq!((a.time, a.displacement, a.change), (b.time, -b.displacement, b.change));
        }
        for (a, b) in a.maxima.iter().zip(&b.minima) {
            prop_assert_eq!((a.0, a.1), (b.0, -b.1));
        }
    }

    #[test]
    fn an_ageing_contact_is_released_at_the_same_instant_by_formula_and_by_integration(
        index in 0..Aging::samples().len(), speed in 0.01..0.5_f64, x in -0.9..0.9_f64, stiffness in 0.2..5.0_f64,
    ) {
        let law = Law::Coulomb(Coulomb { static_coefficient: 1.0, kinetic_coefficient: 0.9 });
        let mut block = blocks::block(1.0, stiffness, speed, 1.0, law);
        block.start.displacement = x / stiffness;
        block.aging = Some(Aging::samples()[index].clone());
        let span = Span::until(200.0 / (speed * stiffness));
        let first = |span: Span| history(&block, span).contacts.first().copied();
        let (exact, integrated) = (first(span), first(span.integrated()));
        prop_assert_eq!(exact.map(|c| c.change), integrated.map(|c| c.change));
        if let (Some(exact), Some(integrated)) = (exact, integrated) {
            prop_assert_eq!(exact.change, ContactChange::Slip);
            assert_close("release", exact.time, integrated.time, exact.time, 1e-10)?;
        }
    }
}

#[test]
fn a_block_on_a_surface_at_rest_comes_to_rest_where_the_formula_says() {
    // the dry oscillator: turning points alternate about ±F_K/κ, and it sticks at the first with κ|x| <= F_S
    let mut block = started(blocks::coulomb(0.0, 0.5, 0.45), 20.0, 0.0);
    block.stiffness = 30.0;
    let centre = block.kinetic_force(0.0) / block.stiffness;
    let limit = block.static_force(0.0) / block.stiffness;
    for span in [Span::until(100.0), Span::until(100.0).integrated()] {
        let history = history(&block, span);
        let (mut x, mut turns) = (20.0_f64, 0);
        while x.abs() > limit {
            x = -x + 2.0 * centre * x.signum();
            turns += 1;
        }
        let stick = history.contacts.last().unwrap();
        assert_eq!((history.contacts.len(), stick.change), (turns, ContactChange::Stick));
        assert!((stick.displacement - x).abs() < 1e-10, "{} {x}", stick.displacement);
        assert!((stick.time - f64::from(turns as u32) * 0.5 * block.natural_period()).abs() < 1e-10);
    }
}

#[test]
fn a_sticking_block_on_a_surface_at_rest_stays_for_ever() {
    for span in [Span::until(1e6), Span::until(1e6).integrated()] {
        let block = blocks::coulomb(0.0, 0.5, 0.45);
        assert_eq!(history(&block, span).contacts.len(), 0);
    }
}

#[test]
fn a_closed_form_with_a_start_that_is_not_a_number_is_an_error_and_not_a_loop() {
    for x in [f64::NAN, f64::INFINITY, 1e308] {
        let block = started(blocks::coulomb(0.2, 0.5, 0.45), x, 0.0);
        let mut history = History::of(&block);
        let mut method = Dop853::new(&block, Tolerance::default());
        let outcome = integrate(&block, &mut method, Span::until(10.0).at_most(10_000), &mut history);
        assert!(outcome.is_err() || x == 1e308, "{x}");
    }
}

#[test]
fn closed_forms_hold_for_very_long_times() {
    // a million natural periods of a slip that never sticks: the phase is the only thing that loses digits
    let block = started(
        blocks::block(1.0, 1.0, 5.0, 1.0, Law::Coulomb(Coulomb { static_coefficient: 1.0, kinetic_coefficient: 0.5 })),
        1.0,
        0.0,
    );
    let mut history = History::of(&block);
    let mut method = Dop853::new(&block, Tolerance::default());
    integrate(&block, &mut method, Span::until(1e6), &mut history).unwrap();
    let expected = (1e6 / std::f64::consts::TAU).floor() as usize;
    assert!(history.maxima.len().abs_diff(expected) <= 1, "{} {expected}", history.maxima.len());
}

/// Displacement, velocity and time at the end of the slip from a state, in closed form or integrated.
fn end_of_slip(block: &SpringBlock, mode: Mode, state: [f64; 3], closed_form: bool) -> (f64, [f64; 3]) {
    struct UntilContact;
    impl Sink<SpringBlock> for UntilContact {
        const SECTIONS: Sections = Sections::NONE;
        fn event(&mut self, _event: &Event<'_, SpringBlock>) -> Flow {
            Flow::Stop
        }
    }
    let mut method = Dop853::new(block, Tolerance { relative: 1e-14, absolute: 1e-16 });
    let span = Span { closed_form, ..Span::until(10.0 * block.natural_period()) };
    let finish = integrate_from(block, &mut method, span, (mode, state), &mut UntilContact).unwrap();
    (finish.time, finish.state)
}

#[test]
fn a_phase_in_closed_form_equals_the_integrated_one_to_twelve_digits() {
    let coulomb = Law::Coulomb(Coulomb { static_coefficient: 1.0, kinetic_coefficient: 0.6 });
    let linear = |slope| Law::Linear(Linear { static_coefficient: 1.0, kinetic_coefficient: 0.5, slope });
    for (law, drive_speed) in [(coulomb, 0.5), (linear(0.05), 0.3), (linear(0.4), 0.1)] {
        let block = SpringBlock::new(1.0, 1.0, drive_speed, law);
        // a slip from the static limit, one from inside, and one that is faster than the surface
        let starts = [
            (Mode::SlipBelow, [1.0, drive_speed, 0.0]),
            (Mode::SlipBelow, [-1.5, 0.0, 0.0]),
            (Mode::SlipAbove, [-1.5, drive_speed, 0.0]),
        ];
        for (mode, state) in starts {
            let (exact_time, exact) = end_of_slip(&block, mode, state, true);
            let (time, found) = end_of_slip(&block, mode, state, false);
            assert!((time - exact_time).abs() < 1e-12 * exact_time, "{mode:?} {state:?}: {time} {exact_time}");
            for (a, b) in found.iter().zip(exact) {
                assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{mode:?} {state:?}: {found:?} {exact:?}");
            }
        }
    }
}

#[test]
fn slips_against_fast_friction_are_those_of_the_closed_form() {
    use stiction::analysis::spring_block::{Orbits, PathEnd};
    use stiction::integrate::Solver;
    use stiction::law::{Law, Linear};
    use stiction::system::SpringBlock;
    use stiction::system::spring_block::Mode;
    // friction changes the speed within 1e-4 s or 1e-8 s, the spring its force within 10 s
    for mass in [1e-3, 1e-7] {
        let law = Law::Linear(Linear { static_coefficient: 0.6, kinetic_coefficient: 0.5, slope: 10.0 });
        let block = SpringBlock { normal_load: 1.0, ..SpringBlock::new(mass, 1.0, 0.3, law) };
        let contact = |solver: Solver| {
            let path = Orbits::new(&block, solver).unwrap().path(Mode::SlipAbove, -5.0, 0.9, 2).unwrap();
            let PathEnd::Contact(contact) = path.end else { panic!("{path:?}") };
            contact
        };
        let (exact, found) = (contact(Solver::default()), contact(Solver::default().integrated()));
        assert!((found.displacement / exact.displacement - 1.0).abs() < 1e-10, "{found:?} {exact:?}");
        assert!((found.time / exact.time - 1.0).abs() < 1e-10, "{found:?} {exact:?}");
    }
}
