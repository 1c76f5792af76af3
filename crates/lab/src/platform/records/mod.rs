//! What `linux` and `windows` fill in: the same records on each.
//!
//! - `machine`, `topology`: what the machine is, and how its processors hang together.
//! - `cpu_list`: processors as text.
//! - `reading`: counters that tell who else used the machine.
//! - `resources`: processor time and context switches of threads.

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
