//! Two threads that put each other to sleep and wake each other, in turn.
//!
//! A unit is one hand-over, one way: half a round trip. Each makes one context switch: the thread that hands over goes to
//! sleep. The same wake-up also ends a batch that hangs, since a wake-up is kept until a thread waits for it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use locktoll_locks::CachePadded;

use super::spinner;
use crate::probe::count::Counted;
use crate::probe::gate::Gate;
use crate::probe::scheduling::Rank;
use crate::probe::series::Batch;
use crate::probe::session::{Mark, Seat, Session};
use crate::probe::solo::HUNG_AFTER;

/// A way for one thread to let another go on. The two threads are sides 0 and 1.
pub(in crate::probe) trait HandOver: Send + Sync + 'static {
    /// Called by the thread of `side` before the first hand-over.
    fn enter(&self, _side: usize) -> Result<(), String> {
        Ok(())
    }

    /// Lets `side` go on. If that side does not wait yet, its next wait returns at once.
    fn wake(&self, side: usize) -> io::Result<()>;

    /// Called by the thread of `side`: sleeps until the side is woken.
    fn wait(&self, side: usize) -> io::Result<()>;
}

/// Where a ping-pong takes place.
#[derive(Clone, Copy, Debug)]
pub(in crate::probe) struct Place {
    /// The CPU of each side.
    pub cpus: [usize; 2],
    /// Keep both CPUs from going idle, with threads that give way to the two sides.
    pub busy: bool,
    /// Run under the default policy, as programs usually do, even where the other probes have a higher priority.
    pub as_programs_run: bool,
}

impl Place {
    /// Side 0 on one CPU, side 1 on the other, which may be the same.
    pub fn on(cpus: [usize; 2]) -> Place {
        Place {
            cpus,
            busy: false,
            as_programs_run: false,
        }
    }
}

/// The data that the two sides share.
struct Match<H> {
    arm: H,
    gate: Arc<Gate>,
    stop: Arc<AtomicBool>,
    warm_up: u64,
    rounds: u64,
    /// Rounds that side 0 has done. Only side 0 writes this word, on its own lines: one store in thousands of cycles.
    done: CachePadded<AtomicU64>,
}

/// Two threads that finish no round in this time, after [`HUNG_AFTER`] has passed, are waiting for a lost wake-up. Threads that
/// have to wait for a processor finish one now and then.
const STANDSTILL: Duration = Duration::from_secs(1);

/// Nanoseconds of the whole batch as one side saw it, and that side's switches.
type Seen = Result<(f64, Counted), String>;

/// Runs `hand_overs` hand-overs between two threads made for the purpose.
///
/// # Errors
/// A sentence that says what failed, or that it hung.
pub(in crate::probe) fn ping_pong<H: HandOver>(
    session: &Session<'_>,
    arm: H,
    place: Place,
    hand_overs: u64,
) -> Result<Batch, String> {
    let rounds = hand_overs.div_ceil(2);
    let spinners: &[usize] = if place.busy { &place.cpus } else { &[] };
    let game = Arc::new(Match {
        arm,
        gate: Arc::new(Gate::new(2 + spinners.len())),
        stop: Arc::new(AtomicBool::new(false)),
        warm_up: rounds / 10 + 5,
        rounds,
        done: CachePadded::new(AtomicU64::new(0)),
    });
    let (report, reports) = channel();
    for side in 0..2 {
        let mut seat = session.seat(place.cpus[side], Rank::Measured);
        if place.as_programs_run {
            seat = seat.as_programs_run();
        }
        let (game, report) = (Arc::clone(&game), report.clone());
        // Detached, not joined: a wake that never comes must not hang the whole list.
        std::thread::spawn(move || {
            let seen = game.take_part(side, seat);
            if side == 0 || seen.is_err() {
                // Relaxed: spinners and loops only look at the flag itself.
                game.stop.store(true, Ordering::Relaxed);
            }
            // The receiver may already be gone.
            let failed = seen.is_err();
            let _ = report.send((side, seen));
            if failed {
                // After the report: an error of the other side is then only a consequence.
                game.gate.fail();
            }
        });
    }
    spinner::start(session, spinners, &game.gate, &game.stop);
    let [(ns, first), (_, second)] = game.result(&reports)?;
    let units = 2 * rounds;
    Ok(Batch {
        units,
        ns: ns / units as f64,
        switches: first.plus(second).per(units),
    })
}

impl<H: HandOver> Match<H> {
    fn take_part(&self, side: usize, seat: Seat) -> Seen {
        seat.take()?;
        self.arm.enter(side)?;
        if !self.gate.arrive() {
            return Err("one of its threads could not be set up".into());
        }
        self.play(side).map_err(|error| error.to_string())
    }

    fn play(&self, side: usize) -> io::Result<(f64, Counted)> {
        self.rounds(side, self.warm_up)?;
        let mark = Mark::open();
        self.rounds(side, self.rounds)?;
        Ok(mark.close())
    }

    fn rounds(&self, side: usize, rounds: u64) -> io::Result<()> {
        for _ in 0..rounds {
            if side == 0 {
                self.arm.wake(1)?;
                self.arm.wait(0)?;
                // Relaxed: only a figure that shows whether the game makes progress.
                let done = self.done.load(Ordering::Relaxed);
                self.done.store(done + 1, Ordering::Relaxed);
            } else {
                self.arm.wait(1)?;
                self.arm.wake(0)?;
            }
        }
        Ok(())
    }

    fn result(&self, reports: &Receiver<(usize, Seen)>) -> Result<[(f64, Counted); 2], String> {
        let mut seen = [None, None];
        let mut failed = None;
        let mut deadline = Instant::now() + HUNG_AFTER;
        for _ in 0..2 {
            let (side, report) = loop {
                match reports.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                    Ok(report) => break report,
                    Err(_) if failed.is_none() => {
                        failed = Some(self.why_so_long());
                        deadline = self.send_home();
                    }
                    Err(_) => return Err(failed.unwrap_or_default()),
                }
            };
            match report {
                Ok(figures) => seen[side] = Some(figures),
                Err(reason) => {
                    // The first reason is the cause, later ones its consequences.
                    failed.get_or_insert(reason);
                    deadline = self.send_home();
                }
            }
        }
        match (seen, failed) {
            ([Some(first), Some(second)], None) => Ok([first, second]),
            (_, reason) => Err(reason.unwrap_or_else(|| "one of its threads failed".into())),
        }
    }

    /// Returns the reason after [`HUNG_AFTER`]: a wake-up was lost, or other threads have the processors.
    fn why_so_long(&self) -> String {
        let done = || self.done.load(Ordering::Relaxed);
        let before = done();
        std::thread::sleep(STANDSTILL);
        let after = done();
        if after == before {
            return "a thread was not woken within 3 s".into();
        }
        let all = 2 * (self.warm_up + self.rounds);
        format!(
            "{} of {all} hand-overs in {} s: the machine is too busy",
            2 * after,
            (HUNG_AFTER + STANDSTILL).as_secs_f64()
        )
    }

    /// Wakes both sides until the last round must be over. Returns the time until which they may still report.
    fn send_home(&self) -> Instant {
        // Relaxed: spinners only look at the flag itself; the wakes end the two sides.
        self.stop.store(true, Ordering::Relaxed);
        for _ in 0..self.warm_up + self.rounds {
            for side in 0..2 {
                // This wake may fail as the earlier ones did. Nothing else reaches the two sides.
                let _ = self.arm.wake(side);
            }
        }
        Instant::now() + Duration::from_millis(200)
    }
}
