//! Recognises a loop that waits for another thread by its machine code.
//!
//! A sample of a thread is an instruction and the registers there. [`classify`] decodes the code around the instruction, finds
//! the smallest loop that contains it, and executes one round of it on expressions. The loop is a wait if
//!
//! - it writes only to the thread's own stack, or updates one word atomically;
//! - each round begins with the same values as the one before, except for counters and lengths of back-off;
//! - a condition that ends it depends on memory and on nothing that the loop itself changes.
//!
//! In short: the loop would go on forever (or until its counter or clock ends it) if no other thread wrote the word. A sum, a
//! search or a hash probe is not a wait, because its address moves. Called functions are followed, and so is the way back to the
//! callers, so that a sample inside `std::atomic::load` of an unoptimised build, or inside a back-off function, is charged to the
//! loop around the call.
//!
//! The code is pure: the sampled program's memory is read through [`Code`], and the work of one call is bounded.
//!
//! - [`machine`]: what the caller provides: architecture, registers, memory.
//! - [`instruction`], `decode`: a small model of instructions; from bytes to it.
//! - `graph`: the instructions around the sample, and the loops among them.
//! - `value`, `sort`, `state`, `execute`, `live`, `evaluate`: one round of a loop on expressions.
//! - `judge`, `retries`, `system_call`: which loops wait.
//! - `classify`, `callers`: from the sample's instruction outwards, through its callers.
//! - `known`, `evidence`: the same over many samples: verdicts that are kept, and words that stay where they are.
//! - [`verdict`], `word`: the result, and the address of the word from a sample's registers.
//! - `hash`: tables that are made anew for each examination.

mod callers;
mod classify;
mod decode;
mod evaluate;
mod evidence;
mod execute;
mod graph;
mod hash;
pub mod instruction;
mod judge;
mod known;
mod live;
pub mod machine;
mod retries;
mod sort;
mod state;
mod system_call;
mod value;
pub mod verdict;
mod word;

pub use classify::{Classified, classify};
pub use decode::decode;
pub use evidence::Evidence;
pub use known::Known;
pub use machine::{Architecture, Code, Registers};
pub use system_call::is_in_other_call;
pub use verdict::{Features, Obstacle, Verdict, WaitingLoop, Word, Work};
