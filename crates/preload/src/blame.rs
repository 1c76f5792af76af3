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
    use core::sync::atomic::Ordering::Relaxed;

    use locktoll_recording::layout::{EntryPoint, LockKind};

    use super::*;
    use crate::contended::{Contended, ContendedLocks};
    use crate::usage::Usage;
    use crate::waited::Holders;

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

    const LOCK: usize = 0x1000;

    /// A lock for which a thread waits since 1000, and which the holder at `at(7)` has released at 1600.
    fn contended() -> &'static Contended {
        // SAFETY: zeros are a valid value.
        let locks = Box::leak(unsafe { Box::<ContendedLocks>::new_zeroed().assume_init() });
        let (entry, _) = locks.begin_wait(LOCK, at(7), 1_000).unwrap();
        entry.release(at(7), Some(100), 1_600);
        entry
    }

    fn at(site: u32) -> Place {
        Place::new(site, 0)
    }

    /// A wait from 1000 to 1900.
    fn wait(end: End, holder: Place, charged_ns: Option<u64>) -> Waited {
        Waited {
            key: Key {
                lock: LOCK,
                generation: 0,
                site: 0,
                entry: EntryPoint::Lock,
                kind: LockKind::Mutex,
                birth: 0,
                other: 0,
            },
            since_ns: 1_000,
            now_ns: 1_900,
            waited_ns: 900,
            end,
            is_for_lock: true,
            stands_for: 8,
            stack: 0,
            holder,
            holders: charged_ns.map(|charged_ns| {
                let entry = contended();
                let mut charges = [0; PLACES];
                charges[0] = charged_ns;
                Holders {
                    entry,
                    charged_ns: charges,
                    last_release: entry.last_release(),
                }
            }),
            used: None,
        }
    }

    /// Returns the places that are charged.
    fn charged(wait: &Waited) -> Vec<(Place, u64)> {
        let (places, charged_ns) = charges(wait);
        let all = places.into_iter().zip(charged_ns);
        all.filter(|(_, ns)| *ns > 0).collect()
    }

    #[test]
    fn a_wait_is_charged_to_its_holders_or_else_to_who_was_seen() {
        let (done, nowhere) = (End::Done, Place::NOWHERE);
        assert_eq!(charged(&wait(done, at(5), Some(600))), [(at(7), 600)]);
        assert_eq!(charged(&wait(done, at(5), Some(0))), [(at(5), 1)]);
        assert_eq!(charged(&wait(done, nowhere, Some(0))), [(at(7), 1)]);
        assert_eq!(charged(&wait(done, at(5), None)), [(at(5), 1)]);
        assert_eq!(charged(&wait(done, nowhere, None)), [(nowhere, 1)]);
    }

    #[test]
    fn who_still_holds_a_lock_is_charged_since_the_last_release() {
        let given_up = wait(End::TimedOut, at(5), Some(600));
        assert_eq!(charged(&given_up), [(at(7), 600), (at(5), 300)]);
        let later = Waited {
            since_ns: 1_700,
            ..given_up
        };
        assert_eq!(charged(&later), [(at(7), 600), (at(5), 200)]);
    }

    #[test]
    fn a_wait_is_split_by_the_last_release_and_by_what_the_kernel_says() {
        let split = |wait: &Waited| {
            // SAFETY: zeros are a valid record.
            let contention: ContentionRecord = unsafe { core::mem::zeroed() };
            enter_split(wait, &contention);
            contention
        };
        let of = |figure: &core::sync::atomic::AtomicU64| figure.load(Relaxed);
        let done = wait(End::Done, at(5), Some(600));
        // Free since 1600: the rest until 1900 was the way to the processor, for eight waits.
        let plain = split(&done);
        assert_eq!((of(&plain.runnable_ns), of(&plain.examined)), (8 * 300, 0));
        let at_once = Waited {
            since_ns: 1_600,
            waited_ns: 200,
            ..done
        };
        assert_eq!(
            of(&split(&at_once).runnable_ns),
            8 * 200,
            "not more than all"
        );
        let before = Waited {
            since_ns: 1_601,
            ..done
        };
        assert_eq!(of(&split(&before).runnable_ns), 0);
        let examined = Waited {
            holders: None,
            used: Some(Usage {
                user_ns: 800,
                system_ns: 200,
                voluntary_switches: 3,
                involuntary_switches: 2,
            }),
            ..done
        };
        let examined = split(&examined);
        assert_eq!(of(&examined.runnable_ns), 0);
        assert_eq!(
            (of(&examined.examined), of(&examined.examined_ns)),
            (1, 900)
        );
        assert_eq!(of(&examined.examined_cpu_ns), 900, "not more than all");
        assert_eq!(of(&examined.voluntary_switches), 3);
        assert_eq!(of(&examined.involuntary_switches), 2);
    }
}
