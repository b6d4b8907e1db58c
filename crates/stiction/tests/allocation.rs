//! The loop allocates nothing: neither per step nor per event.

mod support;

use allocation_counter::measure;
use stiction::integrate::{Dop853, Method, Rk4, Span, Tolerance, integrate_from};
use stiction::system::{SpringBlock, System};
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
