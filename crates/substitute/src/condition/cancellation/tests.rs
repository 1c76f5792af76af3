//! Tests of the lists of waiters, with threads that are not cancelled.

use locktoll_locks::{Deadline, DeadlineClock, Woken};

use super::*;

#[test]
fn a_wiped_bucket_is_an_empty_one() {
    let bytes = |bucket: &Bucket| {
        let start = ptr::from_ref(bucket).cast::<u8>();
        // SAFETY: the padding between the fields is zero in static data, and so initialised.
        (0..size_of::<Bucket>()).all(|at| unsafe { start.add(at).read() } == 0)
    };
    // A bucket that no other test may be using right now.
    static UNUSED: Bucket = Bucket {
        lock: Futex3::with_spin(0),
        requests: AtomicU32::new(0),
        first: Cell::new(null_mut()),
    };
    assert!(bytes(&UNUSED));
}

#[test]
fn a_request_is_found_by_who_waits_and_seen_by_who_is_about_to() {
    assert!(generation::start());
    let long_ago = Deadline::new(DeadlineClock::Monotonic, 0, 0);
    // SAFETY: has no conditions.
    let own = unsafe { libc::pthread_self() };
    // Threads of other tests may share the bucket, and raise its count.
    let enrolled = Enrolled::new();
    // SAFETY: struck off below.
    while !unsafe { enrolled.enrol(requests_seen()) } {}
    assert_eq!(enrolled.waiter.sleep(long_ago.as_ref()), Woken::TimedOut);
    assert_eq!(requested(own, libc::ESRCH), libc::ESRCH);
    assert_eq!(enrolled.waiter.sleep(long_ago.as_ref()), Woken::TimedOut);
    let seen = requests_seen();
    assert_eq!(requested(own, 0), 0);
    assert_eq!(enrolled.waiter.sleep(long_ago.as_ref()), Woken::Poked);
    enrolled.strike_off();
    let late = Enrolled::new();
    // SAFETY: it is refused.
    assert!(!unsafe { late.enrol(seen) });
    requested(own, 0);
    assert_eq!(late.waiter.sleep(long_ago.as_ref()), Woken::TimedOut);
}

#[test]
fn many_come_and_go_in_any_order() {
    assert!(generation::start());
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]] {
        let nodes: Vec<_> = order.iter().map(|_| Enrolled::new()).collect();
        for node in &nodes {
            // SAFETY: struck off below.
            while !unsafe { node.enrol(requests_seen()) } {}
        }
        for index in order {
            nodes[index].strike_off();
        }
        let bucket = Bucket::of(nodes[0].thread);
        let left = bucket.held(|| {
            let mut node = bucket.first.get();
            let mut own = 0;
            // SAFETY: K1.
            while let Some(enrolled) = unsafe { node.as_ref() } {
                own += usize::from(enrolled.thread == nodes[0].thread);
                node = enrolled.next.get();
            }
            own
        });
        assert_eq!(left, 0);
    }
}

#[test]
fn whether_requests_are_acted_upon_is_asked_without_changing_it() {
    assert!(is_enabled() && is_enabled());
    assert!(!defer());
}
