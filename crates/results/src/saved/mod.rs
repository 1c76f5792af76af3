//! Saved results, read back: what `--json` wrote.
//!
//! - `any`: what a file may hold.
//! - `encoding`: what a shell may have made of the bytes.
//! - `scan`: a first look through a document, before it is believed.
//! - `open`: from a file to a result, or to one line that says why not.

mod any;
mod encoding;
mod open;
mod scan;

pub use any::Saved;
pub use open::{MOST_BYTES, from_json, is_document, open_document, safe};
