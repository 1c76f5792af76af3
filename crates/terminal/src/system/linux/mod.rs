//! The implementation for Linux.

pub mod files;
pub mod folders;
pub mod help;
pub mod host;
pub mod interrupt;
pub mod terminal;
