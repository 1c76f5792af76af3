//! How threads use a lock, in figures that the model and the rules need.

use locktoll_results::profile::{HeldCall, Lock, LockKind, Profile, Thread, Use};

/// The program around the locks.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'p> {
    /// The recording.
    pub profile: &'p Profile,
    /// CPUs that the program could use.
    pub cpus: f64,
}

impl<'p> Situation<'p> {
    /// Describes a profile. Without a known machine, the program is taken to have had a CPU for each thread.
    pub fn of(profile: &'p Profile) -> Self {
        let machine = profile.made.as_ref().and_then(|it| it.machine.as_ref());
        let cpus = machine.map_or(profile.threads as usize, |it| it.usable_cpus);
        let quota = machine.and_then(|it| it.quota_cpus).unwrap_or(f64::MAX);
        Self {
            profile,
            cpus: (cpus.max(1) as f64).min(quota.max(0.1)),
        }
    }

    /// Returns the share (0 to 1) of the CPUs' time that the program used, or would have used if it had not waited for CPUs.
    pub fn cpu_used(&self) -> f64 {
        let all = self.profile.duration_ns.max(1) as f64 * self.cpus;
        let time = &self.profile.time;
        (time.running_ns.saturating_add(time.cpu_wait_ns) as f64 / all).clamp(0.0, 1.0)
    }

    /// Returns the number of threads that ran, or wanted to, for at least this share of the recording.
    pub fn active_threads(&self, share: f64) -> f64 {
        let least_ns = share * self.profile.duration_ns as f64;
        let wanted = self.profile.per_thread.iter().filter(|it| {
            let ns = it
                .cpu_ns
                .unwrap_or(0)
                .saturating_add(it.cpu_wait_ns.unwrap_or(0));
            ns as f64 >= least_ns
        });
        wanted.count() as f64
    }

    /// Returns this time as a share (0 to 1) of the threads' time.
    pub fn share(&self, ns: u64) -> f64 {
        (ns as f64 / self.profile.thread_time_ns.max(1) as f64).clamp(0.0, 1.0)
    }

    /// Returns the share (0 to 1) of the threads' time that went into waiting for a CPU, of those threads of which that is known.
    pub fn cpu_wait_share(&self) -> f64 {
        let time = &self.profile.time;
        (time.cpu_wait_ns as f64 / time.total_ns.max(1) as f64).clamp(0.0, 1.0)
    }

    /// Returns the share (0 to 1) of the threads' time that went into waiting for locks.
    pub fn wait_share(&self) -> f64 {
        self.share(self.profile.locks.iter().map(Lock::waited_ns).sum())
    }
}

/// How threads use a lock. Times are nanoseconds, and means per acquisition.
#[derive(Clone, Debug)]
pub struct LockUse<'p> {
    /// The lock.
    pub lock: &'p Lock,
    /// Its acquisitions.
    pub acquisitions: f64,
    /// How long the threads that take it lived, on average: a program's start and end do not count.
    pub duration_ns: f64,
    /// As many threads as would make the acquisitions if all of them were as active as the most active one.
    pub threads: f64,
    /// How long it is held.
    pub hold_ns: f64,
    /// How long threads wait for it.
    pub wait_ns: f64,
    /// The time of a thread from one acquisition to the next, without the wait and the hold.
    pub elsewhere_ns: f64,
    /// The share (0 to 1) of the threads' time that went into waiting for it.
    pub wait_share: f64,
    /// How often the program's threads gave their CPU up, all together.
    pub yields: f64,
    /// The share (0 to 1) of the CPUs' time that the threads that take it used, at least.
    pub cpu_used: f64,
    /// The same with the time in which they waited for a CPU.
    pub cpu_wanted: f64,
}

/// Below this number of acquisitions, means say nothing about the next ones.
pub const FEWEST: u64 = 30;

impl<'p> LockUse<'p> {
    /// Describes a lock; `None` for objects that are used for events, for locks whose holds are not known, and for those that were
    /// acquired too rarely.
    pub fn of(situation: &Situation<'p>, lock: &'p Lock) -> Option<Self> {
        let acquisitions = lock.acquisitions.filter(|it| *it >= FEWEST)?;
        if lock.used_as != Use::Lock
            || !matches!(
                lock.kind,
                LockKind::Mutex | LockKind::RwLock | LockKind::Spin
            )
        {
            return None;
        }
        let held_ns = lock.hold_ns.as_ref()?.total as f64;
        let profile = situation.profile;
        let number = acquisitions as f64;
        let threads = threads(lock, profile, number);
        let duration_ns = lifetime(profile, threads);
        let (hold_ns, wait_ns) = (held_ns / number, lock.waited_ns() as f64 / number);
        let cycle_ns = threads * duration_ns / number;
        Some(Self {
            lock,
            acquisitions: number,
            duration_ns,
            threads,
            hold_ns,
            wait_ns,
            elsewhere_ns: (cycle_ns - hold_ns - wait_ns).max(0.0),
            wait_share: situation.share(lock.waited_ns()),
            yields: profile.yields.unwrap_or(0) as f64,
            cpu_used: cpu_used(situation, threads, false),
            cpu_wanted: cpu_used(situation, threads, true),
        })
    }

    /// Returns the share of the recording in which the lock was held; more than 1 if readers hold it together.
    pub fn utilization(&self) -> f64 {
        self.hold_ns * self.acquisitions / self.duration_ns
    }

    /// Returns the share (0 to 1) of the examined holds in which the holder blocked; `None` if too few were examined.
    pub fn blocked_share(&self) -> Option<f64> {
        let held = self.lock.while_held.as_ref()?;
        (held.examined >= FEWEST).then(|| held.blocked as f64 / held.examined as f64)
    }

    /// Whether holders give their CPU up in most holds: calls that yield are counted and not timed.
    pub fn holders_yield(&self) -> bool {
        self.lock.while_held.as_ref().is_some_and(|held| {
            let timed: u64 = held
                .calls
                .iter()
                .map(|it| it.count)
                .fold(0, u64::saturating_add);
            self.yields >= 0.3 * self.acquisitions
                && self.blocked_share().is_none_or(|share| share < 0.5)
                && held.system_calls as f64 >= 0.9 * self.acquisitions
                && (timed as f64) < 0.1 * held.system_calls as f64
        })
    }

    /// Returns the call that takes most of the time of the holds, and its time per hold; `None` if it takes less than half of it.
    pub fn main_call(&self) -> Option<(&'p HeldCall, f64)> {
        let held = self.lock.while_held.as_ref()?;
        let call = held.calls.iter().max_by_key(|it| it.total_ns)?;
        // Calls are counted in all holds, also in those of a lock that is held twice.
        let per_hold_ns = (call.total_ns as f64 / self.acquisitions).min(self.hold_ns);
        (per_hold_ns >= 0.5 * self.hold_ns).then_some((call, per_hold_ns))
    }

    /// Returns the name without its module path.
    pub fn name(&self) -> &'p str {
        bare(&self.lock.name)
    }
}

/// Returns a variable's name without its module path, and other names unchanged.
pub fn bare(name: &str) -> &str {
    match name.contains([' ', '<', '(']) {
        true => name,
        false => name.rsplit("::").next().unwrap_or(name),
    }
}

/// Returns the least share of the CPUs' time that this many threads can have used, with or without their waiting for CPUs: that of the
/// waiting threads that used least. A profile does not say which thread takes which lock, and other threads' work does not grow with the
/// rate at which this one is taken.
fn cpu_used(situation: &Situation<'_>, threads: f64, with_wait: bool) -> f64 {
    let waiting = situation.profile.per_thread.iter();
    let waiting = waiting.filter(|it| it.lock_wait_ns.unwrap_or(0) > 0);
    let used = |it: &Thread| {
        let wait_ns = it.cpu_wait_ns.filter(|_| with_wait).unwrap_or(0);
        it.cpu_ns.unwrap_or(0).saturating_add(wait_ns)
    };
    let mut used: Vec<u64> = waiting.map(used).collect();
    used.sort_unstable();
    used.truncate(threads.ceil() as usize);
    let total: f64 = used.iter().map(|it| *it as f64).sum();
    (total / (situation.profile.duration_ns.max(1) as f64 * situation.cpus)).clamp(0.0, 1.0)
}

/// Returns how long the threads that wait most for locks lived, on average.
fn lifetime(profile: &Profile, threads: f64) -> f64 {
    let all_ns = profile.duration_ns.max(1) as f64;
    let mut lives: Vec<(u64, u64)> = profile
        .per_thread
        .iter()
        .map(|it| (it.lock_wait_ns.unwrap_or(0), it.duration_ns))
        .collect();
    lives.sort_unstable_by(|a, b| b.cmp(a));
    lives.truncate(threads.ceil() as usize);
    let total: f64 = lives.iter().map(|(_, ns)| *ns as f64).sum();
    match lives.len() {
        0 => all_ns,
        number => (total / number as f64).clamp(1.0, all_ns),
    }
}

/// Returns the effective number of threads: a main thread that takes the lock once at the end is not one of five workers.
fn threads(lock: &Lock, profile: &Profile, acquisitions: f64) -> f64 {
    let most = match lock.takers {
        Some(takers) => {
            let even = acquisitions / takers.most.max(1) as f64;
            even.min(takers.threads as f64)
        }
        None => profile.threads as f64,
    };
    most.max(1.0)
}
