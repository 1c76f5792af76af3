//! From looks to alerts.

use std::collections::HashMap;

use super::glimpse::{Glimpse, Hold, Wait};
use super::rule::Rule;
use locktoll_results::profile::AlertKind;

/// What has lasted too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raised {
    /// A hold, which has lasted at least this many nanoseconds.
    Hold(Hold, u64),
    /// A wait, likewise.
    Wait(Wait, u64),
}

/// The holds and waits of one process that have been seen and go on.
#[derive(Default)]
pub struct Seen {
    holds: HashMap<Hold, Since>,
    waits: HashMap<Wait, Since>,
}

#[derive(Clone, Copy)]
struct Since {
    ns: u64,
    is_raised: bool,
}

/// What a look showed.
#[derive(Default)]
pub struct Shown {
    /// What has become too long by this look.
    pub raised: Vec<Raised>,
    /// When the next of those that were seen will be too long, `CLOCK_MONOTONIC`.
    pub next_ns: Option<u64>,
    /// Whether something was seen that goes on and was not there at the look before: its name is needed soon.
    pub is_new: bool,
}

impl Seen {
    /// Takes what a look saw.
    pub fn look(&mut self, glimpse: &Glimpse, rules: &[Rule]) -> Shown {
        let mut shown = Shown::default();
        let holds = glimpse.holds.iter().map(|&it| (it, glimpse.at_ns));
        let waits = glimpse.waits.iter().map(|&it| (it, it.since_ns));
        let least = |kind| Rule::least(rules, kind);
        let now = glimpse.at_ns;
        if let Some(least) = least(AlertKind::Hold) {
            for (hold, ns) in go_on(&mut self.holds, holds, now, least, &mut shown) {
                shown.raised.push(Raised::Hold(hold, ns));
            }
        }
        if let Some(least) = least(AlertKind::Wait) {
            for (wait, ns) in go_on(&mut self.waits, waits, now, least, &mut shown) {
                shown.raised.push(Raised::Wait(wait, ns));
            }
        }
        shown
    }
}

/// Replaces what was seen before by what is seen now. Returns what has become too long.
fn go_on<T: Copy + Eq + std::hash::Hash>(
    seen: &mut HashMap<T, Since>,
    now_seen: impl Iterator<Item = (T, u64)>,
    now: u64,
    least: u64,
    shown: &mut Shown,
) -> Vec<(T, u64)> {
    let before = std::mem::take(seen);
    let mut raised = Vec::new();
    for (it, first_ns) in now_seen {
        let known = before.get(&it);
        let mut since = known.copied().unwrap_or(Since {
            ns: first_ns,
            is_raised: false,
        });
        // What was there at two looks is worth a name.
        shown.is_new |= known.is_some() && !since.is_raised;
        let lasted = now.saturating_sub(since.ns);
        if !since.is_raised && lasted >= least {
            since.is_raised = true;
            raised.push((it, lasted));
        }
        if !since.is_raised {
            let due = since.ns.saturating_add(least);
            shown.next_ns = Some(shown.next_ns.map_or(due, |next| next.min(due)));
        }
        seen.insert(it, since);
    }
    raised
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;
    const RULES: [Rule; 2] = [
        Rule {
            kind: AlertKind::Hold,
            longer_than_ns: 100 * MS,
        },
        Rule {
            kind: AlertKind::Wait,
            longer_than_ns: 200 * MS,
        },
    ];

    fn hold(times: u64) -> Hold {
        Hold {
            tid: 7,
            kind: locktoll_recording::layout::LockKind::Mutex,
            lock: 0x1000,
            site: 3,
            record: (0x2000, times),
        }
    }

    fn at(ms: u64, holds: &[Hold], waits: &[Wait]) -> Glimpse {
        Glimpse {
            pid: 1,
            at_ns: ms * MS,
            holds: holds.to_vec(),
            waits: waits.to_vec(),
        }
    }

    #[test]
    fn a_hold_is_raised_once_as_soon_as_it_is_too_long() {
        let mut seen = Seen::default();
        let first = seen.look(&at(1_000, &[hold(5)], &[]), &RULES);
        assert_eq!((first.raised.len(), first.next_ns), (0, Some(1_100 * MS)));
        assert!(!first.is_new, "it may be over at once");
        let second = seen.look(&at(1_025, &[hold(5)], &[]), &RULES);
        assert!(second.raised.is_empty() && second.is_new);
        let due = seen.look(&at(1_100, &[hold(5)], &[]), &RULES);
        assert_eq!(due.raised, [Raised::Hold(hold(5), 100 * MS)]);
        let later = seen.look(&at(1_125, &[hold(5)], &[]), &RULES);
        assert!(later.raised.is_empty() && later.next_ns.is_none());
    }

    #[test]
    fn another_acquisition_is_another_hold() {
        let mut seen = Seen::default();
        for step in 0..40 {
            let shown = seen.look(&at(1_000 + 25 * step, &[hold(step)], &[]), &RULES);
            assert!(shown.raised.is_empty());
        }
        for (ms, expected) in [(2_000, 0), (2_100, 1), (2_200, 0)] {
            let shown = seen.look(&at(ms, &[hold(77)], &[]), &RULES);
            assert_eq!(shown.raised.len(), expected, "{ms}");
        }
    }

    #[test]
    fn a_wait_is_timed_from_its_own_beginning() {
        let wait = Wait {
            tid: 8,
            lock: 0x1000,
            site: 4,
            since_ns: 900 * MS,
            holder: Some((7, 3)),
        };
        let mut seen = Seen::default();
        let first = seen.look(&at(1_000, &[], &[wait]), &RULES);
        assert_eq!((first.raised.len(), first.next_ns), (0, Some(1_100 * MS)));
        let due = seen.look(&at(1_101, &[], &[wait]), &RULES);
        assert_eq!(due.raised, [Raised::Wait(wait, 201 * MS)]);
    }
}
