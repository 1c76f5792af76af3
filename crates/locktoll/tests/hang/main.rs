//! `hang` on programs that hang on purpose, on programs that only seem to, and on core files.
#![cfg(target_os = "linux")]

#[expect(
    dead_code,
    reason = "shared with the tests of `record`, which use all of it"
)]
#[path = "../record/bench.rs"]
mod bench;
mod cores;
mod healthy;
mod kinds;
mod own_locks;
mod program;
mod recorded;
mod refused;
mod rings;
mod substituted;
mod unwritten;
mod watched;
