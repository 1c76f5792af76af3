//! `kernel` by the built binary, for real where this user may trace; else each test is skipped.
#![cfg(target_os = "linux")]

mod agreement;
mod manners;
mod program;
mod reproduced;
mod scope;
