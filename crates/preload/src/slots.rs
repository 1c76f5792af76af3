//! The slots that threads record into: the free ones, and those that no thread has had yet.
//!
//! # Invariants
//!
//! - **L1** All of it is touched only by the holder of the recorder's lock.
//! - **L2** A slot in the free list belongs to no thread: its thread's pointer was changed before.

use core::cell::{Cell, UnsafeCell};
use core::ptr::null;
use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{DropReason, NO_OWNER, ThreadRecord};
use locktoll_recording::writer::{SegmentWriter, store_bytes};

use crate::clock;
use crate::environment;
use crate::part::Part;
use crate::sys;
use crate::thread::Thread;
use crate::usage::Usage;

/// The number of slots mapped at a time.
const SLOTS_AT_ONCE: usize = 16;

pub struct Slots {
    free: Cell<*const Thread>,
    /// Mapped, but not used yet.
    fresh: Cell<*const Thread>,
    fresh_left: Cell<usize>,
    last_slot: Cell<u32>,
    key_was_due: Cell<bool>,
    lives: UnsafeCell<Option<SegmentWriter<ThreadRecord>>>,
}

impl Slots {
    /// Begins without any slot. The memory is all zeros.
    ///
    /// # Safety
    /// L1.
    pub unsafe fn start(&self) {
        // SAFETY: L1.
        unsafe { self.lives.get().write(None) };
    }

    /// Takes a free slot. It is not the calling thread's slot yet.
    ///
    /// # Safety
    /// L1.
    pub unsafe fn take(&self) -> Option<&'static Thread> {
        // SAFETY: L2, and slots stay mapped.
        if let Some(thread) = unsafe { self.free.get().as_ref() } {
            self.free.set(thread.next_free.get());
            return Some(thread);
        }
        if self.fresh_left.get() == 0 {
            let memory =
                sys::map_private_wiped_on_fork(SLOTS_AT_ONCE * size_of::<Thread>()).ok()?;
            self.fresh.set(memory.as_ptr() as *const Thread);
            self.fresh_left.set(SLOTS_AT_ONCE);
        }
        // SAFETY: within the mapping above, where all zeros is a thread that has not started.
        let thread = unsafe { &*self.fresh.get() };
        self.fresh.set(self.fresh.get().wrapping_add(1));
        self.fresh_left.set(self.fresh_left.get() - 1);
        self.last_slot.set(self.last_slot.get() + 1);
        // SAFETY: nobody else has it yet.
        unsafe { thread.start(self.last_slot.get()) };
        Some(thread)
    }

    /// Writes the record of a life that begins in `thread`'s slot.
    ///
    /// # Safety
    /// L1.
    pub unsafe fn begin_life(&self, thread: &Thread, part: &Part) {
        match thread.life().filter(|life| makes_room(thread, life)) {
            // The record becomes that of the new life. What the other thread acquired and waited is counted in other records.
            Some(life) => {
                let begin_ns = life.start_ns.load(Relaxed);
                part.add_unlisted(life.end_ns.load(Relaxed).saturating_sub(begin_ns));
                forget(life);
                describe(life, thread);
                part.drop_one(DropReason::ThreadUnwritten);
            }
            None => {
                // SAFETY: L1.
                let lives = unsafe { &mut *self.lives.get() };
                // SAFETY: L1 is the recorder's lock, which is P1.
                let life =
                    unsafe { part.append(lives, NO_OWNER, 31, |life| describe(life, thread)) };
                match life {
                    Some(_) => thread.lives.set(thread.lives.get().saturating_add(1)),
                    None => part.drop_one(DropReason::ThreadUnwritten),
                }
                thread
                    .life
                    .set(life.map_or(null(), |life| life.as_ptr() as *const _));
            }
        }
        thread.farewells.set(0);
        // The previous thread in the slot may have been cancelled anywhere (pthread_setcanceltype(3)), or have ended with
        // locks held.
        thread.set_busy(false);
        thread.examined.set((0, Usage::default()));
        thread.held.clear();
        thread.stacks.forget_thread();
        // Each record of the order of locks is looked up once by each thread, which adds itself to it.
        thread.chains.forget();
    }

    /// Takes back the slot of a thread that ends.
    ///
    /// # Safety
    /// L1 and L2.
    pub unsafe fn give_back(&self, thread: &'static Thread) {
        thread.next_free.set(self.free.get());
        self.free.set(thread);
    }

    /// Whether the key of the threads' destructor still has to be made or taken over. True once in a process.
    ///
    /// # Safety
    /// L1.
    pub unsafe fn is_key_due(&self) -> bool {
        !self.key_was_due.replace(true)
    }
}

/// The records of lives that a slot keeps if the program is recorded for as long as it runs: the first and the last. With one alone,
/// a reader would take the waits of all threads of the slot for those of that thread.
const LIVES_KEPT: u32 = 2;

/// Whether the record of the slot's last life is to be used again.
fn makes_room(thread: &Thread, last: &ThreadRecord) -> bool {
    environment::is_live() && thread.lives.get() >= LIVES_KEPT && last.end_ns.load(Relaxed) != 0
}

/// Writes the beginning of a life.
fn describe(life: &ThreadRecord, thread: &Thread) {
    life.tid.store(sys::tid(), Relaxed);
    life.slot.store(thread.slot(), Relaxed);
    let held: *const _ = &raw const thread.held;
    life.held_list.store(held.addr() as u64, Relaxed);
    life.start_ns.store(clock::monotonic_ns(), Relaxed);
    store_bytes(&life.name, &sys::thread_name());
}

/// Removes the figures of a life that has ended.
fn forget(life: &ThreadRecord) {
    for word in [
        &life.end_ns,
        &life.waiting_since_ns,
        &life.waiting_lock,
        &life.kernel_read_ns,
        &life.cpu_ns,
        &life.run_delay_ns,
        &life.voluntary_switches,
        &life.involuntary_switches,
        &life.lock_wait_ns,
        &life.signal_wait_ns,
        &life.yields,
    ] {
        // Relaxed: a reader takes each figure as it finds it.
        word.store(0, Relaxed);
    }
    for word in [
        &life.waiting_site,
        &life.start_routine,
        &life.waiting_holder_site,
        &life.waiting_holder,
        &life.waiting_entry,
    ] {
        word.store(0, Relaxed);
    }
}
