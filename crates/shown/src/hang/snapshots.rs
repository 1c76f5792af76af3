//! The text of made-up looks.

use locktoll_results::hang::{
    Chain, Deadlock, Edge, HangLock, HangResult, HangThread, HolderKnownBy, Looked, ObjectKind,
    Stops, SystemCall, WaitsFor,
};
use locktoll_results::profile::Frame;

use super::HangPage;
use crate::Shown;

fn frame(function: &str, line: u32) -> Frame {
    Frame {
        function: Some(function.to_owned()),
        file: Some("/src/bank.c".to_owned()),
        line: Some(line),
        module: Some("/opt/bank".to_owned()),
        offset: Some(0x1000),
    }
}

fn thread(tid: u32, waits_for: WaitsFor, lock: Option<&str>, stack: &[(&str, u32)]) -> HangThread {
    HangThread {
        tid,
        name: "worker".to_owned(),
        waits_for,
        lock: lock.map(str::to_owned),
        since_ns: None,
        unmoved_ns: None,
        joins_tid: None,
        call: None,
        has_deadline: false,
        is_idle: false,
        stack: stack
            .iter()
            .map(|(name, line)| frame(name, *line))
            .collect(),
        stack_cut: None,
    }
}

fn mutex(id: &str, name: &str, owner: Option<u32>) -> HangLock {
    HangLock {
        id: id.to_owned(),
        name: name.to_owned(),
        kind: ObjectKind::Mutex,
        owner_tid: owner,
        owner_site: None,
        owner_known_by: owner.map(|_| HolderKnownBy::Lock),
        held_ns: None,
        acquisition: None,
        note: None,
        waiting: 1,
    }
}

fn edge(from_tid: u32, lock: Option<&str>, to_tid: u32) -> Edge {
    Edge {
        from_tid,
        lock: lock.map(str::to_owned),
        to_tid,
        confirmed: true,
        has_deadline: false,
    }
}

fn result(threads: Vec<HangThread>, locks: Vec<HangLock>) -> HangResult {
    HangResult {
        schema: HangResult::SCHEMA.to_owned(),
        version: "0.1.0".to_owned(),
        made: None,
        pid: Some(40),
        command: vec!["/opt/bank".to_owned(), "--serve".to_owned()],
        core: None,
        looked: Some(Looked {
            duration_ns: 120_000_000,
            stops: Stops {
                count: threads.len() as u64,
                median_ns: Some(52_000),
                max_ns: Some(180_000),
            },
        }),
        threads,
        locks,
        edges: Vec::new(),
        deadlocks: Vec::new(),
        chains: Vec::new(),
        notes: Vec::new(),
    }
}

/// Two threads that hold what the other wants; one of the locks was recorded.
fn deadlocked() -> HangResult {
    let mut recorded = mutex("0x20", "accounts", Some(42));
    recorded.owner_site = Some(frame("open_account", 17));
    recorded.owner_known_by = Some(HolderKnownBy::Recording);
    recorded.held_ns = Some(3_000_000_000);
    let mut first = thread(
        41,
        WaitsFor::Mutex,
        Some("0x20"),
        &[("transfer", 30), ("main", 90)],
    );
    first.since_ns = Some(2_500_000_000);
    let threads = vec![
        first,
        thread(
            42,
            WaitsFor::Mutex,
            Some("0x10"),
            &[("audit", 55), ("main", 90)],
        ),
    ];
    let mut result = result(threads, vec![mutex("0x10", "journal", Some(41)), recorded]);
    result.edges = vec![edge(41, Some("0x20"), 42), edge(42, Some("0x10"), 41)];
    result.deadlocks = vec![Deadlock {
        threads: vec![41, 42],
        locks: vec!["0x20".to_owned(), "0x10".to_owned()],
    }];
    result
}

/// Threads that wait for one that writes to a disk, and others that wait for work.
fn held_up() -> HangResult {
    let call = |name: &str, file: Option<&str>| {
        Some(SystemCall {
            name: name.to_owned(),
            fd: file.map(|_| 7),
            file: file.map(str::to_owned),
        })
    };
    let mut threads: Vec<HangThread> = (50..91)
        .map(|tid| {
            thread(
                tid,
                WaitsFor::Mutex,
                Some("0x10"),
                &[("append", 12), ("serve", 80)],
            )
        })
        .collect();
    let mut writes = thread(
        7,
        WaitsFor::SystemCall,
        None,
        &[("flush", 20), ("main", 90)],
    );
    writes.call = call("fsync", Some("/data/wal"));
    let mut polls = thread(8, WaitsFor::SystemCall, None, &[("accept_all", 60)]);
    polls.call = call("epoll_wait", None);
    polls.is_idle = true;
    let mut rust = thread(9, WaitsFor::Futex, Some("0x30"), &[("lookup", 70)]);
    rust.stack_cut = Some("memory of the stack could not be read".to_owned());
    threads.extend([writes, polls, rust]);
    let unknown = HangLock {
        kind: ObjectKind::Futex,
        note: Some("the holder cannot be known: Rust's futex mutex has no owner".to_owned()),
        ..mutex("0x30", "futex word waited for in lookup (bank.c:70)", None)
    };
    let mut result = result(threads, vec![mutex("0x10", "journal", Some(7)), unknown]);
    result.edges = (50..91).map(|tid| edge(tid, Some("0x10"), 7)).collect();
    result.chains = vec![Chain {
        root_tid: 7,
        waiting: 41,
        locks: vec!["0x10".to_owned()],
    }];
    result
}

#[test]
fn a_deadlock_is_a_paragraph() {
    insta::assert_snapshot!(anstream::adapter::strip_str(&deadlocked().text()).to_string());
}

#[test]
fn a_chain_ends_at_the_thread_that_holds_up_the_others() {
    insta::assert_snapshot!(anstream::adapter::strip_str(&held_up().text()).to_string());
}

#[test]
fn of_a_repeated_look_only_what_has_not_moved_is_listed() {
    let mut result = held_up();
    for thread in &mut result.threads {
        thread.unmoved_ns = (thread.tid == 7).then_some(5_000_000_000);
    }
    let page = HangPage {
        result: &result,
        all: true,
        unmoved: true,
    };
    let text = page.text();
    assert!(
        text.contains("Thread 7 (worker) is in fsync on /data/wal; has not run for 5.00 s."),
        "{text}"
    );
    assert!(!text.contains("Thread 9"), "{text}");
}

#[test]
fn a_join_in_a_circle_and_a_thread_that_waits_for_itself_have_their_own_advice() {
    let mut joins = thread(41, WaitsFor::Join, None, &[("stop", 9)]);
    joins.joins_tid = Some(42);
    let waits = thread(42, WaitsFor::Mutex, Some("0x10"), &[("work", 4)]);
    let mut circle = result(vec![joins, waits], vec![mutex("0x10", "state", Some(41))]);
    circle.deadlocks = vec![Deadlock {
        threads: vec![41, 42],
        locks: vec!["0x10".to_owned()],
    }];
    let text = circle.text_within(4000);
    assert!(text.contains("Thread 41 (worker) holds mutex `state` and waits for the end of thread 42 (worker) at stop (bank.c:9)."), "{text}");
    let alone = thread(5, WaitsFor::Mutex, Some("0x10"), &[("again", 3)]);
    let mut own = result(vec![alone], vec![mutex("0x10", "state", Some(5))]);
    own.deadlocks = vec![Deadlock {
        threads: vec![5],
        locks: vec!["0x10".to_owned()],
    }];
    let text = own.text_within(4000);
    assert!(
        text.contains("which it holds itself. It will wait forever"),
        "{text}"
    );
}
