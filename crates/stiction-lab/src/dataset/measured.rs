//! Measured maps that a person brings: friction coefficients over a surface, read from CSV or Parquet.
//!
//! Two layouts: columns `x`, `y` \[m\] and `coefficient`, one row a point, in any order; or, in CSV without a header, the
//! plain rows of a grid, from the largest y down to the smallest, as one would look at it. Whether the points make a regular
//! grid without gaps is checked by whoever builds the field.

use super::parquet_check::decode_parquet;
use super::rows::Rows;
use crate::files::open;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::fs::File;
use std::path::{Path, PathBuf};
use stiction::analysis::Progress;
use stiction::memory::shown;

/// The columns of a map with one row for each point.
const COLUMNS: [&str; 3] = ["x", "y", "coefficient"];
/// Bytes of a point while a map is read and made a grid: its place and value, the place once more in order, the value.
const POINT_BYTES: u64 = 40;
/// Points that are counted, and lines that are told, together.
const TOGETHER: u64 = 4096;

/// What a file holds.
#[derive(Debug, Clone, PartialEq)]
pub enum MeasuredMap {
    /// One point after the other.
    Points {
        /// Places along x \[m\].
        x: Vec<f64>,
        /// Places along y \[m\].
        y: Vec<f64>,
        /// Coefficients [-].
        coefficient: Vec<f64>,
    },
    /// Rows of a grid, from the largest y to the smallest; all have the same length.
    Rows(Vec<Vec<f64>>),
}

/// Why a map cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct MapError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
    /// Whether it does not fit into the memory.
    pub full: bool,
}

/// Counts the points of a map against the memory, and tells how much of the file was read.
struct Counted<'p> {
    progress: &'p dyn Progress,
    points: u64,
    /// Megabytes of the file that were told.
    told: u64,
}

/// Why reading ended.
enum Ended {
    /// What is wrong with the file.
    Wrong(String),
    /// The memory is full.
    Full,
    /// The user asked to stop.
    Cancelled,
}

impl From<String> for Ended {
    fn from(reason: String) -> Self {
        Ended::Wrong(reason)
    }
}

impl Counted<'_> {
    /// So many more points, up to this byte of the file.
    fn count(&mut self, points: u64, byte: u64) -> Result<(), Ended> {
        let before = self.points / TOGETHER;
        self.points += points;
        let blocks = self.points / TOGETHER - before;
        if blocks == 0 {
            return Ok(());
        }
        let read = byte >> 20;
        self.progress.advance(read.saturating_sub(self.told));
        self.told = self.told.max(read);
        if self.progress.cancelled() {
            return Err(Ended::Cancelled);
        }
        if self.progress.memory().keep(blocks * TOGETHER * POINT_BYTES) { Ok(()) } else { Err(Ended::Full) }
    }
}

/// Reads a map; a file that ends in `.parquet` is Parquet, every other one is CSV. `progress` hears the megabytes of the file.
///
/// # Errors
/// [`MapError`] names the file, and the line or row that cannot be read; or that the map does not fit into the memory.
pub fn read_map(path: &Path, progress: &dyn Progress) -> Result<MeasuredMap, MapError> {
    let wrong = |reason: String, full: bool| MapError { path: path.to_owned(), reason, full };
    let file = open(path).map_err(|error| wrong(format!("cannot be opened: {error}"), false))?;
    let parquet = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"));
    let mut counted = Counted { progress, points: 0, told: 0 };
    let megabytes = file.metadata().map_or(0, |about| about.len() >> 20);
    if megabytes > 0 {
        progress.begin("megabytes of the map", megabytes);
    }
    let read = if parquet {
        let mut ended = None;
        let read = decode_parquet(file, |reader| match from_parquet(reader, &mut counted) {
            Ok(map) => Ok(map),
            Err(Ended::Wrong(reason)) => Err(reason),
            Err(other) => {
                ended = Some(other);
                Err(String::new())
            }
        });
        read.map_err(|reason| ended.unwrap_or(Ended::Wrong(reason)))
    } else {
        from_csv(file, &mut counted)
    };
    read.map_err(|ended| match ended {
        Ended::Wrong(reason) => wrong(reason, false),
        Ended::Cancelled => wrong("was not read to its end".to_owned(), false),
        Ended::Full => {
            let limit = shown(progress.memory().limit() as f64);
            let message =
                format!("its first {} points fill `memory`, {limit}: thin it out, or raise `memory`", counted.points);
            wrong(message, true)
        }
    })
}

fn from_csv(file: impl std::io::Read, counted: &mut Counted<'_>) -> Result<MeasuredMap, Ended> {
    let mut format = csv::ReaderBuilder::new();
    format.has_headers(false).comment(Some(b'#')).trim(csv::Trim::All);
    let mut rows = Rows::of(file, &format);
    let mut record = csv::StringRecord::new();
    let mut next = |record: &mut csv::StringRecord| rows.read(record);
    if !next(&mut record)? {
        return Err("is empty".to_owned().into());
    }
    if record.iter().all(|cell| cell.parse::<f64>().is_ok()) {
        let mut rows = Vec::new();
        loop {
            let row = (0..record.len()).map(|place| number(&record, place)).collect::<Result<Vec<f64>, String>>()?;
            counted.count(row.len() as u64, record.position().map_or(0, csv::Position::byte))?;
            rows.push(row);
            if !next(&mut record)? {
                return Ok(MeasuredMap::Rows(rows));
            }
        }
    }
    let header: Vec<String> = record.iter().map(str::to_owned).collect();
    let places = places(&header)?;
    let mut found: [Vec<f64>; 3] = Default::default();
    while next(&mut record)? {
        for (column, place) in found.iter_mut().zip(places) {
            column.push(number(&record, place)?);
        }
        counted.count(1, record.position().map_or(0, csv::Position::byte))?;
    }
    Ok(points(found))
}

/// The number in this place of a line.
fn number(record: &csv::StringRecord, place: usize) -> Result<f64, String> {
    let cell = record.get(place).unwrap_or("");
    let value: Option<f64> = cell.parse().ok().filter(|value: &f64| value.is_finite());
    value.ok_or_else(|| {
        let line = record.position().map_or(0, csv::Position::line);
        format!("line {line}, cell {}: `{cell}` is not a finite number", place + 1)
    })
}

/// Where the columns of a map stand in a header.
fn places(header: &[String]) -> Result<[usize; 3], String> {
    let mut found = [0; 3];
    for (place, name) in found.iter_mut().zip(COLUMNS) {
        let at = header.iter().position(|column| column == name);
        *place = at.ok_or_else(|| {
            format!(
                "has no column `{name}`: a map has the columns {}; found: {}",
                COLUMNS.join(", "),
                header.join(", ")
            )
        })?;
    }
    Ok(found)
}

fn from_parquet(reader: &SerializedFileReader<File>, counted: &mut Counted<'_>) -> Result<MeasuredMap, Ended> {
    let schema = reader.metadata().file_metadata().schema();
    let header: Vec<String> = schema.get_fields().iter().map(|field| field.name().to_owned()).collect();
    let places = places(&header)?;
    let mut found: [Vec<f64>; 3] = Default::default();
    let about = reader.metadata();
    let all = u64::try_from(about.file_metadata().num_rows()).unwrap_or(0).max(1);
    let size = about.row_groups().iter().map(|group| u64::try_from(group.compressed_size()).unwrap_or(0)).sum::<u64>();
    let rows = reader.get_row_iter(None).map_err(|error| error.to_string())?;
    for (number, row) in rows.enumerate() {
        let row = row.map_err(|error| format!("row {}: {error}", number + 1))?;
        let cells: Vec<&Field> = row.get_column_iter().map(|(_, cell)| cell).collect();
        for ((column, place), name) in found.iter_mut().zip(places).zip(COLUMNS) {
            let value = cells.get(place).and_then(|cell| as_number(cell)).filter(|value| value.is_finite());
            column.push(value.ok_or_else(|| format!("row {}: `{name}` is not a finite number", number + 1))?);
        }
        counted.count(1, (number as u64).saturating_mul(size) / all)?;
    }
    Ok(points(found))
}

fn as_number(field: &Field) -> Option<f64> {
    match *field {
        Field::Double(value) => Some(value),
        Field::Float(value) => Some(f64::from(value)),
        Field::Int(value) => Some(f64::from(value)),
        Field::Long(value) => Some(value as f64),
        _ => None,
    }
}

fn points([x, y, coefficient]: [Vec<f64>; 3]) -> MeasuredMap {
    MeasuredMap::Points { x, y, coefficient }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Table, parquet_bytes};
    use stiction::analysis::Silent;

    fn read(name: &str, bytes: &[u8]) -> Result<MeasuredMap, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        read_map(&path, &Silent).map_err(|error| error.reason)
    }

    #[test]
    fn columns_are_found_by_name_in_csv_and_parquet() {
        let expected = MeasuredMap::Points { x: vec![0.0, 1.0], y: vec![2.0, 2.0], coefficient: vec![0.5, 0.25] };
        let text = "# a comment\ncoefficient, x, y\n0.5, 0, 2\n0.25, 1, 2e0\n";
        assert_eq!(read("map.csv", text.as_bytes()), Ok(expected.clone()));
        let table = Table::new("map", "")
            .numbers("x", "m", "x", vec![0.0, 1.0])
            .numbers("y", "m", "y", vec![2.0, 2.0])
            .numbers("coefficient", "", "H", vec![0.5, 0.25]);
        assert_eq!(read("map.parquet", &parquet_bytes(&table, &[]).unwrap()), Ok(expected));
    }

    #[test]
    fn rows_without_a_header_are_a_grid() {
        assert_eq!(
            read("map.txt", b"0.5, 0.6\n0.7, 0.8\n"),
            Ok(MeasuredMap::Rows(vec![vec![0.5, 0.6], vec![0.7, 0.8]]))
        );
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_place() {
        for (text, part) in [
            ("", "is empty"),
            ("x,y\n1,2\n", "no column `coefficient`"),
            ("x,y,coefficient\n0,0,0.5\n0,1,much\n", "line 3, cell 3: `much`"),
            ("x,y,coefficient\n0,0,NaN\n", "line 2, cell 3: `NaN`"),
            ("0.5,0.6\n0.5,inf\n", "line 2, cell 2: `inf`"),
            ("0.5,0.6\n0.5\n", "2 fields"),
        ] {
            let reason = read("map.csv", text.as_bytes()).unwrap_err();
            assert!(reason.contains(part), "{reason}");
        }
        assert!(read("map.parquet", b"no parquet").unwrap_err().contains("is not Parquet"));
        let hole = Table::new("map", "").numbers("x", "m", "x", vec![0.0]).numbers("y", "m", "y", vec![2.0]).numbers(
            "coefficient",
            "",
            "H",
            vec![f64::NAN],
        );
        let reason = read("map.parquet", &parquet_bytes(&hole, &[]).unwrap()).unwrap_err();
        assert!(reason.contains("row 1: `coefficient`"), "{reason}");
        assert!(read_map(Path::new("no/such/file"), &Silent).unwrap_err().reason.contains("cannot be opened"));
    }
}
