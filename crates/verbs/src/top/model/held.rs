//! Who holds the locks for which threads of the chosen program wait now.

use serde::Serialize;

/// The locks for which threads wait, and the deadlocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stuck {
    /// The locks.
    pub held: Vec<Held>,
    /// The answer of a look that found a deadlock, in a sentence; `None` if there is none.
    pub deadlock: Option<String>,
}

/// A lock for which threads wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Held {
    /// Its name.
    pub name: String,
    /// Its address.
    pub address: String,
    /// Threads that wait for it.
    pub waiting: u64,
    /// The thread that holds it, if that is known.
    pub holder_tid: Option<u32>,
    /// Who holds it, or why that is not known, in words.
    pub holder: String,
    /// For how long each look has found the same holder.
    pub same_holder_ns: Option<u64>,
}

/// How the name of a lock says that only the place is known that waits for it.
const BY_PLACE: &str = " waited for in ";

impl Held {
    /// Whether a row of the table with this name is this lock.
    pub fn is_named(&self, row: &str) -> bool {
        let place = |name: &str| name.split_once(BY_PLACE).map(|(_, place)| place.to_owned());
        self.name == row || place(&self.name).is_some_and(|at| place(row) == Some(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(held("journal").is_named("journal") && !held("journal").is_named("journals"));
        let by_place = held("mutex waited for in work (a.c:7)");
        assert!(by_place.is_named("lock waited for in work (a.c:7)"));
        assert!(
            !by_place.is_named("lock waited for in work (a.c:8)") && !by_place.is_named("work")
        );
    }
}
