//! Makes records of a thread, in its table and in the file.

use core::cell::{Cell, UnsafeCell};
use core::sync::atomic::Ordering::{Relaxed, Release};
use core::sync::atomic::compiler_fence;

use locktoll_recording::layout::{BirthBy, POOLED};
use locktoll_recording::writer::SegmentWriter;

use crate::fold::Fold;
use crate::index::{Index, Key, Keyed, NOT_IN_SEQUENCE};
use crate::recorder::{Guard, Recorder};
use crate::thread::Thread;

/// The records of one kind of one thread: where they are found, and where the next one goes.
///
/// `FIRST` is the length of the table before it grows.
pub struct Table<R: 'static, const FIRST: usize> {
    /// Finds them.
    pub index: Index<R>,
    segment: UnsafeCell<Option<SegmentWriter<R>>>,
    first: [Cell<u64>; FIRST],
}

impl<R: Keyed, const FIRST: usize> Table<R, FIRST> {
    /// Begins empty. The memory is zeros.
    ///
    /// # Safety
    /// T2.
    pub unsafe fn start(&self) {
        // SAFETY: T2.
        unsafe { self.segment.get().write(None) };
        self.index.start(&self.first);
    }
}

/// So many locks that lived at one address one after another keep records of their own at each place that acquires them.
/// It bounds how long the table is searched, too.
const KEPT: usize = 8;

/// Makes records for one thread.
pub struct Maker<'a> {
    /// Whose.
    pub thread: &'a Thread,
    /// The recorder of this process.
    pub recorder: &'static Recorder,
    /// Its lock, where the caller holds it.
    pub guard: Option<&'a Guard<'a>>,
}

impl Maker<'_> {
    /// The record for `key`, made if there is none. `None` if recording has stopped.
    pub fn find_or_make<R: Fold, const FIRST: usize>(
        &self,
        table: &Table<R, FIRST>,
        first_records: u32,
        key: Key,
    ) -> Option<&'static R> {
        if let Some(record) = table.index.find(key, &self.recorder.addresses) {
            return Some(record);
        }
        // A signal handler that forked while we waited for a lock has come back in the child: nothing is ours any more.
        if !table.index.is_started() || self.thread.busy.get() {
            return None;
        }
        self.thread.busy.set(true);
        // The compiler must not move the work out from between the two stores: see T3.
        compiler_fence(Release);
        let record = self.make(table, first_records, key);
        compiler_fence(Release);
        self.thread.busy.set(false);
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
            if let Some(other) = record.other() {
                other.store(key.other, Relaxed);
            }
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
