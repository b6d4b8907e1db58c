//! Results of neighbouring items as bytes.

use serde::Serialize;

/// Results of consecutive items, each as bytes, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chunk {
    /// Number of the first item.
    pub first: u64,
    /// Number of bytes of each item.
    pub lengths: Vec<u32>,
    /// Numbers of those items that failed, ascending.
    pub failed: Vec<u64>,
    /// The bytes of all items.
    pub bytes: Vec<u8>,
}

impl Chunk {
    /// A chunk that begins with item `first` and has no item yet.
    pub fn at(first: u64) -> Self {
        Self { first, ..Self::default() }
    }

    /// Number of items.
    pub fn items(&self) -> u64 {
        self.lengths.len() as u64
    }

    /// Number of the item behind the last one.
    pub fn end(&self) -> u64 {
        self.first.saturating_add(self.items())
    }

    /// Adds the next item; `None`, and nothing is added, if its result has no bytes (a map with keys that are no words, for
    /// instance) or four gigabytes of them.
    pub fn push<T: Serialize>(&mut self, result: &T, failed: bool) -> Option<()> {
        let before = self.bytes.len();
        match postcard::to_extend(result, Appended(&mut self.bytes)) {
            Ok(_) => {}
            Err(_) => {
                self.bytes.truncate(before);
                return None;
            }
        }
        let Ok(length) = u32::try_from(self.bytes.len() - before) else {
            self.bytes.truncate(before);
            return None;
        };
        if failed {
            self.failed.push(self.end());
        }
        self.lengths.push(length);
        Some(())
    }

    /// Puts the items of `next`, which begins where this ends, behind those of this.
    pub fn join(&mut self, next: Chunk) {
        self.lengths.extend(next.lengths);
        self.failed.extend(next.failed);
        self.bytes.extend(next.bytes);
    }
}

/// About how many bytes a result takes: those of its own form, and those that it takes as bytes.
pub fn weight<T: Serialize>(result: &T) -> u64 {
    let mut counted = Counted(0);
    // a result without bytes is refused where it is kept
    let _ = postcard::to_extend(result, &mut counted);
    counted.0 + size_of::<T>() as u64
}

/// Counts bytes and forgets them.
struct Counted(u64);

impl Extend<u8> for &mut Counted {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
        self.0 += bytes.into_iter().count() as u64;
    }
}

/// Appends to a vector that is somebody else's.
struct Appended<'a>(&'a mut Vec<u8>);

impl Extend<u8> for Appended<'_> {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
        self.0.extend(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_read_back_one_by_one() {
        let mut chunk = Chunk::at(7);
        chunk.push(&(1.5_f64, "a".to_owned()), false).unwrap();
        chunk.push(&(f64::NAN, "long".to_owned()), true).unwrap();
        let mut next = Chunk::at(9);
        next.push(&(-0.0_f64, String::new()), false).unwrap();
        chunk.join(next);
        assert_eq!((chunk.items(), chunk.end(), chunk.failed.as_slice()), (3, 10, &[8][..]));
        let mut rest = chunk.bytes.as_slice();
        let mut read = Vec::new();
        for length in &chunk.lengths {
            let (item, behind) = rest.split_at(*length as usize);
            read.push(postcard::from_bytes::<(f64, String)>(item).unwrap());
            rest = behind;
        }
        assert!(rest.is_empty());
        assert_eq!((read[0].0, read[2].0.to_bits()), (1.5, (-0.0_f64).to_bits()));
        assert!(read[1].0.is_nan() && read[1].1 == "long");
        assert_eq!(weight(&vec![1.0_f64; 1000]), 8000 + 2 + 24);
    }
}
