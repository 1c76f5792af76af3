//! Spin locks.

use locktoll_substitute::tally::{Object, Reason};

use crate::support::same_under_all;

#[test]
fn return_what_the_c_library_returns() {
    for (candidate, replaced) in same_under_all("return_codes_spin_barrier.c", &[]) {
        // It leaves spin locks alone, and does not count them.
        if candidate.name.starts_with("speed-up") {
            continue;
        }
        let counts = &replaced.counts;
        let is_gate = candidate.name.starts_with("gate");
        let private = u64::from(candidate.replaces && !is_gate);
        let shared = u64::from(candidate.replaces);
        assert_eq!(counts.replaced(Object::Spin), private, "{candidate:?}");
        assert_eq!(
            counts.passed_through(Object::Spin, Reason::ProcessShared),
            shared,
            "{candidate:?}"
        );
        assert_eq!(
            counts.passed_through(Object::Spin, Reason::NoRoom),
            u64::from(is_gate),
            "{candidate:?}"
        );
    }
}

#[test]
fn let_one_thread_in_at_a_time() {
    same_under_all("spin_counters.c", &[]);
}
