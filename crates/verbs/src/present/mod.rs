//! The output of a verb's result.
//!
//! - `put`: in one of the formats of `locktoll_shown`, by the flags that every verb has.
//! - `target`: on standard output or in a file. `duty`: whether that needs privileges.

#[cfg(target_os = "linux")]
mod duty;
mod put;
mod target;

#[cfg(target_os = "linux")]
pub use duty::{duty, duty_in};
pub use put::{TOP_IS_FOR_TEXT, check, put};
pub use target::{Goes, Target};
