//! The table of words that lead to records.
//!
//! # Invariants
//!
//! - **I1** `entries` is null or points to `1 << (64 - shift)` words that stay mapped for the life of the process.
//!   Replaced tables are emptied, not unmapped, so that code that a signal handler interrupted while it searched one
//!   finds nothing instead of crashing.
//! - **I2** An entry is zero or the address, with its tag, of a record that stays mapped for the life of the process.
//! - **I3** At least a quarter of the entries is zero, so probing ends.
//! - **I4** Only the owner of the table calls its functions; a signal handler may interrupt `insert` and call `find`.
//!
//! Since a bigger table is published pointer first and size second (the order I4 needs), a `find` in between uses too
//! few of its entries. It may find too little, but never reads out of bounds.

use core::cell::Cell;
use core::marker::PhantomData;
use core::sync::atomic::Ordering::{Relaxed, Release};
use core::sync::atomic::compiler_fence;

use super::key::{Key, LINE, Way, next_place};
use super::keyed::{Keyed, key_of};
use crate::sites::SiteAddresses;
use crate::sys;

const ADDRESS_BITS: u32 = 48;
const ADDRESS_MASK: u64 = (1 << ADDRESS_BITS) - 1;

/// A table of records. All zeros, as in wiped memory, is an empty table.
pub struct Index<R: 'static> {
    entries: Cell<*const Cell<u64>>,
    shift: Cell<u32>,
    used: Cell<u32>,
    /// Whether `entries` is a separate mapping rather than part of a larger structure.
    mapped: Cell<bool>,
    records: PhantomData<&'static R>,
}

impl<R: Keyed> Index<R> {
    /// Makes `entries` the table. All of them are zero, and their number is a power of two.
    ///
    /// They lie in the same structure as this index, which keeps I1.
    pub fn start<const N: usize>(&self, entries: &[Cell<u64>; N]) {
        const { assert!(N.is_power_of_two() && N >= LINE) };
        self.used.set(0);
        self.mapped.set(false);
        self.shift.set(64 - N.ilog2());
        compiler_fence(Release);
        self.entries.set(entries.as_ptr());
    }

    pub fn used(&self) -> u32 {
        self.used.get()
    }

    /// Whether [`start`](Self::start) was called since the memory was last wiped.
    #[inline(always)]
    pub fn is_started(&self) -> bool {
        !self.entries.get().is_null()
    }

    fn length(&self) -> usize {
        1 << (64 - self.shift.get())
    }

    #[inline(always)]
    pub fn find(&self, key: Key, sites: &SiteAddresses) -> Option<&'static R> {
        self.search(key, sites, |generation| generation == key.generation)
    }

    /// Returns the record of an earlier lock at the address of `key`, if there are `many` of them.
    pub fn find_one_of_many_gone(
        &self,
        key: Key,
        sites: &SiteAddresses,
        many: usize,
    ) -> Option<&'static R> {
        let mut found = 0;
        self.search(key, sites, |generation| {
            found += usize::from(generation != key.generation);
            found >= many
        })
    }

    #[inline(always)]
    fn search(
        &self,
        key: Key,
        sites: &SiteAddresses,
        mut is: impl FnMut(u32) -> bool,
    ) -> Option<&'static R> {
        let entries = self.entries.get();
        if entries.is_null() {
            return None;
        }
        let way = key.way();
        let shift = self.shift.get();
        let mask = (1_usize << (64 - shift)) - 1;
        let mut place = way.first_place(shift) & mask;
        let mut step = 0;
        loop {
            // SAFETY: I1 and the mask.
            let entry = unsafe { (*entries.add(place)).get() };
            if entry == 0 {
                return None;
            }
            if entry >> ADDRESS_BITS == way.tag() {
                // SAFETY: I2.
                let record = unsafe { &*((entry & ADDRESS_MASK) as *const R) };
                let head = record.head();
                if head.lock.load(Relaxed) == key.lock as u64
                    && head.entry.load(Relaxed) == key.entry.number()
                    && sites.get(head.site.load(Relaxed)) == key.site
                    && record.other() == key.other
                    && is(head.generation.load(Relaxed))
                {
                    return Some(record);
                }
            }
            place = next_place(place, step, mask);
            step += 1;
        }
    }

    /// Whether the next [`insert`](Self::insert) has room.
    pub fn has_room(&self) -> bool {
        (self.used.get() as usize + 1) * 4 <= self.length() * 3
    }

    /// Doubles the length of the table. Returns `false` if there is no memory.
    pub fn grow(&self, sites: &SiteAddresses) -> bool {
        let old = self.entries.get();
        if old.is_null() {
            // The memory was wiped: a signal handler has forked, and this is the child.
            return false;
        }
        let old_length = self.length();
        let new_shift = self.shift.get() - 1;
        let Ok(memory) = sys::map_private_wiped_on_fork(old_length * 2 * size_of::<u64>()) else {
            return false;
        };
        sys::prefer_large_pages(memory, old_length * 2 * size_of::<u64>());
        let new = memory.as_ptr() as *const Cell<u64>;
        for place in 0..old_length {
            // SAFETY: I1.
            let entry = unsafe { (*old.add(place)).get() };
            if entry != 0 {
                // SAFETY: I2.
                let record = unsafe { &*((entry & ADDRESS_MASK) as *const R) };
                // SAFETY: `new` has the length given by `new_shift`, and at most half of it is filled.
                unsafe { put(new, new_shift, key_of(record, sites).way(), record) };
            }
        }
        // The order that the module's documentation promises.
        self.entries.set(new);
        compiler_fence(Release);
        self.shift.set(new_shift);
        if self.mapped.replace(true) {
            // SAFETY: I1 keeps it mapped; zeros in a replaced table are an empty table.
            unsafe { sys::discard(old.cast(), old_length * size_of::<u64>()) };
        }
        true
    }

    /// Adds `record`, which has been filled for `key` and stays mapped (I2). Needs room: see [`has_room`](Self::has_room).
    pub fn insert(&self, key: Key, record: &'static R) {
        let (entries, shift) = (self.entries.get(), self.shift.get());
        if entries.is_null() {
            // As in `grow`.
            return;
        }
        // SAFETY: I1; the caller checked for room, which keeps I3.
        unsafe { put(entries, shift, key.way(), record) };
        self.used.set(self.used.get() + 1);
    }
}

/// Puts `record` into the first free entry on its probe path.
///
/// # Safety
/// `entries` is a table of the length given by `shift` (I1), with a free entry (I3).
unsafe fn put<R>(entries: *const Cell<u64>, shift: u32, way: Way, record: &'static R) {
    let mask = (1_usize << (64 - shift)) - 1;
    let mut place = way.first_place(shift) & mask;
    let mut step = 0;
    loop {
        // SAFETY: the caller's promise and the mask.
        let entry = unsafe { &*entries.add(place) };
        if entry.get() == 0 {
            entry.set(core::ptr::from_ref(record) as u64 | way.tag() << ADDRESS_BITS);
            return;
        }
        place = next_place(place, step, mask);
        step += 1;
    }
}

#[cfg(test)]
mod tests;
