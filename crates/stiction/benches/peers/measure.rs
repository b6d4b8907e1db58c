//! CPU time, and lines of JSON.

use serde_json::{Map, Value};

/// CPU time of this thread so far \[s\].
#[allow(clippy::disallowed_methods, reason = "a measurement of time needs a clock")]
fn thread_seconds() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    // where the system does not tell: the time on the wall
    nanoseconds.map_or_else(|| BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64(), |time| time * 1e-9)
}

/// Work that is shorter is repeated: the clock of a thread ticks every few milliseconds [s].
const SHORTEST: f64 = 0.2;

/// What `work` gives, and its CPU time in the fastest of so many measurements \[s\].
pub(crate) fn fastest<R>(measurements: usize, mut work: impl FnMut() -> R) -> (R, f64) {
    let mut timed = |count: u32| {
        let began = thread_seconds();
        let mut result = work();
        for _ in 1..count {
            result = work();
        }
        (result, (thread_seconds() - began) / f64::from(count))
    };
    let mut count = 1;
    let mut best = timed(count);
    while best.1 * f64::from(count) < SHORTEST && count < 1 << 20 {
        count *= 4;
        best = timed(count);
    }
    for _ in 1..measurements {
        let next = timed(count);
        if next.1 < best.1 {
            best = next;
        }
    }
    best
}

/// Runs the work on one thread, also where the library would take more.
pub(crate) fn alone(work: fn()) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(work);
}

/// Prints one line; `keys` is an object.
pub(crate) fn line(bench: &str, peer: &str, cpu_seconds: f64, keys: Value) {
    let mut all = Map::new();
    all.insert("bench".to_owned(), bench.into());
    all.insert("peer".to_owned(), peer.into());
    all.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
    all.insert("cpu_s".to_owned(), cpu_seconds.into());
    if let Value::Object(keys) = keys {
        all.extend(keys);
    }
    println!("{}", Value::Object(all));
}
