//! Hooks around the functions that take units of semaphores.
//!
//! The functions that wait are cancellation points even if they need not wait (POSIX.1-2017, 2.9.5.2): they check for a
//! request first. The hooks do the same, with the C library's own function, before the attempt. The functions report errors in
//! `errno`.
//!
//! If a semaphore is used as a signal, the thread that takes a unit never gives it back, and would seem to hold it forever. So
//! the unit counts as returned when the thread waits for the next one, or has taken many.

use core::ffi::{c_int, c_uint, c_void};
use core::sync::atomic::Ordering::Relaxed;

use libc::{EAGAIN, EBUSY, ENOSYS, ETIMEDOUT, clockid_t, sem_t, timespec};
use locktoll_recording::layout::{CountRecord, EntryPoint, LockKind};

use super::call::{self, Call};
use super::{is_clock_for_deadlines, is_time};
use crate::clock;
use crate::ledger::{Ledger, acquired};
use crate::real::{self, Function, Opaque};
use crate::thread::Thread;
use crate::wait::Wait;
use crate::waited::End;

/// The offset at which the GNU C library keeps the number of units left.
const VALUE: usize = 0;

/// A thread may hold this many locks before they are checked for units of one semaphore that it will not give back. The number
/// is small, since each system call goes through all held locks.
const MANY: u32 = 8;

/// What is kept of a call that may wait while it lasts, in the stack frame of the export.
pub struct Waiting {
    entry: EntryPoint,
    /// Whether the C library reads the semaphore at all.
    valid: bool,
    real: *const c_void,
    wait: Option<Wait>,
}

/// The number of bytes that an export keeps for a [`Waiting`]: a multiple of 16, as the stack requires.
pub const WAITING_BYTES: usize = size_of::<Waiting>().next_multiple_of(16);
const _: () = assert!(align_of::<Waiting>() <= 16);

/// Called first in `sem_wait`. Returns the function that checks for requests to cancel the thread.
///
/// # Safety
/// H1, and `waiting` has room for a value.
pub unsafe extern "C" fn enter_wait(
    _: *mut sem_t,
    _: usize,
    _: usize,
    waiting: *mut Waiting,
) -> *const c_void {
    // SAFETY: the caller's promise.
    unsafe { enter(EntryPoint::Lock, &real::SEM_WAIT, true, waiting) }
}

/// Does the same as [`enter_wait`] in `sem_timedwait`.
///
/// # Safety
/// As for [`enter_wait`].
pub unsafe extern "C" fn enter_timedwait(
    _: *mut sem_t,
    deadline: *const timespec,
    _: usize,
    waiting: *mut Waiting,
) -> *const c_void {
    let real = &real::SEM_TIMEDWAIT;
    // SAFETY: the caller's promise.
    unsafe { enter(EntryPoint::TimedLock, real, is_time(deadline), waiting) }
}

/// Does the same as [`enter_wait`] in `sem_clockwait`.
///
/// # Safety
/// As for [`enter_wait`].
pub unsafe extern "C" fn enter_clockwait(
    _: *mut sem_t,
    clock: clockid_t,
    deadline: *const timespec,
    waiting: *mut Waiting,
) -> *const c_void {
    let real = &real::SEM_CLOCKWAIT;
    // SAFETY: the caller's promise.
    unsafe {
        let valid = is_clock_for_deadlines(clock) && is_time(deadline);
        enter(EntryPoint::TimedLock, real, valid, waiting)
    }
}

/// An invalid deadline is refused before anything else is checked.
#[inline(always)]
unsafe fn enter(
    entry: EntryPoint,
    real: &Function<Opaque>,
    valid: bool,
    waiting: *mut Waiting,
) -> *const c_void {
    let real = real.address();
    let noted = Waiting {
        entry,
        valid: valid && !real.is_null(),
        real: if real.is_null() {
            unavailable as *const c_void
        } else {
            real
        },
        wait: None,
    };
    let valid = noted.valid;
    // SAFETY: the caller's promise.
    unsafe { waiting.write(noted) };
    let test = real::TESTCANCEL.address();
    if valid && !test.is_null() {
        test
    } else {
        nothing as *const c_void
    }
}

extern "C" fn nothing() {}

/// Replaces a function that this C library does not have.
extern "C" fn unavailable() -> c_int {
    // SAFETY: the C library gives every thread its own `errno`.
    unsafe { *libc::__errno_location() = ENOSYS };
    -1
}

/// Called next: takes a unit if there is one. Returns the address of the real function if it has to be called, or null.
///
/// # Safety
/// H1, and `waiting` was written by the function called before.
pub unsafe extern "C" fn before_wait(
    semaphore: *mut sem_t,
    site: usize,
    waiting: *mut Waiting,
) -> *const c_void {
    // SAFETY: the caller's promise.
    let waiting = unsafe { &mut *waiting };
    if !waiting.valid {
        return waiting.real;
    }
    let call = call(semaphore, site, waiting.entry);
    // SAFETY: H1.
    if let Some((thread, count)) = unsafe { call.known() } {
        // SAFETY: H1.
        if unsafe { take(semaphore) } {
            taken(thread, count);
            return core::ptr::null();
        }
    }
    // SAFETY: H1.
    unsafe { begin(call, semaphore, waiting) }
}

/// Handles the first wait for a semaphore at a site, and every wait that takes time.
#[cold]
#[inline(never)]
unsafe fn begin(call: Call, semaphore: *mut sem_t, waiting: &mut Waiting) -> *const c_void {
    let Some(ledger) = Ledger::open() else {
        return waiting.real;
    };
    // SAFETY: H1.
    let key = unsafe { call.key(&ledger) };
    ledger.prepare(key);
    // SAFETY: H1.
    if unsafe { take(semaphore) } {
        ledger.acquired(key);
        return core::ptr::null();
    }
    if let Some(thread) = ledger.own {
        while thread.held.remove(call.lock).is_some() {}
    }
    waiting.wait = Some(Wait::for_lock(&ledger, key, None, clock::monotonic_ns()));
    waiting.real
}

/// Called after a wait that returned `result`, but not if the thread was cancelled during the wait.
///
/// # Safety
/// `waiting` was written by the functions called before.
pub unsafe extern "C" fn after_wait(result: c_int, waiting: *mut Waiting) -> c_int {
    // SAFETY: the caller's promise; it is read once.
    let Some(wait) = unsafe { waiting.read() }.wait else {
        return result;
    };
    // In the child of a fork that a signal handler made meanwhile, the notes no longer exist.
    let Some(ledger) = Ledger::open() else {
        return result;
    };
    let key = wait.key();
    // SAFETY: as in `unavailable`.
    let errno = unsafe { *libc::__errno_location() };
    let end = match result {
        0 => End::Done,
        _ if errno == ETIMEDOUT => End::TimedOut,
        _ => End::Failed,
    };
    wait.end(&ledger, end);
    if result == 0 {
        ledger.acquired(key);
    }
    result
}

pub unsafe extern "C" fn trywait(semaphore: *mut sem_t, site: usize) -> c_int {
    let call = call(semaphore, site, EntryPoint::TryLock);
    // SAFETY: H1.
    let known = unsafe { call.known() };
    // SAFETY: H1.
    let result = real::SEM_TRYWAIT
        .get()
        .map_or(0, |trywait| unsafe { trywait(semaphore) });
    match known {
        Some((thread, count)) if result == 0 => taken(thread, count),
        // SAFETY: H1, and as in `unavailable`.
        _ => unsafe {
            let came_to = match result {
                0 => 0,
                _ if *libc::__errno_location() == EAGAIN => EBUSY,
                _ => result,
            };
            call.note_attempt(came_to);
        },
    }
    result
}

pub unsafe extern "C" fn init(
    semaphore: *mut sem_t,
    shared: c_int,
    value: c_uint,
    site: usize,
) -> c_int {
    // SAFETY: H1.
    let result = real::SEM_INIT
        .get()
        .map_or(0, |init| unsafe { init(semaphore, shared, value) });
    // SAFETY: H1.
    unsafe { call::note_init(LockKind::Semaphore, semaphore as usize, site, result) };
    result
}

pub(super) fn call(semaphore: *mut sem_t, site: usize, entry: EntryPoint) -> Call {
    Call {
        kind: LockKind::Semaphore,
        lock: semaphore as usize,
        site,
        entry,
    }
}

/// Notes that `thread` has taken a unit, as `count` says.
#[inline(always)]
fn taken(thread: &Thread, count: &'static CountRecord) {
    if thread.held.depth() >= MANY {
        let lock = count.lock.load(Relaxed);
        let is_same = |held: &CountRecord| held.lock.load(Relaxed) == lock;
        thread.held.drop_stale(is_same);
    }
    acquired(thread, count);
}

/// Takes a unit if there is one. Leaves `errno` unchanged.
#[inline(always)]
unsafe fn take(semaphore: *mut sem_t) -> bool {
    // SAFETY: H1.
    if unsafe { word(semaphore, VALUE) } == 0 {
        return false;
    }
    // SAFETY: the C library gives every thread its own `errno`.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let before = unsafe { *errno };
    let Some(trywait) = real::SEM_TRYWAIT.get() else {
        return false;
    };
    // SAFETY: H1.
    let taken = unsafe { trywait(semaphore) } == 0;
    if !taken {
        // SAFETY: as above.
        unsafe { *errno = before };
    }
    taken
}

/// Reads a word of the semaphore, as the C library keeps it.
///
/// # Safety
/// H1, and `offset` is the offset of an aligned word in the semaphore.
#[inline(always)]
pub(super) unsafe fn word(semaphore: *mut sem_t, offset: usize) -> u32 {
    // SAFETY: the caller's promise. Others may change the word meanwhile: it is read as they write it, in one access.
    unsafe { semaphore.byte_add(offset).cast::<u32>().read_volatile() }
}
