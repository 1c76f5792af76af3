//! The locks of one program between two moments.

use std::collections::{BTreeMap, HashMap, HashSet};

use locktoll_results::profile::{Lock, Profile, Use};
use locktoll_results::top::{Figures, LockRow, Place};
use locktoll_shown::{Names, profile_words as words};
use locktoll_terminal::escape::shown_text;

/// How many places are kept for each lock.
const PLACES: usize = 50;

/// Returns every lock of `after`, with what happened since `before`.
pub fn rows(before: Option<&Profile>, after: &Profile) -> Vec<LockRow> {
    let known: HashMap<&str, &Lock> = before
        .iter()
        .flat_map(|profile| &profile.locks)
        .map(|lock| (lock.id.as_str(), lock))
        .collect();
    let now: HashSet<&str> = after.locks.iter().map(|lock| lock.id.as_str()).collect();
    // Counts only grow, so a row with waits is missing only if its locks moved to another row: a second lock appeared where there
    // was one, or the kind of the lock has only now become known.
    let missing = known.iter().filter(|(id, _)| !now.contains(*id));
    let regrouped = missing
        .map(|(_, lock)| figures(lock))
        .any(|then| then.waits > 0);
    let names = Names::of(&after.locks);
    after
        .locks
        .iter()
        .map(|lock| {
            let whole = figures(lock);
            let last = match (before, known.get(lock.id.as_str())) {
                (None, _) => None,
                (Some(_), Some(then)) => Some(since(&figures(then), &whole)),
                (Some(_), None) => (!regrouped).then(|| whole.clone()),
            };
            LockRow {
                id: lock.id.clone(),
                name: names.name(lock),
                kind: lock.kind,
                used_as: lock.used_as,
                instances: lock.instances,
                waiting_now: lock.still_waiting,
                last: last.map(trimmed),
                whole: trimmed(whole),
            }
        })
        .collect()
}

/// Returns a profile's figures about waits for one lock, or for one signal.
fn figures(lock: &Lock) -> Figures {
    let (waits, times) = match (&lock.signal, lock.used_as) {
        (Some(signal), Use::Signal) => (signal.blocked, &signal.wait_ns),
        _ => (lock.contended, &lock.wait_ns),
    };
    let waiters = lock
        .sites
        .iter()
        .map(|site| (words::site(&site.frames), site.contended, site.wait_ns));
    let still = lock.still_waiting_threads.iter();
    let still = still.filter(|it| !it.frames.is_empty());
    let waiters = waiters.chain(still.map(|it| (words::site(&it.frames), 0, it.wait_ns)));
    let holders = lock.blame.iter().filter_map(|blame| {
        let holder = match (&blame.holder, &blame.holder_thread) {
            (Some(frames), _) => words::site(frames),
            (None, Some(thread)) => format!("thread {} ({})", shown_text(&thread.name), thread.tid),
            (None, None) => return None,
        };
        Some((holder, blame.count, blame.wait_ns))
    });
    let wakers = lock.woken_by.iter().filter_map(|woken| {
        let waker = words::site(woken.waker.as_deref()?);
        Some((waker, woken.count, woken.wait_ns))
    });
    Figures {
        waits,
        wait_ns: times.total.saturating_add(lock.still_waiting_ns),
        acquisitions: lock.acquisitions,
        log2: times.log2.clone(),
        waiters: places(waiters),
        holders: places(holders),
        wakers: places(wakers),
    }
}

/// Sums up places that read the same.
fn places(found: impl Iterator<Item = (String, u64, u64)>) -> Vec<Place> {
    let mut sums: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (place, waits, wait_ns) in found {
        let sum = sums.entry(place).or_default();
        sum.0 = sum.0.saturating_add(waits);
        sum.1 = sum.1.saturating_add(wait_ns);
    }
    let mut places: Vec<Place> = sums
        .into_iter()
        .map(|(place, (waits, wait_ns))| Place {
            place,
            waits,
            wait_ns,
        })
        .collect();
    places.sort_by(|a, b| (b.wait_ns, b.waits, &a.place).cmp(&(a.wait_ns, a.waits, &b.place)));
    places
}

/// Returns the difference between two moments. It is never below zero: an estimate may be corrected downwards from one moment to
/// the next.
fn since(before: &Figures, after: &Figures) -> Figures {
    let then = |at: usize| before.log2.get(at).copied().unwrap_or(0);
    let buckets = after.log2.iter().enumerate();
    Figures {
        waits: after.waits.saturating_sub(before.waits),
        wait_ns: after.wait_ns.saturating_sub(before.wait_ns),
        acquisitions: after
            .acquisitions
            .zip(before.acquisitions)
            .map(|(a, b)| a.saturating_sub(b)),
        log2: buckets
            .map(|(at, &count)| count.saturating_sub(then(at)))
            .collect(),
        waiters: places_since(&before.waiters, &after.waiters),
        holders: places_since(&before.holders, &after.holders),
        wakers: places_since(&before.wakers, &after.wakers),
    }
}

fn places_since(before: &[Place], after: &[Place]) -> Vec<Place> {
    let known: HashMap<&str, &Place> = before.iter().map(|it| (it.place.as_str(), it)).collect();
    let mut places: Vec<Place> = after
        .iter()
        .map(|now| {
            let then = known.get(now.place.as_str());
            Place {
                place: now.place.clone(),
                waits: now.waits.saturating_sub(then.map_or(0, |it| it.waits)),
                wait_ns: now.wait_ns.saturating_sub(then.map_or(0, |it| it.wait_ns)),
            }
        })
        .collect();
    places.sort_by(|a, b| (b.wait_ns, b.waits, &a.place).cmp(&(a.wait_ns, a.waits, &b.place)));
    places
}

/// Removes entries without information: places where nobody waited, empty entries at the end.
fn trimmed(mut figures: Figures) -> Figures {
    for places in [
        &mut figures.waiters,
        &mut figures.holders,
        &mut figures.wakers,
    ] {
        places.retain(|place| place.waits > 0 || place.wait_ns > 0);
        places.truncate(PLACES);
    }
    while figures.log2.last() == Some(&0) {
        figures.log2.pop();
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample::job_server;
    use proptest::prelude::*;

    fn named<'a>(rows: &'a [LockRow], name: &str) -> &'a LockRow {
        rows.iter().find(|row| row.name == name).expect(name)
    }

    #[test]
    fn what_did_not_change_waited_for_nothing() {
        let profile = job_server();
        for row in rows(Some(&profile), &profile) {
            let last = row.last.expect("it was there before");
            assert_eq!((last.waits, last.wait_ns), (0, 0), "{}", row.name);
            assert!(last.log2.is_empty() && last.waiters.is_empty() && last.holders.is_empty());
        }
    }

    #[test]
    fn an_interval_is_the_difference_of_two_moments() {
        let before = job_server();
        let mut after = before.clone();
        let lock = after.locks.iter_mut().find(|it| !it.sites.is_empty());
        let lock = lock.unwrap();
        let name = lock.name.clone();
        lock.contended += 5;
        lock.wait_ns.total += 5_000;
        lock.wait_ns.log2.resize(12, 0);
        lock.wait_ns.log2[9] += 5;
        lock.sites[0].contended += 5;
        lock.sites[0].wait_ns += 5_000;
        let rows = rows(Some(&before), &after);
        let last = named(&rows, &name).last.as_ref().unwrap();
        assert_eq!((last.waits, last.wait_ns), (5, 5_000));
        assert_eq!(last.mean_ns(), Some(1_000.0));
        assert_eq!(last.log2.iter().sum::<u64>(), 5);
        assert_eq!(last.waiters.len(), 1);
        assert_eq!((last.waiters[0].waits, last.waiters[0].wait_ns), (5, 5_000));
    }

    #[test]
    fn without_an_earlier_moment_or_after_rows_merged_nothing_is_said_of_the_interval() {
        let before = job_server();
        assert!(rows(None, &before).iter().all(|row| row.last.is_none()));
        let mut after = before.clone();
        after.locks[0].id.push_str("[]");
        let merged = rows(Some(&before), &after);
        assert!(merged[0].last.is_none());
        assert!(merged[1..].iter().all(|row| row.last.is_some()));
        // A lock that has appeared since then is known from its first wait on.
        let mut fewer = before.clone();
        fewer.locks.remove(0);
        let new = rows(Some(&fewer), &before);
        assert_eq!(new[0].last.as_ref(), Some(&new[0].whole));
    }

    #[test]
    fn a_wait_that_ends_is_not_counted_twice() {
        let mut before = job_server();
        before.locks[0].still_waiting = 1;
        before.locks[0].still_waiting_ns = 800;
        let mut after = before.clone();
        after.locks[0].still_waiting = 0;
        after.locks[0].still_waiting_ns = 0;
        after.locks[0].wait_ns.total += 1_000;
        after.locks[0].contended += 1;
        let last = rows(Some(&before), &after)[0].last.clone().unwrap();
        assert_eq!((last.waits, last.wait_ns), (1, 200));
    }

    proptest! {
        #[test]
        fn no_two_moments_make_it_fail(counts in proptest::collection::vec((any::<u64>(), any::<u64>()), 2)) {
            let mut profiles = [job_server(), job_server()];
            for (profile, (waits, ns)) in profiles.iter_mut().zip(&counts) {
                for lock in &mut profile.locks {
                    lock.contended = *waits;
                    lock.wait_ns.total = *ns;
                    lock.still_waiting_ns = *ns;
                    lock.wait_ns.log2 = vec![*waits, *ns];
                }
            }
            let rows = rows(Some(&profiles[0]), &profiles[1]);
            prop_assert_eq!(rows.len(), profiles[1].locks.len());
        }
    }
}
