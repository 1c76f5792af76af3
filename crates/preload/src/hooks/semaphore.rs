//! Around the functions by which units of semaphores are taken.
//!
//! The functions that wait are cancellation points even if they need not wait (POSIX.1-2017, 2.9.5.2): they check for a
//! request first. So do the hooks, by the C library's own function, before the attempt. The functions report errors in
//! `errno`.
//!
//! A thread that takes a unit and never gives it back, since the semaphore is a signal to it, would seem to hold it for ever.
//! So it counts as returned when the thread waits for the next one, or has taken many.

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

/// Where the GNU C library keeps the units that are left.
const VALUE: usize = 0;

/// So many locks may a thread hold before it is looked whether units of one semaphore are among them that it will not give
/// back. Few, since whatever is held is gone through at each system call.
const MANY: u32 = 8;

/// What is kept of a call that may wait while it lasts, in the frame of the export.
pub struct Waiting {
    entry: EntryPoint,
    /// Whether the C library looks at the semaphore at all.
    valid: bool,
    real: *const c_void,
    wait: Option<Wait>,
}

/// The bytes that an export keeps for a [`Waiting`]: a multiple of 16, as the stack wants.
pub const WAITING_BYTES: usize = size_of::<Waiting>().next_multiple_of(16);
const _: () = assert!(align_of::<Waiting>() <= 16);

/// Called first in `sem_wait`: what looks at requests to cancel the thread.
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

/// As [`enter_wait`], in `sem_timedwait`.
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

/// As [`enter_wait`], in `sem_clockwait`.
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

/// A deadline that is no time is refused before anything else is looked at.
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

/// Stands in for a function that this C library does not have.
extern "C" fn unavailable() -> c_int {
    // SAFETY: the C library gives every thread its own `errno`.
    unsafe { *libc::__errno_location() = ENOSYS };
    -1
}

/// Called after that: takes a unit if there is one. Where the real function is, if it has to be called, or null.
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

/// The first wait for a semaphore at a site, and every one that lasts.
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

/// Called after a wait that returned `result`, and not when the thread was cancelled in it.
///
/// # Safety
/// `waiting` was written by the functions called before.
pub unsafe extern "C" fn after_wait(result: c_int, waiting: *mut Waiting) -> c_int {
    // SAFETY: the caller's promise; it is read once.
    let Some(wait) = unsafe { waiting.read() }.wait else {
        return result;
    };
    // In the child of a fork that a signal handler made meanwhile, nothing that was noted is there any more.
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

/// `thread` has taken a unit, as `count` says.
#[inline(always)]
fn taken(thread: &Thread, count: &'static CountRecord) {
    if thread.held.depth() >= MANY {
        let lock = count.lock.load(Relaxed);
        let is_same = |held: &CountRecord| held.lock.load(Relaxed) == lock;
        thread.held.drop_stale(is_same);
    }
    acquired(thread, count);
}

/// Takes a unit if there is one. Leaves `errno` as it was.
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

/// A word of the semaphore, as the C library has it.
///
/// # Safety
/// H1, and `offset` is that of an aligned word in the semaphore.
#[inline(always)]
pub(super) unsafe fn word(semaphore: *mut sem_t, offset: usize) -> u32 {
    // SAFETY: the caller's promise. Others may change it meanwhile: it is read as they write it, at once.
    unsafe { semaphore.byte_add(offset).cast::<u32>().read_volatile() }
}
