//! The machine under the measurement: what it is, and where threads may run on it.
//!
//! [`Machine::observe`] reads and never changes a setting, and what it may not read is `None`, not
//! an error. [`Pin`] and [`Placement`] decide which CPU a thread is to run on.
//!
//! ```
//! use locktoll_lab::machine::{Machine, Pin, Placement};
//!
//! let machine = Machine::observe();
//! let placement = Placement::new(&Pin::Spread, &machine.topology);
//! assert!(machine.usable_cpus.contains(&placement.cpu_for(0).unwrap()));
//! ```

mod affinity;
mod cgroup;
mod cpu_list;
mod identity;
mod observe;
mod placement;
mod proc_stat;
mod topology;
mod tree;

pub use affinity::{pin_current_thread, usable_cpus};
pub use cgroup::CgroupVersion;
pub(crate) use cgroup::throttled_ns;
pub use cpu_list::{CpuListError, format_cpu_list, parse_cpu_list};
pub use observe::Machine;
pub use placement::{Pin, Placement};
pub(crate) use proc_stat::{CpuTicks, ProcStat, tick_ns};
pub use topology::{Caches, CpuPlace, Topology};
pub(crate) use tree::Tree;
#[cfg(test)]
pub(crate) use tree::fake;
