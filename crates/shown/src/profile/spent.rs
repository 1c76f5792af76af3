//! Where the threads' time went, the same in every format.
//!
//! "Waiting for locks" means the same everywhere: the time from asking for a lock to having it. A wait may be spent spinning,
//! or waiting for a CPU after the wake-up. That time is part of the wait, so it is neither "running" nor "waiting for a CPU".

use super::spinning;
use locktoll_results::profile::{Lock, Profile, Thread, Use};

/// The ways in which a thread can spend its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// On a processor, except spinning.
    Running,
    /// On a processor, in a loop that waits for another thread to write a word, and not in a lock that is known.
    Spinning,
    /// Waiting for locks, from asking for one until having it.
    Locks,
    /// Waiting for signals.
    Signals,
    /// Input, output, sleep and everything else that blocks.
    Other,
    /// Runnable, waiting for a processor, except on the way to a lock.
    Cpu,
    /// For threads that ended before the kernel could be asked: everything except their waits.
    Unknown,
}

/// Where the time of all threads went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// The threads' lifetimes, added up, in nanoseconds.
    pub total_ns: u64,
    /// Time by cause, in nanoseconds; `None` if it is not known.
    pub causes: Vec<(Cause, Option<u64>)>,
    /// The number of threads that ended before the kernel could be asked, if any of their time is unknown.
    pub unknown_threads: Option<u64>,
}

impl Cause {
    /// Returns the cause in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Spinning => "busy waiting",
            Self::Locks => "waiting for locks",
            Self::Signals => "waiting for events",
            Self::Other => "input, output, sleep",
            Self::Cpu => "waiting for a CPU",
            Self::Unknown => "not known",
        }
    }
}

impl Spent {
    /// Adds up the time of a program's threads. Returns `None` if nothing is known about any of them.
    pub fn of(profile: &Profile) -> Option<Self> {
        let lives = profile.per_thread.iter().map(|it| it.duration_ns);
        let listed_ns = lives.fold(0, u64::saturating_add);
        if listed_ns == 0 && profile.time.total_ns == 0 {
            return None;
        }
        let time = &profile.time;
        let known = time.threads > 0;
        // If the kernel was never asked, the recorder's own measurements are still known.
        let unknown = profile.threads.saturating_sub(time.threads);
        let rest = Unasked::of(profile, known && unknown > 0);
        let total_ns = match known {
            true => time.total_ns.saturating_add(rest.total_ns),
            false => listed_ns,
        };
        let at_locks_ns = at_locks_ns(profile);
        let mut causes = match known {
            true => {
                let mut parts = Parts {
                    running_ns: time.running_ns,
                    lock_ns: time.lock_ns.saturating_add(rest.lock_ns),
                    signal_ns: time.signal_ns.saturating_add(rest.signal_ns),
                    other_ns: time.other_ns,
                    cpu_ns: time.cpu_wait_ns,
                };
                parts.count_whole_waits(at_locks_ns, Awake::of(&profile.locks));
                let threads = profile.per_thread.iter().filter_map(|it| it.spin_ns);
                let spin_ns = threads.fold(0, u64::saturating_add);
                parts.causes(spinning::ns(profile).map(|_| spin_ns))
            }
            false => {
                let signal_ns = profile
                    .signal_wait_ns
                    .saturating_add(profile.still_waiting(Use::Signal).1);
                vec![
                    (Cause::Running, None),
                    (Cause::Locks, Some(at_locks_ns)),
                    (Cause::Signals, Some(signal_ns)),
                    (Cause::Other, None),
                    (Cause::Cpu, None),
                ]
            }
        };
        let not_known = rest.other_ns() > 0;
        if not_known {
            causes.push((Cause::Unknown, Some(rest.other_ns())));
        }
        Some(Self {
            total_ns,
            causes,
            unknown_threads: not_known.then_some(unknown),
        })
    }

    /// Returns the time of one thread. Returns `None` if the kernel was not asked about it, or if it is not known what the
    /// thread waited for.
    pub fn of_thread(thread: &Thread, locks: &[Lock]) -> Option<Self> {
        let total_ns = thread.duration_ns;
        let mut left_ns = total_ns;
        let mut take = |ns: u64| {
            let taken = ns.min(left_ns);
            left_ns -= taken;
            taken
        };
        let awake = Awake::of(locks);
        let wait_ns = thread.lock_wait_ns?.min(total_ns);
        let ended_ns = wait_ns.saturating_sub(thread.lock_still_waiting_ns);
        let asleep_ns = wait_ns - ended_ns + share_of(ended_ns, awake.asleep());
        // The waits were timed one by one. The kernel's accounts may cover more than this life: they begin when the thread is
        // created.
        let mut parts = Parts {
            lock_ns: take(asleep_ns),
            signal_ns: take(thread.signal_wait_ns?),
            running_ns: take(thread.cpu_ns?),
            cpu_ns: take(thread.cpu_wait_ns?),
            other_ns: 0,
        };
        parts.other_ns = left_ns;
        parts.count_whole_waits(wait_ns, awake);
        Some(Self {
            total_ns,
            causes: parts.causes(thread.spin_ns.filter(|&ns| ns > 0)),
            unknown_threads: None,
        })
    }

    /// Returns the time of one cause, in nanoseconds; `None` if it is not known.
    pub fn ns(&self, cause: Cause) -> Option<u64> {
        self.causes.iter().find(|it| it.0 == cause)?.1
    }
}

/// Returns how long the listed threads waited for locks. These are all threads, unless the recorder left some out.
fn at_locks_ns(profile: &Profile) -> u64 {
    let all_ns = profile
        .wait_ns
        .saturating_add(profile.still_waiting(Use::Lock).1);
    if profile
        .processes
        .iter()
        .all(|it| it.added_up.is_none() && it.unlisted_threads == 0)
    {
        return all_ns;
    }
    let waits = profile.per_thread.iter().filter_map(|it| it.lock_wait_ns);
    waits.fold(0, u64::saturating_add).min(all_ns)
}

/// Parts of a time that do not overlap, in nanoseconds.
struct Parts {
    running_ns: u64,
    lock_ns: u64,
    signal_ns: u64,
    other_ns: u64,
    cpu_ns: u64,
}

impl Parts {
    /// Makes `lock_ns`, so far only the time asleep, the whole of the waits: waiting time spent awake is moved from the parts
    /// where it was counted. No time is invented: if those parts have less, the waits stay that much shorter.
    fn count_whole_waits(&mut self, wait_ns: u64, awake: Awake) {
        let awake_ns = wait_ns.saturating_sub(self.lock_ns);
        let spinning_ns = share_of(awake_ns, awake.spinning);
        let queueing_ns = awake_ns - spinning_ns;
        let mut missing_ns = 0;
        for (part, ns) in [
            (&mut self.running_ns, spinning_ns),
            (&mut self.cpu_ns, queueing_ns),
        ] {
            let taken = ns.min(*part);
            *part -= taken;
            missing_ns += ns - taken;
        }
        // The recorder's clock and the kernel's accounts do not agree to the nanosecond.
        for part in [&mut self.other_ns, &mut self.cpu_ns, &mut self.running_ns] {
            let taken = missing_ns.min(*part);
            *part -= taken;
            missing_ns -= taken;
        }
        self.lock_ns = self.lock_ns.saturating_add(awake_ns - missing_ns);
    }

    /// Returns the causes. The part of the running time that is busy waiting has its own if it is worth one.
    fn causes(&self, spin_ns: Option<u64>) -> Vec<(Cause, Option<u64>)> {
        let spin_ns = spin_ns.map(|ns| ns.min(self.running_ns));
        let running_ns = self.running_ns - spin_ns.unwrap_or(0);
        let mut causes = vec![(Cause::Running, Some(running_ns))];
        causes.extend(spin_ns.map(|ns| (Cause::Spinning, Some(ns))));
        causes.extend([
            (Cause::Locks, Some(self.lock_ns)),
            (Cause::Signals, Some(self.signal_ns)),
            (Cause::Other, Some(self.other_ns)),
            (Cause::Cpu, Some(self.cpu_ns)),
        ]);
        causes
    }
}

/// Returns a share of a time, in nanoseconds: never more than the whole, which a time above 2^53 ns may be rounded up to exceed.
fn share_of(ns: u64, share: f64) -> u64 {
    ((ns as f64 * share) as u64).min(ns)
}

/// The composition of lock waits, apart from sleep.
#[derive(Clone, Copy)]
struct Awake {
    /// The share of the time awake that was spent spinning; the rest was spent waiting for a processor.
    spinning: f64,
    /// The share of the waits that was spent awake.
    share: f64,
}

impl Awake {
    fn of(locks: &[Lock]) -> Self {
        let splits = locks
            .iter()
            .filter(|lock| lock.used_as == Use::Lock)
            .filter_map(|lock| lock.wait_split.as_ref());
        let (mut spinning, mut queueing, mut asleep) = (0.0, 0.0, 0.0);
        for split in splits {
            spinning += split.spinning_ns.unwrap_or(0) as f64;
            queueing += split.runnable_ns as f64;
            asleep += split.blocked_ns as f64;
        }
        let awake = spinning + queueing;
        let part = |of: f64, whole: f64| if whole > 0.0 { of / whole } else { 0.0 };
        Self {
            spinning: part(spinning, awake),
            share: part(awake, awake + asleep),
        }
    }

    fn asleep(self) -> f64 {
        1.0 - self.share
    }
}

/// Threads that ended before the kernel was asked where their time went: the recorder's own measurements are known.
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
    fn waiting_for_locks_is_the_same_time_as_in_the_table_of_locks() {
        let profile = sample::job_server();
        let waited: u64 = profile.locks.iter().map(Lock::waited_ns).sum();
        assert!(
            profile.time.lock_ns < waited,
            "the sample spins and queues in no wait"
        );
        let spent = Spent::of(&profile).unwrap();
        assert_eq!(spent.ns(Cause::Locks), Some(waited));
        let awake = waited - profile.time.lock_ns;
        let left = profile.time.running_ns + profile.time.cpu_wait_ns - awake;
        let running = spent.ns(Cause::Running).unwrap();
        assert_eq!(running + spent.ns(Cause::Cpu).unwrap(), left);
        assert!(running < profile.time.running_ns);
    }

    #[test]
    fn waits_of_processes_that_are_added_up_are_no_time_of_the_listed_threads() {
        let mut profile = sample::job_server();
        let alone = Spent::of(&profile).unwrap();
        let mut sum = profile.processes[0].clone();
        (sum.pid, sum.added_up) = (0, Some(600));
        profile.processes.push(sum);
        let waits = profile.per_thread.iter().filter_map(|it| it.lock_wait_ns);
        let waited_ns: u64 = waits.sum();
        profile.wait_ns = 1_000 * profile.thread_time_ns;
        let spent = Spent::of(&profile).unwrap();
        assert_eq!(spent.ns(Cause::Locks), Some(waited_ns));
        assert_eq!(spent.total_ns, alone.total_ns);
    }

    #[test]
    fn a_share_is_at_most_the_whole() {
        let long_ns = (1 << 53) + 3;
        assert!(long_ns as f64 as u64 > long_ns, "this is rounded up");
        let mut profile = sample::job_server();
        for lock in &mut profile.locks {
            if let Some(split) = &mut lock.wait_split {
                split.runnable_ns = 0;
                split.blocked_ns = 0;
            }
        }
        for whole_ns in [long_ns, u64::MAX - 1, u64::MAX] {
            profile.wait_ns = whole_ns;
            profile.time.lock_ns = 0;
            Spent::of(&profile).unwrap();
            let thread = &mut profile.per_thread[0];
            thread.duration_ns = u64::MAX;
            thread.lock_wait_ns = Some(u64::MAX);
            thread.lock_still_waiting_ns = u64::MAX - whole_ns;
            Spent::of_thread(&profile.per_thread[0], &profile.locks).unwrap();
        }
        assert_eq!(share_of(u64::MAX - 1, 1.0), u64::MAX - 1);
    }

    #[test]
    fn no_part_becomes_less_than_nothing() {
        let mut profile = sample::job_server();
        let time = &mut profile.time;
        time.other_ns = time.other_ns + time.running_ns + time.cpu_wait_ns - 2_000;
        (time.running_ns, time.cpu_wait_ns) = (1_000, 1_000);
        let spent = Spent::of(&profile).unwrap();
        let sum: u64 = spent.causes.iter().filter_map(|(_, ns)| *ns).sum();
        assert_eq!(sum, spent.total_ns);
    }

    #[test]
    fn a_threads_parts_are_its_life_though_the_kernel_counts_from_earlier() {
        let profile = sample::job_server();
        for thread in &profile.per_thread {
            let mut thread = thread.clone();
            let Some(spent) = Spent::of_thread(&thread, &profile.locks) else {
                assert_eq!(thread.cpu_ns, None);
                continue;
            };
            let sum = |spent: &Spent| spent.causes.iter().filter_map(|it| it.1).sum::<u64>();
            assert_eq!(sum(&spent), thread.duration_ns);
            assert_eq!(spent.ns(Cause::Locks), thread.lock_wait_ns);
            thread.cpu_ns = Some(thread.duration_ns * 2);
            let spent = Spent::of_thread(&thread, &profile.locks).unwrap();
            assert_eq!(sum(&spent), thread.duration_ns);
        }
    }

    #[test]
    fn what_the_kernel_was_not_asked_is_not_zero() {
        let mut profile = sample::job_server();
        profile.time = Default::default();
        let spent = Spent::of(&profile).unwrap();
        let of = |cause| spent.causes.iter().find(|it| it.0 == cause).unwrap().1;
        assert_eq!(of(Cause::Running), None);
        assert!(of(Cause::Locks).unwrap() >= profile.wait_ns);
        profile.per_thread.clear();
        assert_eq!(Spent::of(&profile), None);
    }
}
