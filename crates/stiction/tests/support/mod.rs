//! What several test files share. Each of them uses only a part.
#![allow(dead_code, unused_imports, unreachable_pub, missing_docs)]

pub mod blocks;
pub mod problems;
pub mod recorder;
