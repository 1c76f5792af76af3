//! Linux's answers.

pub mod files;
pub mod folders;
pub mod help;
pub mod interrupt;
pub mod terminal;
