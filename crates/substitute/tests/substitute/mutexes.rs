//! Mutexes of every kind, over their whole life.

use locktoll_substitute::tally::{Object, Reason};

use crate::support::{same_under_all, succeeds_under_all};

#[test]
fn return_what_the_c_library_returns() {
    for (candidate, replaced) in same_under_all("return_codes.c", &[]) {
        let count = |reason| replaced.counts.passed_through(Object::Mutex, reason);
        if candidate.replaces {
            // One for each type that has room for it: a mutex that is initialised again is another.
            let made = replaced.counts.replaced(Object::Mutex) + count(Reason::NoRoom);
            assert!(made >= 2, "{candidate:?} {:?}", replaced.counts);
            assert!(count(Reason::Robust) >= 1, "{candidate:?}");
            assert!(count(Reason::PriorityInheriting) >= 1, "{candidate:?}");
        } else {
            assert_eq!(replaced.counts.replaced(Object::Mutex), 0);
        }
    }
}

#[test]
fn whose_owner_died_or_that_have_a_ceiling_are_the_c_librarys() {
    same_under_all("return_codes_owner_died.c", &[]);
    same_under_all("return_codes_ceiling.c", &[]);
}

#[test]
fn let_one_thread_in_at_a_time() {
    for (candidate, replaced) in succeeds_under_all("mutex_counters.c", 64, &[]) {
        if candidate.replaces {
            // Each of the seven is replaced, or there is no room in it: some locks want more than others.
            let no_room = replaced
                .counts
                .passed_through(Object::Mutex, Reason::NoRoom);
            let replaced = replaced.counts.replaced(Object::Mutex);
            assert!(
                replaced >= 3 && replaced + no_room == 7,
                "{candidate:?}: {replaced}"
            );
        }
    }
}

#[test]
fn may_be_made_and_ended_again_and_again_in_any_memory() {
    same_under_all("mutex_lives.c", &[]);
    succeeds_under_all("mutex_reused.cpp", 4, &[]);
}

#[test]
fn go_on_in_a_forked_child() {
    succeeds_under_all("mutex_forks.c", 8, &[]);
}

#[test]
fn work_before_constructors_and_inside_malloc() {
    succeeds_under_all("mutex_early.c", 4, &[]);
}

#[test]
fn give_up_at_their_deadline_and_not_before() {
    succeeds_under_all("mutex_deadlines.c", 8, &[]);
}
