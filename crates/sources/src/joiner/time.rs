//! Where the threads' time went.

use super::waits::plus;
use locktoll_results::profile::{Lock, Thread, ThreadTime, Use};

/// Returns where the time went of those threads about which the kernel was asked.
///
/// If the purpose of waits is not known for each thread, the result is computed for all threads together. It is then empty if
/// some threads ended before the kernel could be asked.
pub fn time(threads: &[Thread], locks: &[Lock]) -> ThreadTime {
    if threads.iter().any(|thread| thread.lock_wait_ns.is_none()) {
        return of_all(threads, locks).unwrap_or_default();
    }
    let asleep_for_locks = share_asleep(locks, Use::Lock);
    let asleep_for_signals = share_asleep(locks, Use::Signal);
    let mut time = ThreadTime::default();
    for thread in threads {
        let (Some(cpu_ns), Some(cpu_wait_ns)) = (thread.cpu_ns, thread.cpu_wait_ns) else {
            continue;
        };
        // Waits that did not end were not examined; most of a long wait is sleep.
        let slept = |ns: Option<u64>, unended_ns: u64, share: f64| {
            let ended_ns = ns.unwrap_or(0).saturating_sub(unended_ns);
            ((ended_ns as f64 * share) as u64).saturating_add(unended_ns)
        };
        let spent = Spent {
            cpu_ns,
            lock_ns: slept(
                thread.lock_wait_ns,
                thread.lock_still_waiting_ns,
                asleep_for_locks,
            ),
            cpu_wait_ns,
            signal_ns: slept(
                thread.signal_wait_ns,
                thread.signal_still_waiting_ns,
                asleep_for_signals,
            ),
        };
        spent.add_to(&mut time, 1, thread.duration_ns);
    }
    time
}

/// Computes the result for all threads together; `None` if a figure of one of them is not known.
fn of_all(threads: &[Thread], locks: &[Lock]) -> Option<ThreadTime> {
    let sum = |ns: &dyn Fn(&Thread) -> Option<u64>| threads.iter().map(ns).sum::<Option<u64>>();
    let spent = Spent {
        cpu_ns: sum(&|it| it.cpu_ns)?,
        lock_ns: asleep_ns(locks, Use::Lock),
        cpu_wait_ns: sum(&|it| it.cpu_wait_ns)?,
        signal_ns: asleep_ns(locks, Use::Signal),
    };
    let total_ns = threads.iter().map(|it| it.duration_ns).sum();
    let mut time = ThreadTime::default();
    spent.add_to(&mut time, threads.len() as u64, total_ns);
    Some(time)
}

/// Parts of the time, measured in different ways: they may overlap a little.
struct Spent {
    cpu_ns: u64,
    lock_ns: u64,
    cpu_wait_ns: u64,
    signal_ns: u64,
}

impl Spent {
    /// Adds the parts of `total_ns`; the part that is known best is taken first.
    fn add_to(self, time: &mut ThreadTime, threads: u64, total_ns: u64) {
        let mut rest = total_ns;
        plus(&mut time.threads, threads);
        plus(&mut time.total_ns, total_ns);
        for (sum, ns) in [
            (&mut time.running_ns, self.cpu_ns),
            (&mut time.lock_ns, self.lock_ns),
            // It comes after locks, since the kernel counts from the creation of the thread, whereas a thread's life here begins
            // at its first instruction.
            (&mut time.cpu_wait_ns, self.cpu_wait_ns),
            (&mut time.signal_ns, self.signal_ns),
        ] {
            let taken = ns.min(rest);
            rest -= taken;
            plus(sum, taken);
        }
        plus(&mut time.other_ns, rest);
    }
}

/// Returns the share of waiting for locks, or for signals, in which the thread neither ran nor waited for a processor.
fn share_asleep(locks: &[Lock], used_as: Use) -> f64 {
    let splits = locks
        .iter()
        .filter(|lock| lock.used_as == used_as)
        .filter_map(|lock| lock.wait_split.as_ref());
    let (mut total, mut blocked) = (0.0, 0.0);
    for split in splits {
        blocked += split.blocked_ns as f64;
        let spinning = split.spinning_ns.unwrap_or(0) as f64;
        total += spinning + split.runnable_ns as f64 + split.blocked_ns as f64;
    }
    if total > 0.0 { blocked / total } else { 1.0 }
}

/// Returns the time in which threads waited, and neither ran nor waited for a processor.
fn asleep_ns(locks: &[Lock], used_as: Use) -> u64 {
    let locks = locks.iter().filter(|lock| lock.used_as == used_as);
    locks
        .map(|lock| {
            let blocked_ns = lock.wait_split.as_ref().map_or(0, |split| split.blocked_ns);
            blocked_ns.saturating_add(lock.still_waiting_ns)
        })
        .fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use locktoll_made_up::sample;
    use locktoll_results::profile::WaitSplit;

    use super::*;

    /// A lock whose waits were `[blocked, spinning, runnable]`, and which is waited for still.
    fn lock(used_as: Use, [blocked_ns, spinning_ns, runnable_ns]: [u64; 3], still_ns: u64) -> Lock {
        let mut lock = sample::job_server().locks.swap_remove(0);
        lock.used_as = used_as;
        lock.still_waiting_ns = still_ns;
        lock.wait_split = Some(WaitSplit {
            blocked_ns,
            spinning_ns: Some(spinning_ns),
            runnable_ns,
            ..WaitSplit::default()
        });
        lock
    }

    fn locks() -> Vec<Lock> {
        vec![
            lock(Use::Lock, [600, 200, 200], 0),
            lock(Use::Lock, [0, 0, 0], 70),
            lock(Use::Signal, [90, 0, 10], 0),
        ]
    }

    fn thread(lock_wait_ns: Option<u64>, signal_wait_ns: Option<u64>) -> Thread {
        Thread {
            duration_ns: 2_000,
            cpu_ns: Some(300),
            cpu_wait_ns: Some(40),
            lock_wait_ns,
            signal_wait_ns,
            ..Thread::default()
        }
    }

    #[test]
    fn of_a_threads_waits_the_part_counts_in_which_it_slept() {
        let mut stuck = thread(Some(570), Some(100));
        stuck.lock_still_waiting_ns = 70;
        let time = time(&[stuck], &locks());
        // 500 ns ended, of which six tenths were sleep, and 70 ns that go on.
        assert_eq!((time.lock_ns, time.signal_ns), (370, 90));
        assert_eq!((time.running_ns, time.cpu_wait_ns), (300, 40));
        assert_eq!(time.other_ns, 2_000 - 370 - 90 - 300 - 40);
        assert_eq!((time.threads, time.total_ns), (1, 2_000));
    }

    #[test]
    fn without_the_purpose_of_each_threads_waits_all_threads_are_added_up() {
        let time = time(&[thread(None, None), thread(None, None)], &locks());
        assert_eq!((time.lock_ns, time.signal_ns), (670, 90));
        assert_eq!((time.running_ns, time.cpu_wait_ns), (600, 80));
        assert_eq!((time.threads, time.total_ns), (2, 4_000));
        assert_eq!(time.other_ns, 4_000 - 670 - 90 - 600 - 80);
    }

    #[test]
    fn parts_never_exceed_the_whole_and_the_best_known_comes_first() {
        let mut short = thread(Some(10_000), Some(10_000));
        short.duration_ns = 500;
        let time = time(&[short], &locks());
        assert_eq!((time.running_ns, time.lock_ns), (300, 200));
        assert_eq!((time.cpu_wait_ns, time.signal_ns, time.other_ns), (0, 0, 0));
    }

    #[test]
    fn threads_that_nobody_asked_about_are_left_out() {
        let mut ended = thread(Some(1), Some(1));
        ended.cpu_ns = None;
        assert_eq!(time(&[ended], &locks()), ThreadTime::default());
        let mut ended = thread(None, None);
        ended.cpu_wait_ns = None;
        assert_eq!(
            time(&[thread(None, None), ended], &locks()),
            ThreadTime::default()
        );
    }
}
