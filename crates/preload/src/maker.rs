//! Makes records of a thread, in its table and in the file.

use core::sync::atomic::Ordering::{Relaxed, Release};
use core::sync::atomic::compiler_fence;

use locktoll_recording::layout::{
    BirthBy, BlameRecord, ContentionRecord, CountRecord, HoldRecord, POOLED, StackWaitRecord,
};

use crate::fold::Fold;
use crate::index::{Key, Keyed, NOT_IN_SEQUENCE, Table};
use crate::recorder::{Guard, Recorder};
use crate::thread::{KNOWN_SITES, Thread};

/// So many locks that lived at one address one after another keep records of their own at each place that acquires them.
/// It bounds how long the table is searched, too.
const KEPT: usize = 8;

impl Thread {
    /// The count for `key`, made if there is none. `None` if recording has stopped.
    ///
    /// `guard` is the recorder's lock where the caller holds it, as for the stand-in.
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

    /// The record of waits for `key`, made if there is none. `None` if recording has stopped.
    pub fn make_contention(
        &self,
        key: Key,
        recorder: &'static Recorder,
        guard: Option<&Guard<'_>>,
    ) -> Option<&'static ContentionRecord> {
        self.maker(recorder, guard)
            .find_or_make(&self.contentions, 9, key)
    }

    /// The record of holds for `key`, made if there is none. `None` if recording has stopped.
    pub fn make_hold(&self, key: Key, recorder: &'static Recorder) -> Option<&'static HoldRecord> {
        self.maker(recorder, None).find_or_make(&self.holds, 9, key)
    }

    /// The record of blame for `key`, made if there is none. `None` if recording has stopped.
    pub fn make_blame(
        &self,
        key: Key,
        recorder: &'static Recorder,
    ) -> Option<&'static BlameRecord> {
        self.maker(recorder, None)
            .find_or_make(&self.blames, 84, key)
    }

    /// The record of waits by stack for `key`, made if there is none. `None` if recording has stopped.
    pub fn make_stack_wait(
        &self,
        key: Key,
        recorder: &'static Recorder,
    ) -> Option<&'static StackWaitRecord> {
        self.maker(recorder, None)
            .find_or_make(&self.stack_waits, 84, key)
    }

    fn maker<'a>(&'a self, recorder: &'static Recorder, guard: Option<&'a Guard<'a>>) -> Maker<'a> {
        Maker {
            thread: self,
            recorder,
            guard,
        }
    }

    /// The number of the site at `address`, from this thread's own memory or the recorder's.
    pub fn site(&self, address: usize, recorder: &Recorder, guard: Option<&Guard<'_>>) -> u32 {
        let known = &self.known_sites[(address >> 2) % KNOWN_SITES];
        let (known_address, number) = known.get();
        // The code that was there may have gone, and other code come.
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
    /// Its lock, where the caller holds it.
    guard: Option<&'a Guard<'a>>,
}

impl Maker<'_> {
    /// The record for `key`, made if there is none. `None` if recording has stopped.
    fn find_or_make<R: Fold, const FIRST: usize>(
        &self,
        table: &Table<R, FIRST>,
        first_records: u32,
        key: Key,
    ) -> Option<&'static R> {
        if let Some(record) = table.index.find(key, &self.recorder.addresses) {
            return Some(record);
        }
        // A signal handler that forked while we waited for a lock has come back in the child: nothing is ours any more.
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
            // No room for the site: all such sites share one record a lock.
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

    /// The record of a lock that was at this address before, if there were so many there that they are put together.
    fn gone<R: Fold, const FIRST: usize>(
        &self,
        table: &Table<R, FIRST>,
        key: Key,
    ) -> Option<&'static R> {
        if key.lock as u64 == POOLED {
            return None;
        }
        let addresses = &self.recorder.addresses;
        table.index.find_one_of_many_gone(key, addresses, KEPT)
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
        // SAFETY: T2 and `busy`: nobody else has a reference to it.
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
        // SAFETY: the lock is held, and the segment is of this process's part.
        let record = unsafe { part.append(segment, owner, first_records, fill) };
        // SAFETY: segments stay mapped.
        record.map(|record| unsafe { record.as_ref() })
    }
}
