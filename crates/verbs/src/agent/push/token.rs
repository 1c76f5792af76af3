//! The bearer token, from a file.

use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use locktoll_terminal::escape::shown;
use locktoll_terminal::system::files::open_regular;

/// The longest token, in bytes.
const LONGEST: u64 = 16 << 10;

/// Other users may not read it, and only its owner may write it.
const OPEN_TO_OTHERS: u32 = 0o026;

/// Reads the token. Its text is in no message.
///
/// # Errors
/// What is wrong with the file.
pub fn read(path: &Path) -> Result<String, String> {
    let name = shown(path.as_os_str());
    let cannot = |error: std::io::Error| format!("{name}: {error}");
    let file = open_regular(path).map_err(cannot)?;
    let mode = file.metadata().map_err(cannot)?.mode();
    if mode & OPEN_TO_OTHERS != 0 {
        return Err(format!(
            "{name}: other users can read or change the token; `chmod 600` protects it"
        ));
    }
    let mut text = String::new();
    file.take(LONGEST + 1)
        .read_to_string(&mut text)
        .map_err(cannot)?;
    let token = text.trim();
    let is_token = !token.is_empty() && token.bytes().all(|it| it.is_ascii_graphic());
    match is_token && text.len() as u64 <= LONGEST {
        true => Ok(token.to_owned()),
        false => Err(format!(
            "{name}: the file contains no token; accepted: one line of letters, digits and punctuation marks, without spaces"
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_token_that_others_can_read_is_refused_and_never_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        fs::write(&file, "s3cret.-_~+/=\n").unwrap();
        for (mode, is_accepted) in [
            (0o600, true),
            (0o400, true),
            (0o440, true),
            (0o644, false),
            (0o620, false),
            (0o602, false),
        ] {
            fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            match read(&file) {
                Ok(token) => assert!(is_accepted && token == "s3cret.-_~+/=", "{mode:o}"),
                Err(why) => assert!(!is_accepted && !why.contains("s3cret"), "{mode:o}: {why}"),
            }
        }
        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        for wrong in ["", "\n", "s3cret\nInjected: 1", "s3cret x", "s3cr\u{e9}t"] {
            fs::write(&file, wrong).unwrap();
            let why = read(&file).unwrap_err();
            assert!(why.contains("accepted") && !why.contains("s3cr"), "{why}");
        }
        assert!(read(&folder.path().join("missing")).is_err());
        assert!(read(folder.path()).is_err());
    }
}
