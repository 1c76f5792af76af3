//! The records that both `linux` and `windows` fill in.
//!
//! - `machine`, `topology`: the machine's properties, and the arrangement of its processors.
//! - `cpu_list`: processors as text.
//! - `reading`: counters that show the load of other programs.
//! - `resources`: CPU time and context switches of threads.

pub(super) mod cpu_list;
mod machine;
mod reading;
mod resources;
mod topology;

pub use cpu_list::{CpuListError, format_cpu_list, parse_cpu_list};
pub use machine::{CgroupVersion, Machine};
pub(crate) use reading::{CpuTime, Reading};
pub use resources::SwitchesAndCpu;
#[cfg(test)]
pub(crate) use topology::fake;
pub use topology::{Caches, CpuPlace, Topology};
