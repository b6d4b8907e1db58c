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

/// The columns of a map with one row for each point.
const COLUMNS: [&str; 3] = ["x", "y", "coefficient"];
/// More points than this are refused: a map of that size would not fit into the memory that a field may use.
const MOST_POINTS: usize = 50_000_000;

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
}

/// Reads a map; a file that ends in `.parquet` is Parquet, every other one is CSV.
///
/// # Errors
/// [`MapError`] names the file, and the line or row that cannot be read.
pub fn read_map(path: &Path) -> Result<MeasuredMap, MapError> {
    let wrong = |reason: String| MapError { path: path.to_owned(), reason };
    let file = open(path).map_err(|error| wrong(format!("cannot be opened: {error}")))?;
    let parquet = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"));
    if parquet { decode_parquet(file, from_parquet) } else { from_csv(file) }.map_err(wrong)
}

fn from_csv(file: impl std::io::Read) -> Result<MeasuredMap, String> {
    let mut format = csv::ReaderBuilder::new();
    format.has_headers(false).comment(Some(b'#')).trim(csv::Trim::All);
    let mut records = Rows::of(file, &format);
    let first = records.next().ok_or("is empty")??;
    let line_of = |record: &csv::StringRecord| record.position().map_or(0, csv::Position::line);
    if first.iter().all(|cell| cell.parse::<f64>().is_ok()) {
        let mut rows = vec![numbers(&first, line_of(&first), 0..first.len())?];
        for record in records {
            let record = record?;
            rows.push(numbers(&record, line_of(&record), 0..record.len())?);
            if rows.len().saturating_mul(first.len()) > MOST_POINTS {
                return Err(too_many());
            }
        }
        return Ok(MeasuredMap::Rows(rows));
    }
    let header: Vec<String> = first.iter().map(str::to_owned).collect();
    let places = places(&header)?;
    let mut found: [Vec<f64>; 3] = Default::default();
    for record in records {
        let record = record?;
        let row = numbers(&record, line_of(&record), places)?;
        for (column, value) in found.iter_mut().zip(row) {
            column.push(value);
        }
        if found[0].len() > MOST_POINTS {
            return Err(too_many());
        }
    }
    Ok(points(found))
}

/// The numbers in these places of a line.
fn numbers(record: &csv::StringRecord, line: u64, places: impl IntoIterator<Item = usize>) -> Result<Vec<f64>, String> {
    let number = |place: usize| {
        let cell = record.get(place).unwrap_or("");
        let value: Option<f64> = cell.parse().ok().filter(|value: &f64| value.is_finite());
        value.ok_or_else(|| format!("line {line}, cell {}: `{cell}` is not a finite number", place + 1))
    };
    places.into_iter().map(number).collect()
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

fn from_parquet(reader: &SerializedFileReader<File>) -> Result<MeasuredMap, String> {
    let schema = reader.metadata().file_metadata().schema();
    let header: Vec<String> = schema.get_fields().iter().map(|field| field.name().to_owned()).collect();
    let places = places(&header)?;
    let mut found: [Vec<f64>; 3] = Default::default();
    let rows = reader.get_row_iter(None).map_err(|error| error.to_string())?;
    for (number, row) in rows.enumerate() {
        let row = row.map_err(|error| format!("row {}: {error}", number + 1))?;
        let cells: Vec<&Field> = row.get_column_iter().map(|(_, cell)| cell).collect();
        for ((column, place), name) in found.iter_mut().zip(places).zip(COLUMNS) {
            let value = cells.get(place).and_then(|cell| as_number(cell)).filter(|value| value.is_finite());
            column.push(value.ok_or_else(|| format!("row {}: `{name}` is not a finite number", number + 1))?);
        }
        if number >= MOST_POINTS {
            return Err(too_many());
        }
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

fn too_many() -> String {
    format!("has more than {MOST_POINTS} points: thin it out")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Table, parquet_bytes};

    fn read(name: &str, bytes: &[u8]) -> Result<MeasuredMap, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        read_map(&path).map_err(|error| error.reason)
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
        assert!(read_map(Path::new("no/such/file")).unwrap_err().reason.contains("cannot be opened"));
    }
}
