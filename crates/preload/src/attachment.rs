//! Gives threads their slots and takes them back.
//!
//! A thread has no slot until its first hook. It gives the slot back in a destructor of thread-specific data
//! (pthread_key_create(3)), in the last of the rounds that the C library makes. So destructors of the program that take locks
//! still find the slot. Calls that come even later use the stand-in.

use core::ffi::c_void;
use core::ptr::from_ref;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use crate::blame;
use crate::lives;
use crate::order;
use crate::preemption;
use crate::recorder::Recorder;
use crate::sys;
use crate::thread::Thread;
use crate::timeline;
use crate::tls;

/// The number of rounds of destructors that the C library makes: `PTHREAD_DESTRUCTOR_ITERATIONS`, limits.h.
const DESTRUCTOR_ROUNDS: u8 = 4;

/// Keys below this number have their values in the thread itself. The value of a higher key would be allocated.
const KEYS_WITHOUT_ALLOCATION: u32 = 32;

/// No key has been made, or none that can be used.
const NO_KEY: u32 = u32::MAX;

/// The key of the destructor. It outlives a fork, so it is an ordinary static.
static KEY: AtomicU32 = AtomicU32::new(NO_KEY);

/// Gives the calling thread a slot, unless it has one. Returns `None` after the thread's end, or if there is no memory.
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
        // This can only be a slot of the parent process, wiped when this process was forked off.
    }
    let guard = recorder.lock();
    let shared = guard.shared();
    // SAFETY: the lock is held.
    if unsafe { shared.slots.is_key_due() } {
        make_key();
    }
    // SAFETY: as above.
    let thread = unsafe { shared.slots.take() }?;
    // SAFETY: as above.
    unsafe { shared.slots.begin_life(thread, &shared.part) };
    let tid = sys::tid();
    recorder.holders.enter(thread, tid);
    drop(guard);
    // The watchdog, and the program in the kernel, check whose list it is.
    thread.held.set_owner(tid);
    tls::set(thread);
    timeline::begin(thread);
    preemption::register(thread, recorder, tid);
    arm_farewell(thread);
    Some(thread)
}

/// Makes the key, unless the parent process already has.
fn make_key() {
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

/// Arranges for `farewell` to be called at the end of this thread.
fn arm_farewell(thread: &Thread) {
    let key = KEY.load(Relaxed);
    if key != NO_KEY {
        // SAFETY: the key was made by `make_key` and is never deleted.
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
    // In the child of a fork that has not recorded anything yet, this slot is not in use.
    if !thread.is_started() {
        return;
    }
    thread.farewells.set(thread.farewells.get() + 1);
    if thread.farewells.get() < DESTRUCTOR_ROUNDS {
        arm_farewell(thread);
        return;
    }
    blame::enter_kept_back(thread, recorder, None);
    order::note_thread_end(thread);
    // The pointer goes first: from here on a signal handler finds no slot, as L2 of `slots` requires.
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
    // SAFETY: the lock is held, and this thread's pointer was changed above.
    unsafe { guard.shared().slots.give_back(thread) };
}
