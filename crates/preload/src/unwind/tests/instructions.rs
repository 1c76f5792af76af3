//! What every instruction of call frame information does (DWARF 5, 6.4.2), and how rows become rules of one word.

use super::garbage::{BEGIN_FIELD, Bytes, FRAME_BASE, OWN_ENTRY, STACK, entry_of};
use crate::unwind::cursor::Cursor;
use crate::unwind::entry::{self, Block};
use crate::unwind::row::{self, Cfa, FRAME_POINTER, Row, STACK_POINTER, Saved};
use crate::unwind::rule::{Kind, Offsets, Rule};

const BEGIN: usize = BEGIN_FIELD + 0x1000;
/// The address of the first of the function's own instructions: behind the length, three fields and the length of no data.
const FIRST: usize = OWN_ENTRY + 17;

/// Returns the row that holds `at` bytes behind the beginning of a function with these instructions of its own.
fn row_at(own: &[u8], at: usize) -> Option<Row> {
    let bytes = entry_of(own, 0x1000);
    let memory = Bytes(&bytes);
    let mut cursor = Cursor::new(&memory);
    let entry = entry::read(&mut cursor, OWN_ENTRY, BEGIN + at)?;
    row::at(&mut cursor, &entry, BEGIN + at)
}

fn cfa(own: &[u8]) -> Option<Cfa> {
    row_at(own, 0).map(|row| row.cfa)
}

fn block(place: usize, bytes: usize) -> Block {
    Block {
        address: FIRST + place,
        bytes,
    }
}

#[test]
fn registers_are_saved_in_every_way() {
    const F: u8 = FRAME_BASE;
    let cases: [(&[u8], Saved); 14] = [
        (&[], Saved::Same),
        (&[0x80 | F, 2], Saved::At(-16)),
        (&[0x05, F, 3], Saved::At(-24)),
        (&[0x11, F, 0x7e], Saved::At(16)),
        (&[0x2f, F, 3], Saved::At(24)),
        (&[0x14, F, 2], Saved::Is(-16)),
        (&[0x15, F, 0x7e], Saved::Is(16)),
        (&[0x10, F, 2, 0x96, 0x96], Saved::AtExpression(block(3, 2))),
        (&[0x16, F, 1, 0x96], Saved::IsExpression(block(3, 1))),
        (&[0x07, F], Saved::Undefined),
        (&[0x80 | F, 2, 0x08, F], Saved::Same),
        (&[0x09, F, 3], Saved::Elsewhere),
        (&[0x80 | F, 2, 0xc0 | F], Saved::Same),
        (&[0x80 | F, 2, 0x06, F], Saved::Same),
    ];
    for (own, expected) in cases {
        let row = row_at(own, 0).unwrap();
        assert_eq!(row.frame_pointer, expected, "{own:x?}");
        assert_eq!(row.return_address, Saved::At(-8), "{own:x?}");
        let behind = row_at(&[own, &[0x05, 16, 5]].concat(), 0).unwrap();
        assert_eq!(behind.return_address, Saved::At(-40), "{own:x?}");
    }
    let restored = row_at(&[0x05, 16, 5, 0x06, 16], 0).unwrap();
    assert_eq!(restored.return_address, Saved::At(-8));
    let undefined = row_at(&[0x07, 16], 0).unwrap();
    assert_eq!(undefined.return_address, Saved::Undefined);
    // A register that no walk needs.
    assert_eq!(row_at(&[0x05, 3, 5, 0x06, 3], 0), row_at(&[], 0));
}

#[test]
fn rows_are_remembered_and_come_back() {
    const F: u8 = FRAME_BASE;
    let saved = |own: &[u8]| row_at(own, 0).map(|row| row.frame_pointer);
    assert_eq!(saved(&[0x0a, 0x80 | F, 2, 0x0b]), Some(Saved::Same));
    let twice = [0x0a, 0x80 | F, 2, 0x0a, 0x80 | F, 3];
    assert_eq!(saved(&twice), Some(Saved::At(-24)));
    let once_back = [&twice[..], &[0x0b]].concat();
    assert_eq!(saved(&once_back), Some(Saved::At(-16)));
    assert_eq!(
        saved(&[&once_back[..], &[0x0b]].concat()),
        Some(Saved::Same)
    );
    assert_eq!(saved(&[0x0b]), None);
    assert_eq!(saved(&[0x0a; 3]), Some(Saved::Same));
    assert_eq!(saved(&[0x0a; 4]), None, "there is room for three");
}

#[test]
fn the_canonical_frame_address_is_a_register_or_an_expression() {
    const F: u8 = FRAME_BASE;
    let register = |column, offset| Some(Cfa::Register { column, offset });
    let cases: [(&[u8], Option<Cfa>); 11] = [
        (&[], register(STACK_POINTER, 8)),
        (&[0x0c, F, 32], register(FRAME_POINTER, 32)),
        (&[0x12, F, 0x7c], register(FRAME_POINTER, 32)),
        (&[0x0d, F], register(FRAME_POINTER, 8)),
        (&[0x0e, 24], register(STACK_POINTER, 24)),
        (&[0x13, 0x7d], register(STACK_POINTER, 24)),
        (&[0x0f, 2, 0x96, 0x96], Some(Cfa::Expression(block(2, 2)))),
        (&[0x0f, 1, 0x96, 0x0d, F], None),
        (&[0x0f, 1, 0x96, 0x0e, 24], None),
        // The size of arguments, and an instruction that does not exist.
        (&[0x2e, 5], register(STACK_POINTER, 8)),
        (&[0x3f], None),
    ];
    for (own, expected) in cases {
        assert_eq!(cfa(own), expected, "{own:x?}");
    }
}

#[test]
fn a_row_holds_from_the_address_to_which_an_instruction_advances() {
    let to_100 = (BEGIN + 100 - (FIRST + 1)) as u32;
    let set = [&[0x01][..], &to_100.to_le_bytes()].concat();
    let cases: [(&[u8], usize); 5] = [
        (&[0x42], 2),
        (&[0x02, 200], 200),
        (&[0x03, 130, 0], 130),
        (&[0x04, 130, 0, 0, 0], 130),
        (&set, 100),
    ];
    for (advance, at) in cases {
        let own = [advance, &[0x0e, 16, 0x41, 0x0e, 24]].concat();
        for (at, offset) in [(at - 1, 8), (at, 16), (at + 1, 24)] {
            let expected = Cfa::Register {
                column: STACK_POINTER,
                offset,
            };
            let found = row_at(&own, at).map(|row| row.cfa);
            assert_eq!(found, Some(expected), "{advance:x?}, {at}");
        }
    }
}

/// Returns what the rule of one word says for a function with these instructions of its own.
fn rule_of(own: &[u8], is_signal_frame: bool) -> Kind {
    let row = row_at(own, 0).unwrap();
    let bytes = entry_of(own, 0x1000);
    let memory = Bytes(&bytes);
    let rule = Rule::of(&row, is_signal_frame, &mut Cursor::new(&memory));
    assert_eq!(Rule::from_word(rule.word()), Some(rule));
    rule.kind()
}

#[test]
fn the_usual_frames_have_a_rule_of_one_word() {
    const F: u8 = FRAME_BASE;
    let usual = Offsets {
        from_frame_pointer: false,
        cfa: 8,
        frame_pointer: None,
        return_address: Some(-8),
    };
    assert_eq!(rule_of(&[], false), Kind::Usual(usual));
    assert_eq!(rule_of(&[], true), Kind::ByTables);
    let with_base = Offsets {
        from_frame_pointer: true,
        cfa: 16,
        frame_pointer: Some(-16),
        ..usual
    };
    let own = [0x80 | F, 2, 0x0c, F, 16];
    assert_eq!(rule_of(&own, false), Kind::Usual(with_base));
    let in_register = Offsets {
        return_address: None,
        ..usual
    };
    assert_eq!(rule_of(&[0x08, 16], false), Kind::Usual(in_register));
    assert_eq!(rule_of(&[0x07, 16], false), Kind::Outermost);
    for own in [
        &[0x0c, 3, 16][..],
        &[0x07, F],
        &[0x14, F, 2],
        &[0x09, 16, 3],
        &[0x0e, 12],
    ] {
        assert_eq!(rule_of(own, false), Kind::ByTables, "{own:x?}");
    }
    assert_eq!(Rule::UNKNOWN.kind(), Kind::Unknown);
}

#[test]
fn frames_of_functions_that_align_their_stack_have_one_too() {
    const F: u8 = FRAME_BASE;
    const BASE: u8 = 0x70 + FRAME_BASE;
    let aligned = Offsets {
        from_frame_pointer: true,
        cfa: -8,
        frame_pointer: None,
        return_address: Some(-8),
    };
    let stored = [0x0f, 3, BASE, 0x78, 0x06];
    assert_eq!(rule_of(&stored, false), Kind::Aligned(aligned));
    let with = |more: &[u8]| rule_of(&[&stored[..], more].concat(), false);
    let saved = Offsets {
        frame_pointer: Some(0),
        ..aligned
    };
    assert_eq!(with(&[0x10, F, 2, BASE, 0]), Kind::Aligned(saved));
    for more in [
        &[0x10, F, 2, 0x70 + STACK, 0][..],
        &[0x10, F, 3, BASE, 0, 0x96],
        &[0x80 | F, 2],
        &[0x14, 16, 2],
    ] {
        assert_eq!(with(more), Kind::ByTables, "{more:x?}");
    }
    for own in [
        &[0x0f, 3, 0x70 + STACK, 0x78, 0x06][..],
        &[0x0f, 3, BASE, 0x78, 0x96],
        &[0x0f, 4, BASE, 0x78, 0x06, 0x96],
        &[0x0f, 2, BASE, 0x78],
    ] {
        assert_eq!(rule_of(own, false), Kind::ByTables, "{own:x?}");
    }
}
