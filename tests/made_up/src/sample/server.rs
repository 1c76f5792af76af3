//! The whole profile.

use super::locks;
use super::places::frame;
use crate::made_up::computer::{computer, made};
use locktoll_results::profile::{
    Dropped, Lock, Module, Process, Profile, Recorder, RecorderMode, SCHEMA, Source, Thread,
    ThreadTime,
};
use locktoll_results::{Made, MadeOn};

const DURATION_NS: u64 = 3_020_000_000;
/// The workers began a little after the first thread.
const WORKER_NS: u64 = 2_635_000_000;
const WORKERS: u64 = 8;

/// A job server with one dear lock, one hot lock, and some of every other sort.
pub fn job_server() -> Profile {
    let locks = vec![
        locks::log_lock(),
        locks::job_queue_lock(),
        locks::connection_slots(),
        locks::cache_mutex(),
        locks::config_lock(),
        locks::bucket_locks(),
        locks::ring_lock(),
        locks::session_locks(),
        locks::job_available(),
        locks::parked_thread(),
        locks::items_ready(),
        locks::startup_barrier(),
        locks::statistics_lock(),
    ];
    let wait_ns = locks.iter().map(|lock| lock.wait_ns.total).sum();
    let signals = locks.iter().filter_map(|lock: &Lock| lock.signal.as_ref());
    let signal_wait_ns = signals.map(|signal| signal.wait_ns.total).sum();
    let thread_time_ns = DURATION_NS + WORKERS * WORKER_NS;
    Profile {
        schema: SCHEMA.to_owned(),
        made: Some(Made {
            machine: Some(MadeOn::of(&computer())),
            ..made()
        }),
        source: Source::Record,
        command: ["./job-server", "--port", "80"].map(str::to_owned).into(),
        duration_ns: DURATION_NS,
        user_ns: Some(4_100_000_000),
        system_ns: Some(1_050_000_000),
        voluntary_switches: Some(412_000),
        involuntary_switches: Some(3_900),
        yields: Some(1_204),
        threads: WORKERS + 1,
        thread_time_ns,
        wait_ns,
        signal_wait_ns,
        time: time(thread_time_ns),
        per_thread: threads(wait_ns, signal_wait_ns),
        processes: vec![Process {
            pid: 4242,
            parent_pid: 4241,
            added_up: None,
            unlisted_threads: 0,
            unlisted_ns: None,
            command: vec!["./job-server".to_owned()],
            threads: WORKERS + 1,
            start_ns: 0,
            duration_ns: Some(DURATION_NS),
            user_ns: Some(4_100_000_000),
            system_ns: Some(1_050_000_000),
            voluntary_switches: Some(412_000),
            involuntary_switches: Some(3_900),
        }],
        modules: vec![
            Module {
                path: "/opt/job-server".to_owned(),
                build_id: Some("5eb63bbbe01eeed093cb22bb8f5acdc3".to_owned()),
            },
            Module {
                path: "/usr/lib/libsession.so.1".to_owned(),
                build_id: None,
            },
        ],
        recorder: Recorder {
            mode: Some(RecorderMode::Sampled),
            ns_per_pair: Some(6.4),
            share_of_cpu: Some(0.0054),
        },
        preemption: None,
        order: None,
        spin_cpu_ns: None,
        spin_samples: None,
        spinning: Vec::new(),
        alerts: Vec::new(),
        timeline: None,
        dropped: Dropped::default(),
        warnings: Vec::new(),
        locks,
    }
}

fn time(total_ns: u64) -> ThreadTime {
    let (running_ns, lock_ns) = (5_150_000_000, 9_600_000_000);
    let (signal_ns, cpu_wait_ns) = (5_400_000_000, 1_900_000_000);
    ThreadTime {
        threads: WORKERS + 1,
        total_ns,
        running_ns,
        lock_ns,
        signal_ns,
        cpu_wait_ns,
        other_ns: total_ns - running_ns - lock_ns - signal_ns - cpu_wait_ns,
    }
}

/// Seven workers, a thread that was killed before the kernel was asked about it, and the first thread, which only
/// waits for the others.
fn threads(wait_ns: u64, signal_wait_ns: u64) -> Vec<Thread> {
    let workers = (0..WORKERS).map(|number| {
        let known = number < WORKERS - 1;
        let unended_ns = if known { 0 } else { locks::STILL_WAITING_NS };
        Thread {
            pid: 4242,
            tid: 4243 + number as u32,
            name: format!("worker-{number}"),
            started_with: Some(frame("worker_main", "src/worker.c", 28)),
            start_ns: 385_000_000,
            duration_ns: WORKER_NS,
            cpu_ns: known.then_some(700_000_000 - number * 10_000_000),
            spin_ns: None,
            cpu_wait_ns: known.then_some(260_000_000),
            // Shares of 8, 7, 6 ... 1 in 36, the longest first.
            lock_wait_ns: Some(wait_ns / 36 * (WORKERS - number) + unended_ns),
            lock_still_waiting_ns: unended_ns,
            signal_wait_ns: Some(signal_wait_ns / 36 * (number + 1)),
            signal_still_waiting_ns: 0,
            futex_wait_ns: None,
            voluntary_switches: known.then_some(51_000),
            involuntary_switches: known.then_some(480),
            yields: known.then_some(172),
        }
    });
    let first = Thread {
        pid: 4242,
        tid: 4242,
        name: "job-server".to_owned(),
        started_with: None,
        start_ns: 0,
        duration_ns: DURATION_NS,
        cpu_ns: Some(20_000_000),
        spin_ns: None,
        cpu_wait_ns: Some(1_000_000),
        lock_wait_ns: Some(0),
        lock_still_waiting_ns: 0,
        signal_wait_ns: Some(0),
        signal_still_waiting_ns: 0,
        futex_wait_ns: None,
        voluntary_switches: Some(14),
        involuntary_switches: Some(2),
        yields: Some(0),
    };
    workers.chain([first]).collect()
}
