//! The parent's side: starts children, waits for them, cuts them off.

use std::io::Write;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use locktoll_lab::cell::{Cell, LONGEST_ROUNDS, Length, Slice};
use locktoll_lab::platform::{account_for_child, this_program};
use locktoll_lab::runner::{Executor, SliceFailure};

use super::Answer;
use crate::inner::CELL;
use crate::slices::system as slice;
use crate::slices::system::{apart, end, how, tie};
use locktoll_terminal::interrupt::Interrupt;

/// How often the parent checks whether the user wants to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// Runs every slice in a child process: this same program, started in another mode.
pub struct ChildProcess {
    interrupt: Interrupt,
}

impl ChildProcess {
    /// Creates an executor that starts children from this program and stops them when `interrupt` is requested.
    ///
    /// # Errors
    /// If the path of this program is not known: then nothing can be measured.
    pub fn new(interrupt: Interrupt) -> std::io::Result<Self> {
        this_program().map(|_| Self { interrupt })
    }

    fn start(&self, cell: &Cell) -> std::io::Result<Child> {
        let mut command = this_program()?;
        command
            .arg(CELL)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = apart(&mut command).spawn()?;
        let request = serde_json::to_vec(cell)?;
        let mut stdin = child.stdin.take().expect("asked for a pipe");
        if let Err(error) = tie(&child).and_then(|()| stdin.write_all(&request)) {
            drop(stdin);
            end(&mut child);
            return Err(error);
        }
        Ok(child)
    }
}

impl Executor for ChildProcess {
    fn run(&mut self, cell: &Cell) -> Result<Slice, SliceFailure> {
        let refused = |error: std::io::Error| SliceFailure::Refused(error.to_string());
        let mut child = self.start(cell).map_err(refused)?;
        let limit = longest(cell);
        let answer = match read_answer(&mut child, limit, &self.interrupt) {
            Ok(answer) => answer,
            Err(failure) => {
                end(&mut child);
                account_for_child(&child);
                return Err(failure);
            }
        };
        let status = child.wait().map_err(refused)?;
        account_for_child(&child);
        match serde_json::from_slice(&answer) {
            Ok(Answer::Measured(slice)) => Ok(*slice),
            Ok(Answer::Refused(reason)) => Err(SliceFailure::Refused(reason)),
            Err(_) => Err(SliceFailure::Died(how(status))),
        }
    }
}

/// Returns a time that a slice, including its cutting off, exceeds only if something is very wrong.
fn longest(cell: &Cell) -> Duration {
    let slice = match cell.length {
        Length::Time { ns } => Duration::from_nanos(ns),
        Length::Rounds { .. } => LONGEST_ROUNDS,
    };
    slice * 2 + Duration::from_secs(15) + Duration::from_millis(20) * cell.threads
}

/// Reads until the child closes its standard output.
fn read_answer(
    child: &mut Child,
    limit: Duration,
    interrupt: &Interrupt,
) -> Result<Vec<u8>, SliceFailure> {
    let refused = |error: std::io::Error| SliceFailure::Refused(error.to_string());
    let mut pipe = slice::Answer::of(child.stdout.take().expect("asked for a pipe"));
    let deadline = Instant::now() + limit;
    let mut answer = Vec::new();
    loop {
        if interrupt.requested() {
            return Err(SliceFailure::Interrupted);
        }
        if Instant::now() > deadline {
            return Err(SliceFailure::Stuck(limit.as_secs_f64()));
        }
        match pipe.next(GLANCE).map_err(refused)? {
            Some(piece) if piece.is_empty() => return Ok(answer),
            Some(piece) => answer.extend(piece),
            // Nothing has arrived yet: try again.
            None => {}
        }
    }
}
