//! Stacks of calls of programs without frame pointers.
//!
//! The kernel can follow frame pointers only, which the C library, C++ and Rust programs have not. So the call frame information
//! (`.eh_frame`) of every file that the process has mapped becomes a sorted table of rules, which a program in the kernel walks by
//! (`bpf/unwind.bpf.h`).
//!
//! - [`Code`]: what the processes have mapped, their tables, and how they get into the kernel's maps;
//! - `elf`, `file`: where a file's code and its call frame information are;
//! - `eh_frame`, `frame_rule`, `expression`, `rule`: from call frame information to rules of 32 bits;
//! - `table`: rules sorted by address;
//! - `space`, `layout`, `regions`: the kernel's maps;
//! - [`stacks()`]: what comes out;
//! - [`walk`]: the same walk from outside, of a thread that sleeps;
//! - `fuzzed`: what any bytes must bear.

mod code;
mod eh_frame;
mod elf;
mod expression;
mod file;
mod frame_rule;
pub mod fuzzed;
mod layout;
mod outside;
mod regions;
mod rule;
mod space;
mod stacks;
mod table;

#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

pub use code::Code;
pub use outside::{Registers, walk};
pub use stacks::{Cut, Walks, stacks};
