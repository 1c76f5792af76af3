//! Processes with more places than a sum has room for: no figure is lost.

use super::*;

/// The room for births and for call sites.
const BIRTHS: u32 = 1 << 14;
const SITES: u32 = 1 << 16;

/// The first of the numbers of these sites and births.
const FIRST_NUMBER: u32 = 1_000;

fn group(kind: RecordKind, owner: u32, records: impl Iterator<Item = Vec<u8>>) -> Group {
    let records: Vec<Vec<u8>> = records.collect();
    Group {
        kind,
        owner,
        record_bytes: records[0].len(),
        bytes: records.concat(),
    }
}

/// A process that takes a lock twice at each of this many further sites; `has_births` if each lock was made there.
fn wide(pid: u32, sites: u32, has_births: bool) -> RawPart {
    let mut wide = part(Made { pid, ..FIRST });
    let numbers = || FIRST_NUMBER..FIRST_NUMBER + sites;
    let site = |number: u32| {
        let offset = 0x1_0000 + u64::from(number);
        record(
            size_of::<SiteRecord>(),
            &[
                (offset_of!(SiteRecord, address), &offset.to_le_bytes()),
                (offset_of!(SiteRecord, file_offset), &offset.to_le_bytes()),
                (offset_of!(SiteRecord, module), &1_u32.to_le_bytes()),
                (offset_of!(SiteRecord, id), &number.to_le_bytes()),
            ],
        )
    };
    let sites = group(RecordKind::Site, NO_OWNER, numbers().map(site));
    wide.groups.push(sites);
    if has_births {
        let births = numbers().map(|number| birth(number, number, None));
        wide.groups.push(group(RecordKind::Birth, NO_OWNER, births));
    }
    let counts = numbers().map(|number| {
        let lock = 0x7fff_0000_0000 + 64 * u64::from(number);
        count(lock, number, if has_births { number } else { 0 }, 2)
    });
    wide.groups.push(group(RecordKind::Count, 1, counts));
    RawPart::read_all(&wide.bytes()[..]).unwrap().remove(0)
}

fn acquisitions<'p>(counts: impl Iterator<Item = &'p crate::reader::Count>) -> u64 {
    counts.map(|it| it.acquisitions).sum()
}

#[test]
fn locks_of_births_without_room_are_counted_under_no_place() {
    // The birth of every process comes first, so this many and one more have no room.
    let sites = BIRTHS + 100;
    let mut sums = Sums::of(Vec::new());
    for (number, pid) in [(1, 7), (2, 8)] {
        sums.add(&wide(pid, sites, true), &[], Image::default());
        let parts = sums.parts().unwrap();
        let sum = read(&parts).remove(0);
        let locks: u64 = sum.births.iter().map(|it| it.locks).sum();
        assert_eq!(locks, number * u64::from(sites + 1));
        assert_eq!(sum.births.len() as u32, BIRTHS + 1);
        let (mut rest, mut without) = (sum.births.iter().filter(|it| it.site.is_none()), 0);
        without += rest.next().unwrap().locks;
        assert_eq!((without, rest.count()), (number * 101, 0));
        let all = acquisitions(sum.counts.iter());
        assert_eq!(all, number * (13 + 2 * u64::from(sites)));
        // As after a restart.
        sums = Sums::of(parts);
    }
}

#[test]
fn acquisitions_at_sites_without_room_are_counted_as_such() {
    let sites = SITES + 100;
    let part = wide(7, sites, false);
    let sum = read(&sums(&[part]).parts().unwrap()).remove(0);
    let all = acquisitions(sum.counts.iter());
    assert_eq!(all, 13 + 2 * u64::from(sites));
    let nowhere = acquisitions(sum.counts.iter().filter(|it| it.site.is_none()));
    // Three sites are those of every process.
    assert!(nowhere >= 2 * 103, "{nowhere}");
    assert_eq!(sum.dropped.count(DropReason::SiteTableFull), nowhere);
}
