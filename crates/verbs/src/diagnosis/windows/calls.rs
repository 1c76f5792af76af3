//! Calls that are made to see the result.
//!
//! 1. The pseudo-handle of the calling thread is always valid and has all rights.

use std::io::Error;
use std::sync::atomic::AtomicU32;
use std::time::Instant;

use windows_sys::Win32::Foundation::ERROR_TIMEOUT;
use windows_sys::Win32::System::Threading::{
    GetActiveProcessorGroupCount, GetCurrentThread, GetThreadPriority, SetThreadPriority, Sleep,
    THREAD_PRIORITY_TIME_CRITICAL, WaitOnAddress,
};

/// How many sleeps are timed.
const SLEEPS: usize = 9;

/// Returns the number of processor groups.
pub(super) fn groups() -> Option<u16> {
    // SAFETY: takes nothing.
    let groups = unsafe { GetActiveProcessorGroupCount() };
    (groups > 0).then_some(groups)
}

/// Raises this thread's priority as far as it goes without a privilege, and puts it back.
pub(super) fn priority_can_rise() -> Result<(), String> {
    // SAFETY: invariant 1, here and below.
    let before = unsafe { GetThreadPriority(GetCurrentThread()) };
    // SAFETY: invariant 1.
    if unsafe { SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_TIME_CRITICAL) } == 0 {
        return Err(Error::last_os_error().to_string());
    }
    // SAFETY: invariant 1.
    let risen = unsafe { GetThreadPriority(GetCurrentThread()) };
    // SAFETY: invariant 1.
    unsafe { SetThreadPriority(GetCurrentThread(), before) };
    match risen == THREAD_PRIORITY_TIME_CRITICAL {
        true => Ok(()),
        false => Err(format!("the priority stayed {risen}")),
    }
}

/// Tests WaitOnAddress: a wait on a word with another value than expected must return at once; a wait on one with the expected
/// value must last, up to the limit.
pub(super) fn waits_on_addresses() -> Result<(), String> {
    let word = AtomicU32::new(1);
    let wait = |expected: u32| {
        // SAFETY: both addresses are of four bytes that live through the call.
        let woken = unsafe {
            WaitOnAddress(
                word.as_ptr().cast(),
                (&raw const expected).cast(),
                size_of::<u32>(),
                1,
            )
        };
        (woken != 0, Error::last_os_error())
    };
    let (told, _) = wait(0);
    if !told {
        return Err("it waited for a word that had changed already".to_owned());
    }
    match wait(1) {
        (false, error) if error.raw_os_error() == Some(ERROR_TIMEOUT as i32) => Ok(()),
        (false, error) => Err(error.to_string()),
        // It may wake for no reason (its documentation says so); whether it always does is not tested here.
        (true, _) => Ok(()),
    }
}

/// Returns how long Sleep(1) takes, in nanoseconds: the median.
pub(super) fn sleeps() -> u64 {
    let mut all = [0; SLEEPS];
    for slept in &mut all {
        let before = Instant::now();
        // SAFETY: takes a number.
        unsafe { Sleep(1) };
        *slept = before.elapsed().as_nanos() as u64;
    }
    all.sort_unstable();
    all[SLEEPS / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_system_answers_and_the_priority_is_as_before() {
        // SAFETY: invariant 1.
        let priority = || unsafe { GetThreadPriority(GetCurrentThread()) };
        let before = priority();
        assert_eq!(priority_can_rise(), Ok(()));
        assert_eq!(priority(), before);
        assert_eq!(waits_on_addresses(), Ok(()));
        assert!(groups() >= Some(1));
        assert!(sleeps() > 0);
    }
}
