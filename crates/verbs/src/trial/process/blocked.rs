//! Where the threads of a recorded run were blocked, and which part of that a candidate can change.

use locktoll_substitute::tally::{OBJECTS, Object};

use super::Counted;
use locktoll_results::profile::{LockKind, Profile, Use};

/// Below this share of the threads' time, no lock can make a difference that could be measured.
const NEARLY_NOTHING: f64 = 0.005;

/// Time that threads of a recorded run waited for locks, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blocked {
    /// Sum of the lifetimes of all threads.
    thread_time_ns: u64,
    /// Total time spent waiting for locks of any kind.
    locks_ns: u64,
    /// The part of it spent waiting for objects that can be replaced, by [`Object`]. Includes waiting for a mutex again after a
    /// condition.
    replaceable_ns: [u64; OBJECTS],
    /// Whether only one lock is to be replaced.
    is_of_one_lock: bool,
}

impl Blocked {
    /// Takes the figures from a profile. With `only`, no lock but the one with this id counts as replaceable.
    pub fn of(profile: &Profile, only: Option<&str>) -> Self {
        let mut blocked = Self {
            thread_time_ns: profile.thread_time_ns,
            is_of_one_lock: only.is_some(),
            ..Self::default()
        };
        for lock in profile.locks.iter().filter(|it| it.used_as == Use::Lock) {
            blocked.locks_ns = blocked.locks_ns.saturating_add(lock.waited_ns());
            if let Some(object) = object(lock.kind)
                && only.is_none_or(|id| lock.id == id)
            {
                let sum = &mut blocked.replaceable_ns[object as usize];
                *sum = sum.saturating_add(lock.waited_ns());
            }
        }
        blocked
    }

    /// Returns the share (0 to 1) of the waiting time that was for locks which a candidate replaces, according to the library's
    /// counts of a run.
    ///
    /// `None` if nobody waited, or if the share is not known: where some locks of a kind were replaced and others were not
    /// (robust ones, say), the recording does not show which of them were waited for.
    pub fn covered(&self, counted: &Counted) -> Option<f64> {
        let objects = [Object::Mutex, Object::ReaderWriter, Object::Spin];
        let mut covered_ns = 0;
        for object in objects.into_iter().filter(|it| counted.replaces(*it)) {
            let waited_ns = self.replaceable_ns[object as usize];
            if waited_ns > 0 && counted.is_divided(object) && !self.is_of_one_lock {
                return None;
            }
            covered_ns += waited_ns;
        }
        self.share(covered_ns)
    }

    fn share(&self, ns: u64) -> Option<f64> {
        (self.locks_ns > 0).then(|| ns as f64 / self.locks_ns as f64)
    }

    /// Says in a sentence what to expect of other locks.
    pub fn words(&self) -> String {
        let percent = |share: f64| match 100.0 * share {
            0.0 => "0 %".to_owned(),
            ..0.1 => "less than 0.1 %".to_owned(),
            few @ ..10.0 => format!("{few:.1} %"),
            many => format!("{many:.0} %"),
        };
        let of_time = self.locks_ns as f64 / self.thread_time_ns.max(1) as f64;
        let replaceable = self.share(self.replaceable_ns.iter().sum()).unwrap_or(0.0);
        let mut words = format!(
            "in a recorded run, threads were blocked on locks for {} of their time",
            percent(of_time)
        );
        if self.locks_ns > 0 {
            words.push_str(&format!(
                "; {} of that on locks that can be replaced",
                percent(replaceable)
            ));
        }
        if of_time * replaceable < NEARLY_NOTHING {
            words.push_str(": another lock could change almost nothing");
        }
        words
    }
}

/// Returns the kind of object that the library would replace; `None` for a kind that it never replaces.
fn object(kind: LockKind) -> Option<Object> {
    match kind {
        LockKind::Mutex => Some(Object::Mutex),
        LockKind::RwLock => Some(Object::ReaderWriter),
        LockKind::Spin => Some(Object::Spin),
        LockKind::Semaphore | LockKind::Condvar | LockKind::Barrier | LockKind::Futex => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;

    #[test]
    fn only_waiting_for_locks_counts_and_only_some_locks_can_be_replaced() {
        let mut profile = sample::job_server();
        let blocked = Blocked::of(&profile, None);
        let of = |kinds: &[LockKind]| -> u64 {
            let locks = profile.locks.iter().filter(|it| it.used_as == Use::Lock);
            let locks = locks.filter(|it| kinds.contains(&it.kind));
            locks.map(locktoll_results::profile::Lock::waited_ns).sum()
        };
        let mutexes = of(&[LockKind::Mutex]);
        assert!(mutexes > 0);
        assert_eq!(blocked.replaceable_ns[Object::Mutex as usize], mutexes);
        assert!(blocked.locks_ns >= mutexes);
        let first = profile.locks[0].clone();
        let only = Blocked::of(&profile, Some(&first.id));
        assert_eq!(only.replaceable_ns.iter().sum::<u64>(), first.waited_ns());
        assert_eq!(only.locks_ns, blocked.locks_ns);
        profile.locks.clear();
        assert_eq!(
            Blocked::of(&profile, None).covered(&Counted::default()),
            None
        );
    }

    #[test]
    fn what_a_candidate_covers_is_what_it_replaces_of_what_was_waited_for() {
        // A mutex, a condition, a reader-writer lock, a spin lock.
        let mut blocked = Blocked {
            thread_time_ns: 1000,
            locks_ns: 400,
            replaceable_ns: [200, 0, 100, 0],
            is_of_one_lock: false,
        };
        let of = |replaced, robust| Counted::made_up(replaced, robust);
        let none = [0; OBJECTS];
        assert_eq!(blocked.covered(&of([1, 0, 1, 1], none)), Some(0.75));
        assert_eq!(blocked.covered(&of([1, 0, 0, 1], none)), Some(0.5));
        assert_eq!(blocked.covered(&of(none, none)), Some(0.0));
        // Which mutexes were waited for is not known. Nobody waited for a spin lock.
        assert_eq!(blocked.covered(&of([1, 0, 1, 1], [1, 0, 0, 0])), None);
        let spin = [0, 0, 0, 1];
        assert_eq!(blocked.covered(&of([1, 0, 1, 1], spin)), Some(0.75));
        blocked.is_of_one_lock = true;
        let one = of([1, 0, 1, 1], [1, 0, 0, 0]);
        assert_eq!(blocked.covered(&one), Some(0.75));
        let nobody = Blocked::default();
        assert_eq!(nobody.covered(&of([1; OBJECTS], none)), None);
    }

    #[test]
    fn figures_of_a_profile_are_taken_over() {
        let profile = sample::job_server();
        let blocked = Blocked::of(&profile, None);
        assert_eq!(blocked.thread_time_ns, profile.thread_time_ns);
        assert!(!blocked.is_of_one_lock);
        assert!(Blocked::of(&profile, Some("x")).is_of_one_lock);
        let none = Blocked::of(&profile, Some("x"));
        assert_eq!(none.replaceable_ns, [0; OBJECTS]);
    }

    #[test]
    fn little_is_told_from_nothing_and_from_much() {
        let words = |locks_ns, mutexes| {
            let blocked = Blocked {
                thread_time_ns: 100_000,
                locks_ns,
                replaceable_ns: [mutexes, 0, 0, 0],
                is_of_one_lock: false,
            };
            blocked.words()
        };
        let hardly = ": another lock could change almost nothing";
        assert!(words(50, 50).contains("for less than 0.1 % of"));
        assert!(words(2_000, 2_000).contains("for 2.0 % of their time; 100 % of"));
        assert!(!words(2_000, 2_000).contains(hardly));
        // The limit itself, half a percent, is not almost nothing.
        assert!(!words(500, 500).ends_with(hardly));
        assert!(words(499, 499).ends_with(hardly));
        assert!(words(2_000, 100).ends_with(hardly));
    }

    #[test]
    fn what_is_to_be_expected_is_a_sentence() {
        let mut blocked = Blocked {
            thread_time_ns: 1000,
            locks_ns: 400,
            replaceable_ns: [300, 0, 60, 0],
            is_of_one_lock: false,
        };
        assert_eq!(
            blocked.words(),
            "in a recorded run, threads were blocked on locks for 40 % of their time; 90 % of that on locks that can be replaced"
        );
        blocked.replaceable_ns = [1, 0, 0, 0];
        assert!(
            blocked
                .words()
                .ends_with("another lock could change almost nothing")
        );
        let none = Blocked {
            thread_time_ns: 1000,
            ..Blocked::default()
        };
        assert!(
            none.words().contains("for 0 % of their time: another lock"),
            "{}",
            none.words()
        );
    }
}
