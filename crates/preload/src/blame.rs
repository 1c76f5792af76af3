//! Works out the causes of a wait that is over: which holders caused it, its stack, and how its time was spent.

use locktoll_recording::layout::ContentionRecord;

use crate::contended::PLACES;
use crate::index::Key;
use crate::place::Place;
use crate::recorder::Recorder;
use crate::tally::add;
use crate::thread::Thread;
use crate::tls;
use crate::waited::{End, Waited};

/// Enters the figures of `wait` that have not been entered yet. `own` is the thread that waited, if it has tables.
pub fn enter(wait: &Waited, own: Option<&Thread>, recorder: &'static Recorder) {
    if let Some(thread) = own
        && wait.end != End::Failed
        && wait.stands_for > 0
    {
        if let Some(contention) = thread.make_contention(wait.key, recorder, None) {
            enter_split(wait, contention);
        }
        enter_stack(wait, thread, recorder);
        if wait.is_for_lock {
            enter_blame(wait, thread, recorder);
        }
    }
    if let Some(holders) = wait.holders {
        recorder.contended.end_wait(wait.key.lock, holders.entry);
    }
}

/// Enters the wait that `thread`, the calling thread, has kept back. With `Some(lock)`, only a wait for that lock is entered.
#[inline]
pub fn enter_kept_back(thread: &Thread, recorder: &'static Recorder, lock: Option<usize>) {
    if !thread.has_nothing_pending() {
        enter_full(thread, recorder, lock);
    }
}

#[cold]
#[inline(never)]
fn enter_full(thread: &Thread, recorder: &'static Recorder, lock: Option<usize>) {
    if thread.is_busy() || !recorder.is_on() {
        return;
    }
    if let Some(wait) = thread.take_kept_back(lock) {
        enter(&wait, Some(thread), recorder);
    }
}

/// Does the same for the calling thread, if it has tables.
pub fn enter_callers_kept_back() {
    // SAFETY: null or a pointer set by `attachment`, to memory that stays mapped.
    if let Some(thread) = unsafe { tls::get().as_ref() }
        && let Some(recorder) = Recorder::get()
        && thread.is_started()
    {
        enter_kept_back(thread, recorder, None);
    }
}

fn enter_split(wait: &Waited, contention: &ContentionRecord) {
    if let Some(holders) = wait.holders {
        let (released_ns, _) = holders.last_release;
        if released_ns >= wait.since_ns {
            let runnable_ns = wait.now_ns.saturating_sub(released_ns);
            let runnable_ns = runnable_ns.min(wait.waited_ns) * wait.stands_for;
            add(&contention.runnable_ns, runnable_ns);
        }
    }
    if let Some(used) = wait.used {
        add(&contention.examined, 1);
        add(&contention.examined_ns, wait.waited_ns);
        add(
            &contention.examined_cpu_ns,
            used.cpu_ns().min(wait.waited_ns),
        );
        add(&contention.voluntary_switches, used.voluntary_switches);
        add(&contention.involuntary_switches, used.involuntary_switches);
    }
}

fn enter_stack(wait: &Waited, thread: &Thread, recorder: &'static Recorder) {
    let key = Key {
        other: wait.stack,
        ..wait.key
    };
    if let Some(record) = thread.make_stack_wait(key, recorder) {
        add(&record.waits, wait.stands_for);
        add(&record.wait_ns, wait.waited_ns * wait.stands_for);
    }
}

/// Charges the wait to the threads that held the lock meanwhile.
fn enter_blame(wait: &Waited, thread: &Thread, recorder: &'static Recorder) {
    let (places, charged_ns) = charges(wait);
    let shares_ns = shares(wait.waited_ns, &charged_ns);
    let largest = (0..=PLACES).max_by_key(|&index| shares_ns[index]);
    for index in 0..=PLACES {
        if shares_ns[index] == 0 && Some(index) != largest {
            continue;
        }
        let key = Key {
            other: places[index].number(),
            ..wait.key
        };
        if let Some(blame) = thread.make_blame(key, recorder) {
            let waits = u64::from(Some(index) == largest);
            add(&blame.waits, waits * wait.stands_for);
            add(&blame.wait_ns, shares_ns[index] * wait.stands_for);
        }
    }
}

/// Returns the places, and the time charged to each.
fn charges(wait: &Waited) -> ([Place; PLACES + 1], [u64; PLACES + 1]) {
    let (mut places, mut charged_ns) = ([Place::NOWHERE; PLACES + 1], [0; PLACES + 1]);
    if let Some(holders) = &wait.holders {
        charged_ns[..PLACES].copy_from_slice(&holders.charged_ns);
        for (index, place) in places.iter_mut().take(PLACES).enumerate() {
            *place = holders.entry.place(index);
        }
        if wait.end == End::TimedOut {
            // The present holder has not been charged yet.
            let held_since_ns = holders.entry.since_ns().max(wait.since_ns);
            places[PLACES] = wait.holder;
            charged_ns[PLACES] = wait.now_ns.saturating_sub(held_since_ns);
        }
    }
    if charged_ns.iter().all(|&charge| charge == 0) {
        let last = wait
            .holders
            .map_or(Place::NOWHERE, |holders| holders.last_release.1);
        let is_seen = wait.holder != Place::NOWHERE;
        places[PLACES] = if is_seen { wait.holder } else { last };
        charged_ns[PLACES] = 1;
    }
    (places, charged_ns)
}

/// Divides `whole` in proportion to `weights`, so that the parts add up to it.
fn shares<const N: usize>(whole: u64, weights: &[u64; N]) -> [u64; N] {
    let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    let mut left = whole;
    let mut shares = [0; N];
    let mut largest = 0;
    for (index, &weight) in weights.iter().enumerate() {
        // No share is larger than the whole.
        shares[index] = (u128::from(whole) * u128::from(weight) / sum.max(1)) as u64;
        left -= shares[index];
        if weight > weights[largest] {
            largest = index;
        }
    }
    shares[largest] += left;
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_in_proportion_and_add_up() {
        assert_eq!(shares(100, &[1, 1, 2]), [25, 25, 50]);
        assert_eq!(shares(10, &[1, 1, 1]).iter().sum::<u64>(), 10);
        assert_eq!(shares(7, &[0, 5, 0]), [0, 7, 0]);
        // The remainder from rounding goes to the largest share.
        assert_eq!(shares(10, &[1, 3, 3]), [1, 5, 4]);
        let large = shares(u64::MAX, &[u64::MAX, u64::MAX]);
        assert_eq!(large[0] + large[1], u64::MAX);
    }
}
