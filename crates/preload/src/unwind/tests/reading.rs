//! What a cursor reads, and where it stops.

use std::cell::Cell;

use super::garbage::{BASE, Bytes};
use crate::unwind::cursor::{BUFFER_BYTES, Cursor, Memory};

/// Returns what `read` reads from a memory that consists of `bytes`.
fn read<T>(bytes: &[u8], read: impl FnOnce(&mut Cursor<'_, Bytes<'_>>) -> T) -> T {
    let memory = Bytes(bytes);
    let mut cursor = Cursor::new(&memory);
    cursor.go_to(BASE, bytes.len());
    read(&mut cursor)
}

#[test]
fn numbers_of_fixed_length_are_little_endian() {
    let bytes = [0xfe, 0xff, 0xff, 0xff, 1, 2, 3, 0x84];
    for (length, unsigned, signed) in [
        (1, 0xfe, -2),
        (2, 0xfffe, -2),
        (4, 0xffff_fffe, -2),
        (5, 0x01_ffff_fffe, 0x01_ffff_fffe),
        (8, 0x8403_0201_ffff_fffe, 0x8403_0201_ffff_fffe_u64 as i64),
    ] {
        assert_eq!(read(&bytes, |it| it.unsigned(length)), Some(unsigned));
        assert_eq!(read(&bytes, |it| it.signed(length)), Some(signed));
    }
    assert_eq!(read(&bytes[..3], |it| it.unsigned(4)), None);
    assert_eq!(read(&bytes[..3], |it| it.signed(4)), None);
}

#[test]
fn numbers_of_variable_length_end_with_their_last_byte() {
    let many = |last: u8| [&[0x80; 9][..], &[last]].concat();
    let all_ones = [&[0xff; 9][..], &[0x01]].concat();
    for (bytes, expected) in [
        (&[0x02, 0xff][..], Some(2)),
        (&[0x80, 0x01], Some(128)),
        (&[0xe5, 0x8e, 0x26], Some(624_485)),
        (&all_ones, Some(u64::MAX)),
        (&many(0x80), None),
        (&[0x80], None),
    ] {
        assert_eq!(read(bytes, |it| it.uleb()), expected, "{bytes:x?}");
    }
    for (bytes, expected) in [
        (&[0x02, 0xff][..], Some(2)),
        (&[0x7e], Some(-2)),
        (&[0xff, 0x00], Some(127)),
        (&[0x80, 0x7f], Some(-128)),
        (&[0xc0, 0xbb, 0x78], Some(-123_456)),
        (&many(0x7f), Some(i64::MIN)),
        (&many(0x80), None),
        (&[0x80], None),
    ] {
        assert_eq!(read(bytes, |it| it.sleb()), expected, "{bytes:x?}");
    }
}

#[test]
fn pointers_are_relative_to_what_their_encoding_says() {
    const DATA: usize = 0x500;
    let minus_four = [0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    let absolute = -4_i64 as usize;
    for (encoding, expected) in [
        (0x00, Some(absolute)),
        (0x04, Some(absolute)),
        (0x0c, Some(absolute)),
        (0x02, Some(0xfffc)),
        (0x03, Some(0xffff_fffc)),
        (0x0a, Some(absolute)),
        (0x0b, Some(absolute)),
        (0x1b, Some(BASE - 4)),
        (0x3b, Some(DATA - 4)),
        (0x13, Some(BASE + 0xffff_fffc)),
        // Relative to text, to the function, aligned; of unknown length; and found elsewhere.
        (0x2b, None),
        (0x4b, None),
        (0x5b, None),
        (0x05, None),
        (0x0d, None),
        (0x9b, None),
    ] {
        let found = read(&minus_four, |it| it.pointer(encoding, DATA));
        assert_eq!(found, expected, "{encoding:#x}");
    }
    assert_eq!(read(&[0x82, 0x01], |it| it.pointer(0x01, 0)), Some(130));
    assert_eq!(
        read(&[0x7e], |it| it.pointer(0x09, 0)),
        Some(-2_i64 as usize)
    );
    let behind = read(&[0, 0, 5, 0], |it| {
        it.skip(2)?;
        it.pointer(0x12, 0)
    });
    assert_eq!(behind, Some(BASE + 2 + 5));
}

#[test]
fn nothing_is_read_past_the_end() {
    let bytes = [1, 2, 3, 4];
    let memory = Bytes(&bytes);
    let mut cursor = Cursor::new(&memory);
    assert_eq!((cursor.left(), cursor.u8()), (0, None));
    cursor.go_to(BASE + 1, 2);
    assert_eq!((cursor.left(), cursor.u8()), (2, Some(2)));
    assert_eq!((cursor.left(), cursor.address()), (1, BASE + 2));
    assert_eq!(cursor.skip(2), None);
    assert_eq!(cursor.skip(1), Some(()));
    assert_eq!(
        (cursor.left(), cursor.u8(), cursor.skip(1)),
        (0, None, None)
    );
    assert_eq!(cursor.skip(0), Some(()));
    // The end that was set is behind that of the memory.
    cursor.go_to(BASE + 2, usize::MAX);
    assert_eq!([(); 3].map(|()| cursor.u8()), [Some(3), Some(4), None]);
    cursor.go_to(BASE - 1, 2);
    assert_eq!(cursor.u8(), None);
}

/// Memory in which every byte has the lower byte of its address, and that counts how often it is copied.
struct Counted(Cell<usize>);

impl Memory for Counted {
    fn copy(&self, address: usize, into: &mut [u8]) -> usize {
        self.0.set(self.0.get() + 1);
        for (place, byte) in into.iter_mut().enumerate() {
            *byte = (address + place) as u8;
        }
        into.len()
    }
}

#[test]
fn memory_is_copied_once_for_all_that_is_read_of_it() {
    let memory = Counted(Cell::new(0));
    let mut cursor = Cursor::new(&memory);
    let mut read = |address: usize, bytes: usize| {
        cursor.go_to(address, bytes);
        for place in 0..bytes {
            assert_eq!(cursor.u8(), Some((address + place) as u8));
        }
        memory.0.get()
    };
    assert_eq!(read(BASE, BUFFER_BYTES), 1);
    assert_eq!(read(BASE + 5, BUFFER_BYTES - 5), 1);
    assert_eq!(read(BASE + 5, BUFFER_BYTES), 2);
    assert_eq!(read(BASE + BUFFER_BYTES, BUFFER_BYTES), 2);
    assert_eq!(read(BASE + BUFFER_BYTES - 1, 1), 3);
    cursor.fill(2 * BASE);
    cursor.go_to(2 * BASE + 9, 1);
    assert_eq!((cursor.u8(), memory.0.get()), (Some(9), 4));
}
