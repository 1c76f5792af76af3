//! One round, in a process of its own.

use std::hint::black_box;
use std::sync::mpsc;

use locktoll_locks::{RawLock, Ttas};

/// The argument that asks for this.
pub const WORD: &str = "--measure-one-round";

/// Pairs in a batch: some milliseconds.
const PAIRS: u32 = 200_000;

/// Batches of each way. The median of them counts.
const BATCHES: usize = 15;

/// Times all ways and prints a line of ns a pair: inlined, called, through `pthread_mutex_lock`.
pub fn run() {
    let (alive, sleeper) = mpsc::channel::<()>();
    let second = std::thread::spawn(move || sleeper.recv());
    let lock = Box::new(Ttas::new());
    let mut mutex = Box::new(libc::PTHREAD_MUTEX_INITIALIZER);
    let ways: [&mut dyn FnMut(); 3] = [&mut || inlined(&lock), &mut || called(&lock), &mut || {
        through_names(&raw mut *mutex)
    }];
    let mut batches = [const { Vec::new() }; 3];
    for batch in 0..=BATCHES {
        for step in 0..ways.len() {
            let way = (step + batch) % ways.len();
            let begin = cpu_ns();
            ways[way]();
            let spent = (cpu_ns() - begin) / f64::from(PAIRS);
            // The first brings code and data to where they are afterwards.
            if batch > 0 {
                batches[way].push(spent);
            }
        }
    }
    for mut figures in batches {
        figures.sort_by(f64::total_cmp);
        print!("{} ", figures[figures.len() / 2]);
    }
    println!();
    drop(alive);
    let _ = second.join();
}

#[inline(never)]
fn inlined(lock: &Ttas) {
    for _ in 0..PAIRS {
        let lock = black_box(lock);
        lock.lock();
        // SAFETY: acquired on the line before.
        unsafe { lock.unlock() };
    }
}

#[inline(never)]
extern "C" fn acquire(lock: &Ttas) -> i32 {
    lock.lock();
    0
}

#[inline(never)]
extern "C" fn release(lock: &Ttas) -> i32 {
    // SAFETY: the only caller has acquired it.
    unsafe { lock.unlock() };
    0
}

#[inline(never)]
fn called(lock: &Ttas) {
    // By address, as a name of another library is called.
    let (acquire, release) = black_box((
        acquire as extern "C" fn(&Ttas) -> i32,
        release as extern "C" fn(&Ttas) -> i32,
    ));
    for _ in 0..PAIRS {
        acquire(lock);
        release(lock);
    }
}

#[inline(never)]
fn through_names(mutex: *mut libc::pthread_mutex_t) {
    for _ in 0..PAIRS {
        // SAFETY: a mutex of our own, initialised, used by this thread alone.
        unsafe {
            libc::pthread_mutex_lock(mutex);
            libc::pthread_mutex_unlock(mutex);
        }
    }
}

fn cpu_ns() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: a place for the answer.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}
