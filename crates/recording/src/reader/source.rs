//! The source of the bytes.

use std::fs::File;
use std::io;

use super::system;

/// Bytes that can be read at any position.
///
/// A file is read, not mapped: if a mapped file were truncated, we would be killed with `SIGBUS`.
pub trait Source {
    /// Returns the present number of bytes.
    ///
    /// # Errors
    /// The error of the file system.
    fn length(&self) -> io::Result<u64>;

    /// Fills `buffer` from `offset` on as far as there are bytes, and returns their number.
    ///
    /// # Errors
    /// The error of the file system.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
}

impl Source for [u8] {
    fn length(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|offset| self.get(offset..))
            .unwrap_or(&[]);
        let taken = rest.len().min(buffer.len());
        buffer[..taken].copy_from_slice(&rest[..taken]);
        Ok(taken)
    }
}

impl Source for File {
    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            let Some(place) = offset.checked_add(filled as u64) else {
                break;
            };
            match system::read_at(self, &mut buffer[filled..], place) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}
