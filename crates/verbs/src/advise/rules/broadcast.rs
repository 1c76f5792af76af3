//! Broadcasts that wake many threads of which one finds work.

use locktoll_results::advice::{Remedy, RemedyKind};
use locktoll_results::profile::{Frame, Lock, LockKind, Site};
use locktoll_terminal::quantity::{count, duration};

use crate::advise::lock_use::{Situation, bare};
use crate::advise::words::{self, for_program, place};

/// A broadcast that wakes fewer threads on average is cheap.
const LEAST_WOKEN: f64 = 3.0;
/// Below this number of broadcasts, nothing is known.
const FEWEST: u64 = 20;
/// The share of the wake-ups that must be in vain.
const LEAST_IN_VAIN: f64 = 0.5;

/// Proposes to wake fewer threads at a condition variable, if most of those that a broadcast wakes go back to waiting.
///
/// A thread that finds work leaves the loop around the wait, and comes back through the lock function; one that finds none waits
/// again without it. So acquisitions at the place of the wait count the waits that had a use. At a barrier, each wait has one.
pub fn advise(situation: &Situation<'_>, condition: &Lock) -> Option<Remedy> {
    let signal = condition.signal.as_ref()?;
    let (waits, broadcasts) = (signal.waits?, signal.broadcasts?);
    if condition.kind != LockKind::Condvar || broadcasts < FEWEST {
        return None;
    }
    let woken = waits.saturating_sub(signal.signals.unwrap_or(0)) as f64 / broadcasts as f64;
    let entered = entered(situation, condition)?;
    let in_vain = 1.0 - (entered as f64 / waits.max(1) as f64).min(1.0);
    if woken < LEAST_WOKEN || in_vain < LEAST_IN_VAIN {
        return None;
    }
    let name = bare(&condition.name);
    let relock_ns = signal.relock_ns.unwrap_or(0);
    let share = situation.share(relock_ns);
    let advice = format!(
        "Wake fewer threads at {name}: each broadcast wakes {woken:.0}, and {:.0} % of the wake-ups find nothing to do.",
        100.0 * in_vain
    );
    let remedy = for_program(RemedyKind::WakeFewer, advice);
    Some(Remedy {
        lock: Some(condition.id.clone()),
        name: Some(name.to_owned()),
        site: condition.sites.first().and_then(|it| place(&it.frames)),
        evidence: format!(
            "{} broadcasts ended {} waits, and only {} times did a thread come there to wait for something new: the others woke up, \
             took the mutex, and waited again. Taking the mutex again took {} in all, {:.1} % of the threads' time. How long the wake-ups \
             kept threads from their work is not known from a recording.",
            count(broadcasts),
            count(waits),
            count(entered),
            duration(relock_ns as f64),
            100.0 * share,
        ),
        cost: "Signal once for each item, if any waiter can take any item; or one condition variable for each reason to wait.".to_owned(),
        command: Some(format!("locktoll record -- {}", words::program(situation.profile))),
        ..remedy
    })
}

/// Returns how often threads acquired a mutex in the function that waits for the condition; `None` if no mutex is acquired there.
fn entered(situation: &Situation<'_>, condition: &Lock) -> Option<u64> {
    // The wait itself acquires the mutex again when it returns.
    let is_wait = |site: &Site| condition.sites.iter().any(|it| it.frames == site.frames);
    let waits: Vec<Frame> = condition
        .sites
        .iter()
        .filter_map(|it| place(&it.frames))
        .collect();
    let is_there = |site: &Site| {
        !is_wait(site)
            && place(&site.frames).is_some_and(|it| {
                it.function.is_some() && waits.iter().any(|wait| is_same(wait, &it))
            })
    };
    let mutexes = situation
        .profile
        .locks
        .iter()
        .filter(|it| it.kind == LockKind::Mutex);
    let sites = mutexes.flat_map(|it| &it.sites).filter(|it| is_there(it));
    let entered: Vec<u64> = sites.filter_map(|it| it.acquisitions).collect();
    (!entered.is_empty()).then(|| entered.iter().sum())
}

fn is_same(a: &Frame, b: &Frame) -> bool {
    a.function == b.function && a.file == b.file
}
