//! Properties that hold whatever the records are.

use locktoll_recording::layout::{BirthBy, EntryPoint, LockKind};
use locktoll_recording::reader::Recording;
use proptest::collection::vec;
use proptest::prelude::*;

use super::builder::store;
use super::program::{DATA, FUNCTIONS, HEAP, Key, Program, profile};
use crate::recording::join;

/// A record about a lock, with the waits, holds and charges that it may have.
#[derive(Clone, Debug)]
struct Event {
    key: (u64, usize, usize, u32, u32, u32),
    acquisitions: u64,
    waits: Vec<u64>,
    holds: Vec<u64>,
    holder: u32,
    charged_ns: u64,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let address = prop_oneof![
        (0_u64..40).prop_map(|number| DATA + 40 * number),
        (0_u64..40).prop_map(|number| HEAP + 40 * number),
    ];
    let sites = FUNCTIONS.len() as u32 + 2;
    let key = (
        address,
        0..LockKind::ALL.len(),
        0..EntryPoint::ALL.len(),
        0..sites,
        0_u32..5,
        0_u32..3,
    );
    let times = || vec(0_u64..1 << 40, 0..4);
    let event = (
        key,
        0_u64..1 << 40,
        times(),
        times(),
        0..sites,
        0_u64..1 << 42,
    );
    let event = event.prop_map(
        |(key, acquisitions, waits, holds, holder, charged_ns)| Event {
            key,
            acquisitions,
            waits,
            holds,
            holder,
            charged_ns,
        },
    );
    vec(event, 0..30)
}

fn recorded(events: &[Event]) -> Program {
    let mut program = Program::new(1);
    program.variable("table", DATA, 30 * 40);
    program.part.birth(1, BirthBy::Initialisation, &[5, 3, 4]);
    program.part.birth(2, BirthBy::FirstUse, &[6, 1]);
    program.part.birth(3, BirthBy::FirstUse, &[]);
    for event in events {
        let (lock, kind, entry, site, birth, slot) = event.key;
        let key = Key {
            lock,
            kind: LockKind::ALL[kind],
            entry: EntryPoint::ALL[entry],
            site,
            birth,
            slot,
            generation: 0,
        };
        program.count(key, event.acquisitions);
        program.waits(key, &event.waits, |contention| {
            store!(
                contention,
                runnable_ns = event.charged_ns,
                examined_ns = 1_000
            );
            store!(contention, examined_cpu_ns = event.holder.into());
        });
        program.holds(key, &event.holds, 3);
        program.blame(key, event.holder, 1, event.charged_ns);
        program.stack_waits(key, birth, 1, event.charged_ns);
    }
    program
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sums_are_those_of_their_parts(events in events()) {
        // `profile` checks the sums.
        let profile = profile(&recorded(&events).bytes());
        let taken: u64 = profile.locks.iter().filter_map(|lock| lock.acquisitions).sum();
        let counted: u64 = events.iter().map(|event| event.acquisitions).sum();
        prop_assert!(taken <= counted);
    }

    #[test]
    fn a_damaged_recording_is_joined_without_a_panic(
        events in events(),
        damage in vec((any::<prop::sample::Index>(), any::<u8>()), 1..60),
    ) {
        let mut bytes = recorded(&events).bytes();
        // Most of a page is padding, so the damage is aimed at its first quarter.
        for (place, value) in damage {
            let place = place.index(bytes.len() / 4);
            bytes[4 * (place & !1023) + (place & 1023)] = value;
        }
        if let Ok(recording) = Recording::from_bytes(&bytes) {
            let _ = join::profile(&recording);
        }
    }
}
