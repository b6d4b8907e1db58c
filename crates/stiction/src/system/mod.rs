//! Mechanisms: smooth motion inside a mode, guards that end a mode, jumps between modes.

pub mod spring_block;

pub use spring_block::SpringBlock;
