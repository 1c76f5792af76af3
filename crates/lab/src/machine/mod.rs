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

pub(crate) mod cpu_list;
mod observe;
mod placement;
mod topology;

pub use crate::platform::{pin_current_thread, usable_cpus};
pub use cpu_list::{CpuListError, format_cpu_list, parse_cpu_list};
pub use observe::{CgroupVersion, Machine};
pub use placement::{Pin, Placement};
pub use topology::{Caches, CpuPlace, Topology};
