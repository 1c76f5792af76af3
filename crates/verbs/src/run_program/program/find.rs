//! Finds the program by the search of `execvp(3)`.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, accessat};

use locktoll_terminal::escape::{shown, word};
use locktoll_terminal::failure::Failure;

/// Returns the file that `execvp(3)` would run for `name`, given the value of `PATH`.
///
/// A name with a slash is used unchanged; any other is looked up in each folder of `PATH`, where an empty entry means the working
/// directory.
pub fn find(name: &OsStr, path: Option<&OsStr>) -> Result<PathBuf, Failure> {
    if name.is_empty() {
        return Err(Failure::Usage(
            "the program's name is empty; give the program and its arguments after `--`".to_owned(),
        ));
    }
    if name.as_bytes().contains(&b'/') {
        let program = PathBuf::from(name);
        return match obstacle(&program) {
            None => Ok(program),
            Some(obstacle) => Err(Failure::Usage(
                obstacle.refusal(name, "give the path of an executable file"),
            )),
        };
    }

    // The behaviour of `execvp` when PATH is not set is up to the C library; glibc then searches these folders.
    let default = OsString::from("/bin:/usr/bin");
    let path = path.unwrap_or(&default);
    let mut found_but = None;
    for folder in std::env::split_paths(path) {
        let candidate = if folder.as_os_str().is_empty() {
            Path::new(".").join(name)
        } else {
            folder.join(name)
        };
        match obstacle(&candidate) {
            None => return Ok(candidate),
            Some(Obstacle::Missing) => {}
            Some(obstacle) => {
                found_but.get_or_insert((candidate, obstacle));
            }
        }
    }
    let advice = "give a program on PATH, or its path with a slash (./program)";
    Err(Failure::Usage(match found_but {
        Some((file, obstacle)) => obstacle.refusal(file.as_os_str(), advice),
        None => format!("no program named {} is on PATH; {advice}", shown(name)),
    }))
}

/// Reasons why a file cannot be executed.
#[derive(Clone, Copy)]
enum Obstacle {
    /// We may not enter its folder.
    Unreachable,
    Missing,
    Directory,
    /// A device, a socket, a pipe.
    NotAFile,
    NotExecutable,
}

impl Obstacle {
    /// Returns the refusal of `file`, with a suggestion: `advice`, unless there is a better one.
    fn refusal(self, file: &OsStr, advice: &str) -> String {
        let name = shown(file);
        match self {
            Self::Unreachable => {
                format!("{name} cannot be reached (permission denied on its directory); {advice}")
            }
            Self::Missing => format!("{name} does not exist; check the path"),
            Self::Directory => format!("{name} is a directory; {advice}"),
            Self::NotAFile => format!("{name} is not a regular file; {advice}"),
            Self::NotExecutable => format!(
                "{name} is not executable; if it is a program: chmod +x {}",
                word(file)
            ),
        }
    }
}

/// Returns the reason why `file` cannot be executed, or `None`.
fn obstacle(file: &Path) -> Option<Obstacle> {
    let metadata = match std::fs::metadata(file) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            return Some(Obstacle::Unreachable);
        }
        Err(_) => return Some(Obstacle::Missing),
    };
    if metadata.is_dir() {
        return Some(Obstacle::Directory);
    }
    if !metadata.is_file() {
        return Some(Obstacle::NotAFile);
    }
    // Effective ids, as `execve(2)` uses; even root needs one execute bit.
    match accessat(CWD, file, Access::EXEC_OK, AtFlags::EACCESS) {
        Ok(()) => None,
        Err(_) => Some(Obstacle::NotExecutable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn usage(result: Result<PathBuf, Failure>) -> String {
        match result {
            Err(Failure::Usage(text)) => text,
            other => panic!("expected wrong use, got {other:?}"),
        }
    }

    #[test]
    fn the_first_executable_on_path_wins_and_plain_files_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let (plain, runnable) = (folder.path().join("a"), folder.path().join("b"));
        for (place, mode) in [(&plain, 0o644), (&runnable, 0o755)] {
            std::fs::create_dir(place).unwrap();
            let tool = place.join("tool");
            std::fs::write(&tool, "").unwrap();
            std::fs::set_permissions(&tool, PermissionsExt::from_mode(mode)).unwrap();
        }
        let path = std::env::join_paths([&plain, &runnable]).unwrap();
        let found = find(OsStr::new("tool"), Some(&path)).unwrap();
        assert_eq!(found, runnable.join("tool"));

        let text = usage(find(OsStr::new("tool"), Some(plain.as_os_str())));
        let end = format!("a program: chmod +x {}", plain.join("tool").display());
        assert!(
            text.contains("not executable") && text.ends_with(&end),
            "{text}"
        );
    }

    #[test]
    fn what_cannot_be_run_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let text = usage(find(folder.path().as_os_str(), None));
        assert!(text.contains("is a directory"), "{text}");
        let absent = folder.path().join("absent");
        let text = usage(find(absent.as_os_str(), None));
        assert!(text.contains("does not exist"), "{text}");
        let text = usage(find(OsStr::new("absent"), Some(OsStr::new("/nowhere"))));
        assert!(
            text.contains("no program named absent is on PATH"),
            "{text}"
        );
        usage(find(OsStr::new(""), None));
    }
}
