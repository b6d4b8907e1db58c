//! Small campaigns, chance, and what is left of them.

#![allow(dead_code, reason = "every test uses a part of this")]

use super::contents;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A block with a random coefficient, as a campaign of points and realisations. One item takes some milliseconds for each unit
/// of `size`.
pub(crate) fn scenario(realisations: usize, points: usize, size: usize) -> String {
    let speeds: Vec<String> = (0..points).map(|point| format!("{:?}", (5 + 10 * point) as f64 / 100.0)).collect();
    format!(
        r#"
title = "Attractors under uncertain friction"
[system.spring_block]
mass = 40.0
stiffness = 1.0
drive_speed = 0.15
normal_load = 1.0
[system.spring_block.law.two_slope]
static_coefficient = 1.0
low_speed_slope = 3.0
high_speed_slope = 0.1
crossover_speed = 0.2
crossover_width = 0.05
[study.attractors]
duration = {}
[campaign]
realisations = {realisations}
[[campaign.random]]
key = "system.spring_block.law.two_slope.static_coefficient"
distribution.lognormal = {{ mean = 1.0, standard_deviation = 0.25 }}
[[campaign.vary]]
key = "system.spring_block.drive_speed"
values = [{}]
"#,
        500.0 * size as f64,
        speeds.join(", ")
    )
}

/// Writes a scenario into a folder and gives its path.
pub(crate) fn written(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("study.toml");
    fs::write(&path, text).unwrap();
    path
}

/// Numbers without a pattern that are the same in every run.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1))
    }

    /// A whole number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % end.max(1)
    }

    /// A number between 0 and 1.
    pub(crate) fn share(&mut self) -> f64 {
        self.below(1 << 40) as f64 / (1_u64 << 40) as f64
    }
}

/// The shards of unfinished work.
pub(crate) fn shards(results: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(results.join(".campaign/items")) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "items")).collect();
    paths.sort();
    paths
}

/// The results of two folders have the same bytes.
#[track_caller]
pub(crate) fn same(expected: &BTreeMap<String, Vec<u8>>, folder: &Path) {
    let found = contents(folder);
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(expected), names(&found));
    for (name, bytes) in expected {
        assert!(found.get(name) == Some(bytes), "{name} differs in {}", folder.display());
    }
}
