//! Ctrl-C asks for what there is so far; a second one ends the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::low_level;

/// Signals so close together are one: timeout(1) sends its own to us, and then to our whole group.
const ONE: Duration = Duration::from_millis(200);

/// Set once the user has asked to stop.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for SIGINT and SIGTERM from now on.
    pub fn listen() -> std::io::Result<Self> {
        let interrupt = Self::default();
        // When the first signal came, nanoseconds from here and one more; 0 before.
        let (began, first_ns) = (Instant::now(), Arc::new(AtomicU64::new(0)));
        for signal in [SIGINT, SIGTERM] {
            let (asked, first_ns) = (Arc::clone(&interrupt.0), Arc::clone(&first_ns));
            let handler = move || {
                let now_ns = began.elapsed().as_nanos() as u64 + 1;
                // Relaxed: neither carries any other data.
                let first =
                    first_ns.compare_exchange(0, now_ns, Ordering::Relaxed, Ordering::Relaxed);
                asked.store(true, Ordering::Relaxed);
                if first.is_err_and(|ns| Duration::from_nanos(now_ns - ns.min(now_ns)) > ONE) {
                    low_level::exit(128 + signal);
                }
            };
            // SAFETY: the handler reads a clock (clock_gettime(3)), uses atomics, and calls _exit(2): all async-signal-safe.
            unsafe { low_level::register(signal, handler) }?;
        }
        Ok(interrupt)
    }

    /// Whether the user has asked to stop. Relaxed: the flag carries no data.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
