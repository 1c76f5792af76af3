//! Reads back the results that `--json` saved.
//!
//! - `any`: the results that a file may contain.
//! - `encoding`: the encodings that a shell may have used.
//! - `scan`: a first check of a document, before it is trusted.
//! - `open`: from a file to a result, or to one line with the reason why not.

mod any;
mod encoding;
mod open;
mod scan;

pub use any::Saved;
pub use open::{MOST_BYTES, from_json, is_document, open_document, safe};
