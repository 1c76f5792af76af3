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

#[cfg(test)]
mod tests {
    use locktoll_made_up::sample;
    use locktoll_results::profile::HolderPreemption;

    use super::*;

    /// Two locks with preempted holders, one without, and an event.
    fn locks() -> Vec<Lock> {
        let lock = |waited_ns, preemption: Option<[u64; 3]>| {
            let mut lock = sample::job_server().locks.swap_remove(0);
            lock.wait_ns.total = waited_ns;
            lock.still_waiting_ns = 0;
            lock.used_as = Use::Lock;
            lock.preemption = preemption.map(|[count, total_ns, meanwhile_ns]| HolderPreemption {
                count,
                total_ns,
                waited_meanwhile_ns: Some(meanwhile_ns),
                ..sample::preemption()
            });
            lock
        };
        let mut event = lock(1_000, None);
        event.used_as = Use::Signal;
        vec![
            lock(400, Some([3, 30, 100])),
            lock(600, Some([2, 20, 150])),
            lock(50, None),
            event,
        ]
    }

    fn watched() -> Watched {
        Watched {
            threads: 7,
            dropped: PreemptionDropped {
                unkept: 1,
                ..PreemptionDropped::default()
            },
            waited_ns: |lock| lock.wait_ns.total,
        }
    }

    #[test]
    fn nothing_is_known_where_nobody_watched_and_no_lock_says_anything() {
        assert_eq!(total(None, &[]), None);
        assert_eq!(total(None, &locks()[2..]), None);
    }

    #[test]
    fn an_estimate_is_the_sum_of_those_of_the_locks() {
        let total = total(None, &locks()).unwrap();
        assert_eq!(total.source, PreemptionSource::Estimate);
        assert_eq!((total.count, total.total_ns), (Some(5), Some(50)));
        assert_eq!(total.waited_meanwhile_ns, None);
        assert_eq!((total.threads, total.dropped), (None, None));
    }

    #[test]
    fn what_was_measured_is_a_share_of_the_waiting_whose_holders_are_known() {
        let total = total(Some(watched()), &locks()).unwrap();
        assert_eq!(total.source, PreemptionSource::SchedSwitch);
        assert_eq!((total.count, total.total_ns), (Some(5), Some(50)));
        assert_eq!(total.waited_meanwhile_ns, Some(250));
        assert_eq!(total.share_of_wait, Some(0.25));
        assert_eq!(total.unknown_holders_wait_ns, Some(50));
        assert_eq!(total.threads, Some(7));
        assert_eq!(total.dropped.unwrap().unkept, 1);
    }

    #[test]
    fn watching_without_a_known_holder_is_not_zero_preemptions() {
        let total = total(Some(watched()), &locks()[2..]).unwrap();
        assert_eq!((total.count, total.total_ns), (None, None));
        assert_eq!(
            (total.waited_meanwhile_ns, total.share_of_wait),
            (None, None)
        );
        assert_eq!(total.unknown_holders_wait_ns, Some(50));
    }
}
