//! The threads that accept connections. Each serves one connection at a time, so there are never more than threads.

use std::io;
use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::answer::answer;
use super::connection::{Limits, serve};
use super::pages::Pages;
use super::panics::{self, NAME};

/// The number of threads. Clients that send nothing keep each of them for [`LIMITS`] at most, while others wait in the kernel's queue.
const WORKERS: usize = 16;
/// The stack of each: hyper's own needs are small.
const STACK: usize = 256 << 10;

/// A scraper sends its request in one piece; an answer may be long, and the network slow.
const LIMITS: Limits = Limits {
    request: Duration::from_secs(2),
    answer: Duration::from_secs(20),
};

/// The pause after a connection could not be accepted, for example because all file descriptors are in use.
const PAUSE: Duration = Duration::from_millis(100);

/// Starts to answer requests. The threads end with the process.
///
/// # Errors
/// If a thread cannot be started.
pub fn start(listener: TcpListener, pages: &Arc<Pages>) -> io::Result<()> {
    panics::report_the_first();
    let listener = Arc::new(listener);
    for _ in 0..WORKERS {
        let (listener, pages) = (Arc::clone(&listener), Arc::clone(pages));
        let worker = thread::Builder::new()
            .name(NAME.to_owned())
            .stack_size(STACK);
        worker.spawn(move || {
            loop {
                match listener.accept() {
                    // A client that has gone concerns nobody else, and neither does a panic.
                    Ok((stream, _)) => drop(catch_unwind(AssertUnwindSafe(|| {
                        serve(stream, &pages, LIMITS, answer)
                    }))),
                    Err(_) => thread::sleep(PAUSE),
                }
            }
        })?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "server_tests.rs"]
mod tests;
