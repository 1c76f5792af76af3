//! The calls that led to a lock: the calling thread's stack, unwound inside the process.
//!
//! The usual unwinders take locks and allocate (dl_iterate_phdr(3), backtrace(3)), so this one reads the call frame
//! information of the program (DWARF 5, 6.4; Linux Standard Base, `.eh_frame`) itself. It makes no allocation, and takes the
//! recorder's lock only for code in a file that it has not seen. The result for an address is a rule of 64 bits, which is kept
//! for the whole process.
//!
//! gimli reads the same tables, and the tests compare its rows with the rows of this reader. Inside the walk, gimli 0.34 took
//! 1.4 to 1.5 times as long to find a row, and 2.6 KB for its context on stacks that may have little more; and it links
//! `alloc`.
//!
//! From a hook inwards:
//!
//! - `calls`: the walk from the library's own frame to the program's outermost frame;
//! - `remembered`: the last walks, which need not be made again while the stack is unchanged;
//! - `step`, `frame_pointer`, `stack`: one step of the walk, with tables and without, and the careful reading of the stack;
//!   `frame`: the state of the walk;
//! - `rule`, `rules`: the rule of an address for a step, in one word, and the table of known rules;
//! - `stretch`, `tables`, `search`, `entry`, `row`, `expression`, `cursor`: `.eh_frame_hdr` and `.eh_frame`, read as if
//!   hostile; `process`: from this process's memory. fuzz/ feeds all of these except `tables` and `process` with arbitrary
//!   bytes.

mod calls;
mod context;
mod cursor;
mod entry;
mod expression;
mod frame;
mod frame_pointer;
mod process;
mod remembered;
mod row;
mod rule;
mod rules;
mod search;
mod stack;
mod step;
mod stretch;
mod tables;

#[cfg(test)]
mod tests;

pub use calls::Calls;
pub use frame::Frame;
pub use remembered::{Beginning, Walk, Walks};
pub use rules::Rules;
pub use stack::KnownPages;
#[cfg(test)]
pub use stack::Stack;
pub use step::Knowledge;
#[cfg(test)]
pub use step::caller;
pub use stretch::Stretch;
pub use tables::Tables;
