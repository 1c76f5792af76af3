//! Whether a recording may be put where the user wants it.

use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use locktoll_recording::layout::MAGIC;
use rustix::fs::{Access, AtFlags, CWD, accessat};

use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;

/// The file to write for `output`, links followed.
///
/// What is there now stays as it is until the new recording is whole, and only a recording is
/// ever replaced.
pub fn check(output: &Path) -> Result<PathBuf, Failure> {
    let name = shown(output.as_os_str());
    let usage = |reason: &str| Failure::Usage(format!("{name} {reason}"));
    // Links are followed first: replacing a link would leave the file behind it stale.
    let file = match std::fs::canonicalize(output) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => output.to_owned(),
        Err(error) => {
            return Err(usage(&format!(
                "cannot be written: {error}; choose with -o"
            )));
        }
    };
    match std::fs::metadata(&file) {
        Ok(metadata) => existing(&file, &metadata).map_err(|reason| usage(&reason))?,
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => {
            return Err(usage(&format!(
                "cannot be written: {error}; choose with -o"
            )));
        }
    }
    if file.file_name().is_none() {
        return Err(usage("is not the name of a file; give one with -o"));
    }
    Ok(file)
}

/// What keeps a file that is there from being replaced.
fn existing(file: &Path, metadata: &Metadata) -> Result<(), String> {
    let kind = metadata.file_type();
    if kind.is_dir() {
        return Err("is a directory; give a file with -o".to_owned());
    }
    if kind.is_char_device() || kind.is_block_device() || kind.is_fifo() || kind.is_socket() {
        return Err("is not a regular file; give one with -o".to_owned());
    }
    if accessat(CWD, file, Access::WRITE_OK, AtFlags::EACCESS).is_err() {
        return Err("is write-protected; choose another file with -o".to_owned());
    }
    let mut start = Vec::new();
    let read = File::open(file).and_then(|file| file.take(8).read_to_end(&mut start));
    if read.is_err() || !(start.is_empty() || start == MAGIC.to_le_bytes()) {
        return Err(
            "exists and is not a recording, so it is not overwritten; choose another file with -o"
                .to_owned(),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(output: &Path) -> String {
        match check(output) {
            Err(Failure::Usage(text)) => text,
            other => panic!("expected wrong use, got {other:?}"),
        }
    }

    #[test]
    fn only_recordings_and_empty_files_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        check(&path).unwrap();
        for (content, accepted) in [
            (&b""[..], true),
            (b"LOCKTOLL and more", true),
            (b"int main() {}", false),
            (b"LOCK", false),
        ] {
            std::fs::write(&path, content).unwrap();
            assert_eq!(check(&path).is_ok(), accepted, "{content:?}");
            assert_eq!(
                std::fs::read(&path).unwrap(),
                content,
                "looking changes nothing"
            );
        }
        assert!(refusal(&path).contains("not a recording"));
        assert!(refusal(folder.path()).contains("is a directory"));
        assert!(refusal(Path::new("/dev/null")).contains("not a regular file"));
        assert!(refusal(&path.join("below")).contains("cannot be written"));
    }

    #[test]
    fn a_link_is_followed_to_what_it_stands_for() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(check(&link).unwrap(), file.canonicalize().unwrap());
    }
}
