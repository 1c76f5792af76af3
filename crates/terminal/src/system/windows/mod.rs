//! The implementation for Windows.

pub mod end;
pub mod files;
pub mod folders;
pub mod help;
pub mod host;
pub mod interrupt;
pub mod terminal;
