//! From what was gathered to the profile, `locktoll.profile/1`.
//!
//! - `names`: functions for addresses; `elf_names`: of files; `lines`: inlined calls and lines, as far as time allows; `perf_map`: of
//!   generated code; `vdso`: of the kernel's page.
//! - `calls`: stacks of calls, and the place in the program that a wait belongs to.
//! - `purpose`: what a stack of calls waits for; `runtimes`: the same of Go, Java and Python.
//! - `objects`: which words are one object; `identity`: which objects share a row, and its name.
//! - `rows`: their sums; `finish`: rows as they are shown; `threads`, `remarks`: what else there is to say; `whole`: the profile around them.

mod calls;
mod elf_names;
mod finish;
mod identity;
mod lines;
mod names;
mod objects;
mod perf_map;
mod purpose;
mod remarks;
mod rows;
mod runtimes;
mod threads;
mod vdso;
mod whole;

#[cfg(test)]
mod tests;

pub use names::Names;
pub use whole::{Seen, profile, profile_with};
