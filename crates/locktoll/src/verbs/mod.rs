//! One file a verb: from checked flags to what the user reads.

mod completions;
mod demo;
mod dispatch;
mod man;
mod record;
mod report;

pub use dispatch::run;
