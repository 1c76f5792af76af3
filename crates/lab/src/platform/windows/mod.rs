//! The implementation for Windows, by the Windows API.
//!
//! CPUs are numbered over processor groups: number `n` of group `g` is CPU `64 g + n`, whether or not all of a group's 64
//! places are taken.
//!
//! The resolution of the system's timer is left as it is (no `timeBeginPeriod`): it is a property of the process, so a
//! lock that sleeps for a millisecond would wait less here than in a program. No measurement depends on the length of a
//! sleep. The standard library's sleeps, which end slices and change slots, use timers of high resolution.

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
