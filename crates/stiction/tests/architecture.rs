//! What the crate promises about its own shape.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules in the order of the physics: each uses only those before it.
const ORDER: [&str; 11] =
    ["keys", "memory", "num", "field", "law", "patch", "system", "integrate", "record", "analysis", "mechanism"];

/// The modules of the laboratory: answers and pictures, the files of finished items, the questions, and what puts them together.
const LAB: [&str; 14] = [
    "parallel",
    "safe_text",
    "files",
    "dataset",
    "figure",
    "keep",
    "study",
    "campaign",
    "scenario",
    "run",
    "audit",
    "answer",
    "report",
    "gallery",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(folder, &mut found);
    found.sort();
    assert!(found.len() > 50, "{} has {} source files: the search is broken", folder.display(), found.len());
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file: comments and its unit tests left out.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Modules of the crate that a piece of code names after `crate::`, also in braces.
fn imports(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for piece in code.split("crate::").skip(1) {
        let names: Vec<&str> = match piece.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap_or_default().split(',').collect(),
            None => vec![piece],
        };
        for name in names {
            let name: String = name.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.push(name);
        }
    }
    found
}

#[test]
fn modules_use_only_those_above_them() {
    in_order(&root().join("src"), &ORDER);
}

#[test]
fn modules_of_the_laboratory_use_only_those_above_them() {
    in_order(&root().join("../stiction-lab/src"), &LAB);
}

fn in_order(source: &Path, order: &[&str]) {
    let mut checked = 0;
    for path in sources(source) {
        let relative = path.strip_prefix(source).unwrap();
        let first = relative.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        assert!(first == "lib" || order.contains(&first), "{first} has no place in the order");
        let Some(own) = order.iter().position(|module| *module == first) else { continue };
        for import in imports(&code(&path)) {
            let Some(used) = order.iter().position(|module| *module == import) else { continue };
            checked += 1;
            assert!(used <= own, "{} uses {import}, which comes after {first}", relative.display());
        }
    }
    assert!(checked > 50, "only {checked} imports seen: the search is broken");
}

#[test]
fn no_source_file_is_longer_than_six_hundred_lines() {
    let workspace = root().join("../..");
    for path in sources(&workspace.join("crates")) {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 600, "{} has {lines} lines", path.display());
    }
}

#[test]
fn every_source_file_opens_with_its_idea() {
    for path in sources(&root().join("src")).iter().filter(|path| !path.ends_with("tests.rs")) {
        assert!(fs::read_to_string(path).unwrap().starts_with("//! "), "{}", path.display());
    }
}

#[test]
fn the_science_crate_knows_no_terminal_no_file_no_clock_and_no_environment() {
    for path in sources(&root().join("src")) {
        let code = code(&path);
        for forbidden in ["println!", "print!(", "dbg!", "std::fs", "std::env", "std::process", "Instant", "SystemTime"]
        {
            assert!(!code.contains(forbidden), "{} contains {forbidden}", path.display());
        }
    }
}

#[test]
fn the_crate_documentation_lists_the_modules_in_their_order() {
    for (file, order) in [("src/lib.rs", &ORDER[..]), ("../stiction-lab/src/lib.rs", &LAB[1..])] {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let places: Vec<usize> = order.iter().map(|module| text.find(&format!("[`{module}`]")).unwrap()).collect();
        assert!(places.is_sorted(), "{file}: {places:?}");
    }
}

#[test]
fn the_architecture_page_names_only_folders_that_exist() {
    let workspace = root().join("../..");
    let page = fs::read_to_string(workspace.join("ARCHITECTURE.md")).unwrap();
    let is_folder =
        |word: &&str| word.ends_with('/') && !word.contains(|c: char| c.is_whitespace() || "*<>{}$".contains(c));
    let folders: Vec<&str> = page.split('`').skip(1).step_by(2).filter(is_folder).collect();
    assert!(folders.len() > 5, "only {folders:?} are named");
    for word in folders {
        let somewhere = ["", "crates", "crates/stiction", "crates/stiction/src", "crates/stiction-lab/src"];
        let exists = somewhere.iter().any(|base| workspace.join(base).join(word).is_dir());
        assert!(exists, "ARCHITECTURE.md names `{word}`");
    }
}
