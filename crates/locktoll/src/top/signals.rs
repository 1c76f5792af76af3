//! Signals that concern a screen: to end, to stop for a while, to go on.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::flag;

/// What has come since it was asked last.
#[derive(Debug)]
pub struct Signals {
    end: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
    go_on: Arc<AtomicBool>,
}

impl Signals {
    /// Listens from now on. `SIGTSTP` then no longer stops the process: whoever asks has to.
    ///
    /// # Errors
    /// What sigaction(2) says.
    pub fn listen() -> io::Result<Self> {
        let signals = Self {
            end: Arc::default(),
            stop: Arc::default(),
            go_on: Arc::default(),
        };
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            flag::register(signal, Arc::clone(&signals.end))?;
        }
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

    /// Whether the process was stopped and goes on; true once for each time.
    pub fn went_on(&self) -> bool {
        self.go_on.swap(false, Ordering::Relaxed)
    }
}
