//! The command line: one file a verb, and the small languages (times, lists) that flags speak.
//!
//! Everything here is definition: completions and the man page are generated from it.

mod attach;
mod bench;
mod compare;
mod doctor;
mod inner;
mod kernel;
mod live;
mod machine;
mod parse;
mod record;
mod report;
mod reproduce;
mod top;
mod tour;
mod trial;
mod values;
mod watch;

pub use attach::AttachArgs;
pub use bench::BenchArgs;
pub use compare::CompareArgs;
pub use doctor::DoctorArgs;
pub use inner::{BUILD, CELL, DEMO, ENTRIES, Inner, PAIRS};
pub use kernel::{Axis, KernelArgs};
pub use live::TopArgs;
pub use machine::MachineArgs;
pub use parse::{Start, one_line, parse};
pub use record::RecordArgs;
pub use report::{ProfileFormat, ReportArgs, SortKey};
pub use reproduce::{ReproduceArgs, ReproduceFormat};
pub use top::{Cli, Verb};
pub use tour::TourArgs;
pub use trial::{BetterArg, TryArgs};
pub use values::{OutputArgs, ResultFormat, parse_time};
pub use watch::WatchArgs;
