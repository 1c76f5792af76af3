//! The reader returns what was written of modules, ranges, stacks and births.

use locktoll_recording::layout::{
    BirthBy, BirthRecord, CountRecord, ModuleRecord, NO_OWNER, RangeRecord, StackRecord,
};
use locktoll_recording::reader::{Inherited, Problem, Recording, Warning};
use locktoll_recording::writer::store_bytes;

use crate::builder::{Builder, store};

#[test]
fn a_birth_may_come_behind_the_locks_that_have_it() {
    let mut builder = Builder::new(1, b"./server\0");
    builder.one(1, |count: &CountRecord| {
        store!(count, lock = 0x5000, birth = 7, kind = 1, entry = 1);
        store!(count, acquisitions = 3);
    });
    builder.birth(7, BirthBy::FirstUse, &[]);
    let recording = Recording::from_bytes(&builder.bytes()).unwrap();
    assert_eq!(recording.warnings, []);
    assert_eq!(recording.parts[0].counts[0].birth, Some(0));
}

#[test]
fn a_range_says_what_its_memory_is() {
    use locktoll_recording::layout::range_flags::{ANONYMOUS, EXECUTABLE, READABLE, WRITABLE};
    let mut builder = Builder::new(1, b"./server\0");
    builder.module(1, b"/usr/bin/server");
    for (start, flags) in [
        (0x1_0000, READABLE),
        (0x2_0000, READABLE | EXECUTABLE),
        (0x3_0000, READABLE | WRITABLE),
        (0x4_0000, WRITABLE | ANONYMOUS),
    ] {
        builder.one(NO_OWNER, |range: &RangeRecord| {
            store!(range, start = start, end = start + 0x1000, module = 1);
            store!(range, file_offset = 0x77, flags = flags);
        });
    }
    // Of no module, empty, and reversed; and of a module that is not there, which may be valid.
    for (start, end, module) in [(5, 6, 0), (5, 5, 1), (6, 5, 1), (5, 6, 9)] {
        builder.one(NO_OWNER, |range: &RangeRecord| {
            store!(range, start = start, end = end, module = module);
        });
    }
    let recording = Recording::from_bytes(&builder.bytes()).unwrap();
    let bad = |it: &&Warning| matches!(it.problem, Problem::BadRecords { count: 1, .. });
    let warnings = &recording.warnings;
    assert_eq!(
        (warnings.iter().filter(bad).count(), warnings.len()),
        (3, 3)
    );
    let ranges: Vec<_> = recording.parts[0].modules[0]
        .ranges
        .iter()
        .map(|it| (it.start, it.file_offset, it.executable, it.writable))
        .collect();
    let expected = [
        // That of the builder.
        (0x1000, Some(0), false, false),
        (0x1_0000, Some(0x77), false, false),
        (0x2_0000, Some(0x77), true, false),
        (0x3_0000, Some(0x77), false, true),
        (0x4_0000, None, false, true),
    ];
    assert_eq!(ranges, expected);
}

#[test]
fn stacks_and_births_come_back_with_all_they_say() {
    let mut builder = Builder::new(1, b"./server\0");
    builder.sites(3, 0);
    for (id, frames, truncated) in [(1, 2, 1), (2, 58, 0), (3, 59, 0), (0, 1, 0)] {
        builder.one(NO_OWNER, |stack: &StackRecord| {
            store!(stack, id = id, frames = frames, truncated = truncated);
            for place in &stack.sites {
                place.store(3, std::sync::atomic::Ordering::Relaxed);
            }
        });
    }
    for (id, ancestor_pid) in [(1, 0), (2, 40), (0, 40)] {
        builder.one(NO_OWNER, |birth: &BirthRecord| {
            store!(birth, id = id, stack = 2, site = 1, by = 2, kind = 1);
            store!(birth, locks = 5, ancestor_pid = ancestor_pid);
            store!(birth, ancestor_sequence = 6, ancestor_birth = 7);
        });
    }
    let recording = Recording::from_bytes(&builder.bytes()).unwrap();
    assert_eq!(recording.warnings.len(), 3, "{:?}", recording.warnings);
    let part = &recording.parts[0];
    let stacks: Vec<_> = part
        .stacks
        .iter()
        .map(|it| (it.sites.len(), it.sites[0], it.truncated))
        .collect();
    assert_eq!(stacks, [(2, Some(2), true), (58, Some(2), false)]);
    let births: Vec<_> = part
        .births
        .iter()
        .map(|it| (it.id, it.stack, it.site, it.locks, it.inherited))
        .collect();
    let inherited = Inherited::new(40, 6, 7);
    let expected = [
        (1, Some(1), Some(0), 5, None),
        (2, Some(1), Some(0), 5, Some(inherited)),
    ];
    assert_eq!(births, expected);
}

#[test]
fn modules_are_known_by_their_id_and_path() {
    let mut builder = Builder::new(1, b"./server\0");
    for (id, path_bytes, bias_known, build_id_bytes) in
        [(1, 4, 1, 4), (2, 4, 0, 200), (0, 4, 1, 4), (3, 0, 1, 4)]
    {
        let mut segment = builder.segment::<ModuleRecord>(NO_OWNER, 1, 8);
        segment.append_with_tail(|module, tail| {
            store!(module, id = id, path_bytes = path_bytes, bias = 0x1000);
            store!(module, bias_known = bias_known, first_seen_ns = 9);
            store!(module, build_id_bytes = build_id_bytes);
            store_bytes(&module.build_id, &[7; 32]);
            store_bytes(tail, b"/a.sorest");
        });
    }
    let recording = Recording::from_bytes(&builder.bytes()).unwrap();
    assert_eq!(recording.warnings.len(), 2, "{:?}", recording.warnings);
    let modules: Vec<_> = recording.parts[0]
        .modules
        .iter()
        .map(|it| (it.id, it.path.to_str().unwrap(), it.bias, it.build_id.len()))
        .collect();
    let expected = [(1, "/a.s", Some(0x1000), 4), (2, "/a.s", None, 32)];
    assert_eq!(modules, expected);
    assert_eq!(recording.parts[0].modules[0].first_seen_ns, 9);
}
