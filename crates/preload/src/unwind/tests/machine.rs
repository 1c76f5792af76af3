//! What every operation of an expression does (DWARF 5, 2.5.1).

use super::garbage::{BASE, Bytes, FRAME, FRAME_BASE, STACK};
use crate::unwind::cursor::Cursor;
use crate::unwind::entry::Block;
use crate::unwind::expression;

/// Puts 7 on the stack and evaluates `expression`. The word at an address is that address plus 1.
fn value(expression: &[u8]) -> Option<usize> {
    let memory = Bytes(expression);
    let block = Block {
        address: BASE,
        bytes: expression.len(),
    };
    let word = |address: usize| Some(address.wrapping_add(1));
    expression::evaluate(&mut Cursor::new(&memory), block, &FRAME, Some(7), word)
}

/// Returns the operation that puts a signed byte on the stack.
fn byte(number: i8) -> [u8; 2] {
    [0x09, number.cast_unsigned()]
}

fn of_two(left: i8, right: i8, operation: u8) -> Option<i64> {
    let parts = [&byte(left)[..], &byte(right), &[operation]];
    value(&parts.concat()).map(|value| value as i64)
}

#[test]
fn numbers_are_put_on_the_stack_as_they_are_encoded() {
    let minus_two = -2_i64 as usize;
    let cases: [(&[u8], usize); 13] = [
        (&[0x03, 1, 2, 3, 4, 5, 6, 7, 8], 0x0807_0605_0403_0201),
        (&[0x0e, 1, 2, 3, 4, 5, 6, 7, 8], 0x0807_0605_0403_0201),
        (&[0x08, 0xfe], 0xfe),
        (&[0x0a, 0xfe, 0xff], 0xfffe),
        (&[0x0c, 0xfe, 0xff, 0xff, 0xff], 0xffff_fffe),
        (&[0x09, 0xfe], minus_two),
        (&[0x0b, 0xfe, 0xff], minus_two),
        (&[0x0d, 0xfe, 0xff, 0xff, 0xff], minus_two),
        (
            &[0x0f, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            minus_two,
        ),
        (&[0x10, 0x82, 0x01], 130),
        (&[0x11, 0x7e], minus_two),
        (&[0x30], 0),
        (&[0x4f], 31),
    ];
    for (expression, expected) in cases {
        assert_eq!(value(expression), Some(expected), "{expression:x?}");
    }
}

#[test]
fn values_are_moved_and_copied_within_the_stack() {
    let cases: [(&[u8], Option<usize>); 17] = [
        (&[], Some(7)),
        (&[0x96], Some(7)),
        (&[0x13], None),
        // One more, added to the one below.
        (&[0x31, 0x12, 0x22], Some(2)),
        (&[0x31, 0x12, 0x13, 0x13], Some(7)),
        (&[0x31, 0x13], Some(7)),
        (&[0x31, 0x14], Some(7)),
        (&[0x14], None),
        (&[0x31, 0x32, 0x15, 0], Some(2)),
        (&[0x31, 0x32, 0x15, 1], Some(1)),
        (&[0x31, 0x32, 0x15, 2], Some(7)),
        (&[0x31, 0x32, 0x15, 3], None),
        (&[0x31, 0x16], Some(7)),
        (&[0x31, 0x16, 0x13], Some(1)),
        // The uppermost becomes the third.
        (&[0x31, 0x32, 0x33, 0x17], Some(2)),
        (&[0x31, 0x32, 0x33, 0x17, 0x13], Some(1)),
        (&[0x31, 0x32, 0x33, 0x17, 0x13, 0x13], Some(3)),
    ];
    for (expression, expected) in cases {
        assert_eq!(value(expression), expected, "{expression:x?}");
    }
    assert_eq!(value(&[0x31; 11]), Some(1));
    assert_eq!(value(&[0x31; 12]), None, "the stack holds 12 values");
}

#[test]
fn two_values_become_one() {
    let cases = [
        (6, 3, 0x1a, Some(2)),
        (-7, 2, 0x1b, Some(-3)),
        (7, 0, 0x1b, None),
        (3, 5, 0x1c, Some(-2)),
        (7, 4, 0x1d, Some(3)),
        (7, 0, 0x1d, None),
        (5, -3, 0x1e, Some(-15)),
        (6, 3, 0x21, Some(7)),
        (5, -3, 0x22, Some(2)),
        (3, 2, 0x24, Some(12)),
        (3, 64, 0x24, Some(0)),
        (-1, 63, 0x25, Some(1)),
        (-1, -1, 0x25, Some(0)),
        (-8, 1, 0x26, Some(-4)),
        (-8, 100, 0x26, Some(-1)),
        (6, 3, 0x27, Some(5)),
    ];
    for (left, right, operation, expected) in cases {
        let found = of_two(left, right, operation);
        assert_eq!(found, expected, "{left} {operation:#x} {right}");
    }
}

#[test]
fn values_are_compared_with_their_signs() {
    // Whether each holds: of a lesser, of an equal and of a greater number on the left.
    let cases = [
        (0x29, [0, 1, 0]),
        (0x2a, [0, 1, 1]),
        (0x2b, [0, 0, 1]),
        (0x2c, [1, 1, 0]),
        (0x2d, [1, 0, 0]),
        (0x2e, [1, 0, 1]),
    ];
    for (operation, expected) in cases {
        let found = [(-1, 1), (5, 5), (1, -1)].map(|(left, right)| of_two(left, right, operation));
        assert_eq!(found, expected.map(Some), "{operation:#x}");
    }
}

#[test]
fn one_value_becomes_another() {
    let cases: [(&[u8], i64); 5] = [
        (&[0x09, 0xfb, 0x19], 5),
        (&[0x35, 0x19], 5),
        (&[0x35, 0x1f], -5),
        (&[0x35, 0x20], !5),
        (&[0x35, 0x23, 0x80, 0x01], 133),
    ];
    for (expression, expected) in cases {
        let found = value(expression).map(|value| value as i64);
        assert_eq!(found, Some(expected), "{expression:x?}");
    }
}

#[test]
fn jumps_lead_to_places_within_the_expression() {
    let cases: [(&[u8], Option<usize>); 9] = [
        // The operation that drops the 1 is left out.
        (&[0x31, 0x2f, 1, 0, 0x13], Some(1)),
        (&[0x31, 0x32, 0x28, 1, 0, 0x13], Some(1)),
        (&[0x31, 0x30, 0x28, 1, 0, 0x13], Some(7)),
        // Counts down from 3.
        (&[0x33, 0x31, 0x1c, 0x12, 0x28, 0xfa, 0xff], Some(0)),
        (&[0x2f, 0, 0], Some(7)),
        (&[0x2f, 1, 0], None),
        (&[0x2f, 0xfc, 0xff], None),
        (&[0x28, 0, 0], None),
        // For ever.
        (&[0x2f, 0xfd, 0xff], None),
    ];
    for (expression, expected) in cases {
        assert_eq!(value(expression), expected, "{expression:x?}");
    }
}

#[test]
fn the_registers_of_a_walk_have_values_and_others_none() {
    let cases = [
        (vec![0x70 + STACK, 16], Some(FRAME.stack_pointer + 16)),
        (vec![0x70 + FRAME_BASE, 0x78], Some(FRAME.frame_pointer - 8)),
        (vec![0x92, FRAME_BASE, 0x78], Some(FRAME.frame_pointer - 8)),
        (vec![0x70, 0], None),
        (vec![0x92, 3, 0], None),
        (vec![0x50], None),
        (vec![0xff], None),
    ];
    for (expression, expected) in cases {
        assert_eq!(value(&expression), expected, "{expression:x?}");
    }
    #[cfg(target_arch = "x86_64")]
    assert_eq!(value(&[0x70 + 16, 1]), Some(FRAME.address + 1));
}

#[test]
fn memory_is_read_in_words_and_in_parts_of_words() {
    let cases: [(&[u8], Option<usize>); 7] = [
        (&[0x06], Some(8)),
        (&[0x0a, 0x33, 0x12, 0x94, 1], Some(0x34)),
        (&[0x0c, 0x33, 0x12, 0xff, 0, 0x94, 2], Some(0x1234)),
        (&[0x0c, 0x33, 0x12, 0xff, 0, 0x94, 8], Some(0xff_1234)),
        (&[0x94, 9], None),
        (&[0x94, 0], None),
        (&[0x13, 0x06], None),
    ];
    for (expression, expected) in cases {
        assert_eq!(value(expression), expected, "{expression:x?}");
    }
}
