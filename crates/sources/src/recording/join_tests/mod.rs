//! Parts built in memory, joined.
//!
//! - `builder`: that of the recording crate, which builds parts with its writer.
//! - `program`: a part with names, and records of every kind to put into it.
//! - `rows`: the locks that share a row, and the row's contents.
//! - `figures`: waits, holds, blame, events.
//! - `files`: names from the files that were mapped.
//! - `origins`: births, inherited ones, and words on which threads sleep whatever they wait for.
//! - `parts`: parts by themselves: their times, whether their processes run, and their folder.
//! - `threads`: where the time of threads went.
//! - `rings`: events by time, and what may be wrong with them. `holds`: holds timed by the processor's counter.
//! - `ended`: processes that have ended, added up.
//! - `any`: properties that hold whatever the records are.

mod any;
#[expect(dead_code, reason = "the recording crate's tests use the rest")]
#[path = "../../../../recording/tests/recording/builder.rs"]
pub(crate) mod builder;
#[cfg(target_os = "linux")]
mod ended;
mod figures;
#[cfg(target_os = "linux")]
mod files;
mod holds;
mod origins;
mod parts;
mod program;
mod rings;
mod rows;
mod threads;
