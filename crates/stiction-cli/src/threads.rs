//! The threads that do the work: as many as asked for, or as the system gives.

use crate::terminal;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::{env, thread};

/// More threads than that only take memory. Where memory is short, a thread beyond it can be started and then fail to get its
/// signal stack, which aborts the program.
fn most() -> usize {
    64.max(4 * cores())
}

/// Stack of a thread that does what the main thread would do \[bytes\].
const STACK: usize = 8 << 20;

/// Does `work` with `asked` threads, or with RAYON_NUM_THREADS of them, or one for each core. Where the system refuses to start
/// that many, fewer do it, and a warning says so: the results are the same.
pub(crate) fn with<R: Send>(asked: Option<u16>, work: impl FnOnce() -> R + Send) -> R {
    let wanted = asked.map(usize::from).or_else(from_environment).unwrap_or_else(cores);
    let (pool, refusal) =
        started(wanted.min(most()), |count| ThreadPoolBuilder::new().num_threads(count).stack_size(STACK).build());
    let got = pool.as_ref().map_or(1, ThreadPool::current_num_threads);
    if got < wanted {
        let reason = refusal.map_or_else(|| format!("at most {} are useful", most()), |error| error.to_string());
        terminal::say(&format!("warning: {wanted} threads cannot be started ({reason}); working with {got}"));
    }
    match pool {
        Some(pool) => pool.install(work),
        None => {
            // the thread that is there already; if even that is refused, the first parallel loop says so
            let _ = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
            work()
        }
    }
}

/// The largest of `wanted`, a half, a quarter … of it that can be started, and why more cannot.
fn started<P>(
    wanted: usize,
    start: impl Fn(usize) -> Result<P, ThreadPoolBuildError>,
) -> (Option<P>, Option<ThreadPoolBuildError>) {
    let (mut count, mut refusal) = (wanted, None);
    while count > 0 {
        match start(count) {
            Ok(pool) => return (Some(pool), refusal),
            Err(error) => refusal = refusal.or(Some(error)),
        }
        count /= 2;
    }
    (None, refusal)
}

fn from_environment() -> Option<usize> {
    env::var("RAYON_NUM_THREADS").ok()?.trim().parse().ok().filter(|count| *count > 0)
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
