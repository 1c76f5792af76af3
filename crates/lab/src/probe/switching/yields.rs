//! Yields: of a thread alone, of two threads, of two processes, all on one CPU.
//!
//! A unit is one sched_yield(2). With two threads of the same real-time priority, each yield goes to the other, so it
//! makes one switch. Under `SCHED_OTHER`, the scheduler may let the thread that yielded continue. There, the switches are
//! counted, and the additional cost compared with a yield alone is divided by their number.

use std::io;
use std::sync::Arc;
use std::sync::mpsc;

use super::super::interleave::Probe;
use super::super::scheduling::{Policy, Rank};
use super::super::series::Batch;
use super::super::session::{Seat, Session};
use super::super::solo::HUNG_AFTER;
use super::board::{PATIENCE, Shared, give_way};

/// The side that yields to the measured thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Partner {
    /// A thread of this process.
    Thread,
    /// A separate process: the switch changes the address space, too.
    Process,
}

/// A thread that yields with no other thread to run.
pub(super) fn alone<'a>() -> Probe<'a> {
    Probe::new("yield alone", Some(0.0), |session, units| {
        session.solo(units, || Ok(give_way))
    })
}

/// Two threads or processes that yield to each other.
pub(super) fn pair<'a>(session: &Session<'_>, partner: Partner) -> Probe<'a> {
    let (title, expected) = match (partner, session.policy()) {
        (Partner::Thread, Policy::Fifo) => ("yield to a thread", Some(1.0)),
        (Partner::Process, Policy::Fifo) => ("yield to a process", Some(1.0)),
        (Partner::Thread, Policy::Other) => ("yield to a thread", None),
        (Partner::Process, Policy::Other) => ("yield to a process", None),
    };
    Probe::new(title, expected, move |session, units| {
        batch(
            session.seat(session.home_cpu(), Rank::Measured),
            partner,
            units,
        )
    })
}

/// Runs one batch in a separate thread.
fn batch(seat: Seat, partner: Partner, units: u64) -> Result<Batch, String> {
    let board = Arc::new(Shared::new().map_err(|error| format!("mmap: {error}"))?);
    let (report, result) = mpsc::channel();
    let measured = Arc::clone(&board);
    std::thread::spawn(move || {
        // The receiver may already be gone.
        let _ = report.send(
            seat.take()
                .and_then(|()| both_sides(&measured, seat, partner, units)),
        );
    });
    let answer = result.recv_timeout(HUNG_AFTER);
    board.end();
    answer.unwrap_or_else(|_| Err("gave no answer within 3 s".into()))
}

fn both_sides(
    board: &Arc<Shared>,
    seat: Seat,
    partner: Partner,
    units: u64,
) -> Result<Batch, String> {
    // The partner ends by itself if this side vanishes.
    let most_yields = 4 * units + 2 * PATIENCE;
    let played = match partner {
        Partner::Thread => {
            let theirs = Arc::clone(board);
            let thread = std::thread::spawn(move || {
                seat.take()?;
                theirs.play_partner(most_yields);
                Ok::<(), String>(())
            });
            let played = board.play(units);
            board.end();
            thread
                .join()
                .unwrap_or_else(|_| Err("the other thread panicked".into()))?;
            played
        }
        Partner::Process => {
            let process = fork_partner(board, most_yields)?;
            let played = board.play(units);
            board.end();
            // SAFETY: no status is asked for. Where SIGCHLD is ignored there is nothing to reap; the call waits anyway.
            unsafe { libc::waitpid(process, std::ptr::null_mut(), 0) };
            played
        }
    };
    let (ns, yields, counted) = played?;
    Ok(Batch {
        units: yields,
        ns: ns / yields as f64,
        switches: counted.plus(board.partner_counted()).per(yields),
    })
}

/// Forks a child with the CPU and the policy of the calling thread. The child plays the partner and exits.
fn fork_partner(board: &Shared, most_yields: u64) -> Result<libc::pid_t, String> {
    // SAFETY: the child of a threaded process may only do what a signal handler may: it makes system calls, stores
    // to the shared page, and leaves by _exit.
    match unsafe { libc::fork() } {
        -1 => Err(format!("fork: {}", io::Error::last_os_error())),
        0 => {
            board.play_partner(most_yields);
            // SAFETY: as above.
            unsafe { libc::_exit(0) }
        }
        process => Ok(process),
    }
}
