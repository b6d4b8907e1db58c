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

/// What `work` gives, and the CPU time of the fastest of so many runs \[s\].
pub(crate) fn fastest<R>(repetitions: usize, mut work: impl FnMut() -> R) -> (R, f64) {
    let mut timed = || {
        let began = thread_seconds();
        let result = work();
        (result, thread_seconds() - began)
    };
    let mut best = timed();
    for _ in 1..repetitions {
        let next = timed();
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
