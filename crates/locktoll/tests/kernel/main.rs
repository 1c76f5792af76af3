//! `kernel` by the built binary, for real if this user may trace; else each test is skipped.
#![cfg(target_os = "linux")]

mod agreement;
mod manners;
mod privileges;
mod program;
mod reproduced;
mod scope;
#[expect(
    dead_code,
    reason = "shared with the tests of `top`, which use all of it"
)]
#[path = "../top/terminal.rs"]
mod terminal;
