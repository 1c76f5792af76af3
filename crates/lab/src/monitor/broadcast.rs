//! One thread wakes many waiters at once.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread::{Builder, scope};
use std::time::{Duration, Instant};

use super::{Monitor, Side};

/// Enough for a waiter's few frames.
const STACK_BYTES: usize = 128 * 1024;

/// Data that the threads share under the mutex; relaxed, since the mutex orders it.
#[derive(Default)]
struct Shared {
    /// Broadcasts so far.
    generation: AtomicU32,
    /// Waiters that wait for the next one.
    waiting: AtomicU32,
    /// Waiters that have had the mutex since the last broadcast.
    let_go: AtomicU32,
}

/// Returns the nanoseconds from a broadcast until all of `waiters` have had the mutex and reported it; the mean of `broadcasts`,
/// at least one. At the start of each, all waiters are waiting. The last one to get the mutex signals the broadcasting thread,
/// which then reads the clock.
pub fn broadcast<M: Monitor>(waiters: u32, broadcasts: u32) -> f64 {
    let monitor = M::new();
    let shared = Shared::default();
    let broadcasts = broadcasts.max(1);
    scope(|scope| {
        for _ in 0..waiters {
            let builder = Builder::new().stack_size(STACK_BYTES);
            builder
                .spawn_scoped(scope, || {
                    wait_for(&monitor, &shared, waiters, broadcasts + 1)
                })
                .expect("a thread can be started");
        }
        // The first round belongs to the start of the threads.
        let mut took = Duration::ZERO;
        for round in 0..=broadcasts {
            let one = let_go(&monitor, &shared, waiters);
            took += if round == 0 { Duration::ZERO } else { one };
        }
        took.as_nanos() as f64 / f64::from(broadcasts)
    })
}

/// Waits for each of `broadcasts`.
fn wait_for<M: Monitor>(monitor: &M, shared: &Shared, waiters: u32, broadcasts: u32) {
    for generation in 0..broadcasts {
        let mut held = monitor.enter();
        if add_one(&shared.waiting) == waiters {
            monitor.signal(Side::Pong);
        }
        while shared.generation.load(Relaxed) == generation {
            held = monitor.wait(held, Side::Ping);
        }
        if add_one(&shared.let_go) == waiters {
            monitor.signal(Side::Pong);
        }
        drop(held);
    }
}

/// Broadcasts once all are waiting, and waits until all have had the mutex; returns the time from the broadcast on.
fn let_go<M: Monitor>(monitor: &M, shared: &Shared, waiters: u32) -> Duration {
    let mut held = monitor.enter();
    while shared.waiting.load(Relaxed) < waiters {
        held = monitor.wait(held, Side::Pong);
    }
    shared.waiting.store(0, Relaxed);
    shared.let_go.store(0, Relaxed);
    let started = Instant::now();
    shared
        .generation
        .store(shared.generation.load(Relaxed) + 1, Relaxed);
    monitor.broadcast(Side::Ping);
    while shared.let_go.load(Relaxed) < waiters {
        held = monitor.wait(held, Side::Pong);
    }
    drop(held);
    started.elapsed()
}

/// Adds one with a load and a store: the mutex is held.
fn add_one(count: &AtomicU32) -> u32 {
    let more = count.load(Relaxed) + 1;
    count.store(more, Relaxed);
    more
}
