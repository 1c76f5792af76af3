//! Links and files that another user may have placed in a folder that all users may write to.
//!
//! The rules are the kernel's own, fs.protected_symlinks, protected_regular and protected_fifos (proc_sys_fs(5)). They are
//! applied here because the kernel's are off on many machines, and do not cover a file that is replaced by renaming.

use std::io;
use std::path::Path;

use rustix::fs::{FileType, Stat, lstat, stat};

/// All users may create files there, and no user may remove another user's files.
const SHARED: u32 = 0o1002;

/// Refuses `found` in `folder` if it may be a trap.
///
/// # Errors
/// Its kind and its owner, for the message.
pub fn refuse(folder: &Stat, found: &Stat) -> io::Result<()> {
    let own = rustix::process::geteuid().as_raw();
    match may_be_a_trap(folder, found, own) {
        false => Ok(()),
        true => {
            let why = match FileType::from_raw_mode(found.st_mode) {
                FileType::Symlink => "a link that belongs to another user leads there, out of a",
                _ => "what is there belongs to another user, in a",
            };
            let why = format!("{why} folder that everybody may write to");
            Err(io::Error::new(io::ErrorKind::PermissionDenied, why))
        }
    }
}

/// Whether another user may have placed the file at `path`, whose name any user can guess.
pub fn is_planted(path: &Path) -> bool {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let own = rustix::process::geteuid().as_raw();
    let looked = stat(folder).and_then(|folder| Ok((folder, lstat(path)?)));
    looked.is_ok_and(|(folder, found)| may_be_a_trap(&folder, &found, own))
}

/// Whether it belongs neither to this user nor to the folder's owner, who has control there in any case.
fn may_be_a_trap(folder: &Stat, found: &Stat, own: u32) -> bool {
    folder.st_mode & SHARED == SHARED && found.st_uid != own && found.st_uid != folder.st_uid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_own_is_refused_where_everybody_may_write() {
        let some = rustix::fs::stat("/").unwrap();
        let of = |st_uid: u32, st_mode: u32| {
            let mut stat = some;
            (stat.st_uid, stat.st_mode) = (st_uid, st_mode);
            stat
        };
        let refused =
            |folder: &Stat, found: u32| may_be_a_trap(folder, &of(found, 0o120_777), 1000);
        let shared = of(0, 0o41_777);
        assert!(refused(&shared, 65534));
        assert!(!refused(&shared, 1000), "our own");
        assert!(!refused(&shared, 0), "the folder's owner's");
        for mode in [0o40_755, 0o40_777, 0o41_775] {
            assert!(!refused(&of(0, mode), 65534), "{mode:o}");
        }
    }
}
