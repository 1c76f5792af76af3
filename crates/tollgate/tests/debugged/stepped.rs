//! Each instruction of a thread stepped by ptrace(2).

use std::time::{Duration, Instant};

use tollgate::RawMutex;

/// Instructions that are stepped; a pair takes a few hundred of them without optimisation.
const STEPS: u32 = 20_000;
/// The fewest pairs in [`STEPS`]. A release that begins anew at each stop makes none.
const LEAST_PAIRS: i64 = 10;

/// The exit code of a child that may not be traced.
const REFUSED: i32 = 3;

static LOCK: RawMutex = RawMutex::new();
/// In the child: the pairs so far.
static mut PAIRS: libc::c_long = 0;

/// A child that makes pairs until it is killed, stopped at its beginning.
fn child() -> libc::pid_t {
    RawMutex::prepare();
    // SAFETY: the child makes system calls, and uses a lock that no other thread of this process uses.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: as above.
        unsafe {
            if libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) != 0 {
                libc::_exit(REFUSED);
            }
            libc::raise(libc::SIGSTOP);
            loop {
                LOCK.lock();
                LOCK.unlock();
                (&raw mut PAIRS).write_volatile((&raw const PAIRS).read_volatile() + 1);
            }
        }
    }
    assert!(child > 0);
    child
}

/// Waits until `child` has stopped. Returns `false` if it may not be traced, and has ended.
fn stops(child: libc::pid_t) -> bool {
    let mut status = 0;
    // SAFETY: this process's own child.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    if libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == REFUSED {
        return false;
    }
    assert!(libc::WIFSTOPPED(status), "{status:#x}");
    true
}

/// What [`PAIRS`] is in `child`, which was forked from this process: it lies at the same address.
fn pairs(child: libc::pid_t) -> i64 {
    // SAFETY: the child is stopped, and the address is that of its own variable.
    unsafe { libc::ptrace(libc::PTRACE_PEEKDATA, child, &raw const PAIRS, 0) }
}

#[test]
fn a_release_ends_though_each_instruction_is_stepped() {
    let child = child();
    if !stops(child) {
        return locktoll_needs::refused("ptrace(2) is not permitted");
    }
    let begin = Instant::now();
    for _ in 0..STEPS {
        // SAFETY: the child is stopped.
        unsafe { libc::ptrace(libc::PTRACE_SINGLESTEP, child, 0, 0) };
        assert!(stops(child));
        assert!(
            begin.elapsed() < Duration::from_secs(120),
            "it does not step"
        );
    }
    let made = pairs(child);
    // SAFETY: this process's own child.
    unsafe {
        libc::kill(child, libc::SIGKILL);
        libc::waitpid(child, std::ptr::null_mut(), 0);
    }
    assert!(made >= LEAST_PAIRS, "{made} pairs in {STEPS} steps");
}
