//! Tables of a finished run, read back from its folder.

use super::parquet_check::decode_parquet;
use super::rows::Rows;
use super::{Column, Data, Table};
use crate::files::{is_plain_name, open};
use crate::safe_text::uncell;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::Value as Json;
use std::fs::File;
use std::path::Path;

/// Reads a table from `<name>.parquet` or `<name>.csv`; `about` is what `summary.json` says of it: description, and of every
/// column unit, label and type.
///
/// # Errors
/// What cannot be read, in words.
pub fn read_table(folder: &Path, name: &str, about: &Json) -> Result<Table, String> {
    if !is_plain_name(name) {
        return Err(format!("`{name}` is not the name of a table"));
    }
    let file = |ending: &str| open(&folder.join(format!("{name}.{ending}")));
    let columns = match (file("parquet"), file("csv")) {
        (Ok(file), _) => decode_parquet(file, from_parquet).map_err(|reason| format!("{name}.parquet {reason}"))?,
        (_, Ok(file)) => from_csv(file, about).map_err(|reason| format!("{name}.csv {reason}"))?,
        (Err(error), Err(_)) => return Err(format!("{name}.parquet cannot be opened: {error}")),
    };
    let text = |place: &Json, key: &str| place.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let mut table = Table::new(name, &text(about, "description"));
    for (column, data) in columns {
        let told = about.pointer(&format!("/columns/{}", column.replace('~', "~0").replace('/', "~1")));
        let told = told.unwrap_or(&Json::Null);
        table.columns.push(Column { unit: text(told, "unit"), label: text(told, "label"), name: column, data });
    }
    Ok(table)
}

fn from_parquet(reader: &SerializedFileReader<File>) -> Result<Vec<(String, Data)>, String> {
    let fields = reader.metadata().file_metadata().schema().get_fields().to_vec();
    let empty = |kind| match kind {
        parquet::basic::Type::INT64 => Data::Integers(Vec::new()),
        parquet::basic::Type::BYTE_ARRAY => Data::Words(Vec::new()),
        _ => Data::Numbers(Vec::new()),
    };
    let mut columns: Vec<(String, Data)> =
        fields.iter().map(|field| (field.name().to_owned(), empty(field.get_physical_type()))).collect();
    for (number, row) in reader.get_row_iter(None).map_err(|error| error.to_string())?.enumerate() {
        let row = row.map_err(|error| format!("row {}: {error}", number + 1))?;
        for ((_, data), (_, field)) in columns.iter_mut().zip(row.get_column_iter()) {
            match (data, field) {
                (Data::Numbers(values), Field::Double(value)) => values.push(*value),
                (Data::Numbers(values), _) => values.push(f64::NAN),
                (Data::Integers(values), Field::Long(value)) => values.push(*value),
                (Data::Integers(values), _) => values.push(0),
                (Data::Words(words), Field::Str(word)) => words.push(word.clone()),
                (Data::Words(words), _) => words.push(String::new()),
            }
        }
    }
    Ok(columns)
}

fn from_csv(file: File, about: &Json) -> Result<Vec<(String, Data)>, String> {
    let mut rows = Rows::of(file, csv::ReaderBuilder::new().has_headers(false));
    let header = rows.next().transpose()?.unwrap_or_default();
    let header: Vec<String> = header.iter().map(|name| uncell(name).to_owned()).collect();
    let mut cells: Vec<Vec<String>> = vec![Vec::new(); header.len()];
    for record in rows {
        let record = record?;
        cells.iter_mut().zip(record.iter()).for_each(|(column, cell)| column.push(uncell(cell).to_owned()));
    }
    let typed = |(name, cells): (String, Vec<String>)| {
        let kind = about["columns"][&name]["type"].as_str();
        let data = data(kind, cells);
        (name, data)
    };
    Ok(header.into_iter().zip(cells).map(typed).collect())
}

/// The cells of a CSV file as what they were.
fn data(kind: Option<&str>, cells: Vec<String>) -> Data {
    let number = |cell: &String| if cell.is_empty() { Some(f64::NAN) } else { cell.parse().ok() };
    let numbers = || cells.iter().map(number).collect::<Option<Vec<f64>>>();
    let integers = || cells.iter().map(|cell| cell.parse().ok()).collect::<Option<Vec<i64>>>();
    let found = match kind {
        Some("word") => None,
        Some("integer") => integers().map(Data::Integers),
        _ => numbers().map(Data::Numbers),
    };
    found.unwrap_or(Data::Words(cells))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Outcome, csv_bytes, parquet_bytes};

    #[test]
    fn a_table_reads_back_as_it_was_from_both_formats() {
        let table = Table::new("motion", "One row a sample.")
            .numbers("a/b~c[0]", "s", "time t", vec![0.1, f64::INFINITY, -1e300])
            .integers("count", "count", vec![1, i64::MIN, 0])
            .words("kind", "kind", ["1", "'=1+1", "a,\"b\"\nλ"].map(str::to_owned).to_vec());
        let outcome = Outcome { tables: vec![table.clone()], ..Outcome::default() };
        let about = &outcome.to_json().tables["motion"];
        for (ending, bytes) in [("csv", csv_bytes(&table)), ("parquet", parquet_bytes(&table, &[]))] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join(format!("motion.{ending}")), bytes.unwrap()).unwrap();
            assert_eq!(read_table(folder.path(), "motion", about), Ok(table.clone()), "{ending}");
        }
        let empty = tempfile::tempdir().unwrap();
        assert!(read_table(empty.path(), "motion", about).unwrap_err().contains("motion.parquet cannot be opened"));
        assert!(read_table(empty.path(), "../motion", about).unwrap_err().contains("not the name of a table"));
    }
}
