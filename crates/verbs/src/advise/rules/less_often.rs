//! Very many short holds, nearly all at one place: what they do can be done in batches.

use locktoll_results::advice::{AdviceMethod, Remedy, RemedyKind};
use locktoll_terminal::quantity::rate;

use super::blocking::holders_wait;
use crate::advise::lock_use::{LockUse, Situation};
use crate::advise::model::{Change, gain, ordered};
use crate::advise::words::{self, for_lock, place, with_gain};

/// Longer holds do work that a batch would have to do as well.
const MOST_HOLD_NS: f64 = 1_000.0;
/// Acquisitions per second from which they are very many.
const MANY_PER_SECOND: f64 = 100_000.0;
/// The size of a batch.
const BATCH: f64 = 8.0;
/// What the calls that acquire and release take, besides waits and holds: if the lock stays in the cache of its CPU, usually, and if its
/// cache line comes from another CPU for each of the two. A recording does not have it. On a virtual machine with two CPUs, `locktoll
/// machine` measured 9 to 10 ns for such a pair, and 191 ns for the line's way.
const PAIR_NS: [f64; 3] = [10.0, 25.0, 400.0];
/// With a smaller share of the threads' time in waits, and in these calls at their usual price, the lock is not worth a change.
const LEAST_SHARE: f64 = 0.02;

/// Computes the gain of one acquisition in place of eight.
pub fn advise(situation: &Situation<'_>, lock: &LockUse<'_>) -> Option<Remedy> {
    let (site, share) = words::busiest(lock.lock)?;
    let per_second = lock.acquisitions / lock.duration_ns * 1e9;
    let in_calls = lock.acquisitions * PAIR_NS[1] / situation.profile.thread_time_ns.max(1) as f64;
    let applies = lock.hold_ns <= MOST_HOLD_NS
        && per_second >= MANY_PER_SECOND
        && share >= 0.8
        && lock.wait_share + in_calls >= LEAST_SHARE
        && lock.lock.takers.is_none_or(|it| it.threads > 1)
        && lock.lock.instances == 1;
    if !applies || holders_wait(lock) {
        return None;
    }
    let visits = 1.0 / BATCH;
    let [low, median, high] = PAIR_NS.map(|pair_ns| {
        let batches = Change {
            visits,
            saved_ns: (1.0 - visits) * pair_ns,
            ..Change::default()
        };
        gain(lock, batches)
    });
    let name = lock.name();
    let advice =
        format!("Take {name} less often: once for {BATCH} items instead of once for each.");
    Some(with_gain(
        Remedy {
            site: place(&site.frames),
            evidence: format!(
                "{} {} It is acquired {} times per second, {:.0} % of that at one place. The calls alone take about {:.0} ns each time \
                 ({:.0} to {:.0}), {:.0} % of the threads' time.",
                words::waiting(lock),
                words::holding(lock),
                rate(per_second),
                100.0 * share,
                PAIR_NS[1],
                PAIR_NS[0],
                PAIR_NS[2],
                100.0 * in_calls.min(1.0),
            ),
            cost: "Collect items in the thread and hand over several at once; they arrive later by the time of a batch.".to_owned(),
            command: Some(words::whatif(lock, situation.profile)),
            ..for_lock(RemedyKind::TakeLessOften, lock, advice)
        },
        lock,
        ordered(low.low, median.median, high.high),
        AdviceMethod::Model,
    ))
}
