//! The output of a verb's result.
//!
//! - `put`: writes it in one of the formats of `locktoll_shown`, according to the flags that every verb has.
//! - `target`: to standard output or to a file; `pictures`: into a folder next to it. `duty`: whether that needs privileges.

#[cfg(target_os = "linux")]
mod duty;
mod pictures;
mod put;
mod target;

#[cfg(target_os = "linux")]
pub use duty::{duty, duty_in};
pub use put::{TOP_IS_FOR_TEXT, check, put};
pub use target::{Goes, Target};
