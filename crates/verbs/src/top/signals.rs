//! Signals that concern a screen: to end, to stop for a while, to continue.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::{flag, low_level};

/// The signals that have come since they were last asked for.
#[derive(Debug)]
pub struct Signals {
    end: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
    go_on: Arc<AtomicBool>,
}

impl Signals {
    /// Listens from now on. `SIGTSTP` then no longer stops the process: the caller has to stop it.
    ///
    /// # Errors
    /// The error of sigaction(2).
    pub fn listen() -> io::Result<Self> {
        let signals = Self {
            end: Arc::default(),
            stop: Arc::default(),
            go_on: Arc::default(),
        };
        for signal in [SIGINT, SIGTERM] {
            flag::register(signal, Arc::clone(&signals.end))?;
        }
        let end = Arc::clone(&signals.end);
        let hang_up = move || {
            // A thread that waits for keys of a terminal that is gone may never look at a flag; and there is no terminal to give
            // back.
            if is_hung_up() {
                low_level::exit(0);
            }
            end.store(true, Ordering::Relaxed);
        };
        // SAFETY: the handler calls poll(2) and _exit(2), and uses an atomic: all async-signal-safe.
        unsafe { low_level::register(SIGHUP, hang_up) }?;
        flag::register(SIGTSTP, Arc::clone(&signals.stop))?;
        flag::register(SIGCONT, Arc::clone(&signals.go_on))?;
        Ok(signals)
    }

    /// Whether to end. Relaxed here and below: the flags carry no data.
    pub fn end(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }

    /// Whether to stop for a while; true once for each time.
    pub fn stop(&self) -> bool {
        self.stop.swap(false, Ordering::Relaxed)
    }

    /// Whether the process was stopped and has continued; true once for each time.
    pub fn went_on(&self) -> bool {
        self.go_on.swap(false, Ordering::Relaxed)
    }
}

/// Whether the terminal on standard output is gone.
pub fn is_hung_up() -> bool {
    let mut terminal = libc::pollfd {
        fd: libc::STDOUT_FILENO,
        events: 0,
        revents: 0,
    };
    // SAFETY: `terminal` is one pollfd, and lives through the call.
    let found = unsafe { libc::poll(&raw mut terminal, 1, 0) };
    found > 0 && terminal.revents & (libc::POLLHUP | libc::POLLERR | libc::POLLNVAL) != 0
}
