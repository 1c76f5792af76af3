//! The load on the host: a busy loop on each of its CPUs.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use locktoll_lab::machine::pin_current_thread;

/// Busy loops that run until this value is dropped.
pub struct BusyLoops {
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl BusyLoops {
    /// Starts a loop on each of these CPUs. They have the priority of the emulator's threads, so the scheduler lets both run in turn.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub fn on(cpus: &[usize]) -> std::io::Result<Self> {
        let mut loops = Self {
            over: Arc::default(),
            threads: Vec::new(),
        };
        for cpu in cpus.iter().copied() {
            let over = Arc::clone(&loops.over);
            let thread = std::thread::Builder::new().name("busy loop".to_owned());
            loops.threads.push(thread.spawn(move || {
                // Where that is not allowed, the scheduler spreads the loops.
                let _ = pin_current_thread(cpu);
                let mut count = 0_u64;
                // Relaxed: the flag carries no other data.
                while !over.load(Ordering::Relaxed) {
                    count = black_box(count.wrapping_add(1));
                }
            })?);
        }
        Ok(loops)
    }
}

impl Drop for BusyLoops {
    fn drop(&mut self) {
        // Relaxed: as above.
        self.over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // A loop does not panic.
            let _ = thread.join();
        }
    }
}
