//! `top` as people use it: in a pseudo-terminal, with keys and signals; and as scripts do, line by line.
#![cfg(target_os = "linux")]

#[expect(
    dead_code,
    reason = "shared with the tests of `record`, which use all of it"
)]
#[path = "../record/bench.rs"]
mod bench;
mod keys;
mod lines;
mod program;
mod refused;
mod spinning;
mod terminal;
mod terminal_kept;
