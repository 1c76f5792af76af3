//! The places of the locks in memory.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::io::{Error, ErrorKind};
use std::marker::PhantomData;
use std::ptr::NonNull;

use crate::harness::{Contender, CreateError, LockOptions};

use super::placement::{PAGE, Placement};

/// Two lines: processors that fetch lines in pairs would otherwise couple neighbours.
const SPACING: usize = 128;

/// The locks of a cell: `stripes` rows of `levels` locks, each on its own cache lines and `offset` bytes into its first line.
///
/// Invariants:
/// - **A1** `base` points to an allocation of `layout`, aligned to a page and to [`SPACING`] at least.
/// - **A2** the first `made` places hold live locks; a place begins at `first + index * stride`, which is inside the
///   allocation, is aligned for `L` and leaves room for one `L` before the next.
pub(super) struct Arena<L> {
    base: NonNull<u8>,
    layout: Layout,
    first: NonNull<u8>,
    stride: usize,
    levels: usize,
    made: usize,
    locks: PhantomData<L>,
}

// SAFETY: the arena owns its locks (A2) and hands out only shared references, which `Contender` allows from any thread.
unsafe impl<L: Contender> Send for Arena<L> {}
// SAFETY: as above.
unsafe impl<L: Contender> Sync for Arena<L> {}

impl<L: Contender> Arena<L> {
    /// Makes `stripes * levels` free locks, each `offset` bytes into a cache line. The first line is where `placement` puts it.
    pub(super) fn new(
        stripes: usize,
        levels: usize,
        offset: usize,
        options: &LockOptions,
        placement: &mut Placement,
    ) -> Result<Self, CreateError> {
        let alignment = align_of::<L>().max(SPACING);
        if !offset.is_multiple_of(align_of::<L>()) {
            return Err(CreateError {
                what: "place the lock within its cache line",
                source: Error::new(
                    ErrorKind::InvalidInput,
                    format!("this lock needs a multiple of {} bytes", align_of::<L>()),
                ),
            });
        }
        let stride = (offset + size_of::<L>().max(1)).next_multiple_of(alignment);
        let count = stripes * levels;
        let into_page = placement.offset(alignment);
        let layout = Layout::from_size_align(into_page + stride * count, alignment.max(PAGE))
            .expect("the flags bound the number of locks");
        // SAFETY: the layout's size is not zero, since stride and count are not.
        let base = unsafe { alloc(layout) };
        let base = NonNull::new(base).unwrap_or_else(|| handle_alloc_error(layout));
        // SAFETY: both are less than the layout's size.
        let first = unsafe { base.add(into_page + offset) };
        let mut arena = Self {
            base,
            layout,
            first,
            stride,
            levels,
            made: 0,
            locks: PhantomData,
        };
        for index in 0..count {
            let lock = L::create(options)?;
            // SAFETY: A1 and A2: the place is inside the allocation, aligned and not yet used.
            unsafe { arena.place(index).write(lock) };
            arena.made += 1;
        }
        Ok(arena)
    }

    /// Returns the number of locks in one stripe.
    #[inline]
    pub(super) fn levels(&self) -> usize {
        self.levels
    }

    /// Returns the lock at `level` of `stripe`.
    #[inline]
    pub(super) fn lock(&self, stripe: usize, level: usize) -> &L {
        let index = stripe * self.levels + level;
        debug_assert!(index < self.made);
        // SAFETY: A2: workloads aim below their own number of stripes, and the ladder stays below `levels`, so the place holds a
        // live lock.
        unsafe { &*self.place(index) }
    }

    #[inline]
    fn place(&self, index: usize) -> *mut L {
        // SAFETY: A2: the place is inside the allocation.
        unsafe { self.first.as_ptr().add(index * self.stride).cast() }
    }
}

impl<L> Drop for Arena<L> {
    fn drop(&mut self) {
        for index in 0..self.made {
            // SAFETY: A2: the first `made` places hold live locks, and no reference to them is left.
            unsafe {
                let place = self.first.as_ptr().add(index * self.stride);
                place.cast::<L>().drop_in_place();
            }
        }
        // SAFETY: A1.
        unsafe { dealloc(self.base.as_ptr(), self.layout) };
    }
}
