//! One call that acquires or releases a lock of any kind.

use core::ffi::c_int;

use libc::{EBUSY, ETIMEDOUT};
use locktoll_recording::layout::{CountRecord, EntryPoint, LockKind};

use super::is_acquired;
use crate::clock;
use crate::contended::Contended;
use crate::index::Key;
use crate::ledger::{Ledger, Release, acquired};
use crate::recorder::Recorder;
use crate::thread::Thread;
use crate::timeline;
use crate::tls;
use crate::wait::Wait;
use crate::waited::End;

/// A call on one of the program's objects.
#[derive(Clone, Copy)]
pub struct Call {
    /// The kind of object.
    pub kind: LockKind,
    /// Its address (H1).
    pub lock: usize,
    /// The address that the call returns to.
    pub site: usize,
    /// The function that is called.
    pub entry: EntryPoint,
}

impl Call {
    /// Returns the calling thread, and its count for this call, unless this is the first such call.
    #[inline(always)]
    pub unsafe fn known(self) -> Option<(&'static Thread, &'static CountRecord)> {
        // SAFETY: null or a pointer set by `attachment`, to memory that stays mapped.
        let thread = unsafe { tls::get().as_ref() }?;
        let recorder = Recorder::get()?;
        // SAFETY: H1.
        let identity = unsafe { recorder.known(self.kind, self.lock) }?;
        let key = Key {
            lock: self.lock,
            generation: identity.generation,
            site: self.site,
            entry: self.entry,
            kind: self.kind,
            birth: identity.birth,
            other: 0,
        };
        let count = thread.count(key, &recorder.addresses)?;
        Some((thread, count))
    }

    /// Returns the key of the call's records.
    pub unsafe fn key(self, ledger: &Ledger) -> Key {
        // SAFETY: H1.
        unsafe { ledger.key(self.kind, self.lock, self.site, self.entry) }
    }

    /// Acquires the lock by `attempt` if that is possible at once, and otherwise by `acquire`, which may wait. `owner` returns
    /// the thread that has the lock, if the lock shows it.
    #[inline(always)]
    pub unsafe fn acquire(
        self,
        attempt: impl Fn() -> c_int,
        owner: impl FnOnce() -> Option<u32>,
        acquire: impl FnOnce() -> c_int,
    ) -> c_int {
        // SAFETY: H1.
        if let Some((thread, count)) = unsafe { self.known() } {
            let tried = attempt();
            if tried == 0 {
                acquired(thread, count);
                return 0;
            }
            // SAFETY: H1.
            return unsafe { self.after_try(tried, owner, acquire) };
        }
        // SAFETY: H1.
        unsafe { self.acquire_first_time(attempt, owner, acquire) }
    }

    /// Handles the first acquisition of a lock at a site, and every acquisition while nothing is recorded.
    #[cold]
    #[inline(never)]
    unsafe fn acquire_first_time(
        self,
        attempt: impl Fn() -> c_int,
        owner: impl FnOnce() -> Option<u32>,
        acquire: impl FnOnce() -> c_int,
    ) -> c_int {
        let Some(ledger) = Ledger::open() else {
            return acquire();
        };
        // SAFETY: H1.
        let key = unsafe { self.key(&ledger) };
        ledger.prepare(key);
        let tried = attempt();
        if tried == 0 {
            ledger.acquired(key);
            return 0;
        }
        // SAFETY: H1.
        unsafe { self.after_try(tried, owner, acquire) }
    }

    /// Continues after the attempt returned `tried`, which is not 0: waits by `acquire`, or lets `acquire` report the error.
    #[cold]
    #[inline(never)]
    unsafe fn after_try(
        self,
        tried: c_int,
        owner: impl FnOnce() -> Option<u32>,
        acquire: impl FnOnce() -> c_int,
    ) -> c_int {
        // The clock is read before all else: the thread is already waiting.
        let since_ns = clock::monotonic_ns();
        let Some(ledger) = Ledger::open() else {
            return acquire();
        };
        // SAFETY: H1.
        let key = unsafe { self.key(&ledger) };
        if tried != EBUSY {
            let result = acquire();
            if is_acquired(result) {
                ledger.acquired(key);
            }
            return result;
        }
        let wait = Wait::for_lock(&ledger, key, owner(), since_ns);
        let result = acquire();
        let end = match result {
            ETIMEDOUT => End::TimedOut,
            _ if is_acquired(result) => End::Done,
            _ => End::Failed,
        };
        // In the child of a fork that a signal handler made meanwhile, the notes no longer exist.
        if let Some(ledger) = Ledger::open() {
            match end {
                End::Done => wait.end_with_lock(&ledger),
                _ => drop(wait.end(&ledger, end)),
            }
        }
        result
    }

    /// Tries to acquire the lock by `attempt`, without waiting.
    #[inline(always)]
    pub unsafe fn attempt(self, attempt: impl FnOnce() -> c_int) -> c_int {
        // SAFETY: H1.
        let known = unsafe { self.known() };
        let result = attempt();
        match known {
            Some((thread, count)) if is_acquired(result) => acquired(thread, count),
            // SAFETY: H1.
            _ => unsafe { self.note_attempt(result) },
        }
        result
    }

    /// Enters the outcome of an attempt.
    #[cold]
    #[inline(never)]
    pub unsafe fn note_attempt(self, result: c_int) {
        if !is_acquired(result) && result != EBUSY {
            return;
        }
        let Some(ledger) = Ledger::open() else {
            return;
        };
        // SAFETY: H1.
        let key = unsafe { self.key(&ledger) };
        if is_acquired(result) {
            ledger.acquired(key);
        } else {
            ledger.try_failed(key);
        }
    }
}

/// Releases `lock` by `release`. `waited_for` says whether somebody may be waiting for it.
#[inline(always)]
pub fn release(
    lock: usize,
    waited_for: impl FnOnce() -> bool,
    release: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: as in `Call::known`.
    if let Some(thread) = unsafe { tls::get().as_ref() } {
        let waited_for = waited_for();
        if waited_for || !thread.held.pop_untimed(lock) {
            return release_noted(thread, lock, waited_for, release);
        }
    }
    release()
}

/// Ends a hold that is timed or waited for, or the hold of a lock that was not acquired last.
#[cold]
#[inline(never)]
fn release_noted(
    thread: &'static Thread,
    lock: usize,
    waited_for: bool,
    release: impl FnOnce() -> c_int,
) -> c_int {
    if !waited_for && timeline::ends(thread, lock) {
        return release();
    }
    let noted = Release::begin(thread, lock, waited_for);
    let result = release();
    if let Some(noted) = noted {
        noted.finish();
    }
    result
}

/// Whether somebody is waiting for `lock`, whose own state does not show it.
#[inline(always)]
pub fn is_waited_for(lock: usize) -> bool {
    Recorder::get().is_some_and(|recorder| {
        recorder.contended.may_be_waited_for(lock) && has_waiters(recorder, lock)
    })
}

/// Gives the answer when the filter may mean another lock.
#[cold]
#[inline(never)]
fn has_waiters(recorder: &Recorder, lock: usize) -> bool {
    let entry = recorder.contended.find(lock);
    entry.is_some_and(Contended::has_waiters)
}

/// Notes that the call at `site`, which returned `result`, initialised `lock`.
pub unsafe fn note_init(kind: LockKind, lock: usize, site: usize, result: c_int) {
    if result == 0
        && let Some(ledger) = Ledger::open()
    {
        // SAFETY: H1.
        unsafe { ledger.initialised(kind, lock, site) };
    }
}
