//! A time limit for tests that a lost wake-up would leave waiting for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// Ends the process if the test is not done in a time that no machine needs.
pub struct Guard {
    done: Arc<AtomicBool>,
}

impl Default for Guard {
    fn default() -> Self {
        Self::new()
    }
}

impl Guard {
    /// Begins the time.
    pub fn new() -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let watched = Arc::clone(&done);
        thread::spawn(move || {
            let begin = Instant::now();
            while begin.elapsed() < Duration::from_secs(120) {
                if watched.load(Relaxed) {
                    return;
                }
                thread::sleep(Duration::from_millis(50));
            }
            eprintln!("a waiter was forgotten");
            std::process::abort();
        });
        Self { done }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.done.store(true, Relaxed);
    }
}
