//! A wait for a condition, from the release of the mutex to its acquisition.
//!
//! `trampoline` calls in turn: `begin_…`, which chooses the function to call; pthread_testcancel(3); `wait_…`, which is the
//! wait.

use core::ffi::{c_int, c_void};
use core::ptr::{from_ref, null};

use libc::{EINVAL, ETIMEDOUT, clockid_t, pthread_cond_t, pthread_mutex_t, timespec};
use locktoll_locks::{Condition, Deadline, Woken};

use super::cancellation::{self, Enrolled};
use super::clean_up::{_pthread_cleanup_pop, _pthread_cleanup_push, CleanUp};
use super::object::{ConditionObject, Kind, clock_numbered};
use super::{hidden, mutex};
use crate::entries::Entry;
use crate::mutex::{c11_word, lock_after_wait, unlock_for_wait};
use crate::passed;
use crate::real;
use crate::speed_up;
use crate::tally::{Object, Reason};

/// Set in the answer of a wait: nothing has happened yet, and requests to cancel the thread must be checked again.
pub const AGAIN: u64 = 1 << 32;
/// Set in the answer of a wait: the thread holds the mutex again, and has to act on the request to cancel it.
pub const CANCELLED: u64 = 1 << 33;

/// What is kept in the trampoline's frame between its calls; all zeros at the beginning.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug, Default)]
pub struct Kept {
    /// The number of requests to cancel threads that had been seen.
    requests: u32,
    /// Whether the thread could be cancelled at any instruction. It cannot during the wait, and can again afterwards.
    was_asynchronous: u32,
}

/// The layout that the trampoline's assembly uses.
const _: () = assert!(core::mem::offset_of!(Kept, was_asynchronous) == 4 && size_of::<Kept>() == 8);

/// The arguments after the mutex, for the three kinds of waits.
pub trait Until {
    /// Returns the deadline.
    ///
    /// # Errors
    /// The value that the call returns at once.
    ///
    /// # Safety
    /// The arguments are the program's, and the condition is this library's.
    unsafe fn deadline(
        object: &ConditionObject,
        third: usize,
        fourth: usize,
    ) -> Result<Option<Deadline>, c_int>;
    /// The C library's function, for a condition that is the C library's own.
    const REAL: Entry;
    /// The function that leads to it if it cannot be given the program's mutex.
    const HIDDEN: unsafe extern "C" fn();
}

/// `pthread_cond_wait`.
pub struct ForEver;
/// `pthread_cond_timedwait`: the third argument is the deadline.
pub struct ByItsClock;
/// `pthread_cond_clockwait`: the third argument is the clock, the fourth the deadline.
pub struct ByAClock;

impl Until for ForEver {
    unsafe fn deadline(_: &ConditionObject, _: usize, _: usize) -> Result<Option<Deadline>, c_int> {
        Ok(None)
    }
    const REAL: Entry = Entry::ConditionWait;
    const HIDDEN: unsafe extern "C" fn() = hidden::wait;
}

impl Until for ByItsClock {
    unsafe fn deadline(
        object: &ConditionObject,
        third: usize,
        _: usize,
    ) -> Result<Option<Deadline>, c_int> {
        // SAFETY: the caller's promise.
        let time = unsafe { &*(third as *const timespec) };
        Deadline::new(object.clock(), time.tv_sec, time.tv_nsec)
            .map(Some)
            .ok_or(EINVAL)
    }
    const REAL: Entry = Entry::ConditionTimedWait;
    const HIDDEN: unsafe extern "C" fn() = hidden::timed_wait;
}

impl Until for ByAClock {
    unsafe fn deadline(
        _: &ConditionObject,
        third: usize,
        fourth: usize,
    ) -> Result<Option<Deadline>, c_int> {
        // SAFETY: the caller's promise.
        let time = unsafe { &*(fourth as *const timespec) };
        // The upper half of the register is undefined.
        let clock = clock_numbered(third as clockid_t).ok_or(EINVAL)?;
        Deadline::new(clock, time.tv_sec, time.tv_nsec)
            .map(Some)
            .ok_or(EINVAL)
    }
    const REAL: Entry = Entry::ConditionClockWait;
    const HIDDEN: unsafe extern "C" fn() = hidden::clock_wait;
}

/// Returns the function that does a wait: null for this library's own, otherwise a function with the same arguments.
///
/// # Safety
/// The arguments are the program's, and the trampoline's [`Kept`].
pub unsafe extern "C" fn begin<U: Until>(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    third: usize,
    fourth: usize,
    kept: *mut Kept,
) -> *const c_void {
    // SAFETY: the caller's promise.
    let object = unsafe { ConditionObject::at(condition) };
    if let Kind::BetweenProcesses = object.kind() {
        passed::count(Object::Condition, Reason::ProcessShared, condition as usize);
        // SAFETY: the caller's promise.
        return if unsafe { mutex::is_between_processes(mutex) } {
            real::address(U::REAL as usize)
        } else {
            U::HIDDEN as *const c_void
        };
    }
    object.settled();
    // This comes before anything else, as in the C library.
    // SAFETY: the caller's promise.
    if unsafe { U::deadline(object, third, fourth) }.is_err() {
        return refuse as *const c_void;
    }
    // SAFETY: the caller's promise.
    let kept = unsafe { &mut *kept };
    if cancellation::defer() {
        kept.was_asynchronous = 1;
    }
    kept.requests = cancellation::requests_seen();
    null()
}

/// Does the same for C11's functions.
///
/// # Safety
/// As for [`begin`].
pub unsafe extern "C" fn begin_c11<U: Until>(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    third: usize,
    fourth: usize,
    kept: *mut Kept,
) -> *const c_void {
    // SAFETY: the caller's promise. C11's conditions are never between processes.
    let goes = unsafe { begin::<U>(condition, mutex, third, fourth, kept) };
    if goes.is_null() {
        goes
    } else {
        refuse_c11 as *const c_void
    }
}

/// Handles a wait whose arguments are wrong.
extern "C" fn refuse() -> c_int {
    EINVAL
}

/// Does the same with C11's result.
extern "C" fn refuse_c11() -> c_int {
    c11_word(EINVAL)
}

/// Does the wait. Returns the function's result, or [`AGAIN`], or [`CANCELLED`].
///
/// # Safety
/// The arguments that `begin` got, and what it has written.
pub unsafe extern "C" fn wait<U: Until>(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    third: usize,
    fourth: usize,
    kept: Kept,
) -> u64 {
    // SAFETY: the caller's promise.
    let object = unsafe { ConditionObject::at(condition) };
    // SAFETY: the caller's promise.
    let deadline = match unsafe { U::deadline(object, third, fourth) } {
        Ok(deadline) => deadline,
        Err(error) => return answer(error),
    };
    // SAFETY: the caller's promise.
    unsafe { wait_until(object.settled(), mutex, deadline.as_ref(), kept) }
}

unsafe fn wait_until(
    condition: &Condition,
    mutex: *mut pthread_mutex_t,
    deadline: Option<&Deadline>,
    kept: Kept,
) -> u64 {
    let wait = Wait {
        enrolled: Enrolled::new(),
        condition,
        mutex,
    };
    let waiter = &wait.enrolled.waiter;
    // SAFETY: struck off on every path out of here.
    if !unsafe { wait.enrolled.enrol(kept.requests) } {
        return AGAIN;
    }
    // SAFETY: a new waiter; on every path out of here it leaves or has been let go.
    unsafe { condition.enlist(waiter) };
    // SAFETY: the program's own mutex.
    let error = unsafe { unlock_for_wait(mutex) };
    if error != 0 {
        // The caller does not hold the mutex. A signal that has reached it meanwhile belongs to another waiter.
        wait.give_up();
        return answer(error);
    }
    let mut clean_up = CleanUp::default();
    let argument = (&raw const wait).cast_mut().cast();
    // SAFETY: both stay where they are until the handler is popped.
    unsafe { _pthread_cleanup_push(&raw mut clean_up, abandon, argument) };
    let woken = speed_up::waited(
        from_ref(condition).addr(),
        || wait.sleep(deadline),
        |woken| *woken == Woken::Signalled,
    );
    // SAFETY: pushed above.
    unsafe { _pthread_cleanup_pop(&raw mut clean_up, 0) };
    // SAFETY: the program's own mutex, which was released.
    unsafe { wait.end(woken) }
}

/// A wait that has begun.
struct Wait<'a> {
    enrolled: Enrolled,
    condition: &'a Condition,
    mutex: *mut pthread_mutex_t,
}

impl Wait<'_> {
    /// Sleeps until something ends the wait. A request to cancel the thread does not, if the thread does not act on requests
    /// now.
    fn sleep(&self, deadline: Option<&Deadline>) -> Woken {
        loop {
            let woken = self.enrolled.waiter.sleep(deadline);
            if woken != Woken::Poked || cancellation::is_enabled() {
                return woken;
            }
        }
    }

    /// Ends a wait that slept until `woken`. Returns its answer, with the mutex held again. A signal that has come since takes
    /// precedence over any other reason for waking, since no other waiter got it.
    ///
    /// # Safety
    /// The mutex was released by [`unlock_for_wait`].
    unsafe fn end(&self, woken: Woken) -> u64 {
        let has_left = woken != Woken::Signalled && self.leave();
        self.enrolled.strike_off();
        // SAFETY: the caller's promise.
        let error = unsafe { lock_after_wait(self.mutex) };
        match woken {
            Woken::Poked if has_left => CANCELLED,
            _ if error != 0 => answer(error),
            Woken::TimedOut if has_left => answer(ETIMEDOUT),
            _ => 0,
        }
    }

    /// Whether the thread has left the queue without a signal. If not, it has been signalled after all.
    fn leave(&self) -> bool {
        // In a forked child, the queue that the waiter stood in belongs to another process.
        // SAFETY: enlisted, and not let go as far as is known.
        !self.enrolled.is_of_this_process()
            || unsafe { self.condition.leave(&self.enrolled.waiter) }
    }

    /// Ends a wait that has not ended for the program: a signal is passed on to the next waiter.
    fn give_up(&self) {
        if !self.leave() {
            self.condition.signal();
        }
        self.enrolled.strike_off();
    }
}

/// Cleans up after a thread that is ended in its sleep, for example by a signal handler that calls pthread_exit(3).
unsafe extern "C" fn abandon(wait: *mut c_void) {
    // SAFETY: pushed with a wait, whose frame is being left.
    let wait = unsafe { &*wait.cast::<Wait<'_>>() };
    wait.give_up();
    // SAFETY: the program's own mutex.
    unsafe { lock_after_wait(wait.mutex) };
}

fn answer(error: c_int) -> u64 {
    u64::from(error.cast_unsigned())
}

/// Does the same with C11's results.
///
/// # Safety
/// As for [`wait`].
pub unsafe extern "C" fn wait_c11<U: Until>(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    third: usize,
    fourth: usize,
    kept: Kept,
) -> u64 {
    // SAFETY: the caller's promise.
    let answer = unsafe { wait::<U>(condition, mutex, third, fourth, kept) };
    let word = c11_word((answer as u32).cast_signed());
    answer & (AGAIN | CANCELLED) | u64::from(word.cast_unsigned())
}

#[cfg(test)]
mod tests;
