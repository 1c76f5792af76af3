//! Plain facts about this system. Nothing is changed, nothing needs privileges, and a fact that cannot be read is
//! `None`.
//!
//! - `facts`: the shape.
//! - the other files: where each fact comes from.

mod btf;
mod btf_sections;
mod calls;
mod config;
mod facts;
mod feature;
mod forked;
mod kernel;
mod preload;
mod processor;
mod small_files;
mod status;
mod take;

pub use btf::Btf;
pub use calls::{Calls, RealTime};
pub use config::KernelConfig;
pub use facts::{Binary, Privileges, Reading, Trial};
pub use feature::Feature;
pub use kernel::{Kernel, Lockdown, Tracefs};
pub use preload::Preload;
pub use processor::Processor;
