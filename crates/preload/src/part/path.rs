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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_put_together_and_ends_with_a_zero() {
        let room = [const { Cell::new(b'?') }; 12];
        let mut path = PathWriter::new(&room);
        path.text(b"/p/");
        for number in [0, 9, 10, 1_204] {
            path.number(number);
        }
        assert_eq!(path.end(), Ok(()));
        let written: Vec<u8> = room.iter().map(Cell::get).collect();
        assert_eq!(written, b"/p/09101204\0");
    }

    #[test]
    fn a_path_that_does_not_fit_with_its_end_is_refused() {
        for (length, expected) in [(3, Ok(())), (4, Err(Errno(libc::ENAMETOOLONG)))] {
            let room = [const { Cell::new(0) }; 4];
            let mut path = PathWriter::new(&room);
            path.text(&b"abcd"[..length]);
            assert_eq!(path.end(), expected, "{length}");
        }
    }
}
