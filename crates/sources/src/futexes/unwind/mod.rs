//! Call stacks of programs without frame pointers.
//!
//! The kernel can only follow frame pointers, which the C library and most C++ and Rust programs do not have. So the call frame
//! information (`.eh_frame`) of every file that the process has mapped is converted to a sorted table of rules, by which a
//! program in the kernel walks stacks (`bpf/unwind.bpf.h`).
//!
//! - [`Code`]: the mappings of the processes, their tables, and the transfer to the kernel's maps;
//! - `elf`, `file`: the places of a file's code and of its call frame information;
//! - `eh_frame`, `frame_rule`, `expression`, `rule`: from call frame information to rules of 32 bits;
//! - `table`: rules sorted by address;
//! - `space`, `layout`, `regions`: the kernel's maps;
//! - [`stacks()`]: the results;
//! - [`walk`]: the same walk from outside, of a thread that sleeps; `processor`: for which it was built;
//! - `fuzzed`: the properties that must hold for any bytes.

mod code;
mod eh_frame;
mod elf;
mod expression;
mod file;
mod frame_rule;
pub mod fuzzed;
mod layout;
mod outside;
mod processor;
mod regions;
mod rule;
mod space;
mod stacks;
mod table;

#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

pub use code::Code;
pub(crate) use file::Unwindable;
pub(crate) use outside::walk_by;
pub use outside::{Registers, Walker, walk};
pub(crate) use processor::Processor;
pub(crate) use rule::Rule;
pub use stacks::{Cut, Walks, stacks};
pub(crate) use table::Table;
