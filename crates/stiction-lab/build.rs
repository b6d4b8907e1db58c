//! Lists the scenario files of the repository, so that the library carries every one of them.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../scenarios");
    // a folder here is watched with everything below it, so that a new file is noticed too
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(&folder, "", &mut files)?;
    files.sort();
    let mut table = String::from(
        "/// Name and text of every built-in scenario, sorted by name.\nstatic BUILTINS: &[(&str, &str)] = &[\n",
    );
    for (name, path) in &files {
        // writing to a string cannot fail
        let _ = writeln!(table, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    table.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("builtins.rs"), table)
}

/// Finds the TOML files below a folder, each with its path from there, without its ending, as its name.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = fs::canonicalize(entry?.path())?;
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        if path.is_dir() {
            collect(&path, &format!("{prefix}{stem}/"), files)?;
        } else if path.extension().is_some_and(|ending| ending == "toml") {
            files.push((format!("{prefix}{stem}"), path));
        }
    }
    Ok(())
}
