//! Linux's answers.

pub mod entries;
pub mod files;
pub mod interrupt;
pub mod slice;
pub mod terminal;
