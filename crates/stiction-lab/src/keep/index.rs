//! Which items are kept, and in which shard.

use super::shard::{Damage, Shard};
use crate::files;
use rayon::prelude::*;
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The shards of a folder, every one of them verified.
#[derive(Debug, Default)]
pub(super) struct Index {
    shards: Vec<PathBuf>,
    /// Of each stage: first item, shard and run in it → number of items.
    stages: BTreeMap<String, Stage>,
    /// Shards that were read a moment ago.
    recent: VecDeque<(usize, Arc<Shard>)>,
    /// Files that are no shards of this scenario, and why.
    pub(super) damaged: Vec<(PathBuf, String)>,
}

#[derive(Debug, Default)]
struct Stage {
    runs: BTreeMap<(u64, usize, usize), u64>,
    longest: u64,
    failed: Vec<u64>,
}

/// Shards that are held in memory.
const RECENT: usize = 8;

impl Index {
    /// Reads and verifies all shards of a folder that belong to a scenario.
    pub(super) fn of(folder: &Path, scenario: &str) -> std::io::Result<Self> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == "items") {
                paths.push(path);
            }
        }
        paths.sort();
        let read = |path: &PathBuf| -> Result<_, String> {
            let shard = read(path)?;
            if shard.header.scenario == scenario {
                Ok(shard.header)
            } else {
                Err("it belongs to another scenario".to_owned())
            }
        };
        let mut index = Self::default();
        // a few at a time: memory stays flat
        for some in paths.chunks(4 * rayon::current_num_threads()) {
            let headers: Vec<_> = some.par_iter().map(read).collect();
            for (path, header) in some.iter().zip(headers) {
                let header = match header {
                    Ok(header) => header,
                    Err(reason) => {
                        index.damaged.push((path.clone(), reason));
                        continue;
                    }
                };
                let number = index.shards.len();
                index.shards.push(path.clone());
                let stage = index.stages.entry(header.stage).or_default();
                for (place, run) in header.runs.into_iter().enumerate() {
                    let items = run.lengths.len() as u64;
                    stage.longest = stage.longest.max(items);
                    stage.runs.insert((run.first, number, place), items);
                    stage.failed.extend(run.failed);
                }
            }
        }
        for stage in index.stages.values_mut() {
            stage.failed.sort_unstable();
            stage.failed.dedup();
        }
        Ok(index)
    }

    /// The stages of which something is kept.
    pub(super) fn stages(&self) -> impl Iterator<Item = &str> {
        self.stages.keys().map(String::as_str)
    }

    /// The items of a stage that are kept, as ranges that do not touch.
    pub(super) fn ranges(&self, stage: &str) -> Vec<Range<u64>> {
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for ((first, ..), items) in self.stages.get(stage).into_iter().flat_map(|stage| &stage.runs) {
            let end = first.saturating_add(*items);
            match ranges.last_mut() {
                Some(last) if *first <= last.end => last.end = last.end.max(end),
                _ => ranges.push(*first..end),
            }
        }
        ranges
    }

    /// Numbers of the kept items that failed.
    pub(super) fn failed(&self, stage: &str) -> &[u64] {
        self.stages.get(stage).map_or(&[], |stage| &stage.failed)
    }

    /// Shows every kept item of the range, some perhaps twice.
    pub(super) fn show(
        &mut self,
        stage: &str,
        range: &Range<u64>,
        found: &mut dyn FnMut(u64, &[u8]),
    ) -> Result<(), (PathBuf, String)> {
        let Some(known) = self.stages.get(stage) else { return Ok(()) };
        let from = (range.start.saturating_sub(known.longest), 0, 0);
        let runs: Vec<(usize, usize)> = known
            .runs
            .range(from..(range.end, 0, 0))
            .filter(|((first, ..), items)| first.saturating_add(**items) > range.start)
            .map(|((_, shard, run), _)| (*shard, *run))
            .collect();
        for (number, run) in runs {
            self.shard(number)?.show(run, range, found);
        }
        Ok(())
    }

    fn shard(&mut self, number: usize) -> Result<Arc<Shard>, (PathBuf, String)> {
        if let Some((_, shard)) = self.recent.iter().find(|(known, _)| *known == number) {
            return Ok(Arc::clone(shard));
        }
        let path = self.shards.get(number).cloned().unwrap_or_default();
        let shard = Arc::new(read(&path).map_err(|reason| (path, reason))?);
        if self.recent.len() >= RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((number, Arc::clone(&shard)));
        Ok(shard)
    }
}

/// Largest shard \[bytes\]: some megabytes wait at most, and the item that made them too many.
const LARGEST: u64 = 256 << 20;

fn read(path: &Path) -> Result<Shard, String> {
    let bytes = files::read(path, LARGEST).map_err(|error| format!("it {error}"))?;
    Shard::decode(bytes).map_err(|damage: Damage| damage.to_string())
}

/// What is missing of `whole` between ranges that are sorted and do not touch.
pub(super) fn missing(whole: Range<u64>, kept: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut gaps = Vec::new();
    let mut at = whole.start;
    for range in kept {
        if range.start > at && at < whole.end {
            gaps.push(at..range.start.min(whole.end));
        }
        at = at.max(range.end);
    }
    if at < whole.end {
        gaps.push(at..whole.end);
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_what_is_left() {
        assert_eq!(missing(0..10, &[]), vec![0..10; 1]);
        assert_eq!(missing(2..10, &[0..3, 5..6, 8..20]), [3..5, 6..8]);
        assert_eq!(missing(0..4, &vec![0..4; 1]), []);
        assert_eq!(missing(0..4, &vec![6..9; 1]), vec![0..4; 1]);
    }
}
