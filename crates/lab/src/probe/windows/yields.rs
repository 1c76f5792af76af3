//! Two threads on one CPU that yield to each other by SwitchToThread.
//!
//! A unit is one call. Windows does the counting: the call reports whether another thread got the processor. The scheduler
//! decides how often that happens; the additional cost compared with a call alone is divided by the number of these calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use locktoll_locks::CachePadded;
use windows_sys::Win32::System::Threading::SwitchToThread;

use crate::probe::count::Count;
use crate::probe::interleave::Probe;
use crate::probe::scheduling::Rank;
use crate::probe::series::Batch;
use crate::probe::session::{Mark, Seat};
use crate::probe::solo::HUNG_AFTER;

/// Yields after which the other side must have had a turn, even where the scheduler takes its time.
const PATIENCE: u64 = 1 << 20;

/// The data that the two sides exchange.
#[derive(Default)]
struct Board {
    over: AtomicBool,
    partner: CachePadded<Partner>,
}

/// The data that only the partner writes.
#[derive(Default)]
struct Partner {
    yields: AtomicU64,
    switches: AtomicU64,
}

/// Yields, and how many of them the system answered with a switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Yields {
    all: u64,
    switching: u64,
}

/// Two threads that yield to each other.
pub(super) fn pair<'a>() -> Probe<'a> {
    Probe::new("SwitchToThread to a thread", None, |session, units| {
        let seat = session.seat(session.home_cpu(), Rank::Measured);
        let (report, result) = mpsc::channel();
        let board = Arc::new(Board::default());
        let measured = Arc::clone(&board);
        // Detached, not joined: a thread that is never run must not hang the whole list.
        std::thread::spawn(move || {
            // The receiver may already be gone.
            let _ = report.send(seat.take().and_then(|()| both(&measured, seat, units)));
        });
        let answer = result.recv_timeout(HUNG_AFTER);
        board.end();
        answer.unwrap_or_else(|_| Err("gave no answer within 3 s".into()))
    })
}

fn both(board: &Arc<Board>, seat: Seat, units: u64) -> Result<Batch, String> {
    let theirs = Arc::clone(board);
    let partner = std::thread::spawn(move || {
        seat.take()?;
        // The partner ends by itself if this side vanishes.
        theirs.play_partner(4 * units + 2 * PATIENCE);
        Ok::<(), String>(())
    });
    let played = board.play(units);
    board.end();
    partner
        .join()
        .unwrap_or_else(|_| Err("the other thread panicked".into()))?;
    let (ns, yields) = played?;
    Ok(batch(ns, yields))
}

/// Builds a batch from the yields of both sides in the same time.
fn batch(ns: f64, yields: Yields) -> Batch {
    Batch {
        units: yields.all,
        ns: ns / yields.all as f64,
        switches: Count {
            total: Some(yields.switching as f64 / yields.all as f64),
            kinds: None,
        },
    }
}

/// Whether another thread was given the processor.
fn give_way() -> bool {
    // SAFETY: takes nothing.
    unsafe { SwitchToThread() != 0 }
}

// Relaxed throughout: both sides take turns on one CPU, and a switch orders more than any barrier. The results are handed over by
// the end of the thread.
impl Board {
    fn play_partner(&self, most_yields: u64) {
        let mut switches = 0;
        for yields in 1..=most_yields {
            if self.over.load(Ordering::Relaxed) {
                return;
            }
            switches += u64::from(give_way());
            self.partner.switches.store(switches, Ordering::Relaxed);
            self.partner.yields.store(yields, Ordering::Relaxed);
        }
    }

    /// Tells the partner to end at its next turn.
    fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Returns what the partner has done so far.
    fn partner(&self) -> Yields {
        Yields {
            all: self.partner.yields.load(Ordering::Relaxed),
            switching: self.partner.switches.load(Ordering::Relaxed),
        }
    }

    /// Yields until the partner has had `turns` more turns.
    fn let_partner_in(&self, turns: u64) -> Result<(), String> {
        let target = self.partner().all + turns;
        for _ in 0..PATIENCE {
            if self.partner().all >= target {
                return Ok(());
            }
            give_way();
        }
        Err("the other side was not given the CPU".into())
    }

    /// Plays the measured side. Returns the time, and the yields of both sides together.
    fn play(&self, units: u64) -> Result<(f64, Yields), String> {
        self.let_partner_in(units / 20 + 5)?;
        self.let_partner_in(2)?;
        let before = self.partner();
        let mark = Mark::open();
        let mut own = 0;
        for _ in 0..units / 2 {
            own += u64::from(give_way());
        }
        let (ns, _) = mark.close();
        let after = self.partner();
        let yields = Yields {
            all: units / 2 + after.all - before.all,
            switching: own + after.switching - before.switching,
        };
        Ok((ns, yields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_a_yield_of_either_side() {
        let yields = Yields {
            all: 400,
            switching: 300,
        };
        let batch = batch(80_000.0, yields);
        assert_eq!((batch.units, batch.ns), (400, 200.0));
        assert_eq!(batch.switches.total, Some(0.75));
        assert_eq!(batch.switches.kinds, None);
    }

    #[test]
    fn a_partner_whose_game_is_over_does_not_yield() {
        let board = Board::default();
        board.end();
        board.play_partner(1_000);
        assert_eq!(board.partner(), Yields::default());
    }

    #[test]
    fn a_partner_ends_by_itself() {
        let board = Board::default();
        board.play_partner(10);
        let yields = board.partner();
        assert_eq!(yields.all, 10);
        assert!(yields.switching <= 10, "{yields:?}");
    }
}
