//! Files and folders that strangers made: nothing is waited for, and nothing is written outside of the folder that was chosen.

#![cfg(unix)]

use crate::support::{Seen, contents, stiction};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::tempdir;

/// A block whose campaign has three items.
const CAMPAIGN: &str = r#"
title = "A block on a belt"
[system.spring_block]
mass = 10.0
stiffness = 30.0
drive_speed = 0.2
normal_load = 98.1
law.coulomb = { static_coefficient = 0.5, kinetic_coefficient = 0.45 }
[study.trajectory]
duration = 5.0
samples = 11
[[campaign.vary]]
key = "system.spring_block.mass"
values = [10.0, 11.0, 12.0]
"#;

/// Something that is not a file, under a name.
#[derive(Debug, Clone, Copy)]
enum Special {
    Fifo,
    Folder,
    Device,
    Socket,
}

impl Special {
    const ALL: [Special; 4] = [Special::Fifo, Special::Folder, Special::Device, Special::Socket];

    /// Makes it; whatever had the name is gone.
    fn make(self, path: &Path) {
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            let _ = fs::remove_file(path);
        }
        match self {
            Special::Fifo => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
            Special::Folder => fs::create_dir(path).unwrap(),
            Special::Device => symlink("/dev/zero", path).unwrap(),
            Special::Socket => drop(UnixListener::bind(path).unwrap()),
        }
    }
}

/// Whoever waits for a FIFO waits for ever; a busy machine needs some seconds.
fn at_once(typed: &[&str], inside: &Path) -> Seen {
    stiction(typed).inside(inside).within(60).run()
}

#[track_caller]
fn refused(seen: &Seen, case: &str) {
    assert!(matches!(seen.code, Some(1 | 2)), "{case}, {}: {:?}\n{}", seen.typed, seen.code, seen.stderr);
    assert!(seen.stderr.contains("error"), "{case}, {}\n{}", seen.typed, seen.stderr);
}

#[test]
fn scenarios_maps_and_tables_that_are_no_files_are_refused_at_once() {
    let home = tempdir().unwrap();
    let here = home.path();
    at_once(&["run", "elmer1997/coulomb", "--quick", "--out", "done"], here).succeeds();
    for special in Special::ALL {
        for name in ["x.toml", "x.csv", "x.parquet"] {
            special.make(&here.join(name));
        }
        for typed in [
            &["run", "x.toml"][..],
            &["check", "x.toml"],
            &["plan", "x.toml", "--items-per-task", "1", "--out", "planned"],
            &["run", "hu2021/moments", "--json", "--set", "system.planar_sliding.field={file=\"x.csv\"}"],
            &["run", "hu2021/moments", "--json", "--set", "system.planar_sliding.field={file=\"x.parquet\"}"],
            &["rerun", "x.parquet", "--out", "again"],
            &["plot", "done", "--figures", "x.toml"],
        ] {
            refused(&at_once(typed, here), &format!("{special:?}"));
        }
        for name in ["summary.json", "run.json", "scenario.toml", "trajectory.parquet"] {
            let path = here.join("done").join(name);
            let kept = fs::read(&path).unwrap();
            special.make(&path);
            refused(&at_once(&["plot", "done"], here), &format!("{special:?} as {name}"));
            if name == "summary.json" {
                refused(&at_once(&["run", "elmer1997/coulomb", "--quick", "--out", "done"], here), "summary.json");
            }
            Special::Folder.make(&path);
            fs::remove_dir(&path).unwrap();
            fs::write(&path, kept).unwrap();
        }
    }
}

#[test]
fn work_that_is_no_file_is_refused_at_once() {
    let home = tempdir().unwrap();
    let here = home.path();
    fs::write(here.join("study.toml"), CAMPAIGN).unwrap();
    at_once(&["plan", "study.toml", "--items-per-task", "2", "--out", "w"], here).succeeds();
    at_once(&["work", "w", "--task", "0"], here).succeeds();
    let work = here.join("w/.campaign");
    for special in Special::ALL {
        for name in ["asked.json", "scenario.toml", "plan.json"] {
            let path = work.join(name);
            let kept = fs::read(&path).unwrap();
            special.make(&path);
            for command in ["status", "merge", "slurm"] {
                if command != "status" || name != "plan.json" || !matches!(special, Special::Folder) {
                    refused(&at_once(&[command, "w"], here), &format!("{special:?} as {name}"));
                }
            }
            refused(&at_once(&["work", "w", "--task", "1"], here), &format!("{special:?} as {name}"));
            Special::Folder.make(&path);
            fs::remove_dir(&path).unwrap();
            fs::write(&path, kept).unwrap();
        }
        // a shard that cannot be trusted is none; who works says so in a file that may be anything
        for name in ["items/000000000000-000000000002-abcdef.items", "workers/other-1.json"] {
            special.make(&work.join(name));
        }
        let status = at_once(&["status", "w", "--json"], here).succeeds().json();
        assert_eq!(status["damaged"].as_array().unwrap().len(), 1, "{special:?}: {status}");
        assert!(status["damaged"][0]["reason"].as_str().unwrap().contains("not a file"), "{status}");
        for name in ["items/000000000000-000000000002-abcdef.items", "workers/other-1.json"] {
            Special::Folder.make(&work.join(name));
            fs::remove_dir(work.join(name)).unwrap();
        }
        special.make(&work.join("lock"));
        refused(&at_once(&["work", "w", "--task", "1"], here), &format!("{special:?} as lock"));
        Special::Folder.make(&work.join("lock"));
        fs::remove_dir(work.join("lock")).unwrap();
    }
    at_once(&["work", "w", "--task", "1"], here).succeeds();
    for special in Special::ALL {
        let journal = here.join("w/.stiction-journal");
        special.make(&journal);
        refused(&at_once(&["merge", "w"], here), &format!("{special:?} as journal"));
        Special::Folder.make(&journal);
        fs::remove_dir(journal).unwrap();
    }
    at_once(&["merge", "w"], here).succeeds();
}

/// A folder with precious files, and links to it under names that the program uses.
struct Trap {
    home: tempfile::TempDir,
    before: BTreeMap<String, Vec<u8>>,
}

impl Trap {
    fn new() -> Self {
        let home = tempdir().unwrap();
        fs::create_dir(home.path().join("precious")).unwrap();
        for name in ["file", "asked.json", "lock", "a.items"] {
            fs::write(home.path().join("precious").join(name), "mine").unwrap();
        }
        let before = contents(&home.path().join("precious"));
        fs::write(home.path().join("study.toml"), CAMPAIGN).unwrap();
        Self { home, before }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Links to a precious file, and to a file that does not exist yet.
    fn files(&self, folder: &str, names: &[&str]) {
        fs::create_dir_all(self.path(folder)).unwrap();
        for (number, name) in names.iter().enumerate() {
            let target = self.path(if number % 2 == 0 { "precious/file" } else { "precious/new" });
            symlink(target, self.path(folder).join(name)).unwrap();
        }
    }

    fn folder(&self, name: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        symlink(self.path("precious"), self.path(name)).unwrap();
    }

    fn run(&self, typed: &[&str]) -> Seen {
        let seen = at_once(typed, self.home.path());
        assert!(contents(&self.path("precious")) == self.before, "{}\n{}", seen.typed, seen.stderr);
        seen
    }
}

#[test]
fn prepared_links_to_files_are_never_written_through() {
    let trap = Trap::new();
    let temporary = [
        ".stiction-report.html.tmp",
        ".stiction-summary.json.tmp",
        ".stiction-scenario.toml.tmp",
        ".stiction-run.json.tmp",
        ".stiction-trajectory.parquet.tmp",
        ".stiction-trajectory.parquet.tmp.tmp",
    ];
    trap.files("out", &temporary);
    trap.run(&["run", "elmer1997/coulomb", "--quick", "--out", "out"]).succeeds();
    assert!(fs::symlink_metadata(trap.path("out/report.html")).unwrap().is_file());
    for name in ["report.html", "summary.json", "scenario.toml", "run.json", ".stiction-journal"] {
        let folder = format!("final-{name}");
        trap.files(&folder, &[name]);
        refused(&trap.run(&["run", "elmer1997/coulomb", "--quick", "--out", &folder]), name);
    }
    // pictures of a finished run
    trap.files("pictures", &["a.svg", "a.png", ".stiction-a.svg.tmp"]);
    fs::write(trap.path("f.toml"), "[[figure]]\nname = \"a\"\nlines = { x = \"time\", y = \"velocity\" }\n").unwrap();
    refused(&trap.run(&["plot", "out", "--figures", "f.toml", "--out", "pictures"]), "pictures");
    trap.files("more", &[".stiction-a.svg.tmp", ".stiction-a.png.tmp"]);
    trap.run(&["plot", "out", "--figures", "f.toml", "--out", "more"]).succeeds();
    // plans and scripts
    trap.run(&["plan", "study.toml", "--items-per-task", "3", "--out", "w"]).succeeds();
    trap.files("w", &["array.sbatch", ".stiction-array.sbatch.tmp"]);
    refused(&trap.run(&["slurm", "w"]), "array.sbatch");
    fs::remove_file(trap.path("w/array.sbatch")).unwrap();
    trap.run(&["slurm", "w"]).succeeds();
    fs::remove_file(trap.path("w/.campaign/lock")).unwrap();
    trap.files("w/.campaign", &["spare", "lock"]);
    refused(&trap.run(&["work", "w", "--task", "0"]), "lock");
    fs::remove_file(trap.path("w/.campaign/lock")).unwrap();
    refused(&trap.run(&["work", "w", "--task", "0"]), "spare");
    fs::remove_file(trap.path("w/.campaign/spare")).unwrap();
    trap.run(&["work", "w", "--task", "0"]).succeeds();
    for name in ["items.growing", "item_trajectory.growing", "points.growing"] {
        trap.files("w/.campaign", &[name]);
        refused(&trap.run(&["merge", "w"]), name);
        fs::remove_file(trap.path(&format!("w/.campaign/{name}"))).unwrap();
    }
    trap.run(&["merge", "w"]).succeeds();
    // hard links
    fs::create_dir(trap.path("hard")).unwrap();
    fs::hard_link(trap.path("precious/file"), trap.path("hard/.stiction-journal")).unwrap();
    refused(&trap.run(&["run", "elmer1997/coulomb", "--quick", "--out", "hard"]), "hard link");
}

#[test]
fn prepared_links_to_folders_are_never_written_through() {
    let trap = Trap::new();
    trap.folder("a/.campaign");
    for typed in [
        &["plan", "study.toml", "--items-per-task", "3", "--out", "a"][..],
        &["run", "study.toml", "--out", "a"],
        &["run", "study.toml", "--out", "a", "--restart"],
        &["status", "a"],
        &["work", "a", "--task", "0"],
        &["merge", "a"],
    ] {
        refused(&trap.run(typed), ".campaign");
    }
    for name in ["items", "workers"] {
        let folder = format!("b-{name}");
        trap.folder(&format!("{folder}/.campaign/{name}"));
        refused(&trap.run(&["plan", "study.toml", "--items-per-task", "3", "--out", &folder]), name);
        // planned first, replaced later
        let folder = format!("c-{name}");
        trap.run(&["plan", "study.toml", "--items-per-task", "3", "--out", &folder]).succeeds();
        fs::remove_dir_all(trap.path(&format!("{folder}/.campaign/{name}"))).unwrap();
        trap.folder(&format!("{folder}/.campaign/{name}"));
        refused(&trap.run(&["work", &folder, "--task", "0"]), name);
    }
    trap.folder("gallery/elmer1997");
    refused(&trap.run(&["gallery", "--quick", "--paper", "elmer1997", "--out", "gallery"]), "elmer1997");
    trap.folder("gallery2/elmer1997/fig1");
    refused(&trap.run(&["gallery", "--quick", "--paper", "elmer1997", "--out", "gallery2"]), "fig1");
}

#[test]
fn a_scenario_with_the_name_of_a_folder_writes_below_the_current_one() {
    let home = tempdir().unwrap();
    let inside = home.path().join("inside");
    fs::create_dir(&inside).unwrap();
    for name in ["...toml", "..toml", "....toml", "a\nb.toml", "c\\..\\d.toml"] {
        fs::write(inside.join(name), CAMPAIGN).unwrap();
        at_once(&["run", name], &inside).succeeds();
    }
    let listed = |folder: &Path| -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(listed(home.path()), ["inside"]);
    assert_eq!(listed(&inside).iter().filter(|name| !name.ends_with(".toml")).count(), 1);
    assert_eq!(listed(&inside.join("stiction-out")), ["_", "__", "___", "a_b", "c_.._d"]);
}

#[test]
fn scripts_and_manual_pages_that_were_edited_stay_as_they_are() {
    let home = tempdir().unwrap();
    let here = home.path();
    at_once(&["man", "pages"], here).succeeds();
    at_once(&["man", "pages"], here).succeeds();
    let pages = contents(&here.join("pages"));
    assert!(pages.len() > 10 && pages.contains_key("stiction-run.1"), "{:?}", pages.keys());
    fs::write(here.join("pages/stiction-run.1"), "mine").unwrap();
    fs::remove_file(here.join("pages/stiction.1")).unwrap();
    at_once(&["man", "pages"], here).fails(&["stiction-run.1", "left untouched"]);
    assert_eq!(fs::read_to_string(here.join("pages/stiction-run.1")).unwrap(), "mine");
    assert!(!here.join("pages/stiction.1").exists(), "all or nothing");
    fs::write(here.join("study.toml"), CAMPAIGN).unwrap();
    at_once(&["plan", "study.toml", "--items-per-task", "2", "--out", "w"], here).succeeds();
    at_once(&["slurm", "w"], here).succeeds();
    at_once(&["slurm", "w"], here).succeeds();
    fs::write(here.join("w/array.sbatch"), "mine").unwrap();
    at_once(&["slurm", "w"], here).fails(&["array.sbatch", "left untouched", "--print"]);
    assert_eq!(fs::read_to_string(here.join("w/array.sbatch")).unwrap(), "mine");
}

/// The code of a folder of sources, without tests.
fn code(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            code(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text.split("#[cfg(test)]").next().unwrap().to_owned()));
        }
    }
}

#[test]
fn files_are_opened_and_written_in_one_place() {
    let mut sources = Vec::new();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    code(&here.join("src"), &mut sources);
    code(&here.join("../stiction-lab/src"), &mut sources);
    assert!(sources.len() > 100);
    // the place itself, and the tests of faults
    sources.retain(|(path, _)| !path.ends_with("src/files.rs") && !path.ends_with("faults.rs"));
    for (path, text) in sources {
        for call in
            ["fs::read(", "fs::read_to_string", "fs::write", "fs::copy", "File::open", "File::create", "OpenOptions"]
                .iter()
                .chain(&["fs::create_dir", "fs::remove", "fs::rename", "fs::hard_link", "generate_to"])
        {
            assert!(!text.contains(call), "{} has {call}: use `stiction_lab::files`", path.display());
        }
        assert!(!text.contains("println!") && !text.contains("eprint"), "{}: use `terminal`", path.display());
    }
}

#[test]
fn a_gallery_shows_nothing_that_a_stranger_put_into_its_folder() {
    let home = tempdir().unwrap();
    let here = home.path();
    let gallery = ["gallery", "--quick", "--paper", "elmer1997", "--out", "g", "--markdown", "m"];
    at_once(&gallery, here).succeeds();
    let page = fs::read_to_string(here.join("g/index.html")).unwrap();
    let seen = at_once(&gallery, here).succeeds();
    assert_eq!(seen.stderr.matches("as it was").count(), 2, "{}", seen.stderr);
    let figure = here.join("g/elmer1997/fig1");
    let original = |name: &str| fs::read_to_string(figure.join(name)).unwrap();
    let (summary, picture) = (original("summary.json"), original("fig1.svg"));
    let evil = "<script>alert(1)</script>";
    let check = || {
        let seen = at_once(&gallery, here).succeeds();
        assert_eq!(seen.stderr.matches("as it was").count(), 1, "made again: {}", seen.stderr);
        let (html, text) = (here.join("g/index.html"), here.join("m/README.md"));
        for path in [html, text] {
            assert!(!fs::read_to_string(&path).unwrap().contains("alert(1)"), "{}", path.display());
        }
    };
    fs::write(figure.join("fig1.svg"), picture.replace("</svg>", &format!("{evil}</svg>"))).unwrap();
    check();
    let changed = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut json: serde_json::Value = serde_json::from_str(&summary).unwrap();
        change(&mut json);
        fs::write(figure.join("summary.json"), json.to_string()).unwrap();
    };
    // a way out of the folder, a foreign statement, a verdict that its value contradicts
    fs::write(here.join("evil.svg"), picture.replace("</svg>", &format!("{evil}</svg>"))).unwrap();
    changed(&|json| json["files"].as_array_mut().unwrap().push("../../../evil.svg".into()));
    check();
    changed(&|json| json["claims"][0]["statement"] = evil.into());
    check();
    changed(&|json| json["claims"][0]["value"] = (1e99).into());
    check();
    // what the page does not need is not taken from there
    changed(&|json| json["provenance"]["command"] = evil.into());
    at_once(&gallery, here).succeeds();
    assert!(!fs::read_to_string(here.join("g/index.html")).unwrap().contains("alert(1)"));
    assert_eq!(
        page.matches("<svg ").count(),
        fs::read_to_string(here.join("g/index.html")).unwrap().matches("<svg ").count()
    );
    // a page of somebody else is not replaced
    fs::write(here.join("m/README.md"), "# My project\n").unwrap();
    at_once(&gallery, here).fails(&["README.md", "left untouched"]);
}
