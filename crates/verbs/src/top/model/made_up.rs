//! Made-up intervals, for tests of rows, keys and drawing.

use std::collections::BTreeMap;
use std::sync::Arc;

use locktoll_lab::watch::{
    self, Activity, Attribution, CpuShares, KnownBy, OwnCost, System, Totals,
};

use super::{ChosenReading, Reading, SpunReading, Waits, between};
use crate::running::Stuck;
use locktoll_made_up::sample::{job_server, spin_samples, spinning};
use locktoll_results::profile::{Profile, SpinSamples};
use locktoll_results::top::{Held, Interval, SeenBy};
use locktoll_sources::spun::{Report, Row, ThreadShare};

const SECOND_NS: u64 = 1_000_000_000;

fn process(pid: u32, name: &str, threads: u64, voluntary: u64, involuntary: u64) -> watch::Process {
    watch::Process {
        pid,
        name: name.to_owned(),
        kernel: name.starts_with("kworker"),
        threads,
        window_ns: SECOND_NS,
        activity: Activity {
            voluntary,
            involuntary,
            run_ns: Some((voluntary + involuntary) * 9_000),
            ready_ns: Some(involuntary * 90_000),
            ..Activity::default()
        },
    }
}

fn cause(cause: watch::CauseKind, switches: u64, known_by: KnownBy) -> watch::Cause {
    watch::Cause {
        cause,
        switches,
        known_by,
    }
}

fn system(totals: Option<Totals>, processes: Vec<watch::Process>) -> watch::Interval {
    use watch::CauseKind as Kind;
    watch::Interval {
        interval_ns: SECOND_NS,
        system: System {
            switches: Some(41_822),
            cpu: Some(CpuShares {
                user: 0.31,
                system: 0.22,
                interrupts: 0.01,
                idle: 0.42,
                iowait: 0.0,
                steal: 0.04,
            }),
            ..System::default()
        },
        attribution: totals.is_none().then(Attribution::default),
        processes,
        totals,
        threads: Vec::new(),
        causes: vec![
            cause(Kind::Waited, 31_500, KnownBy::Counted),
            cause(Kind::Futex, 30_210, KnownBy::Looks),
            cause(Kind::Events, 1_100, KnownBy::Looks),
            cause(Kind::Unknown, 190, KnownBy::Rest),
            cause(Kind::TakenOff, 5_312, KnownBy::Counted),
            cause(Kind::SliceOver, 212, KnownBy::CpuTime),
            cause(Kind::YieldedOrWokenOver, 5_100, KnownBy::Rest),
        ],
        own: OwnCost {
            cpu_share: 0.004,
            ..OwnCost::default()
        },
    }
}

/// A machine with a recorded program, other programs, and names that would control a terminal.
pub fn machine() -> Interval {
    let waits = |at_ns, waits, wait_ns| Waits {
        name: "job-server".to_owned(),
        waits,
        wait_ns,
        waiting_now: 2,
        seen_by: SeenBy::Recorder,
        at_ns,
        watched_ns: Some(60 * SECOND_NS),
    };
    let reading = |at_ns, by_program| Reading {
        at_ns,
        system: Some(system(
            None,
            vec![
                process(4242, "job-server", 9, 30_310, 5_201),
                process(1, "systemd", 1, 12, 0),
                process(977, "postgres", 5, 840, 77),
                process(31, "kworker/0:1", 1, 301, 0),
                process(666, "\u{1b}[31mred\u{7}\n\u{202e}der", 1, 30, 4),
                process(667, "名前が全角の長い名前", 2, 7, 0),
            ],
        )),
        waits: BTreeMap::from([(4242, by_program)]),
        ..Reading::default()
    };
    between(
        Some(&reading(SECOND_NS, waits(SECOND_NS, 100, SECOND_NS))),
        &reading(2 * SECOND_NS, waits(2 * SECOND_NS, 30_310, 4_710_000_000)),
    )
}

/// The locks of one program; half of all the waiting so far took place in the interval.
pub fn program() -> Interval {
    let mut after = job_server();
    after.duration_ns = 4 * SECOND_NS;
    for lock in &mut after.locks {
        if lock.name.starts_with("cache") {
            lock.name = format!("{}\u{1b}]0;owned\u{7}", lock.name);
        }
    }
    let mut before = half(&after);
    before.duration_ns = 3 * SECOND_NS;
    let reading = |at_ns, profile: Profile| Reading {
        at_ns,
        system: Some(system(
            Some(Totals {
                user_share: 0.61,
                system_share: 0.4,
                ..Totals::default()
            }),
            vec![process(4242, "job-server", 9, 30_310, 5_201)],
        )),
        waits: BTreeMap::from([(
            4242,
            Waits::of("job-server".to_owned(), &profile, SeenBy::Recorder),
        )]),
        chosen: Some(ChosenReading {
            pid: 4242,
            name: "./job-server --port 80".to_owned(),
            ended: false,
            stuck: stuck(&profile),
            spun: Some(spun(at_ns)),
            locks: Ok((Arc::new(profile), SeenBy::Recorder)),
        }),
        ..Reading::default()
    };
    between(
        Some(&reading(SECOND_NS, before)),
        &reading(2 * SECOND_NS, after),
    )
}

/// The first lock is held, and threads wait for it.
fn stuck(profile: &Profile) -> Stuck {
    let held = Held {
        name: profile.locks[0].name.clone(),
        address: "0x1000".to_owned(),
        waiting: 3,
        holder_tid: Some(4245),
        holder: "held by thread 4245 (worker), acquired at store_result (server.cpp:88)".to_owned(),
        same_holder_ns: Some(2 * SECOND_NS),
    };
    Stuck {
        held: vec![held],
        deadlock: None,
        deadlocks: 0,
    }
}

/// Returns a profile with half of every count.
fn half(whole: &Profile) -> Profile {
    let mut half = whole.clone();
    for lock in &mut half.locks {
        lock.contended /= 2;
        lock.acquisitions = lock.acquisitions.map(|count| count / 2);
        lock.wait_ns.total /= 2;
        lock.wait_ns.log2.iter_mut().for_each(|count| *count /= 2);
        for site in &mut lock.sites {
            site.contended /= 2;
            site.wait_ns /= 2;
        }
        for blame in &mut lock.blame {
            blame.count /= 2;
            blame.wait_ns /= 2;
        }
        if let Some(signal) = &mut lock.signal {
            signal.blocked /= 2;
            signal.wait_ns.total /= 2;
            signal.wait_ns.log2.iter_mut().for_each(|count| *count /= 2);
        }
    }
    half
}

/// Busy waiting: 0.36 s of CPU time in the second, and as much per second before.
fn spun(at_ns: u64) -> SpunReading {
    let seconds = (at_ns / SECOND_NS) as f64;
    let mut row = spinning();
    row.cpu_ns.median = 0.36e9 * seconds;
    row.cpu_ns.n = 180 * (at_ns / SECOND_NS) as usize;
    let shares = [4243, 4244].map(|tid| ThreadShare {
        pid: 4242,
        tid,
        ns: 0.18e9 * seconds,
    });
    SpunReading {
        began_ns: 0,
        at_ns,
        report: Arc::new(Report {
            samples: SpinSamples {
                samples: 500 * (at_ns / SECOND_NS),
                ..spin_samples()
            },
            cpu_ns: 1e9 * seconds,
            spin_ns: row.cpu_ns,
            rows: vec![Row {
                spinning: row,
                words: vec![(4242, 0x2000)],
                threads: shares.to_vec(),
            }],
            notes: Vec::new(),
        }),
    }
}
