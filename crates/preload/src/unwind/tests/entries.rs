//! The entry of a function, and the part that it has in common with others.

use super::garbage::{BASE, Bytes};
use crate::unwind::cursor::Cursor;
use crate::unwind::entry::{self, Block, Entry};

/// The function's first address, and its length.
const BEGIN: usize = BASE + 0x4000;
const LENGTH: usize = 0x30;

/// A common part, and an entry behind it.
struct Parts<'p> {
    version: u8,
    augmentation: &'p [u8],
    /// From the factor for advances to the column of the return address.
    factors: &'p [u8],
    /// With its length, if there is any.
    data: &'p [u8],
    /// The function's first address and its length as they are encoded, and its data.
    own: &'p [u8],
}

impl Parts<'_> {
    /// Returns the bytes, and the address of the entry.
    fn bytes(&self) -> (Vec<u8>, usize) {
        let mut common = vec![0, 0, 0, 0, self.version];
        common.extend(self.augmentation);
        common.push(0);
        common.extend(self.factors);
        common.extend(self.data);
        common.extend([0x96, 0x96]);
        let mut bytes = (common.len() as u32).to_le_bytes().to_vec();
        bytes.extend(common);
        let entry = bytes.len();
        bytes.extend((self.own.len() as u32 + 4 + 3).to_le_bytes());
        bytes.extend((bytes.len() as u32).to_le_bytes());
        bytes.extend(self.own);
        bytes.extend([0x96; 3]);
        (bytes, BASE + entry)
    }

    fn read_at(&self, pc: usize) -> Option<Entry> {
        let (bytes, entry) = self.bytes();
        entry::read(&mut Cursor::new(&Bytes(&bytes)), entry, pc)
    }
}

/// The function's address and length in eight bytes each.
fn absolute() -> Vec<u8> {
    [BEGIN.to_le_bytes(), LENGTH.to_le_bytes()].concat()
}

#[test]
fn an_entry_without_augmentation_has_absolute_addresses() {
    let own = absolute();
    let parts = Parts {
        version: 1,
        augmentation: b"",
        factors: &[4, 0x78, 16],
        data: &[],
        own: &own,
    };
    let entry = parts.read_at(BEGIN).unwrap();
    assert_eq!((entry.begin, entry.encoding), (BEGIN, 0));
    assert_eq!((entry.code_alignment, entry.data_alignment), (4, -8));
    assert_eq!((entry.return_column, entry.is_signal_frame), (16, false));
    let (bytes, place) = parts.bytes();
    let common = Block {
        address: place - 2,
        bytes: 2,
    };
    let own = Block {
        address: BASE + bytes.len() - 3,
        bytes: 3,
    };
    assert_eq!((entry.common, entry.own), (common, own));
    assert!(parts.read_at(BEGIN + LENGTH - 1).is_some());
    assert!(parts.read_at(BEGIN + LENGTH).is_none() && parts.read_at(BEGIN - 1).is_none());
}

#[test]
fn every_version_has_its_own_fields() {
    let own = absolute();
    for (version, factors, column) in [
        (1, &[4, 0x78, 0x90][..], Some(0x90)),
        (3, &[4, 0x78, 0x90, 0x01], Some(0x90)),
        (4, &[8, 0, 4, 0x78, 0x90, 0x01], Some(0x90)),
        (2, &[4, 0x78, 0x10], None),
        (5, &[4, 0x78, 0x10], None),
    ] {
        let parts = Parts {
            version,
            augmentation: b"",
            factors,
            data: &[],
            own: &own,
        };
        let found = parts.read_at(BEGIN).map(|entry| entry.return_column);
        assert_eq!(found, column, "version {version}");
    }
}

#[test]
fn augmentation_is_understood_as_far_as_it_is_known() {
    let absolute = absolute();
    let with_data = [&absolute[..], &[2, 7, 7]].concat();
    let read = |augmentation, data, own| {
        let factors = &[1, 0x78, 16];
        let parts = Parts {
            version: 1,
            augmentation,
            factors,
            data,
            own,
        };
        parts.read_at(BEGIN)
    };
    let signal = read(b"zSB", &[0], &with_data).unwrap();
    assert!(signal.is_signal_frame);
    assert_eq!((signal.own.bytes, signal.common.bytes), (3, 2));
    // A routine of the language, a byte for its data, and addresses of four bytes; then data that is not known.
    let short = [
        (BEGIN as u32).to_le_bytes(),
        (LENGTH as u32).to_le_bytes(),
        [0, 0x96, 0x96, 0x96],
    ]
    .concat();
    let all = read(b"zPLRX", &[9, 0x9b, 1, 2, 3, 4, 0x1b, 0x03, 9, 9], &short).unwrap();
    assert_eq!((all.encoding, all.begin), (0x03, BEGIN));
    assert_eq!((all.own.bytes, all.common.bytes), (6, 2));
    assert!(
        read(b"eh", &[], &absolute).is_none(),
        "its length is not known"
    );
    assert!(read(b"zR", &[200, 0], &with_data).is_none(), "too long");
    assert!(read(b"zSSSSSSSS", &[0], &with_data).is_none());
}

#[test]
fn what_is_no_entry_of_a_function_is_none() {
    let own = absolute();
    let parts = Parts {
        version: 1,
        augmentation: b"",
        factors: &[1, 0x78, 16],
        data: &[],
        own: &own,
    };
    let (whole, place) = parts.bytes();
    let read = |bytes: &[u8]| entry::read(&mut Cursor::new(&Bytes(bytes)), place, BEGIN);
    assert!(read(&whole).is_some());
    let at = place - BASE;
    for (changed, word) in [
        // The terminator, an entry that is too long, one that is a common part, and one without any.
        (at, 0),
        (at, 0x10_0001),
        (at + 4, 0),
        (at + 4, 0x1000),
        // The common part is an entry of a function itself, and it has no length.
        (4, 1),
        (0, 0),
    ] {
        let mut bytes = whole.clone();
        bytes[changed..changed + 4].copy_from_slice(&u32::to_le_bytes(word));
        assert!(read(&bytes).is_none(), "{changed}: {word:#x}");
    }
    // A length of eight bytes.
    let mut long = whole[..at].to_vec();
    long.extend([0xff; 4]);
    long.extend((own.len() as u64 + 4 + 3).to_le_bytes());
    long.extend((long.len() as u32).to_le_bytes());
    long.extend(&own);
    long.extend([0x96; 3]);
    assert_eq!(read(&long).map(|entry| entry.begin), Some(BEGIN));
}
