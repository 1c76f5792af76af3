//! Processes that end while the program goes on for months: their parts are added up, so that the recording stays small.

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use locktoll_sources::recording::EndedParts;

use super::notices;

/// How often the parts are counted.
const INTERVAL: Duration = Duration::from_secs(1);
/// The number of new parts that is worth writing all sums again.
const LEAST: usize = 64;

/// Runs the program by `run`, and adds up the parts of its processes that end in the meantime, if they are in a folder.
pub fn added_up<T>(parts: Option<&Path>, run: impl FnOnce() -> T) -> T {
    let Some(parts) = parts else {
        return run();
    };
    let (running, ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        // Dropped when `run` returns or panics, which ends the thread.
        let running = running;
        scope.spawn(move || {
            let mut parts = EndedParts::new(parts);
            let mut has_failed = false;
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if let Err(why) = parts.add_up(LEAST)
                    && !std::mem::replace(&mut has_failed, true)
                {
                    notices::not_added_up(&why);
                }
            }
        });
        let ran = run();
        drop(running);
        ran
    })
}
