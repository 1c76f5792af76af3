//! The preload library's own readers of files. It is no library of Rust's that could be linked, since its functions would take the place of
//! the C library's: so these files of it are compiled here, with memory of ours below them.

#[path = "../../../crates/preload/src/elf.rs"]
mod elf;

#[expect(dead_code, reason = "the walk, which is not here, uses more of them")]
#[path = "../../../crates/preload/src/unwind"]
mod unwind {
    pub mod cursor;
    pub mod entry;
    pub mod expression;
    pub mod frame;
    pub mod row;
    pub mod rule;
    pub mod search;
    pub mod stretch;
}

use unwind::cursor::{Cursor, Memory};
use unwind::entry::{self, Block, Entry};
use unwind::expression;
use unwind::frame::Frame;
use unwind::row::{self, Cfa, Saved};
use unwind::rule::Rule;
use unwind::search;
use unwind::stretch::Stretch;

/// Where the bytes are said to be.
const BASE: usize = 0x10_0000;

/// Memory of which only some bytes are there.
struct Bytes<'b>(&'b [u8]);

impl Memory for Bytes<'_> {
    fn copy(&self, address: usize, into: &mut [u8]) -> usize {
        let there = address.checked_sub(BASE).and_then(|at| self.0.get(at..));
        let there = there.unwrap_or(&[]);
        let copied = there.len().min(into.len());
        into[..copied].copy_from_slice(&there[..copied]);
        copied
    }
}

/// The headers of a file that is mapped, and a function in it.
pub fn headers(image: &[u8]) {
    if let Some(found) = elf::read(image) {
        assert!(usize::from(found.build_id_bytes) <= elf::BUILD_ID_BYTES);
    }
    let _ = elf::first_load_bytes(image);
    let offset = elf::function(image, b"__vdso_clock_gettime");
    assert!(offset.is_none_or(|offset| offset < image.len() as u64));
}

/// `bytes` as an index with its tables, as the entry of a function, and as an expression. `pc` is asked for.
pub fn tables(bytes: &[u8], pc: usize) {
    let memory = Bytes(bytes);
    let mut cursor = Cursor::new(&memory);
    let stretch = Stretch {
        start: 0,
        end: usize::MAX,
        index: BASE,
    };
    // Near to where the bytes are, too: no input would find that by itself.
    for pc in [pc, BASE + pc % 0x1_0000] {
        if let Ok(entry) = search::entry_for(&mut cursor, stretch, pc) {
            use_entry(&mut cursor, &entry, pc);
        }
        if let Some(entry) = entry::read(&mut cursor, BASE, pc) {
            use_entry(&mut cursor, &entry, pc);
        }
    }
    let whole = Block {
        address: BASE,
        bytes: bytes.len(),
    };
    evaluate(&mut cursor, whole);
}

fn use_entry(cursor: &mut Cursor<'_, Bytes<'_>>, entry: &Entry, pc: usize) {
    let Some(row) = row::at(cursor, entry, pc) else {
        return;
    };
    for saved in [row.frame_pointer, row.return_address] {
        if let Saved::AtExpression(block) | Saved::IsExpression(block) = saved {
            evaluate(cursor, block);
        }
    }
    if let Cfa::Expression(block) = row.cfa {
        evaluate(cursor, block);
    }
    let rule = Rule::of(&row, entry.is_signal_frame, cursor);
    let _ = rule.kind();
    assert_eq!(Rule::from_word(rule.word()), Some(rule));
}

fn evaluate(cursor: &mut Cursor<'_, Bytes<'_>>, block: Block) {
    let frame = Frame {
        address: BASE + 0x8000,
        stack_pointer: 0x7fff_0000,
        frame_pointer: 0x7fff_0100,
        link: 0,
        is_exact: false,
    };
    expression::evaluate(cursor, block, &frame, None, Some);
}
