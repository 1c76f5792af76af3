//! Which calls led to a lock: the calling thread's stack, unwound inside the process, and numbers for what is found.
//!
//! The usual unwinders take locks and allocate (dl_iterate_phdr(3), backtrace(3)), so this one reads the call frame information of the program (DWARF 5, 6.4; Linux Standard Base, `.eh_frame`) by
//! itself. It makes no allocation, and takes the recorder's lock only where it meets code of a file that it has not
//! seen. What it learns about an address is a rule of 64 bits, kept for the whole process.
//!
//! For the hooks there are three things:
//!
//! - [`Recorder::stack_id`](crate::recorder::Recorder::stack_id): the number of the stack that led to a call site;
//! - [`Recorder::birth_id`](crate::recorder::Recorder::birth_id): the number of the birth of a lock that was
//!   initialised, or used for the first time, from there;
//! - [`StackCache`]: what a thread remembers, so that neither of them takes a lock the second time.
//!
//! From a hook inwards:
//!
//! - `calls`: the walk from our own frame to the program's outermost one;
//! - `step`, `frame_pointer`, `stack`: one step of it, with tables and without, and the careful reading of the stack;
//! - `rule`, `rules`: what an address needs for a step, in one word, and all that is known of it;
//! - `tables`, `entry`, `row`, `expression`, `cursor`: `.eh_frame_hdr` and `.eh_frame`, read as if hostile;
//! - `numbers`, `cache`, `interned`, `stacks`, `births`: the numbers, and the records in the file.

mod births;
mod cache;
mod calls;
mod context;
mod cursor;
mod entry;
mod expression;
mod frame_pointer;
mod interned;
mod numbers;
mod row;
mod rule;
mod rules;
mod stack;
mod stacks;
mod step;
mod tables;

#[cfg(test)]
mod tests;

pub use births::Births;
pub use cache::StackCache;
pub use rules::Rules;
pub use stacks::Stacks;
pub use tables::{Stretch, Tables};
