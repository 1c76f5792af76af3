//! Processes that have ended and are added up: shares of the threads' time are those of the recording that lists each process.

use std::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{BirthBy, DropReason, NO_OWNER, ThreadRecord};
use locktoll_recording::reader::{RawPart, Recording, Sums};
use locktoll_results::profile::Profile;
use proptest::collection::vec;
use proptest::prelude::*;

use super::builder::store;
use super::program::{DATA, Program, mutex};
use crate::recording::images::images;
use crate::recording::join;

/// How an image of a process ended.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Exit,
    Killed,
    /// It became the next image after that.
    Exec(u64),
}

/// A thread: when it began after its process, its waits, and how long it did something else.
#[derive(Clone, Debug)]
struct Life {
    start_ns: u64,
    waits: Vec<u64>,
    rest_ns: u64,
    has_ended: bool,
}

impl Life {
    fn waited_ns(&self) -> u64 {
        self.waits.iter().sum()
    }

    fn lived_ns(&self) -> u64 {
        self.waited_ns() + self.rest_ns
    }
}

/// An image of a process.
#[derive(Clone, Debug)]
struct Ran {
    /// Where it has the lock from.
    birth_site: u32,
    listed: Vec<Life>,
    /// Threads whose records were used again.
    unlisted: Vec<Life>,
    end: End,
}

fn processes() -> impl Strategy<Value = Vec<Ran>> {
    let life = (
        0_u64..1 << 30,
        vec(0_u64..1 << 32, 0..4),
        0_u64..1 << 20,
        any::<bool>(),
    );
    let life = life.prop_map(|(start_ns, waits, rest_ns, has_ended)| Life {
        start_ns,
        waits,
        rest_ns,
        has_ended,
    });
    let end = prop_oneof![
        Just(End::Exit),
        Just(End::Killed),
        (0_u64..1 << 20).prop_map(End::Exec)
    ];
    let ran = (1_u32..4, vec(life.clone(), 0..4), vec(life, 0..3), end);
    let ran = ran.prop_map(|(birth_site, listed, unlisted, end)| Ran {
        birth_site,
        listed,
        unlisted,
        end,
    });
    vec(ran, 1..7)
}

const FIRST_PID: u32 = 100;
const BEGAN_NS: u64 = 5_000;

/// Returns the parts. An image that ended by exec is followed by another one of the same process.
fn parts(all: &[Ran]) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    let (mut pid, mut sequence, mut start_ns) = (FIRST_PID, 0, BEGAN_NS);
    for ran in all {
        let mut program = Program::new(pid);
        let birth = BirthBy::FirstUse;
        program.part.birth(1, birth, &[ran.birth_site]);
        let threads = ran
            .listed
            .iter()
            .filter(|it| it.has_ended || ran.end != End::Killed);
        let last_ns = threads.map(|it| start_ns + it.start_ns + it.lived_ns());
        let waits = ran
            .listed
            .iter()
            .map(|it| start_ns + it.start_ns + it.waited_ns());
        let end_ns = last_ns.chain(waits).max().unwrap_or(start_ns);
        for (slot, life) in (1..).zip(&ran.listed) {
            let begin_ns = start_ns + life.start_ns;
            program.part.one(NO_OWNER, |thread: &ThreadRecord| {
                store!(thread, tid = slot, slot = slot, start_ns = begin_ns);
                store!(thread, lock_wait_ns = life.waited_ns());
                if life.has_ended {
                    store!(thread, end_ns = begin_ns + life.lived_ns());
                }
            });
        }
        // One record for each slot.
        let waits = |lives: &[Life]| lives.iter().flat_map(|it| it.waits.clone()).collect();
        let slots = (1..).zip(ran.listed.iter().map(|it| it.waits.clone()));
        for (slot, waits) in slots.chain([(9, waits(&ran.unlisted))]) {
            let mut key = mutex(DATA, 1).born(1);
            key.slot = slot;
            program.count(key, waits.len() as u64);
            program.waits(key, &waits, |_| ());
        }
        let header = program.part.header();
        store!(header, sequence = sequence, start_monotonic_ns = start_ns);
        let lost = usize::from(DropReason::ThreadUnwritten.number());
        header.dropped[lost].store(ran.unlisted.len() as u64, Relaxed);
        let unlisted_ns = ran.unlisted.iter().map(Life::lived_ns).sum();
        store!(header, unlisted_ns = unlisted_ns);
        (pid, sequence, start_ns) = match ran.end {
            End::Exec(after_ns) => (pid, sequence + 1, end_ns + after_ns),
            End::Killed => (pid + 1, 0, BEGAN_NS),
            End::Exit => {
                store!(header, end_monotonic_ns = end_ns);
                (pid + 1, 0, BEGAN_NS)
            }
        };
        parts.push(program.part.bytes());
    }
    parts
}

fn raw(part: &[u8]) -> RawPart {
    RawPart::read_all(part).unwrap().remove(0)
}

/// Adds up parts, the first of them before the others.
fn added_up(parts: &[Vec<u8>], first: usize) -> Vec<u8> {
    let parts: Vec<RawPart> = parts.iter().map(|it| raw(it)).collect();
    let images = images(&parts, &[], |_| Ok(None)).unwrap();
    let mut sums = Sums::of(Vec::new());
    for (number, (part, image)) in parts.iter().zip(images).enumerate() {
        if number == first {
            sums = Sums::of(sums.parts().unwrap());
        }
        sums.add(part, &[], image);
    }
    let sums = sums.parts().unwrap();
    sums.iter().flat_map(RawPart::bytes).collect()
}

fn joined(bytes: &[u8]) -> Profile {
    join::profile(&Recording::from_bytes(bytes).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn shares_of_sums_are_those_of_their_processes(all in processes(), first in 0_usize..7) {
        let parts = parts(&all);
        let each = joined(&parts.concat());
        let sum = joined(&added_up(&parts, first));
        prop_assert_eq!(sum.wait_ns, each.wait_ns);
        prop_assert_eq!(sum.thread_time_ns, each.thread_time_ns);
        // No thread waits longer than it lives.
        prop_assert!(sum.wait_ns <= sum.thread_time_ns);
        let threads: usize = all.iter().map(|it| it.listed.len() + it.unlisted.len()).sum();
        prop_assert_eq!(sum.processes[0].unlisted_threads, threads as u64);
        let ended = all.iter().filter(|it| !matches!(it.end, End::Exec(_))).count();
        // The last image may have become one that is not there.
        let open = matches!(all.last().map(|it| it.end), Some(End::Exec(_)));
        prop_assert_eq!(sum.processes[0].added_up, Some(ended as u64 + u64::from(open)));
    }
}

/// A part of a sum in a version of the format that did not have the lifetimes of its threads.
#[test]
fn the_time_of_threads_in_a_sum_of_an_earlier_version_is_not_known() {
    let life = Life {
        start_ns: 10,
        waits: vec![700],
        rest_ns: 300,
        has_ended: true,
    };
    let ran = Ran {
        birth_site: 1,
        listed: vec![life],
        unlisted: Vec::new(),
        end: End::Exit,
    };
    let parts = parts(&[ran.clone(), ran]);
    let mut sum = added_up(&parts[1..], 0);
    let known = joined(&[&parts[0][..], &sum].concat());
    assert_eq!(known.thread_time_ns, 2_000);
    let minor = std::mem::offset_of!(locktoll_recording::layout::Header, minor);
    sum[minor..minor + 2].copy_from_slice(&7_u16.to_le_bytes());
    let unknown = joined(&[&parts[0][..], &sum].concat());
    assert_eq!((unknown.thread_time_ns, unknown.wait_ns), (0, 1_400));
    assert_eq!(unknown.processes[1].unlisted_ns, None);
    let says = |of: &Profile| {
        of.warnings
            .iter()
            .any(|it| it.contains("1 thread that is not listed in it are not known"))
    };
    assert!(!says(&known), "{:?}", known.warnings);
    assert!(says(&unknown), "{:?}", unknown.warnings);
}
