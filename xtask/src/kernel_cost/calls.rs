//! The programs that are slowed down: futex calls at a rate, and a lock that nobody else wants.

use std::hint::black_box;
use std::sync::atomic::AtomicU32;
use std::sync::{Barrier, Mutex};
use std::time::Instant;

/// What the threads do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// Futex calls on one word, with arithmetic between, so that all together come to about 200,000 a second.
    Futex,
    /// A mutex of each thread's own: never a call.
    Uncontended,
}

impl Calls {
    /// By its word on the command line.
    pub fn of(word: &str) -> Option<Self> {
        match word {
            "futex" => Some(Self::Futex),
            "uncontended" => Some(Self::Uncontended),
            _ => None,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Futex => "futex",
            Self::Uncontended => "uncontended",
        }
    }
}

const THREADS: usize = 2;
/// Operations of each thread: a second or so.
const FUTEX_CALLS: u64 = 100_000;
const PAIRS: u64 = 30_000_000;
/// Loops between two futex calls of a thread: ten microseconds or so.
const LOOPS: u32 = 20_000;

/// Does the calls and prints how many there were and the nanoseconds that they took, by the clock and of processors.
pub fn serve(calls: Calls) {
    static WORD: AtomicU32 = AtomicU32::new(0);
    let start = Barrier::new(THREADS + 1);
    let mut began = None;
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                start.wait();
                match calls {
                    Calls::Futex => {
                        for _ in 0..FUTEX_CALLS {
                            wake(&WORD);
                            (0..LOOPS).for_each(|loops| {
                                black_box(loops);
                            });
                        }
                    }
                    Calls::Uncontended => {
                        let own = Mutex::new(0_u64);
                        for _ in 0..PAIRS {
                            *own.lock().expect("nobody panics") += 1;
                        }
                        black_box(own.into_inner().expect("nobody panics"));
                    }
                }
            });
        }
        start.wait();
        began = Some(Instant::now());
    });
    let each = match calls {
        Calls::Futex => FUTEX_CALLS,
        Calls::Uncontended => PAIRS,
    };
    let took = began.expect("set above").elapsed();
    println!(
        "{} {} {}",
        each * THREADS as u64,
        took.as_nanos(),
        processor_ns()
    );
}

/// What this process has used of processors, nanoseconds.
fn processor_ns() -> u64 {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a live value; every Linux has this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// Wakes at most one thread, of which there is none.
fn wake(word: &AtomicU32) {
    // SAFETY: the word lives as long as the program; waking touches nothing else.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG,
            1,
        );
    }
}
