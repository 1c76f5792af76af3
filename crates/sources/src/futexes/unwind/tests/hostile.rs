//! Any bytes give a valid table, or none.

use proptest::prelude::*;

use crate::futexes::unwind::eh_frame;
use crate::futexes::unwind::file::Unwindable;
use crate::futexes::unwind::fuzzed::is_in_order;
use crate::futexes::unwind::table::{Builder, Table};

fn own_frames() -> (Vec<u8>, u64) {
    let bytes = std::fs::read("/lib64/ld-linux-x86-64.so.2").unwrap();
    let at = Unwindable::of_image(&bytes, usize::MAX)
        .layout
        .eh_frame
        .unwrap();
    let section = bytes[at.offset as usize..][..at.bytes as usize].to_vec();
    (section, at.address)
}

fn table(section: &[u8], at: u64, limit: usize) -> Table {
    let mut builder = Builder::new(0x1000, limit);
    let found = eh_frame::read(section, at, &mut builder);
    builder.finish(found)
}

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..4096), at in any::<u64>()) {
        is_in_order(&table(&bytes, at, 1000));
    }

    #[test]
    fn damaged_entries(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..64), at in any::<u64>()) {
        let (mut section, address) = own_frames();
        for (index, byte) in changes {
            let at = index.index(section.len());
            section[at] = byte;
        }
        is_in_order(&table(&section, address, 100_000));
        is_in_order(&table(&section, at, 100));
    }

    #[test]
    fn damaged_files(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..32), cut in any::<prop::sample::Index>()) {
        let mut bytes = std::fs::read("/lib64/ld-linux-x86-64.so.2").unwrap();
        for (index, byte) in changes {
            // Headers: of the file and its segments, at its end those of its sections.
            let at = index.index(2048);
            let at = if at < 1024 { at } else { bytes.len() - at };
            bytes[at] = byte;
        }
        if let Some(table) = Unwindable::of_image(&bytes, 100_000).table {
            is_in_order(&table);
        }
        let cut = cut.index(bytes.len());
        if let Some(table) = Unwindable::of_image(&bytes[..cut], 100_000).table {
            is_in_order(&table);
        }
    }
}

#[test]
fn a_large_common_part_that_many_share_ends_the_reading() {
    // A common part of 64 KiB of instructions that do nothing, and 20,000 functions that use it.
    let mut section = Vec::new();
    let mut body = vec![0, 0, 0, 0, 1, 0, 1, 0x78, 16];
    body.resize(64 << 10, 0);
    section.extend((body.len() as u32).to_le_bytes());
    section.extend(&body);
    for _ in 0..20_000 {
        let at = section.len() as u32;
        section.extend(24u32.to_le_bytes());
        section.extend((at + 4).to_le_bytes());
        section.extend(0x2000u64.to_le_bytes());
        section.extend(16u64.to_le_bytes());
        section.extend([0; 4]);
    }
    let table = table(&section, 0x10_0000, usize::MAX);
    assert!(table.found.is_cut);
    assert!(table.found.functions < 1000, "{:?}", table.found);
}
