//! Priorities of threads instead of nice values.

use std::io;

use windows_sys::Win32::System::Threading::{
    GetCurrentThread, SetThreadPriority, THREAD_PRIORITY, THREAD_PRIORITY_ABOVE_NORMAL,
    THREAD_PRIORITY_BELOW_NORMAL, THREAD_PRIORITY_HIGHEST, THREAD_PRIORITY_IDLE,
    THREAD_PRIORITY_LOWEST, THREAD_PRIORITY_NORMAL, THREAD_PRIORITY_TIME_CRITICAL,
};

/// Sets the calling thread's priority to the equivalent of a nice value.
///
/// # Errors
/// Windows' error, if it refuses.
pub fn set_nice(nice: i32) -> io::Result<()> {
    // SAFETY: plain numbers; the handle is the calling thread's and needs no closing.
    if unsafe { SetThreadPriority(GetCurrentThread(), priority_of(nice)) } == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Windows has seven priorities in a class, compared with Linux's forty nice values: the ends map to the ends, and the rest is
/// halved.
fn priority_of(nice: i32) -> THREAD_PRIORITY {
    match nice {
        ..=-20 => THREAD_PRIORITY_TIME_CRITICAL,
        -19..=-10 => THREAD_PRIORITY_HIGHEST,
        -9..=-1 => THREAD_PRIORITY_ABOVE_NORMAL,
        0 => THREAD_PRIORITY_NORMAL,
        1..=9 => THREAD_PRIORITY_BELOW_NORMAL,
        10..=18 => THREAD_PRIORITY_LOWEST,
        19.. => THREAD_PRIORITY_IDLE,
    }
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::System::Threading::GetThreadPriority;

    use super::*;

    #[test]
    fn a_nice_thread_has_the_priority_that_stands_for_it() {
        for (nice, wanted) in [
            (0, THREAD_PRIORITY_NORMAL),
            (5, THREAD_PRIORITY_BELOW_NORMAL),
            (10, THREAD_PRIORITY_LOWEST),
            (19, THREAD_PRIORITY_IDLE),
            (-5, THREAD_PRIORITY_ABOVE_NORMAL),
        ] {
            let seen = std::thread::spawn(move || {
                set_nice(nice).unwrap();
                // SAFETY: the calling thread's own handle.
                unsafe { GetThreadPriority(GetCurrentThread()) }
            });
            assert_eq!(seen.join().unwrap(), wanted, "{nice}");
        }
    }
}
