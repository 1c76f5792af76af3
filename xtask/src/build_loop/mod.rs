//! `cargo xtask loop`: how long one waits for a build and for tests, from scratch, warm, and after one changed file.

mod builds;
mod cargo;
mod change;
mod checks;
mod figures;
mod incremental;
mod options;
mod run;
mod scratch;
mod tree;

pub use run::run;
