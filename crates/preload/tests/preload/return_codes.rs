//! Each function returns the same value as without the recorder, as POSIX and the GNU C library specify it.

use crate::support::{Recorded, compare, program};

/// The program's output is the same bare and recorded, and says `word` somewhere: that it came to the interesting place.
fn same_results(name: &str, word: &str) -> Recorded {
    let recorded = compare(&program(name), &[]);
    let output = String::from_utf8_lossy(&recorded.output.stdout);
    assert!(output.contains(word), "{output}");
    assert!(recorded.output.status.success());
    recorded
}

#[test]
fn of_condition_variables() {
    same_results("return_codes_condition.c", "wait: owner died");
}

#[test]
fn of_reader_writer_locks() {
    same_results("return_codes_rwlock.c", "held by another process");
}

#[test]
fn of_semaphores() {
    same_results("return_codes_semaphore.c", "value 2147483647");
}

#[test]
fn of_spin_locks_and_barriers() {
    same_results("return_codes_spin_barrier.c", "serial 50");
}

#[test]
fn of_c11_threads() {
    same_results("return_codes_c11.c", "destroyed 1");
}

#[test]
fn of_threads() {
    same_results("return_codes_threads.c", "name renamed");
}

#[test]
fn of_mutexes_whose_owner_died() {
    same_results("return_codes_owner_died.c", "not recoverable");
}

#[test]
fn of_mutexes_with_a_priority_ceiling() {
    same_results("return_codes_ceiling.c", "was 3");
}

#[test]
fn of_futex_and_other_calls_by_number() {
    same_results("return_codes_futex.c", "child 9");
}

#[test]
fn of_functions_that_may_block_while_a_lock_is_held_and_not() {
    same_results("return_codes_blocking.c", "with 1 locks");
}
