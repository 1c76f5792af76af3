//! Core files (core(5)): the memory, the threads and the files of a process as they were when it was dumped.
//!
//! - `notes`: the kernel's notes; `file`: the file as a whole; `memory`: the memory in it, and in the files that it had mapped.

mod file;
mod memory;
mod notes;

pub use file::CoreFile;
pub use memory::CoreMemory;
