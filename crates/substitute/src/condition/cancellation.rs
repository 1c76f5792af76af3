//! How pthread_cancel(3) reaches a thread that waits for a condition.
//!
//! A wait for a condition is a cancellation point. A thread that is cancelled in it holds the mutex again when its clean-up
//! handlers run, and must not have used up a signal that others wait for. A wait outside the C library could handle this in
//! several ways:
//!
//! - *Sleep in a function of the C library that is a cancellation point*, with a semaphore in each waiter. This is as sound as
//!   the C library's own waits. But when a clean-up handler of this library runs, the thread is being unwound irrevocably, and
//!   a signal may have come before that. It would have to be sent again, to an object that may have been destroyed, since the
//!   signaller has finished.
//! - *Make the thread cancellable at any instruction around the system call* (`PTHREAD_CANCEL_ASYNCHRONOUS`), as the C library
//!   itself did up to 2.40. This has the same problem with signals, and a handler of the program that runs in the meantime can
//!   be cancelled in the middle of a `malloc`.
//! - *Be notified of the request.* The export of `pthread_cancel` pokes the thread after the C library's function has
//!   returned. The thread wakes as it does for a signal, leaves the queue if no signal has come first, acquires the mutex, and
//!   only then, with only one frame of assembly of this library left on its stack, calls pthread_testcancel(3), which does not
//!   return. If a signal has come first, it returns from the wait as usual, and the request stays pending: POSIX permits both.
//!
//! This library uses the last way: none of its instructions is cancelled, and no signal is lost. It does not see requests that
//! bypass the exported name (for example by `dlsym` in the C library itself); these take effect when the wait ends in another
//! way.
//!
//! A thread that may be cancelled at any instruction cannot be cancelled that way while it waits, but can be again afterwards.
//!
//! A waiter is in the list of its thread's bucket while it waits. It checks for earlier requests by pthread_testcancel *before*
//! it enters the list. The count of requests, read under the bucket's lock, shows whether one has come since.
//!
//! # Invariants
//!
//! - **K1** A bucket's list is read and written by the holder of its lock, and the nodes in it exist: they leave the list
//!   before their frame ends.
//! - **K2** A request is pending before its bucket's count is raised and the bucket's list is searched, both in one hold of
//!   the lock. So a thread that enters the list and finds the count as it was before its pthread_testcancel has either acted
//!   on the request there or is found by the search.
//! - **K3** A forked child finds zeros here: free locks, empty lists (`MADV_WIPEONFORK`). Waiters that were enrolled before are
//!   not in them.

use core::cell::Cell;
use core::ffi::{c_int, c_void};
use core::ptr::{self, null_mut};
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use libc::pthread_t;
use locktoll_locks::{Futex3, RawLock, Waiter};

use super::hidden::Hidden;
use crate::entries::Entry;
use crate::{generation, real};

const BUCKETS: usize = 64;

/// A list of the waiters of some threads.
#[repr(C, align(64))]
struct Bucket {
    /// All zeros is a free lock (K3).
    lock: Futex3,
    /// Requests to cancel any thread of this bucket; changed with the lock held.
    requests: AtomicU32,
    first: Cell<*mut Enrolled>,
}

// SAFETY: K1.
unsafe impl Sync for Bucket {}

/// The data that the kernel wipes in a forked child, in separate pages.
#[repr(C)]
#[cfg_attr(target_arch = "aarch64", repr(align(65536)))]
#[cfg_attr(not(target_arch = "aarch64"), repr(align(4096)))]
pub(super) struct Wiped {
    buckets: [Bucket; BUCKETS],
    pub(super) hidden: [Hidden; BUCKETS],
}

pub(super) static WIPED: Wiped = Wiped {
    buckets: [const {
        Bucket {
            lock: Futex3::with_spin(0),
            requests: AtomicU32::new(0),
            first: Cell::new(null_mut()),
        }
    }; BUCKETS],
    hidden: [const { Hidden::new() }; BUCKETS],
};

/// Makes the kernel wipe what must not survive a fork. Returns `false` if it cannot.
pub(super) fn start() -> bool {
    use rustix::mm::{Advice, madvise};
    let pages = ptr::from_ref(&WIPED).cast_mut().cast();
    // SAFETY: whole pages that belong to this library alone, and for which zeros are as good as new (K3); static data of zeros
    // is private anonymous memory.
    unsafe { madvise(pages, size_of::<Wiped>(), Advice::LinuxWipeOnFork) }.is_ok()
}

/// Returns which of [`BUCKETS`] an address belongs to.
pub(super) fn bucket_of(address: usize) -> usize {
    /// Spreads addresses that differ in their middle bits over the upper bits (Knuth, TAOCP 3, 6.4: multiplicative hashing).
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    ((address as u64).wrapping_mul(SPREAD) >> (64 - BUCKETS.trailing_zeros())) as usize
}

impl Bucket {
    fn of(thread: pthread_t) -> &'static Self {
        &WIPED.buckets[bucket_of(thread as usize)]
    }

    fn held<T>(&self, work: impl FnOnce() -> T) -> T {
        self.lock.lock();
        let result = work();
        // SAFETY: locked above.
        unsafe { self.lock.unlock() };
        result
    }
}

/// A waiter that requests to cancel its thread can find.
pub struct Enrolled {
    /// The part of it that the condition uses.
    pub waiter: Waiter,
    thread: pthread_t,
    generation: u32,
    next: Cell<*mut Self>,
    previous: Cell<*mut Self>,
}

impl Enrolled {
    /// Makes a waiter for the calling thread.
    pub fn new() -> Self {
        Self {
            waiter: Waiter::new(),
            // SAFETY: has no conditions.
            thread: unsafe { libc::pthread_self() },
            generation: generation::current(),
            next: Cell::new(null_mut()),
            previous: Cell::new(null_mut()),
        }
    }

    /// Enters the list, unless there has been a request since there were `seen` of them ([`requests_seen`]). In that case it
    /// returns `false`, and the thread must check for requests again.
    ///
    /// # Safety
    /// It stays where it is until [`strike_off`](Self::strike_off) has returned.
    pub unsafe fn enrol(&self, seen: u32) -> bool {
        let bucket = Bucket::of(self.thread);
        bucket.held(|| {
            // Relaxed: under the lock (K2).
            if bucket.requests.load(Relaxed) != seen {
                return false;
            }
            let own = ptr::from_ref(self).cast_mut();
            let first = bucket.first.replace(own);
            self.next.set(first);
            // SAFETY: K1.
            if let Some(first) = unsafe { first.as_ref() } {
                first.previous.set(own);
            }
            true
        })
    }

    /// Whether this is the process in which the wait began: a signal handler may have forked meanwhile, and returned in the
    /// child.
    pub fn is_of_this_process(&self) -> bool {
        generation::is_current(self.generation)
    }

    /// Leaves the list.
    pub fn strike_off(&self) {
        if !self.is_of_this_process() {
            // K3.
            return;
        }
        let bucket = Bucket::of(self.thread);
        bucket.held(|| {
            let (previous, next) = (self.previous.get(), self.next.get());
            // SAFETY: K1.
            match unsafe { previous.as_ref() } {
                Some(previous) => previous.next.set(next),
                None => bucket.first.set(next),
            }
            // SAFETY: K1.
            if let Some(next) = unsafe { next.as_ref() } {
                next.previous.set(previous);
            }
        });
    }
}

/// Returns the number of requests that the calling thread's bucket has seen. To be read before pthread_testcancel(3).
pub fn requests_seen() -> u32 {
    // SAFETY: has no conditions.
    let thread = unsafe { libc::pthread_self() };
    // Acquire: a thread that sees the count of a request sees the request pending (K2).
    Bucket::of(thread).requests.load(Acquire)
}

/// Returns the address of the C library's `pthread_cancel`.
pub extern "C" fn real_cancel() -> *mut c_void {
    real::address(Entry::Cancel as usize)
}

/// Called after the C library's `pthread_cancel`, which returned `result`: wakes the thread if it waits for a condition.
///
/// The thread may have ended already; its number is only compared.
pub extern "C" fn requested(thread: pthread_t, result: c_int) -> c_int {
    if result == 0 {
        let bucket = Bucket::of(thread);
        bucket.held(|| {
            // Release: the request is pending, for threads that look without the lock (K2).
            bucket.requests.fetch_add(1, Release);
            let mut node = bucket.first.get();
            // SAFETY: K1.
            while let Some(enrolled) = unsafe { node.as_ref() } {
                if enrolled.thread == thread {
                    enrolled.waiter.poke();
                }
                node = enrolled.next.get();
            }
        });
    }
    result
}

/// Makes the calling thread act on requests at cancellation points only. Returns whether it could be cancelled at any
/// instruction.
pub fn defer() -> bool {
    unsafe extern "C" {
        fn pthread_setcanceltype(type_: c_int, before: *mut c_int) -> c_int;
    }
    const PTHREAD_CANCEL_DEFERRED: c_int = 0;
    let mut before = PTHREAD_CANCEL_DEFERRED;
    // SAFETY: a place for the answer.
    unsafe { pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &raw mut before) };
    before != PTHREAD_CANCEL_DEFERRED
}

/// Whether the calling thread acts on requests to cancel it.
pub fn is_enabled() -> bool {
    unsafe extern "C" {
        safe fn pthread_setcancelstate(state: c_int, before: &mut c_int) -> c_int;
    }
    const PTHREAD_CANCEL_ENABLE: c_int = 0;
    const PTHREAD_CANCEL_DISABLE: c_int = 1;
    let mut before = PTHREAD_CANCEL_DISABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &mut before);
    let enabled = before == PTHREAD_CANCEL_ENABLE;
    if enabled {
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &mut before);
    }
    enabled
}

#[cfg(test)]
mod tests;
