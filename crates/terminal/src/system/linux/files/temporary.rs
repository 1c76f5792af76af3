//! Folders for temporary files.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;

use tempfile::{Builder, TempDir};

/// A new temporary folder that nobody else can look into: the crate's own default goes by the user's mask.
///
/// # Errors
/// What the system says.
pub fn private_folder(prefix: &str) -> io::Result<TempDir> {
    let ours = Permissions::from_mode(0o700);
    Builder::new().prefix(prefix).permissions(ours).tempdir()
}
