//! The book in `docs/`: every command of it is run, in the order of its chapter, and prints what the chapter says.

use crate::support::stiction;
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// Chapters that the table of contents names.
fn chapters() -> Vec<String> {
    let summary = fs::read_to_string(docs().join("SUMMARY.md")).expect("a table of contents");
    let named = summary.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    named.map(|(file, _)| file.to_owned()).collect()
}

/// A fenced block: its language, what else stands behind the fence, and its text.
struct Block {
    language: String,
    file: String,
    text: String,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (index, part) in text.split("```").enumerate() {
        let (head, body) = part.split_once('\n').unwrap_or((part, ""));
        if index % 2 == 1 {
            let mut words = head.split_whitespace();
            let mut word = || words.next().unwrap_or_default().to_owned();
            blocks.push(Block { language: word(), file: word(), text: body.to_owned() });
        }
    }
    blocks
}

/// Splits a command at spaces outside single quotes, up to a comment.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut any) = (Vec::new(), String::new(), false, false);
    for sign in line.chars() {
        match sign {
            '\'' => (quoted, any) = (!quoted, true),
            '#' if !quoted && word.is_empty() => break,
            ' ' if !quoted => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            sign => word.push(sign),
        }
    }
    if any || !word.is_empty() {
        words.push(word);
    }
    words
}

fn follow(chapter: &str) -> usize {
    let text = fs::read_to_string(docs().join(chapter)).unwrap_or_else(|error| panic!("{chapter}: {error}"));
    let folder = tempfile::tempdir().expect("a folder");
    let (mut printed, mut count) = (String::new(), 0);
    for block in blocks(&text) {
        match block.language.as_str() {
            "toml" | "csv" => {
                assert!(
                    !block.file.is_empty(),
                    "{chapter}: a block of {} without the name of its file",
                    block.language
                );
                fs::write(folder.path().join(&block.file), &block.text).expect("a file");
            }
            "sh" => {
                for line in block.text.lines().filter(|line| line.starts_with("stiction ")) {
                    let words = words(line);
                    let to = words.iter().position(|word| word == ">");
                    let typed: Vec<&str> = words[1..to.unwrap_or(words.len())].iter().map(String::as_str).collect();
                    printed = stiction(&typed).inside(folder.path()).run().succeeds().stdout;
                    if let Some(file) = to.and_then(|to| words.get(to + 1)) {
                        fs::write(folder.path().join(file), &printed).expect("a file");
                    }
                    count += 1;
                }
            }
            // what a command prints, unless it is a drawing or a formula
            "text" if count > 0 => {
                for line in block.text.lines().filter(|line| !line.trim().is_empty()) {
                    assert!(printed.contains(line.trim()), "{chapter}: `{line}` is not in\n{printed}");
                }
            }
            _ => {}
        }
    }
    count
}

#[test]
fn every_command_of_the_book_works_and_prints_what_is_written() {
    let count: usize = chapters().iter().map(|chapter| follow(chapter)).sum();
    assert!(count >= 25, "{count} commands");
}

#[test]
fn every_chapter_is_in_the_table_of_contents_and_every_link_leads_somewhere() {
    let (listed, mut links) = (chapters(), 0);
    for entry in fs::read_dir(docs()).expect("a folder") {
        let name = entry.expect("a file").file_name().to_string_lossy().into_owned();
        if !name.ends_with(".md") || name == "SUMMARY.md" {
            continue;
        }
        assert!(listed.contains(&name), "{name} is not in SUMMARY.md");
        let text = fs::read_to_string(docs().join(&name)).expect("a chapter");
        for (target, _) in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')) {
            let path = target.split('#').next().unwrap_or(target);
            assert!(path.contains("://") || docs().join(path).exists(), "{name}: {target}");
            links += 1;
        }
    }
    assert!(listed.len() > 10 && links > 5, "{} chapters, {links} links", listed.len());
}
