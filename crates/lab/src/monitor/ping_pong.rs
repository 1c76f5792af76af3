//! Two threads pass a turn to each other.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::scope;
use std::time::Instant;

use super::{Monitor, Side};

/// One part in this many of the counted hand-overs, run before them: both threads are running by then.
const LEAD_IN: u32 = 10;

/// Returns the nanoseconds per hand-over, of at least two. A thread gives the other its turn, signals while it holds the mutex,
/// and waits for its own turn. Each side has its own condition.
pub fn ping_pong<M: Monitor>(hand_overs: u32) -> f64 {
    let monitor = M::new();
    // Under the mutex; relaxed, since the mutex orders it.
    let turn = AtomicUsize::new(Side::Ping.index());
    // Both threads take the same number of turns.
    let turns = hand_overs.div_ceil(2).max(1);
    let lead_in = turns / LEAD_IN + 1;
    let play = |own: Side| {
        let mut started = Instant::now();
        for played in 0..lead_in + turns {
            if played == lead_in {
                started = Instant::now();
            }
            let mut held = monitor.enter();
            while turn.load(Relaxed) != own.index() {
                held = monitor.wait(held, own);
            }
            turn.store(own.other().index(), Relaxed);
            monitor.signal(own.other());
            drop(held);
        }
        started.elapsed()
    };
    let took = scope(|scope| {
        let other = scope.spawn(|| play(Side::Pong));
        play(Side::Ping);
        // Pong ends the last turn.
        other.join().expect("a player does not panic")
    });
    took.as_nanos() as f64 / f64::from(2 * turns)
}
