//! Whether a child of this process can be traced.

use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::served::ask_to_be_traced;
use crate::probe::child::{Child, Ended, SharedWords};

/// A child that only asks is done at once; on a busy machine it may have to wait for its turn.
const LIMIT: Duration = Duration::from_secs(20);

/// Returns why system calls cannot be counted by [`super::count_entries`]; `None` where they can. A child asks to be traced, as
/// [`super::serve`] does, and ends.
pub fn tracing_refused() -> Option<io::Error> {
    ask_in_a_child().err()
}

fn ask_in_a_child() -> io::Result<()> {
    let shared = SharedWords::new(1)?;
    let child = Child::fork(|| {
        if let Err(error) = ask_to_be_traced() {
            let number = error.raw_os_error().unwrap_or(libc::EIO);
            // Relaxed: read only after the child has been waited for.
            shared.words()[0].store(number as u64, Relaxed);
        }
    })?;
    match child.wait(LIMIT) {
        Ended::Done => match shared.words()[0].load(Relaxed) {
            0 => Ok(()),
            number => Err(io::Error::from_raw_os_error(number as i32)),
        },
        // A filter may kill the process that asks.
        Ended::Signal(_) => Err(io::Error::from_raw_os_error(libc::EPERM)),
        Ended::TimedOut => Err(io::Error::from_raw_os_error(libc::ETIMEDOUT)),
    }
}
