//! A thousand seconds of Coulomb stick-slip: in closed form, integrated, and by a plain loop, side by side.

use coulomb::{DURATION, block, period};
use divan::Bencher;
use stiction::analysis::spring_block::History;
use stiction::integrate::{Dop853, Span, Tolerance, integrate};

#[path = "problem/coulomb.rs"]
mod coulomb;

fn main() {
    divan::main();
}

/// Loose enough to be fast, tight enough for a period that is right to 1e-10.
const TOLERANCE: Tolerance = Tolerance { relative: 1e-10, absolute: 1e-11 };

fn assert_period(span: Span) {
    let block = block();
    let mut history = History::of(&block);
    integrate(&block, &mut Dop853::new(&block, TOLERANCE), span, &mut history).expect("the slider moves");
    let worst = history.cycles.iter().map(|cycle| (cycle.period() - period(&block)).abs()).fold(0.0, f64::max);
    assert!(history.cycles.len() > 200 && worst < 1e-10, "{} cycles, error {worst:e}", history.cycles.len());
}

fn run(bencher: Bencher<'_, '_>, span: Span) {
    assert_period(span);
    let block = block();
    let mut method = Dop853::new(&block, TOLERANCE);
    bencher.bench_local(|| integrate(&block, &mut method, span, &mut ()).expect("the slider moves").time);
}

#[divan::bench]
fn closed_form(bencher: Bencher<'_, '_>) {
    run(bencher, Span::until(DURATION));
}

#[divan::bench]
fn integrated(bencher: Bencher<'_, '_>) {
    run(bencher, Span::until(DURATION).integrated());
}

/// What one would write in an afternoon: fixed steps of the classical method, events by bisection of the last step.
#[divan::bench]
fn plain_loop(bencher: Bencher<'_, '_>) {
    let (mass, kappa, v0, f_s, f_k) = (10.0, 30.0, 0.2, 0.5 * 98.1, 0.45 * 98.1);
    let slip = move |[_, v]: [f64; 2], x: f64| [v, (f_k - kappa * x) / mass];
    let step = move |stuck: bool, [x, v]: [f64; 2], h: f64| -> [f64; 2] {
        let slope = |y: [f64; 2]| if stuck { [v0, 0.0] } else { slip(y, y[0]) };
        let moved = |k: [f64; 2], h: f64| [x + h * k[0], v + h * k[1]];
        let k1 = slope([x, v]);
        let k2 = slope(moved(k1, 0.5 * h));
        let k3 = slope(moved(k2, 0.5 * h));
        let k4 = slope(moved(k3, h));
        let mean = |i: usize| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0;
        [x + h * mean(0), v + h * mean(1)]
    };
    bencher.bench_local(|| {
        let (mut t, mut y, mut stuck) = (0.0, [0.0, v0], true);
        let beyond = |stuck: bool, y: [f64; 2]| if stuck { kappa * y[0] - f_s } else { y[1] - v0 };
        let mut first = false;
        while t < DURATION {
            let next = step(stuck, y, 0.01);
            // the first step of a slip starts on the guard
            if beyond(stuck, next) < 0.0 || first {
                (t, y, first) = (t + 0.01, next, false);
                continue;
            }
            let (mut low, mut high) = (0.0, 0.01);
            while high - low > 1e-14 {
                let middle = 0.5 * (low + high);
                if beyond(stuck, step(stuck, y, middle)) < 0.0 { low = middle } else { high = middle }
            }
            y = step(stuck, y, high);
            (t, y[1], stuck, first) = (t + high, v0, !stuck, stuck);
        }
        divan::black_box(y)
    });
}
