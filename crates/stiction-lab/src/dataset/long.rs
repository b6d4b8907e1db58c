//! Tables that are too long for the memory: they grow in a file, a group of rows at a time.

use super::columnar::{GROUP, Groups};
use super::error::check;
use super::text::{csv_head, csv_rows};
use super::{Column, Data, DatasetError, Table};
use crate::files::{Output, create, own_folder};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A table in a file of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct LongTable {
    /// Its name, description and columns, without rows.
    pub header: Table,
    /// Number of rows.
    pub rows: u64,
    /// The file, synced; it is moved to its place when the results are written.
    pub path: PathBuf,
}

/// A table that grows in a file.
pub struct Growing {
    path: PathBuf,
    waiting: Table,
    rows: u64,
    sink: Sink,
}

enum Sink {
    Csv(Output),
    Parquet(Groups<Output>),
}

impl Growing {
    /// Begins a table with the columns of `header`, which has no rows, as CSV or as Parquet with this provenance.
    ///
    /// # Errors
    /// If the columns do not make a table, or the file cannot be made.
    pub fn begin(path: &Path, header: Table, csv: bool, provenance: &[(String, String)]) -> Result<Self, DatasetError> {
        check(&header)?;
        let make = || -> std::io::Result<Output> {
            if let Some(folder) = path.parent() {
                own_folder(folder)?;
            }
            create(path)
        };
        let failed = |source| DatasetError::File { table: header.name.clone(), path: path.to_owned(), source };
        let mut file = make().map_err(failed)?;
        let sink = if csv {
            file.write_all(&csv_head(&header)?).map_err(failed)?;
            Sink::Csv(file)
        } else {
            let groups = Groups::begin(file, &header, provenance);
            Sink::Parquet(groups.map_err(|source| DatasetError::Parquet { table: header.name.clone(), source })?)
        };
        Ok(Self { path: path.to_owned(), waiting: header, rows: 0, sink })
    }

    /// Adds the rows of a table with the same columns.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn push(&mut self, rows: Table) -> Result<(), DatasetError> {
        check(&rows)?;
        self.rows += rows.rows() as u64;
        for (column, more) in self.waiting.columns.iter_mut().zip(rows.columns) {
            match (&mut column.data, more.data) {
                (Data::Numbers(known), Data::Numbers(more)) => known.extend(more),
                (Data::Integers(known), Data::Integers(more)) => known.extend(more),
                (Data::Words(known), Data::Words(more)) => known.extend(more),
                // columns of another kind make the table ragged, which is told below
                _ => {}
            }
        }
        check(&self.waiting)?;
        // groups of fixed size: the bytes do not depend on how the rows came
        while self.waiting.rows() >= GROUP {
            self.write(GROUP)?;
        }
        Ok(())
    }

    /// Writes the first rows that wait.
    fn write(&mut self, rows: usize) -> Result<(), DatasetError> {
        let Self { path, waiting, sink, .. } = self;
        let table = waiting.name.clone();
        let fronts: Vec<Data> = waiting.columns.iter_mut().map(|column| column.data.split_front(rows)).collect();
        let mut group = Table::new(&waiting.name, &waiting.description);
        for (column, data) in waiting.columns.iter().zip(fronts) {
            let (name, unit, label) = (column.name.clone(), column.unit.clone(), column.label.clone());
            group.columns.push(Column { name, unit, label, data });
        }
        match sink {
            Sink::Csv(file) => {
                let bytes = csv_rows(&group)?;
                file.write_all(&bytes).map_err(|source| DatasetError::File { table, path: path.clone(), source })
            }
            Sink::Parquet(groups) => {
                groups.push(&group, 0..rows).map_err(|source| DatasetError::Parquet { table, source })
            }
        }
    }

    /// Ends the table and syncs its file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<LongTable, DatasetError> {
        let rest = self.waiting.rows();
        if rest > 0 {
            self.write(rest)?;
        }
        let table = self.waiting.name.clone();
        let file = match self.sink {
            Sink::Csv(file) => file,
            Sink::Parquet(groups) => {
                groups.finish().map_err(|source| DatasetError::Parquet { table: table.clone(), source })?
            }
        };
        file.sync().map_err(|source| DatasetError::File { table, path: self.path.clone(), source })?;
        Ok(LongTable { header: self.waiting, rows: self.rows, path: self.path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{csv_bytes, parquet_bytes};

    fn part(rows: std::ops::Range<i64>) -> Table {
        Table::new("long", "one row a number")
            .integers("n", "n", rows.clone().collect())
            .numbers("x", "m", "x", rows.clone().map(|n| if n % 5 == 0 { f64::NAN } else { n as f64 * 0.1 }).collect())
            .words("w", "w", rows.map(|n| if n % 7 == 0 { n.to_string() } else { String::new() }).collect())
    }

    #[test]
    fn a_table_that_grew_has_the_bytes_of_one_that_was_there_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let last = 2 * GROUP as i64 + 1234;
        let provenance = [("seed".to_owned(), "7".to_owned())];
        for csv in [false, true] {
            let whole = if csv { csv_bytes(&part(0..last)) } else { parquet_bytes(&part(0..last), &provenance) };
            for step in [999, GROUP as i64, 100_000, last] {
                let path = folder.path().join("below").join("t");
                let mut growing = Growing::begin(&path, part(0..0), csv, &provenance).unwrap();
                for first in (0..last).step_by(step as usize) {
                    growing.push(part(first..(first + step).min(last))).unwrap();
                }
                let long = growing.finish().unwrap();
                assert_eq!((long.rows, long.header.rows()), (last as u64, 0));
                assert!(std::fs::read(&path).unwrap() == *whole.as_ref().unwrap(), "csv: {csv}, step {step}");
            }
        }
    }
}
