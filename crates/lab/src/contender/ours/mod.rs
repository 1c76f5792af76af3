//! The locks of `locktoll-locks`.

mod list;
mod raw;
mod recipe;
mod rw;
mod sequence;

pub(super) use list::visit;
pub(super) use raw::{Held, Raw};
pub(super) use recipe::{Gated, Recipe};
