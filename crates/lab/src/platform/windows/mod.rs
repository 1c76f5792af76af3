//! Windows' answers: what the Windows API tells.
//!
//! CPUs are numbered over processor groups: number `n` of group `g` is CPU `64 g + n`, whether or not all of a group's 64
//! places are taken.

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
