//! Very many short holds, nearly all at one place: what they do can be done in batches.

use locktoll_results::advice::{AdviceMethod, Remedy, RemedyKind};
use locktoll_terminal::quantity::rate;

use super::blocking::holders_wait;
use crate::advise::lock_use::{LockUse, Situation};
use crate::advise::model::{Change, gain};
use crate::advise::words::{self, for_lock, place, with_gain};

/// Longer holds do work that a batch would have to do as well.
const MOST_HOLD_NS: f64 = 1_000.0;
/// Acquisitions per second from which they are very many.
const MANY_PER_SECOND: f64 = 100_000.0;
/// The size of a batch.
const BATCH: f64 = 8.0;

/// Computes the gain of one acquisition in place of eight.
pub fn advise(situation: &Situation<'_>, lock: &LockUse<'_>) -> Option<Remedy> {
    let (site, share) = words::busiest(lock.lock)?;
    let per_second = lock.acquisitions / lock.duration_ns * 1e9;
    let applies = lock.hold_ns <= MOST_HOLD_NS
        && per_second >= MANY_PER_SECOND
        && share >= 0.8
        && lock.wait_share >= 0.02
        && lock.lock.instances == 1;
    if !applies || holders_wait(lock) {
        return None;
    }
    let batches = Change {
        visits: 1.0 / BATCH,
        ..Change::default()
    };
    let name = lock.name();
    let advice =
        format!("Take {name} less often: once for {BATCH} items instead of once for each.");
    Some(with_gain(
        Remedy {
            site: place(&site.frames),
            evidence: format!(
                "{} {} It is acquired {} times per second, {:.0} % of that at one place.",
                words::waiting(lock),
                words::holding(lock),
                rate(per_second),
                100.0 * share,
            ),
            cost: "Collect items in the thread and hand over several at once; they arrive later by the time of a batch.".to_owned(),
            command: Some(words::whatif(lock, situation.profile)),
            ..for_lock(RemedyKind::TakeLessOften, lock, advice)
        },
        lock,
        gain(lock, batches),
        AdviceMethod::Model,
    ))
}
