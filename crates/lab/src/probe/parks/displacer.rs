//! Larger data, which displace what other threads use from the first two caches.
//!
//! 1. The pages of a [`Displacer`] hold a whole cycle, are mapped while it lives, and are not written to.

use crate::probe::refill::{Cycle, PageSize, Pages, Place, walk};

/// A path through larger data.
pub(super) struct Displacer {
    _pages: Pages,
    place: Place,
    steps: usize,
}

impl Displacer {
    /// Makes `bytes` of data in lines of `line_bytes`.
    ///
    /// # Errors
    /// A sentence with the reason, if there is not enough memory.
    pub(super) fn new(bytes: usize, line_bytes: usize) -> Result<Self, String> {
        let mut pages = Pages::map(bytes, PageSize::Small)?;
        let place = Cycle::draw(bytes, line_bytes).write(&mut pages);
        Ok(Self {
            _pages: pages,
            place,
            steps: bytes / line_bytes,
        })
    }

    /// Reads all of it.
    pub(super) fn displace(&mut self) {
        // SAFETY: invariant 1.
        self.place = unsafe { walk(self.place, self.steps) };
    }
}
