//! Properties that must hold when any bytes are read as a file, or as a section of one. Shared by the tests and the fuzz targets.

use std::fs::File;

use super::eh_frame;
use super::file::Unwindable;
use super::rule::Rule;
use super::table::{Builder, PAGE_SHIFT, Table};

/// The most rows that are read, small enough that this limit is reached, too.
const MOST_ROWS: usize = 10_000;

/// Checks the properties on which the kernel's program relies.
pub fn is_in_order(table: &Table) {
    assert_eq!(table.rows[0] >> 32, 0);
    for pair in table.rows.windows(2) {
        assert!(pair[0] >> 32 < pair[1] >> 32);
        assert_ne!(pair[0] as u32, pair[1] as u32);
    }
    let pages: Vec<u64> = table.pages(7).collect();
    let mut next = 7;
    for (page, bounds) in pages.iter().enumerate() {
        let (begin, end) = (*bounds as u32, (bounds >> 32) as u32);
        assert_eq!(begin, next);
        for row in begin..end {
            let row = table.rows[row as usize - 7];
            assert_eq!(row >> 32 >> PAGE_SHIFT, page as u64);
        }
        next = end;
    }
    assert_eq!(next as usize - 7, table.rows.len());
}

/// Reads a section `.eh_frame` that a program has at address `at`.
pub fn frames(section: &[u8], at: u64) {
    let mut builder = Builder::new(at & !0xfff, MOST_ROWS);
    let found = eh_frame::read(eh_frame::up_to_end(section), at, &mut builder);
    let table = builder.finish(found);
    is_in_order(&table);
    for row in &table.rows {
        let _ = Rule::of_bits(*row as u32);
    }
}

/// Reads the bytes of a file.
pub fn image(bytes: &[u8]) {
    check(&Unwindable::of_image(bytes, MOST_ROWS), &[0, 1 << 12]);
}

/// Reads a file as `attach` does.
pub fn file(file: &File, places: &[u64]) {
    check(&Unwindable::of_file(file, MOST_ROWS), places);
}

fn check(unwindable: &Unwindable, places: &[u64]) {
    let _ = unwindable.layout.base();
    for &place in places {
        let _ = unwindable.layout.address_of(place);
    }
    if let Some(table) = &unwindable.table {
        is_in_order(table);
    }
}
