//! Pictures and pages as they were.

/// Compares with a file of `tests/golden`; `UPDATE_GOLDEN=1` writes the file instead.
pub(crate) fn assert_golden(name: &str, made: &str) {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, made).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let differs = golden.lines().zip(made.lines()).find(|(old, new)| old != new);
    assert!(golden == made, "{path} has changed, first at {differs:?}; look at it, then run with UPDATE_GOLDEN=1");
}
