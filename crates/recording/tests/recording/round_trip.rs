//! What was written is what is read.

use std::collections::BTreeMap;

use locktoll_recording::layout::{Origin, StopReason};
use locktoll_recording::reader::{Recording, append_part};
use locktoll_recording::writer::{end_part, stop_part};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use crate::builder::{Builder, Event, histogram, sample};

#[test]
fn a_part_comes_back_whole() {
    let mut builder = sample(42);
    stop_part(builder.header(), StopReason::NoSpace, 28, 7_000);
    end_part(builder.header(), 9_000);
    let recording = Recording::from_bytes(&builder.bytes()).unwrap();
    assert_eq!(recording.warnings, []);
    let part = &recording.parts[0];
    assert_eq!((part.process.pid, part.process.parent_pid), (42, 1));
    assert_eq!(part.process.origin, Some(Origin::Exec));
    assert_eq!(
        part.process.command.arguments,
        ["./server", "--threads", "4"]
    );
    assert_eq!(part.process.end_monotonic_ns, Some(9_000));
    let stopped = part.process.stopped.unwrap();
    assert_eq!(
        (stopped.reason, stopped.errno),
        (Some(StopReason::NoSpace), Some(28))
    );
    assert_eq!(part.threads[0].name, "worker");
    assert_eq!(part.modules[0].path.to_str(), Some("/usr/bin/server"));
    assert_eq!(part.modules[0].build_id, b"ID:1");
    let (module, address) = part.elf_address(0x5000).unwrap();
    assert_eq!(
        (module.path.to_str(), address),
        (Some("/usr/bin/server"), 0x4000)
    );
    let count = &part.counts[0];
    assert_eq!(part.sites[count.site.unwrap()].address, 0x2002);
    let contention = count.contention.as_deref().unwrap();
    assert_eq!(
        (contention.wait_total_ns, contention.wait_max_ns),
        (2400, 1500)
    );
}

#[test]
fn parts_laid_end_to_end_are_one_recording() {
    let mut merged = Vec::new();
    for pid in [1, 2, 3] {
        let mut bytes = sample(pid).bytes();
        // What a live file has beyond its end.
        bytes.extend_from_slice(&[0; 100_000]);
        append_part(&mut merged, &bytes[..]).unwrap();
    }
    let recording = Recording::from_bytes(&merged).unwrap();
    assert_eq!(recording.warnings, []);
    let pids: Vec<u32> = recording
        .parts
        .iter()
        .map(|part| part.process.pid)
        .collect();
    assert_eq!(pids, [1, 2, 3]);
    assert!(recording.parts.iter().all(|part| part.counts.len() == 1));
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let what = (1..u64::MAX / 4, vec(0..u64::MAX >> 20, 0..5));
    // Slot, lock and site together are what a record is found by, so they are distinct.
    btree_map((0_u32..4, 1_u64..1000, 1_u32..4), what, 0..20).prop_map(|events| {
        let event = |((slot, lock, site), (acquisitions, waits))| Event {
            slot,
            lock,
            site,
            acquisitions,
            waits,
        };
        events.into_iter().map(event).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_events_come_back(events in events()) {
        let mut builder = Builder::new(7, b"");
        builder.sites(3, 0);
        events.iter().for_each(|event| builder.event(event));
        let recording = Recording::from_bytes(&builder.bytes()).unwrap();
        prop_assert_eq!(&recording.warnings, &[]);
        let part = &recording.parts[0];
        let read: BTreeMap<_, _> = part
            .counts
            .iter()
            .map(|count| {
                let site = count.site.map_or(0, |site| part.sites[site].file_offset as u32);
                ((count.thread_slot, count.lock_address, site), count)
            })
            .collect();
        prop_assert_eq!(read.len(), events.len());
        for event in &events {
            let count = read[&(event.slot, event.lock, event.site)];
            prop_assert_eq!(count.acquisitions, event.acquisitions);
            let waits = count.contention.as_deref();
            prop_assert_eq!(waits.map_or(0, |waits| waits.contended), event.waits.len() as u64);
            if let Some(waits) = waits {
                prop_assert_eq!(waits.wait_total_ns, event.waits.iter().sum::<u64>());
                prop_assert_eq!(waits.wait_histogram, histogram(&event.waits));
            }
        }
    }
}
