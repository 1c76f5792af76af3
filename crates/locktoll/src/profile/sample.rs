//! A made-up profile for tests of reports: every kind of row, no real timings.

use super::{
    Dropped, Frame, Lock, LockKind, Process, Profile, Recorder, RecorderMode, SCHEMA, Site,
    ThreadTime, Use, WaitTimes,
};

/// A job server with one dear lock, one hot lock, a cluster of heap locks and a quiet one.
pub fn job_server() -> Profile {
    let mut log = lock("log_lock", 2_850, 2_400, 9_120_000_000);
    log.sites = vec![
        site(
            "write_log_line",
            "src/log.c",
            88,
            2_849,
            2_400,
            9_120_000_000,
        ),
        site("rotate_log", "src/log.c", 131, 1, 0, 0),
    ];
    let mut queue = lock("job_queue_lock", 1_234_567, 271_605, 1_020_000_000);
    queue.sites = vec![site(
        "dispatch_job",
        "src/queue.c",
        41,
        1_234_567,
        271_605,
        1_020_000_000,
    )];
    let mut cache = lock(
        "lock first taken in open_session (session.c:17)",
        40_000,
        12,
        81_000,
    );
    cache.instances = 5_000;
    cache.sites = vec![Site {
        frames: vec![Frame {
            module: Some("/usr/lib/libsession.so.1".to_owned()),
            offset: Some(0x1a2b),
            ..Frame::default()
        }],
        ..site("", "", 0, 40_000, 12, 81_000)
    }];
    let quiet = lock("statistics_lock", 1_234_000, 0, 0);
    let locks = vec![log, queue, cache, quiet];
    Profile {
        schema: SCHEMA.to_owned(),
        command: vec![
            "./job-server".to_owned(),
            "--port".to_owned(),
            "80".to_owned(),
        ],
        duration_ns: 3_020_000_000,
        user_ns: None,
        system_ns: None,
        threads: 9,
        thread_time_ns: 24_100_000_000,
        wait_ns: locks.iter().map(|lock| lock.wait_ns.total).sum(),
        time: ThreadTime::default(),
        per_thread: Vec::new(),
        processes: vec![Process {
            pid: 4242,
            parent_pid: 4241,
            command: vec!["./job-server".to_owned()],
            threads: 9,
            start_ns: 0,
            duration_ns: Some(3_020_000_000),
        }],
        recorder: Recorder {
            mode: RecorderMode::Sampled,
            ns_per_pair: None,
            share_of_cpu: None,
        },
        dropped: Dropped::default(),
        warnings: Vec::new(),
        locks,
    }
}

/// A lock whose waits are all of a length.
pub fn lock(name: &str, acquisitions: u64, contended: u64, wait_ns: u64) -> Lock {
    let each = wait_ns.checked_div(contended);
    Lock {
        id: format!("mutex:job-server:{name}"),
        kind: LockKind::Mutex,
        name: name.to_owned(),
        first_site: Vec::new(),
        instances: 1,
        birth: Vec::new(),
        initialised: false,
        used_as: Use::Lock,
        acquisitions: Some(acquisitions),
        read_acquisitions: None,
        contended,
        try_failed: 0,
        timed_out: 0,
        still_waiting: 0,
        wait_ns: WaitTimes {
            total: wait_ns,
            max: each.map(|each| each * 2),
            p50: each.map(|each| each as f64),
            p99: each.map(|each| each as f64 * 1.9),
            log2: Vec::new(),
        },
        wait_split: None,
        hold_ns: None,
        while_held: None,
        signal: None,
        sites: Vec::new(),
        stacks: Vec::new(),
        members: Vec::new(),
        blame: Vec::new(),
    }
}

fn site(
    function: &str,
    file: &str,
    line: u32,
    acquisitions: u64,
    contended: u64,
    wait_ns: u64,
) -> Site {
    Site {
        frames: vec![Frame {
            function: Some(function.to_owned()),
            file: Some(file.to_owned()),
            line: Some(line),
            module: Some("/opt/job-server".to_owned()),
            offset: Some(0x1000),
        }],
        acquisitions,
        contended,
        try_failed: 0,
        wait_ns,
        wait_max_ns: (contended > 0).then_some(wait_ns / 10),
    }
}
