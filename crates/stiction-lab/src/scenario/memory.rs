//! The key `memory` of a scenario.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::memory::{DEFAULT, checked, parse};

/// What a run may keep: a number of bytes, or a text with a unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MemoryChoice {
    /// A number of bytes, at least 1048576.
    Bytes(f64),
    /// A number with a unit: `2 GiB`, `500 MB`.
    Text(String),
}

impl Default for MemoryChoice {
    /// 2 GiB.
    fn default() -> Self {
        MemoryChoice::Bytes(DEFAULT as f64)
    }
}

impl MemoryChoice {
    /// The number of bytes.
    ///
    /// # Errors
    /// What is wrong with it, and what would be right.
    pub fn bytes(&self) -> Result<u64, String> {
        match self {
            MemoryChoice::Bytes(bytes) => checked(*bytes).map_err(|message| format!("is {bytes}, but {message}")),
            MemoryChoice::Text(text) => parse(text),
        }
    }

    /// The number of bytes; the default where it is not known.
    pub fn limit(&self) -> u64 {
        self.bytes().unwrap_or(DEFAULT)
    }
}
