//! A Tollgate if the kernel or the C library does not offer the features that a release by a store needs, or withdraws them
//! later. Each test runs itself again in a process of its own, because the choice is made once per process.
#![cfg(all(not(loom), target_os = "linux"))]

use locktoll_lock_checks::contest::Contest;
mod forbidden;

use std::env;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use tollgate::RawMutex;

/// Set in the process that a test has started, to the test's name.
const INSIDE: &str = "LOCKTOLL_TEST_INSIDE";
const LENGTH: Duration = Duration::from_millis(400);

/// Runs `test` in a process of its own, with these tunables of the C library, and sees that it ends in time.
#[track_caller]
fn in_a_process(name: &str, tunables: &str, test: impl FnOnce()) {
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

fn contend() {
    Contest::new(RawMutex::new(), 8).run(LENGTH);
    Contest::new(RawMutex::new(), 6).with_tries().run(LENGTH);
    // As many as processors, or so: each often sleeps while the other releases for the last time.
    Contest::new(RawMutex::new(), 2).run(LENGTH);
}

/// One thread sleeps until the other releases, which nobody does after it: a call that is missed stays missed.
fn last_releases() {
    let lock = RawMutex::new();
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

#[test]
fn restartable_sequences() {
    in_a_process("restartable_sequences", "glibc.pthread.rseq=0", || {
        // SAFETY: the name of a variable, or of nothing.
        let size =
            unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_size".as_ptr()) }.cast::<u32>();
        // SAFETY: the C library's variable, if it has one.
        assert!(size.is_null() || unsafe { *size } == 0, "they are off");
        contend();
        last_releases();
    });
}

#[test]
fn membarrier_from_the_beginning() {
    in_a_process("membarrier_from_the_beginning", "", || {
        forbidden::forbid_membarrier();
        contend();
        last_releases();
    });
}

#[test]
fn membarrier_after_it_was_relied_on() {
    in_a_process("membarrier_after_it_was_relied_on", "", || {
        contend();
        forbidden::forbid_membarrier();
        contend();
        last_releases();
    });
}
