//! Rights of files.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use tempfile::Builder;

/// A temporary file's builder with the rights that a new report has: as any new file's, less what the user's mask takes.
pub fn for_a_report<'a, 'b, 'c>(builder: &'a mut Builder<'b, 'c>) -> &'a mut Builder<'b, 'c> {
    builder.permissions(Permissions::from_mode(0o666))
}
