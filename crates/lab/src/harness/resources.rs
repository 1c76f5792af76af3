//! What the kernel counted for one thread, or for all.

use std::mem::MaybeUninit;

use crate::cell::SwitchesAndCpu;

/// getrusage(2) of the calling thread, since its start.
pub(crate) fn of_this_thread() -> SwitchesAndCpu {
    // getrusage tells the CPU time as of the last tick or switch, up to 10 ms ago, which is nothing
    // at all of a short slice. To read the thread's CPU clock brings the same account up to date.
    cpu_clock_ns();
    usage_of(libc::RUSAGE_THREAD)
}

/// getrusage(2) of all threads of this process, for running ones as of the last tick.
pub(crate) fn of_this_process() -> SwitchesAndCpu {
    usage_of(libc::RUSAGE_SELF)
}

fn usage_of(whom: libc::c_int) -> SwitchesAndCpu {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the kernel fills the struct we own; RUSAGE_THREAD is known since Linux 2.6.26. All
    // zeroes is a valid rusage, should the call fail.
    let usage = unsafe {
        libc::getrusage(whom, usage.as_mut_ptr());
        usage.assume_init()
    };
    let ns = |time: libc::timeval| time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1000;
    SwitchesAndCpu {
        operations: 0,
        user_ns: ns(usage.ru_utime),
        system_ns: ns(usage.ru_stime),
        voluntary_switches: usage.ru_nvcsw as u64,
        involuntary_switches: usage.ru_nivcsw as u64,
    }
}

/// CPU time of the calling thread, since its start (clock_gettime(2)).
fn cpu_clock_ns() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the kernel fills the struct we own; every thread has this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// What was used between two readings, for `operations`. (The kernel divides a process's CPU time
/// into user and kernel time by estimate: never below zero.)
pub(super) fn between(
    before: SwitchesAndCpu,
    after: SwitchesAndCpu,
    operations: u64,
) -> SwitchesAndCpu {
    SwitchesAndCpu {
        operations,
        user_ns: after.user_ns.saturating_sub(before.user_ns),
        system_ns: after.system_ns.saturating_sub(before.system_ns),
        voluntary_switches: after.voluntary_switches - before.voluntary_switches,
        involuntary_switches: after.involuntary_switches - before.involuntary_switches,
    }
}

/// The sum over threads.
pub(super) fn add(total: &mut SwitchesAndCpu, one: &SwitchesAndCpu) {
    total.operations += one.operations;
    total.user_ns += one.user_ns;
    total.system_ns += one.system_ns;
    total.voluntary_switches += one.voluntary_switches;
    total.involuntary_switches += one.involuntary_switches;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::spin;

    #[test]
    fn time_between_two_ticks_is_not_lost() {
        for _ in 0..20 {
            let clock_before = cpu_clock_ns();
            let before = of_this_thread();
            spin(200_000);
            let used = between(before, of_this_thread(), 1);
            let clock_ns = cpu_clock_ns() - clock_before;
            let used_ns = used.user_ns + used.system_ns;
            assert!(used_ns > clock_ns / 2, "{used_ns} of {clock_ns} ns");
        }
    }
}
