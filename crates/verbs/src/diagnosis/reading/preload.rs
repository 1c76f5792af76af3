//! Obstacles to preload libraries.

use std::path::Path;

use crate::run_program::embedded;

/// What stands in the way of preload libraries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preload {
    /// The folder that libraries will be kept in, if one can be used.
    pub folder: Option<String>,
    /// Folders that were passed over before it, and why.
    pub passed_over: Vec<String>,
    /// Whether the loader runs this program as one whose privileges were raised (getauxval(3), `AT_SECURE`).
    pub secure_execution: bool,
    /// Whether glibc's loader is there.
    pub glibc: bool,
    /// Whether musl's loader is there.
    pub musl: bool,
    /// What the user has in `LD_PRELOAD`.
    pub users: Option<String>,
}

impl Preload {
    /// Looks, and makes no folder.
    pub(super) fn read() -> Self {
        let (folder, passed_over) = embedded::likely_folder();
        // SAFETY: getauxval takes no pointer, and an entry that is not there reads as 0.
        let secure_execution = unsafe { libc::getauxval(libc::AT_SECURE) } != 0;
        let arch = std::env::consts::ARCH;
        let there = |paths: &[String]| paths.iter().any(|path| Path::new(path).exists());
        let glibc_arch = arch.replace('_', "-");
        Self {
            folder: folder.map(|folder| folder.display().to_string()),
            passed_over,
            secure_execution,
            glibc: there(&[
                format!("/lib64/ld-linux-{glibc_arch}.so.2"),
                format!("/lib/ld-linux-{glibc_arch}.so.1"),
                format!("/lib/ld-linux-{glibc_arch}.so.2"),
            ]),
            musl: there(&[format!("/lib/ld-musl-{arch}.so.1")]),
            users: std::env::var("LD_PRELOAD").ok().filter(|it| !it.is_empty()),
        }
    }
}
