//! Waits for processes to end, until the time limit or until the user interrupts.

use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::{Child, Counted};
use locktoll_terminal::interrupt::Interrupt;

/// How often, while processes run, their outputs are read and the user's wish to stop is checked.
const GLANCE: Duration = Duration::from_millis(100);

/// How long a process may take to end once it has been asked to.
pub const GRACE: Duration = Duration::from_secs(2);

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// One of the processes has ended.
    Ended,
    /// The time limit was reached.
    OutOfTime,
    /// The user wants to stop.
    Interrupted,
    /// A thread of the program has a real-time policy, or is about to have one: the program is not tested with other locks.
    RealTime,
}

/// Waits for the ends of processes.
pub struct Supervisor {
    interrupt: Interrupt,
    sender: Sender<(i32, Instant)>,
    ends: Receiver<(i32, Instant)>,
}

impl Supervisor {
    /// Creates a supervisor that stops waiting once `interrupt` is requested.
    pub fn new(interrupt: Interrupt) -> Self {
        let (sender, ends) = channel();
        Self {
            interrupt,
            sender,
            ends,
        }
    }

    /// Whether the user wants to stop.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.requested()
    }

    /// Watches a process from now on.
    ///
    /// # Errors
    /// If no thread can be started for it.
    pub fn watch(&self, child: &Child) -> io::Result<()> {
        let (pid, sender) = (child.pid, self.sender.clone());
        // The thread sleeps in the kernel until the process ends, and takes the time at once.
        std::thread::Builder::new()
            .name("end of child".to_owned())
            .spawn(move || {
                wait_without_reaping(pid);
                // Nobody receives it once the trial is over.
                let _ = sender.send((pid, Instant::now()));
            })?;
        Ok(())
    }

    /// Waits until one of `children` that was still running has ended. If a library with other locks counts in `tally`, the
    /// wait also ends when the library has counted a thread with a real-time policy: such a program may hang.
    ///
    /// # Errors
    /// If an output or the file cannot be read.
    pub fn wait(
        &self,
        children: &mut [&mut Child],
        until: Instant,
        tally: Option<&Path>,
    ) -> io::Result<Happened> {
        loop {
            if self.is_interrupted() {
                return Ok(Happened::Interrupted);
            }
            if let Some(tally) = tally
                && Counted::read(tally)?.real_time > 0
            {
                return Ok(Happened::RealTime);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.ends.recv_timeout(left.min(GLANCE)) {
                Ok((pid, at)) => {
                    // Ignore the end of an earlier process that was given up.
                    if let Some(child) = children.iter_mut().find(|child| child.pid == pid) {
                        child.ended = Some(at);
                        return Ok(Happened::Ended);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => unreachable!("we hold a sender ourselves"),
                Err(RecvTimeoutError::Timeout) if left <= GLANCE => {
                    return Ok(Happened::OutOfTime);
                }
                Err(RecvTimeoutError::Timeout) => {
                    for child in children.iter_mut() {
                        child.relieve()?;
                    }
                }
            }
        }
    }

    /// Asks `child` to end by sending `signal` to it alone. If it does not end within `grace`, kills it with its group and
    /// returns true. Ignores the user's wish to stop, since the process is being stopped anyway.
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    pub fn stop(&self, child: &mut Child, signal: i32, grace: Duration) -> io::Result<bool> {
        child.signal(signal);
        // A stopped process would not react to the signal.
        child.signal(libc::SIGCONT);
        if self.ends_within(child, grace)? {
            return Ok(false);
        }
        child.signal_all(libc::SIGKILL);
        self.ends_within(child, Duration::MAX)?;
        Ok(true)
    }

    fn ends_within(&self, child: &mut Child, time: Duration) -> io::Result<bool> {
        let since = Instant::now();
        while child.ended.is_none() {
            let Some(left) = time.checked_sub(since.elapsed()) else {
                return Ok(false);
            };
            match self.ends.recv_timeout(left.min(GLANCE)) {
                Ok((pid, at)) if pid == child.pid => child.ended = Some(at),
                Ok(_) => {}
                Err(_) => child.relieve()?,
            }
        }
        Ok(true)
    }
}

/// Waits until the process has ended, without reaping it, so that its id stays its own.
fn wait_without_reaping(pid: i32) {
    let Some(pid) = Pid::from_raw(pid) else {
        return;
    };
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(
        waitid(WaitId::Pid(pid), ended),
        Err(rustix::io::Errno::INTR)
    ) {}
}
