//! Finds the JDK.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Finds the `java` of `$JAVA_HOME`, or else the first one in `$PATH`.
///
/// # Errors
/// A sentence that says that there is none, and where it was looked for.
pub(super) fn java(java_home: Option<&OsStr>, path: Option<&OsStr>) -> Result<PathBuf, String> {
    let home = java_home.filter(|home| !home.is_empty());
    let of_home = home.map(|home| Path::new(home).join("bin"));
    let of_path = path.into_iter().flat_map(std::env::split_paths);
    of_home
        .into_iter()
        .chain(of_path)
        // An empty entry would mean the current folder.
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join("java"))
        .find(|file| is_executable(file))
        .ok_or_else(|| match home {
            Some(home) => format!(
                "no JDK found: no `bin/java` in JAVA_HOME ({}), no `java` in PATH",
                home.display()
            ),
            None => "no JDK found: JAVA_HOME is not set, no `java` in PATH".into(),
        })
}

fn is_executable(file: &Path) -> bool {
    std::fs::metadata(file)
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_java(mode: u32) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bin/java");
        std::fs::create_dir(folder.path().join("bin")).unwrap();
        std::fs::write(&file, "").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        folder
    }

    #[test]
    fn java_home_goes_before_the_path() {
        let (home, other) = (with_java(0o755), with_java(0o755));
        let path = other.path().join("bin");
        let found = java(Some(home.path().as_os_str()), Some(path.as_os_str())).unwrap();
        assert!(found.starts_with(home.path()));
        assert!(
            java(None, Some(path.as_os_str()))
                .unwrap()
                .starts_with(other.path())
        );
    }

    #[test]
    fn what_cannot_be_executed_is_passed_over() {
        let (broken, other) = (with_java(0o644), with_java(0o755));
        let path = std::env::join_paths([
            broken.path().join("bin"),
            "".into(),
            other.path().join("bin"),
        ])
        .unwrap();
        assert!(java(None, Some(&path)).unwrap().starts_with(other.path()));
    }

    #[test]
    fn none_says_where_it_was_looked_for() {
        let nowhere = tempfile::tempdir().unwrap();
        let reason = java(Some(nowhere.path().as_os_str()), None).unwrap_err();
        assert!(
            reason.starts_with("no JDK found") && reason.contains("JAVA_HOME ("),
            "{reason}"
        );
        let reason = java(Some(OsStr::new("")), Some(OsStr::new("/nonexistent"))).unwrap_err();
        assert!(reason.contains("JAVA_HOME is not set"), "{reason}");
    }
}
