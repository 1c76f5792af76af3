//! Ctrl-C asks for the results so far; a second one ends the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::system::interrupt::{end_soon_after, listen};

/// Signals that arrive this close together count as one: timeout(1) sends one to this process, and then one to its whole group.
const ONE: Duration = Duration::from_millis(200);

/// Set once the user has asked to stop.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on for SIGINT and SIGTERM, or their counterparts on this system.
    pub fn listen() -> std::io::Result<Self> {
        let interrupt = Self::default();
        let flag = Arc::clone(&interrupt.0);
        // The time of the first signal, in nanoseconds from here plus one; 0 before it.
        let (began, first_ns) = (Instant::now(), AtomicU64::new(0));
        // A clock (clock_gettime(3)) and atomics, which a signal handler may use.
        listen(move || {
            let now_ns = began.elapsed().as_nanos() as u64 + 1;
            // Relaxed: neither carries any other data.
            let first = first_ns.compare_exchange(0, now_ns, Ordering::Relaxed, Ordering::Relaxed);
            flag.store(true, Ordering::Relaxed);
            first.is_err_and(|ns| Duration::from_nanos(now_ns - ns.min(now_ns)) > ONE)
        })?;
        Ok(interrupt)
    }

    /// Like [`listen`](Self::listen), for a program that has nothing to finish. If it is stuck reading something that others
    /// withhold from it, it ends a moment after the first signal.
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
