//! Giving way: a thread alone, two threads, two processes, all on one CPU.
//!
//! A unit is one sched_yield(2). With two threads of one real-time priority each yield goes to the other one, so it makes
//! one switch. Under `SCHED_OTHER` the scheduler may well decide to go on with the thread that yielded: there the
//! switches are counted, and what a yield cost more than one alone is divided among them.

use std::io;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc;

use super::super::count::Counted;
use super::super::interleave::Probe;
use super::super::scheduling::{Policy, Rank};
use super::super::series::Batch;
use super::super::session::{Mark, Seat, Session};
use super::super::solo::HUNG_AFTER;

const WARM_UP: u32 = 0;
const MEASURED: u32 = 1;
const OVER: u32 = 2;

/// Yields after which the other side must have had a turn, even where the scheduler takes its time.
const PATIENCE: u64 = 1 << 20;

/// Who yields to the measured thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Partner {
    /// A thread of this process.
    Thread,
    /// A process of its own: the switch changes the address space, too.
    Process,
}

/// A thread that yields to nobody.
pub(super) fn alone<'a>() -> Probe<'a> {
    Probe::new("yield alone", Some(0.0), |session, units| {
        session.solo(units, || Ok(give_way))
    })
}

/// Two that yield to each other.
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

fn give_way() -> io::Result<()> {
    // SAFETY: takes nothing and touches nothing; on Linux it cannot fail.
    unsafe { libc::sched_yield() };
    Ok(())
}

/// What the two sides tell each other, in memory that a forked process shares.
struct Board {
    phase: AtomicU32,
    partner_ready: AtomicU32,
    partner_yields: AtomicU64,
    partner_voluntary: AtomicU64,
    partner_involuntary: AtomicU64,
}

/// A mapping of one page with a [`Board`] in it.
struct Shared {
    board: NonNull<Board>,
}

// SAFETY: the board consists of atomics, and its page stays mapped until the last owner drops it.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    fn new() -> io::Result<Shared> {
        // SAFETY: a fresh anonymous mapping at an address of the kernel's choice.
        let page = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                size_of::<Board>(),
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        match NonNull::new(page.cast::<Board>()) {
            Some(board) if page != libc::MAP_FAILED => Ok(Shared { board }),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

impl std::ops::Deref for Shared {
    type Target = Board;

    fn deref(&self) -> &Board {
        // SAFETY: the page is mapped, aligned and zero, which is a valid board, as long as `self` lives.
        unsafe { self.board.as_ref() }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: mapped by `new` with this size; no reference outlives `self`.
        unsafe { libc::munmap(self.board.as_ptr().cast(), size_of::<Board>()) };
    }
}

impl Board {
    /// The partner's side. Makes no allocation and takes no lock: it may be a process forked off a threaded one.
    fn play_partner(&self, most_yields: u64) {
        // Relaxed all through: both sides take turns on one CPU, and a switch orders more than any barrier. The
        // results are handed over by the end of the thread or process.
        self.partner_ready.store(1, Ordering::Relaxed);
        let mut start = None;
        for yields in 1..=most_yields {
            match self.phase.load(Ordering::Relaxed) {
                WARM_UP => {}
                MEASURED => {
                    start.get_or_insert_with(Counted::of_this_thread);
                }
                _ => break,
            }
            let _ = give_way();
            self.partner_yields.store(yields, Ordering::Relaxed);
        }
        let counted = start.map(|start| Counted::of_this_thread().since(start));
        let counted = counted.unwrap_or_default();
        self.partner_voluntary
            .store(counted.voluntary, Ordering::Relaxed);
        self.partner_involuntary
            .store(counted.involuntary, Ordering::Relaxed);
    }

    fn partner_counted(&self) -> Counted {
        Counted {
            voluntary: self.partner_voluntary.load(Ordering::Relaxed),
            involuntary: self.partner_involuntary.load(Ordering::Relaxed),
        }
    }

    /// Yields until the partner has had `turns` more.
    fn let_partner_in(&self, turns: u64) -> Result<(), String> {
        let target = self.partner_yields.load(Ordering::Relaxed) + turns;
        for _ in 0..PATIENCE {
            if self.partner_yields.load(Ordering::Relaxed) >= target {
                return Ok(());
            }
            let _ = give_way();
        }
        Err("the other side was not given the CPU".into())
    }

    /// The measured side: time and yields of both sides together, and its own switches.
    fn play(&self, units: u64) -> Result<(f64, u64, Counted), String> {
        self.let_partner_in(units / 20 + 5)?;
        self.phase.store(MEASURED, Ordering::Relaxed);
        self.let_partner_in(2)?;
        let partner_start = self.partner_yields.load(Ordering::Relaxed);
        let mark = Mark::open();
        for _ in 0..units / 2 {
            let _ = give_way();
        }
        let (ns, counted) = mark.close();
        let partner_yields = self.partner_yields.load(Ordering::Relaxed) - partner_start;
        Ok((ns, units / 2 + partner_yields, counted))
    }
}

/// One batch, in a thread of its own.
fn batch(seat: Seat, partner: Partner, units: u64) -> Result<Batch, String> {
    let board = Arc::new(Shared::new().map_err(|error| format!("mmap: {error}"))?);
    let (report, result) = mpsc::channel();
    let measured = Arc::clone(&board);
    std::thread::spawn(move || {
        // Nobody may be listening any more.
        let _ = report.send(
            seat.take()
                .and_then(|()| both_sides(&measured, seat, partner, units)),
        );
    });
    let answer = result.recv_timeout(HUNG_AFTER);
    board.phase.store(OVER, Ordering::Relaxed);
    answer.unwrap_or_else(|_| Err("gave no answer within 3 s".into()))
}

fn both_sides(
    board: &Arc<Shared>,
    seat: Seat,
    partner: Partner,
    units: u64,
) -> Result<Batch, String> {
    // The partner ends by itself if this side should vanish.
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
            board.phase.store(OVER, Ordering::Relaxed);
            thread
                .join()
                .unwrap_or_else(|_| Err("the other thread panicked".into()))?;
            played
        }
        Partner::Process => {
            let process = fork_partner(board, most_yields)?;
            let played = board.play(units);
            board.phase.store(OVER, Ordering::Relaxed);
            // SAFETY: the status is not asked for. Where SIGCHLD is ignored there is nothing to reap; it waits anyway.
            unsafe { libc::waitpid(process, std::ptr::null_mut(), 0) };
            played
        }
    };
    let (ns, yields, counted) = played?;
    Ok(Batch {
        ns: ns / yields as f64,
        switches: counted.plus(board.partner_counted()).per(yields),
    })
}

/// A child of the calling thread, with its CPU and its policy, that plays the partner and ends.
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
