//! A mark, PAIRS warm pairs of a Tollgate, and a mark: what `tests/programs/stepped_pairs.c` does with the C library's mutex. A second thread is
//! alive here, too. Usage: locktoll-stepped-tollgate WARM PAIRS
//!
//! It is a crate of its own so that it is built with optimisation, and with nothing but the locks: the tests around it are not.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() {
    use std::hint::black_box;
    use std::thread;

    use tollgate::RawMutex;

    /// Not inlined, as the C library's functions are not: the first call behind a mark is that of an acquisition.
    #[inline(never)]
    fn acquire(lock: &RawMutex) {
        lock.lock();
    }

    #[inline(never)]
    fn release(lock: &RawMutex) {
        // SAFETY: only called by the thread that has acquired the lock on the line before.
        unsafe { lock.unlock() };
    }

    static LOCK: RawMutex = RawMutex::new();
    let count = |at: usize| {
        std::env::args()
            .nth(at)
            .and_then(|it| it.parse::<u32>().ok())
    };
    let (Some(warm), Some(stepped)) = (count(1), count(2)) else {
        eprintln!("usage: locktoll-stepped-tollgate WARM PAIRS");
        std::process::exit(2);
    };
    thread::spawn(|| {
        loop {
            thread::park();
        }
    });
    let lock = black_box(&LOCK);
    // The same calls before the first mark and behind it, as places to which they return.
    for pairs in [warm, stepped] {
        for _ in 0..pairs {
            acquire(lock);
            release(lock);
        }
        // SAFETY: the program that steps this one stops it here, and goes on behind it. Nothing is read or written.
        unsafe { std::arch::asm!("int3") };
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() {}
