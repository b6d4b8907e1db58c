//! Tables as CSV: a line of names, then the rows. Units stand in `summary.json`, under `tables`.

use super::error::check;
use super::{Data, DatasetError, Table};
use crate::safe_text;

/// A table as CSV: plain names in the first line, numbers with as many digits as they need to read back the same (17 at
/// most), an empty cell for a number that does not exist. Words that a spreadsheet would take for formulas begin with `'`.
///
/// # Errors
/// [`DatasetError`] if the columns do not make a table.
pub fn csv_bytes(table: &Table) -> Result<Vec<u8>, DatasetError> {
    check(table)?;
    let mut bytes = csv_head(table)?;
    bytes.extend(csv_rows(table)?);
    Ok(bytes)
}

/// The first line: the names of the columns. A table without columns has none.
pub(super) fn csv_head(table: &Table) -> Result<Vec<u8>, DatasetError> {
    let fail = |source: csv::Error| DatasetError::Csv { table: table.name.clone(), source };
    let mut writer = csv::Writer::from_writer(Vec::new());
    if !table.columns.is_empty() {
        writer.write_record(table.columns.iter().map(|column| safe_text::cell(&column.name))).map_err(fail)?;
    }
    writer.into_inner().map_err(|error| fail(csv::Error::from(error.into_error())))
}

/// The rows.
pub(super) fn csv_rows(table: &Table) -> Result<Vec<u8>, DatasetError> {
    let fail = |source: csv::Error| DatasetError::Csv { table: table.name.clone(), source };
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in 0..table.rows() {
        for column in &table.columns {
            writer.write_field(cell(&column.data, row)).map_err(fail)?;
        }
        writer.write_record(None::<&[u8]>).map_err(fail)?;
    }
    writer.into_inner().map_err(|error| fail(csv::Error::from(error.into_error())))
}

fn cell(data: &Data, row: usize) -> String {
    match data {
        Data::Numbers(values) => values.get(row).copied().map(number).unwrap_or_default(),
        Data::Integers(values) => values.get(row).map(ToString::to_string).unwrap_or_default(),
        Data::Words(words) => words.get(row).map(|word| safe_text::cell(word)).unwrap_or_default(),
    }
}

/// The shortest text that reads back as the same number; empty for `NaN`, `inf` for what is infinite.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if value.is_nan() {
        String::new()
    } else if value.is_infinite() || size == 0.0 || (1e-5..1e16).contains(&size) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        Table::new("motion", "One row a sample.")
            .numbers("time", "s", "time t", vec![0.1, f64::NAN, 1e-300])
            .integers("count", "count", vec![1, -2, i64::MAX])
            .words("kind", "kind", vec!["stick".into(), "a,\"b\"\nc".into(), String::new()])
    }

    #[test]
    fn a_table_is_names_and_rows() {
        let text = String::from_utf8(csv_bytes(&sample()).unwrap()).unwrap();
        assert_eq!(text, "time,count,kind\n0.1,1,stick\n,-2,\"a,\"\"b\"\"\nc\"\n1e-300,9223372036854775807,\n");
        assert!(csv_bytes(&Table::new("empty", "")).unwrap().is_empty());
        let hostile = Table::new("t", "").words("=a", "", vec!["=1+1".into(), "\x1b[2J\u{202e}".into(), "-1".into()]);
        let text = String::from_utf8(csv_bytes(&hostile).unwrap()).unwrap();
        assert_eq!(text, "'=a\n'=1+1\n\\u{1b}[2J\\u{202e}\n-1\n");
    }

    #[test]
    fn numbers_read_back_the_same() {
        for value in [0.1 + 0.2, 1.0 / 3.0, f64::MAX, f64::MIN_POSITIVE, 5e-324, -0.0, 123_456_789.123_456_78] {
            assert_eq!(number(value).parse::<f64>().unwrap().to_bits(), value.to_bits());
            assert!(number(value).chars().filter(char::is_ascii_digit).count() <= 24);
        }
        assert_eq!((number(f64::NAN).as_str(), number(0.5).as_str()), ("", "0.5"));
    }

    #[test]
    fn ragged_columns_and_repeated_names_are_refused() {
        let mut ragged = sample();
        ragged.columns[1].data = Data::Integers(vec![1]);
        assert!(matches!(csv_bytes(&ragged), Err(DatasetError::Ragged { length: 1, expected: 3, .. })));
        let mut twice = sample();
        twice.columns[1].name = "time".into();
        assert!(matches!(csv_bytes(&twice), Err(DatasetError::Twice { .. })));
    }
}
