//! Where locks came from and how waits came about, as numbers of births and stacks.
//!
//! - `threads`: what the hooks ask for;
//! - `numbers`: the walk, and the number by what the thread remembers or behind the recorder's lock;
//! - `stacks`, `births`: the records.

mod births;
mod numbers;
mod stacks;
mod threads;

pub use births::Inherited;

#[cfg(test)]
mod tests;
