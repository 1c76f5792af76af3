//! Saved results, read back: what `--json` wrote, and recordings.
//!
//! - `kind`: what a file may hold, and which schema says so.
//! - `encoding`: what a shell may have made of the bytes.
//! - `scan`: a first look through a document, before it is believed.
//! - `open`: from a file to a result, or to one line that says why not.

mod encoding;
mod kind;
mod open;
mod scan;

pub use kind::{Kind, Saved};
pub use open::{is_document, open};
