//! The identity of threads, for locks that store their holder.
//!
//! A thread is identified by the address of its thread control block, which is in a register: this takes no call and no
//! memory. It stays the same over fork(2), so the forking thread has the same identity in the child as in the parent.

/// A thread that is not in this process. It is not any thread's address.
#[cfg(any(test, feature = "interpose"))]
const GONE: u64 = 1;

/// Returns the calling thread. Never zero.
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

/// Returns the new name for a holder that an object names when it is first used in a forked child: the same name, or `GONE` if
/// that thread is not in this process. A new thread may get its address, and must not be mistaken for it.
#[cfg(any(test, feature = "interpose"))]
pub fn known_after_fork(holder: u64) -> u64 {
    if holder == 0 {
        return 0;
    }
    // The thread that forked has the process's number as its own. It knows that all other holders are gone; any other thread
    // knows only that it holds nothing itself yet.
    let forked = rustix::thread::gettid() == rustix::process::getpid();
    if forked == (holder == caller()) {
        holder
    } else {
        GONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_has_a_name_of_its_own() {
        let here = caller();
        assert_eq!(caller(), here);
        let other = std::thread::scope(|scope| scope.spawn(caller).join().unwrap());
        assert!(other != here && other > GONE && here > GONE);
    }

    #[test]
    fn of_all_holders_a_child_knows_the_thread_that_forked() {
        let (own, other) = (caller(), caller() + 64);
        // SAFETY: the child calls only async-signal-safe functions.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let found = [0, own, other].map(known_after_fork);
            // SAFETY: ends the child here.
            unsafe { libc::_exit(if found == [0, own, GONE] { 42 } else { 1 }) };
        }
        let mut status = 0;
        // SAFETY: this process's own child.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(libc::WEXITSTATUS(status), 42);
    }

    #[test]
    fn another_thread_knows_only_that_it_holds_nothing_yet() {
        let (found, own) = std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let own = caller();
                ([0, own, own + 64].map(known_after_fork), own)
            });
            thread.join().unwrap()
        });
        assert_eq!(found, [0, GONE, own + 64]);
    }
}
