use std::time::{Duration, Instant};

use super::*;
use crate::platform::linux::ProcStat;
use crate::watch::process::ProcessTotals;
use crate::watch::system::LoadAverage;
use crate::watch::wait::{Look, Wait};

fn thread(voluntary: u64, involuntary: u64, run_ns: u64) -> ThreadReading {
    ThreadReading {
        name: "worker".into(),
        state: 'S',
        kernel: false,
        voluntary,
        involuntary,
        run: Some(RunTimes {
            run_ns,
            ready_ns: run_ns / 2,
            stretches: voluntary + involuntary,
        }),
        migrations: Some(involuntary / 2),
    }
}

/// Makes a sweep `at` milliseconds after `start`, with the machine's switches and those of each (pid, tid).
fn sweep(start: Instant, at: u64, switches: u64, threads: &[(u32, u32, ThreadReading)]) -> Sweep {
    let mut sweep = Sweep {
        at: start + Duration::from_millis(at),
        system: SystemReading {
            stat: Some(ProcStat {
                ticks: CpuTicks {
                    user: at / 10,
                    idle: at / 10,
                    ..CpuTicks::default()
                },
                switches: Some(switches),
                runnable: Some(2),
                ..ProcStat::default()
            }),
            load: Some(LoadAverage {
                averages: [1.0, 2.0, 3.0],
                threads: 10,
            }),
            cpu_pressure_us: Some(at * 100),
            taken_up: None,
        },
        processes: Default::default(),
        took: Duration::ZERO,
        unreadable: 1,
    };
    let at = sweep.at;
    for (pid, tid, thread) in threads {
        let process = sweep
            .processes
            .entry(*pid)
            .or_insert_with(|| ProcessReading {
                at,
                threads: Default::default(),
                totals: None,
            });
        process.threads.insert(*tid, thread.clone());
    }
    sweep
}

fn compare(before: &Sweep, after: &Sweep, subject: Subject) -> Interval {
    between(
        before,
        after,
        subject,
        &Looks::default(),
        None,
        OwnCost::default(),
    )
}

#[test]
fn what_is_not_of_a_visible_thread_is_the_rest() {
    let start = Instant::now();
    let before = sweep(
        start,
        0,
        1000,
        &[(7, 7, thread(10, 1, 100)), (9, 9, thread(5, 5, 50))],
    );
    let after = sweep(
        start,
        1000,
        1100,
        &[(7, 7, thread(40, 6, 300)), (9, 9, thread(5, 5, 50))],
    );
    let interval = compare(&before, &after, Subject::Machine);
    assert_eq!(interval.interval_ns, 1_000_000_000);
    assert_eq!(interval.system.switches, Some(100));
    let attribution = interval.attribution.unwrap();
    assert_eq!((attribution.voluntary, attribution.involuntary), (30, 5));
    assert_eq!((attribution.from_idle, attribution.rest), (None, Some(65)));
    assert_eq!(attribution.threads_of_machine, Some(10));
    assert_eq!(
        (attribution.threads_seen, attribution.processes_unreadable),
        (2, 1)
    );
    // The process that slept has no row.
    assert_eq!(interval.processes.len(), 1);
    let process = &interval.processes[0];
    assert_eq!((process.pid, process.threads), (7, 1));
    assert_eq!(process.activity.run_ns, Some(200));
    assert_eq!(process.activity.ready_ns, Some(100));
    assert_eq!(process.activity.stretches, Some(35));
    assert!(interval.threads.is_empty());
    let cpu = interval.system.cpu.unwrap();
    assert_eq!((cpu.user, cpu.idle), (0.5, 0.5));
    assert_eq!(interval.system.cpu_pressure_share, Some(0.1));
}

#[test]
fn where_the_kernel_counts_what_cpus_take_up_idle_is_told_from_the_rest() {
    let start = Instant::now();
    let mut before = sweep(start, 0, 1000, &[(7, 7, thread(10, 1, 100))]);
    let mut after = sweep(start, 1000, 1100, &[(7, 7, thread(40, 6, 300))]);
    (before.system.taken_up, after.system.taken_up) = (Some(500), Some(550));
    let attribution = compare(&before, &after, Subject::Machine)
        .attribution
        .unwrap();
    assert_eq!(attribution.from_idle, Some(50));
    assert_eq!(attribution.rest, Some(15));
}

#[test]
fn a_process_that_was_read_late_is_not_busier_for_it() {
    let start = Instant::now();
    let before = sweep(
        start,
        0,
        0,
        &[(7, 7, thread(0, 0, 0)), (9, 9, thread(0, 0, 0))],
    );
    let mut after = sweep(
        start,
        1000,
        3000,
        &[(7, 7, thread(2000, 0, 0)), (9, 9, thread(1000, 0, 0))],
    );
    // The machine was so busy that it took as long again until the first of the two was read.
    after.processes.get_mut(&7).unwrap().at += Duration::from_millis(1000);
    let interval = compare(&before, &after, Subject::Machine);
    assert_eq!(interval.processes[0].window_ns, 2_000_000_000);
    assert_eq!(interval.processes[0].activity.voluntary, 2000);
    let attribution = interval.attribution.unwrap();
    assert_eq!(
        (attribution.voluntary, attribution.rest),
        (2000, Some(1000))
    );
    let waited = &interval.causes[0];
    assert_eq!(waited.switches, 2000);
}

#[test]
fn a_new_thread_has_done_all_it_ever_did_in_the_interval() {
    let start = Instant::now();
    let before = sweep(
        start,
        0,
        0,
        &[(7, 7, thread(10, 1, 100)), (7, 8, thread(900, 0, 10))],
    );
    let after = sweep(
        start,
        1000,
        0,
        &[
            (7, 7, thread(10, 1, 100)),
            // A new thread with the number of one that has ended.
            (7, 8, thread(3, 0, 20)),
            (7, 11, thread(4, 2, 30)),
        ],
    );
    let interval = compare(&before, &after, Subject::Process(7));
    let rows: Vec<(u32, u64, u64)> = interval
        .threads
        .iter()
        .map(|thread| {
            (
                thread.tid,
                thread.activity.voluntary,
                thread.activity.involuntary,
            )
        })
        .collect();
    assert_eq!(rows, [(11, 4, 2), (8, 3, 0)]);
    assert_eq!(interval.processes[0].activity.switches(), 9);
    assert_eq!(interval.processes[0].activity.run_ns, Some(50));
    assert_eq!(interval.processes[0].activity.migrations, Some(1));
    assert_eq!(interval.attribution, None);
}

#[test]
fn a_watched_process_that_sleeps_is_still_a_row() {
    let start = Instant::now();
    let before = sweep(start, 0, 5, &[(7, 7, thread(10, 1, 100))]);
    let mut after = sweep(start, 100, 5, &[(7, 7, thread(10, 1, 100))]);
    after.system.stat = None;
    let interval = compare(&before, &after, Subject::Process(7));
    assert_eq!(interval.processes[0].activity.switches(), 0);
    assert!(interval.threads.is_empty());
    assert_eq!(
        (interval.system.switches, interval.system.cpu),
        (None, None)
    );
}

#[test]
fn a_process_as_a_whole_includes_threads_that_ended() {
    let start = Instant::now();
    let mut before = sweep(
        start,
        0,
        5,
        &[(7, 7, thread(10, 1, 100)), (7, 8, thread(1, 1, 1))],
    );
    let mut after = sweep(start, 1000, 5, &[(7, 7, thread(10, 1, 100))]);
    let totals = |faults, ticks| ProcessTotals {
        minor_faults: faults,
        major_faults: 1,
        user_ticks: ticks,
        system_ticks: 0,
    };
    before.processes.get_mut(&7).unwrap().totals = Some(totals(100, 10));
    after.processes.get_mut(&7).unwrap().totals = Some(totals(130, 20));
    let totals = compare(&before, &after, Subject::Process(7))
        .totals
        .unwrap();
    assert_eq!((totals.minor_faults, totals.major_faults), (30, 0));
    assert!((totals.user_share - 10.0 * tick_ns() / 1e9).abs() < 1e-9);
    assert_eq!(compare(&before, &after, Subject::Machine).totals, None);
}

#[test]
fn counters_that_went_back_are_unknown() {
    let start = Instant::now();
    let before = sweep(start, 0, 500, &[]);
    let after = sweep(start, 1000, 400, &[]);
    let interval = compare(&before, &after, Subject::Machine);
    assert_eq!(interval.system.switches, None);
    assert_eq!(interval.attribution.unwrap().rest, None);
}

#[test]
fn what_looks_found_stands_with_its_thread_and_its_process() {
    let start = Instant::now();
    let before = sweep(
        start,
        0,
        0,
        &[(7, 7, thread(0, 0, 0)), (7, 8, thread(0, 0, 0))],
    );
    let after = sweep(
        start,
        1000,
        0,
        &[(7, 7, thread(9, 0, 1)), (7, 8, thread(1, 0, 1))],
    );
    let mut looks = Looks::default();
    looks.note(7, 7, Look::Waiting(Wait::FutexWait));
    looks.note(7, 8, Look::Waiting(Wait::Sleep));
    looks.note(7, 8, Look::Running);
    let interval = between(
        &before,
        &after,
        Subject::Process(7),
        &looks,
        None,
        OwnCost::default(),
    );
    assert_eq!(
        interval.threads[0].activity.found.waiting,
        [(Wait::FutexWait, 1)]
    );
    assert_eq!(interval.processes[0].activity.found.waits(), 2);
    assert_eq!(interval.processes[0].activity.found.running, 1);
}
