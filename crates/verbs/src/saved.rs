//! The contents of a file that `--json` or a recorder wrote.

use std::path::Path;

use crate::arguments::InputArgs;
use locktoll_results::saved::{Saved, is_document, open_document};
use locktoll_sources::recording;
use locktoll_terminal::failure::Failure;

/// Reads the contents of `path`: a recording, a folder of its parts, or a result saved as JSON.
///
/// # Errors
/// [`Failure::Usage`] for a file that is missing or contains something else, [`Failure::Unsupported`] for one that a newer
/// version wrote.
pub fn open(path: &Path, input: InputArgs) -> Result<Saved, Failure> {
    if is_document(path) {
        open_document(path, input.max_bytes)
    } else {
        Ok(Saved::Profile(Box::new(recording::load(path)?)))
    }
}
