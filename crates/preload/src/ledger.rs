//! Enters an event into the calling thread's own tables, or into the stand-in's.
//!
//! This is the slow path, for first times and for waits. For repeated events, the hook uses the record directly.

use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{
    BirthBy, ContentionRecord, CountRecord, DropReason, EntryPoint, LockKind,
};

use crate::attachment;
use crate::blame;
use crate::chains::Chained;
use crate::clock;
use crate::held::Released;
use crate::hold::{self, Ended};
use crate::index::Key;
use crate::order;
use crate::place::Place;
use crate::recorder::Recorder;
use crate::tally::add;
use crate::thread::Thread;
use crate::timeline;

/// The recorder, and the calling thread's tables in it.
pub struct Ledger {
    pub recorder: &'static Recorder,
    /// `None` if the thread is past its end, or if a signal handler interrupted it while it was changing its own tables.
    pub own: Option<&'static Thread>,
}

impl Ledger {
    /// Opens the ledger, unless this process does not record.
    pub fn open() -> Option<Self> {
        let recorder = Recorder::running()?;
        let own = attachment::attach(recorder).filter(|thread| !thread.is_busy());
        Some(Self { recorder, own })
    }

    /// Returns the key of a call's records. A lock that was not seen before is marked.
    ///
    /// # Safety
    /// `lock` is an object of this kind that the program has called a function on: see `identity`.
    pub unsafe fn key(&self, kind: LockKind, lock: usize, site: usize, entry: EntryPoint) -> Key {
        let by = BirthBy::FirstUse;
        // SAFETY: the caller's promise.
        let identity = unsafe { self.recorder.identify(kind, lock, site, by, self.own) };
        Key {
            lock,
            generation: identity.generation,
            site,
            entry,
            kind,
            birth: identity.birth,
            other: 0,
        }
    }

    /// Notes that the call at `site` just initialised `lock`.
    ///
    /// # Safety
    /// As for [`key`](Self::key).
    pub unsafe fn initialised(&self, kind: LockKind, lock: usize, site: usize) {
        let by = BirthBy::Initialisation;
        // SAFETY: the caller's promise.
        unsafe {
            self.recorder.forget(kind, lock);
            self.recorder.identify(kind, lock, site, by, self.own);
        }
    }

    /// Makes the count for `key`, so that it does not have to be made while the lock is held.
    pub fn prepare(&self, key: Key) {
        if let Some(thread) = self.own {
            thread.make_count(key, self.recorder, None);
        }
    }

    /// Makes both records for `key`, so that they do not have to be made while the lock is held.
    pub fn prepare_wait(&self, key: Key) {
        self.prepare(key);
        if let Some(thread) = self.own {
            thread.make_contention(key, self.recorder, None);
        }
    }

    /// Enters one acquisition, contended or not: from now on the thread holds the lock.
    pub fn acquired(&self, key: Key) {
        let recorder = self.recorder;
        match self.own {
            Some(thread) => match thread.make_count(key, recorder, None) {
                Some(count) => acquired(thread, count),
                None => recorder.part().drop_one(DropReason::Stopped),
            },
            None => self.counted(key),
        }
    }

    /// Enters one call of a function that acquires nothing.
    pub fn counted(&self, key: Key) {
        let recorder = self.recorder;
        match self.own {
            Some(thread) => self.enter(thread.make_count(key, recorder, None), add_one),
            None => {
                let guard = recorder.lock();
                let stand_in = &guard.shared().stand_in;
                self.enter(stand_in.make_count(key, recorder, Some(&guard)), add_one);
            }
        }
    }

    /// Enters one attempt that found the lock taken.
    pub fn try_failed(&self, key: Key) {
        self.contention(key, |contention| add(&contention.try_failed, 1));
    }

    /// Calls `enter` with the record of waits for `key`.
    pub fn contention(&self, key: Key, enter: impl FnOnce(&ContentionRecord)) {
        let recorder = self.recorder;
        match self.own {
            Some(thread) => self.enter(thread.make_contention(key, recorder, None), enter),
            None => {
                let guard = recorder.lock();
                let stand_in = &guard.shared().stand_in;
                self.enter(stand_in.make_contention(key, recorder, Some(&guard)), enter);
            }
        }
    }

    fn enter<R>(&self, record: Option<&R>, enter: impl FnOnce(&R)) {
        match record {
            Some(record) => enter(record),
            None => self.recorder.part().drop_one(DropReason::Stopped),
        }
    }
}

fn add_one(count: &CountRecord) {
    add(&count.acquisitions, 1);
}

/// Notes that `thread` has acquired a lock, as `count` says.
#[inline(always)]
pub fn acquired(thread: &Thread, count: &'static CountRecord) {
    add_one(count);
    if !thread.held.push_first(count) {
        acquired_while_holding(thread, count);
        return;
    }
    time(thread, count);
}

/// Begins to time the hold of the lock that `thread` pushed last, if it is this hold's turn.
#[inline(always)]
fn time(thread: &Thread, count: &'static CountRecord) {
    let left = count.until_timed.load(Relaxed);
    if left == 0 {
        hold::begin(thread, count);
    } else {
        count.until_timed.store(left - 1, Relaxed);
    }
}

/// Does the rest for a thread that holds other locks: their order is noted.
#[inline(never)]
fn acquired_while_holding(thread: &Thread, count: &'static CountRecord) {
    let Some(chain) = thread.held.push(count, thread.chains.chained()) else {
        make_room(thread, count);
        return;
    };
    if chain != 0 {
        match thread.chains.find(chain) {
            Some(record) => add(&record.times, 1),
            None => order::note_acquisition(thread, count, chain),
        }
    }
    time(thread, count);
}

/// Makes room for a thread that holds very many locks, or whose list has filled with locks that other threads have released.
#[cold]
#[inline(never)]
fn make_room(thread: &Thread, count: &'static CountRecord) {
    let same = |other: &CountRecord| other.lock.load(Relaxed) == count.lock.load(Relaxed);
    let semaphore = LockKind::Semaphore.number();
    // Semaphores are the locks that other threads release.
    if thread.held.drop_stale(same)
        || thread
            .held
            .drop_stale(|other| other.kind.load(Relaxed) == semaphore)
    {
        // The list has been changed: the order of this acquisition is not noted.
        thread.held.push(count, Chained::Off);
    }
}

/// A lock that is about to be released by its holder.
pub struct Release {
    thread: &'static Thread,
    recorder: &'static Recorder,
    ended: Option<Ended>,
    /// The entry of its acquisition, if the calling thread acquired it.
    pub released: Option<Released>,
}

impl Release {
    /// Called before the real function: reads the clock if necessary, while the thread still holds the lock. `waited_for` says
    /// whether somebody may be waiting.
    pub fn begin(thread: &'static Thread, lock: usize, waited_for: bool) -> Option<Self> {
        let recorder = Recorder::get()?;
        if thread.events.keeps_waits() {
            return Some(Self::begin_kept(thread, recorder, lock, waited_for));
        }
        let released = thread.held.remove(lock);
        let ended = released
            .filter(|it| it.since != 0)
            .map(|it| Ended::now(it, thread, recorder));
        if waited_for && let Some(entry) = recorder.contended.entry(lock) {
            let now_ns = clock::monotonic_ns();
            let place = released.map_or(Place::NOWHERE, |it| it.place());
            let acquired_ns = ended.map(|it| now_ns.saturating_sub(it.held_ns()));
            entry.release(place, acquired_ns, now_ns);
        }
        Some(Self {
            thread,
            recorder,
            ended,
            released,
        })
    }

    /// Does the same if the hold may be kept in the timeline, with the time that waiters will read.
    #[cold]
    #[inline(never)]
    fn begin_kept(
        thread: &'static Thread,
        recorder: &'static Recorder,
        lock: usize,
        waited_for: bool,
    ) -> Self {
        let kept = thread.held.remove_kept(lock);
        let released = kept.map(|it| it.0);
        let ended = released
            .filter(|it| it.since != 0)
            .map(|it| Ended::now(it, thread, recorder));
        let held_ns = ended.map(|it| it.held_ns());
        let awaited = waited_for.then(|| {
            let now_ns = clock::monotonic_ns();
            let turns = recorder.contended.entry(lock).map(|entry| {
                let place = released.map_or(Place::NOWHERE, |it| it.place());
                let acquired_ns = held_ns.map(|it| now_ns.saturating_sub(it));
                entry.release_in_turn(place, acquired_ns, now_ns)
            });
            (now_ns, turns)
        });
        if let Some((released, kept)) = kept {
            timeline::released(thread, recorder, (released.count, kept), held_ns, awaited);
        }
        Self {
            thread,
            recorder,
            ended,
            released,
        }
    }

    /// Called after the real function: does the work that takes longer.
    pub fn finish(self) {
        let is_free = self.thread.has_nothing_pending()
            || enter_pending(self.thread, self.recorder, self.released.map(|it| it.count));
        if let Some(ended) = self.ended
            && is_free
            && self.recorder.is_on()
        {
            ended.enter(self.thread, self.recorder);
        }
    }
}

/// Enters the wait that was kept back until this release. Returns `false` if nothing can be entered, since a signal handler
/// has interrupted the making of a record.
#[cold]
#[inline(never)]
fn enter_pending(
    thread: &Thread,
    recorder: &'static Recorder,
    count: Option<&CountRecord>,
) -> bool {
    if let Some(count) = count {
        let lock = count.lock.load(Relaxed) as usize;
        blame::enter_kept_back(thread, recorder, Some(lock));
    }
    !thread.is_busy()
}
