//! 64-bit Arm, decoded by yaxpeax-arm.
//!
//! - `flow`: the entry, where the thread goes next, and what an instruction does;
//! - `operand`: registers, memory operands and constants.

mod flow;
mod operand;

pub use flow::decode;
