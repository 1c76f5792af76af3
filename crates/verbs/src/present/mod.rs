//! How a verb's result reaches its reader.
//!
//! - `put`: in one of the formats of `locktoll_shown`, by the flags that every verb has.
//! - `target`: on standard output or in a file.

mod put;
mod target;

pub use put::{TOP_IS_FOR_TEXT, check, put};
pub use target::{Goes, Target};
