//! A thread that waits with `spin_loop` while another one sleeps. Prints how much CPU time the process spent, nearly all of it
//! waiting, by the kernel's account of the thread.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

static WORD: AtomicU32 = AtomicU32::new(0);
static TURN: AtomicU32 = AtomicU32::new(0);
const ROUNDS: u32 = 12;

/// The CPU time of this thread: the first number of its schedstat.
fn cpu_ns() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

fn wait() {
    while WORD.load(Ordering::Acquire) == 0 {
        std::hint::spin_loop();
    }
}

fn main() {
    let waiting = std::thread::spawn(|| {
        let mut spent_ns = 0;
        for round in 0..ROUNDS {
            TURN.store(round + 1, Ordering::Release);
            let begin = cpu_ns();
            wait();
            spent_ns += cpu_ns() - begin;
            WORD.store(0, Ordering::Release);
        }
        println!("spun_ns {spent_ns}");
        println!("cpu_ns {}", cpu_ns());
    });
    for round in 0..ROUNDS {
        while TURN.load(Ordering::Acquire) != round + 1 {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(100));
        WORD.store(1, Ordering::Release);
    }
    waiting.join().unwrap();
}
