//! Each remedy on a made-up program where it is right, and on one where it would be wrong.

use locktoll_results::advice::RemedyKind::{self, *};
use locktoll_results::profile::{Lock, LockOrder, OrderEdge, OrderMode, Profile, RecorderMode};
use proptest::prelude::*;

use super::*;
use crate::advise::made_up::{Figures, SECOND, at, blocking, condition, lock, program, site, with};

fn kinds(profile: &Profile) -> Vec<RemedyKind> {
    remedies(profile, None)
        .into_iter()
        .map(|it| it.kind)
        .collect()
}

fn gain(profile: &Profile, kind: RemedyKind) -> f64 {
    let all = remedies(profile, None);
    let found = all.iter().find(|it| it.kind == kind);
    found
        .and_then(|it| it.gain)
        .unwrap_or_else(|| panic!("{kind:?}: {all:#?}"))
        .median
}

/// Five threads, a hold of a millisecond, and 0.2 ms elsewhere: the lock is held all the time.
const LONG: Figures = Figures {
    threads: 5,
    acquisitions: 1_000,
    hold_ns: 990_000,
    wait_ns: 5 * SECOND - 990_000_000 - 200_000_000,
};
/// Two threads, a hold of 20 us, and 10 us elsewhere.
const BUSY: Figures = Figures {
    threads: 2,
    acquisitions: 45_000,
    hold_ns: 20_000,
    wait_ns: 2 * SECOND - 900_000_000 - 450_000_000,
};
/// Two threads, many holds of half a microsecond.
const SHORT: Figures = Figures {
    threads: 2,
    acquisitions: 800_000,
    hold_ns: 400,
    wait_ns: 1_000_000_000,
};

#[test]
fn a_call_moves_out_of_the_hold_unless_it_waits_for_input() {
    let idle = program(8, 6, 0.05);
    let of = |call: &str| with(idle.clone(), vec![blocking("log_lock", LONG, call, 0.99)]);
    let slept = of("nanosleep");
    assert_eq!(kinds(&slept)[0], MoveCall);
    // Each thread would need 1.19 ms instead of 5.
    assert!(
        (3.8..4.4).contains(&gain(&slept, MoveCall)),
        "{:?}",
        remedies(&slept, None)
    );
    // A disk may do the calls one after another.
    let flushed = gain(&of("fdatasync"), MoveCall);
    assert!((1.5..3.0).contains(&flushed), "{flushed}");
    // A queue that is empty is not a slow lock.
    let input = remedies(&of("read"), None);
    assert_eq!((input[0].kind, input[0].gain), (NoWaitForInput, None));
    // No thread sleeps less by other locks, other keys or other threads.
    for call in ["nanosleep", "fdatasync", "read"] {
        let found = kinds(&of(call));
        for wrong in [
            Shard,
            ShortenHold,
            OtherLock,
            ReaderWriter,
            TakeLessOften,
            SpinMore,
        ] {
            assert!(!found.contains(&wrong), "{call}: {found:?}");
        }
    }
}

#[test]
fn holders_that_yield_are_not_short_of_locks() {
    let mut yielding = lock("table_lock", BUSY);
    yielding.while_held.as_mut().unwrap().system_calls = BUSY.acquisitions;
    let mut profile = with(program(8, 3, 0.15), vec![yielding]);
    profile.yields = Some(BUSY.acquisitions);
    let all = remedies(&profile, None);
    assert!(all[0].advice.contains("sched_yield") && all[0].gain.is_none());
    assert!(
        !all.iter().any(|it| matches!(it.kind, Shard | ShortenHold)),
        "{all:#?}"
    );
}

#[test]
fn threads_that_take_other_locks_limit_nothing() {
    let mut profile = with(
        program(2, 8, 1.0),
        vec![blocking("log_lock", LONG, "nanosleep", 0.99)],
    );
    for (index, thread) in profile.per_thread.iter_mut().enumerate() {
        // Three workers use the CPUs, and five threads wait for the log.
        thread.cpu_ns = Some(if index < 3 { SECOND * 2 / 3 } else { 1_000_000 });
    }
    assert!(gain(&profile, MoveCall) > 3.0);
}

#[test]
fn a_call_that_hardly_any_thread_waits_for_stays() {
    let rare = Figures {
        acquisitions: 40,
        wait_ns: 2_000_000,
        ..LONG
    };
    let profile = with(
        program(8, 6, 0.05),
        vec![blocking("log_lock", rare, "fsync", 0.9)],
    );
    assert_eq!(kinds(&profile), []);
    let answer = conclusion(&remedies(&profile, None), &profile);
    assert!(
        answer.starts_with("Nothing here is worth your time"),
        "{answer}"
    );
}

#[test]
fn holders_that_wait_for_another_lock_lead_to_that_lock() {
    let inner = Figures {
        wait_ns: 800_000_000,
        ..LONG
    };
    let nested = |count: u64| {
        let mut outer = lock("outer", LONG);
        outer.while_held.as_mut().unwrap().blocked = 900;
        let mut profile = with(
            program(8, 6, 0.05),
            vec![outer, blocking("inner", inner, "nanosleep", 0.9)],
        );
        profile.order = Some(LockOrder {
            edges: vec![edge(&profile.locks[0], &profile.locks[1], count)],
            cycles: Vec::new(),
            unusual: Vec::new(),
            more_edges: 0,
            dropped: 0,
            unjudged: 0,
        });
        kinds(&profile)
    };
    assert!(nested(1_000).contains(&NoNestedWait));
    assert!(!nested(10).contains(&NoNestedWait), "hardly ever nested");
}

fn edge(held: &Lock, acquired: &Lock, count: u64) -> OrderEdge {
    OrderEdge {
        held: held.id.clone(),
        acquired: acquired.id.clone(),
        held_site: at("use_it", 10),
        acquired_site: at("use_it", 12),
        held_stack: Vec::new(),
        acquired_stack: Vec::new(),
        held_mode: OrderMode::Exclusive,
        acquired_mode: OrderMode::Exclusive,
        waits: true,
        gates: Vec::new(),
        count,
        threads: 5,
    }
}

#[test]
fn long_holds_are_shortened_or_split_where_cpus_are_left() {
    let busy = |cpus, used| with(program(cpus, 2, used), vec![lock("table_lock", BUSY)]);
    let found = kinds(&busy(8, 0.15));
    assert!(
        found.contains(&ShortenHold) && found.contains(&Shard),
        "{found:?}"
    );
    assert!((1.1..2.0).contains(&gain(&busy(8, 0.15), Shard)));
    // The CPUs are busy: nothing is gained by waiting less.
    let found = kinds(&busy(2, 0.99));
    assert!(
        !found.contains(&ShortenHold) && !found.contains(&Shard),
        "{found:?}"
    );
    // One thread cannot be in its own way.
    let alone = Figures {
        threads: 1,
        wait_ns: 0,
        ..BUSY
    };
    assert_eq!(
        kinds(&with(program(8, 3, 0.15), vec![lock("table_lock", alone)])),
        [LeaveAlone]
    );
}

#[test]
fn one_of_many_locks_with_all_the_waiting_is_an_uneven_key() {
    let mut shards = lock("buckets[]", BUSY);
    shards.instances = 16;
    let member = locktoll_made_up::sample::job_server()
        .locks
        .iter()
        .find(|it| it.members.len() > 1)
        .unwrap()
        .members[0]
        .clone();
    shards.members = vec![member];
    let mut with_share = |share: f64| {
        shards.members[0].wait_ns = (BUSY.wait_ns as f64 * share) as u64;
        let all = remedies(&with(program(8, 3, 0.15), vec![shards.clone()]), None);
        all.into_iter().find(|it| it.kind == Shard)
    };
    assert!(
        with_share(0.9)
            .unwrap()
            .advice
            .contains("Spread the load over the 16 locks")
    );
    assert!(with_share(0.1).is_none());
}

#[test]
fn very_many_short_holds_become_batches() {
    let often =
        |figures: Figures| kinds(&with(program(8, 3, 0.2), vec![lock("count_lock", figures)]));
    assert!(often(SHORT).contains(&TakeLessOften));
    let seldom = Figures {
        acquisitions: 20_000,
        ..SHORT
    };
    assert!(!often(seldom).contains(&TakeLessOften));
    // The calls alone take a large part of the time if there are millions of them, even if nobody waits.
    let alone = Figures {
        threads: 2,
        acquisitions: 16_000_000,
        hold_ns: 20,
        wait_ns: 0,
    };
    let found = kinds(&with(program(8, 2, 0.2), vec![lock("count_lock", alone)]));
    assert!(
        found.contains(&TakeLessOften) && !found.contains(&LeaveAlone),
        "{found:?}"
    );
    let expected = gain(
        &with(program(8, 2, 0.2), vec![lock("count_lock", alone)]),
        TakeLessOften,
    );
    assert!((1.4..1.5).contains(&expected), "{expected}");
    let by_one_thread = Figures {
        threads: 1,
        ..alone
    };
    assert!(!often(by_one_thread).contains(&TakeLessOften));
    // At many places there is no batch to make.
    let mut spread = lock("count_lock", SHORT);
    spread.sites = (0..5)
        .map(|it| site(&format!("place_{it}"), it, SHORT, 0.2))
        .collect();
    assert!(!kinds(&with(program(8, 3, 0.2), vec![spread])).contains(&TakeLessOften));
}

#[test]
fn places_that_read_by_their_names_may_read_together() {
    let of = |function: &str, mode| {
        let mut table = lock("table_lock", BUSY);
        table.sites = vec![
            site(function, 5, BUSY, 0.95),
            site("update_entry", 9, BUSY, 0.05),
        ];
        let mut profile = with(program(8, 3, 0.15), vec![table]);
        profile.recorder.mode = Some(mode);
        remedies(&profile, None)
            .into_iter()
            .find(|it| it.kind == ReaderWriter)
    };
    let exact = of("lookup_entry", RecorderMode::Exact).unwrap();
    assert!(exact.gain.is_some() && exact.evidence.contains("check that they write nothing"));
    let sampled = of("lookup_entry", RecorderMode::Sampled).unwrap();
    assert!(sampled.gain.is_none() && sampled.command.unwrap().contains("--exact"));
    assert!(of("insert_entry", RecorderMode::Exact).is_none());
}

#[test]
fn another_lock_and_spinning_are_for_short_holds() {
    let short = |figures, used| {
        kinds(&with(
            program(8, 3, used),
            vec![lock("queue_lock", figures)],
        ))
    };
    let found = short(SHORT, 0.2);
    assert!(
        found.contains(&OtherLock) && found.contains(&SpinMore),
        "{found:?}"
    );
    assert!(
        !short(SHORT, 1.0).contains(&SpinMore),
        "no CPU is left to spin on"
    );
    let long = Figures {
        hold_ns: 100_000,
        acquisitions: 9_000,
        ..BUSY
    };
    let found = short(long, 0.2);
    assert!(
        !found.contains(&OtherLock) && !found.contains(&SpinMore),
        "{found:?}"
    );
}

#[test]
fn fewer_threads_where_they_queue_for_cpus_and_more_where_cpus_are_idle() {
    let crowd = |cpu_wait_ns: u64| {
        let mut busy = lock("queue_lock", Figures { threads: 8, ..BUSY });
        busy.while_held.as_mut().unwrap().involuntary_switches = 500;
        let mut profile = with(program(2, 8, 0.9), vec![busy]);
        profile.time.cpu_wait_ns = cpu_wait_ns * 8;
        for thread in &mut profile.per_thread {
            thread.cpu_wait_ns = Some(cpu_wait_ns);
        }
        kinds(&profile)
    };
    assert!(crowd(SECOND / 3).contains(&FewerThreads));
    assert!(!crowd(0).contains(&FewerThreads));
    let few = Figures {
        wait_ns: 0,
        hold_ns: 50,
        ..BUSY
    };
    let idle = with(program(8, 2, 0.24), vec![lock("queue_lock", few)]);
    assert!(kinds(&idle).contains(&MoreThreads));
    // A lock that is held all the time admits no more of them.
    let bound = Figures { wait_ns: 0, ..BUSY };
    assert!(
        !kinds(&with(program(8, 2, 0.24), vec![lock("queue_lock", bound)])).contains(&MoreThreads)
    );
}

#[test]
fn a_loop_that_waits_is_for_idle_cpus() {
    let mut profile = program(2, 8, 1.0);
    profile.spinning = vec![locktoll_made_up::sample::spinning()];
    let spun = profile.spinning[0].cpu_ns.median;
    profile.time.running_ns = (spun * 1.5) as u64;
    assert!(kinds(&profile).contains(&SpinLess));
    profile.time.running_ns = (spun * 100.0) as u64;
    assert!(!kinds(&profile).contains(&SpinLess));
}

#[test]
fn a_broadcast_wakes_fewer_threads_unless_all_have_work() {
    let of = |entered: u64| {
        let figures = Figures {
            threads: 8,
            acquisitions: entered,
            hold_ns: 100,
            wait_ns: 0,
        };
        let mut mutex = lock("mutex", figures);
        let waits = Figures {
            acquisitions: 20_000,
            ..figures
        };
        // The wait itself takes the mutex again.
        mutex.sites = vec![
            site("consume", 20, figures, 1.0),
            site("consume", 30, waits, 1.0),
        ];
        kinds(&with(program(8, 8, 0.3), vec![mutex, condition(500, 40)]))
    };
    assert!(of(1_000).contains(&WakeFewer));
    assert!(
        !of(20_000).contains(&WakeFewer),
        "each wait was for something new"
    );
}

#[test]
fn a_lock_that_nobody_waits_for_is_left_alone() {
    let fine = Figures {
        wait_ns: 4_000_000,
        hold_ns: 60,
        ..SHORT
    };
    let profile = with(
        program(8, 6, 0.3),
        vec![
            blocking("log_lock", LONG, "nanosleep", 0.9),
            lock("app::statistics_lock", fine),
        ],
    );
    let all = remedies(&profile, None);
    let last = all.last().unwrap();
    assert_eq!(last.kind, LeaveAlone);
    assert!(
        last.evidence
            .starts_with("statistics_lock: 0.1 % of waiting"),
        "{}",
        last.evidence
    );
}

#[test]
fn much_waiting_without_a_remedy_is_not_called_worthless() {
    let of = |acquisitions| {
        let rare = Figures {
            acquisitions,
            hold_ns: 1_000_000,
            ..LONG
        };
        conclusion(
            &[],
            &with(program(8, 6, 0.05), vec![lock("log_lock", rare)]),
        )
    };
    assert!(
        of(7).contains("log_lock was acquired 7 times only"),
        "{}",
        of(7)
    );
    assert!(of(1_000).contains("`locktoll whatif`"), "{}", of(1_000));
}

#[test]
fn one_lock_has_only_its_own_remedies() {
    let profile = locktoll_made_up::sample::job_server();
    let id = profile
        .locks
        .iter()
        .find(|it| it.name == "job_queue_lock")
        .unwrap()
        .id
        .clone();
    let all = remedies(&profile, Some(&id));
    assert!(
        all.iter().all(|it| it.lock.as_ref() == Some(&id)),
        "{all:#?}"
    );
}

prop_compose! {
    fn figures()(threads in 0..100_u64, acquisitions in 0..10_000_000_u64, hold_ns in 0..100_000_000_u64, wait_ns in 0..u64::MAX / 4)
        -> Figures {
        Figures { threads, acquisitions, hold_ns, wait_ns }
    }
}

proptest! {
    #[test]
    fn whatever_was_recorded_gains_are_ordered_and_nothing_panics(
        one in figures(), other in figures(), blocked in 0.0..2.0_f64, used in 0.0..3.0_f64, cpus in 1..200_usize,
        threads in 1..300_u64, call in prop::sample::select(vec!["read", "fsync", "nanosleep", "unheard"]),
    ) {
        let profile = with(program(cpus, threads, used), vec![
            blocking("one", one, call, blocked), lock("other", other), condition(other.acquisitions, threads),
        ]);
        let all = remedies(&profile, None);
        let mut before = f64::INFINITY;
        for it in &all {
            let median = it.gain.map_or(0.0, |gain| gain.median);
            prop_assert!(median <= before, "{:#?}", all);
            before = median;
            if let Some(gain) = it.gain {
                prop_assert!(1.0 <= gain.low && gain.low <= gain.median && gain.median <= gain.high, "{:?}", it);
                prop_assert!(gain.high.is_finite());
                prop_assert!(it.method.is_some() && it.gain_of.is_some());
            }
            prop_assert!(!it.evidence.is_empty() && !it.advice.is_empty());
            prop_assert_eq!(it.kind == RemedyKind::LeaveAlone, it.cost.is_empty());
        }
        conclusion(&all, &profile);
    }
}
