//! A function is found by any of its addresses, in tables of any length.

use std::cell::Cell;

use super::garbage::{BASE, Bytes, COMMON};
use crate::unwind::cursor::{Cursor, Memory};
use crate::unwind::search::{Missing, entry_for};
use crate::unwind::stretch::Stretch;

/// Where the first function begins.
const CODE: usize = BASE + 0x100_0000;
/// The length of one function's entry.
const ENTRY_BYTES: usize = 20;

/// Returns an `.eh_frame_hdr` and an `.eh_frame` for functions of these beginnings and lengths.
fn index_of(functions: &[(usize, usize)]) -> Vec<u8> {
    let common = 12 + 8 * functions.len();
    let entries = common + COMMON.len();
    let relative = |to: usize, from: usize| (to.wrapping_sub(from) as u32).to_le_bytes();
    let mut bytes = vec![1, 0x1b, 0x03, 0x3b];
    bytes.extend(relative(common, 4));
    bytes.extend((functions.len() as u32).to_le_bytes());
    for (number, &(begin, _)) in functions.iter().enumerate() {
        bytes.extend(relative(begin, BASE));
        bytes.extend(relative(entries + ENTRY_BYTES * number, 0));
    }
    bytes.extend(COMMON);
    for &(begin, length) in functions {
        bytes.extend((ENTRY_BYTES as u32 - 4).to_le_bytes());
        bytes.extend(relative(bytes.len(), common));
        bytes.extend(relative(begin, BASE + bytes.len()));
        bytes.extend((length as u32).to_le_bytes());
        bytes.extend([0; 4]);
    }
    bytes
}

/// Bytes, and how often they were copied.
struct Counted<'b>(Bytes<'b>, Cell<usize>);

impl Memory for Counted<'_> {
    fn copy(&self, address: usize, into: &mut [u8]) -> usize {
        self.1.set(self.1.get() + 1);
        self.0.copy(address, into)
    }
}

/// Looks for the function at `pc`, in code that ends at `end`. Also returns how many copies that took.
fn find_in(bytes: &[u8], end: usize, pc: usize) -> (Result<usize, Missing>, usize) {
    let memory = Counted(Bytes(bytes), Cell::new(0));
    let stretch = Stretch {
        start: CODE,
        end,
        index: BASE,
    };
    let found = entry_for(&mut Cursor::new(&memory), stretch, pc);
    (found.map(|entry| entry.begin), memory.1.get())
}

/// Checks every function, and returns how many copies the longest search took.
fn check(functions: &[(usize, usize)]) -> usize {
    let bytes = index_of(functions);
    let end = functions.last().map_or(CODE, |last| last.0 + last.1);
    let mut most = 0;
    for (number, &(begin, length)) in functions.iter().enumerate() {
        for pc in [begin, begin + length - 1] {
            let (found, copies) = find_in(&bytes, end, pc);
            assert_eq!(found, Ok(begin), "{number} of {}", functions.len());
            most = most.max(copies);
        }
        assert_eq!(find_in(&bytes, end, begin + length).0, Err(Missing::Entry));
    }
    assert_eq!(find_in(&bytes, end, CODE).0, Err(Missing::Entry));
    most
}

#[test]
fn every_function_is_found_in_a_table_of_any_length() {
    for count in [0, 1, 2, 15, 16, 17, 31, 32, 33, 100] {
        let functions: Vec<_> = (0..count).map(|it| (CODE + 0x40 * it + 8, 0x20)).collect();
        check(&functions);
    }
}

#[test]
fn few_copies_find_a_function_among_many() {
    let even: Vec<_> = (0..3000).map(|it| (CODE + 0x100 * it + 8, 0x80)).collect();
    let most = check(&even);

    assert!(most <= 6, "{most} copies");
    // Many short functions before a few that are very long.
    let uneven = (0..1000).map(|it| (CODE + 8 * it + 8, 4));
    let long = (1..200).map(|it| (CODE + 0x1_0000 * it, 0x8000));
    let most = check(&uneven.chain(long).collect::<Vec<_>>());

    assert!(most <= 20, "{most} copies");
}

#[test]
fn what_is_no_index_belongs_to_a_file_that_has_gone() {
    let functions = [(CODE + 8, 0x20)];
    let whole = index_of(&functions);
    for (place, byte, expected) in [
        (0, 1, Ok(CODE + 8)),
        (0, 2, Err(Missing::File)),
        (3, 0x1b, Err(Missing::File)),
        // More functions than any file has.
        (11, 0x20, Err(Missing::File)),
        // An encoding that does not exist.
        (1, 0x5b, Err(Missing::File)),
        (2, 0x5b, Err(Missing::File)),
    ] {
        let mut bytes = whole.clone();
        bytes[place] = byte;
        assert_eq!(
            find_in(&bytes, CODE + 0x28, CODE + 9).0,
            expected,
            "{place}: {byte:#x}"
        );
    }
    assert_eq!(find_in(&[], CODE + 0x28, CODE + 9).0, Err(Missing::File));
    let without = Stretch {
        start: CODE,
        end: CODE + 1,
        index: 0,
    };
    let memory = Bytes(&whole);
    let found = entry_for(&mut Cursor::new(&memory), without, CODE);
    assert_eq!(found.err(), Some(Missing::Entry));
}
