//! `report` as a user runs it, in each of its forms, on a recording of a program with known locks.
#![cfg(target_os = "linux")]

#[expect(
    dead_code,
    reason = "shared with the tests of `record`, which use all of it"
)]
#[path = "../record/bench.rs"]
mod bench;
mod forms;
mod hostile;
mod inputs;
mod outputs;
mod planted;
mod pprof;
mod recorded;
