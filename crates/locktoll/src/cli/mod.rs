//! The command line: one file a verb, and the small languages (times, lists) that flags speak.
//!
//! Everything here is definition: completions and the man page are generated from it.

#[cfg(target_os = "linux")]
mod attach;
mod bench;
mod compare;
mod doctor;
mod inner;
#[cfg(target_os = "linux")]
mod kernel;
#[cfg(target_os = "linux")]
mod live;
mod machine;
mod parse;
#[cfg(target_os = "linux")]
mod record;
mod report;
mod reproduce;
#[cfg(target_os = "linux")]
mod tour;
#[cfg(target_os = "linux")]
mod trial;
mod values;
mod verb;
#[cfg(target_os = "linux")]
mod watch;

#[cfg(target_os = "linux")]
pub use attach::AttachArgs;
pub use bench::BenchArgs;
pub use compare::CompareArgs;
pub use doctor::DoctorArgs;
pub use inner::{BUILD, CELL, Inner};
#[cfg(target_os = "linux")]
pub use inner::{DEMO, ENTRIES, PAIRS};
#[cfg(target_os = "linux")]
pub use kernel::{Axis, KernelArgs};
#[cfg(target_os = "linux")]
pub use live::TopArgs;
pub use machine::MachineArgs;
pub use parse::{Start, one_line, parse};
#[cfg(target_os = "linux")]
pub use record::RecordArgs;
pub use report::{ProfileFormat, ReportArgs, SortKey};
pub use reproduce::{ReproduceArgs, ReproduceFormat};
#[cfg(target_os = "linux")]
pub use tour::TourArgs;
#[cfg(target_os = "linux")]
pub use trial::{BetterArg, TryArgs};
pub use values::{OutputArgs, ResultFormat, parse_time};
pub use verb::{Cli, Verb};
#[cfg(target_os = "linux")]
pub use watch::WatchArgs;
