//! A profile as a page for a browser.
//!
//! The page holds the profile's document, `locktoll.profile/1`, cut to what a browser opens at once:
//!
//! - `document`: the profile's document with what the page says beside it.
//! - `rows`: which locks have a row, and which of these open; the others are summed up.
//! - `shut`: a row that does not open; `room`: what the parts may take, so that a page stays below 2 MB.
//! - `flame`: time spent waiting, as a tree of calls; `runtime`: which of these are plumbing.
//! - `places`: each place in the program once, however many stacks lead through it.

mod document;
mod flame;
mod places;
mod room;
mod rows;
mod runtime;
mod shut;

pub use document::page_document;
