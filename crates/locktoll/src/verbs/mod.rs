//! One file a verb: from checked flags to what the user reads.

mod attach;
mod bench;
mod compare;
mod completions;
mod demo;
mod dispatch;
mod doctor;
mod kernel;
mod machine;
mod man;
pub mod present;
mod record;
mod report;
mod reproduce;
mod top;
pub mod tour;
mod trial;
mod watch;

pub use dispatch::run;
