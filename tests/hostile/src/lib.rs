//! Readers of what others control, fed with any bytes at all.
//!
//! - [`Target`]: a reader by its name, and [`TARGETS`], all of them. Each takes bytes, and must neither panic nor hang, nor take more memory than
//!   [`memory`] grants. `fuzz/` runs each under libFuzzer, the tests here run each over its corpus, `fuzz/seeds`.
//! - `recording`, `report`: a recording (`pages`: without its zeros), and what is made of it; `saved`: a document that `--json` wrote.
//! - `elf`, `frames`: files of code, and their call frame information, as `attach` and as the preload library read it (`preload`).
//! - `perf_map`, `proc`: names of generated code; what /proc says. `words`: the languages of flags (`arguments`); `patterns`: expressions of `try`, and what they find in a program's output; `program`: what is looked at before it starts.
//! - `loops`: machine code around a sample.
//! - `documents`: documents to change; `numbers`: the chance by which they are changed.
//! - `forms`: what any output must keep to; `file`: bytes as a file.

// Files of other crates are compiled here, and their unit tests belong there.
#![cfg(all(target_os = "linux", not(test)))]

mod arguments;
mod documents;
mod elf;
mod file;
mod forms;
mod frames;
mod loops;
pub mod memory;
mod numbers;
mod pages;
mod patterns;
mod perf_map;
mod preload;
mod proc;
mod program;
mod recording;
mod report;
mod saved;
mod target;
mod words;

pub use documents::documents;
pub use forms::{Forms, check_line, check_profile, check_result};
pub use numbers::Numbers;
pub use pages::packed;
pub use target::{TARGETS, Target, named};
