//! A file that is read in pieces, as [`object`] needs them, up to a limit, so that false sizes in a header cost nothing.

use std::cell::Cell;
use std::fs::File;
use std::ops::Range;

use object::read::{ReadCache, ReadRef};

/// What each answer costs in addition to its bytes, so that a million small ones count, too.
const EACH: u64 = 64;

/// A file, with the number of bytes that may still be read from it.
#[derive(Debug)]
pub struct Bounded<'f> {
    // The file is read, not mapped: if it were truncated meanwhile, a mapping would kill us.
    cache: ReadCache<&'f File>,
    left: Cell<u64>,
}

impl<'f> Bounded<'f> {
    /// Allows reading at most `most` bytes of `file`.
    pub fn new(file: &'f File, most: u64) -> Self {
        Self {
            cache: ReadCache::new(file),
            left: Cell::new(most),
        }
    }

    fn pay(&self, bytes: u64) -> Result<(), ()> {
        let left = self.left.get().checked_sub(bytes.saturating_add(EACH));
        self.left.set(left.unwrap_or(0));
        left.map(drop).ok_or(())
    }
}

impl<'a> ReadRef<'a> for &'a Bounded<'_> {
    fn len(self) -> Result<u64, ()> {
        (&self.cache).len()
    }

    fn read_bytes_at(self, offset: u64, size: u64) -> Result<&'a [u8], ()> {
        self.pay(size)?;
        (&self.cache).read_bytes_at(offset, size)
    }

    fn read_bytes_at_until(self, range: Range<u64>, delimiter: u8) -> Result<&'a [u8], ()> {
        let text = (&self.cache).read_bytes_at_until(range, delimiter)?;
        self.pay(text.len() as u64)?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn no_more_is_read_than_is_allowed() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"some text\0and more").unwrap();
        file.set_len(1 << 40).unwrap();
        let bounded = Bounded::new(&file, 1 << 20);
        assert_eq!((&bounded).read_bytes_at(5, 4), Ok(&b"text"[..]));
        assert_eq!((&bounded).read_bytes_at_until(5..20, 0), Ok(&b"text"[..]));
        assert_eq!((&bounded).read_bytes_at(0, 1 << 39), Err(()));
        assert_eq!((&bounded).read_bytes_at(0, 1), Err(()), "all is spent");
    }
}
