//! `locktoll hang`.
//!
//! - `run`: looks once, at a process or a core file; `watch`: again and again.

pub mod flags;
mod run;
mod watch;

pub use run::run;
