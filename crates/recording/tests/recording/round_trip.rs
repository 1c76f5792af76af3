//! The reader returns what was written.

use std::collections::BTreeMap;

use locktoll_recording::appendix::{
    Appendix, NewKey, NewPreemptedWait, NewPreemption, NewPreemptions, NewSymbol, NewVariable,
    NewWatch,
};
use locktoll_recording::histogram::BUCKETS;
use locktoll_recording::layout::{
    BirthBy, ContentionRecord, HoldRecord, Mode, OffCpu, Origin, POOLED, StopReason, WatchedBy,
};
use locktoll_recording::reader::{Problem, Recording, Usage, append_part, append_part_with};
use locktoll_recording::writer::{end_part, stop_part};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use crate::builder::{Builder, Event, histogram, sample, store};

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
fn holds_blame_stacks_and_births_come_back() {
    let mut builder = sample(1);
    builder.one(1, |hold: &HoldRecord| {
        store!(
            hold,
            lock = POOLED,
            site = 1,
            birth = 1,
            kind = 1,
            entry = 1
        );
    });
    store!(
        builder.header(),
        mode = Mode::Exact.number(),
        user_ns = 5,
        system_ns = 6
    );
    store!(
        builder.header(),
        voluntary_switches = 7,
        involuntary_switches = 8
    );
    store!(builder.header(), added_ps_per_pair = 6_400);
    let recording = Recording::from_bytes(&builder.bytes()).unwrap();
    assert_eq!(recording.warnings, []);
    let part = &recording.parts[0];
    let process = &part.process;
    assert_eq!(process.mode, Some(Mode::Exact));
    assert_eq!(process.added_ps_per_pair, Some(6_400));
    let usage = Usage {
        user_ns: 5,
        system_ns: 6,
        voluntary_switches: 7,
        involuntary_switches: 8,
    };
    assert_eq!(process.usage, Some(usage));

    let site_id = |site: Option<usize>| site.map(|site| part.sites[site].id);
    let thread = &part.threads[0];
    assert_eq!(site_id(thread.start_routine), Some(3));
    assert_eq!((thread.lock_wait_ns, thread.signal_wait_ns), (2_400, 50));
    let kernel = thread.kernel.unwrap();
    assert_eq!(
        (kernel.read_ns, kernel.cpu_ns, kernel.run_delay_ns),
        (8_000, 1_000, 200)
    );
    assert_eq!(
        (kernel.voluntary_switches, kernel.involuntary_switches),
        (7, 2)
    );

    let [hold, pooled] = &part.holds[..] else {
        panic!("{:?}", part.holds);
    };
    assert_eq!(
        (hold.key.lock_address, site_id(hold.key.site)),
        (0x5000, Some(2))
    );
    assert_eq!(
        (hold.timed, hold.timed_total_ns, hold.estimated_total_ns),
        (2, 300, 1_500)
    );
    assert_eq!((hold.max_ns, hold.examined, hold.blocked), (200, 2, 1));
    assert_eq!((hold.voluntary_switches, hold.involuntary_switches), (3, 1));
    assert_eq!(
        (hold.system_calls, hold.hold_histogram[6..8].to_vec()),
        (4, vec![1, 1])
    );
    assert!(pooled.key.is_pooled() && !hold.key.is_pooled());
    let birth = &part.births[pooled.key.birth.unwrap()];
    assert_eq!(
        (birth.by, site_id(birth.site)),
        (Some(BirthBy::Initialisation), Some(3))
    );
    let stack: Vec<_> = part.stacks[birth.stack.unwrap()]
        .sites
        .iter()
        .map(|&it| site_id(it))
        .collect();
    assert_eq!(stack, [Some(3), Some(1)]);
    let blame = &part.blames[0];
    assert_eq!(
        (site_id(blame.key.site), site_id(blame.holder_site)),
        (Some(2), Some(3))
    );
    assert_eq!((blame.waits, blame.wait_ns), (2, 2_400));
    assert_eq!(blame.holder_stack, Some(0));
    let waits = &part.stack_waits[0];
    assert_eq!(
        (waits.stack, waits.waits, waits.wait_ns),
        (Some(0), 2, 2_400)
    );
}

#[test]
fn names_added_after_the_run_come_back_by_site_and_depth() {
    let symbol = |site_id, depth, function: &str| NewSymbol {
        site_id,
        depth,
        function: (!function.is_empty()).then(|| function.to_owned()),
        file: (depth == 0).then(|| "src/main.c".to_owned()),
        line: (depth == 0).then_some(17),
        address: 0x1234,
    };
    let long = "x".repeat(100_000);
    let symbols = [
        symbol(2, 1, "main"),
        symbol(2, 0, &"größe::".repeat(40)),
        symbol(1, 0, ""),
        symbol(3, 0, &long),
        symbol(99, 0, "of no site"),
    ];
    let variable = NewVariable {
        address: 0x5000,
        bytes: 40,
        name: "queue_lock".to_owned(),
        module_id: 1,
    };
    let appendix = Appendix::new(&symbols, &[variable]);
    let mut merged = Vec::new();
    for pid in [1, 2] {
        let mut bytes = sample(pid).bytes();
        bytes.extend_from_slice(&[0; 100_000]);
        append_part_with(&mut merged, &bytes[..], &appendix).unwrap();
    }
    let recording = Recording::from_bytes(&merged).unwrap();
    assert_eq!(recording.warnings, []);
    for part in &recording.parts {
        let read: Vec<_> = part
            .symbols
            .iter()
            .map(|it| {
                (
                    part.sites[it.site].id,
                    it.depth,
                    it.function.clone().unwrap_or_default(),
                )
            })
            .collect();
        assert_eq!(read[0], (1, 0, String::new()));
        assert_eq!(read[1], (2, 0, "größe::".repeat(40)));
        assert_eq!(read[2], (2, 1, "main".to_owned()));
        assert!(long.starts_with(&read[3].2) && read[3].2.len() > 4_000);
        assert_eq!(read.len(), 4);
        assert_eq!(part.symbols[1].file.as_deref(), Some("src/main.c"));
        assert_eq!(
            (part.symbols[1].line, part.symbols[1].address),
            (Some(17), 0x1234)
        );
        assert_eq!(part.symbols[2].file, None);
        let variable = &part.variables[0];
        assert_eq!((variable.address, variable.bytes), (0x5000, 40));
        assert_eq!(
            (variable.name.as_str(), variable.module),
            ("queue_lock", Some(0))
        );
    }
}

#[test]
fn a_part_that_was_cut_short_gets_no_names_and_keeps_what_it_has() {
    let whole = sample(1).bytes();
    let appendix = Appendix::new(
        &[NewSymbol {
            site_id: 1,
            ..NewSymbol::default()
        }],
        &[],
    );
    let mut merged = Vec::new();
    append_part_with(&mut merged, &whole[..whole.len() - 4096], &appendix).unwrap();
    append_part(&mut merged, &sample(2).bytes()[..]).unwrap();
    let recording = Recording::from_bytes(&merged).unwrap();
    assert_eq!(recording.parts.len(), 2);
    assert_eq!(recording.parts[0].symbols, []);
    assert_eq!(recording.parts[0].counts.len(), 1);
}

#[test]
fn figures_that_cannot_be_are_read_and_said() {
    let mut builder = sample(1);
    let hour = 3_600_000_000_000;
    builder.event(&Event {
        slot: 4,
        lock: 0x6000,
        site: 1,
        acquisitions: 1,
        waits: vec![hour],
    });
    builder.one(1, |hold: &HoldRecord| {
        store!(
            hold,
            lock = 0x6000,
            site = 1,
            kind = 1,
            entry = 1,
            max_ns = hour
        );
    });
    end_part(builder.header(), 9_000);
    let recording = Recording::from_bytes(&builder.bytes()).unwrap();
    let said: Vec<_> = recording.warnings.iter().map(|it| &it.problem).collect();
    assert_eq!(said.len(), 3, "{said:?}");
    let implausible = |it: &&Problem| matches!(it, Problem::Implausible { count: 1, .. });
    assert!(said.iter().all(implausible), "{said:?}");
    assert_eq!(recording.parts[0].counts.len(), 2);
}

#[test]
fn waits_without_an_acquisition_come_back_behind_the_counts() {
    let mut builder = sample(1);
    // Attempts that all failed, by two threads at two sites.
    for (slot, site, failed) in [(3, 1, 7), (2, 3, 5)] {
        builder.one(slot, |contention: &ContentionRecord| {
            store!(contention, lock = 0x6000, site = site, generation = 4);
            store!(contention, birth = 1, kind = 1, entry = 2);
            store!(contention, try_failed = failed);
        });
    }
    let recording = Recording::from_bytes(&builder.bytes()).unwrap();
    assert_eq!(recording.warnings, []);
    let part = &recording.parts[0];
    let [counted, alone @ ..] = &part.counts[..] else {
        panic!("there is a count");
    };
    assert_eq!(counted.acquisitions, 10);
    let found: Vec<_> = alone
        .iter()
        .map(|count| {
            assert_eq!((count.acquisitions, count.lock_address), (0, 0x6000));
            assert_eq!((count.generation, count.birth), (4, Some(0)));
            let site = part.sites[count.site.unwrap()].id;
            let waited = count.contention.as_deref().unwrap();
            (count.thread_slot, site, waited.try_failed)
        })
        .collect();
    assert_eq!(found, [(2, 3, 5), (3, 1, 7)], "by thread slot");
}

#[test]
fn what_is_named_may_come_behind_what_names_it() {
    let mut builder = Builder::new(1, b"./server\0");
    builder.thread(100, 1);
    builder.event(&Event {
        slot: 1,
        lock: 0x5000,
        site: 2,
        acquisitions: 10,
        waits: vec![],
    });
    builder.birth(1, BirthBy::FirstUse, &[3]);
    builder.sites(3, 1);
    builder.module(1, b"/usr/bin/server");
    let recording = Recording::from_bytes(&builder.bytes()).unwrap();
    assert_eq!(recording.warnings, []);
    let part = &recording.parts[0];
    assert_eq!(part.counts[0].site, Some(1));
    assert_eq!(part.threads[0].start_routine, Some(2));
    assert_eq!(part.stacks[0].sites, [Some(2)]);
    assert_eq!(
        (part.births[0].stack, part.births[0].site),
        (Some(0), Some(2))
    );
    assert!(part.sites.iter().all(|site| site.module == Some(0)));
}

#[test]
fn many_may_wait_at_once_without_a_slot_of_their_own() {
    // Three times as long as the process lived, and a second: no thread waits longer.
    const LIVED_NS: u64 = 5_000_000_000;
    const WAIT_NS: u64 = 3 * LIVED_NS;
    for (slot, expected) in [(0, 0), (1, 1)] {
        let mut builder = sample(1);
        for lock in 1..=2 {
            builder.event(&Event {
                slot,
                lock: 0x7000 * lock,
                site: 1,
                acquisitions: 1,
                waits: vec![WAIT_NS],
            });
        }
        end_part(builder.header(), 2_000 + LIVED_NS);
        let recording = Recording::from_bytes(&builder.bytes()).unwrap();
        let implausible = recording.warnings.iter().filter(|warning| {
            matches!(warning.problem, Problem::Implausible { count: 1, what } if what.starts_with("threads"))
        });
        assert_eq!(
            implausible.count(),
            expected,
            "slot {slot}: {:?}",
            recording.warnings
        );
        assert_eq!(recording.warnings.len(), expected);
    }
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

#[test]
fn what_the_kernel_saw_comes_back_with_the_part_that_it_is_of() {
    let key = NewKey {
        lock: 0x5000,
        site: 2,
        generation: 7,
        birth: 1,
        kind: 1,
        entry: 1,
    };
    let mut buckets = [0; BUCKETS];
    buckets[21] = 3;
    let new = NewPreemptions {
        watch: Some(NewWatch {
            by: WatchedBy::Switches,
            threads: 4,
            unkept: 1,
            waits_unkept: 2,
            unread: 3,
            too_many_held: 5,
            unregistered: 6,
            unseen: 8,
        }),
        preemptions: vec![NewPreemption {
            key,
            why: OffCpu::Yielded,
            count: 3,
            total_ns: 9_000_000,
            max_ns: 4_000_000,
            histogram: buckets,
        }],
        waits: vec![NewPreemptedWait {
            key,
            tid: 77,
            count: 2,
            wait_ns: 6_000_000,
            max_ns: 3_500_000,
        }],
    };
    let appendix = Appendix::new(&[], &[]).with_preemptions(&new);
    let mut bytes = Vec::new();
    append_part_with(&mut bytes, &sample(42).bytes()[..], &appendix).unwrap();
    append_part(&mut bytes, &sample(43).bytes()[..]).unwrap();
    let recording = Recording::from_bytes(&bytes).unwrap();
    assert_eq!(recording.warnings, []);
    let part = &recording.parts[0];
    let watch = part.watch.expect("it was watched");
    assert_eq!((watch.by, watch.threads), (WatchedBy::Switches, 4));
    assert_eq!((watch.unkept, watch.waits_unkept), (1, 2));
    assert_eq!((watch.unread, watch.too_many_held), (3, 5));
    assert_eq!((watch.unregistered, watch.unseen), (6, 8));
    let [found] = &part.preemptions[..] else {
        panic!("one kind of preemption was added");
    };
    assert_eq!((found.key.lock_address, found.key.generation), (0x5000, 7));
    assert_eq!(part.sites[found.key.site.unwrap()].id, 2);
    assert_eq!((found.why, found.count), (OffCpu::Yielded, 3));
    assert_eq!((found.total_ns, found.max_ns), (9_000_000, 4_000_000));
    assert_eq!(*found.histogram, buckets);
    let [wait] = &part.preempted_waits[..] else {
        panic!("one wait was added");
    };
    assert_eq!((wait.tid, wait.count), (77, 2));
    assert_eq!((wait.wait_ns, wait.max_ns), (6_000_000, 3_500_000));
    // Where it was not watched, nothing says that there was none.
    assert!(recording.parts[1].watch.is_none());
    assert!(
        Appendix::default()
            .with_preemptions(&NewPreemptions::default())
            .length()
            == 0
    );
}

#[test]
fn where_a_recording_was_made_is_a_text_of_its_first_part() {
    let text = "{\"host\": \"build-1\"}";
    let appendix = Appendix::default().with_about(text);
    let mut merged = Vec::new();
    append_part_with(&mut merged, &sample(1).bytes()[..], &appendix).unwrap();
    append_part(&mut merged, &sample(2).bytes()[..]).unwrap();
    let recording = Recording::from_bytes(&merged).unwrap();
    assert_eq!(recording.parts[0].about.as_deref(), Some(text));
    assert_eq!(recording.parts[1].about, None);
    assert_eq!(recording.warnings, []);
    // A part of it would say nothing.
    assert_eq!(
        Appendix::default().with_about(&"x".repeat(9_000)).length(),
        0
    );
    assert_eq!(Appendix::default().with_about("").length(), 0);
}
