//! The machine of a measurement: its properties, and the CPUs on which threads may run.
//!
//! [`Machine::observe`] reads settings and never changes one. A setting that it may not read is `None`, not an error. [`Pin`] and
//! [`Placement`] decide which CPU a thread runs on.
//!
//! ```
//! use locktoll_lab::machine::{Machine, Pin, Placement};
//!
//! let machine = Machine::observe();
//! let placement = Placement::new(&Pin::Spread, &machine.topology);
//! assert!(machine.usable_cpus.contains(&placement.cpu_for(0).unwrap()));
//! ```

mod observe;
mod placement;

pub use crate::platform::{
    Caches, CgroupVersion, CpuListError, CpuPlace, Machine, Topology, format_cpu_list,
    parse_cpu_list, pin_current_thread, usable_cpus,
};
pub use placement::{Pin, Placement};
