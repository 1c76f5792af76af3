//! `doctor` by the built binary, on the system that the tests run on and in confinements that they make for it.
#![cfg(target_os = "linux")]

mod confined;
mod document;
mod program;
mod remedies;
