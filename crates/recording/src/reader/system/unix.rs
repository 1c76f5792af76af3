//! Unix: texts are the bytes of the recorded system.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;

/// Reads from `offset` on without moving the file's own position (pread(2)): 0 bytes at its end.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    FileExt::read_at(file, buffer, offset)
}

/// Converts a path or an argument, byte for byte.
pub fn text(bytes: &[u8]) -> OsString {
    OsStr::from_bytes(bytes).into()
}
