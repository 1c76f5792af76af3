//! A timeline as the page has it: every event in columns that a browser reads within a second.
//!
//! - `document`: the part of the page's document; `remarks`: what the recording does not have, in words.
//! - `sorted`: the intervals by thread; `interval`: one of them.
//! - `columns`: the intervals as compressed blocks; `derived`: figures that the page finds in other intervals.
//! - `overview`: what the page draws before it has read the blocks.
//! - `longest`: the longest waits as a table of texts, for browsers that do not run scripts.

mod columns;
mod derived;
mod document;
mod interval;
mod longest;
mod overview;
mod remarks;
mod sorted;

pub use document::timeline_document;
pub use remarks::remarks;
