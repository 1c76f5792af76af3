//! Threads with a real-time policy (sched(7)): SCHED_FIFO, SCHED_RR, SCHED_DEADLINE.
//!
//! The C library leaves the order of waiters to the kernel, which wakes the one with the highest priority. Most of this
//! library's locks wake them in other orders. Worse, a real-time thread that spins or yields can starve the holder, if the holder
//! needs the same processor to go on. So no lock is tried on a program with such threads:
//!
//! - A process that has such a policy when the library starts keeps the C library's locks.
//! - A call that sets such a policy later is counted, and `locktoll try` ends the run. By then this library may have replaced
//!   objects, and they cannot be given back.
//!
//! A call that fails does not count, unless the program makes it by syscall(2), whose result the library does not see. The
//! library does not notice a policy that another process gives to this one (chrt(1) with `-p`, rtkit), or one that the program
//! sets by an instruction of its own.

use core::ffi::{c_int, c_long, c_void};

use crate::entries::{self, Entry};
use crate::real::{self, real_function};
use crate::tally;

real_function! {
    thread_policy = SetThreadPolicy(thread: libc::pthread_t, policy: c_int, parameters: *const libc::sched_param);
    process_policy = SetPolicy(process: libc::pid_t, policy: c_int, parameters: *const libc::sched_param);
    attribute_policy = SetAttributePolicy(attributes: *mut libc::pthread_attr_t, policy: c_int);
}

/// Whether this process has a real-time policy. Counts it if so.
pub fn is_policy_of_process() -> bool {
    // SAFETY: neither call touches memory. The process id names the main thread, so the answer does not depend on the caller.
    let policy = unsafe { libc::sched_getscheduler(libc::getpid()) };
    let is_real_time = is_real_time(policy);
    if is_real_time {
        tally::count_real_time();
    }
    is_real_time
}

/// Redirects the functions that set a policy to those in this file, once the real functions are known. System calls that set one
/// come through `sandbox`.
pub fn watch() {
    for (entry, function) in [
        (Entry::SetThreadPolicy, set_thread_policy as *mut c_void),
        (Entry::SetPolicy, set_policy as *mut c_void),
        (
            Entry::SetAttributePolicy,
            set_attribute_policy as *mut c_void,
        ),
    ] {
        // Null: another thread is looking it up, and will come here too.
        if !real::address(entry as usize).is_null() {
            // SAFETY: E1: each has the signature of its name.
            unsafe { entries::send(entry, function) };
        }
    }
}

/// Looks at a system call that the program makes by syscall(2).
pub fn look_at_system_call(number: c_long, second: c_long) {
    match number {
        libc::SYS_sched_setscheduler => note(second as c_int),
        libc::SYS_sched_setattr => note(policy_in(second as *const c_void).unwrap_or(0)),
        _ => {}
    }
}

/// pthread_setschedparam(3p).
unsafe extern "C" fn set_thread_policy(
    thread: libc::pthread_t,
    policy: c_int,
    parameters: *const libc::sched_param,
) -> c_int {
    // SAFETY: the program's own arguments, here and below.
    noted(policy, unsafe { thread_policy(thread, policy, parameters) })
}

/// sched_setscheduler(2).
unsafe extern "C" fn set_policy(
    process: libc::pid_t,
    policy: c_int,
    parameters: *const libc::sched_param,
) -> c_int {
    // SAFETY: as above.
    noted(policy, unsafe {
        process_policy(process, policy, parameters)
    })
}

/// pthread_attr_setschedpolicy(3p).
unsafe extern "C" fn set_attribute_policy(
    attributes: *mut libc::pthread_attr_t,
    policy: c_int,
) -> c_int {
    // SAFETY: as above.
    noted(policy, unsafe { attribute_policy(attributes, policy) })
}

/// Notes a policy if the call that gives it has succeeded (0). Many programs ask for a real-time policy and go on without one
/// where it is not permitted.
fn noted(policy: c_int, result: c_int) -> c_int {
    if result == 0 {
        note(policy);
    }
    result
}

/// Counts a policy that a thread has or is going to have, if it is a real-time one.
fn note(policy: c_int) {
    if is_real_time(policy) {
        tally::count_real_time();
    }
}

fn is_real_time(policy: c_int) -> bool {
    let policy = policy & !libc::SCHED_RESET_ON_FORK;
    [libc::SCHED_FIFO, libc::SCHED_RR, libc::SCHED_DEADLINE].contains(&policy)
}

/// Returns the policy in a `struct sched_attr` (sched_setattr(2)). The pointer may be invalid: then process_vm_readv(2) fails, and
/// the program's own call returns EFAULT.
fn policy_in(attributes: *const c_void) -> Option<c_int> {
    // The size and the policy, both of 32 bits.
    let mut beginning = [0_u32; 2];
    let bytes = size_of_val(&beginning);
    let to = libc::iovec {
        iov_base: beginning.as_mut_ptr().cast(),
        iov_len: bytes,
    };
    let from = libc::iovec {
        iov_base: attributes.cast_mut(),
        iov_len: bytes,
    };
    // SAFETY: the C library gives every thread its own `errno`.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above; the kernel writes to `beginning` alone.
    unsafe {
        let before = *errno;
        let read = libc::process_vm_readv(libc::getpid(), &raw const to, 1, &raw const from, 1, 0);
        *errno = before;
        (read == bytes as isize).then_some(beginning[1].cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_policies_are_real_time() {
        for policy in [libc::SCHED_FIFO, libc::SCHED_RR, libc::SCHED_DEADLINE] {
            assert!(is_real_time(policy), "{policy}");
            assert!(is_real_time(policy | libc::SCHED_RESET_ON_FORK), "{policy}");
        }
        for policy in [libc::SCHED_OTHER, libc::SCHED_BATCH, libc::SCHED_IDLE, -1] {
            assert!(!is_real_time(policy), "{policy}");
        }
    }

    #[test]
    fn the_policy_is_read_from_the_programs_memory_or_not_at_all() {
        let attributes = [48_u32, 6, 0, 0];
        let read = policy_in(attributes.as_ptr().cast());
        assert_eq!(read, Some(libc::SCHED_DEADLINE));
        // SAFETY: the C library gives every thread its own `errno`.
        unsafe { *libc::__errno_location() = 77 };
        assert_eq!(policy_in(core::ptr::without_provenance(8)), None);
        // SAFETY: as above.
        assert_eq!(unsafe { *libc::__errno_location() }, 77);
    }
}
