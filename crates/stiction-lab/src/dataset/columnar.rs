//! Tables as Parquet: typed columns; unit, label and provenance in the metadata.

use super::error::check;
use super::parquet_check::decode_parquet;
use super::{Data, DatasetError, Table};
use crate::files::open;
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::FileReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Rows in one group: a reader can skip groups, and needs memory for one.
pub(super) const GROUP: usize = 1 << 17;

/// A table as Parquet, compressed with Snappy. `NaN` is null. The metadata hold `description`, for every column
/// `unit:<column>` and `label:<column>`, and the given provenance.
///
/// # Errors
/// [`DatasetError`] if the columns do not make a table.
pub fn parquet_bytes(table: &Table, provenance: &[(String, String)]) -> Result<Vec<u8>, DatasetError> {
    check(table)?;
    write(table, provenance).map_err(|source| DatasetError::Parquet { table: table.name.clone(), source })
}

fn write(table: &Table, provenance: &[(String, String)]) -> Result<Vec<u8>, ParquetError> {
    let mut groups = Groups::begin(Vec::new(), table, provenance)?;
    for start in (0..table.rows()).step_by(GROUP) {
        groups.push(table, start..(start + GROUP).min(table.rows()))?;
    }
    groups.finish()
}

/// A table that is written group by group.
pub(super) struct Groups<W: Write + Send>(SerializedFileWriter<W>);

impl<W: Write + Send> Groups<W> {
    /// Begins a table with the columns of this one.
    pub(super) fn begin(sink: W, table: &Table, provenance: &[(String, String)]) -> Result<Self, ParquetError> {
        let mut metadata = vec![KeyValue::new("table".to_owned(), table.name.clone())];
        metadata.push(KeyValue::new("description".to_owned(), table.description.clone()));
        for column in &table.columns {
            metadata.push(KeyValue::new(format!("unit:{}", column.name), column.unit.clone()));
            metadata.push(KeyValue::new(format!("label:{}", column.name), column.label.clone()));
        }
        metadata.extend(provenance.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("stiction ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(metadata))
            .build();
        Ok(Self(SerializedFileWriter::new(sink, Arc::new(schema(table)?), Arc::new(properties))?))
    }

    /// Writes rows of a table with the same columns as one group.
    pub(super) fn push(&mut self, table: &Table, rows: Range<usize>) -> Result<(), ParquetError> {
        let mut group = self.0.next_row_group()?;
        let mut columns = table.columns.iter();
        while let (Some(mut sink), Some(column)) = (group.next_column()?, columns.next()) {
            match &column.data {
                Data::Numbers(values) => {
                    let values = values.get(rows.clone()).unwrap_or_default();
                    let levels: Vec<i16> = values.iter().map(|value| i16::from(!value.is_nan())).collect();
                    let present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
                    sink.typed::<DoubleType>().write_batch(&present, Some(&levels), None)?;
                }
                Data::Integers(values) => {
                    let values = values.get(rows.clone()).unwrap_or_default();
                    sink.typed::<Int64Type>().write_batch(values, None, None)?;
                }
                Data::Words(words) => {
                    let words = words.get(rows.clone()).unwrap_or_default();
                    let words: Vec<ByteArray> = words.iter().map(|word| ByteArray::from(word.as_str())).collect();
                    sink.typed::<ByteArrayType>().write_batch(&words, None, None)?;
                }
            }
            sink.close()?;
        }
        group.close()?;
        Ok(())
    }

    /// Ends the table.
    pub(super) fn finish(self) -> Result<W, ParquetError> {
        self.0.into_inner()
    }
}

/// The names and values in the metadata of a Parquet file.
///
/// # Errors
/// What cannot be read, in words.
pub fn parquet_metadata(path: &Path) -> Result<Vec<(String, String)>, String> {
    let file = open(path).map_err(|error| format!("cannot be opened: {error}"))?;
    decode_parquet(file, |reader| {
        let pairs = reader.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default();
        Ok(pairs.into_iter().map(|pair| (pair.key, pair.value.unwrap_or_default())).collect())
    })
}

fn schema(table: &Table) -> Result<Type, ParquetError> {
    let mut fields = Vec::new();
    for column in &table.columns {
        let field = match column.data {
            Data::Numbers(_) => Type::primitive_type_builder(&column.name, PhysicalType::DOUBLE)
                .with_repetition(Repetition::OPTIONAL)
                .build()?,
            Data::Integers(_) => Type::primitive_type_builder(&column.name, PhysicalType::INT64)
                .with_repetition(Repetition::REQUIRED)
                .build()?,
            Data::Words(_) => Type::primitive_type_builder(&column.name, PhysicalType::BYTE_ARRAY)
                .with_logical_type(Some(LogicalType::String))
                .with_repetition(Repetition::REQUIRED)
                .build()?,
        };
        fields.push(Arc::new(field));
    }
    Type::group_type_builder("table").with_fields(fields).build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::SerializedFileReader;
    use parquet::record::Field;
    use std::fs::File;

    fn read(bytes: &[u8]) -> SerializedFileReader<File> {
        let mut file = tempfile::tempfile().unwrap();
        Write::write_all(&mut file, bytes).unwrap();
        SerializedFileReader::new(file).unwrap()
    }

    #[test]
    fn what_is_read_is_what_was_written() {
        let table = Table::new("motion", "One row a sample.")
            .numbers("time", "s", "time t", vec![0.1, f64::NAN, -1e300, f64::INFINITY])
            .integers("count", "count", vec![1, i64::MIN, i64::MAX, 0])
            .words("kind", "kind", ["stick", "", "λ₀", "a\"b"].map(str::to_owned).to_vec());
        let bytes = parquet_bytes(&table, &[("seed".to_owned(), "7".to_owned())]).unwrap();
        let reader = read(&bytes);
        let rows: Vec<Vec<Field>> = reader
            .get_row_iter(None)
            .unwrap()
            .map(|row| row.unwrap().get_column_iter().map(|(_, field)| field.clone()).collect())
            .collect();
        let time = |value| Field::Double(value);
        let row = |time, count, kind: &str| vec![time, Field::Long(count), Field::Str(kind.to_owned())];
        assert_eq!(
            rows,
            [
                row(time(0.1), 1, "stick"),
                row(Field::Null, i64::MIN, ""),
                row(time(-1e300), i64::MAX, "λ₀"),
                row(time(f64::INFINITY), 0, "a\"b"),
            ]
        );
        let metadata = reader.metadata().file_metadata().key_value_metadata().unwrap().clone();
        let value = |key: &str| metadata.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.clone());
        assert_eq!(value("unit:time").as_deref(), Some("s"));
        assert_eq!(value("label:time").as_deref(), Some("time t"));
        assert_eq!(value("seed").as_deref(), Some("7"));
    }

    #[test]
    fn the_same_table_gives_the_same_bytes_also_when_it_is_long_or_empty() {
        let long = (0..300_000).map(|i| f64::from(i) * 0.1).collect::<Vec<_>>();
        let table = Table::new("long", "").numbers("x", "m", "x", long);
        let bytes = parquet_bytes(&table, &[]).unwrap();
        assert_eq!(bytes, parquet_bytes(&table, &[]).unwrap());
        assert_eq!(read(&bytes).metadata().file_metadata().num_rows(), 300_000);
        let empty = Table::new("empty", "").numbers("x", "m", "x", Vec::new());
        assert_eq!(read(&parquet_bytes(&empty, &[]).unwrap()).metadata().file_metadata().num_rows(), 0);
        assert!(parquet_bytes(&Table::new("nothing", ""), &[]).is_ok());
    }
}
