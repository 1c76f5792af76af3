//! Windows: texts are Unicode, so bytes of Linux that are not Unicode are shown as replacement characters.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::windows::fs::FileExt;

/// Reads from `offset` on: 0 bytes at the file's end. It moves the file's own position, which is not used here.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek_read(buffer, offset)
}

/// Converts a path or an argument as far as it is UTF-8. It names a file of another system, so it is only ever shown.
pub fn text(bytes: &[u8]) -> OsString {
    std::string::String::from_utf8_lossy(bytes)
        .into_owned()
        .into()
}
