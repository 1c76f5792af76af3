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
