//! Rows of every kind.

use super::places::{bare_frame, blame, frame, site, stack, stack_waits};
use locktoll_results::profile::{
    HoldTimes, HolderThread, Lock, LockKind, MEMBERS, Member, SignalWaits, StillWaiting, Takers,
    Use, WaitSplit, WaitTimes, WhileHeld,
};

/// How long the last worker had waited for `connection_slots` when the recording ended.
pub const STILL_WAITING_NS: u64 = 35_000_000;

/// A lock whose waits are all of a length, and of which nothing else is known.
pub fn lock(name: &str, acquisitions: u64, contended: u64, wait_ns: u64) -> Lock {
    Lock {
        id: format!("mutex:job-server:{name}"),
        kind: LockKind::Mutex,
        used_as: Use::Lock,
        name: name.to_owned(),
        first_site: Vec::new(),
        birth: Vec::new(),
        initialised: false,
        instances: 1,
        acquisitions: Some(acquisitions),
        read_acquisitions: None,
        takers: None,
        contended,
        try_failed: Some(0),
        timed_out: 0,
        still_waiting: 0,
        still_waiting_ns: 0,
        longest_still_waiting: None,
        still_waiting_threads: Vec::new(),
        wait_ns: waits(contended, wait_ns),
        wait_split: None,
        hold_ns: None,
        recorder_dominates: false,
        while_held: None,
        preemption: None,
        signal: None,
        sites: Vec::new(),
        stacks: Vec::new(),
        members: Vec::new(),
        blame: Vec::new(),
        woken_by: Vec::new(),
        futex: None,
        anchors: Vec::new(),
        spun_words: Vec::new(),
        near_words: Vec::new(),
    }
}

/// Something that threads signal each other by.
fn signal(kind: LockKind, name: &str, calls: u64, blocked: u64, wait_ns: u64) -> Lock {
    let word = match kind {
        LockKind::Semaphore => "semaphore",
        LockKind::Condvar => "condvar",
        LockKind::Barrier => "barrier",
        _ => "futex",
    };
    let silent = lock(name, 0, 0, 0);
    Lock {
        id: format!("{word}:job-server:{name}"),
        kind,
        used_as: Use::Signal,
        acquisitions: None,
        signal: Some(SignalWaits {
            waits: Some(calls),
            blocked,
            wait_ns: waits(blocked, wait_ns),
            relock_ns: Some(0),
            signals: Some(calls),
            broadcasts: Some(0),
        }),
        ..silent
    }
}

fn waits(contended: u64, wait_ns: u64) -> WaitTimes {
    let each = wait_ns.checked_div(contended);
    WaitTimes {
        total: wait_ns,
        max: each.map(|each| each * 2),
        p50: each.map(|each| each as f64),
        p99: each.map(|each| (each * 19 / 10) as f64),
        log2: each.map_or_else(Vec::new, |each| all_in_bucket(each, contended)),
    }
}

fn holds(total: u64, typical_ns: u64, sampled: u64) -> HoldTimes {
    HoldTimes {
        total,
        max: typical_ns * 12,
        p50: typical_ns as f64,
        p99: (typical_ns * 3) as f64,
        sampled,
        log2: all_in_bucket(typical_ns, sampled),
    }
}

fn all_in_bucket(duration_ns: u64, count: u64) -> Vec<u64> {
    let mut buckets = vec![0; locktoll_recording::histogram::bucket_of(duration_ns) + 1];
    *buckets.last_mut().expect("a bucket at least") = count;
    buckets
}

/// Spinning and runnable time in percent of the wait; the rest was blocked.
fn split(wait_ns: u64, spinning_percent: u64, runnable_percent: u64, examined: u64) -> WaitSplit {
    let spinning_ns = wait_ns / 100 * spinning_percent;
    let runnable_ns = wait_ns / 100 * runnable_percent;
    WaitSplit {
        spinning_ns: Some(spinning_ns),
        runnable_ns,
        blocked_ns: wait_ns - spinning_ns - runnable_ns,
        examined,
        voluntary_switches: examined,
        involuntary_switches: examined / 10,
    }
}

/// Held across a write to the disk: few acquisitions, nearly all of the waiting, two holders to blame.
pub fn log_lock() -> Lock {
    let wait_ns = 9_120_000_000;
    let write = [frame("write_log_line", "src/log.c", 88)];
    let rotate = [frame("rotate_log", "src/log.c", 131)];
    let mut log = lock("log_lock", 2_850, 2_400, wait_ns);
    log.first_site = write.to_vec();
    log.birth = stack(&[("write_log_line", "src/log.c", 88)]);
    log.sites = vec![
        site(write.to_vec(), 2_849, 2_400, wait_ns),
        site(rotate.to_vec(), 1, 0, 0),
    ];
    log.sites[0].hold_ns = Some(2_600_000_000);
    log.sites[1].hold_ns = Some(310_000_000);
    log.stacks = vec![
        stack_waits(
            stack(&[
                ("write_log_line", "src/log.c", 88),
                ("finish_job", "src/job.c", 64),
            ]),
            1_800,
            7_020_000_000,
        ),
        stack_waits(
            stack(&[
                ("write_log_line", "src/log.c", 88),
                ("reject_job", "src/job.c", 92),
            ]),
            600,
            2_100_000_000,
        ),
    ];
    log.blame = vec![
        blame(&write, Some(&write), 2_380, 7_320_000_000),
        blame(&write, Some(&rotate), 18, 1_795_000_000),
        blame(&write, None, 2, 5_000_000),
    ];
    log.wait_split = Some(split(wait_ns, 1, 4, 300));
    log.hold_ns = Some(holds(2_910_000_000, 910_000, 2_850));
    log.while_held = Some(WhileHeld {
        examined: 2_850,
        blocked: 2_790,
        voluntary_switches: 2_812,
        involuntary_switches: 41,
        system_calls: 5_700,
        calls: Vec::new(),
    });
    log
}

/// A short hold at a busy place, handed over with a condition variable.
pub fn job_queue_lock() -> Lock {
    let wait_ns = 1_020_000_000;
    let dispatch = [
        frame("queue_pop", "src/queue.h", 17),
        frame("dispatch_job", "src/queue.c", 41),
    ];
    let accept = [frame("accept_job", "src/queue.c", 73)];
    let mut queue = lock("job_queue_lock", 1_234_567, 271_605, wait_ns);
    queue.first_site = dispatch.to_vec();
    queue.sites = vec![
        site(dispatch.to_vec(), 834_567, 201_605, 770_000_000),
        site(accept.to_vec(), 400_000, 70_000, 250_000_000),
    ];
    queue.sites[0].hold_ns = Some(180_000_000);
    queue.sites[1].hold_ns = Some(95_000_000);
    queue.stacks = vec![
        stack_waits(
            stack(&[
                ("queue_pop", "src/queue.h", 17),
                ("dispatch_job", "src/queue.c", 41),
            ]),
            201_605,
            770_000_000,
        ),
        stack_waits(
            stack(&[("accept_job", "src/queue.c", 73)]),
            70_000,
            250_000_000,
        ),
    ];
    queue.blame = vec![
        blame(&dispatch, Some(&dispatch), 120_000, 510_000_000),
        blame(&dispatch, Some(&accept), 81_605, 260_000_000),
        blame(&accept, Some(&dispatch), 70_000, 250_000_000),
    ];
    queue.wait_split = Some(split(wait_ns, 22, 35, 33_950));
    queue.hold_ns = Some(holds(275_000_000, 190, 12_345));
    queue.while_held = Some(WhileHeld {
        examined: 12_345,
        blocked: 3,
        voluntary_switches: 3,
        involuntary_switches: 17,
        system_calls: 0,
        calls: Vec::new(),
    });
    queue
}

/// Thousands of locks initialised at one place of a library without symbols.
pub fn session_locks() -> Lock {
    let first = vec![bare_frame(0x1a2b)];
    let mut session = lock(
        "lock made in open_session (session.c:17)",
        40_000,
        12,
        81_000,
    );
    session.id = "mutex:job-server:born:open_session".to_owned();
    session.instances = 5_000;
    session.initialised = true;
    session.birth = stack(&[
        ("open_session", "src/session.c", 17),
        ("accept_connection", "src/net.c", 58),
    ]);
    session.first_site.clone_from(&first);
    session.sites = vec![site(first.clone(), 40_000, 12, 81_000)];
    session.blame = vec![blame(&first, None, 12, 81_000)];
    session.wait_split = Some(split(81_000, 60, 10, 2));
    session.hold_ns = Some(holds(24_000_000, 480, 900));
    session.members = (0..MEMBERS as u64)
        .map(|number| Member {
            pid: 4242,
            address: 0x7f12_3400_0040 + 0x380 * number,
            generation: 70 + number as u32,
            offset: None,
            acquisitions: Some(900 - 10 * number),
            contended: u64::from(number < 12),
            wait_ns: if number < 12 { 6_750 } else { 0 },
            hold_ns: (number < 3).then_some(430_000),
        })
        .collect();
    session
}

/// An array of locks in one variable.
pub fn bucket_locks() -> Lock {
    let insert = [frame("bucket_insert", "src/table.c", 52)];
    let mut buckets = lock("bucket_locks[]", 640_000, 850, 3_400_000);
    buckets.instances = 64;
    buckets.first_site = insert.to_vec();
    buckets.sites = vec![site(insert.to_vec(), 640_000, 850, 3_400_000)];
    buckets.sites[0].try_failed = Some(40);
    buckets.try_failed = Some(40);
    buckets.blame = vec![blame(&insert, Some(&insert), 850, 3_400_000)];
    buckets.wait_split = Some(split(3_400_000, 80, 5, 106));
    buckets.hold_ns = Some(holds(44_800_000, 70, 5_000));
    buckets.members = (0..MEMBERS as u64)
        .map(|number| Member {
            pid: 4242,
            address: 0x55d0_0000_4040 + 0x40 * number,
            generation: number as u32 + 1,
            offset: Some(0x40 * number),
            acquisitions: Some(10_000),
            contended: 40 - number,
            wait_ns: (40 - number) * 4_000,
            hold_ns: Some(700_000),
        })
        .collect();
    buckets
}

/// Read mostly.
pub fn config_lock() -> Lock {
    let read = [frame("config_value", "src/config.cc", 29)];
    let reload = [frame("reload_config", "src/config.cc", 61)];
    let mut config = lock("config_lock", 500_010, 36, 12_000_000);
    config.id = "rwlock:job-server:config_lock".to_owned();
    config.kind = LockKind::RwLock;
    config.read_acquisitions = Some(500_000);
    config.takers = Some(Takers {
        threads: 4,
        most: 140_000,
    });
    config.first_site = read.to_vec();
    config.timed_out = 1;
    config.sites = vec![
        site(read.to_vec(), 500_000, 30, 11_000_000),
        site(reload.to_vec(), 10, 6, 1_000_000),
    ];
    config.blame = vec![
        blame(&read, Some(&reload), 30, 11_000_000),
        blame(&reload, Some(&read), 6, 1_000_000),
    ];
    config.wait_split = Some(split(12_000_000, 2, 8, 4));
    config.hold_ns = Some(holds(61_000_000, 110, 4_900));
    config
}

/// Spun for.
pub fn ring_lock() -> Lock {
    let push = [frame("ring_push", "src/ring.c", 19)];
    let mut ring = lock("ring_lock", 310_000, 410, 850_000);
    ring.id = "spin:job-server:ring_lock".to_owned();
    ring.kind = LockKind::Spin;
    ring.first_site = push.to_vec();
    ring.sites = vec![site(push.to_vec(), 310_000, 410, 850_000)];
    ring.blame = vec![blame(&push, Some(&push), 410, 850_000)];
    ring.wait_split = Some(split(850_000, 100, 0, 51));
    ring.hold_ns = Some(holds(12_400_000, 40, 3_000));
    ring
}

/// A semaphore whose holders give it back themselves.
pub fn connection_slots() -> Lock {
    let connect = [frame("connect_upstream", "src/upstream.c", 77)];
    let mut slots = lock("connection_slots", 9_000, 310, 210_000_000);
    slots.id = "semaphore:job-server:connection_slots".to_owned();
    slots.kind = LockKind::Semaphore;
    slots.first_site = connect.to_vec();
    slots.still_waiting = 1;
    slots.still_waiting_ns = STILL_WAITING_NS;
    let waiting = StillWaiting {
        pid: 4242,
        tid: 4250,
        frames: connect.to_vec(),
        wait_ns: STILL_WAITING_NS,
        holder_thread: Some(HolderThread {
            tid: 4243,
            name: "worker-0".to_owned(),
        }),
        holder: connect.to_vec(),
        owner_field: None,
    };
    slots.longest_still_waiting = Some(waiting.clone());
    slots.still_waiting_threads = vec![waiting];
    slots.sites = vec![site(connect.to_vec(), 9_000, 310, 210_000_000)];
    slots.blame = vec![blame(&connect, Some(&connect), 310, 210_000_000)];
    slots.wait_split = Some(split(210_000_000, 0, 3, 38));
    slots.hold_ns = Some(holds(5_400_000_000, 580_000, 9_000));
    slots
}

/// A lock of Rust's standard library, seen by its system calls alone.
pub fn cache_mutex() -> Lock {
    let insert = [
        frame(
            "std::sys::sync::mutex::futex::Mutex::lock_contended",
            "library/std/src/sys/sync/mutex/futex.rs",
            66,
        ),
        frame("cache::Cache::insert", "src/cache.rs", 118),
    ];
    let mut cache = lock(
        "lock first taken in cache::Cache::insert (cache.rs:118)",
        0,
        1_500,
        45_000_000,
    );
    cache.id = "futex:job-server:first:cache::Cache::insert".to_owned();
    cache.kind = LockKind::Futex;
    cache.acquisitions = None;
    cache.first_site = insert.to_vec();
    cache.birth = insert.to_vec();
    cache.sites = vec![site(insert.to_vec(), 0, 1_500, 45_000_000)];
    cache.sites[0].acquisitions = None;
    cache.blame = vec![blame(&insert, None, 1_500, 45_000_000)];
    cache.wait_split = Some(split(45_000_000, 4, 40, 188));
    cache
}

/// Taken often and never waited for; its holds are shorter than what it takes to record them.
pub fn statistics_lock() -> Lock {
    let count = [frame("count_job", "src/statistics.c", 12)];
    let mut statistics = lock("statistics_lock", 1_234_000, 0, 0);
    statistics.first_site = count.to_vec();
    statistics.sites = vec![site(count.to_vec(), 1_234_000, 0, 0)];
    statistics.hold_ns = Some(holds(4_936_000, 4, 9_800));
    statistics.recorder_dominates = true;
    statistics
}

/// Workers wait here for jobs.
pub fn job_available() -> Lock {
    let pop = vec![frame("dispatch_job", "src/queue.c", 44)];
    let mut available = signal(
        LockKind::Condvar,
        "job_available",
        61_000,
        60_400,
        4_300_000_000,
    );
    available.first_site.clone_from(&pop);
    available.sites = vec![site(pop, 61_000, 60_400, 4_300_000_000)];
    available.stacks = vec![stack_waits(
        stack(&[("dispatch_job", "src/queue.c", 44)]),
        60_400,
        4_300_000_000,
    )];
    available.wait_split = Some(split(4_300_000_000, 1, 6, 7_550));
    if let Some(waits) = &mut available.signal {
        waits.relock_ns = Some(190_000_000);
        waits.signals = Some(400_000);
        waits.broadcasts = Some(3);
    }
    available
}

/// A semaphore that one thread posts and another waits for.
pub fn items_ready() -> Lock {
    let consume = vec![frame("flush_loop", "src/flush.c", 23)];
    let mut ready = signal(
        LockKind::Semaphore,
        "items_ready",
        2_000,
        1_900,
        600_000_000,
    );
    ready.first_site.clone_from(&consume);
    ready.sites = vec![site(consume, 2_000, 1_900, 600_000_000)];
    ready
}

/// Everybody waits for everybody.
pub fn startup_barrier() -> Lock {
    let start = vec![frame("worker_main", "src/worker.c", 30)];
    let mut barrier = signal(LockKind::Barrier, "startup_barrier", 8, 7, 18_000_000);
    barrier.first_site.clone_from(&start);
    barrier.sites = vec![site(start, 8, 7, 18_000_000)];
    if let Some(waits) = &mut barrier.signal {
        waits.signals = Some(0);
    }
    barrier
}

/// A thread of a Rust library that sleeps until it is needed.
pub fn parked_thread() -> Lock {
    let park = vec![
        frame("std::thread::park", "library/std/src/thread/mod.rs", 1_100),
        frame("cache::Evictor::run", "src/cache.rs", 301),
    ];
    let mut parked = signal(
        LockKind::Futex,
        "event first waited for in cache::Evictor::run (cache.rs:301)",
        90,
        90,
        900_000_000,
    );
    parked.id = "futex:job-server:first:cache::Evictor::run".to_owned();
    parked.first_site.clone_from(&park);
    parked.birth.clone_from(&park);
    parked.sites = vec![site(park, 90, 90, 900_000_000)];
    parked
}
