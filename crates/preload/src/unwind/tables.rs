//! Where the tables for a stretch of code are, and how a function's entry is found in them.
//!
//! # Invariants
//!
//! - **U1** Entries are added by the holder of the recorder's lock only, and never changed once `count` covers them.

use core::cell::Cell;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::cursor::{Cursor, Memory};
use super::entry::{self, Entry};

/// How many stretches of code are known at most.
const STRETCHES: usize = 2048;

/// A stretch of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// First address.
    pub start: usize,
    /// The address after the last.
    pub end: usize,
    /// Where `.eh_frame_hdr` of its file is mapped; 0 if it has none.
    pub index: usize,
}

/// All stretches of code that were ever seen, in the order in which they were seen. Zeros are none.
pub struct Tables {
    stretches: [Cell<Stretch>; STRETCHES],
    count: AtomicU32,
}

// SAFETY: U1: a cell is written before `count` covers it, by one thread, and only read after.
unsafe impl Sync for Tables {}

impl Tables {
    /// Adds a stretch, which hides older ones at the same addresses. Without room it is passed over.
    ///
    /// # Safety
    /// U1: the caller holds the recorder's lock.
    pub unsafe fn add(&self, stretch: Stretch) {
        let count = self.count.load(Relaxed);
        if let Some(place) = self.stretches.get(count as usize) {
            place.set(stretch);
            // Release: who sees the count sees the entry.
            self.count.store(count + 1, Release);
        }
    }

    /// How many stretches are known: grows whenever code may have come to an address.
    #[inline]
    pub fn count(&self) -> u32 {
        // Acquire: pairs with the release in `add`. An ordinary load on x86-64.
        self.count.load(Acquire)
    }

    /// The stretch that `address` lies in.
    pub fn find(&self, address: usize) -> Option<Stretch> {
        let known = self.stretches.get(..self.count() as usize)?;
        let mut newest_first = known.iter().rev().map(Cell::get);
        newest_first.find(|stretch| (stretch.start..stretch.end).contains(&address))
    }
}

/// The entry for the function at `pc`, found by the table in the `.eh_frame_hdr` mapped at `index`
/// (Linux Standard Base 5.0, Core, 10.6.2).
pub fn entry_for<M: Memory>(cursor: &mut Cursor<'_, M>, index: usize, pc: usize) -> Option<Entry> {
    /// Version, and the encodings of pointer, count and table.
    const HEADER_BYTES: usize = 4;
    /// Offsets from the index in four bytes each: what every linker writes, and the only one that can be searched.
    const SEARCHABLE: u8 = 0x3b;
    const PAIR_BYTES: usize = 8;
    /// More functions are in no file.
    const FUNCTIONS: usize = 1 << 28;

    cursor.go_to(index, HEADER_BYTES + 2 * 8);
    let version = cursor.u8()?;
    let (pointer, count, table) = (cursor.u8()?, cursor.u8()?, cursor.u8()?);
    if version != 1 || table != SEARCHABLE {
        return None;
    }
    cursor.pointer(pointer, index)?;
    let count = cursor.pointer(count, index)?;
    if count > FUNCTIONS {
        return None;
    }
    let pairs = cursor.address();
    let mut pair = |number: usize| {
        cursor.go_to(pairs.checked_add(number * PAIR_BYTES)?, PAIR_BYTES);
        let begin = index.wrapping_add(cursor.signed(4)? as usize);
        let entry = index.wrapping_add(cursor.signed(4)? as usize);
        Some((begin, entry))
    };
    // The last function that begins at `pc` or before it.
    let (mut low, mut high) = (0, count);
    let mut found = None;
    while low < high {
        let middle = low + (high - low) / 2;
        let (begin, entry) = pair(middle)?;
        if begin <= pc {
            found = Some(entry);
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    entry::read(cursor, found?, pc)
}
