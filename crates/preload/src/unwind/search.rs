//! Finds a function's entry in the tables of its file.

use super::cursor::{BUFFER_BYTES, Cursor, Memory};
use super::entry::{self, Entry};
use super::stretch::Stretch;

/// Why there is no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// What is mapped there is not what was.
    File,
    /// The file has no entry for the function.
    Entry,
}

/// What an `.eh_frame_hdr` is: the functions of a file by their address (Linux Standard Base 5.0, Core, 10.6.2).
struct Index {
    address: usize,
    /// Where the table is: pairs of a function's address and its entry's.
    pairs: usize,
    count: usize,
}

const PAIR_BYTES: usize = 8;
/// How many pairs are copied at a time.
const CHUNK: usize = BUFFER_BYTES / PAIR_BYTES;

impl Index {
    /// `None` if it is not one, as when its file has gone.
    fn read<M: Memory>(cursor: &mut Cursor<'_, M>, address: usize) -> Option<Self> {
        const HEADER_BYTES: usize = 4 + 2 * 8;
        /// Offsets from the index in four bytes each: what every linker writes, and the only one that can be searched.
        const SEARCHABLE: u8 = 0x3b;
        /// More functions are in no file.
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

    /// The `number`th function's address and its entry's.
    fn pair<M: Memory>(&self, cursor: &mut Cursor<'_, M>, number: usize) -> Option<(usize, usize)> {
        cursor.go_to(self.pairs + number * PAIR_BYTES, PAIR_BYTES);
        let begin = self.address.wrapping_add(cursor.signed(4)? as usize);
        let entry = self.address.wrapping_add(cursor.signed(4)? as usize);
        Some((begin, entry))
    }

    /// The entry of the last function that begins at `pc` or before it. The first begins at `start` or behind, the last
    /// before `end`.
    ///
    /// Functions lie evenly enough that their place can be guessed from the address, which takes a few copies where
    /// halving takes a dozen; every fourth time it is halved all the same, so that no table makes it long.
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

/// The entry for the function at `pc`, which lies in `stretch`.
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
