//! What the engine of campaigns costs for each item, with shards and a table in files.

#[path = "../tests/support/engine.rs"]
#[allow(dead_code, reason = "the measurements of a process are for the test")]
mod engine;

use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

#[divan::bench(args = [10_000, 1_000_000], sample_count = 5, sample_size = 1)]
fn trivial_items(bencher: divan::Bencher, items: u64) {
    bencher
        .counter(ItemsCount::new(items))
        .with_inputs(|| tempfile::tempdir().expect("a temporary folder"))
        .bench_values(|folder| engine::trivial_items(items, folder.path()));
}
