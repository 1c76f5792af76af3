//! Makes records of a thread, in the thread's table and in the file.

use core::sync::atomic::Ordering::{Relaxed, Release};
use core::sync::atomic::compiler_fence;

use locktoll_recording::layout::{
    BirthBy, BlameRecord, ContentionRecord, CountRecord, HoldRecord, OrderRecord, POOLED,
    StackWaitRecord,
};

use crate::environment;
use crate::fold::Fold;
use crate::index::{Key, Keyed, NOT_IN_SEQUENCE, Table};
use crate::recorder::{Guard, Recorder};
use crate::thread::{KNOWN_SITES, Thread};

/// The number of locks, living at one address one after another, that keep their own records at each place that acquires them.
/// It also bounds how long the table is searched.
const KEPT: usize = 8;

/// The same for a program that is recorded for as long as it runs: then there is one record for each address that ever had a lock.
const KEPT_IF_LIVE: usize = 1;

impl Thread {
    /// Returns the count for `key`, and makes it if there is none. Returns `None` if recording has stopped.
    ///
    /// `guard` is the recorder's lock if the caller holds it, as for the stand-in.
    #[cold]
    pub fn make_count(
        &self,
        key: Key,
        recorder: &'static Recorder,
        guard: Option<&Guard<'_>>,
    ) -> Option<&'static CountRecord> {
        self.maker(recorder, guard)
            .find_or_make(&self.counts, 126, key)
    }

    /// Returns the record of waits for `key`, and makes it if there is none. Returns `None` if recording has stopped.
    pub fn make_contention(
        &self,
        key: Key,
        recorder: &'static Recorder,
        guard: Option<&Guard<'_>>,
    ) -> Option<&'static ContentionRecord> {
        self.maker(recorder, guard)
            .find_or_make(&self.contentions, 9, key)
    }

    /// Returns the record of holds for `key`, and makes it if there is none. Returns `None` if recording has stopped.
    pub fn make_hold(&self, key: Key, recorder: &'static Recorder) -> Option<&'static HoldRecord> {
        self.maker(recorder, None).find_or_make(&self.holds, 9, key)
    }

    /// Returns the record of blame for `key`, and makes it if there is none. Returns `None` if recording has stopped.
    pub fn make_blame(
        &self,
        key: Key,
        recorder: &'static Recorder,
    ) -> Option<&'static BlameRecord> {
        self.maker(recorder, None)
            .find_or_make(&self.blames, 84, key)
    }

    /// Returns the record of waits by stack for `key`, and makes it if there is none. Returns `None` if recording has stopped.
    pub fn make_stack_wait(
        &self,
        key: Key,
        recorder: &'static Recorder,
    ) -> Option<&'static StackWaitRecord> {
        self.maker(recorder, None)
            .find_or_make(&self.stack_waits, 84, key)
    }

    /// Makes the record of an order for `key`, and calls `fill` with it. Returns `None` if recording has stopped.
    pub fn make_order(
        &self,
        key: Key,
        recorder: &'static Recorder,
        fill: impl FnOnce(&OrderRecord),
    ) -> Option<&'static OrderRecord> {
        if !self.orders.index.is_started() || self.is_busy() {
            return None;
        }
        self.set_busy(true);
        // The compiler must not move the work out from between the two stores: see T3.
        compiler_fence(Release);
        let maker = self.maker(recorder, None);
        let site = match key.site {
            0 => 0,
            address => self.site(address, recorder, None),
        };
        let record = maker.add(&self.orders, 12, key, site);
        if let Some(record) = record {
            fill(record);
        }
        compiler_fence(Release);
        self.set_busy(false);
        record
    }

    fn maker<'a>(&'a self, recorder: &'static Recorder, guard: Option<&'a Guard<'a>>) -> Maker<'a> {
        Maker {
            thread: self,
            recorder,
            guard,
        }
    }

    /// Returns the number of the site at `address`, from this thread's own memory or the recorder's.
    pub fn site(&self, address: usize, recorder: &Recorder, guard: Option<&Guard<'_>>) -> u32 {
        let known = &self.known_sites[(address >> 2) % KNOWN_SITES];
        let (known_address, number) = known.get();
        // The code there may have been unloaded, and other code loaded in its place.
        if known_address == address && recorder.addresses.get(number) == address {
            return number;
        }
        let number = match guard {
            Some(guard) => guard.site(address),
            None => recorder.lock().site(address),
        };
        if number != 0 {
            known.set((address, number));
        }
        number
    }
}

struct Maker<'a> {
    thread: &'a Thread,
    recorder: &'static Recorder,
    /// The recorder's lock, if the caller holds it.
    guard: Option<&'a Guard<'a>>,
}

impl Maker<'_> {
    /// Returns the record for `key`, and makes it if there is none. Returns `None` if recording has stopped.
    fn find_or_make<R: Fold, const FIRST: usize>(
        &self,
        table: &Table<R, FIRST>,
        first_records: u32,
        key: Key,
    ) -> Option<&'static R> {
        if let Some(record) = table.index.find(key, &self.recorder.addresses) {
            return Some(record);
        }
        // While this thread waited for a lock, a signal handler forked and has returned in the child: none of the state is
        // valid there.
        if !table.index.is_started() || self.thread.is_busy() {
            return None;
        }
        self.thread.set_busy(true);
        // The compiler must not move the work out from between the two stores: see T3.
        compiler_fence(Release);
        let record = self.make(table, first_records, key);
        compiler_fence(Release);
        self.thread.set_busy(false);
        record
    }

    fn make<R: Fold, const FIRST: usize>(
        &self,
        table: &Table<R, FIRST>,
        first_records: u32,
        mut key: Key,
    ) -> Option<&'static R> {
        let addresses = &self.recorder.addresses;
        let site = self.thread.site(key.site, self.recorder, self.guard);
        if site == 0 {
            // There is no room for the site: all such sites share one record for each lock.
            key.site = 0;
            if let Some(record) = table.index.find(key, addresses) {
                return Some(record);
            }
        }
        if key.birth == 0 && key.generation & NOT_IN_SEQUENCE != 0 && self.guard.is_none() {
            let by = BirthBy::FirstUse;
            let recorder = self.recorder;
            key.birth = recorder.birth(Some(self.thread), key.site, by, key.kind);
        }
        if let Some(gone) = self.gone(table, key) {
            let birth = gone.head().birth.load(Relaxed);
            let of_all = Key {
                lock: POOLED as usize,
                generation: birth,
                birth,
                ..key
            };
            let pool = match table.index.find(of_all, addresses) {
                Some(pool) => pool,
                None => self.add(table, first_records, of_all, site)?,
            };
            gone.fold_into(pool);
            let head = gone.head();
            head.generation.store(key.generation, Relaxed);
            head.birth.store(key.birth, Relaxed);
            return Some(gone);
        }
        self.add(table, first_records, key, site)
    }

    /// Returns the record of an earlier lock at this address, if there were so many that their records are merged.
    fn gone<R: Fold, const FIRST: usize>(
        &self,
        table: &Table<R, FIRST>,
        key: Key,
    ) -> Option<&'static R> {
        if key.lock as u64 == POOLED {
            return None;
        }
        let addresses = &self.recorder.addresses;
        let kept = match environment::is_live() {
            true => KEPT_IF_LIVE,
            false => KEPT,
        };
        table.index.find_one_of_many_gone(key, addresses, kept)
    }

    fn add<R: Keyed, const FIRST: usize>(
        &self,
        table: &Table<R, FIRST>,
        first_records: u32,
        key: Key,
        site: u32,
    ) -> Option<&'static R> {
        if !table.index.has_room() && !table.index.grow(&self.recorder.addresses) {
            return None;
        }
        let record = self.append(table, first_records, key, site)?;
        table.index.insert(key, record);
        Some(record)
    }

    fn append<R: Keyed, const FIRST: usize>(
        &self,
        table: &Table<R, FIRST>,
        first_records: u32,
        key: Key,
        site: u32,
    ) -> Option<&'static R> {
        let fill = |record: &R| {
            let head = record.head();
            head.lock.store(key.lock as u64, Relaxed);
            head.generation.store(key.generation, Relaxed);
            head.site.store(site, Relaxed);
            head.birth.store(key.birth, Relaxed);
            head.kind.store(key.kind.number(), Relaxed);
            head.entry.store(key.entry.number(), Relaxed);
            record.set_other(key.other);
        };
        // SAFETY: T2 and `busy`: nobody else has a reference to the segment.
        let segment = unsafe { &mut *table.segment.get() };
        if let Some(record) = segment.as_mut().and_then(|segment| segment.append(fill)) {
            // SAFETY: segments stay mapped.
            return Some(unsafe { record.as_ref() });
        }
        let taken;
        let guard = match self.guard {
            Some(guard) => guard,
            None => {
                taken = self.recorder.lock();
                &taken
            }
        };
        let (part, owner) = (&guard.shared().part, self.thread.slot());
        // SAFETY: the lock is held, and the segment belongs to this process's part.
        let record = unsafe { part.append(segment, owner, first_records, fill) };
        // SAFETY: segments stay mapped.
        record.map(|record| unsafe { record.as_ref() })
    }
}
