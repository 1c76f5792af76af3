//! A thread's own tables and the slots they live in.
//!
//! A slot serves one thread after another: its tables and the segments it writes stay, so ten thousand threads that
//! live one after another need no more room than one, but for a record of each life.
//!
//! Some hooks come when their thread has no tables: after it gave them back at its end, or inside the recorder itself
//! when a signal handler interrupts it. They use the *stand-in*, a slot that all threads share under the recorder's
//! lock: slow and exact.
//!
//! # Invariants
//!
//! - **T1** A [`Thread`] stays mapped for the life of the process. Memory wiped by a fork is one that has not started.
//! - **T2** Its cells are touched only by the thread whose pointer (`tls`) it is, or for the stand-in by the holder of
//!   the recorder's lock.
//! - **T3** While `busy` is set, the thread is inside `Maker::find_or_make`, and a hook of a signal handler on the same thread
//!   may read its tables and may not add to them.

use core::cell::{Cell, UnsafeCell};
use core::sync::atomic::Ordering::{Relaxed, Release};
use core::sync::atomic::{AtomicU64, compiler_fence};

use locktoll_recording::histogram;
use locktoll_recording::layout::{ContentionRecord, CountRecord, LockKind, ThreadRecord};
use locktoll_recording::writer::SegmentWriter;

use crate::index::{Index, Key, Keyed};
use crate::recorder::{Guard, Recorder};
use crate::sites::SiteAddresses;

/// How many call sites a thread remembers by itself, so that a new lock at a known site needs no shared lock.
const KNOWN_SITES: usize = 32;

/// What a thread records into. The first line of it is all that a hook reads on its way.
#[repr(C, align(64))]
pub struct Thread {
    counts: Index<CountRecord>,
    contentions: Index<ContentionRecord>,
    busy: Cell<bool>,
    /// How many rounds of destructors the thread has gone through at its end.
    pub farewells: Cell<u8>,
    slot: Cell<u32>,
    /// The record of the life of the thread that has the slot.
    pub life: Cell<*const ThreadRecord>,
    /// The next in the list of free slots.
    pub next_free: Cell<*const Thread>,
    count_segment: UnsafeCell<Option<SegmentWriter<CountRecord>>>,
    contention_segment: UnsafeCell<Option<SegmentWriter<ContentionRecord>>>,
    known_sites: [Cell<(usize, u32)>; KNOWN_SITES],
    first_counts: [Cell<u64>; 256],
    first_contentions: [Cell<u64>; 64],
}

impl Thread {
    /// Begins with empty tables. The memory is zeros.
    ///
    /// # Safety
    /// T2.
    pub unsafe fn start(&self, slot: u32) {
        self.slot.set(slot);
        // SAFETY: T2.
        unsafe {
            self.count_segment.get().write(None);
            self.contention_segment.get().write(None);
        }
        self.contentions.start(&self.first_contentions);
        self.counts.start(&self.first_counts);
    }

    /// The slot's number.
    pub fn slot(&self) -> u32 {
        self.slot.get()
    }

    /// Whether it can record: not so before its start, nor in the child of a fork that wiped it.
    pub fn is_started(&self) -> bool {
        self.counts.is_started()
    }

    /// Whether a record is being made, so that none can be made now.
    pub fn is_busy(&self) -> bool {
        self.busy.get()
    }

    /// The count for `key`, if there is one yet.
    #[inline(always)]
    pub fn count(&self, key: Key, addresses: &SiteAddresses) -> Option<&'static CountRecord> {
        self.counts.find(key, addresses)
    }

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
        let maker = Maker {
            thread: self,
            index: &self.counts,
            segment: &self.count_segment,
            first_records: 126,
        };
        maker.find_or_make(key, recorder, guard)
    }

    /// The record of waits for `key`, made if there is none. `None` if recording has stopped.
    pub fn make_contention(
        &self,
        key: Key,
        recorder: &'static Recorder,
        guard: Option<&Guard<'_>>,
    ) -> Option<&'static ContentionRecord> {
        let maker = Maker {
            thread: self,
            index: &self.contentions,
            segment: &self.contention_segment,
            first_records: 9,
        };
        maker.find_or_make(key, recorder, guard)
    }

    /// The number of the site at `address`, from this thread's own memory or the recorder's.
    fn site(&self, address: usize, recorder: &Recorder, guard: Option<&Guard<'_>>) -> u32 {
        let known = &self.known_sites[(address >> 2) % KNOWN_SITES];
        let (known_address, number) = known.get();
        if known_address == address {
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

    /// Notes in the thread's life what it waits for from now on.
    pub fn begin_wait(&self, lock: usize, contention: &ContentionRecord, since_ns: u64) {
        // SAFETY: the life is null or a record, and records stay mapped.
        if let Some(life) = unsafe { self.life.get().as_ref() } {
            life.waiting_lock.store(lock as u64, Relaxed);
            let site = contention.site.load(Relaxed);
            life.waiting_site.store(site, Relaxed);
            // Release: who sees the time sees the lock it belongs to.
            life.waiting_since_ns.store(since_ns, Release);
        }
    }

    /// Notes that the wait is over.
    pub fn end_wait(&self) {
        // SAFETY: as in `begin_wait`.
        if let Some(life) = unsafe { self.life.get().as_ref() } {
            life.waiting_since_ns.store(0, Relaxed);
        }
    }
}

/// Makes records of one kind for one thread.
struct Maker<'t, R: 'static> {
    thread: &'t Thread,
    index: &'t Index<R>,
    segment: &'t UnsafeCell<Option<SegmentWriter<R>>>,
    first_records: u32,
}

impl<R: Keyed> Maker<'_, R> {
    fn find_or_make(
        &self,
        key: Key,
        recorder: &'static Recorder,
        guard: Option<&Guard<'_>>,
    ) -> Option<&'static R> {
        if let Some(record) = self.index.find(key, &recorder.addresses) {
            return Some(record);
        }
        // A signal handler that forked while we waited for a lock has come back in the child: nothing is ours any more.
        if !self.index.is_started() {
            return None;
        }
        self.thread.busy.set(true);
        // The compiler must not move the work out from between the two stores: see T3.
        compiler_fence(Release);
        let record = self.make(key, recorder, guard);
        compiler_fence(Release);
        self.thread.busy.set(false);
        record
    }

    fn make(
        &self,
        mut key: Key,
        recorder: &'static Recorder,
        guard: Option<&Guard<'_>>,
    ) -> Option<&'static R> {
        let site = self.thread.site(key.site, recorder, guard);
        if site == 0 {
            // No room for the site: all such sites share one record a lock.
            key.site = 0;
            if let Some(record) = self.index.find(key, &recorder.addresses) {
                return Some(record);
            }
        }
        if !self.index.has_room() && !self.index.grow(&recorder.addresses) {
            return None;
        }
        let record = self.append(key, site, recorder, guard)?;
        self.index.insert(key, record);
        Some(record)
    }

    fn append(
        &self,
        key: Key,
        site: u32,
        recorder: &'static Recorder,
        guard: Option<&Guard<'_>>,
    ) -> Option<&'static R> {
        let fill = |record: &R| {
            let head = record.head();
            head.lock.store(key.lock as u64, Relaxed);
            head.site.store(site, Relaxed);
            head.kind.store(LockKind::Mutex.number(), Relaxed);
            head.entry.store(key.entry.number(), Relaxed);
        };
        // SAFETY: T2 and `busy`: nobody else has a reference to it.
        let segment = unsafe { &mut *self.segment.get() };
        if let Some(record) = segment.as_mut().and_then(|segment| segment.append(fill)) {
            // SAFETY: segments stay mapped.
            return Some(unsafe { record.as_ref() });
        }
        let taken;
        let guard = match guard {
            Some(guard) => guard,
            None => {
                taken = recorder.lock();
                &taken
            }
        };
        let (part, owner) = (&guard.shared().part, self.thread.slot.get());
        // SAFETY: the lock is held, and the segment is of this process's part.
        let record = unsafe { part.append(segment, owner, self.first_records, fill) };
        // SAFETY: segments stay mapped.
        record.map(|record| unsafe { record.as_ref() })
    }
}

/// Adds to a counter that one thread alone writes: a load and a store, no atomic read-modify-write.
#[inline(always)]
pub fn add(counter: &AtomicU64, amount: u64) {
    // Relaxed: readers want each counter whole, and no more.
    counter.store(counter.load(Relaxed).wrapping_add(amount), Relaxed);
}

/// Adds a wait of `waited_ns` to `contention`.
pub fn add_wait(contention: &ContentionRecord, waited_ns: u64) {
    add(&contention.wait_total_ns, waited_ns);
    if waited_ns > contention.wait_max_ns.load(Relaxed) {
        contention.wait_max_ns.store(waited_ns, Relaxed);
    }
    add(
        &contention.wait_histogram[histogram::bucket_of(waited_ns)],
        1,
    );
}
