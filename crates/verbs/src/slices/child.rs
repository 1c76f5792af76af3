//! The child's side.

use std::io::{Read, Write};

use locktoll_lab::cell::Cell;
use locktoll_lab::runner::{Executor, InProcess};

use super::Answer;
use crate::slices::system::{begin, leave};
use locktoll_terminal::failure::Outcome;

/// Runs the slice described on standard input and answers on standard output.
///
/// Ends the process itself, because threads that had to be cut off are still running.
pub fn serve() -> Outcome {
    begin();
    let mut request = String::new();
    std::io::stdin().read_to_string(&mut request)?;
    let cell: Cell = serde_json::from_str(&request).map_err(anyhow::Error::from)?;
    let answer = match InProcess.run(&cell) {
        Ok(slice) => Answer::Measured(Box::new(slice)),
        Err(failure) => Answer::Refused(failure.to_string()),
    };
    let answer = serde_json::to_vec(&answer).map_err(anyhow::Error::from)?;
    let mut out = std::io::stdout().lock();
    let written = out.write_all(&answer).and_then(|()| out.flush());
    leave(i32::from(written.is_err()))
}
