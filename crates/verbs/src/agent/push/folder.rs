//! A folder in which only this user may put requests.

use std::fs::{DirBuilder, File};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

use rustix::fs::{Mode, OFlags, open};
use rustix::process::geteuid;

/// Opens a folder of this user's own, which is created if it is missing.
///
/// # Errors
/// Why its requests cannot be trusted, or why it cannot be opened.
pub fn own(folder: &Path) -> Result<File, String> {
    /// Others could put requests there, which would be sent with the token.
    const WRITABLE_BY_OTHERS: u32 = 0o022;
    let made = DirBuilder::new().mode(0o700).create(folder);
    match made {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            return Err(error.to_string());
        }
        _ => {}
    }
    // Nothing but a folder is opened: opening a pipe would wait.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = open(folder, flags, Mode::empty()).map_err(|error| error.to_string())?;
    let opened = File::from(opened);
    let metadata = opened.metadata().map_err(|error| error.to_string())?;
    if metadata.uid() != geteuid().as_raw() {
        return Err("it belongs to another user".to_owned());
    }
    if metadata.mode() & WRITABLE_BY_OTHERS != 0 {
        return Err("other users may write to it".to_owned());
    }
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_folder_that_others_may_write_to_is_refused_and_a_missing_one_is_made() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("queue");
        own(&folder).unwrap();
        let mode = || fs::metadata(&folder).unwrap().mode() & 0o777;
        assert_eq!(mode(), 0o700);
        for open in [0o777, 0o1777, 0o702, 0o720] {
            fs::set_permissions(&folder, Permissions::from_mode(open)).unwrap();
            assert!(own(&folder).is_err(), "{open:o}");
        }
        let file = parent.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(own(&file).is_err());
        assert!(own(&parent.path().join("missing/queue")).is_err());
    }
}
