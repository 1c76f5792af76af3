//! Replacing some locks and leaving the rest: what `locktoll try --only` asks for.
//!
//! The environment variable `LOCKTOLL_ONLY` names *places*, one a line ([`mod@line`]): a static lock, or the call that
//! initialises locks, or first acquires those that no call initialises. Each object is decided upon once, when it is
//! initialised or first used, and the decision is kept in the object: by the mark of what is replaced (`mark`), by a word
//! that the C library leaves alone in what is left to it (`left`).
//!
//! Condition variables are all ours even so: one may be used with a mutex of ours, and only ours know how to release that.
//!
//! Only where the variable is set do the names go to functions that look at their caller (`with_site!`): otherwise nothing
//! of this is ever run.

#[cfg(any(test, feature = "interpose"))]
mod left;
pub mod line;
#[cfg(any(test, feature = "interpose"))]
mod mapped;
#[cfg(any(test, feature = "interpose"))]
mod places;
#[cfg(any(test, feature = "interpose"))]
mod site;

#[cfg(any(test, feature = "interpose"))]
pub(crate) use site::with_site;
#[cfg(any(test, feature = "interpose"))]
pub use {
    left::left,
    places::{is_asked_for, is_on, read},
};
