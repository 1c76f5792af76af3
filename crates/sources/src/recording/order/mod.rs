//! From the contexts of a recording to the order of locks, and the cycles in it that can end in a deadlock.
//!
//! A *step* is one acquisition while another lock is held, at one pair of places, with one set of further locks held (its
//! *gates*). Locks are those of rows: all locks of one origin are one. A cycle of steps is *realisable* if as many threads can be
//! in the middle of them at the same time, each waiting for the next (Havelund, "Using Runtime Analysis to Guide Model Checking of
//! Java Programs", 2000): no two of them hold a common gate, the modes of readers and writers exclude each other, and there are
//! enough threads. Cycles are looked for within each process, since its locks exclude only its own threads.
//!
//! - `steps`: the steps of one process; `threads`: which threads can make them.
//! - `graph`: cycles of a graph; `judge`: whether a cycle is realisable.
//! - `inversions`: the cycles among rows, and among the locks of one row.
//! - `unusual`: other events while locks are held.
//! - `found`: all of it as the joiner takes it.

mod found;
mod graph;
mod inversions;
mod judge;
mod steps;
#[cfg(test)]
mod tests;
mod threads;
mod unusual;

pub use found::{Processes, RowsOf, order};
