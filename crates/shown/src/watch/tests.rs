use anstream::adapter::strip_str;
use locktoll_lab::watch::{
    Activity, Attribution, Cause, CauseKind, CpuShares, Found, Interval, KnownBy, Limits, OwnCost,
    Process, Subject, System, Thread, Totals, Wait,
};
use proptest::prelude::*;

use super::{Block, Room, block_text, json_line};

const ROOM: Room = Room {
    width: 100,
    lines: None,
};

const LIMITS: Limits = Limits {
    slice_ns: Some(2_800_000),
    run_times: true,
    pressure: true,
    idle_switches: true,
    switches: true,
    threads_hidden: Some(0),
    processes_unreadable: 0,
};

fn activity(voluntary: u64, involuntary: u64, waiting: &[(Wait, u32)]) -> Activity {
    Activity {
        voluntary,
        involuntary,
        run_ns: Some(250_000_000),
        ready_ns: Some(31_000_000),
        stretches: Some(voluntary + involuntary),
        migrations: None,
        found: Found {
            running: 3,
            unreadable: 0,
            waiting: waiting.to_vec(),
        },
    }
}

fn process(pid: u32, name: &str, kernel: bool, activity: Activity) -> Process {
    Process {
        pid,
        name: name.to_owned(),
        kernel,
        threads: 4,
        window_ns: 1_000_000_000,
        activity,
    }
}

fn thread(tid: u32, name: &str, activity: Activity) -> Thread {
    Thread {
        tid,
        name: name.to_owned(),
        state: 'S',
        activity,
    }
}

/// Returns one second of a machine with a database that waits for locks.
fn machine() -> Interval {
    let unreadable = Activity {
        found: Found {
            unreadable: 1,
            ..Found::default()
        },
        ..activity(640, 0, &[])
    };
    let counted = |cause, switches| Cause {
        cause,
        switches,
        known_by: KnownBy::Counted,
    };
    Interval {
        interval_ns: 1_000_000_000,
        system: System {
            switches: Some(187_654),
            started: Some(12),
            runnable: Some(3),
            blocked: Some(1),
            load: Some([1.5, 0.75, 12.25]),
            cpu_pressure_share: Some(0.125),
            cpu: Some(CpuShares {
                user: 0.2,
                system: 0.12,
                interrupts: 0.01,
                idle: 0.66,
                iowait: 0.01,
                steal: 0.0,
            }),
        },
        attribution: Some(Attribution {
            voluntary: 91_000,
            involuntary: 2_100,
            from_idle: Some(94_000),
            rest: Some(554),
            threads_seen: 210,
            threads_of_machine: Some(210),
            processes_unreadable: 0,
        }),
        processes: vec![
            process(
                4321,
                "postgres",
                false,
                activity(90_000, 2_000, &[(Wait::FutexWait, 6), (Wait::Events, 1)]),
            ),
            process(77, "of_another_user", false, unreadable),
            process(15, "rcu_preempt", true, activity(360, 100, &[])),
        ],
        totals: None,
        threads: Vec::new(),
        causes: vec![
            counted(CauseKind::Waited, 91_000),
            Cause {
                cause: CauseKind::Futex,
                switches: 77_143,
                known_by: KnownBy::Looks,
            },
            Cause {
                cause: CauseKind::Unknown,
                switches: 640,
                known_by: KnownBy::Rest,
            },
            counted(CauseKind::KernelThread, 360),
            counted(CauseKind::TakenOff, 2_100),
            Cause {
                cause: CauseKind::SliceOver,
                switches: 90,
                known_by: KnownBy::CpuTime,
            },
            Cause {
                cause: CauseKind::YieldedOrWokenOver,
                switches: 2_010,
                known_by: KnownBy::Rest,
            },
        ],
        own: OwnCost {
            cpu_ns: 3_000_000,
            cpu_share: 0.003,
            switches: 12,
            reading_ns: 2_340_000,
        },
    }
}

/// Returns one second of a process with two threads.
fn one_process() -> Interval {
    let waits = [(Wait::FutexWaitBitset, 9), (Wait::Disk, 1)];
    let moved = Activity {
        migrations: Some(5),
        ..activity(40_000, 7, &waits)
    };
    Interval {
        attribution: None,
        totals: Some(Totals {
            user_share: 0.2,
            system_share: 0.07,
            minor_faults: 30,
            major_faults: 1,
        }),
        processes: vec![process(4321, "postgres", false, moved)],
        threads: vec![
            thread(4321, "main\x1b[2J", activity(39_999, 0, &waits)),
            thread(4322, "writer", activity(1, 7, &[])),
        ],
        ..machine()
    }
}

fn block<'a>(subject: Subject, interval: &'a Interval, limits: &'a Limits) -> Block<'a> {
    Block {
        subject,
        interval,
        limits,
        looks: 10,
        with_notes: true,
    }
}

fn text(block: &Block, room: Room) -> String {
    strip_str(&block_text(block, room)).to_string()
}

#[test]
fn a_machine() {
    let interval = machine();
    insta::assert_snapshot!(text(&block(Subject::Machine, &interval, &LIMITS), ROOM));
}

#[test]
fn a_process_and_its_threads() {
    let interval = one_process();
    insta::assert_snapshot!(text(
        &block(Subject::Process(4321), &interval, &LIMITS),
        ROOM
    ));
}

#[test]
fn what_cannot_be_read_is_said() {
    let interval = Interval {
        system: System::default(),
        attribution: Some(Attribution::default()),
        processes: Vec::new(),
        causes: machine().causes[..1].to_vec(),
        ..machine()
    };
    let limits = Limits {
        threads_hidden: Some(700),
        processes_unreadable: 2,
        ..Limits::default()
    };
    let room = Room {
        width: 72,
        lines: None,
    };
    insta::assert_snapshot!(text(&block(Subject::Machine, &interval, &limits), room));
}

#[test]
fn a_line_of_json() {
    let interval = one_process();
    let line = json_line(&block(Subject::Process(4321), &interval, &LIMITS)).unwrap();
    assert_eq!(line.matches('\n').count(), 1);
    let document: serde_json::Value = serde_json::from_str(&line).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&document).unwrap());
}

#[test]
fn what_does_not_change_stands_in_the_first_line_only() {
    let interval = machine();
    let first = block(Subject::Machine, &interval, &LIMITS);
    let later = Block {
        with_notes: false,
        ..first
    };
    assert!(json_line(&first).unwrap().contains("\"limits\""));
    assert!(!json_line(&later).unwrap().contains("\"limits\""));
    assert!(text(&first, ROOM).contains("a stretch:"));
    assert!(!text(&later, ROOM).contains("a stretch:"));
}

#[test]
fn what_did_not_fit_is_summed_up() {
    let mut interval = machine();
    let many = (0..40).map(|pid| process(100 + pid, "worker", false, activity(10, 1, &[])));
    interval.processes = many.collect();
    let text = text(&block(Subject::Machine, &interval, &LIMITS), ROOM);
    assert!(
        text.contains("30 processes more: 300/s voluntary, 30/s involuntary"),
        "{text}"
    );
}

proptest! {
    #[test]
    fn a_terminal_of_any_size_is_kept_to(
        width in 1usize..200,
        lines in 1usize..80,
        names in proptest::collection::vec("\\PC{0,40}", 0..30),
        count: u32,
    ) {
        let mut interval = machine();
        for (pid, name) in names.iter().enumerate() {
            let row = process(pid as u32, name, false, activity(count.into(), 1, &[(Wait::Other, 1)]));
            interval.processes.push(row);
        }
        let room = Room { width, lines: Some(lines) };
        let text = text(&block(Subject::Machine, &interval, &LIMITS), room);
        prop_assert!(text.lines().count() <= lines);
        for line in text.lines() {
            prop_assert!(line.chars().count() <= width, "{line}");
        }
    }
}
