//! Nanoseconds for one uncontended lock and unlock of each lock, with a second thread alive.
//!
//! `cargo run --release -p locktoll-locks --example pairs`. The loop alone is measured too; it is
//! not subtracted.

use std::hint::black_box;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use locktoll_locks::*;

const PAIRS: u32 = 100_000;
const SLICE: Duration = Duration::from_millis(100);

/// The least of several runs: what is not in the lock only adds.
fn least_ns(mut pair: impl FnMut()) -> f64 {
    let begin = Instant::now();
    let mut least = f64::INFINITY;
    while begin.elapsed() < SLICE {
        let start = Instant::now();
        for _ in 0..PAIRS / 10 {
            pair();
        }
        least = least.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(PAIRS / 10));
    }
    least
}

fn row<R: RawLock>(name: &str, lock: &R) {
    let lock = black_box(lock);
    let ns = least_ns(|| {
        lock.lock();
        // SAFETY: acquired on the line before.
        unsafe { lock.unlock() };
    });
    println!("{name:<18} {ns:7.1} ns");
}

fn main() {
    // A C library may skip atomics while a process has one thread; ours do not, but all are
    // measured alike.
    let (alive, sleeper) = mpsc::channel::<()>();
    let second = thread::spawn(move || sleeper.recv());
    println!(
        "{:<18} {:7.1} ns",
        "(empty loop)",
        least_ns(|| {
            black_box(());
        })
    );
    macro_rules! rows {
        ($($lock:ident $name:literal,)+) => { $( row($name, &$lock::new()); )+ };
    }
    for_each_lock!(rows);
    row("gate(ttas, 2)", &Gate::<Ttas>::with_active(2));
    let std_mutex = std::sync::Mutex::new(());
    println!(
        "{:<18} {:7.1} ns",
        "std::sync::Mutex",
        least_ns(|| drop(black_box(&std_mutex).lock()))
    );
    drop(alive);
    let _ = second.join();
}
