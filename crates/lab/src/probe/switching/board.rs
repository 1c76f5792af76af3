//! Two sides (threads, or processes) that yield to each other, and the memory they share.

use std::io;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::super::count::Counted;
use super::super::session::Mark;

const WARM_UP: u32 = 0;
const MEASURED: u32 = 1;
const OVER: u32 = 2;

/// Yields after which the other side must have had a turn, even where the scheduler takes its time.
pub(super) const PATIENCE: u64 = 1 << 20;

/// sched_yield(2).
#[inline]
pub(super) fn give_way() -> io::Result<()> {
    // SAFETY: takes nothing and touches nothing; on Linux it cannot fail.
    unsafe { libc::sched_yield() };
    Ok(())
}

/// The data that the two sides exchange, in memory that a forked process shares.
pub(super) struct Board {
    phase: AtomicU32,
    partner_yields: AtomicU64,
    partner_voluntary: AtomicU64,
    partner_involuntary: AtomicU64,
}

/// A mapping of one page with a [`Board`] in it.
///
/// 1. `board` points to a readable and writable page from mmap. It is aligned for a [`Board`], and nobody unmaps it as long as
///    `self` lives.
/// 2. The page was zero, which is a valid [`Board`], and everyone reaches it only through its atomics.
pub(super) struct Shared {
    board: NonNull<Board>,
}

// SAFETY: by 1 the page belongs to no thread in particular.
unsafe impl Send for Shared {}
// SAFETY: by 2 several threads share only atomics.
unsafe impl Sync for Shared {}

impl Shared {
    pub fn new() -> io::Result<Shared> {
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
        // SAFETY: by 1 the page is there and aligned as long as `self` lives, by 2 it is a valid board.
        unsafe { self.board.as_ref() }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: by 1 it is mapped, by `new` and with this size. References borrow `self`, so none is left.
        unsafe { libc::munmap(self.board.as_ptr().cast(), size_of::<Board>()) };
    }
}

impl Board {
    /// Plays the partner's side. Allocates nothing and takes no lock: it may run in a process forked from a threaded one.
    pub fn play_partner(&self, most_yields: u64) {
        // Relaxed throughout: both sides take turns on one CPU, and a switch orders more than any barrier. The results are handed
        // over by the end of the thread or process.
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

    /// Tells the partner to end at its next turn.
    pub fn end(&self) {
        self.phase.store(OVER, Ordering::Relaxed);
    }

    /// Returns the partner's switches in the measured phase, once the partner has ended.
    pub fn partner_counted(&self) -> Counted {
        Counted {
            voluntary: self.partner_voluntary.load(Ordering::Relaxed),
            involuntary: self.partner_involuntary.load(Ordering::Relaxed),
        }
    }

    /// Yields until the partner has had `turns` more turns.
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

    /// Plays the measured side. Returns the time and yields of both sides together, and its own switches.
    pub fn play(&self, units: u64) -> Result<(f64, u64, Counted), String> {
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
