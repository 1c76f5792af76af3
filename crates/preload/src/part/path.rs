//! The path of the file, without an allocator.

use core::cell::Cell;

use crate::sys::Errno;

/// Builds a path in place.
pub struct PathWriter<'a> {
    path: &'a [Cell<u8>],
    length: usize,
}

impl<'a> PathWriter<'a> {
    pub fn new(path: &'a [Cell<u8>]) -> Self {
        Self { path, length: 0 }
    }

    /// Adds `text`. If it does not fit, [`end`](Self::end) reports it.
    pub fn text(&mut self, text: &[u8]) {
        for byte in text {
            if let Some(place) = self.path.get(self.length) {
                place.set(*byte);
            }
            self.length += 1;
        }
    }

    pub fn number(&mut self, number: u32) {
        if number >= 10 {
            self.number(number / 10);
        }
        self.text(&[b'0' + (number % 10) as u8]);
    }

    /// Ends the path with a zero byte, if everything has fitted.
    pub fn end(mut self) -> Result<(), Errno> {
        self.text(b"\0");
        if self.length <= self.path.len() {
            Ok(())
        } else {
            Err(Errno(libc::ENAMETOOLONG))
        }
    }
}
