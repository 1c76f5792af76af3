//! Whether a recording may be written to the place that the user wants.

use std::io::{self, ErrorKind, Read};
use std::path::Path;

use locktoll_recording::layout::MAGIC;

use locktoll_terminal::cannot_write::cannot_write;
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::{Destination, There};

/// Returns the place to write to for `output`, with links followed.
///
/// A file that is there now stays as it is until the new recording is whole, and only a recording is ever replaced.
pub fn check(output: &Path) -> Result<Destination, Failure> {
    let name = shown(output.as_os_str());
    let usage = |reason: &str| Failure::Usage(format!("{name} {reason}"));
    let cannot = |error: io::Error| Failure::Usage(cannot_write(output, &error));
    // Links are followed first: replacing a link would leave the file behind it stale.
    let place = Destination::find(output).map_err(|error| match error.kind() {
        ErrorKind::IsADirectory => usage("is a directory; give a file with -o"),
        _ => cannot(error),
    })?;
    match place.there() {
        There::Nothing => {}
        There::Stream => return Err(usage("is not a regular file; give one with -o")),
        There::File if !is_empty_or_a_recording(&place) => {
            return Err(usage(
                "exists and is not a recording, so it is not overwritten; choose another file with -o",
            ));
        }
        There::File => place.try_writing().map_err(cannot)?,
    }
    Ok(place)
}

fn is_empty_or_a_recording(place: &Destination) -> bool {
    let mut start = Vec::new();
    let read = match place.open_file() {
        Ok(Some(file)) => file.take(8).read_to_end(&mut start),
        Ok(None) => return true,
        Err(_) => return false,
    };
    read.is_ok() && (start.is_empty() || start == MAGIC.to_le_bytes())
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
        assert!(refusal(&path.join("below")).contains("x is not a directory"));
    }

    #[test]
    fn a_link_is_followed_to_what_it_stands_for() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(check(&link).unwrap().path(), file.canonicalize().unwrap());
    }
}
