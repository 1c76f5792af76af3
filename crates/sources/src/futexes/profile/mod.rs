//! From the collected data to the profile, `locktoll.profile/1`.
//!
//! - `names`: functions for addresses; `lines`: inlined calls and lines, as far as time allows; `perf_map`: of
//!   generated code; `vdso`: of the kernel's page.
//! - `calls`: call stacks, and the place in the program to which a wait belongs.
//! - `purpose`: the purpose of a wait by its call stack; `runtimes`: the same for Go, Java and Python.
//! - `objects`: which words are one object; `identity`: which objects share a row.
//! - `sorting`: which row each entry belongs to; `row`, `rows`: their sums.
//! - `facts`: rows as the joiner takes them; `threads`, `remarks`: threads, and notes for the reader; `whole`: all of it, for
//!   the joiner.

mod calls;
mod facts;
mod identity;
mod lines;
mod names;
mod objects;
mod perf_map;
mod purpose;
mod remarks;
mod row;
mod rows;
mod runtimes;
mod sorting;
mod threads;
mod vdso;
mod whole;

#[cfg(test)]
mod tests;

pub(crate) use identity::{Identity, Statics};
pub use names::Names;
pub(crate) use objects::base as object_base;
pub use perf_map::{generated_names, names as perf_map_names};
pub(crate) use purpose::{By, Purpose};
pub use whole::{Seen, profile, profile_with};
