//! SIGINT and SIGTERM.

use std::io;
use std::sync::Arc;

use signal_hook::consts::{SIGINT, SIGTERM};
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
