//! A profile as a page for a browser.
//!
//! The page contains the profile's document, `locktoll.profile/1`, cut to a size that a browser opens at
//! once:
//!
//! - `document`: the profile's document with the page's additions.
//! - `rows`: the locks that have a row, and those whose rows open; the others are summed up.
//! - `shut`: a row that does not open; `room`: the sizes of the parts, so that a page stays below 2 MB.
//! - `flame`: time spent waiting, as a tree of calls; `runtime`: the calls of the language's runtime
//!   among them.
//! - `timeline`: the timeline, which may have ten million events.
//! - `drawn`: cycles of lock orders, and alerts, drawn here and not by a script.
//! - `places`: each place in the program once, however many stacks pass through it.

mod document;
mod drawn;
mod flame;
mod places;
mod room;
mod rows;
mod runtime;
mod shut;
pub(super) mod timeline;

pub use document::page_document;
pub use drawn::drawn;
