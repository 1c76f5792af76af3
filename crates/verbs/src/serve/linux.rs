//! The work on Linux.

use crate::demo;
use crate::inner::Inner;
use crate::machine::entries::serve_entries;
use crate::reproduce;
use crate::slices;
use locktoll_terminal::failure::Outcome;

/// Does what the program started itself for.
pub fn serve(inner: Inner) -> Outcome {
    match inner {
        Inner::Cell => slices::serve(),
        Inner::Demo {
            milliseconds,
            flush,
        } => demo::run(milliseconds, flush),
        Inner::Pairs { milliseconds } => demo::run_pairs(milliseconds),
        Inner::Build {
            milliseconds,
            jobs,
            hogs,
        } => demo::run_build(milliseconds, jobs, hogs),
        Inner::Guest { counter_khz } => reproduce::serve_guest(counter_khz),
        Inner::Entries { lock, pairs } => serve_entries(&lock, pairs),
    }
}
