//! A thread's own tables and the slots they live in.
//!
//! A slot serves one thread after another. Its tables and its segments stay, so ten thousand threads that live one after
//! another need no more room than one, except for a record of each life.
//!
//! Some hooks run when their thread has no tables: after the thread returned them at its end, or when a signal handler
//! interrupts the recorder itself. They use the *stand-in*, a slot that all threads share under the recorder's lock. It is
//! slow and exact.
//!
//! # Invariants
//!
//! - **T1** A [`Thread`] stays mapped for the life of the process. Memory wiped by a fork counts as a thread that has not
//!   started.
//! - **T2** Its cells are touched only by the thread whose pointer (`tls`) points to it, or, for the stand-in, by the holder
//!   of the recorder's lock.
//! - **T3** While `busy` is set, the thread is inside `Maker::find_or_make`, and a hook of a signal handler on the same thread
//!   may read its tables and may not add to them.

use core::cell::Cell;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Relaxed, Release};

use locktoll_recording::layout::{
    BlameRecord, ContentionRecord, CountRecord, EntryPoint, HoldRecord, OrderRecord,
    StackWaitRecord, ThreadRecord,
};

use crate::chains::RecentChains;
use crate::events::Events;
use crate::held::HeldLocks;
use crate::index::{Key, Table};
use crate::numbers::StackCache;
use crate::recent::RecentCounts;
use crate::sites::SiteAddresses;
use crate::tally::add;
use crate::usage::Usage;
use crate::waited::{KeptBack, Waited};

/// A record is being made: T3.
const BUSY: u8 = 1;
/// A wait may be kept back. A signal handler that interrupts a change may leave the bit set when no wait is kept back; this
/// only costs a check.
const KEEPS_BACK: u8 = 2;

/// The number of hold records that a thread has at hand, found by their counts.
pub const RECENT_HOLDS: usize = 16;

/// The number of call sites that a thread remembers, so that a new lock at a known site needs no shared lock.
pub const KNOWN_SITES: usize = 32;

/// The tables that a thread records into. On its fast path, a hook reads only the first two cache lines.
#[repr(C, align(64))]
pub struct Thread {
    pub(crate) counts: Table<CountRecord, 256>,
    pub held: HeldLocks,
    /// The counts that were used recently.
    pub recent: RecentCounts,
    /// The chains of held locks that were used recently.
    pub chains: RecentChains,
    /// The ring of events by time.
    pub events: Events,
    pub(crate) contentions: Table<ContentionRecord, 64>,
    pub(crate) holds: Table<HoldRecord, 128>,
    pub(crate) blames: Table<BlameRecord, 64>,
    pub(crate) stack_waits: Table<StackWaitRecord, 64>,
    pub(crate) orders: Table<OrderRecord, 32>,
    /// [`BUSY`], [`KEEPS_BACK`].
    state: Cell<u8>,
    /// The number of rounds of destructors that the thread has gone through at its end.
    pub farewells: Cell<u8>,
    slot: Cell<u32>,
    /// How many records of lives the slot has.
    pub lives: Cell<u32>,
    /// The thread's id, for threads that look for the holder of a lock.
    pub tid: AtomicU32,
    /// The number of waits to let pass before the next is examined.
    pub until_examined: Cell<u32>,
    /// The state of the thread's random numbers.
    pub random: Cell<u64>,
    /// Hold records that were used recently, each with its count. A slot keeps its records, so they are valid for the next
    /// thread too.
    pub recent_holds: [Cell<(*const CountRecord, *const HoldRecord)>; RECENT_HOLDS],
    /// For counts that were used recently, with all holds in the timeline: the number of the next acquisition to be timed.
    pub next_timed: [Cell<(*const CountRecord, u64)>; RECENT_HOLDS],
    /// The lock whose hold is being examined, and the kernel's figures at its beginning.
    pub examined: Cell<(usize, Usage)>,
    /// The last wait, if the thread still holds the lock that it waited for.
    kept_back: KeptBack,
    /// The record of the life of the thread that has the slot.
    pub life: Cell<*const ThreadRecord>,
    /// The next slot in the free list.
    pub next_free: Cell<*const Thread>,
    /// What the thread remembers about call stacks.
    pub stacks: StackCache,
    pub(crate) known_sites: [Cell<(usize, u32)>; KNOWN_SITES],
}

impl Thread {
    /// Begins with empty tables. The memory is all zeros.
    ///
    /// # Safety
    /// T2.
    pub unsafe fn start(&self, slot: u32) {
        self.slot.set(slot);
        self.random
            .set(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(u64::from(slot) | 1 << 32));
        // SAFETY: T2.
        unsafe {
            self.contentions.start();
            self.holds.start();
            self.blames.start();
            self.stack_waits.start();
            self.orders.start();
            self.counts.start();
        }
    }

    pub fn slot(&self) -> u32 {
        self.slot.get()
    }

    /// Whether it can record. False before its start, and in the child of a fork that wiped it.
    pub fn is_started(&self) -> bool {
        self.counts.index.is_started()
    }

    /// Whether a record is being made, so that none can be made now.
    pub fn is_busy(&self) -> bool {
        self.state.get() & BUSY != 0
    }

    pub(crate) fn set_busy(&self, is_busy: bool) {
        let others = self.state.get() & !BUSY;
        self.state.set(if is_busy { others | BUSY } else { others });
    }

    /// Whether the thread is not busy and keeps no wait back.
    #[inline(always)]
    pub fn has_nothing_pending(&self) -> bool {
        self.state.get() == 0
    }

    /// Keeps a wait back until its lock is released. Returns `false` if there already is one.
    pub fn keep_back(&self, wait: Waited) -> bool {
        let is_kept = self.kept_back.put(wait);
        if self.kept_back.is_full() {
            self.state.set(self.state.get() | KEEPS_BACK);
        }
        is_kept
    }

    /// Takes the wait that was kept back. With `Some(lock)`, only a wait for that lock is taken.
    pub fn take_kept_back(&self, lock: Option<usize>) -> Option<Waited> {
        let wait = self.kept_back.take(lock);
        if !self.kept_back.is_full() {
            self.state.set(self.state.get() & !KEEPS_BACK);
        }
        wait
    }

    /// Returns a pseudo-random number: xorshift64 (Marsaglia, 2003).
    pub fn random(&self) -> u64 {
        let mut state = self.random.get();
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        self.random.set(state);
        state
    }

    /// Returns the count for `key`, if there already is one.
    #[inline(always)]
    pub fn count(&self, key: Key, addresses: &SiteAddresses) -> Option<&'static CountRecord> {
        self.counts.index.find(key, addresses)
    }

    /// Returns the record of waits for `key`, if there already is one.
    pub fn contention(
        &self,
        key: Key,
        addresses: &SiteAddresses,
    ) -> Option<&'static ContentionRecord> {
        self.contentions.index.find(key, addresses)
    }

    /// Returns the record of holds for `key`, if there already is one.
    pub fn hold(&self, key: Key, addresses: &SiteAddresses) -> Option<&'static HoldRecord> {
        self.holds.index.find(key, addresses)
    }

    /// Returns the number of hold records.
    pub fn hold_records(&self) -> u32 {
        self.holds.index.used()
    }

    /// Returns the record of the thread's life, if there was room for one.
    pub fn life(&self) -> Option<&'static ThreadRecord> {
        // SAFETY: the life is null or a record, and records stay mapped.
        unsafe { self.life.get().as_ref() }
    }

    /// Notes in the record of the thread's life what it waits for from now on.
    pub fn begin_wait(&self, lock: usize, entry: EntryPoint, site: u32, since_ns: u64) {
        if let Some(life) = self.life() {
            life.waiting_lock.store(lock as u64, Relaxed);
            life.waiting_site.store(site, Relaxed);
            life.waiting_entry.store(u32::from(entry.number()), Relaxed);
            life.waiting_holder.store(0, Relaxed);
            // Release: a thread that sees the time also sees its lock.
            life.waiting_since_ns.store(since_ns, Release);
        }
    }

    /// Notes which thread holds the awaited lock: thread `holder`, which acquired it at `site`.
    pub fn waits_for(&self, holder: u32, site: u32) {
        if let Some(life) = self.life() {
            life.waiting_holder_site.store(site, Relaxed);
            // Release: a thread that sees the holder also sees its site.
            life.waiting_holder.store(holder, Release);
        }
    }

    /// Notes that the wait is over, and whether its time counts as waiting for a lock.
    pub fn end_wait(&self, waited_ns: u64, for_lock: bool) {
        if let Some(life) = self.life() {
            life.waiting_since_ns.store(0, Relaxed);
            let total = if for_lock {
                &life.lock_wait_ns
            } else {
                &life.signal_wait_ns
            };
            add(total, waited_ns);
        }
    }
}

#[cfg(test)]
mod tests;
