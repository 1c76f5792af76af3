//! Plain facts about this system. Reading them changes nothing and needs no privileges. A fact that cannot be read is `None`.
//!
//! - `facts`: the shape.
//! - the other files: the source of each fact.

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
mod slice_extension;
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
pub use slice_extension::SliceExtension;
