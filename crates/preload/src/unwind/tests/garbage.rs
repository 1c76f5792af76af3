//! Tables with arbitrary contents: the parser reads what it can, and terminates.

use proptest::prelude::*;

use crate::unwind::cursor::{Cursor, Memory};
use crate::unwind::entry::{self, Block};
use crate::unwind::expression;
use crate::unwind::frame::Frame;
use crate::unwind::row::{self, Cfa, Saved};
use crate::unwind::rule::Rule;
use crate::unwind::search;
use crate::unwind::stretch::Stretch;

/// The address that a test's bytes appear to have.
pub const BASE: usize = 0x10_0000;

/// Memory in which only some bytes exist.
pub struct Bytes<'b>(pub &'b [u8]);

impl Memory for Bytes<'_> {
    fn copy(&self, address: usize, into: &mut [u8]) -> usize {
        let there = address.checked_sub(BASE).and_then(|at| self.0.get(at..));
        let there = there.unwrap_or(&[]);
        let copied = there.len().min(into.len());
        into[..copied].copy_from_slice(&there[..copied]);
        copied
    }
}

pub const FRAME: Frame = Frame {
    address: BASE + 0x8000,
    stack_pointer: 0x7fff_0000,
    frame_pointer: 0x7fff_0100,
    link: 0,
    is_exact: false,
};

/// Does everything that the unwinder does with an entry.
fn use_entry(bytes: &[u8], address: usize, pc: usize) -> Option<Rule> {
    let memory = Bytes(bytes);
    let mut cursor = Cursor::new(&memory);
    let entry = entry::read(&mut cursor, address, pc)?;
    let row = row::at(&mut cursor, &entry, pc)?;
    for saved in [row.frame_pointer, row.return_address] {
        if let Saved::AtExpression(block) | Saved::IsExpression(block) = saved {
            expression::evaluate(&mut cursor, block, &FRAME, Some(1), Some);
        }
    }
    if let Cfa::Expression(block) = row.cfa {
        expression::evaluate(&mut cursor, block, &FRAME, None, Some);
    }
    Some(Rule::of(&row, entry.is_signal_frame, &mut cursor))
}

/// Uses `bytes` as an index and its tables, and as expressions.
fn use_bytes(bytes: &[u8], pc: usize) {
    let memory = Bytes(bytes);
    let mut cursor = Cursor::new(&memory);
    let stretch = Stretch {
        start: 0,
        end: 2 * BASE,
        index: BASE,
    };
    let _ = search::entry_for(&mut cursor, stretch, pc);
    use_entry(bytes, BASE, pc);
    let block = Block {
        address: BASE,
        bytes: bytes.len(),
    };
    expression::evaluate(&mut cursor, block, &FRAME, None, Some);
}

pub const STACK: u8 = row::STACK_POINTER as u8;
pub const FRAME_BASE: u8 = row::FRAME_POINTER as u8;
/// After one byte, the frame pointer has been pushed; after three more, it is the base.
const OWN: [u8; 8] = [0x41, 0x0e, 16, 0x80 | FRAME_BASE, 2, 0x43, 0x0d, FRAME_BASE];

/// A common part. The code alignment is 1, the data alignment -8, the column of the return address 16, and addresses are
/// relative to themselves, in 32 bits. The canonical frame address is the stack pointer plus 8; column 16 is saved 8 below it.
pub const COMMON: [u8; 24] = [
    20, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, STACK, 8, 0x90, 1, 0, 0,
];

/// Returns a common part and the entry of a function of 256 bytes that begins at `begin`, which is relative to the entry's
/// field. `own` is padded to a fixed length.
pub fn entry_of(own: &[u8], begin: i32) -> Vec<u8> {
    const OWN_BYTES: usize = 64;
    let mut bytes = COMMON.to_vec();
    let length = (4 + 4 + 4 + 1 + OWN_BYTES) as u32;
    bytes.extend(length.to_le_bytes());
    bytes.extend(28_u32.to_le_bytes());
    bytes.extend(begin.to_le_bytes());
    bytes.extend(256_u32.to_le_bytes());
    bytes.push(0);
    bytes.extend(own);
    bytes.resize(bytes.len() + OWN_BYTES - own.len(), 0);
    bytes
}

/// The location of the function's entry, and of the field with its beginning, in the result of `entry_of`.
pub const OWN_ENTRY: usize = BASE + 24;
pub const BEGIN_FIELD: usize = OWN_ENTRY + 8;

#[test]
fn the_entry_that_is_damaged_below_is_read_when_it_is_whole() {
    let bytes = entry_of(&OWN, 0x1000);
    let begin = BEGIN_FIELD + 0x1000;
    let rules = [0, 1, 3, 4, 255].map(|at| use_entry(&bytes, OWN_ENTRY, begin + at));
    assert!(rules.iter().all(Option::is_some));
    assert_ne!(rules[0], rules[1]);
    assert_eq!(rules[1], rules[2]);
    assert_ne!(rules[2], rules[3]);
    assert_eq!(rules[3], rules[4]);
    assert_eq!(use_entry(&bytes, OWN_ENTRY, begin + 256), None);
    assert_eq!(use_entry(&bytes, OWN_ENTRY, begin - 1), None);
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_a_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..600),
        pc in 0..2 * BASE,
    ) {
        use_bytes(&bytes, pc);
    }

    #[test]
    fn any_index_is_searched_without_a_panic(
        mut bytes in prop::collection::vec(any::<u8>(), 12..600),
        count in any::<u32>(),
        pc in 0..2 * BASE,
    ) {
        bytes[..4].copy_from_slice(&[1, 0x1b, 0x03, 0x3b]);
        bytes[8..12].copy_from_slice(&count.to_le_bytes());
        use_bytes(&bytes, pc);
    }

    #[test]
    fn any_instructions_are_carried_out_without_a_panic(
        own in prop::collection::vec(any::<u8>(), 0..64),
        at in 0_usize..256,
    ) {
        use_entry(&entry_of(&own, 0x1000), OWN_ENTRY, BEGIN_FIELD + 0x1000 + at);
    }

    #[test]
    fn any_damage_to_an_entry_is_borne(
        damage in prop::collection::vec((0_usize..100, any::<u8>()), 1..4),
        at in 0_usize..256,
    ) {
        let mut bytes = entry_of(&OWN, 0x1000);
        for (place, byte) in damage {
            let length = bytes.len();
            bytes[place % length] = byte;
        }
        use_entry(&bytes, OWN_ENTRY, BEGIN_FIELD + 0x1000 + at);
    }
}
