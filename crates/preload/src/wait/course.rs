//! The course of a wait, from its beginning to its end.

use locktoll_recording::histogram;
use locktoll_recording::layout::{ContentionRecord, EntryPoint, LockKind};

use super::holder::holder_of;
use super::sample::{is_examined, stands_for};
use crate::blame;
use crate::clock;
use crate::contended::{Charges, Contended};
use crate::index::Key;
use crate::ledger::Ledger;
use crate::order;
use crate::place::Place;
use crate::tally::{add, raise};
use crate::timeline;
use crate::usage::Usage;
use crate::waited::{End, Holders, Waited};

pub struct Wait {
    key: Key,
    since_ns: u64,
    /// The number of waits that this one represents in figures that are taken for a sample only; zero if this wait is not in
    /// the sample.
    stands_for: u64,
    stack: u32,
    /// Where the holder had acquired the lock when the wait began, if that was seen.
    holder: Place,
    contended: Option<(&'static Contended, Charges)>,
    usage: Option<Usage>,
}

impl Wait {
    /// Begins a wait for a lock, at `since_ns`. `owner` is the id of the thread that has the lock, if the lock shows it.
    pub fn for_lock(ledger: &Ledger, key: Key, owner: Option<u32>, since_ns: u64) -> Self {
        let mut wait = Self::begin(ledger, key, since_ns);
        if let Some(thread) = ledger.own
            && thread.held.depth() > 0
            && let Some(count) = thread.make_count(key, ledger.recorder, None)
        {
            order::note_wait(thread, count);
        }
        if ledger.own.is_some() && wait.stands_for > 0 {
            if let Some((holder, place)) = holder_of(ledger.recorder, key.lock, owner) {
                wait.holder = place;
                if let Some(thread) = ledger.own {
                    thread.waits_for(holder, place.site());
                }
            }
            let contended = &ledger.recorder.contended;
            wait.contended = contended.begin_wait(key.lock, wait.holder, since_ns);
        }
        wait.turn(ledger);
        wait
    }

    /// Begins a wait for something that nobody holds.
    pub fn for_signal(ledger: &Ledger, key: Key) -> Self {
        Self::begin(ledger, key, clock::monotonic_ns())
    }

    fn begin(ledger: &Ledger, key: Key, since_ns: u64) -> Self {
        let mut wait = Self {
            key,
            since_ns,
            stands_for: 0,
            stack: 0,
            holder: Place::NOWHERE,
            contended: None,
            usage: None,
        };
        // Everything that takes time is done while this thread does not hold the lock.
        ledger.prepare_wait(key);
        if let Some(thread) = ledger.own {
            blame::enter_kept_back(thread, ledger.recorder, None);
            let site = thread.site(key.site, ledger.recorder, None);
            thread.begin_wait(key.lock, key.entry, site, since_ns);
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

    pub fn since_ns(&self) -> u64 {
        self.since_ns
    }

    pub fn stack(&self) -> u32 {
        self.stack
    }

    pub fn key(&self) -> Key {
        self.key
    }

    /// Ends the wait now. Returns the time.
    pub fn end(self, ledger: &Ledger, end: End) -> u64 {
        let wait = self.count(ledger, end);
        blame::enter(&wait, ledger.own, ledger.recorder);
        wait.now_ns
    }

    /// Ends the wait now, with the lock, which the thread holds from now on. While it does, others wait for the lock. So only
    /// what cannot be found out later is done here, and the rest once the lock is free again.
    pub fn end_with_lock(self, ledger: &Ledger) {
        let wait = self.count(ledger, End::Done);
        ledger.acquired(self.key);
        if let Some(thread) = ledger.own {
            timeline::holds_after_wait(thread, self.key.lock, wait.now_ns);
        }
        if wait.is_all_entered() {
            return;
        }
        if let Some(thread) = ledger.own
            && thread.held.await_end(wait.key.lock)
            && thread.keep_back(wait)
        {
            return;
        }
        blame::enter(&wait, ledger.own, ledger.recorder);
    }

    /// Counts the wait, which has ended now.
    fn count(&self, ledger: &Ledger, end: End) -> Waited {
        if end == End::Done {
            // Before the clock and the last release are read.
            self.turn(ledger);
        }
        let now_ns = clock::monotonic_ns();
        // A signal handler may have forked meanwhile, and this may be the child: it has waited only since it began to exist.
        let since_ns = self.since_ns.max(ledger.recorder.part().start_ns());
        let waited_ns = now_ns.saturating_sub(since_ns);
        let is_for_lock = self.is_for_lock();
        let holders = self.contended.as_ref().map(|(entry, before)| Holders {
            entry,
            charged_ns: entry.charged_since(before),
            last_release: entry.last_release(),
        });
        if let Some(Holders { entry, .. }) = holders
            && end == End::Done
        {
            entry.acquired(now_ns);
        }
        if let Some(thread) = ledger.own {
            thread.end_wait(waited_ns, is_for_lock);
        }
        if end != End::Failed {
            ledger.contention(self.key, |contention| {
                let counter = match end {
                    End::TimedOut => &contention.timed_out,
                    _ => &contention.contended,
                };
                add(counter, 1);
                add_wait(contention, waited_ns);
            });
        }
        let used = self
            .usage
            .and_then(|before| Some(Usage::of_thread()?.since(before)));
        let waited = Waited {
            key: self.key,
            since_ns: self.since_ns,
            now_ns,
            waited_ns,
            end,
            is_for_lock,
            stands_for: self.stands_for,
            stack: self.stack,
            holder: self.holder,
            holders,
            used,
        };
        if let Some(thread) = ledger.own {
            let stack = || ledger.recorder.stack(thread, self.key.site);
            timeline::waited(thread, ledger.recorder, &waited, since_ns, stack);
        }
        waited
    }

    /// Notes in the lock's entry that the wait begins, or has ended with the lock. Other threads may make an entry for it even if this
    /// wait is not in the sample.
    fn turn(&self, ledger: &Ledger) {
        if let Some(thread) = ledger.own.filter(|it| it.events.keeps_waits())
            && let Some(entry) = match &self.contended {
                Some((entry, _)) => Some(*entry),
                None => ledger.recorder.contended.find(self.key.lock),
            }
        {
            timeline::turn(thread, entry);
        }
    }

    /// Whether the wait was for something that another thread had to give up.
    fn is_for_lock(&self) -> bool {
        if self.key.kind == LockKind::Semaphore {
            // The semaphore is a lock if a thread that had taken a unit holds it, or gave it back meanwhile.
            let released_by = self
                .contended
                .as_ref()
                .map(|(entry, _)| entry.last_release());
            return self.holder != Place::NOWHERE
                || released_by.is_some_and(|(at_ns, place)| {
                    at_ns >= self.since_ns && place != Place::NOWHERE
                });
        }
        !matches!(self.key.entry, EntryPoint::Wait | EntryPoint::EventWait)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::Recorder;

    #[test]
    fn whoever_has_the_lock_after_a_wait_is_charged_from_then_on() {
        // SAFETY: zeros are a recorder that has not started.
        let recorder: &Recorder = Box::leak(unsafe { Box::<Recorder>::new_zeroed().assume_init() });
        let ledger = Ledger {
            recorder,
            own: None,
        };
        let (began_ns, lock) = (100, 0x1000);
        for end in [End::TimedOut, End::Failed, End::Done] {
            let contended = recorder
                .contended
                .begin_wait(lock, Place::new(7, 0), began_ns);
            let (entry, _) = contended.unwrap();
            let wait = Wait {
                key: Key {
                    lock,
                    generation: 0,
                    site: 0,
                    entry: EntryPoint::Lock,
                    kind: LockKind::Mutex,
                    birth: 0,
                    other: 0,
                },
                since_ns: began_ns,
                stands_for: 1,
                stack: 0,
                holder: Place::new(7, 0),
                contended,
                usage: None,
            };
            let now_ns = wait.end(&ledger, end);
            let has_it = end == End::Done;
            assert_eq!(entry.since_ns(), if has_it { now_ns } else { began_ns });
            assert!(!entry.has_waiters());
        }
    }
}
