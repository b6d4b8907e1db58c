//! Where motions end: the shortcut through the return map against motions that are followed to their end.

use super::support::blocks::{paper, started};
use stiction::analysis::spring_block::{Basins, ContactChange, Fate, History};
use stiction::integrate::Solver;
use stiction::integrate::Span;
use stiction::system::spring_block::{ContactPolicy, State};
use stiction::system::{SpringBlock, System};

/// Follows a motion for a long time (the slowest eigenvalue is about 1e-3/s) and says what it does at the end.
fn followed(block: &SpringBlock, duration: f64) -> &'static str {
    let solver = Solver { relative_tolerance: 1e-9, absolute_tolerance: 1e-10, ..Solver::default() };
    let period = block.natural_period();
    let first = solver.integrate(block, Span::until(duration), block.start(), period, &mut ()).unwrap();
    let mut history = History::of(block);
    let start: (_, State) = (first.mode, first.state);
    let span = Span { start: first.time, ..Span::until(first.time + 12.0 * period) };
    solver.integrate(block, span, start, period, &mut history).unwrap();
    let range =
        |list: &[(f64, f64)]| list.iter().map(|(_, x)| *x).fold((f64::MAX, f64::MIN), |r, x| (r.0.min(x), r.1.max(x)));
    if history.contacts.iter().any(|contact| contact.change == ContactChange::Stick) {
        "SS"
    } else if history.contacts.iter().any(|contact| contact.change == ContactChange::Pass) {
        "through"
    } else if range(&history.maxima).1 - range(&history.minima).0 > 1e-3 {
        "OS"
    } else {
        "CS"
    }
}

#[test]
fn fates_by_the_return_map_are_those_of_motions_followed_to_their_end() {
    let mut seen = std::collections::BTreeSet::new();
    for speed in [0.1, 0.15, 0.3, 0.45, 0.78, 0.9, 1.1] {
        for policy in [ContactPolicy::Strict, ContactPolicy::FirstContact] {
            let block = SpringBlock { contact_policy: policy, ..paper(speed) };
            let basins = Basins::of(&block, Solver::default()).unwrap();
            let classes = basins.attractors.classes();
            for i in 0..6 {
                for k in 0..6 {
                    let x = -2.6 + 1.47 * f64::from(i);
                    let velocity = -1.3 + 0.53 * f64::from(k);
                    let fate = basins.fate(x, velocity).unwrap();
                    assert_ne!(fate, Fate::Undecided, "{speed}: ({x}, {velocity})");
                    assert!(
                        classes.contains(&fate.class()),
                        "{speed}: ({x}, {velocity}) {fate:?} not among {classes:?}"
                    );
                    let end = followed(&started(block.clone(), x, velocity), 16_000.0);
                    assert_eq!(fate.class(), end, "{speed} {policy:?}: ({x}, {velocity})");
                    seen.insert(end);
                }
            }
        }
    }
    assert_eq!(seen.len(), 4, "every class was reached: {seen:?}");
}

#[test]
fn a_start_on_the_surface_shares_the_fate_of_a_release() {
    for speed in [0.07, 0.3, 0.9, 1.1] {
        let block = paper(speed);
        let basins = Basins::of(&block, Solver::default()).unwrap();
        let end = followed(&started(block.clone(), 0.0, speed), 16_000.0);
        assert_eq!(basins.fate(0.0, speed).unwrap().class(), end, "{speed}");
    }
}

#[test]
fn equal_static_and_kinetic_friction_leave_no_stick_slip() {
    use stiction::law::{Coulomb, Law};
    let law = |static_coefficient| Law::Coulomb(Coulomb { static_coefficient, kinetic_coefficient: 1.0 });
    let fates = |static_coefficient: f64| -> Vec<Fate> {
        let block = SpringBlock::new(1.0, 1.0, 0.4, law(static_coefficient));
        let basins = Basins::of(&block, Solver::default()).unwrap();
        let starts = [(1.0, 0.1), (2.5, 0.0), (-1.0, 0.0), (1.0, 0.4), (0.0, 1.0)];
        starts.iter().map(|(x, velocity)| basins.fate(*x, *velocity).unwrap()).collect()
    };
    // once released, the block follows the largest of the undamped oscillations
    assert_eq!(fates(1.0), [Fate::Continuum; 5]);
    let strict = fates(1.01);
    assert_eq!(strict[0], Fate::Continuum);
    assert!(strict[1..].iter().all(|fate| *fate == Fate::StickSlip), "{strict:?}");
}
