//! Obstacles to preload libraries.

use std::path::Path;

use crate::run_program::embedded;

/// Obstacles to preload libraries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preload {
    /// The folder in which libraries will be kept, if one can be used.
    pub folder: Option<String>,
    /// The folders that were passed over before it, and why.
    pub passed_over: Vec<String>,
    /// Whether the loader treats this program as one with raised privileges (getauxval(3), `AT_SECURE`).
    pub secure_execution: bool,
    /// Whether glibc's loader is there.
    pub glibc: bool,
    /// Whether musl's loader is there.
    pub musl: bool,
    /// The user's own value of `LD_PRELOAD`.
    pub users: Option<String>,
}

impl Preload {
    /// Reads everything without creating a folder.
    pub(super) fn read() -> Self {
        let (folder, passed_over) = embedded::likely_folder();
        // SAFETY: getauxval takes no pointer, and a missing entry reads as 0.
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
