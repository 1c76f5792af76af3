//! The implementation for Linux: system calls, and the files of `/proc` and `/sys`, where every file
//! may be missing.

pub(super) mod accounts;
pub(super) mod affinity;
mod cgroup;
pub(super) mod clock;
mod cpu_list;
pub(super) mod emulator;
mod identity;
pub(super) mod machine;
pub(super) mod nice;
pub(super) mod noise;
mod own_runnable;
pub(super) mod priority;
mod proc_stat;
pub(super) mod stand_in;
pub(super) mod this_program;
mod topology;
mod tree;

/// For the rooms that exist only on Linux.
pub(crate) use proc_stat::{CpuTicks, ProcStat, tick_ns};
pub(crate) use tree::Tree;
#[cfg(test)]
pub(crate) use tree::fake;
