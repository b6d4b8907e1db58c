//! A thousand seconds of Coulomb stick-slip of one block.

use crate::measure::{fastest, line};
use coulomb::{DURATION, block, period};
use serde_json::json;
use slips::Slips;
use stiction::integrate::{Dop853, Event, Flow, Sink, Span, Tolerance, integrate};
use stiction::system::{Sections, System};

#[path = "../problem/coulomb.rs"]
mod coulomb;
#[path = "../problem/slips.rs"]
mod slips;

pub(crate) fn lines() {
    let exact = Span::until(DURATION);
    measured("stiction-closed-form", &block(), exact, 1e-10);
    // 1e-7: the error of the peer with its step of 10 ms
    for tolerance in [1e-7, 4e-8, 1e-8, 1e-10, 1e-12] {
        measured("stiction-dop853-slips", &Slips(block()), exact, tolerance);
        measured("stiction-dop853-event", &block(), exact.integrated(), tolerance);
    }
}

/// Instants of release.
struct Releases(Vec<f64>);

impl<S: System> Sink<S> for Releases {
    const SECTIONS: Sections = Sections::NONE;

    fn event(&mut self, event: &Event<'_, S>) -> Flow {
        if event.kind.name() == "release" {
            self.0.push(event.time);
        }
        Flow::Continue
    }
}

fn measured<S: System>(peer: &str, system: &S, span: Span, tolerance: f64) {
    let mut method = Dop853::new(system, Tolerance { relative: tolerance, absolute: 0.1 * tolerance });
    let (steps, seconds) =
        fastest(5, || integrate(system, &mut method, span, &mut ()).expect("the slider moves").steps);
    let mut releases = Releases(Vec::new());
    integrate(system, &mut method, span, &mut releases).expect("the slider moves");
    let (exact, starts) = (period(&block()), releases.0);
    let (first, last) = (starts[0], starts[starts.len() - 1]);
    let cycles = (starts.len() - 1) as f64;
    let period = (last - first) / cycles;
    let keys = json!({
        "rtol": tolerance, "T": DURATION, "cycles": starts.len(), "steps": steps, "period": period, "period_exact": exact,
        "period_rel_err": (period - exact).abs() / exact, "last_release": last,
        "last_release_err": (last - first - cycles * exact).abs(),
    });
    line("P2", peer, seconds, keys);
}
