//! What the engine of campaigns costs by itself. One test in a process of its own: it measures the process.

#[path = "support/engine.rs"]
mod engine;

use engine::{cpu_seconds, peak_megabytes, trivial_items};

#[test]
fn a_million_trivial_items_cost_less_than_two_microseconds_each_and_little_memory() {
    const ITEMS: u64 = 1_000_000;
    let folder = tempfile::tempdir().unwrap();
    let before = cpu_seconds();
    let (sum, bytes) = trivial_items(ITEMS, folder.path());
    // Σ√i = 2/3 n^(3/2) − √n/2 + ζ(−1/2) + 1/(24 √n) + ... for i < n
    let n = ITEMS as f64;
    let expected = 2.0 / 3.0 * n * n.sqrt() - n.sqrt() / 2.0 - 0.207_886_224_977_354_57 + 1.0 / (24.0 * n.sqrt());
    assert!((sum / expected - 1.0).abs() < 1e-12, "{sum} is not {expected}");
    assert!(bytes > 8 * ITEMS, "{bytes}");
    if let (Some(before), Some(after)) = (before, cpu_seconds()) {
        let microseconds = (after - before) * 1e6 / n;
        println!("{microseconds:.2} microseconds of CPU time for each item");
    }
    if let Some(megabytes) = peak_megabytes() {
        println!("{megabytes:.0} MB at most");
        assert!(megabytes < 200.0, "{megabytes} MB");
    }
}
