//! The lab's operating-system calls. Only this room knows which system it runs on.
//!
//! `linux` and `windows` have functions with the same names, which fill in the same `records`. Rooms that exist on only one
//! system (probes of its own calls, locks of its own libraries) are chosen where they are declared; inside a room, no code asks
//! which system it runs on.

#[cfg(target_os = "linux")]
pub(crate) mod linux;
mod records;
#[cfg(windows)]
pub(crate) mod windows;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
use windows as system;

#[cfg(target_os = "linux")]
pub use linux::emulator::startable;
#[cfg(test)]
pub(crate) use records::fake;
pub use records::{
    Caches, CgroupVersion, CpuListError, CpuPlace, Machine, SwitchesAndCpu, Topology,
    format_cpu_list, parse_cpu_list,
};
pub(crate) use records::{CpuTime, Reading};
pub use system::accounts::account_for_child;
pub(crate) use system::accounts::{account_grain_ns, of_this_process, of_this_thread};
pub(crate) use system::affinity::Stay;
#[cfg(target_os = "linux")]
pub(crate) use system::affinity::pin_thread;
pub use system::affinity::{pin_current_thread, usable_cpus};
pub(crate) use system::clock::{monotonic_ns, vouches_for_the_tsc};
pub(crate) use system::machine::observe;
pub(crate) use system::nice::set_nice;
pub(crate) use system::noise::noise_reading;
pub use system::priority::{Background, RAISABLE_NICE, Raised, own_priority};
pub use system::stand_in::stand_in;
pub use system::this_program::this_program;
