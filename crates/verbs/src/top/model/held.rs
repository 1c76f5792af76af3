//! Who holds the locks for which threads of the chosen program wait now.

use locktoll_results::top::Held;

/// The locks for which threads wait, and the deadlocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stuck {
    /// The locks.
    pub held: Vec<Held>,
    /// The answer of a look that found a deadlock, in a sentence; `None` if there is none.
    pub deadlock: Option<String>,
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
