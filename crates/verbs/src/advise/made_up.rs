//! Made-up profiles of a program with one lock that takes its time, and changes of it.

use locktoll_made_up::sample;
use locktoll_results::profile::{
    Frame, HeldCall, HoldTimes, Lock, LockKind, Profile, SignalWaits, Site, Takers, ThreadTime,
    Use, WaitSplit, WhileHeld,
};

/// The length of the recording.
pub const SECOND: u64 = 1_000_000_000;

/// One lock, in figures.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// The threads that take it.
    pub threads: u64,
    /// Their acquisitions.
    pub acquisitions: u64,
    /// How long it is held at a time.
    pub hold_ns: u64,
    /// All waiting for it.
    pub wait_ns: u64,
}

/// A program that runs for a second on this many CPUs, with these threads, of which the CPUs' time `used` is a share.
pub fn program(cpus: usize, threads: u64, used: f64) -> Profile {
    let mut profile = sample::job_server();
    profile.locks.clear();
    profile.duration_ns = SECOND;
    profile.threads = threads;
    profile.thread_time_ns = threads * SECOND;
    profile.wait_ns = 0;
    let machine = profile.made.as_mut().and_then(|it| it.machine.as_mut());
    let machine = machine.expect("the sample has a machine");
    machine.usable_cpus = cpus;
    machine.quota_cpus = None;
    let running_ns = (used * cpus as f64 * SECOND as f64) as u64;
    profile.time = ThreadTime {
        threads,
        total_ns: threads * SECOND,
        running_ns,
        ..ThreadTime::default()
    };
    profile.per_thread.truncate(threads as usize);
    for thread in &mut profile.per_thread {
        thread.start_ns = 0;
        thread.duration_ns = SECOND;
        thread.cpu_ns = Some(running_ns / threads);
        thread.cpu_wait_ns = Some(0);
        thread.lock_wait_ns = Some(1);
    }
    profile
}

/// A frame of the program.
pub fn at(function: &str, line: u32) -> Vec<Frame> {
    vec![Frame {
        function: Some(function.to_owned()),
        file: Some("app.c".to_owned()),
        line: Some(line),
        module: Some("/bin/app".to_owned()),
        offset: Some(u64::from(line)),
    }]
}

/// A place with this share of a lock's acquisitions and holds.
pub fn site(function: &str, line: u32, figures: Figures, share: f64) -> Site {
    let of = |number: u64| (number as f64 * share) as u64;
    Site {
        frames: at(function, line),
        acquisitions: Some(of(figures.acquisitions)),
        contended: of(figures.acquisitions / 2),
        try_failed: Some(0),
        wait_ns: of(figures.wait_ns),
        wait_max_ns: None,
        hold_ns: Some(of(figures.hold_ns * figures.acquisitions)),
    }
}

/// A mutex with these figures, taken at one place.
pub fn lock(name: &str, figures: Figures) -> Lock {
    let mut lock = sample::lock(
        name,
        figures.acquisitions,
        figures.acquisitions / 2,
        figures.wait_ns,
    );
    lock.takers = Some(Takers {
        threads: figures.threads,
        most: figures.acquisitions / figures.threads.max(1),
    });
    lock.hold_ns = Some(HoldTimes {
        total: figures.hold_ns * figures.acquisitions,
        max: figures.hold_ns * 3,
        p50: figures.hold_ns as f64,
        p99: 2.0 * figures.hold_ns as f64,
        sampled: figures.acquisitions,
        log2: Vec::new(),
    });
    lock.wait_split = Some(WaitSplit {
        spinning_ns: Some(figures.wait_ns / 20),
        blocked_ns: figures.wait_ns / 2,
        runnable_ns: figures.wait_ns / 4,
        ..WaitSplit::default()
    });
    lock.while_held = Some(WhileHeld {
        examined: figures.acquisitions,
        ..WhileHeld::default()
    });
    lock.sites = vec![site("use_it", 10, figures, 1.0)];
    lock
}

/// A lock whose holders block in `call` for `share` of each hold.
pub fn blocking(name: &str, figures: Figures, call: &str, share: f64) -> Lock {
    let mut lock = lock(name, figures);
    let held = lock.while_held.as_mut().expect("set above");
    held.blocked = figures.acquisitions;
    held.system_calls = figures.acquisitions;
    held.calls = vec![HeldCall {
        call: call.to_owned(),
        count: figures.acquisitions,
        total_ns: ((figures.hold_ns * figures.acquisitions) as f64 * share) as u64,
    }];
    lock
}

/// A condition variable whose broadcasts wake `woken` threads each.
pub fn condition(broadcasts: u64, woken: u64) -> Lock {
    let mut lock = sample::lock("there", 0, 0, 0);
    lock.kind = LockKind::Condvar;
    lock.used_as = Use::Signal;
    lock.acquisitions = None;
    lock.signal = Some(SignalWaits {
        waits: Some(broadcasts * woken),
        blocked: broadcasts * woken,
        relock_ns: Some(SECOND / 2),
        signals: Some(0),
        broadcasts: Some(broadcasts),
        ..SignalWaits::default()
    });
    let figures = Figures {
        threads: 8,
        acquisitions: broadcasts * woken,
        hold_ns: 0,
        wait_ns: 0,
    };
    lock.sites = vec![site("consume", 30, figures, 1.0)];
    lock
}

/// Adds locks, and their waits to the sums.
pub fn with(mut profile: Profile, locks: Vec<Lock>) -> Profile {
    profile.wait_ns = locks.iter().map(|it| it.wait_ns.total).sum();
    profile.locks = locks;
    profile
}
