//! Folders for temporary files.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;

use tempfile::{Builder, TempDir};

/// Makes a temporary folder that no other user can read: the crate's default would follow the user's mask.
///
/// # Errors
/// The error of the system.
pub fn private_folder(prefix: &str) -> io::Result<TempDir> {
    let ours = Permissions::from_mode(0o700);
    Builder::new().prefix(prefix).permissions(ours).tempdir()
}
