//! Where an event is entered: into the calling thread's own tables, or into the stand-in's.
//!
//! This is the slower way, for first times and for waits. What a thread does over and over goes from the hook straight
//! to its record.

use locktoll_recording::layout::{ContentionRecord, CountRecord, DropReason};

use crate::index::Key;
use crate::recorder::Recorder;
use crate::slots;
use crate::thread::{Thread, add, add_wait};

/// The recorder and what the calling thread has in it.
pub struct Ledger {
    recorder: &'static Recorder,
    /// `None` if the thread is past its end, or inside its own tables when a signal handler interrupted it.
    own: Option<&'static Thread>,
}

impl Ledger {
    /// The ledger, unless this process does not record.
    pub fn open() -> Option<Self> {
        let recorder = Recorder::running()?;
        let own = slots::attach(recorder).filter(|thread| !thread.is_busy());
        Some(Self { recorder, own })
    }

    /// Makes the count for `key`, so that it need not be made while the lock is held.
    pub fn prepare(&self, key: Key) {
        if let Some(thread) = self.own {
            thread.make_count(key, self.recorder, None);
        }
    }

    /// Makes both records for `key`, so that they need not be made while the lock is held.
    pub fn prepare_wait(&self, key: Key) {
        self.prepare(key);
        if let Some(thread) = self.own {
            thread.make_contention(key, self.recorder, None);
        }
    }

    /// Shows what the thread waits for.
    pub fn begin_wait(&self, key: Key, since_ns: u64) {
        if let Some(thread) = self.own
            && let Some(contention) = thread.make_contention(key, self.recorder, None)
        {
            thread.begin_wait(key.lock, contention, since_ns);
        }
    }

    /// The thread waits no longer.
    pub fn end_wait(&self) {
        if let Some(thread) = self.own {
            thread.end_wait();
        }
    }

    /// One acquisition at once.
    pub fn acquired(&self, key: Key) {
        self.count(key, |count| add(&count.acquisitions, 1));
    }

    /// One acquisition after a wait of `waited_ns`.
    pub fn acquired_after_wait(&self, key: Key, waited_ns: u64) {
        self.acquired(key);
        self.contention(key, |contention| {
            add(&contention.contended, 1);
            add_wait(contention, waited_ns);
        });
    }

    /// One wait of `waited_ns` that its deadline ended.
    pub fn timed_out(&self, key: Key, waited_ns: u64) {
        self.contention(key, |contention| {
            add(&contention.timed_out, 1);
            add_wait(contention, waited_ns);
        });
    }

    /// One attempt that found the lock taken.
    pub fn try_failed(&self, key: Key) {
        self.contention(key, |contention| add(&contention.try_failed, 1));
    }

    fn count(&self, key: Key, enter: impl FnOnce(&CountRecord)) {
        let recorder = self.recorder;
        match self.own {
            Some(thread) => self.enter(thread.make_count(key, recorder, None), enter),
            None => {
                let guard = recorder.lock();
                let stand_in = &guard.shared().stand_in;
                self.enter(stand_in.make_count(key, recorder, Some(&guard)), enter);
            }
        }
    }

    fn contention(&self, key: Key, enter: impl FnOnce(&ContentionRecord)) {
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
