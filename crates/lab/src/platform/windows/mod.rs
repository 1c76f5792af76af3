//! The implementation for Windows, through the Windows API.
//!
//! CPUs are numbered across processor groups: number `n` of group `g` is CPU `64 g + n`, whether or not all of a group's 64
//! places are occupied.
//!
//! The resolution of the system's timer is left unchanged (no `timeBeginPeriod`). It is a property of the process, so a lock that
//! sleeps for a millisecond would wait less here than in an ordinary program. No measurement depends on the length of a sleep.
//! The standard library's sleeps, which end slices and change slots, use high-resolution timers.

pub(super) mod accounts;
pub(super) mod affinity;
pub(super) mod clock;
mod cpuid;
mod file_time;
mod logical_processors;
pub(super) mod machine;
pub(super) mod nice;
pub(super) mod noise;
pub(super) mod priority;
pub(super) mod stand_in;
pub(super) mod this_program;
mod topology;
