//! Where the threads' time went, as every form tells it.

use locktoll_results::profile::{Profile, Use};

/// Where less than this part of the waits for locks is missing from their share, nobody asks for it.
const NOTICED: u64 = 16;
/// As little of all time cannot be seen in any bar.
const VISIBLE: u64 = 1_000;

/// What a thread can spend its time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// On a processor.
    Running,
    /// Waiting for locks.
    Locks,
    /// Waiting for signals.
    Signals,
    /// Input, output, sleep and everything else that blocks.
    Other,
    /// Runnable, waiting for a processor.
    Cpu,
    /// Of threads that ended before the kernel could be asked: all but their waits.
    Unknown,
}

/// Where the time of all threads went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// The threads' lives, added up, nanoseconds.
    pub total_ns: u64,
    /// Time by cause, nanoseconds; `None` where it is not known.
    pub causes: Vec<(Cause, Option<u64>)>,
    /// Waits for locks, in whatever way those were spent, nanoseconds; `None` where that is no more than the share of the
    /// cause says.
    pub at_locks_ns: Option<u64>,
    /// Threads that ended before the kernel could be asked, if anything of theirs is not known.
    pub unknown_threads: Option<u64>,
}

impl Cause {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Locks => "waiting for locks",
            Self::Signals => "waiting for signals",
            Self::Other => "input, output, sleep",
            Self::Cpu => "waiting for a CPU",
            Self::Unknown => "not known",
        }
    }
}

impl Spent {
    /// Of a program's threads; `None` if nothing is known of any.
    pub fn of(profile: &Profile) -> Option<Self> {
        if profile.thread_time_ns == 0 && profile.time.total_ns == 0 {
            return None;
        }
        let time = &profile.time;
        let known = time.threads > 0;
        // Where the kernel was never asked, the recorder still knows what it timed itself.
        let unknown = profile.threads.saturating_sub(time.threads);
        let rest = Unasked::of(profile, known && unknown > 0);
        let total_ns = match known {
            true => time.total_ns.saturating_add(rest.total_ns),
            false => profile.thread_time_ns,
        };
        let of_kernel = |ns: u64| known.then_some(ns);
        let at_locks_ns = profile
            .wait_ns
            .saturating_add(profile.still_waiting(Use::Lock).1);
        let (lock_ns, signal_ns) = match known {
            true => (
                time.lock_ns.saturating_add(rest.lock_ns),
                time.signal_ns.saturating_add(rest.signal_ns),
            ),
            false => (
                at_locks_ns,
                profile
                    .signal_wait_ns
                    .saturating_add(profile.still_waiting(Use::Signal).1),
            ),
        };
        let mut causes = vec![
            (Cause::Running, of_kernel(time.running_ns)),
            (Cause::Locks, Some(lock_ns)),
            (Cause::Signals, Some(signal_ns)),
            (Cause::Other, of_kernel(time.other_ns)),
            (Cause::Cpu, of_kernel(time.cpu_wait_ns)),
        ];
        let not_known = rest.other_ns() > 0;
        if not_known {
            causes.push((Cause::Unknown, Some(rest.other_ns())));
        }
        let elsewhere_ns = at_locks_ns.saturating_sub(lock_ns);
        let is_noticed = elsewhere_ns > at_locks_ns / NOTICED && elsewhere_ns > total_ns / VISIBLE;
        Some(Self {
            total_ns,
            causes,
            at_locks_ns: is_noticed.then_some(at_locks_ns),
            unknown_threads: not_known.then_some(unknown),
        })
    }
}

/// Threads that ended before the kernel was asked where their time went: the recorder knows what it timed itself.
#[derive(Default)]
struct Unasked {
    total_ns: u64,
    lock_ns: u64,
    signal_ns: u64,
}

impl Unasked {
    fn of(profile: &Profile, some: bool) -> Self {
        let mut all = Self::default();
        let threads = profile.per_thread.iter();
        for thread in threads
            .filter(|it| it.cpu_ns.is_none() || it.cpu_wait_ns.is_none())
            .filter(|_| some)
        {
            let lock_ns = thread.lock_wait_ns.unwrap_or(0).min(thread.duration_ns);
            let signal_ns = thread.signal_wait_ns.unwrap_or(0);
            let signal_ns = signal_ns.min(thread.duration_ns - lock_ns);
            for (sum, more) in [
                (&mut all.total_ns, thread.duration_ns),
                (&mut all.lock_ns, lock_ns),
                (&mut all.signal_ns, signal_ns),
            ] {
                *sum = sum.saturating_add(more);
            }
        }
        all
    }

    fn other_ns(&self) -> u64 {
        let waited_ns = self.lock_ns.saturating_add(self.signal_ns);
        self.total_ns.saturating_sub(waited_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;

    #[test]
    fn the_causes_add_up_to_all_of_the_time() {
        let spent = Spent::of(&sample::job_server()).unwrap();
        let sum: u64 = spent.causes.iter().filter_map(|(_, ns)| *ns).sum();
        assert_eq!(sum, spent.total_ns);
    }

    #[test]
    fn what_the_kernel_was_not_asked_is_not_zero() {
        let mut profile = sample::job_server();
        profile.time = Default::default();
        let spent = Spent::of(&profile).unwrap();
        let of = |cause| spent.causes.iter().find(|it| it.0 == cause).unwrap().1;
        assert_eq!(of(Cause::Running), None);
        assert!(of(Cause::Locks).unwrap() >= profile.wait_ns);
        profile.thread_time_ns = 0;
        assert_eq!(Spent::of(&profile), None);
    }
}
