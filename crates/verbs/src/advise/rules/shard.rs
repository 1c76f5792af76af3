//! One lock for data that several locks could guard.

use std::collections::HashSet;

use locktoll_results::advice::{AdviceMethod, Remedy, RemedyKind};
use locktoll_results::profile::described;
use locktoll_terminal::quantity::counted;

use super::blocking::holders_wait;
use super::nested;
use crate::advise::lock_use::{LockUse, Situation};
use crate::advise::model::{Change, gain};
use crate::advise::words::{self, for_lock, place, with_gain};

/// Shards beyond this number gain next to nothing.
const MOST_SHARDS: f64 = 16.0;

/// Computes the gain of as many locks as threads, if several threads compete and none sleeps in the hold.
pub fn advise(situation: &Situation<'_>, lock: &LockUse<'_>) -> Option<Remedy> {
    let applies = lock.wait_share >= 0.02 && lock.threads >= 1.8 && lock.utilization() >= 0.1;
    if !applies || holders_wait(lock) || nested::inner(situation, lock).is_some() {
        return None;
    }
    if lock.lock.instances > 1 {
        return uneven(situation, lock);
    }
    let shards = lock.threads.ceil().clamp(2.0, MOST_SHARDS);
    let change = Change {
        shards,
        ..Change::default()
    };
    let name = lock.name();
    let advice = format!("Split {name} into {shards} locks, by a key of the data.");
    Some(with_gain(
        Remedy {
            site: words::busiest(lock.lock).and_then(|(site, _)| place(&site.frames)),
            evidence: format!(
                "{} {} {}",
                words::waiting(lock),
                words::holding(lock),
                keys(lock)
            ),
            cost: "Only if operations on different keys are independent. Operations on all keys (size, iteration) then take every lock."
                .to_owned(),
            command: Some(format!(
                "locktoll report FILE --lock {}  (the callers, to find the key)",
                locktoll_terminal::escape::quoted(&lock.lock.id)
            )),
            ..for_lock(RemedyKind::Shard, lock, advice)
        },
        lock,
        gain(lock, change),
        AdviceMethod::Model,
    ))
}

/// Says what the recording shows of keys: the lock is one, and its callers may be several.
fn keys(lock: &LockUse<'_>) -> String {
    let callers: HashSet<String> = lock
        .lock
        .sites
        .iter()
        .filter_map(|it| place(&it.frames))
        .map(|it| described(&it))
        .collect();
    format!(
        "It is one lock, taken at {}. The recording does not show the keys: check that different threads use different ones.",
        counted(callers.len() as u64, "place", "places")
    )
}

/// There are shards already; if one of them has most of the waiting, the keys are uneven.
fn uneven(situation: &Situation<'_>, lock: &LockUse<'_>) -> Option<Remedy> {
    let waited_ns = lock.lock.waited_ns().max(1);
    let worst = lock.lock.members.iter().max_by_key(|it| it.wait_ns)?;
    let share = worst.wait_ns as f64 / waited_ns as f64;
    if share < 0.5 || share < 3.0 / lock.lock.instances as f64 {
        return None;
    }
    let name = lock.name();
    let number = worst.offset.map_or_else(
        || format!("the one at {:#x}", worst.address),
        |offset| format!("the one at offset {offset}"),
    );
    let advice = format!(
        "Spread the load over the {} locks of {name}: one of them has most of the waiting.",
        lock.lock.instances
    );
    Some(Remedy {
        site: words::busiest(lock.lock).and_then(|(site, _)| place(&site.frames)),
        evidence: format!(
            "{} {:.0} % of that was for one of {} locks, {number}.",
            words::waiting(lock),
            100.0 * share,
            lock.lock.instances
        ),
        cost: "Another hash, or a finer key for the busiest one.".to_owned(),
        command: Some(words::whatif(lock, situation.profile)),
        ..for_lock(RemedyKind::Shard, lock, advice)
    })
}
