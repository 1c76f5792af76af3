//! Gives threads their slots and takes them back.
//!
//! A thread has no slot until its first hook. It gives the slot back in a destructor of thread-specific data
//! (pthread_key_create(3)), in the last of the rounds that the C library makes, so that destructors of the program
//! which take locks find the slot still there. What comes even later uses the stand-in.
//!
//! # Invariants
//!
//! - **L1** All of it is touched only by the holder of the recorder's lock.
//! - **L2** A slot in the list of free ones is no thread's: its thread's pointer was changed before.

use core::cell::{Cell, UnsafeCell};
use core::ffi::c_void;
use core::ptr::{from_ref, null};
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{DropReason, NO_OWNER, ThreadRecord};
use locktoll_recording::writer::{SegmentWriter, store_bytes};

use crate::clock;
use crate::lives;
use crate::part::Part;
use crate::preemption;
use crate::recorder::Recorder;
use crate::sys;
use crate::thread::Thread;
use crate::tls;
use crate::usage::Usage;

/// How many slots are mapped at a time.
const SLOTS_AT_ONCE: usize = 16;

/// How many rounds of destructors the C library makes: `PTHREAD_DESTRUCTOR_ITERATIONS`, limits.h.
const DESTRUCTOR_ROUNDS: u8 = 4;

/// Keys below this have their values in the thread itself; a value of one above would be allocated.
const KEYS_WITHOUT_ALLOCATION: u32 = 32;

/// No key has been made, or none that is of use.
const NO_KEY: u32 = u32::MAX;

/// The key of the destructor. It outlives a fork, so it is an ordinary static.
static KEY: AtomicU32 = AtomicU32::new(NO_KEY);

/// Thread slots, used and free.
pub struct Slots {
    free: Cell<*const Thread>,
    /// Mapped, but not used so far.
    fresh: Cell<*const Thread>,
    fresh_left: Cell<usize>,
    last_slot: Cell<u32>,
    lives: UnsafeCell<Option<SegmentWriter<ThreadRecord>>>,
}

impl Slots {
    /// Begins without any slot. The memory is zeros.
    ///
    /// # Safety
    /// L1.
    pub unsafe fn start(&self) {
        // SAFETY: L1.
        unsafe { self.lives.get().write(None) };
        // Relaxed: only the key's number counts, and pthread_key_create orders the rest itself.
        if KEY.load(Relaxed) == NO_KEY {
            let mut key = 0;
            // SAFETY: `farewell` fits and stays loaded: this library is never unloaded, being preloaded.
            let made = unsafe { libc::pthread_key_create(&raw mut key, Some(farewell)) } == 0;
            if made && key < KEYS_WITHOUT_ALLOCATION {
                KEY.store(key, Relaxed);
            }
        }
    }

    /// A slot for a thread that is not the caller's yet.
    ///
    /// # Safety
    /// L1.
    unsafe fn take(&self) -> Option<&'static Thread> {
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
        // SAFETY: within the mapping above, whose zeros are a thread that has not started.
        let thread = unsafe { &*self.fresh.get() };
        self.fresh.set(self.fresh.get().wrapping_add(1));
        self.fresh_left.set(self.fresh_left.get() - 1);
        self.last_slot.set(self.last_slot.get() + 1);
        // SAFETY: nobody else has it yet.
        unsafe { thread.start(self.last_slot.get()) };
        Some(thread)
    }

    /// Writes that a life begins in `thread`'s slot.
    ///
    /// # Safety
    /// L1.
    unsafe fn begin_life(&self, thread: &Thread, part: &Part) {
        // SAFETY: L1.
        let lives = unsafe { &mut *self.lives.get() };
        // SAFETY: L1 is the recorder's lock, which is P1.
        let life = unsafe {
            part.append(lives, NO_OWNER, 31, |life: &ThreadRecord| {
                life.tid.store(sys::tid(), Relaxed);
                life.slot.store(thread.slot(), Relaxed);
                life.start_ns.store(clock::monotonic_ns(), Relaxed);
                store_bytes(&life.name, &sys::thread_name());
            })
        };
        if life.is_none() {
            part.drop_one(DropReason::ThreadUnwritten);
        }
        thread
            .life
            .set(life.map_or(null(), |life| life.as_ptr() as *const _));
        thread.farewells.set(0);
        // Whoever had the slot may have been cancelled anywhere (pthread_setcanceltype(3)), or have ended with locks held.
        thread.busy.set(false);
        thread.examined.set((0, Usage::default()));
        thread.held.clear();
        thread.stacks.forget_thread();
    }
}

/// Gives the calling thread a slot, unless it has one. `None` after its end, or without memory.
#[cold]
pub fn attach(recorder: &'static Recorder) -> Option<&'static Thread> {
    // SAFETY: the pointer is null or one that this module has set, to memory that stays mapped.
    if let Some(thread) = unsafe { tls::get().as_ref() } {
        if thread.is_started() {
            return Some(thread);
        }
        if recorder.is_after_the_end(thread) {
            return None;
        }
        // What is left is a slot of our parent, wiped when we were forked off.
    }
    let guard = recorder.lock();
    let shared = guard.shared();
    // SAFETY: the lock is held.
    let thread = unsafe { shared.slots.take() }?;
    // SAFETY: as above.
    unsafe { shared.slots.begin_life(thread, &shared.part) };
    let tid = sys::tid();
    recorder.holders.enter(thread, tid);
    drop(guard);
    tls::set(thread);
    preemption::register(thread, recorder, tid);
    arm_farewell(thread);
    Some(thread)
}

/// Has `farewell` called at the end of this thread.
fn arm_farewell(thread: &Thread) {
    let key = KEY.load(Relaxed);
    if key != NO_KEY {
        // SAFETY: the key was made by `start` and is never deleted.
        unsafe { libc::pthread_setspecific(key, from_ref(thread).cast()) };
    }
}

/// The destructor: asks for another round until the last, then gives the slot back.
unsafe extern "C" fn farewell(_: *mut c_void) {
    // SAFETY: as in `attach`.
    let Some(thread) = (unsafe { tls::get().as_ref() }) else {
        return;
    };
    let Some(recorder) = Recorder::get() else {
        return;
    };
    // In the child of a fork that has not recorded yet, the slot is not one.
    if !thread.is_started() {
        return;
    }
    thread.farewells.set(thread.farewells.get() + 1);
    if thread.farewells.get() < DESTRUCTOR_ROUNDS {
        arm_farewell(thread);
        return;
    }
    // The pointer first: a signal handler from here on finds no slot, as L2 wants.
    tls::set(recorder.after_the_end());
    thread.held.set_owner(0);
    if !recorder.is_on() {
        return;
    }
    if let Some(life) = thread.life() {
        lives::end(life);
    }
    let guard = recorder.lock();
    recorder.holders.leave(thread);
    let slots = &guard.shared().slots;
    thread.next_free.set(slots.free.get());
    slots.free.set(thread);
}
