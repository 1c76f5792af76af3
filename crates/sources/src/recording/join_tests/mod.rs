//! Parts built in memory, joined.
//!
//! - `builder`: the recording crate's own, which builds parts by the writer half.
//! - `program`: a part with names, and records of every kind to put into it.
//! - `rows`: which locks share a row, and what it says of them.
//! - `figures`: waits, holds, blame, signals.
//! - `threads`: where the time of threads went.
//! - `any`: what holds whatever the records are.

mod any;
#[expect(dead_code, reason = "the recording crate's tests use the rest")]
#[path = "../../../../recording/tests/recording/builder.rs"]
mod builder;
mod figures;
mod program;
mod rows;
mod threads;
