//! Reads the results to merge.

use std::path::PathBuf;

use locktoll_results::reproduction::Reproduction;
use locktoll_results::saved::{MOST_BYTES, Saved, is_document, open_document};
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;

/// A saved result, and the name of its file for messages.
#[derive(Debug)]
pub struct Result {
    /// The name of the file.
    pub file: String,
    /// Its contents.
    pub result: Reproduction,
}

const ACCEPTED: &str = "accepted: results that `locktoll reproduce --json` or `-o FILE.json` wrote";

/// Reads the results in the files.
///
/// # Errors
/// [`Failure::Usage`] for a file that is missing or contains something else, [`Failure::Unsupported`] for one that a newer
/// version wrote.
pub fn read(paths: &[PathBuf]) -> std::result::Result<Vec<Result>, Failure> {
    let read = |path: &PathBuf| {
        let file = shown(path.as_os_str());
        if path.is_file() && !is_document(path) {
            return Err(Failure::Usage(format!(
                "{file} is not a saved result; {ACCEPTED}"
            )));
        }
        match open_document(path, MOST_BYTES)? {
            Saved::Reproduce(result) => Ok(Result {
                file,
                result: *result,
            }),
            other => Err(Failure::Usage(format!(
                "{file} is {}, not one of `reproduce`; {ACCEPTED}",
                other.kind().described()
            ))),
        }
    };
    paths.iter().map(read).collect()
}
