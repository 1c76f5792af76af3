//! Rights of files.

use tempfile::Builder;

/// A temporary file's builder with the rights that a new report has: those that its folder gives every new file.
pub fn for_a_report<'a, 'b, 'c>(builder: &'a mut Builder<'b, 'c>) -> &'a mut Builder<'b, 'c> {
    builder
}
