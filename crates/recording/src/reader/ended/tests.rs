//! Sums of parts that are made here record by record.

use core::mem::offset_of;
use std::vec::Vec;

use super::{Image, Sums};
use crate::layout::{
    BYTE_ORDER, BirthBy, BirthRecord, CountRecord, DropReason, EntryPoint, Header, LockKind, MAGIC,
    MAJOR, MINOR, ModuleRecord, NO_OWNER, PAGE_BYTES, RangeRecord, RecordKind, SiteRecord,
    ThreadRecord,
};
use crate::reader::since::{Group, put};
use crate::reader::{Part, RawPart, Recording};

mod limits;

/// A process: where its program lies, and by how much its numbers of places are higher than those of others.
#[derive(Clone, Copy)]
struct Made {
    pid: u32,
    bias: u64,
    shift: u32,
    /// Acquisitions of the lock in a variable, and of one that it made.
    acquisitions: [u64; 2],
    /// The process and the birth from which it has the second lock.
    from: Option<(u32, u32)>,
}

const FIRST: Made = Made {
    pid: 7,
    bias: 0x5500_0000,
    shift: 0,
    acquisitions: [10, 3],
    from: None,
};

const PATH: &[u8] = b"/bin/server\0\0\0\0\0";

fn record(bytes: usize, fields: &[(usize, &[u8])]) -> Vec<u8> {
    let mut record = std::vec![0; bytes];
    for (at, field) in fields {
        put(&mut record, *at, field);
    }
    record
}

fn count(lock: u64, site: u32, birth: u32, acquisitions: u64) -> Vec<u8> {
    let mut record = record(
        size_of::<CountRecord>(),
        &[
            (offset_of!(CountRecord, lock), &lock.to_le_bytes()),
            (
                offset_of!(CountRecord, acquisitions),
                &acquisitions.to_le_bytes(),
            ),
            (offset_of!(CountRecord, site), &site.to_le_bytes()),
            (offset_of!(CountRecord, generation), &9_u32.to_le_bytes()),
            (offset_of!(CountRecord, birth), &birth.to_le_bytes()),
        ],
    );
    record[offset_of!(CountRecord, kind)] = LockKind::Mutex.number();
    record[offset_of!(CountRecord, entry)] = EntryPoint::Lock.number();
    record
}

fn birth(id: u32, site: u32, from: Option<(u32, u32)>) -> Vec<u8> {
    let (pid, birth) = from.unwrap_or_default();
    let mut record = record(
        size_of::<BirthRecord>(),
        &[
            (offset_of!(BirthRecord, id), &id.to_le_bytes()),
            (offset_of!(BirthRecord, site), &site.to_le_bytes()),
            (offset_of!(BirthRecord, locks), &1_u64.to_le_bytes()),
            (offset_of!(BirthRecord, ancestor_pid), &pid.to_le_bytes()),
            (
                offset_of!(BirthRecord, ancestor_birth),
                &birth.to_le_bytes(),
            ),
        ],
    );
    record[offset_of!(BirthRecord, kind)] = LockKind::Mutex.number();
    record[offset_of!(BirthRecord, by)] = BirthBy::Initialisation.number();
    record
}

/// The part of a process. Its program has a site at 0x100 for the lock in a variable at 0x2000, and others at 0x200 and 0x300, where the
/// second lock is taken and made.
fn part(made: Made) -> RawPart {
    let module = 1 + made.shift;
    let site = |number: u32| {
        let offset = u64::from(number) * 0x100;
        record(
            size_of::<SiteRecord>(),
            &[
                (
                    offset_of!(SiteRecord, address),
                    &(made.bias + offset).to_le_bytes(),
                ),
                (offset_of!(SiteRecord, file_offset), &offset.to_le_bytes()),
                (offset_of!(SiteRecord, module), &module.to_le_bytes()),
                (
                    offset_of!(SiteRecord, id),
                    &(number + made.shift).to_le_bytes(),
                ),
            ],
        )
    };
    let mut program = record(
        size_of::<ModuleRecord>() + PATH.len(),
        &[
            (offset_of!(ModuleRecord, id), &module.to_le_bytes()),
            (offset_of!(ModuleRecord, path_bytes), &11_u32.to_le_bytes()),
            (offset_of!(ModuleRecord, bias), &made.bias.to_le_bytes()),
            (size_of::<ModuleRecord>(), PATH),
        ],
    );
    program[offset_of!(ModuleRecord, bias_known)] = 1;
    let range = record(
        size_of::<RangeRecord>(),
        &[
            (offset_of!(RangeRecord, start), &made.bias.to_le_bytes()),
            (
                offset_of!(RangeRecord, end),
                &(made.bias + 0x8000).to_le_bytes(),
            ),
            (offset_of!(RangeRecord, module), &module.to_le_bytes()),
        ],
    );
    let [static_times, own_times] = made.acquisitions;
    let own = 5 + made.shift;
    let counts = [
        count(made.bias + 0x2000, 1 + made.shift, 0, static_times),
        count(
            0x7fff_0000_0000 + u64::from(made.pid),
            2 + made.shift,
            own,
            own_times,
        ),
    ];
    let places: Vec<(RecordKind, Vec<u8>)> =
        [(RecordKind::Module, program), (RecordKind::Range, range)]
            .into_iter()
            // In another order in other processes.
            .chain([3, 1, 2].map(|number| (RecordKind::Site, site(number))))
            .chain([(RecordKind::Birth, birth(own, 3 + made.shift, made.from))])
            .collect();
    let page = record(
        PAGE_BYTES as usize,
        &[
            (offset_of!(Header, magic), &MAGIC.to_le_bytes()),
            (offset_of!(Header, major), &MAJOR.to_le_bytes()),
            (
                offset_of!(Header, header_bytes),
                &(PAGE_BYTES as u32).to_le_bytes(),
            ),
            (offset_of!(Header, byte_order), &BYTE_ORDER.to_le_bytes()),
            (offset_of!(Header, word_bytes), &[8]),
            (offset_of!(Header, pid), &made.pid.to_le_bytes()),
            (
                offset_of!(Header, start_monotonic_ns),
                &u64::from(made.pid).to_le_bytes(),
            ),
            (
                offset_of!(Header, end_monotonic_ns),
                &(1_000 * u64::from(made.pid)).to_le_bytes(),
            ),
            (offset_of!(Header, user_ns), &5_u64.to_le_bytes()),
            (offset_of!(Header, end), &PAGE_BYTES.to_le_bytes()),
        ],
    );
    let mut part = RawPart::read_all(&page[..]).unwrap().remove(0);
    let counts = counts.map(|count| (RecordKind::Count, count));
    for (kind, bytes) in places.into_iter().chain(counts) {
        let owner = if kind == RecordKind::Count {
            1
        } else {
            NO_OWNER
        };
        part.groups.push(Group {
            kind,
            owner,
            record_bytes: bytes.len(),
            bytes,
        });
    }
    // Through bytes, as in life.
    RawPart::read_all(&part.bytes()[..]).unwrap().remove(0)
}

fn read(parts: &[RawPart]) -> Vec<Part> {
    let one = |part: &RawPart| {
        let mut recording = Recording::from_bytes(&part.bytes()).unwrap();
        assert_eq!(recording.warnings, []);
        recording.parts.remove(0)
    };
    parts.iter().map(one).collect()
}

/// The acquisitions by places in the program: of the lock in a variable, by its address there; of others, by the site of their birth.
fn places(part: &Part) -> Vec<(u64, u64, u64)> {
    let in_file = |address| part.elf_address(address).unwrap().1;
    let counts = part.counts.iter().map(|count| {
        let site = in_file(part.sites[count.site.unwrap()].address);
        let lock = match part.elf_address(count.lock_address) {
            Some((_, address)) => address,
            None => in_file(part.sites[part.births[count.birth.unwrap()].site.unwrap()].address),
        };
        (lock, site, count.acquisitions)
    });
    let mut all: Vec<_> = counts.collect();
    all.sort_unstable();
    all
}

fn sums(parts: &[RawPart]) -> Sums {
    let mut sums = Sums::of(Vec::new());
    let others: Vec<&RawPart> = parts.iter().collect();
    for part in parts {
        sums.add(part, &others, Image::default());
    }
    sums
}

const SECOND: Made = Made {
    pid: 8,
    bias: 0x6600_0000,
    shift: 40,
    acquisitions: [100, 20],
    from: None,
};

#[test]
fn processes_of_one_program_are_one_part_wherever_they_lay() {
    let parts = [part(FIRST), part(SECOND)];
    let sum = read(&sums(&parts).parts().unwrap());
    let [sum] = &sum[..] else {
        panic!("one program, one sum: {}", sum.len())
    };
    assert_eq!(places(sum), [(0x300, 0x200, 23), (0x2000, 0x100, 110)]);
    assert_eq!(
        (sum.sites.len(), sum.births.len(), sum.modules.len()),
        (3, 1, 1)
    );
    assert_eq!(sum.births[0].locks, 2);
    let process = &sum.process;
    assert_eq!((process.pid, process.added_up), (0, Some(2)));
    assert_eq!(process.end_monotonic_ns, Some(8_000));
    assert_eq!(process.usage.map(|it| it.user_ns), Some(10));
    assert_eq!(sum.dropped.count(DropReason::ThreadUnwritten), 0);
    // A sum that is continued later is the same.
    let mut later = Sums::of(sums(&parts[..1]).parts().unwrap());
    later.add(&parts[1], &[], Image::default());
    assert_eq!(places(&read(&later.parts().unwrap())[0]), places(sum));
}

#[test]
fn inherited_locks_keep_the_birth_that_they_had_in_a_part_that_is_not_added_up() {
    let parent = part(SECOND);
    // It has first taken the lock at another place.
    let child = Made {
        pid: 9,
        shift: 3,
        from: Some((SECOND.pid, 5 + SECOND.shift)),
        ..FIRST
    };
    let mut sums = Sums::of(Vec::new());
    sums.add(&part(child), &[&parent], Image::default());
    let sum = read(&sums.parts().unwrap()).remove(0);
    assert_eq!(places(&sum), [(0x300, 0x200, 3), (0x2000, 0x100, 10)]);
    assert!(sum.births.iter().all(|it| it.inherited.is_none()));
}

#[test]
fn what_was_reported_of_processes_that_have_gone_is_reported_of_their_sum() {
    let early = part(Made {
        acquisitions: [4, 1],
        ..FIRST
    });
    let now = sums(&[part(FIRST), part(SECOND)]).parts().unwrap();
    // Of the second process nothing had been reported.
    let reported = Sums::reported(now.clone(), &[], &[&early], &[&early]).unwrap();
    assert!(reported[0].is_same_part(&now[0]));
    let interval = crate::reader::Interval {
        began_ns: Some((1, 1)),
        now_ns: None,
    };
    let found = crate::reader::since(&now[0], Some(&reported[0]), interval);
    let difference = read(&[found.difference]).remove(0);
    assert_eq!(
        places(&difference),
        [(0x300, 0x200, 22), (0x2000, 0x100, 106)]
    );
    // And the next time of the sum itself.
    let third = Made { pid: 10, ..SECOND };
    let mut later = Sums::of(now);
    later.add(&part(third), &[], Image::default());
    let later = later.parts().unwrap();
    let reported = Sums::reported(later.clone(), &[&found.reported], &[], &[]).unwrap();
    let found = crate::reader::since(&later[0], Some(&reported[0]), interval);
    let difference = read(&[found.difference]).remove(0);
    assert_eq!(
        places(&difference),
        [(0x300, 0x200, 20), (0x2000, 0x100, 100)]
    );
}

/// The part of a process with a thread that began at 1,000 and runs, or ran until the process ended.
fn with_thread(made: Made, ended_ns: u64) -> RawPart {
    let mut part = part(made);
    let start = offset_of!(ThreadRecord, start_ns);
    let thread = record(
        size_of::<ThreadRecord>(),
        &[(start, &1_000_u64.to_le_bytes())],
    );
    part.groups.push(Group {
        kind: RecordKind::Thread,
        owner: NO_OWNER,
        record_bytes: thread.len(),
        bytes: thread,
    });
    let end = offset_of!(Header, end_monotonic_ns);
    put(&mut part.header, end, &ended_ns.to_le_bytes());
    let minor = offset_of!(Header, minor);
    put(&mut part.header, minor, &MINOR.to_le_bytes());
    RawPart::read_all(&part.bytes()[..]).unwrap().remove(0)
}

#[test]
fn a_sum_has_the_lifetimes_of_threads_and_they_are_reported_once() {
    let look = |began_ns, now_ns| crate::reader::Interval { began_ns, now_ns };
    let early = with_thread(FIRST, 0);
    let early = crate::reader::since(&early, None, look(None, Some(3_000))).reported;
    let parts = [with_thread(FIRST, 7_000), with_thread(SECOND, 8_000)];
    let now = sums(&parts).parts().unwrap();
    let unlisted = |sum: &RawPart| {
        let part = read(std::slice::from_ref(sum)).remove(0);
        let threads = part.dropped.count(DropReason::ThreadUnwritten);
        (threads, part.process.unlisted_ns)
    };
    assert_eq!(unlisted(&now[0]), (2, Some(6_000 + 7_000)));
    let reported = Sums::reported(now.clone(), &[], &[&early], &[&early]).unwrap();
    let began_ns = Some((3_000, 3_000));
    let found = crate::reader::since(&now[0], Some(&reported[0]), look(began_ns, None));
    assert_eq!(unlisted(&found.difference), (1, Some(4_000 + 7_000)));
}

#[test]
fn a_sum_does_not_grow_with_processes() {
    let of = |processes: u32| {
        let parts: Vec<RawPart> = (1..=processes)
            .map(|pid| {
                part(Made {
                    pid,
                    bias: 0x5000_0000 + u64::from(pid) * 0x10_0000,
                    shift: pid % 50,
                    ..FIRST
                })
            })
            .collect();
        sums(&parts).parts().unwrap().remove(0)
    };
    let (few, many) = (of(2), of(1_000));
    assert_eq!(few.bytes().len(), many.bytes().len());
    let sum = read(&[many]).remove(0);
    assert_eq!(
        places(&sum),
        [(0x300, 0x200, 3_000), (0x2000, 0x100, 10_000)]
    );
}
