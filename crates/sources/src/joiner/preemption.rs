//! Preempted holders, all locks together.

use locktoll_results::profile::{Lock, PreemptionDropped, PreemptionSource, PreemptionTotal, Use};

/// The fact that the kernel watched for preempted holders.
pub struct Watched {
    /// The number of threads that it watched.
    pub threads: u64,
    /// The data that it missed.
    pub dropped: PreemptionDropped,
    /// The waiting for a lock that it saw.
    pub waited_ns: fn(&Lock) -> u64,
}

/// Returns the figures of all locks together; `None` if nobody watched, and nothing is known of any lock.
pub fn total(watched: Option<Watched>, locks: &[Lock]) -> Option<PreemptionTotal> {
    let known = || locks.iter().filter_map(|lock| lock.preemption.as_ref());
    let any = known().next().is_some();
    if watched.is_none() && !any {
        return None;
    }
    let sum = |figures: &mut dyn Iterator<Item = u64>| figures.fold(0, u64::saturating_add);
    let mut total = PreemptionTotal {
        source: PreemptionSource::Estimate,
        count: any.then(|| sum(&mut known().map(|it| it.count))),
        total_ns: any.then(|| sum(&mut known().map(|it| it.total_ns))),
        waited_meanwhile_ns: None,
        share_of_wait: None,
        unknown_holders_wait_ns: None,
        threads: None,
        dropped: None,
    };
    if let Some(watched) = watched {
        let waits = locks.iter().filter(|lock| lock.used_as == Use::Lock);
        let (with, without): (Vec<&Lock>, Vec<&Lock>) =
            waits.partition(|lock| lock.preemption.is_some());
        let waited_ns = sum(&mut with.into_iter().map(watched.waited_ns));
        let meanwhile_ns = sum(&mut known().filter_map(|it| it.waited_meanwhile_ns));
        total.source = PreemptionSource::SchedSwitch;
        total.waited_meanwhile_ns = any.then_some(meanwhile_ns);
        total.share_of_wait = (waited_ns > 0).then(|| meanwhile_ns as f64 / waited_ns as f64);
        total.unknown_holders_wait_ns = Some(sum(&mut without.into_iter().map(watched.waited_ns)));
        total.threads = Some(watched.threads);
        total.dropped = Some(watched.dropped);
    }
    Some(total)
}
