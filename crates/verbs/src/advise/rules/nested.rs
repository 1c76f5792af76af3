//! Holders that wait for another lock: its waits add up to the holds of this one.

use locktoll_results::advice::{Remedy, RemedyKind};
use locktoll_results::profile::Lock;
use locktoll_terminal::quantity::{count, duration};

use crate::advise::lock_use::{LockUse, Situation, bare};
use crate::advise::words::{self, for_lock};

/// The lock for which holders of another one wait, if its waits are a large part of those holds.
pub fn inner<'p>(situation: &Situation<'p>, lock: &LockUse<'p>) -> Option<&'p Lock> {
    let order = situation.profile.order.as_ref()?;
    let held_ns = lock.hold_ns * lock.acquisitions;
    let edges = order
        .edges
        .iter()
        .filter(|it| it.held == lock.lock.id && it.acquired != it.held);
    let locks = edges.filter_map(|edge| {
        let inner = situation
            .profile
            .locks
            .iter()
            .find(|it| it.id == edge.acquired)?;
        // The inner lock's waits are those of all threads; its nested share is what is known of them.
        let nested = edge.count as f64 / inner.acquisitions?.max(1) as f64;
        Some((inner, inner.waited_ns() as f64 * nested.min(1.0)))
    });
    let (inner, waited_ns) = locks.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (waited_ns >= 0.3 * held_ns).then_some(inner)
}

/// The lock that holders of another one acquire in most of their holds, and hold for most of the time: what blocks then blocks in both.
pub fn around<'p>(situation: &Situation<'p>, lock: &LockUse<'p>) -> Option<&'p Lock> {
    let order = situation.profile.order.as_ref()?;
    let held_ns = lock.hold_ns * lock.acquisitions;
    let edges = order
        .edges
        .iter()
        .filter(|it| it.held == lock.lock.id && it.acquired != it.held);
    let locks = edges.filter_map(|edge| {
        let inner = situation
            .profile
            .locks
            .iter()
            .find(|it| it.id == edge.acquired)?;
        let inner_ns = inner.hold_ns.as_ref()?.total as f64;
        let is_usual = edge.count as f64 >= 0.5 * lock.acquisitions && inner_ns >= 0.5 * held_ns;
        is_usual.then_some(inner)
    });
    locks.max_by_key(|it| it.hold_ns.as_ref().map_or(0, |it| it.total))
}

/// Says that the inner lock comes first.
pub fn advise(situation: &Situation<'_>, lock: &LockUse<'_>) -> Option<Remedy> {
    if lock.wait_share < 0.01 || lock.main_call().is_some() {
        return None;
    }
    let inner = inner(situation, lock)?;
    let (name, other) = (lock.name(), bare(&inner.name));
    let advice = format!("Do not hold {name} while waiting for {other}.");
    Some(Remedy {
        site: words::longest_held(lock.lock),
        evidence: format!(
            "{} {} Holders acquire {other} in the hold, and threads waited for {other} {} in all, in {} waits: remedies for {other} \
             come first, since they shorten the holds of {name} too.",
            words::waiting(lock),
            words::holding(lock),
            duration(inner.waited_ns() as f64),
            count(inner.contended),
        ),
        cost: format!(
            "Acquire {other} before {name}, or copy what it guards before {name} is taken. Keep one order everywhere."
        ),
        command: Some(words::whatif(lock, situation.profile)),
        ..for_lock(RemedyKind::NoNestedWait, lock, advice)
    })
}
