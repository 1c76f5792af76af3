//! Real-time scheduling where it is permitted.
//!
//! Under `SCHED_FIFO`, no other program of the user runs in between, and a yield always goes to the other thread. The risks are
//! bounded: every loop has a fixed number of rounds, batches last milliseconds, and the priorities are the lowest two.

use std::io;

use super::Rank;
use crate::probe::Scheduling;

/// The policy of measured threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::probe) enum Policy {
    /// Real time, priorities 2 and 1 of 99.
    Fifo,
    /// The default policy; threads of rank `Below` run under `SCHED_IDLE`.
    Other,
}

const MEASURED_PRIORITY: libc::c_int = 2;
const BELOW_PRIORITY: libc::c_int = 1;

impl Policy {
    /// The system call that applies a policy.
    pub const CALL: &str = "sched_setscheduler";

    /// Puts the calling thread under this policy. Nothing restores the old policy: probes run in their own threads.
    pub fn apply(self, rank: Rank) -> io::Result<()> {
        match (self, rank) {
            (Policy::Fifo, Rank::Measured) => set(libc::SCHED_FIFO, MEASURED_PRIORITY),
            (Policy::Fifo, Rank::Below) => set(libc::SCHED_FIFO, BELOW_PRIORITY),
            (Policy::Other, Rank::Measured) => Ok(()),
            (Policy::Other, Rank::Below) => set(libc::SCHED_IDLE, 0),
        }
    }
}

/// Sets the policy of the calling thread. The call is made directly: musl's function refuses everything.
fn set(policy: libc::c_int, priority: libc::c_int) -> io::Result<()> {
    // SAFETY: the kernel's `struct sched_param` is the priority alone, and is only read. Thread 0 is the calling thread.
    match unsafe { libc::syscall(libc::SYS_sched_setscheduler, 0, policy, &raw const priority) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Tries `SCHED_FIFO` in a thread made for the purpose. Returns the policy to use, with the reason if it is not `SCHED_FIFO`.
pub(in crate::probe) fn choose() -> (Policy, Scheduling) {
    let refused = match real_time_limit() {
        Some(reason) => Some(reason),
        None => std::thread::spawn(|| Policy::Fifo.apply(Rank::Measured))
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the thread that tried it panicked")))
            .err()
            .map(|error| because(&error)),
    };
    let policy = match refused {
        None => Policy::Fifo,
        Some(_) => Policy::Other,
    };
    (policy, describe(policy, refused))
}

/// Returns why threads of probes may not be real-time threads; `None` where they may. Tries it in a thread that then ends.
pub fn real_time_refused() -> Option<String> {
    choose().1.refused
}

/// Returns the default policy, with the reason why it is used.
pub(in crate::probe) fn usual(reason: &str) -> (Policy, Scheduling) {
    (
        Policy::Other,
        describe(Policy::Other, Some(reason.to_owned())),
    )
}

/// Returns what the report says about `policy`.
fn describe(policy: Policy, refused: Option<String>) -> Scheduling {
    Scheduling {
        policy: match policy {
            Policy::Fifo => "SCHED_FIFO".into(),
            Policy::Other => "SCHED_OTHER".into(),
        },
        refused,
        realtime_share: match policy {
            Policy::Fifo => realtime_share(),
            Policy::Other => None,
        },
    }
}

fn because(error: &io::Error) -> String {
    if error.raw_os_error() == Some(libc::EPERM) {
        "not permitted: it takes CAP_SYS_NICE, or a limit of real-time priority of 2 or more (ulimit -r), \
         in a control group that has real-time time"
            .into()
    } else {
        format!("sched_setscheduler: {error}")
    }
}

/// Returns a reason if a limit on CPU time without sleeping (RLIMIT_RTTIME) would end the process by a signal.
fn real_time_limit() -> Option<String> {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the kernel fills the struct we own; if it fails, the limit stays as it is: none.
    unsafe { libc::getrlimit(libc::RLIMIT_RTTIME, &raw mut limit) };
    (limit.rlim_cur < 1_000_000).then(|| {
        format!(
            "real-time threads are limited to {} us without a sleep (RLIMIT_RTTIME)",
            limit.rlim_cur
        )
    })
}

/// Returns sched_rt_runtime_us over sched_rt_period_us; `None` where there is no cap (sched(7)).
fn realtime_share() -> Option<f64> {
    let read = |name: &str| -> Option<f64> {
        let text = std::fs::read_to_string(format!("/proc/sys/kernel/{name}")).ok()?;
        text.trim().parse().ok()
    };
    let (runtime_us, period_us) = (read("sched_rt_runtime_us")?, read("sched_rt_period_us")?);
    (runtime_us >= 0.0 && period_us > 0.0).then_some(runtime_us / period_us)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_comes_with_its_reason() {
        // Checked in another way: the policy of a thread made for this test after `apply`, and the error if that failed.
        let tried = std::thread::spawn(|| {
            let error = Policy::Fifo.apply(Rank::Measured).err();
            // SAFETY: no memory is passed. Thread 0 is the calling thread.
            (unsafe { libc::sched_getscheduler(0) }, error)
        });
        let (policy_now, error) = tried.join().unwrap();
        let (_, scheduling) = choose();
        match (real_time_limit(), error) {
            (Some(limit), _) => assert_eq!(scheduling.refused, Some(limit)),
            (None, Some(error)) => assert_eq!(scheduling.refused, Some(because(&error))),
            (None, None) => assert_eq!(
                (policy_now, scheduling.policy.as_str(), scheduling.refused),
                (libc::SCHED_FIFO, "SCHED_FIFO", None)
            ),
        }
        let denied = because(&io::Error::from_raw_os_error(libc::EPERM));
        assert!(denied.contains("CAP_SYS_NICE"), "{denied}");
    }

    #[test]
    fn the_policy_stays_in_the_thread_that_was_given_it() {
        let policy_now = || {
            // SAFETY: no memory is passed. Thread 0 is the calling thread.
            unsafe { libc::sched_getscheduler(0) }
        };
        let before = policy_now();
        choose();
        let below = std::thread::spawn(move || {
            Policy::Other.apply(Rank::Below).unwrap();
            policy_now()
        });
        assert_eq!(below.join().unwrap(), libc::SCHED_IDLE);
        assert_eq!(policy_now(), before);
    }
}
