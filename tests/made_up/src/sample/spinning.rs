//! Busy waiting of the sample: threads that wait for a flag which another thread sets.

use locktoll_lab::stats::Estimate;
use locktoll_results::profile::{Frame, SpinSamples, Spinning, SpunWord, WriterState};

fn frame(function: &str, line: u32) -> Frame {
    Frame {
        function: Some(function.to_owned()),
        file: Some("/src/queue.c".to_owned()),
        line: Some(line),
        module: Some("/opt/server".to_owned()),
        offset: Some(u64::from(line) * 16),
    }
}

/// Two threads that wait for a flag.
#[must_use]
pub fn spinning() -> Spinning {
    Spinning {
        site: frame("drain_queue", 61),
        stack: vec![frame("drain_queue", 61), frame("main", 90)],
        word: Some(SpunWord {
            name: "queue_ready".to_owned(),
            id: Some("word:server:queue_ready".to_owned()),
        }),
        cpu_ns: Estimate {
            median: 1.8e9,
            low: 1.7e9,
            high: 1.9e9,
            n: 900,
        },
        threads: 8,
        writers: Some(vec![frame("fill_queue", 33)]),
        writer_state: Some(WriterState {
            running: 0.3,
            runnable: 0.61,
            asleep: 0.09,
        }),
        known_as: None,
        lock: None,
        runnable_threads: Some(8.2),
        usable_cpus: Some(2.0),
        involuntary_switches: Some(512),
    }
}

/// The samples behind it.
#[must_use]
pub fn spin_samples() -> SpinSamples {
    SpinSamples {
        rate_hz: 499.0,
        samples: 5_000,
        lost: 0,
        unexamined: 0,
        with_kernel: true,
    }
}
