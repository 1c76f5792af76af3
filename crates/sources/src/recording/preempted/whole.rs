//! Preemption in the whole recording.

use locktoll_recording::reader::{Part, Watch};

use crate::joiner::Watched;
use locktoll_results::profile::{Lock, PreemptionDropped};

/// Returns what the kernel watched, if it watched any process.
pub fn watched(parts: &[&Part]) -> Option<Watched> {
    let watches: Vec<Watch> = parts.iter().filter_map(|part| part.watch).collect();
    let sum = |of: fn(&Watch) -> u64| watches.iter().map(of).fold(0, u64::saturating_add);
    (!watches.is_empty()).then(|| Watched {
        threads: sum(|watch| watch.threads),
        dropped: PreemptionDropped {
            unkept: sum(|watch| watch.unkept),
            waits_unkept: sum(|watch| watch.waits_unkept),
            unread: sum(|watch| watch.unread),
            too_many_held: sum(|watch| watch.too_many_held),
            unregistered: sum(|watch| watch.unregistered),
            unseen: sum(|watch| watch.unseen),
        },
        waited_ns: Lock::waited_ns,
    })
}
