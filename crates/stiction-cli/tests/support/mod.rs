//! Typing commands and looking at what comes of them.

#![allow(dead_code, reason = "every test uses a part of this")]

pub(crate) mod campaigns;

use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A command to be run.
pub(crate) struct Typed {
    arguments: Vec<String>,
    stdin: String,
    folder: String,
    limit: Duration,
}

/// What came of it.
pub(crate) struct Seen {
    pub(crate) typed: String,
    /// The exit code; none if a signal or the time limit ended the program.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A command that runs in a folder for temporary files, for at most three minutes: a machine may be busy.
pub(crate) fn stiction(arguments: &[&str]) -> Typed {
    Typed {
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        stdin: String::new(),
        folder: env!("CARGO_TARGET_TMPDIR").to_owned(),
        limit: Duration::from_secs(180),
    }
}

impl Typed {
    /// One more argument.
    pub(crate) fn with(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// A changed key.
    pub(crate) fn set(self, setting: &str) -> Self {
        self.with("--set").with(setting)
    }

    /// A folder for the results.
    pub(crate) fn out(self, folder: &Path) -> Self {
        self.with("--out").with(folder.to_str().unwrap())
    }

    /// What it reads from stdin.
    pub(crate) fn reading(mut self, text: &str) -> Self {
        text.clone_into(&mut self.stdin);
        self
    }

    /// The folder in which it runs.
    pub(crate) fn inside(mut self, folder: &Path) -> Self {
        folder.to_str().unwrap().clone_into(&mut self.folder);
        self
    }

    /// A run that takes longer is ended, and fails the test.
    pub(crate) fn within(mut self, seconds: u64) -> Self {
        self.limit = Duration::from_secs(seconds);
        self
    }

    /// Starts it.
    pub(crate) fn start(&self) -> Child {
        Command::new(env!("CARGO_BIN_EXE_stiction"))
            .args(&self.arguments)
            .current_dir(&self.folder)
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Runs it to its end.
    #[track_caller]
    pub(crate) fn run(self) -> Seen {
        let mut child = self.start();
        // a program that refuses its arguments does not wait for its input
        let _ = child.stdin.take().unwrap().write_all(self.stdin.as_bytes());
        let typed = format!("stiction {}", self.arguments.join(" "));
        let seen = watch(child, typed, self.limit);
        assert!(!seen.stderr.contains("panicked"), "{}\n{}", seen.typed, seen.stderr);
        seen
    }
}

/// Waits for the end of a program, and ends it after the limit.
#[allow(clippy::disallowed_methods, reason = "a time limit needs a clock")]
pub(crate) fn watch(mut child: Child, typed: String, limit: Duration) -> Seen {
    let mut pipes = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let stdout = thread::spawn(move || text(&mut pipes.0));
    let stderr = thread::spawn(move || text(&mut pipes.1));
    let start = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if start.elapsed() > limit {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{typed}\nhas not ended within {limit:?}");
        }
        thread::sleep(Duration::from_millis(2));
    };
    Seen { typed, code, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

fn text(pipe: &mut impl Read) -> String {
    let mut bytes = Vec::new();
    pipe.read_to_end(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

impl Seen {
    /// Exit code 0.
    #[track_caller]
    pub(crate) fn succeeds(self) -> Self {
        assert_eq!(self.code, Some(0), "{}\n{}", self.typed, self.stderr);
        self
    }

    /// Refused with exit code 2, nothing on stdout, and every one of these on stderr.
    #[track_caller]
    pub(crate) fn refuses(self, told: &[&str]) -> Self {
        self.ends(2, told)
    }

    /// Failed with exit code 1, nothing on stdout, and every one of these on stderr.
    #[track_caller]
    pub(crate) fn fails(self, told: &[&str]) -> Self {
        self.ends(1, told)
    }

    #[track_caller]
    fn ends(self, code: i32, told: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.typed, self.stderr);
        assert_eq!(self.stdout, "");
        for text in told {
            assert!(self.stderr.contains(text), "{}\nno `{text}` in\n{}", self.typed, self.stderr);
        }
        self
    }

    /// stdout as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{}: {error}\n{}", self.typed, self.stdout))
    }
}

/// Name and content of every file of a folder, hidden ones too; a folder inside fails the test.
#[track_caller]
pub(crate) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// The words of a JSON list.
pub(crate) fn words(list: &Json) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

/// The names of all built-in scenarios.
pub(crate) fn names() -> Vec<String> {
    let list = stiction(&["list", "--json"]).run().succeeds().json();
    let names: Vec<String> =
        list.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect();
    assert!(names.len() > 100, "only {} scenarios", names.len());
    names
}

/// Where JSON holds null.
pub(crate) fn nulls(json: &Json) -> Vec<String> {
    fn collect(json: &Json, path: &str, found: &mut Vec<String>) {
        match json {
            Json::Null => found.push(path.to_owned()),
            Json::Array(list) => list.iter().for_each(|entry| collect(entry, &format!("{path}[]"), found)),
            Json::Object(map) => map.iter().for_each(|(key, entry)| collect(entry, &format!("{path}.{key}"), found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(json, "", &mut found);
    found
}
