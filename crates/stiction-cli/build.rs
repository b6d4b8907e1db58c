//! Tells the program what it was built for, and from which commit if there is git.

use std::process::Command;

fn main() {
    println!("cargo::rustc-env=STICTION_TARGET={}", std::env::var("TARGET").unwrap_or_default());
    let git = |arguments: &[&str]| {
        let done = Command::new("git").args(arguments).output().ok().filter(|done| done.status.success())?;
        let text = String::from_utf8(done.stdout).ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    println!("cargo::rustc-env=STICTION_COMMIT={}", git(&["rev-parse", "HEAD"]).unwrap_or_default());
    println!("cargo::rerun-if-changed=build.rs");
    // what changes with a commit: the log of HEAD (a checkout, a commit), in a worktree in a folder of its own
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}
