//! A shard: a file with results of items that can be trusted or is known not to be.
//!
//! A line of text, the SHA-256 of all that follows, the length of a header, the header (scenario, stage, which items), and
//! the bytes of the items. A shard is written once under a temporary name, synced and renamed; it is never changed. Its
//! name has its items and a part of its hash, so that whoever writes the same items writes the same file.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ops::Range;
use stiction::analysis::campaign::Chunk;

const MAGIC: &[u8] = b"stiction items 1\n";
const HASH: usize = 32;
const LENGTH: usize = 8;

/// Which items a shard has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    /// SHA-256 of the resolved scenario, in hexadecimal.
    pub(super) scenario: String,
    /// The stage.
    pub(super) stage: String,
    /// Neighbouring items.
    pub(super) runs: Vec<RunOfItems>,
}

/// Neighbouring items of a shard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RunOfItems {
    pub(super) first: u64,
    pub(super) lengths: Vec<u32>,
    pub(super) failed: Vec<u64>,
}

impl RunOfItems {
    pub(super) fn items(&self) -> Range<u64> {
        self.first..self.first.saturating_add(self.lengths.len() as u64)
    }
}

/// A shard that was read and found whole.
#[derive(Debug)]
pub(super) struct Shard {
    pub(super) header: Header,
    /// The bytes of all items, run after run.
    bytes: Vec<u8>,
    /// Where they begin.
    start: usize,
}

/// Why bytes are no shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Damage {
    #[error("it is cut off")]
    Short,
    #[error("it is no file of items, or one of another version")]
    Kind,
    #[error("its checksum does not fit")]
    Checksum,
    #[error("its header cannot be read")]
    Header,
}

/// The name and the bytes of the shard with these chunks, which are put in order and joined where they meet.
pub(super) fn encode(scenario: &str, stage: &str, mut chunks: Vec<Chunk>) -> Option<(String, Vec<u8>)> {
    chunks.sort_by_key(|chunk| chunk.first);
    let mut joined: Vec<Chunk> = Vec::new();
    for chunk in chunks {
        match joined.last_mut() {
            Some(last) if last.end() == chunk.first => last.join(chunk),
            _ => joined.push(chunk),
        }
    }
    let (first, end) = (joined.first()?.first, joined.last()?.end());
    let mut bytes = Vec::new();
    let runs = joined.into_iter().map(|chunk| {
        bytes.extend_from_slice(&chunk.bytes);
        RunOfItems { first: chunk.first, lengths: chunk.lengths, failed: chunk.failed }
    });
    let header = Header { scenario: scenario.to_owned(), stage: stage.to_owned(), runs: runs.collect() };
    let header = postcard::to_stdvec(&header).ok()?;
    let mut file = Vec::with_capacity(MAGIC.len() + HASH + LENGTH + header.len() + bytes.len());
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&[0; HASH]);
    file.extend_from_slice(&(header.len() as u64).to_le_bytes());
    file.extend_from_slice(&header);
    file.extend_from_slice(&bytes);
    let hash = Sha256::digest(&file[MAGIC.len() + HASH..]);
    file[MAGIC.len()..MAGIC.len() + HASH].copy_from_slice(&hash);
    let short: String = hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    Some((format!("{first:012}-{end:012}-{short}.items"), file))
}

impl Shard {
    /// The shard of a file, if every byte is as it was written.
    pub(super) fn decode(file: Vec<u8>) -> Result<Self, Damage> {
        let (magic, rest) = file.split_at_checked(MAGIC.len()).ok_or(Damage::Short)?;
        if magic != MAGIC {
            return Err(Damage::Kind);
        }
        let (hash, rest) = rest.split_at_checked(HASH).ok_or(Damage::Short)?;
        if Sha256::digest(rest)[..] != *hash {
            return Err(Damage::Checksum);
        }
        let (length, rest) = rest.split_first_chunk::<LENGTH>().ok_or(Damage::Short)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| Damage::Header)?;
        let (header, bytes) = rest.split_at_checked(length).ok_or(Damage::Short)?;
        let header: Header = postcard::from_bytes(header).map_err(|_| Damage::Header)?;
        let expected: u64 = header.runs.iter().flat_map(|run| &run.lengths).map(|length| u64::from(*length)).sum();
        if expected != bytes.len() as u64 {
            return Err(Damage::Short);
        }
        let start = file.len() - bytes.len();
        Ok(Self { header, bytes: file, start })
    }

    /// Shows the items of one run that lie in the range.
    pub(super) fn show(&self, run: usize, range: &Range<u64>, found: &mut dyn FnMut(u64, &[u8])) {
        let total = |run: &RunOfItems| run.lengths.iter().map(|length| *length as usize).sum::<usize>();
        let before: usize = self.header.runs.iter().take(run).map(total).sum();
        let Some(run) = self.header.runs.get(run) else { return };
        let mut at = self.start + before;
        for (number, length) in run.items().zip(&run.lengths) {
            let end = at + *length as usize;
            if range.contains(&number)
                && let Some(bytes) = self.bytes.get(at..end)
            {
                found(number, bytes);
            }
            at = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(first: u64, values: &[f64]) -> Chunk {
        let mut chunk = Chunk::at(first);
        for value in values {
            chunk.push(value, value.is_nan()).unwrap();
        }
        chunk
    }

    fn sample() -> (String, Vec<u8>) {
        encode("abc", "realisations", vec![chunk(9, &[9.0]), chunk(2, &[2.0, f64::NAN]), chunk(4, &[4.0])]).unwrap()
    }

    #[test]
    fn items_come_back_in_order_and_runs_are_joined() {
        let (name, file) = sample();
        assert!(name.starts_with("000000000002-000000000010-") && name.ends_with(".items"), "{name}");
        let shard = Shard::decode(file).unwrap();
        assert_eq!(shard.header.runs.iter().map(RunOfItems::items).collect::<Vec<_>>(), [2..5, 9..10]);
        assert_eq!(shard.header.runs[0].failed, [3]);
        let mut seen = Vec::new();
        for run in 0..3 {
            shard.show(run, &(4..20), &mut |number, bytes| {
                seen.push((number, postcard::from_bytes::<f64>(bytes).unwrap()));
            });
        }
        assert_eq!(seen, [(4, 4.0), (9, 9.0)]);
        assert_eq!(encode("abc", "realisations", Vec::new()), None);
    }

    #[test]
    fn a_changed_byte_anywhere_and_every_cut_is_noticed() {
        let (_, file) = sample();
        for place in 0..file.len() {
            for bit in 0..8 {
                let mut changed = file.clone();
                changed[place] ^= 1 << bit;
                assert!(Shard::decode(changed).is_err(), "byte {place}, bit {bit}");
            }
            assert!(Shard::decode(file[..place].to_vec()).is_err(), "cut at {place}");
        }
        let mut longer = file.clone();
        longer.push(0);
        assert!(Shard::decode(longer).is_err());
        assert!(Shard::decode(file).is_ok());
    }
}
