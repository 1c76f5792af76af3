//! Calls that enter the kernel and come straight back.

use std::io;
use std::sync::atomic::AtomicU32;

use super::super::interleave::Probe;
use super::futex;

/// Enters and leaves the kernel, with next to nothing in between.
pub(super) fn system_call<'a>() -> Probe<'a> {
    Probe::new("system call", Some(0.0), |session, units| {
        session.solo(units, || {
            Ok(|| {
                // The C library does not cache this answer, so each call enters the kernel.
                // SAFETY: takes and returns plain numbers.
                std::hint::black_box(unsafe { libc::syscall(libc::SYS_getppid) });
                Ok(())
            })
        })
    })
}

/// A wake that finds no waiter.
pub(super) fn futex_wake<'a>() -> Probe<'a> {
    Probe::new("futex wake, nobody waits", Some(0.0), |session, units| {
        session.solo(units, || {
            let word = AtomicU32::new(0);
            Ok(move || match futex::wake(&word)? {
                0 => Ok(()),
                woken => Err(io::Error::other(format!(
                    "a futex wake woke {woken} threads where none waits"
                ))),
            })
        })
    })
}

/// A wait that does not sleep, since the word has changed.
pub(super) fn futex_wait<'a>() -> Probe<'a> {
    Probe::new(
        "futex wait that returns at once",
        Some(0.0),
        |session, units| {
            session.solo(units, || {
                let word = AtomicU32::new(1);
                Ok(move || match futex::wait(&word, 0) {
                    Err(error) if error.raw_os_error() == Some(libc::EAGAIN) => Ok(()),
                    Err(error) => Err(error),
                    Ok(()) => Err(io::Error::other(
                        "a futex wait on a changed word did not say EAGAIN",
                    )),
                })
            })
        },
    )
}
