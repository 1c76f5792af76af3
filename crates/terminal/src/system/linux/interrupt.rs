//! SIGINT and SIGTERM, and SIGALRM, with which the kernel repeats them.

use std::io;
use std::sync::Arc;

use signal_hook::consts::{SIGALRM, SIGINT, SIGTERM};
use signal_hook::low_level;

/// Calls `asked` whenever the user asks to stop, from now on. If it returns true, the program ends at once.
///
/// `asked` runs in a signal handler, so it may only do what signal-safety(7) allows.
///
/// # Errors
/// The kernel's error, if it does not accept a handler.
pub fn listen(asked: impl Fn() -> bool + Send + Sync + 'static) -> io::Result<()> {
    let asked = Arc::new(asked);
    for signal in [SIGINT, SIGTERM] {
        let asked = Arc::clone(&asked);
        let handler = move || {
            if asked() {
                low_level::exit(128 + signal);
            }
        };
        // SAFETY: `asked` does only what handlers may, as its caller was told, and _exit(2) is async-signal-safe.
        unsafe { low_level::register(signal, handler) }?;
    }
    Ok(())
}

/// This long after a request to stop, the program ends in any case. A read from other processes may never return.
const PATIENCE_SECONDS: u32 = 2;

/// Arranges that the program ends `PATIENCE_SECONDS` after the first SIGINT or SIGTERM, from now on, if it has not ended by then.
///
/// # Errors
/// The kernel's error, if it does not accept a handler.
pub fn end_soon_after() -> io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        let asked = move || {
            // SAFETY: alarm(2) has no precondition, and is async-signal-safe.
            unsafe { libc::alarm(PATIENCE_SECONDS) };
        };
        // SAFETY: the handler makes only that call.
        unsafe { low_level::register(signal, asked) }?;
    }
    // SAFETY: _exit(2) is async-signal-safe.
    unsafe { low_level::register(SIGALRM, || low_level::exit(128 + SIGTERM)) }?;
    Ok(())
}
