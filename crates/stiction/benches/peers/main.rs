//! The work that others can do too, one JSON line each, with the keys of scripts that measure SciPy, CVODE, AUTO and their kind:
//! `cargo bench -p stiction --bench peers`, or `cargo bench -p stiction --bench peers -- field map` for some of it.
//!
//! `cpu_s` is the CPU time of the fastest of some repetitions on one thread \[s\]; what describes the error stands beside it, because a
//! time without an error says nothing.

mod cycles;
mod field;
mod map;
mod measure;
mod planar;
mod slider;
mod two_disc;

type Group = (&'static str, fn());

const GROUPS: [Group; 6] = [
    ("field", field::lines),
    ("slider", slider::lines),
    ("planar", planar::lines),
    ("two_disc", two_disc::lines),
    ("map", map::lines),
    ("cycles", cycles::lines),
];

fn main() {
    // cargo adds flags of its own
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for (name, lines) in GROUPS {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            measure::alone(lines);
        }
    }
}
