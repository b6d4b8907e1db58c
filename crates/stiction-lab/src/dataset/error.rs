//! Why a table cannot be written.

/// Why a table cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// Columns of one table differ in length.
    #[error("table `{table}`: column `{column}` has {length} values, but the first column has {expected}")]
    Ragged {
        /// The table.
        table: String,
        /// The column that differs.
        column: String,
        /// Its number of values.
        length: usize,
        /// Number of values of the first column.
        expected: usize,
    },
    /// Two columns of one table have the same name.
    #[error("table `{table}` has two columns `{column}`")]
    Twice {
        /// The table.
        table: String,
        /// The name.
        column: String,
    },
    /// The file of a long table cannot be written.
    #[error("table `{table}`: {}: {source}", path.display())]
    File {
        /// The table.
        table: String,
        /// The file.
        path: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The writer of CSV failed.
    #[error("table `{table}` as CSV: {source}")]
    Csv {
        /// The table.
        table: String,
        /// What the writer says.
        source: csv::Error,
    },
    /// The writer of Parquet failed.
    #[error("table `{table}` as Parquet: {source}")]
    Parquet {
        /// The table.
        table: String,
        /// What the writer says.
        source: parquet::errors::ParquetError,
    },
}

/// Checks that a table is a table: columns of equal length with different names.
pub(super) fn check(table: &super::Table) -> Result<(), DatasetError> {
    let expected = table.rows();
    let mut names = std::collections::BTreeSet::new();
    for column in &table.columns {
        let (table, name) = (table.name.clone(), column.name.clone());
        if column.data.len() != expected {
            return Err(DatasetError::Ragged { table, column: name, length: column.data.len(), expected });
        }
        if !names.insert(&column.name) {
            return Err(DatasetError::Twice { table, column: name });
        }
    }
    Ok(())
}
