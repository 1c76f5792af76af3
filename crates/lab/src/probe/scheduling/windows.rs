//! The highest priority below Windows' real-time class: any user may use it, and only that class is above it.

use std::io;

use windows_sys::Win32::System::Threading::{
    GetCurrentThread, SetThreadPriority, THREAD_PRIORITY_LOWEST, THREAD_PRIORITY_TIME_CRITICAL,
};

use super::Rank;
use crate::platform::stand_in;
use crate::probe::Scheduling;

/// The priority of measured threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::probe) enum Policy {
    /// Priority 15 of 31, which wake-ups do not raise; threads of rank `Below` have the lowest priority of their class.
    TimeCritical,
    /// The default priority; threads of rank `Below` have the lowest priority of their class.
    Other,
}

impl Policy {
    /// The call that applies a policy.
    pub const CALL: &str = "SetThreadPriority";

    /// Puts the calling thread under this policy. Nothing restores the old policy: probes run in their own threads.
    pub fn apply(self, rank: Rank) -> io::Result<()> {
        match (self, rank) {
            (Policy::TimeCritical, Rank::Measured) => set(THREAD_PRIORITY_TIME_CRITICAL),
            (Policy::Other, Rank::Measured) => Ok(()),
            (_, Rank::Below) => set(THREAD_PRIORITY_LOWEST),
        }
    }
}

fn set(priority: i32) -> io::Result<()> {
    // SAFETY: the pseudo-handle of the calling thread is always valid, and the priority is a plain number.
    match unsafe { SetThreadPriority(GetCurrentThread(), priority) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Returns the highest priority, where it has an effect.
pub(in crate::probe) fn choose() -> (Policy, Scheduling) {
    match real_time_refused() {
        Some(reason) => usual(&reason),
        None => (
            Policy::TimeCritical,
            Scheduling {
                policy: "THREAD_PRIORITY_TIME_CRITICAL".into(),
                refused: None,
                realtime_share: None,
            },
        ),
    }
}

/// Returns the default priority, with the reason why it is used.
pub(in crate::probe) fn usual(reason: &str) -> (Policy, Scheduling) {
    let scheduling = Scheduling {
        policy: "THREAD_PRIORITY_NORMAL".into(),
        refused: Some(reason.to_owned()),
        realtime_share: None,
    };
    (Policy::Other, scheduling)
}

/// Returns why threads of probes may not run above all others; `None` where they may.
pub fn real_time_refused() -> Option<String> {
    stand_in().map(|name| format!("{name}: priorities of threads have no effect there"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use windows_sys::Win32::System::Threading::GetThreadPriority;

    #[test]
    fn the_priority_stays_in_the_thread_that_was_given_it() {
        let priority_now = || {
            // SAFETY: the pseudo-handle of the calling thread is always valid.
            unsafe { GetThreadPriority(GetCurrentThread()) }
        };
        let before = priority_now();
        let below = std::thread::spawn(move || {
            Policy::Other.apply(Rank::Below).unwrap();
            priority_now()
        });
        assert_eq!(below.join().unwrap(), THREAD_PRIORITY_LOWEST);
        let measured = std::thread::spawn(move || {
            Policy::TimeCritical.apply(Rank::Measured).unwrap();
            priority_now()
        });
        assert_eq!(measured.join().unwrap(), THREAD_PRIORITY_TIME_CRITICAL);
        assert_eq!(priority_now(), before);
    }
}
