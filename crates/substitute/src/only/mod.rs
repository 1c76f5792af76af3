//! Replacing some locks and leaving the rest, for `locktoll try --only`.
//!
//! The environment variable `LOCKTOLL_ONLY` names *places*, one per line ([`mod@line`]): a static lock; a call that
//! initialises locks; or a call that first acquires locks that no call initialises. The decision about each object is made
//! once, when it is initialised or first used, and stored in the object: in a replaced object by the mark (`mark`), in the
//! others by a word that the C library leaves alone (`left`).
//!
//! All condition variables are replaced even so: one may be used with a replaced mutex, and only this library's conditions
//! can release that.
//!
//! The exported names are connected to functions that examine their caller (`with_site!`) only if the variable is set;
//! otherwise none of this runs.

#[cfg(any(test, feature = "interpose"))]
mod left;
pub mod line;
#[cfg(any(test, feature = "interpose"))]
mod mapped;
#[cfg(any(test, feature = "interpose"))]
mod places;
#[cfg(any(test, feature = "interpose"))]
mod site;

#[cfg(test)]
pub use places::while_asked_for;
#[cfg(any(test, feature = "interpose"))]
pub(crate) use site::with_site;
#[cfg(any(test, feature = "interpose"))]
pub use {
    left::left,
    places::{is_asked_for, is_on, read},
};
