//! The archive of a release: built for old C libraries, stripped, packed alike in every folder.

mod archive;
mod built;
mod run;
mod symbols;

pub use run::run;
