//! The kernel's data about one row, added up over processes.

use std::cmp::Reverse;
use std::collections::HashMap;

use locktoll_recording::histogram::BUCKETS;
use locktoll_recording::layout::OffCpu;
use locktoll_recording::reader::{PreemptedWait, Preemption};

use crate::joiner::{plus, without_trailing_zeros};
use crate::recording::sites::{SiteId, Sites};
use locktoll_results::profile::{
    HolderPreemption, OffCpuTimes, PreemptedSite, PreemptedWaiter, PreemptionSource,
};

/// How many places and threads are listed for a row.
const LISTED: usize = 20;

/// Times that holders of one row did not run.
pub struct Preempted {
    preempted: OffCpuTimes,
    yielded: OffCpuTimes,
    blocked: OffCpuTimes,
    stolen: OffCpuTimes,
    histogram: [u64; BUCKETS],
    sites: HashMap<SiteId, OffCpuTimes>,
    waiters: HashMap<(u32, u32, SiteId), OffCpuTimes>,
}

impl Default for Preempted {
    fn default() -> Self {
        Self {
            preempted: OffCpuTimes::default(),
            yielded: OffCpuTimes::default(),
            blocked: OffCpuTimes::default(),
            stolen: OffCpuTimes::default(),
            histogram: [0; BUCKETS],
            sites: HashMap::new(),
            waiters: HashMap::new(),
        }
    }
}

fn add(sum: &mut OffCpuTimes, count: u64, total_ns: u64, max_ns: u64) {
    plus(&mut sum.count, count);
    plus(&mut sum.total_ns, total_ns);
    sum.max_ns = sum.max_ns.max(max_ns);
}

impl Preempted {
    /// Adds holders that had acquired the lock at `site`.
    pub fn add(&mut self, seen: &Preemption, site: SiteId) {
        let (count, total_ns, max_ns) = (seen.count, seen.total_ns, seen.max_ns);
        let sum = match seen.why {
            OffCpu::Preempted => &mut self.preempted,
            OffCpu::Yielded => &mut self.yielded,
            OffCpu::Blocked => &mut self.blocked,
            OffCpu::Stolen => &mut self.stolen,
            // A reason that a later version added.
            _ => return,
        };
        add(sum, count, total_ns, max_ns);
        if seen.why == OffCpu::Preempted {
            let at = self.sites.entry(site).or_default();
            add(at, count, total_ns, max_ns);
            for (sum, more) in self.histogram.iter_mut().zip(*seen.histogram) {
                plus(sum, more);
            }
        }
    }

    /// Adds a thread of process `pid` that waited at `site` meanwhile.
    pub fn add_wait(&mut self, pid: u32, wait: &PreemptedWait, site: SiteId) {
        let waiter = self.waiters.entry((pid, wait.tid, site)).or_default();
        add(waiter, wait.count, wait.wait_ns, wait.max_ns);
    }

    /// Returns the figures to be shown for a lock that was waited for `waited_ns` in total.
    pub fn shown(&self, waited_ns: u64, sites: &Sites) -> HolderPreemption {
        // The kernel may see a wait begin a moment before the recorder read the clock.
        let meanwhile_ns = self
            .waiters
            .values()
            .fold(0, |sum: u64, it| sum.saturating_add(it.total_ns))
            .min(waited_ns);
        HolderPreemption {
            source: PreemptionSource::SchedSwitch,
            count: self.preempted.count,
            total_ns: self.preempted.total_ns,
            max_ns: Some(self.preempted.max_ns),
            log2: Some(without_trailing_zeros(&self.histogram)),
            yielded: Some(self.yielded),
            blocked: Some(self.blocked),
            stolen: Some(self.stolen),
            waited_meanwhile_ns: Some(meanwhile_ns),
            share_of_wait: (waited_ns > 0).then(|| meanwhile_ns as f64 / waited_ns as f64),
            examined: None,
            sites: longest_first(&self.sites)
                .map(|(site, times)| PreemptedSite {
                    frames: sites.frames(site).to_vec(),
                    count: times.count,
                    total_ns: times.total_ns,
                    max_ns: times.max_ns,
                })
                .collect(),
            waiters: longest_first(&self.waiters)
                .map(|((pid, tid, site), times)| PreemptedWaiter {
                    pid,
                    tid,
                    frames: sites.frames(site).to_vec(),
                    count: times.count,
                    wait_ns: times.total_ns,
                    max_ns: times.max_ns,
                })
                .collect(),
        }
    }
}

fn longest_first<K: Copy + Ord>(
    map: &HashMap<K, OffCpuTimes>,
) -> impl Iterator<Item = (K, OffCpuTimes)> + use<K> {
    let mut list: Vec<(K, OffCpuTimes)> = map.iter().map(|(&key, &times)| (key, times)).collect();
    list.sort_by_key(|&(key, times)| (Reverse((times.total_ns, times.count)), key));
    list.truncate(LISTED);
    list.into_iter()
}

#[cfg(test)]
mod tests {
    use locktoll_results::profile::Frame;

    use super::*;

    fn times(count: u64, total_ns: u64) -> OffCpuTimes {
        let mut times = OffCpuTimes::default();
        add(&mut times, count, total_ns, total_ns / count);
        times
    }

    #[test]
    fn waiting_meanwhile_is_a_share_of_all_waiting_and_never_more() {
        let mut sites = Sites::default();
        let mut site = |name: &str| {
            let frame = Frame {
                function: Some(name.to_owned()),
                ..Frame::default()
            };
            sites.id(None, vec![frame])
        };
        let (short, long) = (site("short"), site("long"));
        let seen = Preempted {
            preempted: times(3, 90),
            waiters: HashMap::from([
                ((1, 10, short), times(1, 100)),
                ((1, 11, long), times(2, 200)),
            ]),
            ..Preempted::default()
        };
        let shown = seen.shown(1_200, &sites);
        assert_eq!((shown.count, shown.total_ns), (3, 90));
        assert_eq!(shown.waited_meanwhile_ns, Some(300));
        assert_eq!(shown.share_of_wait, Some(0.25));
        let waiters: Vec<(u32, u64)> = shown
            .waiters
            .iter()
            .map(|it| (it.tid, it.wait_ns))
            .collect();
        assert_eq!(waiters, [(11, 200), (10, 100)]);
        // The kernel saw the waits begin before the recorder did.
        let shown = seen.shown(250, &sites);
        assert_eq!(
            (shown.waited_meanwhile_ns, shown.share_of_wait),
            (Some(250), Some(1.0))
        );
        assert_eq!(seen.shown(0, &sites).share_of_wait, None);
    }

    #[test]
    fn the_longest_are_listed_and_no_more_than_fit() {
        let mut sites = Sites::default();
        let site = sites.id(None, Vec::new());
        let many = (0..30).map(|tid| ((1, tid, site), times(1, u64::from(tid))));
        let seen = Preempted {
            waiters: many.collect(),
            ..Preempted::default()
        };
        let tids: Vec<u32> = seen
            .shown(1, &sites)
            .waiters
            .iter()
            .map(|it| it.tid)
            .collect();
        assert_eq!(tids, (10..30).rev().collect::<Vec<u32>>());
    }
}
