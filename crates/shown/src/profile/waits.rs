//! Time spent waiting for locks, by call stack: the data of flame graphs and pprof. It includes waits that had not ended.
//!
//! Waits for events are not contention and are not included.

use std::collections::HashMap;

use super::{Selection, Side, words};
use locktoll_results::profile::{Frame, Lock, Use};

/// Waits for one lock under one stack of calls.
#[derive(Debug, PartialEq)]
pub struct Waits<'a> {
    /// The lock waited for.
    pub lock: &'a Lock,
    /// The calls, innermost frame first, from the one that asked for the lock; empty if they are not known.
    pub frames: &'a [Frame],
    /// The number of waits.
    pub waits: u64,
    /// Their total length, in nanoseconds.
    pub wait_ns: u64,
}

/// Returns all waits for the selected locks.
pub fn waits<'a>(selection: &Selection<'a>, side: Side) -> Vec<Waits<'a>> {
    let locks = selection.shown().iter().copied();
    let locks = locks.filter(|lock| lock.used_as == Use::Lock);
    locks
        .flat_map(|lock| match side {
            Side::Waiter => by_waiter(lock),
            Side::Holder => by_holder(lock),
        })
        .filter(|waits| waits.wait_ns > 0 || waits.waits > 0)
        .collect()
}

/// Returns the stacks that were kept. If they do not account for all of a site's waiting, the rest is listed under the site
/// alone.
fn by_waiter(lock: &Lock) -> Vec<Waits<'_>> {
    let mut all = Vec::with_capacity(lock.stacks.len() + lock.sites.len());
    // The waiting that stacks account for, by the place where they begin.
    let mut told: HashMap<Option<&Frame>, (u64, u64)> = HashMap::new();
    let mut left_ns = lock.wait_ns.total;
    for stack in &lock.stacks {
        let at = told.entry(place(&stack.frames)).or_default();
        at.0 = at.0.saturating_add(stack.waits);
        at.1 = at.1.saturating_add(stack.wait_ns);
        left_ns = left_ns.saturating_sub(stack.wait_ns);
        all.push(Waits {
            lock,
            frames: words::from_caller(&stack.frames),
            waits: stack.waits,
            wait_ns: stack.wait_ns,
        });
    }
    for site in &lock.sites {
        let (waits, wait_ns) = told.remove(&place(&site.frames)).unwrap_or_default();
        let wait_ns = site.wait_ns.saturating_sub(wait_ns).min(left_ns);
        left_ns -= wait_ns;
        all.push(Waits {
            lock,
            frames: words::from_caller(&site.frames),
            waits: site.contended.saturating_sub(waits),
            wait_ns,
        });
    }
    left_ns = left_ns.saturating_add(lock.still_waiting_ns);
    for waiting in &lock.still_waiting_threads {
        left_ns = left_ns.saturating_sub(waiting.wait_ns);
        all.push(Waits {
            lock,
            frames: words::from_caller(&waiting.frames),
            waits: 1,
            wait_ns: waiting.wait_ns,
        });
    }
    // A stack's share is rounded, so a nanosecond or its wait may be left over; that does not count as a separate place.
    all.retain(|waits| waits.wait_ns > 0);
    if left_ns > all.len() as u64 {
        all.push(unknown(lock, left_ns));
    }
    all
}

/// Returns the sites where the holders had acquired the lock, each with all the waiting that it caused.
fn by_holder(lock: &Lock) -> Vec<Waits<'_>> {
    let mut all: Vec<Waits<'_>> = Vec::new();
    let mut position: HashMap<&[Frame], usize> = HashMap::new();
    let mut left_ns = lock.waited_ns();
    for blame in &lock.blame {
        let frames = words::from_caller(blame.holder.as_deref().unwrap_or_default());
        left_ns = left_ns.saturating_sub(blame.wait_ns);
        let at = *position.entry(frames).or_insert_with(|| {
            all.push(Waits {
                lock,
                frames,
                waits: 0,
                wait_ns: 0,
            });
            all.len() - 1
        });
        all[at].waits = all[at].waits.saturating_add(blame.count);
        all[at].wait_ns = all[at].wait_ns.saturating_add(blame.wait_ns);
    }
    // Each entry may have been rounded down by a nanosecond.
    if left_ns > lock.blame.len() as u64 {
        all.push(unknown(lock, left_ns));
    }
    all
}

fn unknown(lock: &Lock, wait_ns: u64) -> Waits<'_> {
    Waits {
        lock,
        frames: &[],
        waits: 0,
        wait_ns,
    }
}

fn place(frames: &[Frame]) -> Option<&Frame> {
    frames.first()
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;
    use locktoll_results::profile::{Blame, Site, StackWaits};

    fn frames(names: &[&str]) -> Vec<Frame> {
        let frame = |name: &&str| Frame {
            function: Some((*name).to_owned()),
            ..Frame::default()
        };
        names.iter().map(frame).collect()
    }

    fn site(name: &str, contended: u64, wait_ns: u64) -> Site {
        Site {
            frames: frames(&[name]),
            acquisitions: Some(contended),
            contended,
            try_failed: Some(0),
            wait_ns,
            wait_max_ns: None,
            hold_ns: None,
        }
    }

    /// Returns a lock that was waited for 1000 ns at an unknown place.
    fn lock() -> Lock {
        let mut lock = sample::job_server().locks.remove(0);
        lock.wait_ns.total = 1000;
        lock.sites.clear();
        lock.stacks.clear();
        lock.blame.clear();
        lock
    }

    fn seen<'a>(waits: &'a [Waits<'_>]) -> Vec<(Vec<&'a str>, u64, u64)> {
        waits
            .iter()
            .map(|it| {
                let names = it.frames.iter().map(|f| f.function.as_deref().unwrap());
                (names.collect(), it.waits, it.wait_ns)
            })
            .collect()
    }

    #[test]
    fn stacks_first_then_what_they_leave_to_their_sites() {
        let mut lock = lock();
        lock.stacks = vec![StackWaits {
            frames: frames(&["push", "main"]),
            waits: 10,
            wait_ns: 600,
        }];
        lock.sites = vec![site("push", 20, 700), site("pop", 10, 300)];
        assert_eq!(
            seen(&by_waiter(&lock)),
            [
                (vec!["push", "main"], 10, 600),
                (vec!["push"], 10, 100),
                (vec!["pop"], 10, 300)
            ]
        );
    }

    #[test]
    fn never_more_than_the_lock_waited() {
        let mut lock = lock();
        lock.stacks = vec![StackWaits {
            frames: frames(&["elsewhere"]),
            waits: 10,
            wait_ns: 900,
        }];
        lock.sites = vec![site("push", 20, 700)];
        let waits = by_waiter(&lock);
        assert_eq!(waits.iter().map(|it| it.wait_ns).sum::<u64>(), 1000);
    }

    #[test]
    fn holders_gather_their_waiters_and_the_rest_is_unknown() {
        let mut lock = lock();
        let blame = |waiter: &str, holder: Option<&str>, wait_ns| Blame {
            waiter: frames(&[waiter]),
            holder: holder.map(|name| frames(&[name])),
            holder_thread: None,
            count: 3,
            wait_ns,
        };
        lock.blame = vec![
            blame("a", Some("h"), 500),
            blame("b", Some("h"), 200),
            blame("b", Some("i"), 100),
        ];
        assert_eq!(
            seen(&by_holder(&lock)),
            [(vec!["h"], 6, 700), (vec!["i"], 3, 100), (vec![], 0, 200)]
        );
    }

    #[test]
    fn waits_for_signals_are_left_out() {
        let profile = sample::job_server();
        for side in [Side::Waiter, Side::Holder] {
            let selection = Selection::new(&profile, crate::SortKey::Wait, None);
            let all = waits(&selection, side);
            assert!(!all.is_empty());
            assert!(all.iter().all(|it| it.lock.used_as == Use::Lock));
            let total: u64 = all.iter().map(|it| it.wait_ns).sum();
            let waited: u64 = profile.locks.iter().map(Lock::waited_ns).sum();
            assert!(total.abs_diff(waited) <= all.len() as u64);
        }
    }
}
