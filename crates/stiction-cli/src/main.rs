//! The program `stiction`.
fn main() {}
