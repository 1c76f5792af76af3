//! Locks of another system, and the nearest locks here.
//!
//! Every build contains both tables, so that a name from one system's documentation, or from a script written there, gets an
//! answer on the other.

use std::fmt;

use super::registry;
use crate::lock_names::spelled_today;

/// A lock that another system has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// The system that has it.
    pub system: &'static str,
    /// The locks here that come nearest to it: names in the registry, at least one.
    pub here: Vec<&'static str>,
}

impl fmt::Display for Elsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let here: Vec<String> = self.here.iter().map(|name| format!("`{name}`")).collect();
        let (system, here) = (self.system, here.join(" or "));
        write!(f, "belongs to {system}; nearest to it here: {here}")
    }
}

/// Returns the other system's lock with this name, which no lock of this build has.
pub(super) fn of(name: &str) -> Option<Elsewhere> {
    let name = &spelled_today(name);
    // A lock with a number is closest to the same locks as the lock without one, unless it has its own row.
    let base = name.split(':').next().unwrap_or_default();
    let both = [("Linux", LINUX), ("Windows", WINDOWS)];
    both.into_iter().find_map(|(system, table)| {
        let row = |name: &str| table.iter().find(|(theirs, _)| *theirs == name);
        let (_, nearest) = row(name).or_else(|| row(base))?;
        let is_here = |name: &&str| registry().iter().any(|entry| entry.name == *name);
        let here: Vec<_> = nearest.iter().copied().filter(is_here).collect();
        (!here.is_empty()).then_some(Elsewhere { system, here })
    })
}

/// A lock's name, and the names of the closest locks on the other system.
type Row = (&'static str, &'static [&'static str]);

/// Linux's locks, with their counterparts on Windows.
const LINUX: &[Row] = &[
    ("gate", &["gate-srwlock"]),
    ("pthread", &["critical-section", "srwlock"]),
    ("pthread-adaptive", &["critical-section:100"]),
    ("pthread-errorcheck", &["critical-section"]),
    ("pthread-recursive", &["critical-section"]),
    // Windows has no lock with priority inheritance; its mutex reports an owner that ended.
    ("pthread-pi", &["mutex"]),
    ("pthread-robust", &["mutex"]),
    ("pthread-rwlock", &["srwlock"]),
    ("pthread-spin", &["interlocked-spin"]),
    ("posix-sem", &["semaphore"]),
    ("sysv-sem", &["semaphore", "mutex"]),
    ("eventfd", &["event"]),
    ("pipe", &["event"]),
    ("flock", &["mutex"]),
];

/// Windows' locks, with their counterparts on Linux.
const WINDOWS: &[Row] = &[
    ("gate-srwlock", &["gate"]),
    ("critical-section", &["pthread-recursive"]),
    ("critical-section:0", &["pthread-recursive"]),
    ("critical-section:100", &["futex3:100"]),
    ("critical-section:4000", &["futex3"]),
    ("critical-section-try", &["pthread-recursive"]),
    ("srwlock", &["pthread", "pthread-rwlock"]),
    ("wait-on-address", &["futex3:0"]),
    ("interlocked-spin", &["ttas"]),
    ("spin-switchtothread", &["ttas-capped"]),
    ("spin-sleep0", &["ttas-capped"]),
    ("spin-sleep1", &["ttas-backoff-yield"]),
    ("mutex", &["sysv-sem", "pthread"]),
    ("semaphore", &["sysv-sem", "posix-sem"]),
    ("event", &["eventfd"]),
];

#[cfg(test)]
mod tests {
    use super::super::{Family, find};
    use super::*;

    fn has(table: &[Row], name: &str) -> bool {
        table.iter().any(|(theirs, _)| *theirs == name)
    }

    #[test]
    fn every_lock_of_one_system_is_in_the_others_words() {
        for entry in registry() {
            let of_linux = entry.family == Family::Pthread;
            let of_windows = entry.family == Family::Windows;
            let of_a_kernel = entry.family == Family::Kernel;
            let (linux, windows) = (has(LINUX, entry.name), has(WINDOWS, entry.name));
            assert!(!(linux && windows), "{} is of one system", entry.name);
            assert!(!of_linux || linux, "{}", entry.name);
            assert!(!of_windows || windows, "{}", entry.name);
            assert!(!of_a_kernel || linux || windows, "{}", entry.name);
        }
    }

    #[test]
    fn a_name_of_the_other_system_leads_to_locks_that_are_here() {
        let mut foreign = 0;
        for (name, nearest) in LINUX.iter().chain(WINDOWS) {
            let Err(error) = find(name) else { continue };
            foreign += 1;
            let elsewhere = error.elsewhere.clone().expect("its table has it");
            assert_eq!(elsewhere.here, *nearest, "{name}: each of them is here");
            let text = error.to_string();
            assert!(
                text.contains(elsewhere.system) && text.contains(nearest[0]),
                "{text}"
            );
        }
        assert!(
            foreign >= 10,
            "a build has one system's locks, not both: {foreign}"
        );
    }

    #[test]
    fn a_name_that_nobody_has_is_nobodys() {
        assert_eq!(of("pthred"), None);
        assert_eq!(find("no-such-lock").unwrap_err().elsewhere, None);
    }
}
