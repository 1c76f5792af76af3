//! Finds a function's entry in the tables of its file.

use super::cursor::{BUFFER_BYTES, Cursor, Memory};
use super::entry::{self, Entry};
use super::stretch::Stretch;

/// Why there is no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Something else is mapped there now.
    File,
    /// The file has no entry for the function.
    Entry,
}

/// The contents of an `.eh_frame_hdr`: the functions of a file by their address (Linux Standard Base 5.0, Core, 10.6.2).
struct Index {
    address: usize,
    /// The address of the table: pairs of a function's address and its entry's address.
    pairs: usize,
    count: usize,
}

const PAIR_BYTES: usize = 8;
/// The number of pairs copied at a time.
const CHUNK: usize = BUFFER_BYTES / PAIR_BYTES;

impl Index {
    /// Returns `None` if it is not an index, for example because its file was unmapped.
    fn read<M: Memory>(cursor: &mut Cursor<'_, M>, address: usize) -> Option<Self> {
        const HEADER_BYTES: usize = 4 + 2 * 8;
        /// Offsets from the index in four bytes each. Every linker writes this encoding, and only this one can be searched.
        const SEARCHABLE: u8 = 0x3b;
        /// No file has more functions than this.
        const FUNCTIONS: usize = 1 << 28;
        cursor.go_to(address, HEADER_BYTES);
        let version = cursor.u8()?;
        let (pointer, count, table) = (cursor.u8()?, cursor.u8()?, cursor.u8()?);
        if version != 1 || table != SEARCHABLE {
            return None;
        }
        cursor.pointer(pointer, address)?;
        let count = cursor.pointer(count, address)?;
        let pairs = cursor.address();
        pairs.checked_add(FUNCTIONS * PAIR_BYTES)?;
        (count <= FUNCTIONS).then_some(Self {
            address,
            pairs,
            count,
        })
    }

    /// Returns the `number`th function's address and its entry's address.
    fn pair<M: Memory>(&self, cursor: &mut Cursor<'_, M>, number: usize) -> Option<(usize, usize)> {
        cursor.go_to(self.pairs + number * PAIR_BYTES, PAIR_BYTES);
        let begin = self.address.wrapping_add(cursor.signed(4)? as usize);
        let entry = self.address.wrapping_add(cursor.signed(4)? as usize);
        Some((begin, entry))
    }

    /// Returns the entry of the last function that begins at or before `pc`. The first function begins at or after `start`,
    /// the last before `end`.
    ///
    /// Functions lie evenly enough that their place can be guessed from the address, which takes a few copies where bisection
    /// takes a dozen. Every fourth step bisects all the same, so that no table makes the search long.
    fn search<M: Memory>(
        &self,
        cursor: &mut Cursor<'_, M>,
        pc: usize,
        start: usize,
        end: usize,
    ) -> Option<usize> {
        let (mut low, mut high) = (0, self.count);
        let (mut low_begin, mut high_begin) = (start, end);
        for round in 1.. {
            if high - low <= CHUNK {
                break;
            }
            let is_halved = round % 4 == 0;
            let middle = if !is_halved && low_begin <= pc && pc < high_begin {
                let part = (pc - low_begin) as u128 * (high - low) as u128;
                low + (part / (high_begin - low_begin) as u128) as usize
            } else {
                low + (high - low) / 2
            };
            let first = middle.saturating_sub(CHUNK / 2).clamp(low, high - CHUNK);
            cursor.fill(self.pairs + first * PAIR_BYTES);
            let (first_begin, _) = self.pair(cursor, first)?;
            let (last_begin, _) = self.pair(cursor, first + CHUNK - 1)?;
            if pc < first_begin {
                (high, high_begin) = (first, first_begin);
            } else if pc >= last_begin {
                (low, low_begin) = (first + CHUNK - 1, last_begin);
            } else {
                (low, high) = (first, first + CHUNK - 1);
            }
        }
        let mut found = None;
        while low < high {
            let middle = low + (high - low) / 2;
            let (begin, entry) = self.pair(cursor, middle)?;
            if begin <= pc {
                found = Some(entry);
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        found
    }
}

/// Finds the entry for the function at `pc`, which lies in `stretch`.
pub fn entry_for<M: Memory>(
    cursor: &mut Cursor<'_, M>,
    stretch: Stretch,
    pc: usize,
) -> Result<Entry, Missing> {
    if stretch.index == 0 {
        return Err(Missing::Entry);
    }
    let index = Index::read(cursor, stretch.index).ok_or(Missing::File)?;
    let address = index.search(cursor, pc, stretch.start, stretch.end);
    let entry = address.and_then(|address| entry::read(cursor, address, pc));
    entry.ok_or(Missing::Entry)
}
