//! The parent's side: start, wait, cut off.

use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use locktoll_lab::cell::{Cell, LONGEST_ROUNDS, Length, Slice};
use locktoll_lab::platform::this_program;
use locktoll_lab::runner::{Executor, SliceFailure};

use super::Answer;
use crate::cli::CELL;
use crate::interrupt::Interrupt;

/// How often the parent looks whether the user wants to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// How long a child gets to clean up before it is killed.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Runs every slice in a child process: this same program, started another way.
pub struct ChildProcess {
    interrupt: Interrupt,
}

impl ChildProcess {
    /// Children of the present program, stopped when `interrupt` comes.
    ///
    /// # Errors
    /// Where this program lies is not known: nothing will be measured.
    pub fn new(interrupt: Interrupt) -> std::io::Result<Self> {
        this_program().map(|_| Self { interrupt })
    }

    fn start(&self, cell: &Cell) -> std::io::Result<Child> {
        let mut child = this_program()?
            .arg(CELL)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // A terminal's Ctrl-C goes to us alone; we end the child ourselves.
            .process_group(0)
            .spawn()?;
        let request = serde_json::to_vec(cell)?;
        let mut stdin = child.stdin.take().expect("asked for a pipe");
        if let Err(error) = stdin.write_all(&request) {
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
                return Err(failure);
            }
        };
        let status = child.wait().map_err(refused)?;
        match serde_json::from_slice(&answer) {
            Ok(Answer::Measured(slice)) => Ok(*slice),
            Ok(Answer::Refused(reason)) => Err(SliceFailure::Refused(reason)),
            Err(_) => Err(SliceFailure::Died(how(status))),
        }
    }
}

/// A slice and its cutting off take no longer than this unless something is very wrong.
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
    let mut pipe = child.stdout.take().expect("asked for a pipe");
    let deadline = Instant::now() + limit;
    let mut answer = Vec::new();
    let mut piece = [0; 16 * 1024];
    loop {
        if interrupt.requested() {
            return Err(SliceFailure::Interrupted);
        }
        if Instant::now() > deadline {
            return Err(SliceFailure::Stuck(limit.as_secs_f64()));
        }
        let mut ready = libc::pollfd {
            fd: pipe.as_raw_fd(),
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: one pollfd that we own, for a descriptor that `pipe` keeps open.
        let count = unsafe { libc::poll(&raw mut ready, 1, GLANCE.as_millis() as i32) };
        // A signal (-1) or a time-out (0): look again.
        if count > 0 {
            match pipe.read(&mut piece).map_err(refused)? {
                0 => return Ok(answer),
                read => answer.extend_from_slice(&piece[..read]),
            }
        }
    }
}

/// Asks the child to end, then makes it.
fn end(child: &mut Child) {
    // SAFETY: the child has not been waited for, so its number cannot belong to another process.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGTERM) };
    let deadline = Instant::now() + LAST_WORDS;
    while Instant::now() < deadline {
        if matches!(child.try_wait(), Ok(Some(_)) | Err(_)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // Nothing more can be done for a child that cannot be killed or waited for.
    let _ = child.kill();
    let _ = child.wait();
}

/// How a process ended, in words.
fn how(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (_, Some(signal)) => format!("was ended by signal {signal}"),
        (Some(code), None) => format!("ended with status {code} and no answer"),
        (None, None) => "ended without an answer".to_owned(),
    }
}
