//! The cost of the engine of campaigns: `cargo run --release -p stiction-lab --example engine 10000000`.

#[path = "../tests/support/engine.rs"]
mod engine;

use engine::{cpu_seconds, peak_megabytes, trivial_items};

#[allow(clippy::disallowed_methods, reason = "a measurement of time needs a clock")]
fn main() {
    let items = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let folder = std::env::temp_dir().join(format!("stiction-engine-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let began = std::time::Instant::now();
    let (sum, bytes) = trivial_items(items, &folder);
    let seconds = began.elapsed().as_secs_f64();
    std::fs::remove_dir_all(&folder).expect("the temporary folder");
    println!("{items} items, sum {sum}, table of {bytes} bytes");
    println!("{:.0} items a second, {:.3} microseconds each", items as f64 / seconds, seconds * 1e6 / items as f64);
    println!(
        "CPU time {:.2} s, memory {:.0} MB at most",
        cpu_seconds().unwrap_or(f64::NAN),
        peak_megabytes().unwrap_or(f64::NAN)
    );
}
