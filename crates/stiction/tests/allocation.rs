//! The loop allocates nothing: neither per step nor per event.

mod support;

use allocation_counter::measure;
use stiction::analysis::belt_disc::{BeltModel, Setting};
use stiction::field::Germ;
use stiction::integrate::{Dop853, Method, Rk4, Span, Tolerance, integrate_from};
use stiction::system::{BeltDisc, SpringBlock, System};
use support::blocks::{coulomb, paper, stribeck};
use support::problems::TwoSprings;

fn allocations<S: System, M: Method<S>>(system: &S, mut method: M, span: Span) -> (u64, u64) {
    let start = system.start();
    let mut steps = 0;
    let counted = measure(|| steps = integrate_from(system, &mut method, span, start, &mut ()).map_or(0, |f| f.steps));
    (counted.count_total, steps)
}

#[test]
fn the_counter_counts() {
    let counted = measure(|| drop(std::hint::black_box(vec![1_u8; 64])));
    assert_eq!(counted.count_total, 1);
}

#[test]
fn a_thousand_seconds_of_stick_slip_allocate_nothing() {
    let blocks: [SpringBlock; 3] = [coulomb(0.2, 0.5, 0.45), paper(0.3), stribeck(0.2)];
    for block in &blocks {
        for span in [Span::until(1000.0), Span::until(1000.0).integrated()] {
            let (count, steps) = allocations(block, Dop853::new(block, Tolerance::default()), span);
            assert!(count == 0 && (steps > 500 || span.closed_form), "{count} allocations in {steps} steps");
        }
        let (count, steps) = allocations(block, Rk4::new(block, 0.01), Span::until(1000.0).integrated());
        assert!(count == 0 && steps > 100_000);
    }
    assert_eq!(allocations(&TwoSprings, Dop853::new(&TwoSprings, Tolerance::default()), Span::until(1000.0)).0, 0);
}

/// Transitions of the disc look at a patch at rest, and results grow; the steps between them use the same memory again.
#[test]
fn steps_of_a_slipping_disc_allocate_nothing() {
    let model = BeltModel::new(&BeltDisc::default(), None, 20.0).unwrap();
    let counted = |relative: f64| {
        let tolerance = Tolerance { relative, absolute: 1e-2 * relative };
        let setting = Setting { duration: 20.0, tolerance, ..Setting::default() };
        let mut evaluations = 0;
        let counted =
            measure(|| evaluations = model.run(&Germ::new(1, 0), &setting).map_or(0, |run| run.effort.evaluations));
        (counted.count_total, evaluations)
    };
    let ((few, coarse), (many, fine)) = (counted(1e-6), counted(1e-9));
    assert!(fine > 2 * coarse, "{coarse} and {fine} evaluations");
    assert!(many.abs_diff(few) < 40, "{few} allocations with {coarse} evaluations, {many} with {fine}");
}
