//! `try` as a user runs it: the built binary on small programs.
#![cfg(target_os = "linux")]

mod advise;
mod bad_input;
#[expect(
    dead_code,
    reason = "shared with the tests of `record`, which use all of it"
)]
#[path = "../record/bench.rs"]
mod bench;
mod ends;
mod listed;
mod metrics;
mod only;
mod real_time;
mod servers;
mod slice_extension;
mod surroundings;
mod tried;
mod whatif;
