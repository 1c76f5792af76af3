//! The origins of locks and of waits, as numbers of births and stacks.
//!
//! - `threads`: the functions that the hooks call;
//! - `numbers`: the walk, and the number from the thread's cache or behind the recorder's lock;
//! - `stacks`, `births`: the records.

mod births;
mod numbers;
mod stacks;
mod threads;

pub use births::Inherited;

#[cfg(test)]
mod tests;
