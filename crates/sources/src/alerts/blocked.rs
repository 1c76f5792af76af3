//! From the waits that the kernel's programs know to alerts, for processes that are not recorded (`attach`); pure.
//!
//! A hold is seen only while threads wait for the lock, and only of locks that name their owner. The release of such a lock wakes a
//! thread that waits for it. So if all threads that waited before still are in the same waits, and none has been woken, the lock
//! has not been released since the last of these waits began.

use std::collections::{HashMap, HashSet};

use super::rule::Rule;
use crate::futexes::gathered::WaitNow;
use locktoll_results::profile::AlertKind;

/// A lock that threads wait for: the number of its process, and its word.
type Lock = (u32, u64);

/// What has lasted too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// What lasted.
    pub kind: AlertKind,
    /// The number of the process.
    pub process: u32,
    /// The futex word.
    pub word: u64,
    /// How long it has lasted at least, nanoseconds.
    pub ns: u64,
    /// The thread that owns the lock.
    pub owner: Option<u32>,
    /// Where the lock names its owner.
    pub owner_at: Option<u64>,
    /// The thread whose wait has become too long; the one that has waited longest if it is a hold.
    pub waiter: u32,
    /// All threads that wait for it, each with the time when its wait began, the longest wait first.
    pub waiters: Vec<(u32, u64)>,
}

/// The waits and holds that have been seen and go on.
#[derive(Debug, Default)]
pub struct Lasting {
    holds: HashMap<Lock, Hold>,
    raised: HashSet<(u32, u32, u64)>,
}

#[derive(Debug)]
struct Hold {
    owner: u32,
    since_ns: u64,
    waits: HashSet<(u32, u64)>,
    is_raised: bool,
}

impl Lasting {
    /// Takes the waits that were there at `now_ns`, a time before they were read. Returns what has become too long, and when the
    /// next of them will be.
    pub fn look(
        &mut self,
        now_ns: u64,
        waits: &[WaitNow],
        rules: &[Rule],
    ) -> (Vec<Blocked>, Option<u64>) {
        let mut by_lock: HashMap<Lock, Vec<&WaitNow>> = HashMap::new();
        for wait in waits {
            by_lock
                .entry((wait.process, wait.word))
                .or_default()
                .push(wait);
        }
        let mut found = Found {
            now_ns,
            raised: Vec::new(),
            next_ns: None,
        };
        if let Some(least) = Rule::least(rules, AlertKind::Hold) {
            self.holds(&by_lock, least, &mut found);
        }
        if let Some(least) = Rule::least(rules, AlertKind::Wait) {
            self.waits(&by_lock, least, &mut found);
        }
        (found.raised, found.next_ns)
    }

    fn holds(&mut self, by_lock: &HashMap<Lock, Vec<&WaitNow>>, least: u64, found: &mut Found) {
        let before = std::mem::take(&mut self.holds);
        for (&lock, waits) in by_lock {
            let Some(mut hold) = held(waits) else {
                continue;
            };
            if let Some(earlier) = before.get(&lock)
                && earlier.owner == hold.owner
                && earlier.waits.is_subset(&hold.waits)
            {
                hold.since_ns = earlier.since_ns;
                hold.is_raised = earlier.is_raised;
            }
            if !hold.is_raised && found.is_due(hold.since_ns, least) {
                hold.is_raised = true;
                let ns = found.now_ns - hold.since_ns;
                found
                    .raised
                    .push(blocked(AlertKind::Hold, lock, ns, waits, None));
            }
            self.holds.insert(lock, hold);
        }
    }

    fn waits(&mut self, by_lock: &HashMap<Lock, Vec<&WaitNow>>, least: u64, found: &mut Found) {
        let before = std::mem::take(&mut self.raised);
        for (&lock, waits) in by_lock {
            for wait in waits.iter().filter(|it| !it.is_woken) {
                let this = (wait.process, wait.thread, wait.since_ns);
                if before.contains(&this) {
                    self.raised.insert(this);
                } else if found.is_due(wait.since_ns, least) {
                    self.raised.insert(this);
                    let ns = found.now_ns - wait.since_ns;
                    let waiter = Some(wait.thread);
                    found
                        .raised
                        .push(blocked(AlertKind::Wait, lock, ns, waits, waiter));
                }
            }
        }
    }
}

/// What a look finds.
struct Found {
    now_ns: u64,
    raised: Vec<Blocked>,
    next_ns: Option<u64>,
}

impl Found {
    /// Whether what began at `since_ns` has lasted for `least`; if not, it will be looked at when it has.
    fn is_due(&mut self, since_ns: u64, least: u64) -> bool {
        let due = since_ns.saturating_add(least);
        if due > self.now_ns {
            self.next_ns = Some(self.next_ns.map_or(due, |next| next.min(due)));
        }
        due <= self.now_ns
    }
}

/// Returns the hold of which these waits are the proof; `None` if the owner is not known, or a thread has been woken: then the lock
/// may have been released.
fn held(waits: &[&WaitNow]) -> Option<Hold> {
    let newest = waits.iter().max_by_key(|it| it.since_ns)?;
    let is_released = waits.iter().any(|it| it.is_woken);
    let owner = newest.owner.filter(|_| !is_released)?;
    Some(Hold {
        owner,
        since_ns: newest.since_ns,
        waits: waits.iter().map(|it| (it.thread, it.since_ns)).collect(),
        is_raised: false,
    })
}

fn blocked(
    kind: AlertKind,
    (process, word): Lock,
    ns: u64,
    waits: &[&WaitNow],
    waiter: Option<u32>,
) -> Blocked {
    let mut waiters: Vec<(u32, u64)> = waits.iter().map(|it| (it.thread, it.since_ns)).collect();
    waiters.sort_by_key(|&(thread, since_ns)| (since_ns, thread));
    let newest = waits.iter().max_by_key(|it| it.since_ns);
    Blocked {
        kind,
        process,
        word,
        ns,
        owner: newest.and_then(|it| it.owner),
        owner_at: newest.and_then(|it| it.owner_at),
        waiter: waiter.unwrap_or_else(|| waiters.first().map_or(0, |it| it.0)),
        waiters,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn rules(kind: AlertKind) -> [Rule; 1] {
        [Rule {
            kind,
            longer_than_ns: 100 * MS,
        }]
    }

    fn wait(thread: u32, since_ms: u64, owner: u32) -> WaitNow {
        WaitNow {
            process: 1,
            thread,
            word: 0x100,
            owner: Some(owner).filter(|&it| it != 0),
            owner_at: Some(0x108),
            since_ns: since_ms * MS,
            is_woken: false,
        }
    }

    fn holds(lasting: &mut Lasting, ms: u64, waits: &[WaitNow]) -> Vec<u64> {
        let (raised, _) = lasting.look(ms * MS, waits, &rules(AlertKind::Hold));
        raised.iter().map(|it| it.ns / MS).collect()
    }

    #[test]
    fn a_hold_counts_from_the_first_wait_that_it_made() {
        let mut lasting = Lasting::default();
        let (first, second) = (wait(8, 1_000, 7), wait(9, 1_050, 7));
        let (raised, next_ns) = lasting.look(1_020 * MS, &[first], &rules(AlertKind::Hold));
        assert_eq!((raised.len(), next_ns), (0, Some(1_100 * MS)));
        assert!(holds(&mut lasting, 1_060, &[first, second]).is_empty());
        let (raised, _) = lasting.look(1_101 * MS, &[first, second], &rules(AlertKind::Hold));
        assert_eq!((raised[0].ns, raised[0].owner), (101 * MS, Some(7)));
        assert_eq!(raised[0].waiters, [(8, 1_000 * MS), (9, 1_050 * MS)]);
        assert!(
            holds(&mut lasting, 1_300, &[first, second]).is_empty(),
            "once"
        );
    }

    #[test]
    fn a_release_in_between_begins_another_hold() {
        let mut lasting = Lasting::default();
        let (first, second) = (wait(8, 1_000, 7), wait(9, 1_010, 7));
        assert!(holds(&mut lasting, 1_020, &[first, second]).is_empty());
        // A thread was woken: it has not run yet, has run and waits again, or has the lock.
        let woken = WaitNow {
            is_woken: true,
            ..first
        };
        for (ms, waits) in [
            (1_120, vec![woken, second]),
            (1_130, vec![wait(8, 1_125, 7), second]),
            (1_140, vec![wait(7, 1_135, 8), second]),
        ] {
            assert!(holds(&mut lasting, ms, &waits).is_empty(), "{ms}");
        }
        assert_eq!(
            holds(&mut lasting, 1_240, &[wait(7, 1_135, 8), second]),
            [105]
        );
    }

    #[test]
    fn several_waits_at_the_first_look_prove_only_the_last() {
        let mut lasting = Lasting::default();
        let waits = [wait(8, 1_000, 7), wait(9, 1_090, 7)];
        assert!(holds(&mut lasting, 1_120, &waits).is_empty());
        assert_eq!(holds(&mut lasting, 1_190, &waits), [100]);
    }

    #[test]
    fn each_wait_is_raised_once_also_without_an_owner() {
        let mut lasting = Lasting::default();
        let waits = [wait(8, 1_000, 0), wait(9, 1_050, 0)];
        let mut raised = |ms: u64| {
            let (raised, _) = lasting.look(ms * MS, &waits, &rules(AlertKind::Wait));
            raised.iter().map(|it| it.waiter).collect::<Vec<u32>>()
        };
        assert!(raised(1_099).is_empty());
        assert_eq!(raised(1_100), [8]);
        assert_eq!(raised(1_160), [9]);
        assert!(raised(1_900).is_empty());
        assert!(
            holds(&mut lasting, 2_000, &waits).is_empty(),
            "the owner is not known"
        );
    }

    proptest::proptest! {
        /// The looks come when `attach` makes them: after the interval, or earlier if something is due by then.
        #[test]
        fn what_lasts_is_raised_within_one_interval(
            begins_ms in proptest::collection::vec(0..3_000_u64, 1..8),
            late_ns in 0..1_000_u64,
        ) {
            let rules = [AlertKind::Hold, AlertKind::Wait].map(|kind| rules(kind)[0]);
            let interval_ns = Rule::interval_ns(&rules);
            let all: Vec<WaitNow> = (10..).zip(&begins_ms).map(|(thread, &at)| wait(thread, at, 7)).collect();
            let (mut lasting, mut now_ns) = (Lasting::default(), 0);
            let (mut holds, mut waits) = (Vec::new(), Vec::new());
            while now_ns < 4_000 * MS {
                let begun: Vec<WaitNow> = all.iter().filter(|it| it.since_ns <= now_ns).copied().collect();
                let (raised, next_ns) = lasting.look(now_ns, &begun, &rules);
                for it in raised {
                    match it.kind {
                        AlertKind::Hold => holds.push(it.ns),
                        AlertKind::Wait => waits.push(it.ns),
                    }
                }
                now_ns = next_ns.map_or(now_ns + interval_ns, |it| it.min(now_ns + interval_ns)) + late_ns;
            }
            proptest::prop_assert_eq!((holds.len(), waits.len()), (1, all.len()));
            let most_ns = 100 * MS + interval_ns + late_ns;
            proptest::prop_assert!(holds.iter().chain(&waits).all(|ns| (100 * MS..=most_ns).contains(ns)));
        }
    }
}
