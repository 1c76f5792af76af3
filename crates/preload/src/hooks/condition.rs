//! Hooks around the functions of condition variables.
//!
//! A wait releases the mutex and acquires it again, inside the C library, without passing any other hook. So a wait is the end
//! of one hold and the beginning of another. The wait between them is not contention, except for the time between the signal
//! and the return in which others hold the mutex.

use core::ffi::{c_int, c_void};

use libc::{ENOSYS, ETIMEDOUT, pthread_cond_t, pthread_condattr_t, pthread_mutex_t};
use locktoll_recording::layout::{EntryPoint, LockKind};

use super::{is_acquired, mutex};
use crate::clock;
use crate::index::Key;
use crate::ledger::{Ledger, Release};
use crate::order;
use crate::real::{self, Function, Opaque};
use crate::timeline;
use crate::wait::{self, Wait};
use crate::waited::End;

/// What is kept of a condition wait while it lasts, in the stack frame of the export.
pub struct Waiting {
    /// The wait, the hold that ended with it, and the key of the mutex's records.
    noted: Option<(Wait, Option<Release>, Key)>,
}

/// The number of bytes that an export keeps for a [`Waiting`]: a multiple of 16, as the stack requires.
pub const WAITING_BYTES: usize = size_of::<Waiting>().next_multiple_of(16);
const _: () = assert!(align_of::<Waiting>() <= 16);

macro_rules! before {
    ($($name:ident: $function:ident;)*) => {
        $(/// Called before a wait for a condition, with room for what is kept: where the real function is.
        ///
        /// # Safety
        /// H1, and `waiting` has room for a value.
        pub unsafe extern "C" fn $name(
            condition: *mut pthread_cond_t,
            mutex: *mut pthread_mutex_t,
            site: usize,
            waiting: *mut Waiting,
        ) -> *const c_void {
            // SAFETY: the caller's promise.
            unsafe { before_wait(condition, mutex, site, waiting, &real::$function) }
        })*
    };
}

before! {
    before_wait_for_ever: COND_WAIT;
    before_timedwait: COND_TIMEDWAIT;
    before_clockwait: COND_CLOCKWAIT;
}

unsafe fn before_wait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    site: usize,
    waiting: *mut Waiting,
    function: &Function<Opaque>,
) -> *const c_void {
    let noted = Ledger::open().map(|ledger| {
        // SAFETY: H1.
        let (of_mutex, of_condition) = unsafe {
            (
                ledger.key(
                    LockKind::Mutex,
                    mutex as usize,
                    site,
                    EntryPoint::ConditionWait,
                ),
                ledger.key(
                    LockKind::Condvar,
                    condition as usize,
                    site,
                    EntryPoint::Wait,
                ),
            )
        };
        ledger.prepare(of_mutex);
        let wait = Wait::for_signal(&ledger, of_condition);
        let release = ledger.own.and_then(|thread| {
            // SAFETY: H1.
            let waited_for = unsafe { mutex::is_released_to_somebody(mutex) };
            let release = Release::begin(thread, mutex as usize, waited_for);
            if thread.held.depth() > 0
                && let Some(count) = thread.make_count(of_condition, ledger.recorder, None)
            {
                order::note_condition_wait(thread, count);
            }
            release
        });
        (wait, release, of_mutex)
    });
    // SAFETY: the caller's promise.
    unsafe { waiting.write(Waiting { noted }) };
    let found = function.address();
    if found.is_null() {
        unavailable as *const c_void
    } else {
        found
    }
}

/// Replaces a function that this C library does not have.
extern "C" fn unavailable() -> c_int {
    ENOSYS
}

/// Called after a condition wait that returned `result`, but not if the thread was cancelled during the wait.
///
/// # Safety
/// `waiting` was written by the function called before.
pub unsafe extern "C" fn after_wait(result: c_int, waiting: *mut Waiting) -> c_int {
    // SAFETY: the caller's promise; it is read once.
    let Some((wait, release, of_mutex)) = unsafe { waiting.read() }.noted else {
        return result;
    };
    // In the child of a fork that a signal handler made meanwhile, the notes no longer exist.
    let Some(ledger) = Ledger::open() else {
        return result;
    };
    let has_waited = is_acquired(result) || result == ETIMEDOUT;
    if !has_waited {
        // The mutex was never released.
        wait.end(&ledger, End::Failed);
        if let (Some(thread), Some(released)) = (
            ledger.own,
            release.as_ref().and_then(|release| release.released),
        ) {
            thread.held.push(released.count, thread.chains.chained());
        }
        return result;
    }
    let (since_ns, of_condition, stack) = (wait.since_ns(), wait.key(), wait.stack());
    let end = if result == ETIMEDOUT {
        End::TimedOut
    } else {
        End::Done
    };
    let now_ns = wait.end(&ledger, end);
    ledger.counted(of_condition);
    if let Some(signalled_ns) = ledger.recorder.signals.last(of_condition.lock, since_ns) {
        wait::relock(&ledger, of_condition, of_mutex, stack, signalled_ns, now_ns);
    }
    ledger.acquired(of_mutex);
    if let Some(thread) = ledger.own {
        timeline::holds_after_wait(thread, of_mutex.lock, now_ns);
    }
    if let Some(release) = release {
        release.finish();
    }
    result
}

pub unsafe extern "C" fn signal(condition: *mut pthread_cond_t, site: usize) -> c_int {
    // SAFETY: H1.
    unsafe { note_signal(condition, site, EntryPoint::Signal) };
    // SAFETY: H1.
    real::COND_SIGNAL
        .get()
        .map_or(0, |signal| unsafe { signal(condition) })
}

pub unsafe extern "C" fn broadcast(condition: *mut pthread_cond_t, site: usize) -> c_int {
    // SAFETY: H1.
    unsafe { note_signal(condition, site, EntryPoint::Broadcast) };
    // SAFETY: H1.
    real::COND_BROADCAST
        .get()
        .map_or(0, |broadcast| unsafe { broadcast(condition) })
}

/// Called before the real function: a waiter may return before that does.
unsafe fn note_signal(condition: *mut pthread_cond_t, site: usize, entry: EntryPoint) {
    let Some(ledger) = Ledger::open() else {
        return;
    };
    // SAFETY: H1.
    let key = unsafe { ledger.key(LockKind::Condvar, condition as usize, site, entry) };
    ledger.counted(key);
    // SAFETY: H1.
    if unsafe { has_waiters(condition) } {
        let now_ns = clock::monotonic_ns();
        ledger.recorder.signals.note(condition as usize, now_ns);
        timeline::signalled(ledger.own, ledger.recorder, &key);
    }
}

/// Whether somebody may be waiting for the condition, by the count that the GNU C library has kept since 2.25. With another
/// library, the time from signal to return would be missing, or too much would be noted.
unsafe fn has_waiters(condition: *mut pthread_cond_t) -> bool {
    /// The offsets of the number of waiters, in eighths, up to 2.41 and since 2.42. Later patch releases of older versions may
    /// have the newer layout, so both are read. With the other layout, the word there is small when nobody waits, or costs one
    /// reading of the clock.
    const WAITERS: [usize; 2] = [36, 28];
    WAITERS.into_iter().any(|offset| {
        // SAFETY: H1; within the object, and aligned.
        let word = unsafe { condition.byte_add(offset).cast::<u32>().read_volatile() };
        word >> 3 != 0
    })
}

pub unsafe extern "C" fn init(
    condition: *mut pthread_cond_t,
    attributes: *const pthread_condattr_t,
    site: usize,
) -> c_int {
    // SAFETY: H1.
    let result = real::COND_INIT
        .get()
        .map_or(0, |init| unsafe { init(condition, attributes) });
    if result == 0
        && let Some(ledger) = Ledger::open()
    {
        // SAFETY: H1.
        unsafe { ledger.initialised(LockKind::Condvar, condition as usize, site) };
    }
    result
}
