//! The locks of a program at one moment, as far as metrics show them.

use locktoll_results::profile::{HoldTimes, Lock, Profile, Use};
use locktoll_results::top::Held;

use crate::running::is_named;

/// One lock, or all locks that came from one place. Counts begin when watching, or the recording, began.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LockRow {
    /// Its id: the same in every run of the program.
    pub id: String,
    /// Its name in the looks at holders.
    pub name: String,
    /// Times that it was acquired; `None` if acquisitions without a wait are not seen.
    pub acquisitions: Option<u64>,
    /// Those that had to wait.
    pub contended: u64,
    /// The total length of waits that ended, nanoseconds.
    pub wait_ns: u64,
    /// Waits by powers of two of their length in nanoseconds.
    pub wait_log2: Vec<u64>,
    /// Holds; `None` if they are not measured.
    pub holds: Option<Holds>,
    /// Threads that wait now.
    pub waiting: u64,
    /// The longest of their waits so far, nanoseconds.
    pub longest_wait_ns: u64,
    /// For how long the same thread has been seen to hold it, nanoseconds; `None` if that is not known.
    pub held_ns: Option<u64>,
}

/// Times for which a lock was held.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Holds {
    /// All holds together, nanoseconds: an estimate if only some were timed.
    pub total_ns: u64,
    /// Those that were timed, by powers of two of their length in nanoseconds.
    pub log2: Vec<u64>,
}

impl From<&HoldTimes> for Holds {
    fn from(times: &HoldTimes) -> Self {
        Self {
            total_ns: times.total,
            log2: times.log2.clone(),
        }
    }
}

/// Returns the locks of a profile, those that were waited for longest first. Objects by which threads notify each other are left out:
/// waiting for them is not contention.
pub fn rows(profile: &Profile) -> Vec<LockRow> {
    let locks = profile.locks.iter().filter(|it| it.used_as == Use::Lock);
    locks.map(row).collect()
}

fn row(lock: &Lock) -> LockRow {
    LockRow {
        id: lock.id.clone(),
        name: lock.name.clone(),
        acquisitions: lock.acquisitions,
        contended: lock.contended,
        wait_ns: lock.wait_ns.total,
        wait_log2: lock.wait_ns.log2.clone(),
        // Counts that are never filled in would look like a lock that is never held.
        holds: lock
            .hold_ns
            .as_ref()
            .filter(|_| lock.acquisitions.is_some())
            .map(Holds::from),
        waiting: lock.still_waiting,
        longest_wait_ns: lock
            .longest_still_waiting
            .as_ref()
            .map_or(0, |it| it.wait_ns),
        held_ns: None,
    }
}

/// Adds for how long the locks have been held by the same threads.
pub fn add_holders(rows: &mut [LockRow], held: &[Held]) {
    for held in held {
        let lock = rows
            .iter_mut()
            .find(|row| row.waiting > 0 && is_named(held, &row.name));
        if let Some(lock) = lock {
            lock.held_ns = lock.held_ns.max(held.same_holder_ns);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample::job_server;

    #[test]
    fn events_are_left_out_and_figures_are_those_of_the_profile() {
        let profile = job_server();
        let rows = rows(&profile);
        let locks: Vec<&Lock> = profile
            .locks
            .iter()
            .filter(|it| it.used_as == Use::Lock)
            .collect();
        assert!(!rows.is_empty() && rows.len() < profile.locks.len());
        for (row, lock) in rows.iter().zip(locks) {
            assert_eq!((&row.id, row.contended), (&lock.id, lock.contended));
            assert_eq!(
                (row.acquisitions, row.wait_ns),
                (lock.acquisitions, lock.wait_ns.total)
            );
        }
    }

    #[test]
    fn a_holder_belongs_to_the_lock_that_threads_wait_for() {
        let lock = |name: &str, waiting| LockRow {
            name: name.to_owned(),
            waiting,
            ..LockRow::default()
        };
        let held = Held {
            name: "journal".to_owned(),
            address: "0x10".to_owned(),
            waiting: 1,
            holder_tid: Some(7),
            holder: "thread 7".to_owned(),
            same_holder_ns: Some(5),
        };
        let mut rows = [lock("journal", 0), lock("queue", 1), lock("journal", 1)];
        add_holders(&mut rows, &[held]);
        assert_eq!(rows.map(|it| it.held_ns), [None, None, Some(5)]);
    }
}
