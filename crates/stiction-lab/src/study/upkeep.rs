//! What a study is given besides its question: one item to replay, a place for long tables.

use super::StudyError;
use crate::dataset::{DatasetError, Growing, Table};
use crate::keep::Home;
use serde::Serialize;
use serde_json::Value as Json;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use stiction::analysis::campaign::{Halt, Stage};

/// One item that is made alone.
#[derive(Debug)]
pub struct Replay {
    item: u64,
    result: Mutex<Option<Json>>,
}

impl Replay {
    /// Asks for an item.
    pub fn of(item: u64) -> Self {
        Self { item, result: Mutex::new(None) }
    }

    /// The result of the item, once it was made.
    pub fn result(&self) -> Option<Json> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes the item and ends the study.
    pub(crate) fn found<T: Serialize>(
        &self,
        stage: &Stage<'_>,
        item: &impl Fn(u64) -> Result<T, StudyError>,
    ) -> Result<Halt, StudyError> {
        if self.item >= stage.items {
            let message =
                format!("there is no item {}: there are {} {}, counted from 0", self.item, stage.items, stage.name);
            return Err(StudyError::unsuitable("item", message));
        }
        let made = item(self.item)?;
        let text = serde_json::to_value(&made).unwrap_or(Json::Null);
        *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
        let range: Range<u64> = self.item..self.item + 1;
        Ok(Halt::Parted { stage: stage.name.to_owned(), items: stage.items, range })
    }
}

/// Where tables grow that are too long for the memory.
#[derive(Debug, Clone)]
pub struct LongTables {
    home: Home,
    csv: bool,
    provenance: Vec<(String, String)>,
}

impl LongTables {
    /// Tables of results in a folder, as CSV or as Parquet with this provenance.
    pub fn new(home: Home, csv: bool, provenance: Vec<(String, String)>) -> Self {
        Self { home, csv, provenance }
    }

    /// Begins a table with the columns of `header`, which has no rows.
    pub(crate) fn begin(&self, header: Table) -> Result<Growing, DatasetError> {
        let path = self.home.growing(&header.name);
        Growing::begin(&path, header, self.csv, &self.provenance)
    }
}
