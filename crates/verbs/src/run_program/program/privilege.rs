//! Whether running a file raises privileges, which makes the loader ignore a preload library.
//!
//! The kernel then sets `AT_SECURE` (getauxval(3)), and ld.so(8) drops `LD_PRELOAD` entries that
//! contain a slash. The rules are those of credentials(7) and capabilities(7).

use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{Mode, StatVfsMountFlags, fstatvfs};

/// Returns how running the file at `path` would change the identity, in words, or `None`.
pub fn raised_by(path: &Path, file: &File) -> std::io::Result<Option<String>> {
    // With no_new_privs, or on a file system mounted nosuid, the bits have no effect.
    let inert = rustix::thread::no_new_privs().unwrap_or(false)
        || fstatvfs(file.as_fd())?
            .f_flag
            .contains(StatVfsMountFlags::NOSUID);
    if inert {
        return Ok(None);
    }

    let metadata = file.metadata()?;
    let mode = Mode::from_raw_mode(metadata.mode());
    let (uid, gid) = (
        rustix::process::getuid().as_raw(),
        rustix::process::getgid().as_raw(),
    );
    if mode.contains(Mode::SUID) && metadata.uid() != uid {
        return Ok(Some(format!("set-user-id to user {}", metadata.uid())));
    }
    // Without the group's execute bit, the bit means mandatory locking (chmod(2)).
    if mode.contains(Mode::SGID | Mode::XGRP) && metadata.gid() != gid {
        return Ok(Some(format!("set-group-id to group {}", metadata.gid())));
    }
    // The superuser has every capability already, so nothing is raised.
    if uid != 0 && rustix::fs::getxattr(path, "security.capability", &mut [0u8; 64]).is_ok() {
        return Ok(Some("given file capabilities".to_owned()));
    }
    Ok(None)
}
