//! Tests of objects as programs and the C library leave them.

use core::mem::MaybeUninit;

use super::*;
use crate::generation;

fn zeros() -> Box<pthread_cond_t> {
    Box::new(libc::PTHREAD_COND_INITIALIZER)
}

fn at(condition: &mut pthread_cond_t) -> &ConditionObject {
    // SAFETY: this test's own condition.
    unsafe { ConditionObject::at(condition) }
}

#[test]
fn zeros_are_nobodys_until_somebody_waits() {
    assert!(generation::start());
    let mut condition = zeros();
    let object = at(&mut condition);
    assert!(matches!(object.kind(), Kind::Unsettled(_)));
    object.settled();
    assert!(matches!(object.kind(), Kind::Ours(_)));
    assert_eq!(object.clock(), DeadlineClock::Realtime);
    object.retire();
    assert!(matches!(object.kind(), Kind::Unsettled(_)));
}

#[test]
fn what_the_c_library_made_between_processes_is_known() {
    assert!(generation::start());
    let mut attributes = MaybeUninit::uninit();
    let mut condition = zeros();
    for clock in [CLOCK_REALTIME, CLOCK_MONOTONIC] {
        // SAFETY: this test's own attributes and condition.
        unsafe {
            libc::pthread_condattr_init(attributes.as_mut_ptr());
            libc::pthread_condattr_setclock(attributes.as_mut_ptr(), clock);
            libc::pthread_condattr_setpshared(
                attributes.as_mut_ptr(),
                libc::PTHREAD_PROCESS_SHARED,
            );
            libc::pthread_cond_init(&raw mut *condition, attributes.as_ptr());
        }
        assert!(matches!(at(&mut condition).kind(), Kind::BetweenProcesses));
        // SAFETY: as above.
        unsafe { libc::pthread_cond_destroy(&raw mut *condition) };
    }
}

#[test]
fn a_forked_child_makes_it_anew_and_keeps_its_clock() {
    assert!(generation::start());
    let mut condition = zeros();
    let object = at(&mut condition);
    // SAFETY: this test's own condition.
    unsafe { object.initialise(DeadlineClock::Monotonic) };
    let waiter = locktoll_locks::Waiter::new();
    // SAFETY: the waiter leaves before it ends.
    unsafe { object.settled().enlist(&waiter) };
    // SAFETY: the child calls only async-signal-safe functions.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let unsettled = matches!(object.kind(), Kind::Unsettled(_));
        object.settled();
        // Nobody waits here, so this does not block.
        object.settled().retire();
        let kept = object.clock() == DeadlineClock::Monotonic;
        // SAFETY: ends the child here.
        unsafe { libc::_exit(if unsettled && kept { 42 } else { 1 }) };
    }
    let mut status = 0;
    // SAFETY: this process's own child.
    unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!(libc::WEXITSTATUS(status), 42);
    // SAFETY: enlisted above.
    assert!(unsafe { object.settled().leave(&waiter) });
    object.retire();
}
