//! Small files of `/proc` and `/sys`.

use std::str::FromStr;

/// Returns the text of a file without surrounding white space, if the file can be read and is not empty.
pub fn text(path: &str) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// Reads a file that holds one value.
pub fn value<T: FromStr>(path: &str) -> Option<T> {
    text(path)?.parse().ok()
}
