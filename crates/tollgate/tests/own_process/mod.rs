//! Tests that need a process of their own, because a Tollgate chooses once per process how it is released. Such a test runs itself
//! again.

use std::env;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use locktoll_lock_checks::contest::Contest;
use locktoll_waiting::RawLock;

/// Set in the process that a test has started, to the test's name.
const INSIDE: &str = "LOCKTOLL_TEST_INSIDE";
const LENGTH: Duration = Duration::from_millis(400);

/// Runs `test` in a process of its own, with these tunables of the C library, and sees that it ends in time.
#[track_caller]
pub fn in_a_process(name: &str, tunables: &str, test: impl FnOnce()) {
    if env::var_os(INSIDE).is_some_and(|inside| inside == name) {
        return test();
    }
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(INSIDE, name)
        .env("GLIBC_TUNABLES", tunables)
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(120) {
        if let Some(status) = child.try_wait().unwrap() {
            return assert!(status.success(), "{status}");
        }
        thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    panic!("a waiter was forgotten");
}

/// Threads contend for locks.
pub fn contend<R: RawLock>() {
    Contest::new(R::new(), 8).run(LENGTH);
    Contest::new(R::new(), 6).with_tries().run(LENGTH);
    // As many as processors, or so: each often sleeps while the other releases for the last time.
    Contest::new(R::new(), 2).run(LENGTH);
}

/// One thread sleeps until the other releases, which nobody does after it: a call that is missed stays missed.
pub fn last_releases<R: RawLock>() {
    let lock = R::new();
    let turns = std::sync::Barrier::new(2);
    let rounds = 400;
    thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..rounds {
                lock.lock();
                turns.wait();
                // Around the time at which the other asks for attention, or, for every tenth, runs out of patience.
                let until = if round % 10 == 0 { 400 } else { 20 } + round % 7;
                let begin = Instant::now();
                while begin.elapsed() < Duration::from_micros(until) {
                    std::hint::spin_loop();
                }
                // SAFETY: locked above.
                unsafe { lock.unlock() };
                turns.wait();
            }
        });
        for _ in 0..rounds {
            turns.wait();
            lock.lock();
            // SAFETY: locked above.
            unsafe { lock.unlock() };
            turns.wait();
        }
    });
    assert!(!lock.is_locked());
}
