//! Who holds the locks of a program now, and deadlocks. No thread is stopped for it: threads that wait sleep in a system call,
//! and their stacks and locks are read from outside.

use std::collections::HashMap;
use std::time::Instant;

use locktoll_results::hang::{HangResult, ObjectKind};
use locktoll_results::top::Held;
use locktoll_shown::{hang_answer, holder_words};
use locktoll_sources::stuck::{Looker, Whom};

/// The locks for which threads wait, and the deadlocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stuck {
    /// The locks.
    pub held: Vec<Held>,
    /// The answer of a look that found a deadlock, in a sentence; `None` if there is none.
    pub deadlock: Option<String>,
    /// The number of deadlocks.
    pub deadlocks: u64,
}

/// What a look shows of a hold.
#[derive(Clone, Copy)]
struct Hold {
    tid: u32,
    /// The acquisition with which it began, if it is known: [`HangLock::acquisition`](locktoll_results::hang::HangLock::acquisition).
    acquisition: Option<(u64, u64)>,
}

impl Hold {
    /// Whether two looks may have shown the same hold. If the acquisitions are not known, a lock that the same thread has released and
    /// acquired again in between looks the same.
    fn may_be(&self, other: &Self) -> bool {
        let acquisitions = self.acquisition.zip(other.acquisition);
        self.tid == other.tid && acquisitions.is_none_or(|(one, other)| one == other)
    }
}

/// The looks at one program.
#[derive(Default)]
pub struct Holders {
    looker: Option<(u32, Looker)>,
    /// Since when each lock has been seen in the same hold, by its address.
    since: HashMap<String, (Hold, Instant)>,
}

impl Holders {
    /// Looks at a program; `None` if it may not be looked at, or has ended.
    pub fn look_at(&mut self, pid: u32) -> Option<Stuck> {
        if self.looker.as_ref().is_none_or(|(of, _)| *of != pid) {
            let whom = Whom::of(pid).ok()?;
            self.looker = Some((pid, Looker::new(whom).from_afar()));
        }
        let (_, looker) = self.looker.as_mut()?;
        let result = looker.look().ok()?;
        Some(self.stuck(&result))
    }

    fn stuck(&mut self, result: &HangResult) -> Stuck {
        let before = std::mem::take(&mut self.since);
        let mut held = Vec::new();
        for lock in &result.locks {
            // Nobody holds what threads notify each other by.
            if matches!(lock.kind, ObjectKind::Condvar | ObjectKind::Barrier) {
                continue;
            }
            let Some(holder) = holder_words(result, lock) else {
                continue;
            };
            let since = lock.owner_tid.map(|tid| {
                let hold = Hold {
                    tid,
                    acquisition: lock.acquisition,
                };
                let known = before.get(&lock.id).filter(|(of, _)| of.may_be(&hold));
                (hold, known.map_or_else(Instant::now, |(_, since)| *since))
            });
            self.since
                .extend(since.map(|since| (lock.id.clone(), since)));
            held.push(Held {
                name: lock.name.clone(),
                address: lock.id.clone(),
                waiting: lock.waiting,
                holder_tid: lock.owner_tid,
                holder,
                same_holder_ns: since.map(|(_, since)| since.elapsed().as_nanos() as u64),
            });
        }
        let has_deadlock = !result.deadlocks.is_empty();
        Stuck {
            held,
            deadlock: has_deadlock.then(|| hang_answer(result)),
            deadlocks: result.deadlocks.len() as u64,
        }
    }
}

/// How the name of a lock says that only the place is known that waits for it.
const BY_PLACE: &str = " waited for in ";

/// Whether a row of the table with this name is this lock.
pub fn is_named(held: &Held, row: &str) -> bool {
    let place = |name: &str| name.split_once(BY_PLACE).map(|(_, place)| place.to_owned());
    held.name == row || place(&held.name).is_some_and(|at| place(row) == Some(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hold_ends_where_its_thread_or_its_acquisition_changes() {
        let hold = |tid, acquisition| Hold { tid, acquisition };
        let first = hold(7, Some((0x10, 3)));
        assert!(first.may_be(&hold(7, Some((0x10, 3)))) && first.may_be(&hold(7, None)));
        for other in [
            hold(8, Some((0x10, 3))),
            hold(7, Some((0x10, 4))),
            hold(7, Some((0x20, 3))),
            hold(8, None),
        ] {
            assert!(!first.may_be(&other));
        }
    }

    #[test]
    fn a_lock_is_found_by_its_variable_or_by_the_place_that_waits() {
        let held = |name: &str| Held {
            name: name.to_owned(),
            address: String::new(),
            waiting: 1,
            holder_tid: None,
            holder: String::new(),
            same_holder_ns: None,
        };
        assert!(is_named(&held("journal"), "journal") && !is_named(&held("journal"), "journals"));
        let by_place = held("mutex waited for in work (a.c:7)");
        assert!(is_named(&by_place, "lock waited for in work (a.c:7)"));
        assert!(
            !is_named(&by_place, "lock waited for in work (a.c:8)") && !is_named(&by_place, "work")
        );
    }
}
