//! Why a file that the user named cannot be written.

use std::io::{self, ErrorKind};
use std::path::Path;

use crate::escape::shown;

/// Returns the refusal in one line. It names the directory if that is the obstacle, and repeats the words of the system if not.
pub fn cannot_write(file: &Path, error: &io::Error) -> String {
    let directory = file.parent().filter(|it| !it.as_os_str().is_empty());
    let why = match (error.kind(), directory) {
        (ErrorKind::NotFound, Some(directory)) if !directory.exists() => {
            format!(
                "the directory {} does not exist; create it, or",
                shown(directory.as_os_str())
            )
        }
        (ErrorKind::NotFound | ErrorKind::NotADirectory, Some(directory))
            if directory.is_file() =>
        {
            format!("{} is not a directory;", shown(directory.as_os_str()))
        }
        _ => format!("{error};"),
    };
    format!(
        "cannot write {}: {why} choose another file with -o",
        shown(file.as_os_str())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_is_named_where_it_is_the_obstacle() {
        let folder = tempfile::tempdir().unwrap();
        let inside = |name: &str| folder.path().join(name);
        std::fs::write(inside("file"), "").unwrap();
        let said = |name: &str, kind: ErrorKind| {
            let words = cannot_write(&inside(name), &kind.into());
            words.replace(&*folder.path().to_string_lossy(), "F")
        };
        for (name, kind, expected) in [
            (
                "no/x",
                ErrorKind::NotFound,
                "the directory F/no does not exist;",
            ),
            (
                "file/x",
                ErrorKind::NotADirectory,
                "F/file is not a directory;",
            ),
            ("x", ErrorKind::NotFound, "entity not found;"),
            ("x", ErrorKind::PermissionDenied, "permission denied;"),
        ] {
            let words = said(&name.replace('/', std::path::MAIN_SEPARATOR_STR), kind);
            assert!(
                words.replace('\\', "/").contains(expected) && words.starts_with("cannot write F"),
                "{words}"
            );
        }
    }
}
