//! Hooks around the functions of barriers.
//!
//! Waiting for other threads is the purpose of a barrier, and is not contention. The last thread to arrive does not wait; in
//! the GNU C library, its call returns `PTHREAD_BARRIER_SERIAL_THREAD`.

use core::ffi::{c_int, c_uint};

use libc::{PTHREAD_BARRIER_SERIAL_THREAD, pthread_barrier_t, pthread_barrierattr_t};
use locktoll_recording::layout::{EntryPoint, LockKind};

use super::call::{self, Call};
use crate::ledger::Ledger;
use crate::real;
use crate::wait::Wait;
use crate::waited::End;

pub unsafe extern "C" fn wait(barrier: *mut pthread_barrier_t, site: usize) -> c_int {
    let real = || {
        let wait = real::BARRIER_WAIT.get();
        // SAFETY: H1.
        wait.map_or(0, |wait| unsafe { wait(barrier) })
    };
    let Some(ledger) = Ledger::open() else {
        return real();
    };
    let call = Call {
        kind: LockKind::Barrier,
        lock: barrier as usize,
        site,
        entry: EntryPoint::Wait,
    };
    // Once the others are through, the barrier may be destroyed, so everything in it is read now.
    // SAFETY: H1.
    let key = unsafe { call.key(&ledger) };
    let noted = Wait::for_signal(&ledger, key);
    let result = real();
    // In the child of a fork that a signal handler made meanwhile, the notes no longer exist.
    if let Some(ledger) = Ledger::open() {
        let has_waited = result == 0;
        noted.end(&ledger, if has_waited { End::Done } else { End::Failed });
        if has_waited || result == PTHREAD_BARRIER_SERIAL_THREAD {
            ledger.counted(key);
        }
    }
    result
}

pub unsafe extern "C" fn init(
    barrier: *mut pthread_barrier_t,
    attributes: *const pthread_barrierattr_t,
    count: c_uint,
    site: usize,
) -> c_int {
    // SAFETY: H1.
    let result = real::BARRIER_INIT
        .get()
        .map_or(0, |init| unsafe { init(barrier, attributes, count) });
    // SAFETY: H1.
    unsafe { call::note_init(LockKind::Barrier, barrier as usize, site, result) };
    result
}
