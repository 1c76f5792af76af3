//! One thread's records of one kind.

use core::cell::{Cell, UnsafeCell};

use locktoll_recording::writer::SegmentWriter;

use super::entries::Index;
use super::keyed::Keyed;

/// One thread's records of one kind.
///
/// `FIRST` is the length of the table before it grows.
pub struct Table<R: 'static, const FIRST: usize> {
    pub index: Index<R>,
    /// The segment where the next record goes.
    pub segment: UnsafeCell<Option<SegmentWriter<R>>>,
    first: [Cell<u64>; FIRST],
}

impl<R: Keyed, const FIRST: usize> Table<R, FIRST> {
    /// Begins empty. The memory is all zeros.
    ///
    /// # Safety
    /// T2 of `thread`.
    pub unsafe fn start(&self) {
        // SAFETY: the caller's promise.
        unsafe { self.segment.get().write(None) };
        self.index.start(&self.first);
    }
}
