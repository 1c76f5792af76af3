//! Records of the part whose contents many threads share: each is written once and has a number.
//!
//! # Invariants
//!
//! - **N1** All of it is touched only by the holder of the recorder's lock.
//! - **N2** `records[id]` is a record of this process's part for every `id` that `numbers` holds; records stay mapped.

use core::cell::{Cell, UnsafeCell};
use core::ptr::null;

use locktoll_recording::layout::{BirthRecord, DropReason, NO_OWNER, Record, StackRecord};
use locktoll_recording::writer::SegmentWriter;

use super::cache::IDS;
use crate::part::Part;

pub type Stacks = Interned<StackRecord>;

pub type Births = Interned<BirthRecord>;

/// Records of one kind, found by their contents. All zeros means empty.
pub struct Interned<R: 'static> {
    /// Open addressing, at most half full; 0 is free.
    numbers: [Cell<u16>; 2 * IDS],
    records: [Cell<*const R>; IDS],
    last: Cell<u16>,
    segment: UnsafeCell<Option<SegmentWriter<R>>>,
}

/// The record to look for.
pub struct Wanted<Is, Fill> {
    /// A hash of the contents: equal contents have equal hashes.
    pub hash: u64,
    /// Whether a record has exactly these contents.
    pub is: Is,
    /// Fills a new record, given its number.
    pub fill: Fill,
    /// The number of records that fit in the first segment.
    pub first_records: u32,
}

impl<R: Record + 'static> Interned<R> {
    /// Forgets what another process may have left. The memory is all zeros.
    ///
    /// # Safety
    /// N1.
    pub unsafe fn start(&self) {
        // SAFETY: N1.
        unsafe { self.segment.get().write(None) };
    }

    /// Returns the number of the record with the wanted contents, or 0 if there is no room for it.
    ///
    /// # Safety
    /// N1.
    pub unsafe fn intern(
        &self,
        wanted: Wanted<impl Fn(&R) -> bool, impl FnOnce(&R, u32)>,
        part: &Part,
    ) -> u32 {
        let mask = self.numbers.len() - 1;
        let mut place = (wanted.hash >> 32) as usize & mask;
        loop {
            let number = self.numbers[place].get();
            if number == 0 {
                break;
            }
            // SAFETY: N2.
            let record = unsafe { self.records[usize::from(number)].get().as_ref() };
            if record.is_some_and(&wanted.is) {
                return u32::from(number);
            }
            place = (place + 1) & mask;
        }
        // SAFETY: N1 is the callee's condition.
        let Some((number, record)) = (unsafe { self.append(wanted, part) }) else {
            part.drop_one(DropReason::StackTableFull);
            return 0;
        };
        self.records[usize::from(number)].set(record);
        self.last.set(number);
        self.numbers[place].set(number);
        u32::from(number)
    }

    /// Returns the record with this number. May be called by any thread.
    ///
    /// # Safety
    /// `number` is 0 or was handed out by [`intern`](Self::intern), which had set the record before.
    pub unsafe fn record(&self, number: u32) -> Option<&'static R> {
        // SAFETY: N2; it is not set a second time.
        unsafe { self.records.get(number as usize)?.get().as_ref() }
    }

    /// # Safety
    /// N1.
    unsafe fn append(
        &self,
        wanted: Wanted<impl Fn(&R) -> bool, impl FnOnce(&R, u32)>,
        part: &Part,
    ) -> Option<(u16, *const R)> {
        let number = self.last.get().checked_add(1)?;
        // SAFETY: N1: nobody else has a reference to the segment.
        let segment = unsafe { &mut *self.segment.get() };
        // SAFETY: N1 is the recorder's lock, which is P1.
        let record = unsafe {
            part.append(segment, NO_OWNER, wanted.first_records, |record| {
                (wanted.fill)(record, u32::from(number));
            })
        };
        let record = record.map_or(null(), |record| record.as_ptr().cast_const());
        (!record.is_null()).then_some((number, record))
    }
}

/// Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4), word by word. The upper bits are well mixed, so
/// they are folded into the lower bits after each word.
pub fn hash(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0x51_7c_c1_b7, |hash: u64, word| {
        let product = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        product ^ product >> 32
    })
}

#[cfg(test)]
mod tests;
