//! A child's standard output. A Windows pipe cannot be waited for with a time limit, so a thread reads it.

use std::io::{self, Read};
use std::process::ChildStdout;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Number of bytes read at once.
const PIECE: usize = 16 * 1024;

/// A child's standard output, read with a time limit.
pub struct Answer(Receiver<io::Result<Vec<u8>>>);

impl Answer {
    /// Takes the standard output of a child. The reading thread ends with the output, at the latest when the child has been
    /// ended.
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
                // Nobody receives it any more once the child has been given up.
                if sender.send(read).is_err() || last {
                    return;
                }
            }
        });
        Self(receiver)
    }

    /// Returns bytes that arrive within `limit`: none at the end of the output, `None` if nothing arrived.
    ///
    /// # Errors
    /// Errors of the pipe.
    pub fn next(&mut self, limit: Duration) -> io::Result<Option<Vec<u8>>> {
        match self.0.recv_timeout(limit) {
            Ok(read) => read.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Ok(Some(Vec::new())),
        }
    }
}
