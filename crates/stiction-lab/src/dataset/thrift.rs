//! Reads the compact encoding in which Parquet files describe themselves, without trusting a single number in it.

/// A decoded value. Texts, numbers with a point and flags are skipped: only counts, sizes and places are checked.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Thrift {
    Integer(i64),
    List(Vec<Thrift>),
    Struct(Vec<(i16, Thrift)>),
    Skipped,
}

/// Deepest nesting: a description of a flat table needs six levels.
const DEEPEST: usize = 12;
/// Most values: each takes some tens of bytes.
const MOST_VALUES: usize = 2_000_000;

impl Thrift {
    /// Reads the structure at the beginning of `bytes`, and how many bytes it takes; none if the bytes are not one.
    pub(super) fn structure(bytes: &[u8]) -> Option<(Self, usize)> {
        let mut reader = Reader { bytes, place: 0, values: 0 };
        let found = reader.fields(0)?;
        Some((found, reader.place))
    }

    /// The field of a structure.
    pub(super) fn field(&self, id: i16) -> Option<&Thrift> {
        match self {
            Thrift::Struct(fields) => fields.iter().find(|(known, _)| *known == id).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The whole number in a field of a structure.
    pub(super) fn integer(&self, id: i16) -> Option<i64> {
        match self.field(id) {
            Some(Thrift::Integer(number)) => Some(*number),
            _ => None,
        }
    }

    /// The list in a field of a structure; empty if there is none.
    pub(super) fn list(&self, id: i16) -> &[Thrift] {
        match self.field(id) {
            Some(Thrift::List(list)) => list,
            _ => &[],
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    place: usize,
    values: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.place)?;
        self.place += 1;
        Some(byte)
    }

    fn skip(&mut self, count: usize) -> Option<Thrift> {
        self.place = self.place.checked_add(count).filter(|place| *place <= self.bytes.len())?;
        Some(Thrift::Skipped)
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// A number in zigzag order: 0, −1, 1, −2, …
    fn signed(&mut self) -> Option<i64> {
        let value = self.unsigned()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    fn fields(&mut self, depth: usize) -> Option<Thrift> {
        let mut fields = Vec::new();
        let mut id = 0_i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(Thrift::Struct(fields));
            }
            id = match head >> 4 {
                0 => i16::try_from(self.signed()?).ok()?,
                delta => id.checked_add(i16::from(delta))?,
            };
            let kind = head & 0x0f;
            // a flag of a structure is in its type
            let value = if kind <= 2 { Thrift::Skipped } else { self.value(kind, depth + 1)? };
            fields.push((id, value));
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<Thrift> {
        self.values += 1;
        if depth > DEEPEST || self.values > MOST_VALUES {
            return None;
        }
        match kind {
            1..=3 => self.skip(1),
            4..=6 => self.signed().map(Thrift::Integer),
            7 => self.skip(8),
            8 => {
                let length = usize::try_from(self.unsigned()?).ok()?;
                self.skip(length)
            }
            9 | 10 => self.list(depth),
            12 => self.fields(depth),
            // Parquet has no maps
            _ => None,
        }
    }

    fn list(&mut self, depth: usize) -> Option<Thrift> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => usize::try_from(self.unsigned()?).ok()?,
            count => usize::from(count),
        };
        // every entry takes at least a byte
        if count > self.bytes.len().saturating_sub(self.place) {
            return None;
        }
        (0..count).map(|_| self.value(head & 0x0f, depth + 1)).collect::<Option<Vec<_>>>().map(Thrift::List)
    }
}
