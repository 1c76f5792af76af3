//! The locks of `locktoll-locks`.

mod list;
pub(super) mod raw;
mod recipe;
mod rw;
mod sequence;

pub(super) use list::{of, visit};
pub(super) use raw::Raw;
pub(super) use recipe::{Gated, Recipe};
