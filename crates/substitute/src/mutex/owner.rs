//! Who holds a recursive or error-checking mutex.
//!
//! A thread is known by the address of its thread control block, which is in a register: no call and no memory. It stays the
//! same over fork(2), so that the forking thread is in the child who it was in the parent, and may release there what it
//! had acquired. (The C library knows threads by the kernel's numbers, and a forked child does not own what its parent held;
//! POSIX wants it to.) Of two threads that live one after another, both may have the same address: who ends holding a mutex
//! leaves it to whoever comes next, where POSIX leaves undefined what happens.

use core::sync::atomic::Ordering::Relaxed;

use super::object::MutexObject;

/// Nobody.
pub const NOBODY: u64 = 0;

/// A thread that is not in this process: no thread's address.
const GONE: u64 = 1;

/// The calling thread.
#[inline(always)]
pub fn caller() -> u64 {
    let thread: u64;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the first word of a thread's control block is its own address (System V ABI for x86-64, thread-local storage).
    unsafe {
        core::arch::asm!("mov {}, fs:[0]", out(reg) thread, options(nostack, preserves_flags, readonly, pure));
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: reads the register that holds it.
    unsafe {
        core::arch::asm!("mrs {}, tpidr_el0", out(reg) thread, options(nostack, preserves_flags, nomem, pure));
    }
    thread
}

impl MutexObject {
    /// Whether the calling thread holds this mutex, which keeps its owner.
    #[inline]
    pub fn is_callers(&self) -> bool {
        // Relaxed: O2: what another thread wrote is not the caller.
        self.owner.load(Relaxed) == caller()
    }

    /// Notes that the calling thread has acquired the mutex, or that its holder is about to release it.
    #[inline]
    pub fn note_owner(&self, owner: u64, count: u32) {
        // Relaxed, both: O2; ordered by the lock between one holder and the next.
        self.owner.store(owner, Relaxed);
        self.count.store(count, Relaxed);
    }

    /// In a forked child: forgets an owner that is not here, so that no new thread is taken for it, which may come to have
    /// its address.
    pub fn forget_owner_that_is_gone(&self) {
        let owner = self.owner.load(Relaxed);
        if owner == NOBODY {
            return;
        }
        // The thread that forked has the process's number for its own. For any other, an owner that looks like it is one of
        // the parent's; and an owner that looks like a third is let be.
        let forked = rustix::thread::gettid() == rustix::process::getpid();
        if forked != (owner == caller()) {
            self.owner.store(GONE, Relaxed);
        }
    }
}
