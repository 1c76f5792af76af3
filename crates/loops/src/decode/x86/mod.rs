//! x86-64, decoded by iced-x86.
//!
//! - `flow`: the entry, and where the thread goes next;
//! - `operand`: registers, memory operands and constants;
//! - `known`: the instructions whose meaning the model follows;
//! - `generic`: all others, by the registers and the memory that iced says they use.

mod flow;
mod generic;
mod known;
mod operand;

pub use flow::decode;
