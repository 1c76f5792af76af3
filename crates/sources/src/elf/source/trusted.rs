//! Files that only this user and root can change: they may be mapped, and their references to further files may be
//! followed.

use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The permissions that let the group or others write.
const WRITTEN_BY_OTHERS: u32 = 0o022;
/// A file system whose contents, including the owners, are made up by a process (`linux/magic.h`).
const FUSE: u64 = 0x6573_5546;

/// Returns the path of `file` without links, if `path` leads to it only through folders of ours and root's. Then the files next
/// to it are theirs, too.
pub fn trusted(file: &File, path: &Path) -> Option<PathBuf> {
    let found = file.metadata().ok()?;
    if !is_in_trusted_hands(file) {
        return None;
    }
    // The path is resolved in our view of the file system: the process may have another one.
    let path = path.canonicalize().ok()?;
    let there = path.metadata().ok()?;
    if (there.dev(), there.ino()) != (found.dev(), found.ino()) {
        return None;
    }
    let mut around = path.ancestors().skip(1);
    around
        .all(|folder| folder.metadata().is_ok_and(|it| is_ours(&it)))
        .then_some(path)
}

/// Whether only we and root can change the file.
pub fn is_in_trusted_hands(file: &File) -> bool {
    let is_made_up = rustix::fs::fstatfs(file).is_ok_and(|it| it.f_type as u64 == FUSE);
    !is_made_up && file.metadata().is_ok_and(|it| is_ours(&it))
}

fn is_ours(found: &Metadata) -> bool {
    let own = rustix::process::geteuid().as_raw();
    [0, own].contains(&found.uid()) && found.mode() & WRITTEN_BY_OTHERS == 0
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_trusted_as_long_as_nobody_else_can_change_what_is_there() {
        let libc = Path::new("/bin/sh");
        let file = File::open(libc).unwrap();
        assert_eq!(trusted(&file, libc), libc.canonicalize().ok());
        // The file is another one than its name leads to now.
        assert_eq!(trusted(&file, Path::new("/bin/cat")), None);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "").unwrap();
        let file = File::open(&path).unwrap();
        for (mode, expected) in [(0o644, true), (0o664, false), (0o646, false)] {
            std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            assert_eq!(is_in_trusted_hands(&file), expected, "{mode:o}");
        }
        // Temporary folders are in a place where everybody may write.
        std::fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        assert_eq!(trusted(&file, &path), None);
    }
}
