//! Windows' answers: what the Windows API tells.
//!
//! CPUs are numbered over processor groups: number `n` of group `g` is CPU `64 g + n`, whether or not all of a group's 64
//! places are taken.
//!
//! The resolution of the system's timer is left as it is (no `timeBeginPeriod`): it is the process's, so that a lock which
//! sleeps for a millisecond would wait less here than in a program. What is measured hangs on no length of sleep, and the
//! standard library's sleeps, by which slices end and slots change hands, take timers of high resolution for themselves.

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
