//! The kernel's counts for one thread, for all threads, and for children.

use std::mem::MaybeUninit;
use std::process::Child;
use std::time::Duration;

use crate::platform::SwitchesAndCpu;

/// getrusage(2) for the calling thread, since its start.
pub fn of_this_thread() -> SwitchesAndCpu {
    // getrusage reports the CPU time at the last tick or switch, up to 10 ms ago, so it may miss all of a short slice. Reading
    // the thread's CPU clock brings the same account up to date.
    cpu_clock_ns();
    usage_of(libc::RUSAGE_THREAD)
}

/// getrusage(2) for all threads of this process. The CPU time of a running thread is that of its last tick.
pub fn of_this_process() -> SwitchesAndCpu {
    usage_of(libc::RUSAGE_SELF)
}

fn usage_of(whom: libc::c_int) -> SwitchesAndCpu {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the kernel fills the struct we own; RUSAGE_THREAD has existed since Linux 2.6.26. An all-zero struct is a valid
    // rusage, in case the call fails.
    let usage = unsafe {
        libc::getrusage(whom, usage.as_mut_ptr());
        usage.assume_init()
    };
    let ns = |time: libc::timeval| time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1000;
    SwitchesAndCpu {
        operations: 0,
        user_ns: Some(ns(usage.ru_utime)),
        system_ns: Some(ns(usage.ru_stime)),
        voluntary_switches: Some(usage.ru_nvcsw as u64),
        involuntary_switches: Some(usage.ru_nivcsw as u64),
    }
}

/// Returns the CPU time of the calling thread, since its start (clock_gettime(2)).
fn cpu_clock_ns() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the kernel fills the struct we own; every thread has this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Returns the step in which a thread's account advances, in nanoseconds. 0 means that it is up to date at every read.
pub fn account_grain_ns() -> u64 {
    0
}

/// Returns the CPU time of this process and of its children that have been waited for.
pub fn cpu_time_with_children() -> Duration {
    [libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN]
        .into_iter()
        .filter_map(|whom| usage_of(whom).cpu_ns())
        .map(Duration::from_nanos)
        .sum()
}

/// Accounts for a child that has ended. The kernel does so itself once the child has been waited for.
pub fn account_for_child(_child: &Child) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_between_two_ticks_is_not_lost() {
        // An emulator translates code at its first call.
        of_this_thread();
        for _ in 0..20 {
            let clock_before = cpu_clock_ns();
            let before = of_this_thread().cpu_ns().unwrap();
            // Timed by the thread's own clock: while other threads have the processor, this thread uses no CPU time.
            let begin = cpu_clock_ns();
            while cpu_clock_ns() < begin + 200_000 {}
            let used_ns = of_this_thread().cpu_ns().unwrap() - before;
            let clock_ns = cpu_clock_ns() - clock_before;
            assert!(used_ns > clock_ns / 2, "{used_ns} of {clock_ns} ns");
        }
    }
}
