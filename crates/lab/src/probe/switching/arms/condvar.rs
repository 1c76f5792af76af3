//! The C library's condition variable, one for each side, and a mutex that both share.

use std::cell::UnsafeCell;
use std::io;

use crate::probe::ping_pong::HandOver;

/// 1. Nothing here is used before it is in its final place behind an `Arc`, and nothing is moved afterwards.
/// 2. `may_go` is touched only by the thread that holds `mutex`.
pub(super) struct Condvars {
    mutex: UnsafeCell<libc::pthread_mutex_t>,
    conditions: [UnsafeCell<libc::pthread_cond_t>; 2],
    may_go: [UnsafeCell<bool>; 2],
}

// SAFETY: the C library's objects may be used by several threads (invariant 1); the rest follows invariant 2.
unsafe impl Send for Condvars {}
// SAFETY: as above.
unsafe impl Sync for Condvars {}

impl Condvars {
    pub fn new() -> Condvars {
        Condvars {
            mutex: UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER),
            conditions: [const { UnsafeCell::new(libc::PTHREAD_COND_INITIALIZER) }; 2],
            may_go: [const { UnsafeCell::new(false) }; 2],
        }
    }
}

impl Drop for Condvars {
    fn drop(&mut self) {
        // SAFETY: invariant 1; the last owner is here, so nobody waits.
        unsafe {
            for condition in &self.conditions {
                libc::pthread_cond_destroy(condition.get());
            }
            libc::pthread_mutex_destroy(self.mutex.get());
        }
    }
}

impl HandOver for Condvars {
    /// Signals after the release: otherwise a thread that is woken on another CPU would find the mutex held, and sleep again.
    #[inline]
    fn wake(&self, side: usize) -> io::Result<()> {
        // SAFETY: invariants 1 and 2.
        unsafe {
            answer(libc::pthread_mutex_lock(self.mutex.get()))?;
            *self.may_go[side].get() = true;
            answer(libc::pthread_mutex_unlock(self.mutex.get()))?;
            answer(libc::pthread_cond_signal(self.conditions[side].get()))
        }
    }

    #[inline]
    fn wait(&self, side: usize) -> io::Result<()> {
        // SAFETY: invariants 1 and 2; the wait releases the mutex and holds it again when it returns.
        unsafe {
            answer(libc::pthread_mutex_lock(self.mutex.get()))?;
            while !*self.may_go[side].get() {
                answer(libc::pthread_cond_wait(
                    self.conditions[side].get(),
                    self.mutex.get(),
                ))?;
            }
            *self.may_go[side].get() = false;
            answer(libc::pthread_mutex_unlock(self.mutex.get()))
        }
    }
}

#[inline]
fn answer(code: libc::c_int) -> io::Result<()> {
    match code {
        0 => Ok(()),
        code => Err(io::Error::from_raw_os_error(code)),
    }
}
