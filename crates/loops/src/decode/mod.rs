//! From bytes to the model of an instruction, one folder per architecture.

mod aarch64;
mod read;
mod x86;

pub use read::decode;
