//! A document that `--json` wrote, or somebody else.

use locktoll_results::saved::{self, MOST_BYTES};

use crate::file;
use crate::forms::{self, Forms};

/// Reads `bytes` as `report` and `compare` read a file, and shows what is in it in every format.
pub fn exercise(bytes: &[u8]) {
    let (_open, path) = file::holding(bytes);
    let _ = saved::is_document(&path);
    match saved::open_document(&path, MOST_BYTES) {
        Ok(result) => forms::check_result(&result, Forms::of(bytes.len())),
        Err(failure) => forms::check_line(&failure.to_string()),
    }
}
