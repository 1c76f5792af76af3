//! SIGINT and SIGTERM, and SIGALRM, by which the kernel repeats them.

use std::io;
use std::sync::Arc;

use signal_hook::consts::{SIGALRM, SIGINT, SIGTERM};
use signal_hook::low_level;

/// Calls `asked` whenever the user asks to stop, from now on. Where that says true, the program ends at once.
///
/// `asked` runs in a signal's handler: it may do what signal-safety(7) allows, and no more.
///
/// # Errors
/// The kernel's, if it takes no handler.
pub fn listen(asked: impl Fn() -> bool + Send + Sync + 'static) -> io::Result<()> {
    let asked = Arc::new(asked);
    for signal in [SIGINT, SIGTERM] {
        let asked = Arc::clone(&asked);
        let handler = move || {
            if asked() {
                low_level::exit(128 + signal);
            }
        };
        // SAFETY: `asked` does what handlers may, as its caller was told, and _exit(2) is async-signal-safe.
        unsafe { low_level::register(signal, handler) }?;
    }
    Ok(())
}

/// This long after a request to stop, the program ends in any case. A read from other processes may never return.
const PATIENCE_SECONDS: u32 = 2;

/// Ends the program `PATIENCE_SECONDS` after the first SIGINT or SIGTERM, from now on, if it has not ended by then.
///
/// # Errors
/// The kernel's, if it takes no handler.
pub fn end_soon_after() -> io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        let asked = move || {
            // SAFETY: alarm(2) has no precondition, and is async-signal-safe.
            unsafe { libc::alarm(PATIENCE_SECONDS) };
        };
        // SAFETY: the handler makes that call alone.
        unsafe { low_level::register(signal, asked) }?;
    }
    // SAFETY: _exit(2) is async-signal-safe.
    unsafe { low_level::register(SIGALRM, || low_level::exit(128 + SIGTERM)) }?;
    Ok(())
}
