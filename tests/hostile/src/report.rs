//! What `report` makes of a recording.

use locktoll_sources::{findings, recording};

use crate::file;
use crate::forms::{self, Forms};
use crate::pages;

/// Reads a recording, which is packed as `pages` says, as `report` reads a file, and shows what is in it in every format.
pub fn exercise(packed: &[u8]) {
    let bytes = pages::unpacked(packed);
    let (_open, path) = file::holding(&bytes);
    match recording::load(&path) {
        Ok(mut profile) => {
            findings::add(&mut profile);
            forms::check_profile(&profile, Forms::of(packed.len()));
        }
        Err(failure) => forms::check_line(&failure.to_string()),
    }
}
