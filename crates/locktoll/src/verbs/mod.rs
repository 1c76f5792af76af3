//! One file a verb: from checked flags to what the user reads.

#[cfg(target_os = "linux")]
mod attach;
mod bench;
mod compare;
mod completions;
#[cfg(target_os = "linux")]
mod demo;
mod dispatch;
mod doctor;
#[cfg(target_os = "linux")]
mod kernel;
mod machine;
mod man;
pub mod present;
#[cfg(target_os = "linux")]
mod record;
mod report;
mod reproduce;
#[cfg(target_os = "linux")]
mod top;
#[cfg(target_os = "linux")]
pub mod tour;
#[cfg(target_os = "linux")]
mod trial;
#[cfg(target_os = "linux")]
mod watch;

pub use dispatch::run;
