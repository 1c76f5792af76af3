//! A release: archives that are built for old C libraries and for none, packages, sums, and the bill of materials, alike in every folder.

mod archive;
mod bill;
mod built;
mod installed;
mod packed;
mod run;
mod symbols;

pub use run::run;
