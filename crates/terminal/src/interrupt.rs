//! Ctrl-C asks for the results so far; a second one ends the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::system::interrupt::{end_soon_after, listen};

/// Signals so close together are one: timeout(1) sends one to this process, and then one to its whole group.
const ONE: Duration = Duration::from_millis(200);

/// Set once the user has asked to stop.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on: for SIGINT and SIGTERM, or what the system has in their place.
    pub fn listen() -> std::io::Result<Self> {
        let interrupt = Self::default();
        let flag = Arc::clone(&interrupt.0);
        // When the first signal came, nanoseconds from here and one more; 0 before.
        let (began, first_ns) = (Instant::now(), AtomicU64::new(0));
        // A clock (clock_gettime(3)) and atomics: what a signal's handler may use.
        listen(move || {
            let now_ns = began.elapsed().as_nanos() as u64 + 1;
            // Relaxed: neither carries any other data.
            let first = first_ns.compare_exchange(0, now_ns, Ordering::Relaxed, Ordering::Relaxed);
            flag.store(true, Ordering::Relaxed);
            first.is_err_and(|ns| Duration::from_nanos(now_ns - ns.min(now_ns)) > ONE)
        })?;
        Ok(interrupt)
    }

    /// The same for what has nothing to finish: should it be stuck, reading what others keep from it, it ends a moment after the first
    /// signal.
    ///
    /// # Errors
    /// As [`listen`](Self::listen).
    pub fn listen_to_end() -> std::io::Result<Self> {
        end_soon_after()?;
        Self::listen()
    }

    /// Whether the user has asked to stop. Relaxed: the flag carries no data.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
