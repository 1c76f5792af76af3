//! What the kernel saw of a lock's holders.

use super::places::frame;
use locktoll_results::profile::{
    HolderPreemption, OffCpuTimes, PreemptedSite, PreemptedWaiter, PreemptionSource,
};

/// Of a holder that lost its processor often.
pub fn preemption() -> HolderPreemption {
    let frames = vec![frame("log_message", "/src/log.c", 41)];
    HolderPreemption {
        source: PreemptionSource::SchedSwitch,
        count: 412,
        total_ns: 1_900_000_000,
        max_ns: Some(23_000_000),
        log2: Some([vec![0; 20], vec![100, 300, 10, 1, 1]].concat()),
        yielded: Some(OffCpuTimes {
            count: 20,
            total_ns: 1_000_000,
            max_ns: 90_000,
        }),
        blocked: Some(OffCpuTimes::default()),
        stolen: Some(OffCpuTimes {
            count: 1,
            total_ns: 250_000,
            max_ns: 250_000,
        }),
        waited_meanwhile_ns: Some(2_100_000_000),
        share_of_wait: Some(0.38),
        examined: None,
        sites: vec![PreemptedSite {
            frames: frames.clone(),
            count: 412,
            total_ns: 1_900_000_000,
            max_ns: 23_000_000,
        }],
        waiters: vec![PreemptedWaiter {
            pid: 100,
            tid: 103,
            frames,
            count: 300,
            wait_ns: 2_100_000_000,
            max_ns: 40_000_000,
        }],
    }
}
