//! Rows of a CSV file of strangers: none of them fills the memory, however long its line is.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// Longest row \[bytes\].
const LONGEST: u64 = 64 << 20;

/// Rows of a CSV file; the first one may be a header.
pub(super) struct Rows<R> {
    reader: csv::Reader<Metered<R>>,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Rows<R> {
    pub(super) fn of(file: R, format: &csv::ReaderBuilder) -> Self {
        let left = Rc::new(Cell::new(LONGEST));
        let metered = Metered { file, left: Rc::clone(&left) };
        Self { reader: format.from_reader(metered), left }
    }

    /// Reads the next row into `record`; false at the end.
    pub(super) fn read(&mut self, record: &mut csv::StringRecord) -> Result<bool, String> {
        self.left.set(LONGEST);
        self.reader.read_record(record).map_err(|error| error.to_string())
    }
}

impl<R: Read> Iterator for Rows<R> {
    type Item = Result<csv::StringRecord, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut record = csv::StringRecord::new();
        self.read(&mut record).map(|found| found.then_some(record)).transpose()
    }
}

/// A file that ends with an error when too much of it is read at once.
struct Metered<R> {
    file: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        let left = self.left.get().checked_sub(read as u64);
        let longer =
            || io::Error::new(io::ErrorKind::InvalidData, format!("a row is longer than {} MiB", LONGEST >> 20));
        self.left.set(left.ok_or_else(longer)?);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_row_is_refused_and_many_rows_are_not() {
        let mut format = csv::ReaderBuilder::new();
        format.has_headers(false);
        for endless in [io::repeat(0), io::repeat(b'7')] {
            let error = Rows::of(endless, &format).next().unwrap().unwrap_err();
            assert!(error.contains("longer than 64 MiB"), "{error}");
        }
        // a quotation mark keeps the ends of lines inside of one cell
        let quoted = b"\"".chain(io::repeat(b'\n'));
        assert!(Rows::of(quoted, &format).next().unwrap().is_err());
        let line: Vec<u8> = [b"1,".repeat(50_000), b"2\n".to_vec()].concat();
        let many = io::Cursor::new(line.repeat(1000));
        assert_eq!(Rows::of(many, &format).map(Result::unwrap).count(), 1000);
    }
}
