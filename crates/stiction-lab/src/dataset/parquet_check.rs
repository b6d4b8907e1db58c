//! Whether a Parquet file can be decoded within the memory: every count, size and place that it states is checked before
//! anything is allocated or decoded, because the decoder trusts them.

use super::thrift::Thrift;
use parquet::file::reader::SerializedFileReader;
use std::cell::Cell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// Most bytes that the decoded columns may take.
const MOST_BYTES: i64 = 2 << 30;
/// Largest description of a file \[bytes\].
const LARGEST_DESCRIPTION: i64 = 256 << 20;
/// Longest head of a page \[bytes\]; statistics in it may hold texts.
const LONGEST_HEAD: i64 = 64 << 10;
/// The mark at both ends of a file.
const MARK: &[u8; 4] = b"PAR1";

/// Decodes a Parquet file of strangers: a flat table whose description is consistent and that fits into the memory.
///
/// # Errors
/// What is wrong with it, in words; also what `decode` says.
pub(super) fn decode_parquet<T>(
    mut file: File,
    decode: impl FnOnce(&SerializedFileReader<File>) -> Result<T, String>,
) -> Result<T, String> {
    check(&mut file)?;
    unless_it_panics(|| {
        let reader = SerializedFileReader::new(file).map_err(|error| format!("is not Parquet: {error}"))?;
        decode(&reader)
    })
}

thread_local! {
    /// Whether this thread decodes: a panic is then an answer, and is not printed.
    static DECODES: Cell<bool> = const { Cell::new(false) };
}

/// Calls the decoder, which panics where the bytes of a page are not what its head states.
fn unless_it_panics<T>(decode: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !DECODES.get() {
                before(panic);
            }
        }));
    });
    DECODES.set(true);
    // nothing that the decoder touched is used after a panic
    let decoded = panic::catch_unwind(AssertUnwindSafe(decode));
    DECODES.set(false);
    decoded.unwrap_or_else(|_| Err("is damaged: a page cannot be decoded".to_owned()))
}

fn check(file: &mut File) -> Result<(), String> {
    let damaged = || "is not Parquet, or damaged: its description does not fit its content".to_owned();
    let size = file.metadata().map_err(|error| error.to_string())?.len();
    let size = i64::try_from(size).map_err(|_| damaged())?;
    let tail = bytes(file, size - 8, 8).filter(|tail| tail.ends_with(MARK)).ok_or_else(damaged)?;
    let length = tail.first_chunk::<4>().map(|four| i64::from(u32::from_le_bytes(*four)));
    let length = length.filter(|length| *length <= size - 12 && *length <= LARGEST_DESCRIPTION).ok_or_else(damaged)?;
    let description = bytes(file, size - 8 - length, length).ok_or_else(damaged)?;
    let (description, _) = Thrift::structure(&description).ok_or_else(damaged)?;
    let columns = flat_columns(description.list(2))?;
    let rows = description.integer(3).filter(|rows| *rows >= 0).ok_or_else(damaged)?;
    let needed = rows.checked_mul(8).and_then(|bytes| bytes.checked_mul(columns.max(1)));
    if needed.is_none_or(|needed| needed > MOST_BYTES) {
        let limit = MOST_BYTES >> 20;
        return Err(format!("has {rows} rows of {columns} columns, which need more than {limit} MiB"));
    }
    let mut counted = 0_i64;
    for group in description.list(4) {
        let rows_of_group = group.integer(3).filter(|rows| *rows >= 0).ok_or_else(damaged)?;
        counted = counted.checked_add(rows_of_group).ok_or_else(damaged)?;
        if group.list(1).len() as i64 != columns {
            return Err(damaged());
        }
        for chunk in group.list(1) {
            check_chunk(file, chunk, rows_of_group, size - 8 - length).ok_or_else(damaged)?;
        }
    }
    if counted == rows { Ok(()) } else { Err(damaged()) }
}

/// The number of columns of a schema, which must be a group of plain columns.
fn flat_columns(schema: &[Thrift]) -> Result<i64, String> {
    let nested = || "has nested columns: a table has plain ones".to_owned();
    let Some((root, columns)) = schema.split_first() else { return Err(nested()) };
    // a column has a type and no children; 2 in field 3 marks one that repeats
    let plain = |column: &Thrift| {
        column.integer(1).is_some() && column.integer(5).unwrap_or(0) == 0 && column.integer(3) != Some(2)
    };
    let count = columns.len() as i64;
    if root.integer(5) == Some(count) && columns.iter().all(plain) { Ok(count) } else { Err(nested()) }
}

/// Checks where the pages of a column lie and what they state; `end` is where the description begins.
fn check_chunk(file: &mut File, chunk: &Thrift, rows: i64, end: i64) -> Option<()> {
    let about = chunk.field(3)?;
    let [values, unpacked, packed, data] = [5, 6, 7, 9].map(|id| about.integer(id));
    let (unpacked, packed, data) = (unpacked?, packed?, data?);
    let start = about.integer(11).filter(|place| *place > 0).unwrap_or(data);
    let inside = |place: i64| (4..=end).contains(&place);
    // the compression that is read makes a text at most 22 times shorter
    let sizes_fit = (0..=end).contains(&packed) && (0..=32 * packed + 4096).contains(&unpacked);
    let stop = start.checked_add(packed)?;
    if values? != rows || !sizes_fit || !inside(start) || !(start..=stop).contains(&data) || stop > end {
        return None;
    }
    let (mut place, mut total, mut seen) = (start, 0_i64, 0_i64);
    while place < stop {
        let head = bytes(file, place, LONGEST_HEAD.min(stop - place))?;
        let (head, length) = Thrift::structure(&head)?;
        let page = head.integer(2)?;
        let body = head.integer(3).filter(|body| *body >= 0)?;
        total = total.checked_add(page).filter(|total| page >= 0 && *total <= unpacked)?;
        // values of a page of data, of the first or the second kind; those of a dictionary are beside the rows
        let of_data = [5, 8].iter().find_map(|id| head.field(*id)).map(|data| data.integer(1));
        if let Some(count) = of_data {
            seen = seen.checked_add(count?).filter(|seen| *seen <= rows && count.is_some_and(|count| count >= 0))?;
        }
        let dictionary = head.field(7).map_or(Some(0), |dictionary| dictionary.integer(1))?;
        if !(0..=page).contains(&dictionary) {
            return None;
        }
        place = place.checked_add(i64::try_from(length).ok()?)?.checked_add(body)?;
    }
    (place == stop && seen == rows).then_some(())
}

/// Bytes of a file; none if it has fewer.
fn bytes(file: &mut File, place: i64, count: i64) -> Option<Vec<u8>> {
    let (place, count) = (u64::try_from(place).ok()?, u64::try_from(count).ok()?);
    file.seek(SeekFrom::Start(place)).ok()?;
    let mut found = Vec::new();
    Read::by_ref(file).take(count).read_to_end(&mut found).ok()?;
    (found.len() as u64 == count).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Table, parquet_bytes};
    use parquet::file::reader::FileReader;
    use std::io::Write;

    fn file_of(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    fn sample() -> Vec<u8> {
        let words = (0..50).map(|k| format!("word {}", k % 3)).collect();
        let table = Table::new("map", "")
            .numbers("x", "m", "x", (0..50).map(|k| f64::from(k) * 0.1).collect())
            .integers("count", "count", (0..50).collect())
            .words("kind", "kind", words);
        parquet_bytes(&table, &[("seed".to_owned(), "7".to_owned())]).unwrap()
    }

    /// Decodes everything; whether the file was accepted.
    fn decode(bytes: &[u8]) -> bool {
        let rows = |reader: &SerializedFileReader<File>| {
            let rows = reader.get_row_iter(None).map_err(|error| error.to_string())?;
            Ok(rows.take_while(Result::is_ok).count())
        };
        decode_parquet(file_of(bytes), rows).is_ok()
    }

    #[test]
    fn whatever_byte_is_changed_the_file_is_refused_or_decoded() {
        let sample = sample();
        assert!(decode(&sample));
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..1500 {
            let mut mutant = sample.clone();
            for _ in 0..=random(3) {
                let place = random(mutant.len());
                mutant[place] = [0x00, 0xff, 0x7f, 0x80, random(256) as u8][random(5)];
            }
            decode(&mutant);
        }
        for length in (0..sample.len()).step_by(7) {
            assert!(!decode(&sample[..length]), "{length}");
        }
    }

    /// A file whose description is `description`.
    fn described(description: &[u8]) -> Vec<u8> {
        let length = u32::try_from(description.len()).unwrap().to_le_bytes();
        [MARK.as_slice(), description, &length, MARK].concat()
    }

    fn refusal(description: &[u8]) -> String {
        decode_parquet(file_of(&described(description)), |_| Ok(())).err().unwrap_or_default()
    }

    #[test]
    fn nested_schemas_and_endless_tables_are_refused_before_they_are_decoded() {
        // field 2, a list of 10 000 structures, each with one child (field 5)
        let mut nested = vec![0x29, 0xfc, 0x90, 0x4e];
        nested.extend([0x55, 0x02, 0x00].repeat(10_000));
        nested.extend([0x16, 0x00, 0x00]);
        assert!(refusal(&nested).contains("nested"));
        // a root with one plain column, and 2^40 rows
        let rows = [0x80, 0x80, 0x80, 0x80, 0x80, 0x40];
        let many = [&[0x29, 0x2c, 0x55, 0x02, 0x00, 0x15, 0x0a, 0x00, 0x16][..], &rows, &[0x00]].concat();
        assert!(refusal(&many).contains("MiB"));
    }
}
