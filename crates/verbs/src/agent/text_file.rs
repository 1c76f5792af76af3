//! The file for node-exporter's textfile collector. It gets its name once it is whole, so a reader never sees half of it.

use std::io::Write;
use std::path::Path;

use rustix::fs::stat;

use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::{Destination, NewFile, There};

/// How the name of the unfinished file begins. Its ending is not `.prom`, so node-exporter passes over it.
const UNFINISHED: &str = ".locktoll-agent-";

/// Checks that the file can be written.
///
/// # Errors
/// [`Failure::Usage`] if it cannot, or if other users could put another file in its place.
pub fn check(path: &Path) -> Result<(), Failure> {
    /// All users may write.
    const BY_EVERYBODY: u32 = 0o002;
    let refused = |why: String| {
        Failure::Usage(format!(
            "--textfile {}: {why}; accepted: a file in a folder that only its owner and group may write to, such as /var/lib/prometheus/node-exporter/locktoll.prom",
            shown(path.as_os_str())
        ))
    };
    let place = Destination::find(path).map_err(|error| refused(error.to_string()))?;
    if place.there() == There::Stream {
        return Err(refused("it is not a regular file".to_owned()));
    }
    let folder = match place.path().parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let folder = stat(folder).map_err(|error| refused(error.to_string()))?;
    if folder.st_mode & BY_EVERYBODY != 0 {
        return Err(refused("all users may write to its folder".to_owned()));
    }
    place
        .try_writing()
        .map_err(|error| refused(error.to_string()))
}

/// Writes the file.
///
/// # Errors
/// [`Failure::Run`] with the name of the file.
pub fn write(path: &Path, text: &[u8]) -> Result<(), Failure> {
    put(path, text).map_err(|error| {
        let path = shown(path.as_os_str());
        Failure::Run(anyhow::anyhow!("cannot write {path}: {error}"))
    })
}

fn put(path: &Path, text: &[u8]) -> std::io::Result<()> {
    let place = Destination::find(path)?;
    let mut file = NewFile::begin(&place, UNFINISHED)?;
    file.file().write_all(text)?;
    file.put()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("locktoll.prom");
        check(&file).unwrap();
        for text in [b"one\n", b"two\n"] {
            write(&file, text).unwrap();
            assert_eq!(fs::read(&file).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_everybody_may_write_to_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for mode in [0o777, 0o1777, 0o702] {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
            let refusal = check(&folder.path().join("locktoll.prom")).unwrap_err();
            assert!(
                matches!(&refusal, Failure::Usage(words) if words.contains("all users")),
                "{refusal}"
            );
        }
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let missing = folder.path().join("missing").join("locktoll.prom");
        for wrong in [folder.path(), &missing, Path::new("/dev/null")] {
            let refusal = check(wrong).unwrap_err();
            assert!(
                matches!(&refusal, Failure::Usage(words) if words.contains("accepted")),
                "{refusal}"
            );
        }
    }
}
