//! The kernel's account of the calling thread or process: getrusage(2).

use core::ffi::c_int;
use core::mem::zeroed;

use crate::clock;
use crate::sys;

/// Processor time and context switches, since the thread began or between two readings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    pub user_ns: u64,
    /// Kernel time.
    pub system_ns: u64,
    /// How often the thread gave up its processor to wait.
    pub voluntary_switches: u64,
    /// How often the thread's time slice ended, or another thread preempted it.
    pub involuntary_switches: u64,
}

impl Usage {
    /// Returns the usage of the calling thread up to now. Makes a system call.
    pub fn of_thread() -> Option<Self> {
        Self::of(libc::RUSAGE_THREAD)
    }

    /// Returns the usage of the calling thread, with its processor time to the nanosecond, all of it as `user_ns`: for a
    /// running thread, the figures of getrusage(2) are as old as the last tick. Makes two system calls.
    pub fn of_thread_exactly() -> Option<Self> {
        let usage = Self::of_thread()?;
        Some(Self {
            user_ns: clock::thread_cpu_ns(),
            system_ns: 0,
            ..usage
        })
    }

    /// Returns the usage of the process up to now. Makes a system call.
    pub fn of_process() -> Option<Self> {
        Self::of(libc::RUSAGE_SELF)
    }

    fn of(whom: c_int) -> Option<Self> {
        // SAFETY: zeros are a valid value.
        let mut usage: libc::rusage = unsafe { zeroed() };
        sys::resource_usage(whom, &mut usage).ok()?;
        let ns = |time: libc::timeval| {
            (time.tv_sec as u64)
                .wrapping_mul(1_000_000)
                .wrapping_add(time.tv_usec as u64)
                .wrapping_mul(1_000)
        };
        Some(Self {
            user_ns: ns(usage.ru_utime),
            system_ns: ns(usage.ru_stime),
            voluntary_switches: usage.ru_nvcsw as u64,
            involuntary_switches: usage.ru_nivcsw as u64,
        })
    }

    /// Returns the time on a processor.
    pub fn cpu_ns(self) -> u64 {
        self.user_ns.wrapping_add(self.system_ns)
    }

    pub fn since(self, before: Self) -> Self {
        Self {
            user_ns: self.user_ns.saturating_sub(before.user_ns),
            system_ns: self.system_ns.saturating_sub(before.system_ns),
            voluntary_switches: self
                .voluntary_switches
                .saturating_sub(before.voluntary_switches),
            involuntary_switches: self
                .involuntary_switches
                .saturating_sub(before.involuntary_switches),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the same figures by way of the C library.
    fn of(whom: c_int) -> [u64; 4] {
        // SAFETY: zeros are a valid value.
        let mut usage: libc::rusage = unsafe { zeroed() };
        // SAFETY: it is valid for a write.
        assert_eq!(unsafe { libc::getrusage(whom, &raw mut usage) }, 0);
        let ns =
            |time: libc::timeval| time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000;
        [
            ns(usage.ru_utime),
            ns(usage.ru_stime),
            usage.ru_nvcsw as u64,
            usage.ru_nivcsw as u64,
        ]
    }

    fn fields(usage: Usage) -> [u64; 4] {
        [
            usage.user_ns,
            usage.system_ns,
            usage.voluntary_switches,
            usage.involuntary_switches,
        ]
    }

    /// Sleeps, and works until the kernel has seen it.
    fn work(whom: c_int) {
        std::thread::sleep(std::time::Duration::from_nanos(1));
        while of(whom)[0] == 0 {
            std::hint::black_box([0_u64; 1 << 12].iter().sum::<u64>());
        }
    }

    fn assert_between(before: [u64; 4], figures: [u64; 4], after: [u64; 4]) {
        for (place, figure) in figures.into_iter().enumerate() {
            let range = before[place]..=after[place];
            assert!(range.contains(&figure), "{place}: {figure} of {range:?}");
        }
    }

    fn assert_as_the_kernels(whom: c_int, usage: fn() -> Option<Usage>) {
        work(whom);
        let before = of(whom);
        assert!(before[0] > 0 && before[2] > 0, "{before:?}");
        let figures = fields(usage().unwrap());
        assert_between(before, figures, of(whom));
    }

    #[test]
    fn the_figures_are_those_of_the_kernel() {
        assert_as_the_kernels(libc::RUSAGE_THREAD, Usage::of_thread);
        assert_as_the_kernels(libc::RUSAGE_SELF, Usage::of_process);
    }

    #[test]
    fn the_exact_figures_have_all_cpu_time_in_one() {
        work(libc::RUSAGE_THREAD);
        let (mut before, from_ns) = (of(libc::RUSAGE_THREAD), clock::thread_cpu_ns());
        let figures = fields(Usage::of_thread_exactly().unwrap());
        let (mut after, to_ns) = (of(libc::RUSAGE_THREAD), clock::thread_cpu_ns());
        (before[0], before[1], after[0], after[1]) = (from_ns, 0, to_ns, 0);
        assert!(from_ns > 0);
        assert_between(before, figures, after);
    }

    #[test]
    fn usage_between_two_readings_is_the_difference_of_each_figure() {
        let usage = |of: [u64; 4]| Usage {
            user_ns: of[0],
            system_ns: of[1],
            voluntary_switches: of[2],
            involuntary_switches: of[3],
        };
        let (before, after) = (usage([1, 20, 300, 4_000]), usage([6, 27, 309, 4_001]));
        assert_eq!(fields(after.since(before)), [5, 7, 9, 1]);
        // The kernel may correct its account.
        assert_eq!(fields(before.since(after)), [0; 4]);
        assert_eq!((before.cpu_ns(), after.cpu_ns()), (21, 33));
    }
}
