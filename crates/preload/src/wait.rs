//! A wait, from its beginning to its end: how long, what it consisted of, and whose doing it was.
//!
//! How long each wait was is always entered. What takes longer to find out (the stack, the blame, the split) is found out for
//! all waits of a thread at one place as long as they are few; of very many, for one in [`LOOKED_INTO_ONE_IN`], by chance, and it
//! counts for as many. Short waits come by the hundred thousand, and the time it takes, before the thread sleeps and after it
//! has the lock, would change how threads compete for it.

use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::histogram;
use locktoll_recording::layout::{ContentionRecord, EntryPoint, LockKind};

use crate::clock;
use crate::contended::{Charges, Contended, SITES};
use crate::index::Key;
use crate::ledger::Ledger;
use crate::recorder::Recorder;
use crate::tally::{add, raise};
use crate::thread::Thread;
use crate::usage::Usage;

/// One in so many waits is examined for processor time and context switches, which takes two system calls.
const EXAMINED_ONE_IN: u32 = 8;

/// So many waits of a thread at one place are all looked into.
const ALL_LOOKED_INTO: u64 = 1024;
/// One in so many is after that.
const LOOKED_INTO_ONE_IN: u64 = 8;

/// A wait that has begun.
pub struct Wait {
    key: Key,
    since_ns: u64,
    /// How many waits this one stands for, in what is not found out for all of them; zero if it is not for this one.
    stands_for: u64,
    stack: u32,
    /// The site of the holder when the wait began, or zero.
    holder: u32,
    contended: Option<(&'static Contended, Charges)>,
    usage: Option<Usage>,
}

/// How a wait ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With the lock, or with what was waited for.
    Done,
    /// By its deadline.
    TimedOut,
    /// In some other way: nothing is counted but the time of the thread.
    Failed,
}

impl Wait {
    /// A wait for a lock begins. `owner` is the id of the thread that has it, if the lock shows that.
    pub fn for_lock(ledger: &Ledger, key: Key, owner: Option<u32>) -> Self {
        let since_ns = clock::monotonic_ns();
        let mut wait = Self::begin(ledger, key, since_ns);
        if ledger.own.is_some() && wait.stands_for > 0 {
            wait.holder = holder_site(ledger.recorder, key.lock, owner);
            let contended = &ledger.recorder.contended;
            wait.contended = contended.begin_wait(key.lock, wait.holder, since_ns);
        }
        wait
    }

    /// A wait for something that nobody holds begins.
    pub fn for_signal(ledger: &Ledger, key: Key) -> Self {
        Self::begin(ledger, key, clock::monotonic_ns())
    }

    fn begin(ledger: &Ledger, key: Key, since_ns: u64) -> Self {
        let mut wait = Self {
            key,
            since_ns,
            stands_for: 0,
            stack: 0,
            holder: 0,
            contended: None,
            usage: None,
        };
        // Whatever takes time is done while the lock is not ours.
        ledger.prepare_wait(key);
        if let Some(thread) = ledger.own {
            let site = thread.site(key.site, ledger.recorder, None);
            thread.begin_wait(key.lock, site, since_ns);
            wait.stands_for = stands_for(thread, key, ledger.recorder);
            if wait.stands_for == 0 {
                return wait;
            }
            wait.stack = ledger.recorder.stack(thread, key.site);
            if is_examined(thread, ledger.recorder) {
                wait.usage = Usage::of_thread();
            }
        }
        wait
    }

    /// When it began.
    pub fn since_ns(&self) -> u64 {
        self.since_ns
    }

    /// The number of the stack that led to it, or zero.
    pub fn stack(&self) -> u32 {
        self.stack
    }

    /// What its records are found by.
    pub fn key(&self) -> Key {
        self.key
    }

    /// The wait ended, now. Says when that is.
    pub fn end(self, ledger: &Ledger, end: End) -> u64 {
        let now_ns = clock::monotonic_ns();
        // A handler may have forked meanwhile, and this be the child: it has waited since it is there.
        let since_ns = self.since_ns.max(ledger.recorder.part().start_ns());
        let waited_ns = now_ns.saturating_sub(since_ns);
        let for_lock = self.is_for_lock();
        if let Some((entry, _)) = self.contended
            && end == End::Done
        {
            entry.acquired(now_ns);
        }
        if let Some(thread) = ledger.own {
            thread.end_wait(waited_ns, for_lock);
        }
        if end != End::Failed {
            ledger.contention(self.key, |contention| {
                let counter = match end {
                    End::TimedOut => &contention.timed_out,
                    _ => &contention.contended,
                };
                add(counter, 1);
                add_wait(contention, waited_ns);
                self.enter_split(contention, waited_ns, now_ns);
            });
            if let Some(thread) = ledger.own
                && self.stands_for > 0
            {
                self.enter_stack(thread, ledger.recorder, waited_ns);
                if for_lock {
                    self.enter_blame(thread, ledger.recorder, waited_ns, now_ns, end);
                }
            }
        }
        if let Some((entry, _)) = self.contended {
            ledger.recorder.contended.end_wait(self.key.lock, entry);
        }
        now_ns
    }

    /// Whether somebody had to give up what was waited for.
    fn is_for_lock(&self) -> bool {
        if self.key.kind == LockKind::Semaphore {
            // It is a lock if a thread that had taken a unit holds it, or gave it back meanwhile.
            let released_by = self
                .contended
                .as_ref()
                .map(|(entry, _)| entry.last_release());
            return self.holder != 0
                || released_by.is_some_and(|(at_ns, site)| at_ns >= self.since_ns && site != 0);
        }
        self.key.entry != EntryPoint::Wait
    }

    fn enter_split(&self, contention: &ContentionRecord, waited_ns: u64, now_ns: u64) {
        if let Some((entry, _)) = self.contended {
            let (released_ns, _) = entry.last_release();
            if released_ns >= self.since_ns {
                let runnable_ns = now_ns.saturating_sub(released_ns);
                let runnable_ns = runnable_ns.min(waited_ns) * self.stands_for;
                add(&contention.runnable_ns, runnable_ns);
            }
        }
        if let Some(before) = self.usage
            && let Some(now) = Usage::of_thread()
        {
            let used = now.since(before);
            add(&contention.examined, 1);
            add(&contention.examined_ns, waited_ns);
            add(&contention.examined_cpu_ns, used.cpu_ns().min(waited_ns));
            add(&contention.voluntary_switches, used.voluntary_switches);
            add(&contention.involuntary_switches, used.involuntary_switches);
        }
    }

    fn enter_stack(&self, thread: &Thread, recorder: &'static Recorder, waited_ns: u64) {
        let key = Key {
            other: self.stack,
            ..self.key
        };
        if let Some(record) = thread.make_stack_wait(key, recorder) {
            add(&record.waits, self.stands_for);
            add(&record.wait_ns, waited_ns * self.stands_for);
        }
    }

    /// Charges the wait to those who held the lock meanwhile.
    fn enter_blame(
        &self,
        thread: &Thread,
        recorder: &'static Recorder,
        waited_ns: u64,
        now_ns: u64,
        end: End,
    ) {
        let (mut sites, mut charged_ns) = ([0; SITES + 1], [0; SITES + 1]);
        if let Some((entry, before)) = &self.contended {
            for (index, charge) in entry.charged_since(before).into_iter().enumerate() {
                sites[index] = entry.site(index);
                charged_ns[index] = charge;
            }
            if end == End::TimedOut {
                // The present holder has not been charged yet.
                sites[SITES] = self.holder;
                charged_ns[SITES] = now_ns.saturating_sub(entry.since_ns().max(self.since_ns));
            }
        }
        if charged_ns.iter().all(|&charge| charge == 0) {
            let last = self
                .contended
                .map_or(0, |(entry, _)| entry.last_release().1);
            sites[SITES] = if self.holder == 0 { last } else { self.holder };
            charged_ns[SITES] = 1;
        }
        let shares_ns = shares(waited_ns, &charged_ns);
        let largest = (0..=SITES).max_by_key(|&index| shares_ns[index]);
        for index in 0..=SITES {
            if shares_ns[index] == 0 && Some(index) != largest {
                continue;
            }
            let key = Key {
                other: sites[index],
                ..self.key
            };
            if let Some(blame) = thread.make_blame(key, recorder) {
                let waits = u64::from(Some(index) == largest);
                add(&blame.waits, waits * self.stands_for);
                add(&blame.wait_ns, shares_ns[index] * self.stands_for);
            }
        }
    }
}

/// How many waits one that begins now stands for, or zero if it is not looked into.
fn stands_for(thread: &Thread, key: Key, recorder: &'static Recorder) -> u64 {
    // Whether a semaphore is a lock shows in each wait for it.
    if recorder.is_exact() || key.kind == LockKind::Semaphore {
        return 1;
    }
    let waits = thread
        .contention(key, &recorder.addresses)
        .map_or(0, |contention| contention.contended.load(Relaxed));
    if waits < ALL_LOOKED_INTO {
        return 1;
    }
    let chosen = thread.random() >> 32;
    if chosen.is_multiple_of(LOOKED_INTO_ONE_IN) {
        LOOKED_INTO_ONE_IN
    } else {
        0
    }
}

/// Whether this wait is examined.
fn is_examined(thread: &Thread, recorder: &Recorder) -> bool {
    if recorder.is_exact() {
        return true;
    }
    let left = thread.until_examined.get();
    if left > 0 {
        thread.until_examined.set(left - 1);
        return false;
    }
    // At random, so that a rhythm of the program does not decide which.
    let gap = thread.random() % u64::from(2 * EXAMINED_ONE_IN - 1);
    thread.until_examined.set(gap as u32);
    true
}

/// The site at which the holder of `lock` acquired it, or zero: of the thread `owner` if the lock says who that is.
fn holder_site(recorder: &Recorder, lock: usize, owner: Option<u32>) -> u32 {
    let found = match owner {
        Some(owner) => recorder
            .holders
            .find(owner)
            .and_then(|thread| thread.held.site_of(lock)),
        None => recorder
            .holders
            .iter()
            .find_map(|thread| thread.held.site_of(lock)),
    };
    found.unwrap_or(0)
}

/// Divides `whole` in proportion to `weights`, so that the parts add up to it.
fn shares<const N: usize>(whole: u64, weights: &[u64; N]) -> [u64; N] {
    let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    let mut left = whole;
    let mut shares = [0; N];
    let mut largest = 0;
    for (index, &weight) in weights.iter().enumerate() {
        // No share is larger than the whole.
        shares[index] = (u128::from(whole) * u128::from(weight) / sum.max(1)) as u64;
        left -= shares[index];
        if weight > weights[largest] {
            largest = index;
        }
    }
    shares[largest] += left;
    shares
}

/// Adds a wait of `waited_ns` to `contention`.
pub fn add_wait(contention: &ContentionRecord, waited_ns: u64) {
    add(&contention.wait_total_ns, waited_ns);
    raise(&contention.wait_max_ns, waited_ns);
    add(
        &contention.wait_histogram[histogram::bucket_of(waited_ns)],
        1,
    );
}

/// A wait for a condition that was signalled at `signalled_ns` returned at `now_ns`: enters the re-lock, and as contention of the
/// mutex that part of it in which others had the mutex.
///
/// `stack` is that of the wait for the condition.
pub fn relock(
    ledger: &Ledger,
    condition: Key,
    mutex: Key,
    stack: u32,
    signalled_ns: u64,
    now_ns: u64,
) {
    let relock_ns = now_ns.saturating_sub(signalled_ns);
    ledger.contention(condition, |contention| {
        add(&contention.relock_ns, relock_ns);
    });
    let Some(entry) = ledger.recorder.contended.find(mutex.lock) else {
        return;
    };
    let (released_ns, holder) = entry.last_release();
    if released_ns <= signalled_ns {
        return;
    }
    let waited_ns = released_ns.min(now_ns) - signalled_ns;
    ledger.contention(mutex, |contention| {
        add(&contention.contended, 1);
        add_wait(contention, waited_ns);
    });
    if let Some(thread) = ledger.own {
        let key = Key {
            other: holder,
            ..mutex
        };
        if let Some(blame) = thread.make_blame(key, ledger.recorder) {
            add(&blame.waits, 1);
            add(&blame.wait_ns, waited_ns);
        }
        let key = Key {
            other: stack,
            ..mutex
        };
        if let Some(by_stack) = thread.make_stack_wait(key, ledger.recorder) {
            add(&by_stack.waits, 1);
            add(&by_stack.wait_ns, waited_ns);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_in_proportion_and_add_up() {
        assert_eq!(shares(100, &[1, 1, 2]), [25, 25, 50]);
        assert_eq!(shares(10, &[1, 1, 1]).iter().sum::<u64>(), 10);
        assert_eq!(shares(7, &[0, 5, 0]), [0, 7, 0]);
        let large = shares(u64::MAX, &[u64::MAX, u64::MAX]);
        assert_eq!(large[0] + large[1], u64::MAX);
    }
}
