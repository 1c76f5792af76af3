//! Of the whole profile.

use locktoll_recording::reader::{Part, Watch};

use super::{PreemptionDropped, PreemptionSource, PreemptionTotal};
use crate::profile::Lock;

/// Of all locks together; `None` if nothing is known of any.
pub fn total(parts: &[&Part], locks: &[Lock]) -> Option<PreemptionTotal> {
    let watches: Vec<Watch> = parts.iter().filter_map(|part| part.watch).collect();
    let watched = !watches.is_empty();
    let known = || locks.iter().filter_map(|lock| lock.preemption.as_ref());
    if !watched && known().next().is_none() {
        return None;
    }
    let sum = |figures: &mut dyn Iterator<Item = u64>| figures.fold(0, u64::saturating_add);
    let waited_ns = sum(&mut locks.iter().map(Lock::waited_ns));
    let meanwhile_ns = sum(&mut known().filter_map(|it| it.waited_meanwhile_ns));
    let escaped = |of: fn(&Watch) -> u64| sum(&mut watches.iter().map(of));
    Some(PreemptionTotal {
        source: if watched {
            PreemptionSource::SchedSwitch
        } else {
            PreemptionSource::Estimate
        },
        count: sum(&mut known().map(|it| it.count)),
        total_ns: sum(&mut known().map(|it| it.total_ns)),
        waited_meanwhile_ns: watched.then_some(meanwhile_ns),
        share_of_wait: (watched && waited_ns > 0).then(|| meanwhile_ns as f64 / waited_ns as f64),
        threads: watched.then(|| escaped(|watch| watch.threads)),
        dropped: watched.then(|| PreemptionDropped {
            unkept: escaped(|watch| watch.unkept),
            waits_unkept: escaped(|watch| watch.waits_unkept),
            unread: escaped(|watch| watch.unread),
            too_many_held: escaped(|watch| watch.too_many_held),
            unregistered: escaped(|watch| watch.unregistered),
            unseen: escaped(|watch| watch.unseen),
        }),
    })
}
