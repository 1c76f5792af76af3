//! A child's standard output. A pipe of Windows cannot be waited for with a limit, so a thread reads it.

use std::io::{self, Read};
use std::process::ChildStdout;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Bytes read at once.
const PIECE: usize = 16 * 1024;

/// A child's standard output, read with a limit.
pub struct Answer(Receiver<io::Result<Vec<u8>>>);

impl Answer {
    /// Of a child's. The reading thread ends with the output, that is at the latest when the child has been ended.
    pub fn of(mut output: ChildStdout) -> Self {
        let (sender, receiver) = channel();
        thread::spawn(move || {
            loop {
                let mut piece = vec![0; PIECE];
                let read = output.read(&mut piece).map(|read| {
                    piece.truncate(read);
                    piece
                });
                let last = read.as_ref().map_or(true, Vec::is_empty);
                // Nobody listens any more once the child was given up.
                if sender.send(read).is_err() || last {
                    return;
                }
            }
        });
        Self(receiver)
    }

    /// Bytes that come within `limit`: none at the output's end, `None` where nothing came.
    ///
    /// # Errors
    /// The pipe's.
    pub fn next(&mut self, limit: Duration) -> io::Result<Option<Vec<u8>>> {
        match self.0.recv_timeout(limit) {
            Ok(read) => read.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Ok(Some(Vec::new())),
        }
    }
}
