//! Long holds of a lock that is held much of the time.

use locktoll_results::advice::{AdviceMethod, Remedy, RemedyKind};

use super::blocking::holders_wait;
use super::nested;
use crate::advise::lock_use::{LockUse, Situation};
use crate::advise::model::{Change, gain};
use crate::advise::words::{self, for_lock, with_gain};

/// Shorter holds are mostly the price of the acquisition itself.
const LEAST_HOLD_NS: f64 = 500.0;

/// Computes the gain of holds that are half as long, if threads run in them.
pub fn advise(situation: &Situation<'_>, lock: &LockUse<'_>) -> Option<Remedy> {
    let applies =
        lock.wait_share >= 0.02 && lock.utilization() >= 0.2 && lock.hold_ns >= LEAST_HOLD_NS;
    if !applies || holders_wait(lock) || nested::inner(situation, lock).is_some() {
        return None;
    }
    let half = Change {
        shorter_ns: lock.hold_ns / 2.0,
        moved_ns: lock.hold_ns / 2.0,
        ..Change::default()
    };
    let name = lock.name();
    let advice = format!("Shorten the hold of {name}: do half of the work before or after it.");
    Some(with_gain(
        Remedy {
            site: words::longest_held(lock.lock),
            evidence: format!("{} {}", words::waiting(lock), words::holding(lock)),
            cost: "Move work that does not need the lock's data out of the hold, or do it faster."
                .to_owned(),
            command: Some(words::whatif(lock, situation.profile)),
            ..for_lock(RemedyKind::ShortenHold, lock, advice)
        },
        lock,
        gain(lock, half),
        AdviceMethod::Model,
    ))
}
